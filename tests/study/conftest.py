from __future__ import annotations

from pathlib import Path

import pytest

from tests.study.study_world import Lab


@pytest.fixture(scope="session")
def pack_store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("packs")


@pytest.fixture
def lab(tmp_path: Path, pack_store: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Lab:
    monkeypatch.setenv("CLEW_DATA_DIR", str(tmp_path / "researcher"))
    return Lab(tmp_path, capsys, pack_store)
