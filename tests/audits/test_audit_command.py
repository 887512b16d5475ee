from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from audit_samples import Ran, rewritten, write_sample

from audits.base import Sensitivity
from audits.cli import _failing_as_unusable, audit
from audits.record import code_digest, read_record, record_path, write_record
from audits.registry import AUDITS

Clew = Callable[..., Ran]


def test_a_clean_folder_passes_with_its_sealed_file(clean_folder: Path, clew: Clew) -> None:
    ran = clew(str(clean_folder))
    assert ran.code == 0, ran.out + ran.err
    assert "with its sealed file" in ran.err


def test_a_clean_pack_alone_passes_on_a_fresh_machine(clean_folder: Path, clew: Clew, data_folder: Path) -> None:
    ran = clew(str(clean_folder / "pack.db"), "--format", "json")
    assert ran.code == 0, ran.out + ran.err
    document = json.loads(ran.out)
    assert {row["status"] for row in document["rows"]} == {"pass"}
    assert all(row["sensitivity"]["found"] == row["sensitivity"]["planted"] > 0 for row in document["rows"])
    assert not data_folder.exists()


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (". ", ". 1 "),
        ("\n\n", "\n\n\n\n"),
        (" then ", " then, "),
        (". ", ".  "),
        (" ", "\u00a0"),
        (". ", ". It is absent. "),
    ],
    ids=["number", "block", "comma", "doubled space", "no-break space", "the answer"],
)
def test_a_wrong_text_is_a_finding(old: str, new: str, tmp_path: Path, clean_folder: Path, clew: Clew) -> None:
    pack = rewritten(clean_folder / "pack.db", tmp_path / "wrong.db", lambda text: text.replace(old, new))
    assert clew(str(pack)).code == 1


def test_one_rule_can_be_named(clean_folder: Path, clew: Clew) -> None:
    document = json.loads(clew("F03", str(clean_folder), "--format", "json").out)
    assert [row["rule"] for row in document["rows"]] == ["F03"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((), "nothing to audit"),
        (("Z99", "{folder}"), "unknown rule 'Z99'"),
        (("S06", "{folder}"), "rule S06 has nothing to look at here; it reads: draws"),
        (("R01", "--draws", "100"), "rule R01 has nothing to look at here; it reads: pack"),
        (("{folder}", "{folder}"), "two places"),
        (("/nowhere/at/all",), "no pack at '/nowhere/at/all'"),
        (("{folder}/note.txt",), "not a clew file"),
        (("--complexity", "11"), "length '11' is not legal"),
        (("--select", "0.9", "--complexity", "6"), "--select '0.9' is not legal"),
        (("--select", "--complexity", "4"), "has no default"),
        (("--explain", "Z99"), "unknown rule 'Z99'"),
        (("--self-test", "--program"), "--self-test goes with rules only"),
        (("--self-test", "{folder}"), "--self-test goes with rules only"),
        (("{folder}/pack.db", "--baseline", "{folder}/note.txt"), "a list of entries is needed"),
        (("{folder}/pack.db", "--out", "{folder}/no/such/place"), "cannot be written"),
    ],
)
def test_bad_input_is_one_line_and_two(
    arguments: tuple[str, ...], said: str, clean_folder: Path, tmp_path: Path, clew: Clew
) -> None:
    folder = tmp_path / "copy"
    shutil.copytree(clean_folder, folder)
    (folder / "note.txt").write_text("not a database" * 100)
    ran = clew(*(argument.format(folder=folder) for argument in arguments))
    assert ran.code == 2
    lines = [line for line in ran.err.splitlines() if not line.startswith("audit ")]
    assert len(lines) == 1
    assert said in lines[0]
    assert ran.out == ""


def test_draws_must_be_a_number(clew: Clew) -> None:
    assert clew("--draws", "0").code == 2


def test_a_sealed_file_of_another_pack_is_refused(tmp_path: Path, clean_folder: Path, clew: Clew) -> None:
    folder = tmp_path / "mixed"
    folder.mkdir()
    other = tmp_path / "other"
    other.mkdir()
    write_sample(other, count=2)
    shutil.copy(clean_folder / "pack.db", folder / "pack.db")
    shutil.copy(other / "sealed.db", folder / "sealed.db")
    ran = clew(str(folder))
    assert ran.code == 2
    assert "the sealed file of the same pack is needed" in ran.err


def test_a_pack_without_puzzles_is_inconclusive(tmp_path: Path, clew: Clew) -> None:
    write_sample(tmp_path, count=0)
    assert clew(str(tmp_path / "pack.db")).code == 3


def test_few_draws_without_a_record_are_inconclusive(clew: Clew) -> None:
    ran = clew("S03", "--draws", "100", "--complexity", "short")
    assert ran.code == 3
    assert "no self-test on record: run clew audit --self-test" in ran.out


def test_an_unexpected_error_is_two_and_shows_no_value() -> None:
    secret = "a secret value"
    with pytest.raises(SystemExitLike) as caught, _failing_as_unusable(_Context()):  # type: ignore[arg-type]
        raise RuntimeError(secret)
    assert caught.value.code == 2


def test_an_unexpected_error_says_where(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExitLike), _failing_as_unusable(_Context()):  # type: ignore[arg-type]
        raise RuntimeError("a secret value")
    told = capsys.readouterr().err
    assert "internal error: RuntimeError at test_audit_command.py" in told
    assert "a secret value" not in told


class SystemExitLike(BaseException):
    def __init__(self, code: int) -> None:
        self.code = code


class _Context:
    """Stands for a click context, which ends a command by raising."""

    def exit(self, code: int) -> None:
        raise SystemExitLike(code)


def test_a_self_test_is_recorded_and_counts_for_this_code_alone(clew: Clew) -> None:
    ran = clew("--self-test", "R02", "S03", "--format", "json")
    assert ran.code == 0, ran.out
    document = json.loads(ran.out)
    assert document["code_digest"] == code_digest()
    assert set(read_record()) == {
        "R02/exits", "R02/files", "S03/pack", "S03/sealed", "S03/draws", "S03/bundle",
    }  # fmt: skip
    assert all(one.trusted for one in read_record().values())
    text = record_path().read_text()
    record_path().write_text(text.replace(code_digest(), "0" * 32))
    assert read_record() == {}
    record_path().write_text("not JSON")
    assert read_record() == {}


def test_a_record_gives_rows_their_sensitivity(clew: Clew) -> None:
    write_record({"S03/draws": Sensitivity(2, 2)})
    good = json.loads(clew("S03", "--draws", "100", "--complexity", "4", "--format", "json").out)
    assert {row["sensitivity"]["found"] for row in good["rows"]} == {2}
    write_record({"S03/draws": Sensitivity(1, 2)})
    assert clew("S03", "--draws", "100", "--complexity", "4").code == 2


def test_a_report_goes_where_it_is_asked_to(tmp_path: Path, clean_folder: Path, clew: Clew) -> None:
    place = tmp_path / "report.sarif"
    ran = clew("R01", str(clean_folder), "--format", "sarif", "--out", str(place))
    assert (ran.code, ran.out) == (0, "")
    assert json.loads(place.read_text())["version"] == "2.1.0"


def test_the_list_names_every_audit(clew: Clew) -> None:
    lines = clew("--list").out.splitlines()
    assert [line.split()[:2] for line in lines] == [[audit.rule, audit.scope] for audit in AUDITS]
    assert len({audit.key for audit in AUDITS}) == len(AUDITS)


def test_help_holds_an_example(clew: Clew) -> None:
    assert "clew audit my-pack" in clew("--help").out
    assert audit.name == "audit"


def test_the_command_is_there_before_any_array_library() -> None:
    code = "import sys, audits.cli; print(sorted({'numpy', 'sklearn', 'scipy'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
