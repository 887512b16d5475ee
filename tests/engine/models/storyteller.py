"""A scripted model that renders: it answers the calls of the renderer rightly, or with one planned mistake."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from tests.engine.models.fault_server import Reply, Script, chat

NAMES = (
    "bellows", "sieve", "ladle", "apron", "stencil", "quench", "trowel", "paddle", "sponge", "tongs", "damper", "clay",
    "logs", "wind", "copper", "slate", "pewter", "brass", "bronze", "nickel", "cedar", "willow", "hazel", "birch",
)  # fmt: skip
Change = Callable[[Any, int], Any]
"""Spoils a reply before it is sent: the parsed reply and the number of its kind, from 0."""


def keep(reply: Any, nth: int) -> Any:
    return reply


def legend_reply(codes: Mapping[str, Any]) -> dict[str, Any]:
    """Return names for codes, different ones for all of them."""
    words = iter(NAMES)
    return {
        "title": "The Old Mill",
        "record": "the bell",
        "present": "rang",
        "absent": "silent",
        "events": {code: next(words) for code in codes["events"]},
        "attributes": {
            code: {"name": next(words)} | ({"values": {v: next(words) for v in values}} if values != "a number" else {})
            for code, values in codes["attributes"].items()
        },
        "words": ["millers", "meadow"],
    }


def blocks_reply(asked: Mapping[str, Any]) -> list[str]:
    """Return the blocks that are asked for."""
    return [_block(block, asked) for block in asked["blocks"]]


def _block(block: Mapping[str, Any], asked: Mapping[str, Any]) -> str:
    record, present, absent = asked["record"], asked["present"], asked["absent"]
    if block["block"] == "introduction":
        told = "; ".join(f"{name} at {_listed(values, 'or')}" for name, values in block["attributes"].items())
        return (
            f"The millers kept {block['entries']} entries, each of {block['runs']} runs. A run starts with {record}"
            f" {absent}, and then it is noted whether {record} {present}. They had {_listed(block['events'], 'and')}."
            f" What was set: {told}."
        )
    setting = " and ".join(f"{name} {value}" for name, value in block["attributes"].items())
    events = _listed(block["events"], "then")
    if block["block"] == "question":
        asks = f"Which would be noted more often, {present} or {absent}?"
        return f"Not tried yet: with {setting}, a run of {events}. {asks}"
    counts = block["counts"]
    return (
        f"With {setting}, {block['runs']} runs of {events}: {record} {present} in {counts[present]} and stayed {absent}"
        f" in {counts[absent]}."
    )


def _listed(items: list[Any], joiner: str) -> str:
    names = [str(item) for item in items]
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} {joiner} {names[-1]}"


def storyteller(legend: Change = keep, blocks: Change = keep) -> Script:
    """Return a script for the server that renders whatever it is asked."""
    counts = {"legend": 0, "blocks": 0}

    def script(nth: int, body: Mapping[str, Any]) -> Reply:
        asked = json.loads(body["messages"][1]["content"])
        kind, reply = ("blocks", blocks_reply(asked)) if "blocks" in asked else ("legend", legend_reply(asked))
        changed = (blocks if kind == "blocks" else legend)(reply, counts[kind])
        counts[kind] += 1
        return (
            changed
            if isinstance(changed, Reply)
            else chat(changed if isinstance(changed, str) else json.dumps(changed))
        )

    return script
