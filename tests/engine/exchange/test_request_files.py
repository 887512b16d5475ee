"""Files of requests and replies: named by what decides the answer, so that no reply reaches another item."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from engine.store.answers import Answers
from tests.engine.world import World

Lines = list[dict[str, Any]]


@pytest.fixture
def pack(world: World) -> Path:
    return world.pack("p", complexities=(4, 4, 4, 4, 4))


def export(world: World, pack: Path, *more: str) -> Lines:
    out = world.folder / "requests.jsonl"
    told = world.clew("export", "requests", pack, "--model", "m1", "--max-tokens", "50", "--out", out, *more)
    assert told.code == 0, told.err
    return [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]


def reply(line: dict[str, Any], text: str = "ANSWER: x", **choice: object) -> dict[str, Any]:
    message = {"role": "assistant", "content": text}
    body = {
        "model": "m1-2026", "choices": [{"index": 0, "message": message, "finish_reason": "stop", **choice}],
        "usage": {"prompt_tokens": 5, "completion_tokens": 2},
    }  # fmt: skip
    return {"custom_id": line["custom_id"], "response": {"status_code": 200, "body": body}, "error": None}


def bring(world: World, pack: Path, rows: Lines) -> tuple[int, str, str]:
    path = world.folder / "replies.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    told = world.clew("import", "requests-results", path, "--requests", world.folder / "requests.jsonl", "--pack", pack)
    return told.code, told.out, told.err


def test_requests_hold_what_clew_solve_sends_and_nothing_else(world: World, pack: Path) -> None:
    lines = export(world, pack)
    told = {row["text"] for row in map(json.loads, world.clew("export", "payloads", pack).lines)}
    assert len(lines) == 5 == len({line["custom_id"] for line in lines})
    for line in lines:
        assert line.keys() == {"custom_id", "method", "url", "body"} and len(line["custom_id"]) == 64
        assert line["body"].keys() == {"model", "messages", "max_tokens"} and line["body"]["max_tokens"] == 50
        assert line["body"]["messages"][-1]["content"] in told
    manifest = json.loads((world.folder / "requests.jsonl.manifest.json").read_text(encoding="utf-8"))
    assert manifest["requests"].keys() == {line["custom_id"] for line in lines}
    assert {len(line["body"]["messages"]) for line in lines} == {2}


def test_replies_come_back_in_any_order_with_their_own_ends(world: World, pack: Path) -> None:
    lines = export(world, pack)
    rows = [
        reply(lines[4]),
        reply(lines[0], finish_reason="length"),
        {"custom_id": lines[1]["custom_id"], "response": None, "error": {"message": "expired"}},
        reply(lines[2], ""),
        reply(lines[4], "another"),
        {"custom_id": "0" * 64, "response": None, "error": None},
    ]
    code, out, err = bring(world, pack, rows)
    assert code == 1
    assert out.startswith(
        "3 items answered, 0 answered before, 1 without a whole answer, 0 refused, 1 unknown, 1 doubled, 1 missing"
    )
    assert "unknown: " + "0" * 64 in err and f"doubled: {lines[4]['custom_id']}" in err
    assert f"missing: {lines[3]['custom_id']}" in err
    with Answers.open(world.folder / "data" / "answers.db", read_only=True) as answers:
        (solver,) = answers.solvers()
        calls = answers.calls(solver)
        assert sorted(call.status for call in calls) == ["answered", "empty", "infra_error", "truncated"]
        assert {call.prompt_tokens for call in calls if call.status == "answered"} == {5}
    assert bring(world, pack, rows[:1])[1].startswith("0 items answered, 1 answered before")
    left = export(world, pack)
    assert {line["custom_id"] for line in left} == {lines[1]["custom_id"], lines[3]["custom_id"]}


def test_separators_inside_a_reply_end_no_line(world: World, pack: Path) -> None:
    line = export(world, pack)[0]
    path = world.folder / "replies.jsonl"
    path.write_text(json.dumps(reply(line, "Yes\u2028and\x85no"), ensure_ascii=False), encoding="utf-8")
    requests = world.folder / "requests.jsonl"
    told = world.clew("import", "requests-results", path, "--requests", requests, "--pack", pack)
    assert told.code == 0 and told.out.startswith("1 item answered") and ", 0 unknown," in told.out


def test_replies_to_another_pack_reach_nothing(world: World, pack: Path) -> None:
    lines = export(world, pack)
    other = world.pack("other", seed=6, complexities=(4,))
    code, out, err = bring(world, other, [reply(line) for line in lines])
    assert code == 2 and out == "" and "are of another pack" in err and len(err.splitlines()) == 1


def test_a_missing_manifest_is_one_line_and_exit_2(world: World, pack: Path) -> None:
    told = world.clew(
        "import", "requests-results", world.folder / "x", "--requests", world.folder / "y", "--pack", pack
    )
    assert told.code == 2 and "the manifest of the requests is needed" in told.err and len(told.err.splitlines()) == 1
