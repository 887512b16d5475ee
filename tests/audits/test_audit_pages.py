"""Every rule has a page, and `--explain` prints that very page; SARIF reports fit the official schema."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import jsonschema
import pytest
from audit_samples import Ran, row

from audits import pages
from audits.base import Measure, Sensitivity
from audits.pages import page
from audits.registry import AUDITS
from audits.report import Report, write
from engine.errors import UsageError

ROOT = Path(__file__).parents[2]
SCHEMA = ROOT / "tests" / "cases" / "sarif-2.1.0-rtm.5.json"
RULES = sorted({audit.rule for audit in AUDITS})
CATALOGUE = {
    *(f"R0{nth}" for nth in range(1, 5)), *(f"S{nth:02}" for nth in range(1, 11)),
    *(f"C{nth:02}" for nth in range(1, 11)), *(f"F0{nth}" for nth in range(1, 7)),
}  # fmt: skip
PARTS = ("**Reads:**", "**Method.**", "**Statistic and bound.**", "**Planted.**", "**Shows:**", "**Cannot show:**")


def test_every_row_of_the_catalogue_is_an_audit() -> None:
    assert set(RULES) >= CATALOGUE


@pytest.mark.parametrize("rule", RULES)
def test_every_rule_has_a_page_with_all_parts(rule: str) -> None:
    text = page(rule)
    assert text.startswith(f"# {rule}: ")
    assert [part for part in PARTS if text.count(part) != 1] == []
    assert [text.index(part) for part in PARTS] == sorted(text.index(part) for part in PARTS)


def test_no_page_is_about_a_rule_that_does_not_exist() -> None:
    assert {path.stem for path in (ROOT / "docs" / "audits").glob("*.md")} == set(RULES)


@pytest.mark.parametrize("rule", ["R02", "S06", "W06"])
def test_explain_prints_the_page(rule: str, clew: Callable[..., Ran]) -> None:
    ran = clew("--explain", rule)
    assert (ran.code, ran.out.strip(), ran.err) == (0, page(rule).strip(), "")


def test_an_unknown_rule_is_one_line_and_two(clew: Callable[..., Ran]) -> None:
    ran = clew("--explain", "Z99")
    assert (ran.code, ran.out, len(ran.err.splitlines())) == (2, "", 1)


def test_a_rule_without_a_page_is_not_done(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(pages, "PLACES", (tmp_path,))
    with pytest.raises(UsageError, match="every rule has one"):
        page("R01")


def sarif(*rows: object) -> dict[str, object]:
    report = Report(rows=rows, exit_code=1, tool="clew 0", code_digest="abc")  # type: ignore[arg-type]
    told: dict[str, object] = json.loads(write(report, "sarif"))
    return told


def schema() -> jsonschema.Draft4Validator:
    return jsonschema.Draft4Validator(json.loads(SCHEMA.read_text(encoding="utf-8")))


def test_reports_of_every_status_fit_the_official_schema() -> None:
    rows = [
        row(
            rule=f"X0{nth}", status=status, severity=severity, statistic=Measure("AUC", 0.51), chance=0.5, p=0.2,
            p_holm=0.4, bound=Measure("99 % upper", 0.54), location="payload 00ff#/complexity", fingerprint="f" * 32,
            sensitivity=Sensitivity(1, 2), seed=7, baseline_state=state,
        )
        for nth, (status, severity, state) in enumerate(
            [("pass", "error", "new"), ("fail", "error", "new"), ("fail", "warning", "unchanged"),
             ("inconclusive", "error", "new"), ("error", "error", "new"), ("pass", "note", "absent")]
        )
    ]  # fmt: skip
    assert list(schema().iter_errors(sarif(*rows))) == []


def test_the_schema_refuses_what_is_no_report() -> None:
    spoiled = sarif(row())
    spoiled["version"] = "2.0.0"
    assert list(schema().iter_errors(spoiled))
