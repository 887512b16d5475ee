"""Fifty people answer at once into one file: nothing is lost, nothing is there twice, and how long does a save take?

First one process saves alone, then fifty at once, each as fast as it can, then fifty at people's pace, an answer every
ten seconds. The store's rules measured 99th percentiles with fifty processes flat out: 5.0 s at 232 saves a second
(write-ahead log) and 7.8 s at 164 (rollback journal). The claims are these seconds, and the same in turns, which do not
depend on how fast the disk is: a turn is the time in which fifty saves are done at the run's own rate, so that a fair
queue would let everybody wait one. At people's pace the claim is in lone saves of the same run.

Waiting is unfair flat out: whoever has just saved holds the file again before those who sleep between their tries wake
up, so most saves take no longer than a lone one and a few take many turns. People never meet this: they pause.
Run: python benchmarks/saving.py [PROCESSES]
"""

from __future__ import annotations

import multiprocessing
import sys
import time
from collections import Counter
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import NamedTuple

from measure import ROOT  # noqa: F401  # puts the checkout on the path

from engine.store.answer_rows import AttemptRow, EventRow, SessionRow
from engine.store.answers import Answers
from engine.store.clock import utc_now, uuid7
from engine.store.inspection import file_facts

PROCESSES = 50
ANSWERS = 60
"""Answers of each process, each with ten events: over twice the turns that are claimed, or the claim could not fail."""
PAUSE_S = 10.0
PACED = 2
FLAT_OUT_S = {"wal": 5.0, "delete": 7.8}
"""Most seconds that the 99th percentile may take, by journal."""
FLAT_OUT_TURNS = {"wal": 5.0 * 232 / 50, "delete": 7.8 * 164 / 50}
"""The same in turns of the run that it was measured in: 23 and 26."""
AT_PACE = 60.0
"""The same at people's pace: a third of a second on a disk that syncs in six milliseconds."""


class Save(NamedTuple):
    """One save."""

    seconds: float
    ended: float
    """By the clock that all processes share."""


def save_all(path: str, who: int, count: int, pause_s: float, start: float) -> list[Save]:
    """Save answers of one solver and return how long each took."""
    times = []
    with closing(Answers.open(Path(path))) as answers:
        solver = answers.solver(f"person-{who}", "human")
        session = SessionRow(
            id=uuid7(), solver=solver, started_at=utc_now(), app_version="0", pack_sha="p", mode="collect", aid="A0",
            feedback="never", label_order="PRESENT,ABSENT",
        )  # fmt: skip
        time.sleep(max(0.0, start - time.time()) + pause_s * who / PROCESSES)  # all begin at once, or spread as people
        for nth in range(count):
            attempt = AttemptRow(
                id=uuid7(), session=session.id, solver=solver, puzzle_id=f"{pause_s:g}-{nth}", puzzle_sha="s",
                text_sha="0" * 64, answer="PRESENT", confidence=80, shown_at=utc_now(), answered_at=utc_now(),
                response_ms=1,
            )  # fmt: skip
            event = EventRow(session=session.id, t_ms=nth, kind="view")
            began = time.perf_counter()
            answers.save(attempt, events=[replace(event, data=str(one)) for one in range(10)], session=session)
            times.append(Save(time.perf_counter() - began, time.time()))
            time.sleep(pause_s)  # the person who thinks between two answers
    return times


def crowd(path: Path, processes: int, count: int, pause_s: float) -> tuple[list[float], float]:
    """Let so many processes save at once; return the seconds of all saves, and those from the start to the last."""
    context = multiprocessing.get_context("fork")
    start = time.time() + 1.0 + processes / 50
    with context.Pool(processes) as pool:
        jobs = [pool.apply_async(save_all, (str(path), who, count, pause_s, start)) for who in range(processes)]
        saves = [save for job in jobs for save in job.get(timeout=600)]
    return [save.seconds for save in saves], max(save.ended for save in saves) - start


def lost_or_doubled(path: Path, expected: int) -> str:
    """Return what is wrong with the file; empty when every answer is there once, whole, with its ten events."""
    with closing(Answers.open(path, read_only=True)) as answers:
        rows = answers.attempts()
        places = Counter((row.solver, row.puzzle_id) for row in rows)
        events = sum(len(answers.events(session)) for session in {row.session for row in rows})
        if len(rows) != expected or max(places.values()) > 1 or answers.check() or events != 10 * expected:
            return f"{len(rows)} of {expected} answers, {events} events, {len(answers.check())} damaged"
    return ""


def p99(times: list[float]) -> float:
    return sorted(times)[min(len(times) - 1, round(0.99 * len(times)))]


def main() -> int:
    processes = int(sys.argv[1]) if len(sys.argv) > 1 else PROCESSES
    with TemporaryDirectory() as folder:
        path = Path(folder) / "answers.db"
        Answers.open(path).close()
        facts = file_facts(path)
        lone = median(save.seconds for save in save_all(str(path), processes, 40, 0.0, 0.0))
        crowded, took = crowd(path, processes, ANSWERS, 0.0)
        paced, _ = crowd(path, processes, PACED, PAUSE_S)
        wrong = lost_or_doubled(path, 40 + processes * (ANSWERS + PACED))
    print(f"SQLite {facts.sqlite_version}, journal {facts.journal} + {facts.synchronous}; {processes} processes")
    print(f"  a lone save {lone * 1000:.1f} ms")
    for name, times in (("at once", crowded), ("at people's pace", paced)):
        print(f"  {name}: median {median(times) * 1000:.1f} ms, p99 {p99(times) * 1000:.0f} ms")
    print(f"{'MISSED' if wrong else 'holds '}  nothing lost, nothing twice{': ' + wrong if wrong else ''}")
    held = not wrong
    turn = processes * took / len(crowded)
    print(f"  a turn of {processes} saves {turn * 1000:.0f} ms, {len(crowded) / took:.0f} saves a second")
    for claim, found, most in (
        (f"p99 of {processes} at once, in seconds", p99(crowded), FLAT_OUT_S[facts.journal]),
        (f"p99 of {processes} at once, in turns", p99(crowded) / turn, FLAT_OUT_TURNS[facts.journal]),
        ("p99 at people's pace, in lone saves", p99(paced) / lone, AT_PACE),
    ):
        held &= found <= most
        print(f"{'holds ' if found <= most else 'MISSED'}  {claim}: {found:.1f}, at most {most:.1f} claimed")
    return 0 if held else 1


if __name__ == "__main__":
    sys.exit(main())
