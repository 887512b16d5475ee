"""Settings that Textual reads when it is imported, and a data directory of its own for each test."""

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

os.environ["TEXTUAL_ANIMATIONS"] = "none"
os.environ.pop("NO_COLOR", None)


@pytest.fixture(autouse=True)
def data_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CLEW_DATA_DIR", str(tmp_path / "data"))


@pytest.fixture
def hang_up_ends() -> Iterator[None]:
    """Have SIGHUP end what a test starts, though the tests themselves were started to outlive their terminal."""
    before = signal.signal(signal.SIGHUP, signal.SIG_DFL)
    yield
    signal.signal(signal.SIGHUP, before)
