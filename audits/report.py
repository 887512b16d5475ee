"""Reports of a run: text for people, JSON and SARIF 2.1.0 for programs. Same rows, same bytes: no clock, no path.

No report holds a secret value, a digest of one, or a list of what was guessed right: rows hold totals only.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from audits.base import ALPHA, Measure, Row, Status
from engine.errors import counted
from tui.shown import shown_block

Format = Literal["text", "json", "sarif"]
FORMATS: tuple[Format, ...] = ("text", "json", "sarif")

LIMITS = (
    "A pass covers the listed inputs and learners only: ridge logistic and depth-3 trees see no deep interaction.",
    "R02 bounds the share of differing pairs under the drawn law; a leak on one seed in a million is below it.",
    "S06 bounds these predictors, not every predictor; that a better one exists is not excluded.",
    "R03 and C02 to C04 miss what is compressed, split or rounded; C05 is a tripwire, no defence against hostile code.",
    "F01 to F05 were proved on mutants of two tellers; free prose by a model may be missed, or raise alarms.",
    "W02 covers the listed operators, W05 the sets drawn; a witness proves that a set can be met, no more.",
    "Outside: snapshots, swap, terminal scrollback, photographs, people talking, what a model was trained on.",
)
"""What the audits do not show; printed under every text report."""

SARIF_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
KINDS: dict[Status, str] = {"pass": "pass", "fail": "fail", "inconclusive": "open"}


@dataclass(frozen=True, kw_only=True)
class Report:
    """The rows of a run and what they add up to."""

    rows: tuple[Row, ...]
    exit_code: int
    tool: str
    code_digest: str


def write(report: Report, form: Format) -> str:
    """Return a report as text that ends with a line feed."""
    if form == "text":
        return text_report(report)
    document = json_document(report) if form == "json" else sarif_document(report)
    return json.dumps(document, ensure_ascii=False, indent=1, sort_keys=True, allow_nan=False) + "\n"


# Text ---------------------------------------------------------------------------------------------------------------

HEADS = ("RULE", "STATUS", "SEVERITY", "N", "STATISTIC", "P HOLM", "BOUND", "PLANTS", "CLAIM")


def text_report(report: Report) -> str:
    """Return the rows as a table, what did not pass and where below, then what the audits do not show."""
    table = [HEADS, *map(_cells, report.rows)]
    widths = [max(len(line[column]) for line in table) for column in range(len(HEADS))]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip() for line in table]
    for row in report.rows:
        if row.status != "pass" and row.severity != "note":
            lines += ["", f"{row.rule} {row.status}: {row.claim}", f"    {_found(row)}"]
            lines += [f"    first at {row.location}"] if row.location else []
            lines += [f"    {why}" for why in _undecided(row)]
    lines = [shown_block(line) for line in lines]
    lines += ["", f"exit {report.exit_code}; {report.tool}; code {report.code_digest}"]
    lines += [f"tests at family-wise {ALPHA}, Holm", "", "What this does not show", *(f"  {line}" for line in LIMITS)]
    return "\n".join(lines) + "\n"


def _found(row: Row) -> str:
    """Return what was found beside what is allowed; a row that decided nothing says what would be allowed alone."""
    found = "" if row.status == "inconclusive" else _measured(row.statistic, row.chance)
    return f"{found}; allowed: {row.threshold}" if found else f"allowed: {row.threshold}"


def _undecided(row: Row) -> Iterator[str]:
    """Yield what would let a row decide."""
    if row.sensitivity is None:
        yield "no self-test on record: run clew audit --self-test"
    elif not row.sensitivity.planted:
        yield "no leak could be planted, so nothing is proved: pip install 'clew[analysis]' brings the learners"
    elif row.status == "inconclusive" and row.p is not None and row.n < row.fewest:
        yield f"{counted(row.n, 'record')}; {row.fewest} are needed to decide"


def _cells(row: Row) -> tuple[str, ...]:
    plants = row.sensitivity
    return (
        row.rule,
        row.status,
        row.severity,
        str(row.n),
        _measured(row.statistic, row.chance),
        "" if row.p_holm is None else f"{row.p_holm:.4g}",
        "" if row.bound is None else f"{row.bound.value:.4g} ({row.bound.name})",
        "no record" if plants is None else f"{plants.found}/{plants.planted}",
        row.claim,
    )


def _measured(measure: Measure | None, chance: float | None) -> str:
    if measure is None:
        return ""
    beside = "" if not chance else f", chance {chance:.3g}"
    return f"{measure.name} {measure.value:.4g}{beside}"


# JSON ---------------------------------------------------------------------------------------------------------------


def json_document(report: Report) -> dict[str, object]:
    """Return the report as JSON values; measures as objects."""
    return {
        "exit_code": report.exit_code,
        "tool": report.tool,
        "code_digest": report.code_digest,
        "alpha": ALPHA,
        "rows": [_row_document(row) for row in report.rows],
        "not_shown": list(LIMITS),
    }


def _row_document(row: Row) -> dict[str, object]:
    document: dict[str, object] = {field.name: getattr(row, field.name) for field in dataclasses.fields(row)}
    for name in ("statistic", "bound", "sensitivity"):
        value = getattr(row, name)
        document[name] = None if value is None else value._asdict()
    return document


# SARIF --------------------------------------------------------------------------------------------------------------


def sarif_document(report: Report) -> dict[str, object]:
    """Return the report as a SARIF log with one run."""
    results = [_result(row) for row in report.rows if row.status != "error"]
    notes = [_notification(row) for row in report.rows if row.status == "error"]
    driver = {
        "name": "clew audit",
        "version": report.tool,
        "rules": _rules(report.rows),
    }
    invocation = {
        "executionSuccessful": not notes,
        "exitCode": report.exit_code,
        "toolExecutionNotifications": notes,
    }
    run = {"tool": {"driver": driver}, "invocations": [invocation], "results": results}
    return {"$schema": SARIF_SCHEMA, "version": "2.1.0", "runs": [run]}


def _rules(rows: Sequence[Row]) -> list[object]:
    first: dict[str, Row] = {}
    for row in rows:
        first.setdefault(row.rule, row)
    return [{"id": rule, "shortDescription": {"text": first[rule].claim}} for rule in sorted(first)]


def _result(row: Row) -> dict[str, object]:
    result: dict[str, object] = {
        "ruleId": row.rule,
        "kind": KINDS[row.status],
        "level": row.severity if row.status == "fail" else "none",
        "message": {"text": f"{row.claim}: {_measured(row.statistic, row.chance) or row.status}"},
        "partialFingerprints": {"clew/v1": row.fingerprint},
        "baselineState": row.baseline_state,
        "properties": _row_document(row),
    }
    if row.location:
        artefact, _, place = row.location.partition(" ")
        logical = {"name": artefact, "fullyQualifiedName": f"{artefact}/{place}"}
        result["locations"] = [{"logicalLocations": [logical]}]
    return result


def _notification(row: Row) -> dict[str, object]:
    planted = row.sensitivity
    told = "" if planted is None else f" ({planted.found} of {planted.planted} plants found, {planted.alarms} alarms)"
    return {
        "level": "error",
        "message": {"text": f"{row.rule} cannot be trusted{told}: {row.claim}"},
        "associatedRule": {"id": row.rule},
    }
