"""`clew gold`: JSON Lines in and out; a bad line ends it with its number, earlier answers stand."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from engine.cli import run
from engine.commands.gold import gold
from engine.errors import ClewError

ROOT = Path(__file__).parents[3]
RULES = '{"id": "r", "on_event": "E", "conditions": [], "probability": 0.65, "action": "ADD_RECORD", "target": null}'
SYSTEM = f'{{"initial_record": "ABSENT", "conflict_policy": "PERSISTENT_INVALIDATION_VETO", "rules": [{RULES}]}}'
GOOD = f'{{"system": {SYSTEM}, "attributes": {{}}, "events": ["E"]}}\n'.encode()
OTHER = GOOD.replace(b'"events": ["E"]', b'"events": []')
PRESENT = '{"present_probability": 0.65, "answer": "PRESENT"}\n'
ABSENT = '{"present_probability": 0.0, "answer": "ABSENT"}\n'


def answered(data: bytes) -> Result:
    return CliRunner().invoke(gold, ["-"], input=data)


def test_one_answer_a_line_in_order() -> None:
    result = answered(GOOD + OTHER + GOOD)
    assert (result.exit_code, result.stdout) == (0, PRESENT + ABSENT + PRESENT)


def test_blank_lines_and_a_missing_last_newline() -> None:
    assert answered(b"\n  \r\n" + GOOD.rstrip()).stdout == PRESENT
    assert answered(b"").stdout == ""


@pytest.mark.parametrize(
    ("bad", "parts"),
    [
        (b"{oops}\n", ["line 4: question: not JSON", "'oops}"]),
        (GOOD.replace(b"0.65", b"1.5"), ["line 4: rule 'r': probability 1.5 must be a number in [0, 1]"]),
        (b'{"\xff": 1}\n', ["line 4: b'\\xff' at byte 3 is not UTF-8"]),
        (b"[" * 50_000 + b"\n", ["line 4:", "nested too deeply"]),
    ],
)
def test_a_bad_line_ends_it_and_earlier_answers_stand(bad: bytes, parts: list[str]) -> None:
    result = answered(GOOD + b"\n" + OTHER + bad + GOOD)
    assert result.stdout == PRESENT + ABSENT
    assert isinstance(result.exception, ClewError) and result.exception.exit_code == 2
    assert [part for part in parts if part not in result.exception.line()] == []


def test_the_group_prints_the_error_in_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = tmp_path / "questions.jsonl"
    source.write_bytes(GOOD + b"nonsense\n")
    assert run(["gold", str(source)]) == 2
    printed = capsys.readouterr()
    assert printed.out == PRESENT
    assert printed.err.count("\n") == 1 and "line 2" in printed.err and "nonsense" in printed.err


@pytest.mark.parametrize("name", ["absent.jsonl", ".", "nul\0byte"])
def test_files_that_cannot_be_read(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["gold", f"{tmp_path}/{name}"]) == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1 and "cannot be read" in error


def test_each_answer_is_out_before_the_next_question_comes() -> None:
    """A program may ask line by line: the second question is only written once the first answer has been read."""
    command = [sys.executable, "-c", "from engine.cli import main; main(['gold', '-'])"]
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment, cwd=ROOT) as process:
        assert process.stdin is not None and process.stdout is not None
        giving_up = threading.Timer(60, process.kill)
        giving_up.start()
        for question, answer in ((GOOD, PRESENT), (OTHER, ABSENT)):
            process.stdin.write(question)
            process.stdin.flush()
            assert process.stdout.readline().decode() == answer
        process.stdin.close()
        giving_up.cancel()
    assert process.returncode == 0


def test_help_has_an_example() -> None:
    assert "clew gold -" in CliRunner().invoke(gold, ["--help"]).stdout
