"""The real program is killed: events of the view that were stored stay, in order and once; only the newest can go."""

from __future__ import annotations

import signal
from itertools import cycle, islice
from pathlib import Path

import pytest
from pty_session import Session
from real_desk import small_pack

from engine.store.answer_rows import EventRow
from engine.store.answers import Answers
from tui.columns import SORT_WORDS, SORTS

NEVER_LOADED = "no module of this name"


def events(data: Path) -> list[EventRow]:
    """Return all that is stored of the only session; nothing before it has begun."""
    path = data / "answers.db"
    if not path.exists():
        return []
    with Answers.open(path, create=False, read_only=True) as answers:
        return [event for one in answers.solvers() for row in answers.sessions(one) for event in answers.events(row.id)]


def sorts(data: Path) -> list[str]:
    return [event.data for event in events(data) if event.kind == "sort"]


@pytest.mark.slow
@pytest.mark.parametrize("later", [0, 1, 5])
def test_a_kill_takes_no_event_that_was_stored_and_only_the_newest_of_the_others(tmp_path: Path, later: int) -> None:
    data, pack = tmp_path / "data", small_pack(tmp_path / "pack")
    session = Session(
        NEVER_LOADED, "play", "--pack", str(pack), "--aid", "A3", program="interrupted.py",
        env={"CLEW_DATA_DIR": str(data)},
    )  # fmt: skip
    session.read_until("answered")
    session.press("c")
    session.read_until("your answer", "> 1")
    # Each press of s is one event that says what is sorted by then.
    known = list(islice(cycle((*SORTS[1:], SORTS[0])), 6 + later))
    for sort in known[:6]:
        session.press("s")
        session.read_until(f"sorted by {SORT_WORDS[sort]}")
    session.read_until_true(lambda: sorts(data) == known[:6])
    before = events(data)
    for sort in known[6:]:
        session.press("s")
        session.read_until(f"sorted by {SORT_WORDS[sort]}")
    session.send(signal.SIGKILL)
    assert session.wait() == -signal.SIGKILL
    after = events(data)
    assert after[: len(before)] == before
    left = sorts(data)
    assert left == known[: len(left)], "what is missing is the newest, and nothing is there twice"
    with Answers.open(data / "answers.db", read_only=True) as answers:
        assert answers.check() == ()
