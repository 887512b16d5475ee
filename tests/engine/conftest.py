from __future__ import annotations

from pathlib import Path

import pytest

from tests.engine.world import World


@pytest.fixture
def world(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> World:
    monkeypatch.setenv("CLEW_DATA_DIR", str(tmp_path / "data"))
    return World(tmp_path, capsys)
