from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from audit_samples import Ran, invoke, write_sample


@pytest.fixture(autouse=True)
def data_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty data directory: no self-test is on record unless a test makes one."""
    folder = tmp_path / "data"
    monkeypatch.setenv("CLEW_DATA_DIR", str(folder))
    return folder


@pytest.fixture(scope="session")
def clean_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A right pack of 24 puzzles with its sealed file."""
    return write_sample(tmp_path_factory.mktemp("clean"))


@pytest.fixture
def clew() -> Callable[..., Ran]:
    """Runs `clew audit` with arguments."""
    return invoke
