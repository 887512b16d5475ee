"""Requests, files and messages of runs with models hold nothing of the hidden half, in any of its usual forms."""

from __future__ import annotations

import base64
import json
from pathlib import Path

import pytest

from audits.honeytokens import write_tokened
from audits.tokens import Needles, Secret, every_file
from tests.engine.models.conducting import KEY
from tests.engine.models.fault_server import Reply, chat, failure, in_thread
from tests.engine.models.storyteller import storyteller
from tests.engine.world import World


def test_no_request_file_or_line_holds_a_secret(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """One rendering run and one solving run with faults, over both families, then scoring and comparing."""
    monkeypatch.setenv("MY_KEY", KEY)
    pack = world.folder / "honey"
    pack.mkdir()
    secrets = write_tokened(pack, tasks=2)
    needles = Needles([*secrets, Secret("key", KEY)])
    hidden = (pack / "sealed.db").read_bytes()
    assert {"rule", "flag", "probability", "seed", "trace", "program", "salt", "canary"} <= {
        one.label for one in secrets
    }
    assert needles.found(hidden), "the search finds what is there"
    told = storyteller()

    def script(nth: int, body: dict[str, object]) -> Reply:
        if nth % 5 == 3:
            return failure(500, "oops")
        messages = body["messages"]
        assert isinstance(messages, list)
        system = str(messages[0]["content"])
        return told(nth, body) if "JSON" in system and "world" in system else chat("ANSWER: present")

    with in_thread(script) as server:  # type: ignore[arg-type]
        endpoint = ("--base-url", server.base_url, "--api-key-var", "MY_KEY")
        lines = [
            world.clew("render", pack, "--renderer", "openai:m", *endpoint),
            world.clew("solve", pack, "--model", "openai:m", *endpoint, "--renderer", "openai:m"),
            world.clew("solve", pack, "--model", "openai:m", *endpoint, "--output", "schema", "--json"),
        ]
        assert [done.code for done in lines] == [0, 0, 0], lines
        sent = json.dumps(server.requests).encode()
        assert server.hits > 20 and needles.found(sent) == []
    assert needles.found(repr(lines).encode()) == []
    written = [path for path in every_file(world.folder) if path.name != "sealed.db"]
    assert {"pack.db", "answers.db"} <= {path.name for path in written}
    for path in written:
        assert needles.found(path.read_bytes()) == [], path
    answers = (world.folder / "data" / "answers.db").read_bytes()
    assert b"scripted-1" in answers, "the run did write"


def test_a_planted_secret_is_found_in_every_form(tmp_path: Path) -> None:
    """The test above would see it: one token written raw, escaped, in base64, hex or UTF-16."""
    token = "0123456789abcdef" * 2
    needles = Needles([Secret("rule", token)])
    for data in (
        token.encode(), json.dumps({"x": token}).encode(), base64.b64encode(b"ab" + token.encode() + b"cd"),
        token.encode().hex().encode(), token.encode("utf-16-le"), token.encode("utf-16-be"),
    ):  # fmt: skip
        assert needles.found(b"some bytes before " + data + b" and after"), data
