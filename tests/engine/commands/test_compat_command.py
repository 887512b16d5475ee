"""`clew compat`: an answer a set; an unresolved one makes the exit code 1, a bad line ends it with its number."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from engine.cli import run
from engine.commands.compat import compat
from engine.errors import GenerationError, UsageError
from engine.instruction_adherence.constraints.registry import constraint_of
from engine.instruction_adherence.text import Reading

FIVE = {"constraint": "length.sentence_count", "params": {"n": 5}}
SIX = {"constraint": "length.sentence_count", "params": {"n": 6}}
HUGE = {"constraint": "length.word_range", "params": {"min": 10**9, "max": 10**10}}


def question(*constraints: Any, **more: Any) -> str:
    return json.dumps({"constraints": list(constraints), **more})


def answered(*lines: str) -> Result:
    return CliRunner().invoke(compat, ["-"], input="".join(line + "\n" for line in lines).encode())


def test_one_answer_a_line_in_order() -> None:
    result = answered(question(FIVE), "", question(FIVE, SIX))
    assert result.exit_code == 0
    first, second = (json.loads(line) for line in result.stdout.splitlines())
    assert (first["satisfiable"], first["conflict"]) == (True, None)
    assert constraint_of("length.sentence_count", {"n": 5}).check(Reading(first["witness"])).passed
    conflict = "length.sentence_count: at least 6 sentences and at most 5 are asked"
    assert second == {"satisfiable": False, "conflict": conflict, "witness": None}


def test_answers_are_ascii_lines_and_the_same_every_time() -> None:
    stored = {"constraint": "lang.paragraph_language", "params": {"paragraph": 1, "language": "French"}}
    one, same = (answered(question(stored)).stdout for _ in range(2))
    assert one == same and one.isascii() and one.count("\n") == 1


def test_an_unresolved_set_is_null_and_exits_1_after_the_last_line() -> None:
    result = answered(question(HUGE), question(FIVE))
    lines = [json.loads(line) for line in result.stdout.splitlines()]
    assert lines[0] == {"satisfiable": None, "conflict": None, "witness": None}
    assert lines[1]["satisfiable"] is True
    assert isinstance(result.exception, GenerationError) and result.exception.exit_code == 1
    assert "sets [1] of 2 are unresolved" in result.exception.line()


REFUSED = {
    "not JSON": ("{oops}", "compat: not JSON"),
    "a list": ("[]", "compat [] must be an object with keys ['constraints']"),
    "surplus key": (question(FIVE, witness="x"), "compat: unknown key 'witness'; legal: ['constraints']"),
    "no list": ('{"constraints": "abc"}', "compat: constraints 'abc' must be a list"),
    "an object": ('{"constraints": {"a": 1}}', "compat: constraints {'a': 1} must be a list"),
    "a bare id": (question("struct.title"), "constraint 1 'struct.title' must be an object with"),
    "a key too many": (question(FIVE, {**SIX, "response": ""}), "compat: constraint 2"),
    "unknown id": (question({"constraint": "length.words", "params": {}}), "constraint 'length.words' is unknown"),
    "bad parameter": (question({**FIVE, "params": {"n": True}}), "parameter 'n' True must be a whole number"),
    "deep": ("[" * 100_000, "nested too deeply"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_a_bad_line_ends_it_and_earlier_answers_stand(name: str) -> None:
    bad, part = REFUSED[name]
    result = answered(question(FIVE), bad, question(FIVE))
    assert result.stdout.count("\n") == 1
    assert isinstance(result.exception, UsageError) and result.exception.exit_code == 2
    line = result.exception.line()
    assert line.startswith("line 2: ") and part in line and line.isprintable()


def test_the_group_knows_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = tmp_path / "sets.jsonl"
    source.write_text(question(HUGE) + "\n", encoding="utf-8")
    assert run(["compat", str(source)]) == 1
    assert capsys.readouterr().err.startswith("clew: sets [1] of 1 are unresolved")
    assert "clew compat -" in CliRunner().invoke(compat, ["--help"]).stdout
