"""`clew check`: a verdict a line; a bad line ends it with its number, earlier answers stand."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from engine.cli import run
from engine.commands.check import check
from engine.errors import UsageError
from engine.instruction_adherence.checking import verdict_line


def question(name: Any = "length.sentence_count", params: Any = None, response: Any = "One. Two.", **more: Any) -> str:
    parameters = {"n": 1} if params is None else params
    return json.dumps({"constraint": name, "params": parameters, "response": response, **more})


def judged(*lines: str) -> Result:
    return CliRunner().invoke(check, ["-"], input="".join(line + "\n" for line in lines).encode())


def test_one_verdict_a_line_in_order() -> None:
    result = judged(question(), "", question(params={"n": 2}))
    assert result.exit_code == 0
    assert [json.loads(line) for line in result.stdout.splitlines()] == [
        {"passed": False, "seen": "2 sentences; 1 asked", "spans": [[5, 9]]},
        {"passed": True, "seen": "2 sentences; 2 asked", "spans": []},
    ]


def test_spans_count_code_points_of_the_raw_response() -> None:
    response = "[[START]]\r\n🍞 e\u0301t\u200be, o\u0301k\r\n[[END]]"
    ((start, end),) = json.loads(verdict_line(question("lex.no_commas", {}, response)))["spans"]
    assert response[start:end] == ","


def test_answers_are_ascii_lines_whatever_the_response() -> None:
    line = verdict_line(question("lex.exact_phrase", {"phrase": "\ud800 é"}, "\udfff\u2028"))
    assert line.isascii() and line.isprintable()


REFUSED = {
    "not JSON": ("{oops}", "check: not JSON"),
    "a list": ("[]", "check [] must be an object with keys ['constraint', 'params', 'response']"),
    "surplus key": (question(instruction="x"), "check: unknown key 'instruction'; legal: ['constraint', 'params',"),
    "missing key": ('{"constraint": "lex.no_commas", "params": {}}', "check: key 'response' is missing"),
    "duplicate key": ('{"response": "", "response": ""}', "key 'response' occurs twice"),
    "unknown id": (question("length.words"), "constraint 'length.words' is unknown; legal: length.word_range"),
    "id of another type": (question(3), "constraint 3 is unknown"),
    "params list": (question(params=[1]), "length.sentence_count: params [1] must be an object"),
    "parameter type": (question(params={"n": "1"}), "parameter 'n' '1' must be a whole number of at least 1"),
    "bool": (question(params={"n": True}), "parameter 'n' True must be a whole number"),
    "float": (question(params={"n": 1.0}), "'1.0' is not allowed"),
    "surplus parameter": (question(params={"n": 1, "m": 2}), "unknown parameter 'm'; legal: ['n']"),
    "missing parameter": (question(params={}), "parameter 'n' is missing"),
    "response number": (question(response=7), "check: response 7 must be a text"),
    "response null": (question(response=None), "check: response None must be a text"),
    "deep": ("[" * 100_000, "nested too deeply"),
    "deep params": (question(params={"n": json.loads("[" * 900 + "]" * 900)}), "length.sentence_count"),
    "long": (question("x" * 1_000_000), "constraint 'xxx"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_a_bad_line_ends_it_and_earlier_verdicts_stand(name: str) -> None:
    bad, part = REFUSED[name]
    result = judged(question(), "", bad, question())
    assert result.stdout.count("\n") == 1
    assert isinstance(result.exception, UsageError) and result.exception.exit_code == 2
    line = result.exception.line()
    assert line.startswith("line 3: ") and part in line
    assert len(line) < 2_000 and line.isprintable()


def test_the_group_prints_the_error_in_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = tmp_path / "responses.jsonl"
    source.write_bytes(question().encode() + b"\n\xff\n")
    assert run(["check", str(source)]) == 2
    printed = capsys.readouterr()
    assert printed.out.count("\n") == 1
    assert printed.err == "clew: line 2: b'\\xff' at byte 1 is not UTF-8; JSON Lines are\n"


def test_help_has_an_example() -> None:
    assert "clew check -" in CliRunner().invoke(check, ["--help"]).stdout
