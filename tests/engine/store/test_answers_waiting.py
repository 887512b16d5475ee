"""A write that waits for another program says so for as long as it does."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from threading import Event, Thread

from sqlite_utils.utils import sqlite3

from engine.store.answers import HELD, Answers


def test_a_write_says_that_it_waits_until_it_has_its_turn(tmp_path: Path) -> None:
    path = tmp_path / "answers.db"
    held, seen, over = Event(), Event(), Event()
    with Answers.open(path) as answers:

        def hold() -> None:
            """Hold the file until somebody is seen to wait for it."""
            with closing(sqlite3.connect(path, isolation_level=None)) as other:
                other.execute("begin immediate")
                held.set()
                while not over.is_set() and answers.waiting != HELD:
                    over.wait(0.001)
                if answers.waiting == HELD:
                    seen.set()
                other.rollback()

        assert answers.waiting == ""
        holder = Thread(target=hold)
        holder.start()
        held.wait()
        answers.solver("ada", "human")
        over.set()
        holder.join()
        assert seen.is_set() and answers.waiting == ""
