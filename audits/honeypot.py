"""R03: no secret value reaches any sink, in a run of everything on a pack whose hidden half is made of tokens."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from audits.base import Finding, Measure, ProgramAudit, Row, Sensitivity, exact_rows
from audits.bench import Bench
from audits.flow import LOGGING, Flow, Sink, run_flow, sink_names, total_bytes
from audits.honeytokens import BITS, token
from audits.leaking import armed, places
from audits.tokens import Needles, Secret, forms

CLAIM = "no secret value reaches any output, file, request, environment or terminal"
SHORTEST = 8
"""Decimals of a share have twelve digits; a pack of tokens has no shorter secret."""


def sink_findings(secrets: Iterable[Secret], sinks: Sequence[Sink]) -> list[Finding]:
    """Return each sink that holds a secret, and in which form; the place is named, the value never."""
    needles = Needles(secrets, shortest=SHORTEST)
    return [Finding(sink.name, f"/{hit.form}/{hit.label}") for sink in sinks for hit in needles.found(sink.data)]


def audit_honeypot(bench: Bench) -> tuple[Row, ...]:
    """Run R03: what the flow left behind, and a note that lists where was looked."""
    flow = bench.flow
    findings = sink_findings(flow.secrets, flow.sinks)
    rows = exact_rows("R03", CLAIM, "error", "sink", findings, len(flow.sinks))
    searched = total_bytes(flow.sinks)
    bound = Measure("chance of a token turning up by accident, below", searched * 2.0**-BITS)
    return (*(_controlled(replace(row, bound=bound), flow) for row in rows), _searched(flow, searched))


def _controlled(row: Row, flow: Flow) -> Row:
    """A pass needs a real flow: played here and over the web, with a model asked and every step as it must be."""
    if row.status != "pass" or (flow.played and flow.served and flow.asked and not flow.astray):
        return row
    told = ", ".join(flow.astray) or "nobody played, or not over the web, or no model was asked"
    return replace(row, status="inconclusive", threshold=f"0 findings; not as wanted: {told}")


def _searched(flow: Flow, searched: int) -> Row:
    names = "; ".join(sorted({name.split(":")[0] for name in sink_names(flow.sinks)}))
    return Row(
        rule="R03", claim=f"searched: {names}", severity="note", status="pass", n=len(flow.sinks),
        statistic=Measure("bytes searched", searched), threshold="none",
    )  # fmt: skip


def plants() -> Sensitivity:
    """Put tokens into sinks in each form, and let functions of the program let tokens out in a run of everything."""
    forms_found, runs_found = planted_forms(), planted_runs()
    return Sensitivity(*map(sum, zip(forms_found, runs_found, strict=True)))


def planted_forms() -> Sensitivity:
    """Put a token into a sink in each form, and a share in decimals."""
    secrets = [Secret("seed", token()), Secret("probability", "0.123456789012"), Secret("rule", f'r"{token()}')]
    found = planted = 0
    for secret in secrets:
        for form, data in forms(secret.text):
            planted += 1
            sinks = [Sink("planted", b"before " + data + b" after"), Sink("other", b"nothing")]
            found += any(
                one.record == "planted" and one.pointer.split("/")[1] == form for one in sink_findings(secrets, sinks)
            )
    clean = [Sink("clean", token().encode()), Sink("clean", b"\x00" * 4096)]
    return Sensitivity(found, planted, len(sink_findings(secrets, clean)))


def planted_runs() -> Sensitivity:
    """Run everything with functions that leak: each has a token of its own, and nothing else may be found."""
    tokens = {place: token() for place in places()}
    with TemporaryDirectory(prefix="clew-audit-") as name:
        flow = run_flow(Path(name), f"{LOGGING}; {armed(tokens)}")
        planted = [Secret(place, secret) for place, secret in tokens.items()]
        # The process that holds the tokens has them in its arguments and environment, never in a file or output.
        found = {finding.pointer.split("/", 2)[2] for finding in sink_findings(planted, flow.sinks)}
        return Sensitivity(len(found), len(tokens), len(sink_findings(flow.secrets, flow.sinks)))


HONEYPOT = ProgramAudit(
    rule="R03", scope="program", severity="error", claim=CLAIM, run=audit_honeypot, self_test=plants
)  # fmt: skip
