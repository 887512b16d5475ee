"""Runs that are stopped, killed or doubled: what is answered stays, the rest is asked, nothing is counted twice."""

from __future__ import annotations

import asyncio
from collections import Counter
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from engine.calls import ModelCall
from engine.models.keys import resume_key
from engine.models.outcome import Limits
from engine.models.runner import Runner
from engine.randomness import Stream
from engine.store.answers import Answers
from engine.store.clock import utc_now
from tests.engine.models.conducting import Victims, conduct, run_of
from tests.engine.models.fault_server import HANG, MODEL, FaultServer, Reply, chat, in_thread, steps
from tests.engine.world import World, answer_to

OK = chat()
KILLS, PUZZLES = 10, 80
SHA = "0" * 64


def test_second_run_asks_nothing_again(world: World) -> None:
    pack = world.pack()
    with in_thread(steps(OK)) as server:
        arguments = ("solve", pack, "--model", "openai:m", "--base-url", server.base_url)
        first, second = world.clew(*arguments), world.clew(*arguments)
        assert server.hits == 4
    assert first.out.splitlines()[0].endswith("4 answered now, 4 puzzles in all")
    assert second.out.splitlines()[0].endswith("0 answered now, 4 puzzles in all")
    assert first.out.splitlines()[1:] == second.out.splitlines()[1:]


def test_another_setting_is_another_solver(world: World) -> None:
    pack = world.pack()
    with in_thread(steps(OK)) as server:
        base = ("solve", pack, "--model", "openai:m", "--base-url", server.base_url)
        for more in ((), ("--temperature", "0"), ("--temperature", "0.0"), ("--seed", "1"), ("--output", "schema")):
            assert world.clew(*base, *more).code == 0
        assert server.hits == 16, "0 and 0.0 are one temperature"
    with Answers.open(world.folder / "data" / "answers.db", read_only=True) as answers:
        assert len({alias for alias, _ in answers.solvers().values()}) == 4


def test_limit_names_the_same_items_in_every_run(world: World) -> None:
    pack = world.pack()
    with in_thread(steps(OK)) as server:
        arguments = ("solve", pack, "--model", "openai:m", "--base-url", server.base_url)
        world.clew(*arguments, "--limit", "2"), world.clew(*arguments, "--limit", "2")
        assert server.hits == 2
        world.clew(*arguments, "--limit", "3")
        assert server.hits == 3


def test_stopping_lets_requests_under_way_finish(world: World) -> None:
    """The stop comes with the second request; it is answered and kept, and no third is sent."""

    def meddle(runner: Runner, server: FaultServer) -> None:
        def script(nth: int, body: object) -> Reply:
            if nth == 1:
                runner.stop()
            return OK

        server.script = script

    done = conduct(world.pack(), steps(OK), meddle=meddle)
    assert (done.outcome.finished, done.server.hits, len(done.texts)) == (2, 2, 2)
    assert done.outcome.stopped and done.summary.pending == 2


def test_stopping_waits_for_a_hanging_request_only_so_long(world: World) -> None:
    def meddle(runner: Runner, server: FaultServer) -> None:
        def script(nth: int, body: object) -> Reply:
            if nth == 1:
                runner.stop()
                asyncio.get_running_loop().call_soon(server.stuck.set)
            return HANG if nth else OK

        server.script = script

    done = conduct(world.pack(), steps(OK), meddle=meddle)
    assert done.outcome.finished == 1 and done.server.hits == len(done.rows) == 2
    assert done.rows[-1].status == "infra_error" and done.rows[-1].final == 0


def answer_first(pack: Path, server: FaultServer) -> None:
    """Answer the pack's one puzzle for the same solver through another connection."""
    run = run_of(pack, server.base_url)
    with closing(run.desk()) as desk:
        (puzzle,) = desk.planned()
        shown = desk.present(puzzle)
        asked = run.pose(shown)
        call = ModelCall(
            resume_key=resume_key(run.setting, asked, MODEL), puzzle_id=puzzle, try_no=1, status="answered",
            request_sha=SHA, prompt_sha=asked.prompt_sha, text_sha=shown.text_sha, params="{}", started_at=utc_now(),
            client_versions="",
        )  # fmt: skip
        answer = answer_to(shown, None, confidence=None, raw="ANSWER: first")
        desk.submit_call(answer, call)


def test_of_two_answers_at_once_the_first_counts(world: World) -> None:
    """Both runs ask the same item; the second answer is kept as a duplicate and counted nowhere."""
    pack = world.pack(complexities=(4,))

    def meddle(runner: Runner, server: FaultServer) -> None:
        def script(nth: int, body: object) -> Reply:
            answer_first(pack, server)
            return OK

        server.script = script

    done = conduct(pack, steps(OK), meddle=meddle)
    assert Counter(done.statuses) == {"answered": 1, "duplicate": 1}
    assert list(done.texts.values()) == ["ANSWER: first"] and (done.outcome.lost, done.outcome.finished) == (1, 0)
    assert done.summary.requests == {"answered": 1, "duplicate": 1} and not done.summary.pending


def test_requests_under_way_are_as_many_as_asked_for(world: World) -> None:
    """The first goes alone; then the server answers only once three are waiting, and never sees a fourth."""
    script = steps(OK, replace(OK, together=3))
    done = conduct(world.pack(complexities=(4,) * 7), script, limits=Limits(concurrency=3))
    assert done.outcome.finished == 7 and done.server.most_at_once == 3


@pytest.mark.slow
def test_killed_ten_times_at_random_moments_every_puzzle_is_answered_once(world: World) -> None:
    """Killed with signal 9 some milliseconds after a random one of its next requests, ten times, then let finish."""
    pack = world.pack(complexities=(4,) * PUZZLES)
    stream, victims = Stream("tests/kill", 1), Victims()

    def script(nth: int, body: object) -> Reply:
        if nth == victims.mark:
            asyncio.get_running_loop().call_later(stream.below(20) / 1000, victims.kill)
        return OK

    with in_thread(script) as server:
        arguments = ("solve", str(pack), "--model", "openai:m", "--base-url", server.base_url, "--concurrency", "3")
        last = victims.run(arguments, KILLS, lambda: server.hits + stream.below(5))
        assert "INCOMPLETE" not in last.stdout
        hits = server.hits
    with Answers.open(world.folder / "data" / "answers.db", read_only=True) as answers:
        ((solver, _),) = answers.solvers().items()
        attempts, calls = answers.attempts(), answers.calls(solver)
        assert answers.check() == ()
    finals = Counter(call.puzzle_id for call in calls if call.final)
    assert Counter(attempt.puzzle_id for attempt in attempts) == finals == Counter(dict.fromkeys(finals, 1))
    assert len(finals) == PUZZLES and {call.attempt for call in calls if call.final} == {row.id for row in attempts}
    assert len(calls) <= hits <= len(calls) + 3 * KILLS, "a killed request cannot be written down; no other is missing"
