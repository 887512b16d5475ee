"""Every fault of an endpoint: the rows it leaves, what is said, how long is waited. Hits at the server equal rows."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from engine.models.outcome import Limits
from tests.engine.models.conducting import KEY, conduct
from tests.engine.models.fault_server import DROP, HANG, MODEL, Reply, Script, chat, failure, steps
from tests.engine.world import World

OK = chat("ANSWER: PRESENT")
HTML = Reply("<html><body>nginx</body></html>", 200, {"content-type": "text/html"})
QUOTA = failure(429, "You exceeded your current quota", "insufficient_quota")


@dataclass(frozen=True)
class Fault:
    """One fault and what it has to come to on a pack of one puzzle."""

    script: Script
    rows: list[tuple[str, str | None]]
    """Status and error type of each request."""
    said: str = ""
    """In the fatal line, the parked item's reason, or a line for people."""
    waits: float | None = None
    """Seconds that were waited in all; None: some."""
    final: str = ""
    """Status of the item."""


def repeated(row: tuple[str, str | None], times: int) -> list[tuple[str, str | None]]:
    return [row] * times


ANSWERED = ("answered", None)
TABLE = {
    "no fault": Fault(steps(OK), [ANSWERED], waits=0),
    "429, Retry-After 2": Fault(
        steps(failure(429, "slow down", retry_after="2"), OK), [("infra_error", "rate_limited"), ANSWERED], waits=2
    ),
    "429, Retry-After 120 fits": Fault(
        steps(failure(429, "slow down", retry_after="120"), OK), [("infra_error", "rate_limited"), ANSWERED], waits=120
    ),
    "429, Retry-After 3600 does not fit": Fault(
        steps(failure(429, "slow down", retry_after="3600"), OK), [("infra_error", "rate_limited"), ANSWERED],
        said="rate limited, resumes at +3600 s", waits=3600,
    ),
    "429, Retry-After 50 always": Fault(
        steps(failure(429, "slow down", retry_after="50")), repeated(("infra_error", "rate_limited"), 12),
        said="status 429: 'slow down'", waits=600,
    ),
    "429, no Retry-After": Fault(steps(failure(429), OK), [("infra_error", "rate_limited"), ANSWERED]),
    "429, quota": Fault(steps(QUOTA), [("fatal", "quota")], said="You exceeded your current quota", waits=0),
    "500 once": Fault(steps(failure(500, "oops"), OK), [("infra_error", "server"), ANSWERED]),
    "503 with Retry-After": Fault(
        steps(failure(503, "busy", retry_after="7"), OK), [("infra_error", "server"), ANSWERED], waits=7
    ),
    "500 always": Fault(
        steps(failure(500, "no json_schema here")),
        [*repeated(("infra_error", "server"), 4), ("fatal", "server")],
        said="the same failure 5 times from the start: status 500: 'no json_schema here'",
    ),
    "hang": Fault(steps(HANG, OK), [("infra_error", "timeout"), ANSWERED]),
    "hang always": Fault(steps(HANG), repeated(("infra_error", "timeout"), 9), said="no answer within"),
    "connection dropped": Fault(steps(DROP, OK), [("infra_error", "connection"), ANSWERED], said=""),
    "half a body": Fault(
        steps(Reply(OK.body, cut=50), OK), [("infra_error", "connection"), ANSWERED]
    ),
    "HTML from the start": Fault(
        steps(HTML), [("fatal", "not_an_api")], said="the endpoint is not an OpenAI API: check the base URL", waits=0
    ),
    "error object under 200": Fault(
        steps(Reply('{"error": {"message": "overloaded"}}'), OK), [("infra_error", "error_object"), ANSWERED]
    ),
    "no choices once": Fault(steps(chat(choices=[]), OK), [("infra_error", "no_choices"), ANSWERED]),
    "no choices twice": Fault(
        steps(chat(choices=[])), [("infra_error", "no_choices"), ("empty", "no_choices")], final="empty"
    ),
    "length": Fault(steps(chat("ANSWER: PRESENT", finish_reason="length")), [("truncated", None)], final="truncated"),
    "content filter": Fault(steps(chat("", finish_reason="content_filter")), [("filtered", None)], final="filtered"),
    "prompt filter": Fault(
        steps(failure(400, "policy", "content_filter")), [("filtered", "filtered")], final="filtered"
    ),
    "refusal": Fault(steps(chat(None, refusal="I will not.")), [("refused", None)], final="refused"),
    "empty content": Fault(steps(chat(None)), [("empty", None)], final="empty"),
    "missing usage": Fault(steps(chat("ANSWER: PRESENT", usage=...)), [ANSWERED]),
    "reasoning field": Fault(steps(chat("ANSWER: PRESENT", reasoning_content="ANSWER: ABSENT")), [ANSWERED]),
    "closed thoughts": Fault(steps(chat("<think>ANSWER: ABSENT</think>ANSWER: PRESENT")), [ANSWERED]),
    "open thoughts": Fault(steps(chat("<think>ANSWER: PRESENT")), [("truncated", None)], final="truncated"),
    "no such key": Fault(steps(failure(401, f"bad key {KEY}")), [("fatal", "auth")], said="bad key [key]", waits=0),
    "no such model": Fault(steps(failure(404, "no model m")), [("fatal", "not_found")], said="no model m", waits=0),
    "context": Fault(
        steps(failure(400, "too long", "exceed_context_size_error")), [("too_long", "too_long")], final="too_long"
    ),
    "bad request": Fault(
        steps(failure(400, "unknown field")), [("fatal", "bad_request")], said="unknown field", waits=0
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", TABLE)
def test_each_fault_leaves_its_rows_and_says_what_it_is(world: World, name: str) -> None:
    fault = TABLE[name]
    done = conduct(world.pack(complexities=(4,)), fault.script)
    assert [(row.status, row.error_type) for row in done.rows] == fault.rows
    assert done.server.hits == len(done.rows) == done.outcome.requests
    assert [row.try_no for row in done.rows] == list(range(1, len(done.rows) + 1))
    told = [done.outcome.fatal, *done.outcome.parked.values(), *done.notes.lines]
    assert any(fault.said in line for line in told)
    if fault.waits is not None:
        assert sum(done.time.slept) == fault.waits
    closed = fault.rows[-1][0] in ("answered", "truncated", "refused", "filtered", "empty", "too_long")
    assert done.summary.systems == {fault.final or ("unparsable" if closed else "pending"): 1}
    assert len(done.texts) == closed == (done.outcome.finished == 1)


def test_unknown_tokens_are_null_and_known_ones_are_kept(world: World) -> None:
    done = conduct(world.pack(complexities=(4, 4)), steps(chat(), chat(usage=...)))
    assert sorted(
        (row.prompt_tokens, row.cached_tokens, row.completion_tokens) for row in done.rows if row.prompt_tokens
    ) == [(100, 40, 7)]
    assert [row.reasoning_tokens for row in done.rows] == [None, None]
    (line,) = [line for line in done.summary.lines() if "tokens" in line]
    assert "prompt 100 (1 unknown), cached 40 (1 unknown), completion 7 (1 unknown), reasoning 0 (2 unknown)" in line


def test_thoughts_are_kept_apart_and_the_text_as_it_came(world: World) -> None:
    script = steps(chat("<think>why</think>ANSWER: PRESENT", reasoning_content="because"))
    done = conduct(world.pack(complexities=(4,)), script)
    assert [row.reasoning for row in done.rows] == ["because\nwhy"]
    assert list(done.texts.values()) == ["<think>why</think>ANSWER: PRESENT"]


def test_key_stands_in_no_row_line_or_message(world: World) -> None:
    for reply in (failure(401, f"bad {KEY}"), failure(500, f"key {KEY}"), chat(f"your key is {KEY}")):
        done = conduct(world.pack(f"p{reply.status}{len(reply.body)}", complexities=(4,)), steps(reply))
        kept = f"{done.rows} {done.texts} {done.outcome} {done.notes}"
        assert KEY not in kept and "[key]" in kept
        assert all(f"Bearer {KEY}" in head for head in done.server.heads), "the key does reach the endpoint"


def test_item_past_its_deadline_goes_back_and_is_parked_the_third_time(world: World) -> None:
    """One item hangs for good, the others finish."""
    seen: dict[str, int] = {}

    def script(nth: int, body: object) -> Reply:
        text = body["messages"][-1]["content"]  # type: ignore[index]
        seen.setdefault(text, len(seen))
        return HANG if seen[text] == 1 else OK

    done = conduct(world.pack(complexities=(4, 4, 4)), script)
    assert done.outcome.finished == 2 and len(done.outcome.parked) == 1
    (parked,) = done.outcome.parked
    assert {row.status for row in done.rows if row.puzzle_id == parked} == {"infra_error"}
    assert len([row for row in done.rows if row.puzzle_id == parked]) == 9, "three tries of 60 s in each of three turns"
    assert done.summary.lines()[0].endswith("INCOMPLETE: 1 pending, 1 of them with failed requests")


def test_a_bad_request_for_one_item_parks_that_item_alone(world: World) -> None:
    done = conduct(world.pack(complexities=(4, 4, 4)), steps(OK, failure(400, "odd one"), OK))
    assert done.outcome.finished == 2 and list(done.outcome.parked.values()) == ["status 400: 'odd one'"]
    assert done.errors == [None, "bad_request", None]


def test_an_outage_loses_no_item(world: World) -> None:
    """Down for 20 requests in the middle; without the breaker the items' own tries would be used up."""
    script = steps(*[OK] * 3, *[failure(503, "down")] * 20, OK)
    done = conduct(world.pack(complexities=(4,) * 8), script, limits=Limits(concurrency=4, item_deadline_s=30))
    assert done.outcome.finished == 8 and done.outcome.parked == {}
    assert done.server.hits == len(done.rows) == 28
    assert any("next probe in 60 s" in line for line in done.notes.lines)


def test_another_served_model_stops_the_run_and_counts_for_nothing(world: World) -> None:
    done = conduct(world.pack(complexities=(4, 4, 4)), steps(OK, chat(model="scripted-2")))
    assert done.statuses == ["answered", "fatal"] and len(done.texts) == 1
    assert "serves 'scripted-2' now, not 'scripted-1'" in done.outcome.fatal
    assert "--served-model 'scripted-2'" in done.outcome.fatal
    assert [row.served_model for row in done.rows] == [MODEL, "scripted-2"]


def test_html_in_the_middle_is_a_passing_fault(world: World) -> None:
    done = conduct(world.pack(complexities=(4, 4)), steps(OK, HTML, OK))
    assert done.errors == [None, "not_an_api", None] and done.outcome.finished == 2


def test_a_run_that_cannot_work_costs_one_request(world: World) -> None:
    """The first request goes alone, however many may be under way later."""
    done = conduct(world.pack(), steps(failure(401, "no")), limits=Limits(concurrency=4))
    assert done.server.hits == 1 and done.statuses == ["fatal"]
