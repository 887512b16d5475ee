"""A crash file says where, and never what any variable held."""

import stat
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from engine.errors import StoreError
from tui.crash import KEPT, exit_code, log_folder, message, write_crash

NOW = datetime(2025, 6, 1, 9, 30, tzinfo=UTC)
CANARY = "canary-4711"


def breaks(secret: str) -> None:
    local = secret * 2
    try:
        raise ValueError(local)
    except ValueError as error:
        raise KeyError(secret) from error


def broken(secret: str = CANARY) -> Exception:
    try:
        breaks(secret)
    except KeyError as error:
        return error
    raise AssertionError


def test_the_file_names_class_and_place_and_holds_no_value(tmp_path: Path) -> None:
    path = write_crash(broken(), mode="practice", now=NOW, folder=tmp_path / "log")
    text = path.read_text(encoding="utf-8")
    assert CANARY not in text
    assert "error builtins.KeyError" in text and "from builtins.ValueError" in text
    assert "test_crash_file.py:" in text and ":breaks" in text and "mode practice" in text
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


def test_only_words_of_our_own_are_repeated(tmp_path: Path) -> None:
    own = StoreError("the pack 'x.db' is missing", hint="clew generate")
    assert (
        "the pack 'x.db' is missing (clew generate)"
        in write_crash(own, mode="collect", now=NOW, folder=tmp_path).read_text()
    )
    assert message(own) == "the pack 'x.db' is missing (clew generate)" and exit_code(own) == 2
    assert message(broken()) == "unexpected KeyError" and exit_code(broken()) == 1


def test_the_newest_ten_are_kept(tmp_path: Path) -> None:
    paths = [
        write_crash(broken(), mode="m", now=NOW + timedelta(seconds=second), folder=tmp_path)
        for second in range(KEPT + 3)
    ]
    assert sorted(tmp_path.glob("*")) == paths[3:]


def test_a_huge_local_costs_nothing(tmp_path: Path) -> None:
    path = write_crash(broken("x" * 10_000_000), mode="m", now=NOW, folder=tmp_path)
    assert path.stat().st_size < 5_000


def test_a_deep_stack_is_cut(tmp_path: Path) -> None:
    def deeper(depth: int) -> int:
        return deeper(depth + 1)

    with pytest.raises(RecursionError) as caught:
        deeper(0)
    assert len(write_crash(caught.value, mode="m", now=NOW, folder=tmp_path).read_text().splitlines()) < 80


def test_the_folder_follows_the_data_directory(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("CLEW_DATA_DIR", str(tmp_path))
    assert log_folder() == tmp_path / "log"
    monkeypatch.delenv("CLEW_DATA_DIR")
    assert "clew" in str(log_folder())
