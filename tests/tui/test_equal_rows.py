"""A whole practice session of both families, by keys, by mouse and in lines, leaves equal rows at the real desk."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from driving import LARGE, SMALL

from tests.tui.whole_session import Row, at_terminal, in_lines, names, rows, write_session


@pytest.mark.slow
def test_a_session_leaves_equal_rows_however_it_is_played(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pack = write_session(tmp_path / "pack")
    monkeypatch.setenv("CLEW_DATA_DIR", str(tmp_path / "names"))
    named = names(pack)
    ways: dict[str, Callable[[], None]] = {
        "keys, 80x24": partial(at_terminal, pack, SMALL),
        "keys, 120x40": partial(at_terminal, pack, LARGE),
        "mouse, 80x24": partial(at_terminal, pack, SMALL, named=named),
        "mouse, 120x40": partial(at_terminal, pack, LARGE, named=named),
        "lines": partial(in_lines, pack, named),
    }
    left: dict[str, list[Row]] = {}
    for nth, (way, play_it) in enumerate(ways.items()):
        data = tmp_path / f"data-{nth}"
        monkeypatch.setenv("CLEW_DATA_DIR", str(data))
        play_it()
        left[way] = rows(data / "answers.db")
    assert len(left["lines"]) >= 25
    for way, found in left.items():
        assert found == left["lines"], way
