"""Bodies of any kind become a completion or a fault and nothing else; sums say what is unknown; clients load late."""

from __future__ import annotations

import json
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.calls import CALL_STATUSES, FINAL, UNREAD, ModelCall
from engine.models.replies import read_reply, read_usage
from engine.models.solver import Completion, Fault
from engine.models.summary import READ_ORDER, summarise
from tests.engine.models.fault_server import chat

NOW = datetime(2031, 5, 6, tzinfo=UTC)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)
FIELDS = st.fixed_dictionaries(
    {}, optional=dict.fromkeys(("choices", "error", "usage", "model", "id", "message", "finish_reason"), JSON)
)


def read(status: int, body: str) -> Completion | str:
    try:
        return read_reply(status, {}, body, now=NOW)
    except Fault as fault:
        return fault.kind


@given(st.sampled_from([200, 400, 401, 403, 404, 408, 409, 413, 429, 500, 503, 529]), st.text(max_size=200))
def test_any_text_is_a_fault_of_some_kind(status: int, body: str) -> None:
    assert isinstance(read(status, body), str)


@given(FIELDS)
def test_any_object_is_a_completion_or_a_fault(body: dict[str, object]) -> None:
    found = read(200, json.dumps(body))
    if isinstance(found, Completion):
        assert isinstance(body["choices"], list) and isinstance(found.text, str)


@given(JSON)
def test_tokens_are_whole_numbers_or_unknown(usage: object) -> None:
    found = read_usage(usage)
    counts = () if found is None else (found.prompt, found.completion, found.cached, found.reasoning)
    assert all(count is None or (type(count) is int and count >= 0) for count in counts)


@given(st.integers(0, 400))
def test_half_a_body_is_never_an_answer(cut: int) -> None:
    body = chat("ANSWER: PRESENT").body
    assert isinstance(read(200, body[:cut] if cut < len(body) else body[:-1]), str)


@pytest.mark.parametrize("kind", [True, 3, "x", [], {"content": 5}, None])
def test_odd_messages_are_empty_ones(kind: object) -> None:
    found = read(200, json.dumps({"choices": [{"message": kind}]}))
    assert isinstance(found, Completion) and found.text == ""


def call(puzzle: str, status: str, turn: int = 1, **changes: object) -> ModelCall:
    fields: dict[str, object] = {
        "resume_key": "k", "puzzle_id": puzzle, "try_no": 1, "status": status, "request_sha": "", "prompt_sha": "",
        "text_sha": "", "params": "{}", "started_at": "", "client_versions": "", "turn": turn, **changes,
    }  # fmt: skip
    return ModelCall(**fields)  # type: ignore[arg-type]


@given(
    st.lists(st.sampled_from(READ_ORDER), max_size=20),
    st.lists(st.booleans(), max_size=10),
    st.lists(
        st.tuples(st.integers(0, 30), st.sampled_from(CALL_STATUSES), st.none() | st.integers(0, 99)), max_size=40
    ),
)
def test_every_item_has_one_status_and_every_request_is_counted(
    systems: list[str], tasks: list[bool], requests: list[tuple[int, str, int | None]]
) -> None:
    done = {f"t{nth}": finished for nth, finished in enumerate(tasks)}
    calls = [call(f"t{puzzle}", status, prompt_tokens=tokens) for puzzle, status, tokens in requests]
    found = summarise("s", 0, systems=systems, tasks=done, calls=calls)
    assert sum(found.systems.values()) + sum(found.tasks.values()) == found.items == len(systems) + len(tasks)
    assert sum(found.requests.values()) == len(calls)
    assert found.pending == systems.count("pending") + tasks.count(False)
    finals = [one for one in calls if one.status in FINAL]
    assert found.tokens["prompt"].known == sum(one.prompt_tokens or 0 for one in finals)
    assert found.tokens["prompt"].unknown == sum(one.prompt_tokens is None for one in finals)
    assert ("INCOMPLETE" in found.lines()[0]) == bool(found.pending)
    json.dumps(found.document())


def test_statuses_are_told_apart_once() -> None:
    assert set(FINAL) == {"answered", *UNREAD} and set(FINAL) < set(CALL_STATUSES)
    assert {status for status in CALL_STATUSES if call("p", status).closes_item} == set(FINAL)


@pytest.mark.parametrize(
    "statement",
    [
        "import engine.commands.solve, engine.commands.render, engine.commands.models, engine.models.catalogue",
        "from engine.cli import run; run(['solve', '--help'])",
    ],
)
def test_network_clients_are_loaded_with_the_first_request_only(statement: str) -> None:
    code = f"import sys\n{statement}\nprint('\\n' + '\\n'.join(sys.modules))"
    root = Path(__file__).parents[3]
    done = subprocess.run([sys.executable, "-c", code], cwd=root, capture_output=True, text=True, check=True)
    assert set(done.stdout.splitlines()).isdisjoint({"openai", "httpx", "httpx2", "llm", "pydantic"})
