"""Questions that are no items: the same patience with an endpoint, and an empty text where there is none to be had."""

from __future__ import annotations

import asyncio

import pytest

from engine.models.asking import FatalError, OverdueError
from engine.models.openai_endpoint import OpenAIEndpoint
from engine.models.outcome import Limits
from engine.models.patience import Patient
from engine.models.solver import Message, Parameters, Question
from tests.engine.models.fault_server import HANG, Reply, Script, VirtualTime, chat, failure, serving, steps

QUESTION = Question(messages=(Message(role="user", text="tell"),))
OK = chat("told")


def asked(script: Script, times: int = 1) -> tuple[list[str], Patient, VirtualTime, int, list[str]]:
    """Put the question some times; return texts, who asked, the clock, hits and lines."""

    async def go() -> tuple[list[str], Patient, VirtualTime, int, list[str]]:
        async with serving(script) as server:
            lines: list[str] = []
            time, solver = VirtualTime(server), OpenAIEndpoint("m", server.base_url, "")
            patient = Patient(solver, Parameters(), time=time, limits=Limits(concurrency=1), said=lines.append)
            try:
                texts = [await patient.ask(QUESTION) for _ in range(times)]
            finally:
                await solver.close()
            return texts, patient, time, server.hits, lines

    return asyncio.run(go())


@pytest.mark.parametrize(
    ("replies", "text", "requests"),
    [
        ((OK,), "told", {"answered": 1}),
        ((failure(500), failure(503, retry_after="7"), OK), "told", {"server": 2, "answered": 1}),
        ((HANG, OK), "told", {"timeout": 1, "answered": 1}),
        ((failure(429, retry_after="3600"), OK), "told", {"rate_limited": 1, "answered": 1}),
        ((failure(400, "x", "exceed_context_size_error"),), "", {"too_long": 1}),
        ((failure(400, "x", "content_filter"),), "", {"filtered": 1}),
        ((chat(choices=[]),), "", {"no_choices": 1}),
    ],
)  # fmt: skip
def test_a_text_or_none_to_be_had(replies: tuple[Reply, ...], text: str, requests: dict[str, int]) -> None:
    texts, patient, _, hits, lines = asked(steps(*replies))
    assert texts == [text] and patient.requests == requests and hits == sum(requests.values())
    assert any("resumes at +3600 s" in line for line in lines) == ("rate_limited" in requests)


@pytest.mark.parametrize(
    "reply",
    [
        failure(401), failure(404), failure(400), failure(500), Reply("<html>"),
        failure(429, "q", "insufficient_quota"),
    ],
)  # fmt: skip
def test_an_endpoint_that_never_worked_ends_the_run(reply: Reply) -> None:
    with pytest.raises(FatalError):
        asked(steps(reply))


@pytest.mark.parametrize("reply", [HANG, failure(429, retry_after="50")])
def test_an_endpoint_that_only_delays_ends_the_question(reply: Reply) -> None:
    with pytest.raises(OverdueError):
        asked(steps(reply))


def test_one_bad_request_among_good_ones_is_no_text() -> None:
    texts, _, _, _, _ = asked(steps(OK, failure(400, "odd"), OK), 3)
    assert texts == ["told", "", "told"]
