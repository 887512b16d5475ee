"""Renderings that are killed: each request is noted before it leaves, and what was answered is not asked for again."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from engine.errors import StoreError
from engine.model_renderings import JOURNAL
from engine.models.journal import INTERRUPTED, Journal
from engine.models.solver import Message, Question
from engine.randomness import Stream
from engine.store.pack import Pack
from tests.engine.models.conducting import Victims
from tests.engine.models.fault_server import HANG, Reply, in_thread
from tests.engine.models.storyteller import storyteller
from tests.engine.world import World

KILLS = 8
PUZZLES = 6
TELLER = "llm/1:openai:m"


def journal_rows(pack: Path) -> list[dict[str, Any]]:
    path = pack / f"pack.db{JOURNAL}"
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_killed_again_and_again_every_call_is_logged_and_none_answered_is_repeated(world: World) -> None:
    """Killed with signal 9 while a random one of its next requests waits for its answer; then it is let finish."""
    pack = world.pack(complexities=(4,) * PUZZLES)
    stream = Stream("tests/render kill", 1)
    victims, tell = Victims(), storyteller()

    def script(nth: int, body: Any) -> Reply:
        if nth != victims.mark:
            return tell(nth, body)
        victims.kill()
        return HANG

    with in_thread(script) as server:
        arguments = ("render", str(pack), "--renderer", "openai:m", "--base-url", server.base_url, "--concurrency", "1")
        last = victims.run(arguments, KILLS, lambda: server.hits + stream.below(2))
        hits = server.hits
    assert "1 request of a run that was killed had no answer yet" in last.stderr
    rows = journal_rows(pack)
    sent = [row for row in rows if "sent" in row]
    ended = Counter(row["ended"] for row in rows if "ended" in row)
    assert hits == len(sent) == ended["answered"] + ended[INTERRUPTED] and ended[INTERRUPTED] == KILLS
    answered = Counter(row["key"] for row in rows if row.get("ended") == "answered")
    assert set(answered.values()) == {1} and set(answered) == {row["key"] for row in sent}
    assert f"{PUZZLES} puzzles told by" in last.stdout
    with Pack.open(pack / "pack.db") as opened:
        told = [one for entry in opened.puzzles() for one in opened.renderings(entry.id) if one.renderer == TELLER]
    assert len({one.puzzle_id for one in told}) == len(told) == PUZZLES


def test_a_line_torn_by_a_kill_is_passed_over_and_its_request_asked_again(world: World) -> None:
    path = world.folder / "calls.jsonl"
    question = Question(messages=(Message(role="user", text="tell"),))
    asked: list[str] = []

    async def ask(question: Question, log: Any) -> str:
        asked.append(f"text {len(asked) + 1}")
        log.sent(str(len(asked)), "2026-01-01T00:00:00.000Z")
        log.ended(str(len(asked)), "answered", asked[-1])
        return asked[-1]

    def texts(scope: str = "s") -> list[str]:
        with Journal(path) as journal:
            again = journal.asker(scope, ask)
            return [_run(again(question)) for _ in range(2)]

    assert texts() == ["text 1", "text 2"], "the same question twice is two samples"
    assert texts() == ["text 1", "text 2"] and len(asked) == 2
    path.write_bytes(path.read_bytes()[:-9])
    assert texts() == ["text 1", "text 3"], "the torn end is not taken for an answer"
    assert texts() == ["text 1", "text 3"] and texts("other") == ["text 4", "text 5"]
    assert path.stat().st_mode & 0o777 == 0o600


def _run(coroutine: Any) -> str:
    with pytest.raises(StopIteration) as stopped:
        coroutine.send(None)
    return str(stopped.value.value)


def test_a_journal_that_cannot_be_written_is_said(world: World) -> None:
    with pytest.raises(StoreError, match="cannot be written"):
        Journal(world.folder / "missing" / "calls.jsonl")


def test_two_runs_at_once_do_not_take_each_other_for_killed(world: World) -> None:
    path = world.folder / "calls.jsonl"
    with Journal(path), pytest.raises(StoreError, match="another run"):
        Journal(path)
    Journal(path).close()
