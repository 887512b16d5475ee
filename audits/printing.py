"""C03: no repr, no log and no message holds a secret.

One value of each private type is printed in every way; a run of everything logs at the lowest level, and what any
library wrote is searched; in the source no message of an error, an assertion or a log line is put together from a
secret. A guarded repr does not help where a message spells the value, so messages are looked at on their own.
"""

from __future__ import annotations

import traceback
from dataclasses import dataclass, replace
from itertools import chain

from audits.base import Finding, ProgramAudit, Row, Sensitivity, exact_rows
from audits.bench import Bench
from audits.flow import DEBUG_LOG, Sink
from audits.honeypot import sink_findings
from audits.honeytokens import token
from audits.taint import (
    PRINTING,
    private_values,
    program_sites,
    sample_secrets,
    sample_values,
    sites_of,
    value_findings,
)
from audits.tokens import Secret

CLAIM = "no repr, log or message holds a secret, also when everything is logged"


def audit_printing(bench: Bench) -> tuple[Row, ...]:
    """Run C03."""
    values = list(chain.from_iterable(map(private_values, sample_values())))
    printed = [
        one for value in values for one in value_findings(value, sample_secrets()) if one.pointer[1:] in PRINTING
    ]
    told = [Finding(site.module, f"/{site.function}/message") for site in program_sites() if site.formatted]
    logs = [sink for sink in bench.flow.sinks if sink.name.endswith(DEBUG_LOG)]
    findings = [*printed, *told, *sink_findings(bench.flow.secrets, logs)]
    rows = exact_rows("C03", CLAIM, "error", "printed", findings, len(values) + len(logs))
    if findings or any(sink.data for sink in logs):
        return rows
    # Nothing was logged at all: the run did not do what it is said to have done.
    return tuple(replace(row, status="inconclusive") for row in rows)


# Self-test ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Open:
    """A record without the guard."""

    gold: str


def plants() -> Sensitivity:
    """Print a record without the guard, spell a value in a message, log one."""
    secret = Secret("gold", token())
    try:
        raise ValueError(f"gold was {secret.text}")
    except ValueError as error:
        message = "".join(traceback.format_exception(error))
    found = [
        any(one.pointer == "/repr" for one in value_findings(_Open(secret.text), (secret.text,))),
        bool(sink_findings([secret], [Sink("message", message.encode())])),
        bool(sink_findings([secret], [Sink(DEBUG_LOG, f"DEBUG:root:{_Open(secret.text)!r}".encode())])),
        any(site.formatted for site in sites_of("def f(r):\n    raise ValueError(f'{r.gold}')\n", "planted")),
        any(site.formatted for site in sites_of("def f(r, log):\n    log.info('x %s', r.gold)\n", "planted")),
    ]
    quiet = [sink_findings([secret], [Sink("message", b"gold was not told")])]
    return Sensitivity(sum(found), len(found), sum(map(bool, quiet)))


PRINTED = ProgramAudit(
    rule="C03", scope="program", severity="error", claim=CLAIM, run=audit_printing, self_test=plants
)  # fmt: skip
