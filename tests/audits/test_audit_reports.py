from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import fields
from pathlib import Path

import jsonschema
import pytest
from audit_samples import SEED, Ran, row, write_sample

from audits import report
from audits.base import Measure, Row, Sensitivity, fingerprint
from audits.report import FORMATS, LIMITS, Format, Report, write
from engine.store.sealed import Sealed

SCHEMA = Path(__file__).parents[1] / "cases" / "sarif-2.1.0-rtm.5.json"
STATUSES = ("pass", "fail", "inconclusive", "error")


def schema() -> jsonschema.Draft4Validator:
    return jsonschema.Draft4Validator(json.loads(SCHEMA.read_text(encoding="utf-8")))


def sample() -> Report:
    rows = tuple(
        row(
            rule=f"X0{nth}",
            status=status,
            statistic=Measure("AUC", 0.51),
            chance=0.5,
            p=0.2,
            p_holm=0.4,
            bound=Measure("99 % upper", 0.54),
            location="payload 00ff#/complexity" if status == "fail" else "",
            fingerprint=fingerprint(f"X0{nth}", "payload", "/complexity"),
            sensitivity=Sensitivity(2, 2),
            seed=7,
        )
        for nth, status in enumerate(STATUSES)
    )
    return Report(rows=rows, exit_code=2, tool="clew test", code_digest="abc")


@pytest.mark.parametrize("form", FORMATS)
def test_same_rows_same_bytes(form: str) -> None:
    assert write(sample(), form) == write(sample(), form)  # type: ignore[arg-type]
    assert write(sample(), form).endswith("\n")  # type: ignore[arg-type]


@pytest.mark.parametrize("form", FORMATS)
def test_a_report_depends_on_nothing_but_the_pack(form: str, tmp_path: Path, clew: Callable[..., Ran]) -> None:
    reports = []
    for name in ("here", "there"):
        folder = tmp_path / name
        folder.mkdir()
        reports.append(clew("R01", "S03", str(write_sample(folder)), "--format", form))
    assert reports[0].out == reports[1].out
    assert str(tmp_path) not in reports[0].out


def test_no_secret_is_in_a_report_in_any_format(
    clean_folder: Path, clew: Callable[..., Ran], monkeypatch: pytest.MonkeyPatch
) -> None:
    """One run of all rules; its rows are written in every format, and the last one is what the command prints."""
    told: list[str] = []
    real = report.write

    def every(rows: Report, form: Format) -> str:
        told.extend(real(rows, one) for one in FORMATS)
        return real(rows, form)

    monkeypatch.setattr(report, "write", every)
    ran = clew(str(clean_folder), "--format", "sarif")
    assert (ran.code, len(told), ran.out) == (0, len(FORMATS), told[FORMATS.index("sarif")])
    assert list(schema().iter_errors(json.loads(ran.out))) == []
    shown = "\n".join((*told, ran.err))
    with Sealed.open(clean_folder / "sealed.db") as sealed:
        secrets = {str(SEED), *sealed.canaries()}
        for record in sealed.records():
            secrets |= {record.present_probability, record.salt.hex(), record.program, record.latent_trace}
            # A clean report names no puzzle at all, so it cannot say which label one has.
            assert record.puzzle_id not in shown
    assert not [secret for secret in secrets if secret in shown]


def test_every_field_of_a_row_is_in_the_json() -> None:
    document = json.loads(write(sample(), "json"))
    names = {field.name for field in fields(Row)}
    assert all(set(told) == names for told in document["rows"])
    needed = "rule claim severity status n statistic chance p p_holm bound threshold location fingerprint sensitivity"
    assert names >= {*needed.split(), "seed", "tool", "code_digest", "baseline_state"}


def test_the_text_says_what_is_not_shown() -> None:
    text = write(sample(), "text")
    assert all(line in text for line in LIMITS)
    assert "first at payload 00ff#/complexity" in text


def test_sarif_says_each_status_its_way() -> None:
    [run] = json.loads(write(sample(), "sarif"))["runs"]
    told = {result["ruleId"]: (result["kind"], result["level"]) for result in run["results"]}
    assert told == {"X00": ("pass", "none"), "X01": ("fail", "error"), "X02": ("open", "none")}
    [invocation] = run["invocations"]
    assert invocation["executionSuccessful"] is False
    assert [note["associatedRule"]["id"] for note in invocation["toolExecutionNotifications"]] == ["X03"]
    assert [rule["id"] for rule in run["tool"]["driver"]["rules"]] == ["X00", "X01", "X02", "X03"]
    assert all(result["baselineState"] == "new" for result in run["results"])
    assert all(len(result["partialFingerprints"]["clew/v1"]) == 32 for result in run["results"])


def test_fingerprints_know_no_index_and_no_record() -> None:
    one = fingerprint("R01", "payload", "/support_cases/3/events/0")
    assert one == fingerprint("R01", "payload", "/support_cases/11/events/2")
    assert one != fingerprint("R01", "payload", "/support_cases/3/id")
    assert one != fingerprint("R02", "payload", "/support_cases/3/events/0")
