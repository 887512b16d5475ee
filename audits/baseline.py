"""Accepted findings: a file of entries, each with a reason and a day on which it ends.

    [{"rule": "S06", "fingerprint": "...", "reason": "...", "expires": "2030-01-31"}]

Only warnings can be accepted. An entry without reason, or that has ended or ends too late, is refused and the finding
counts. An entry that no finding matches shows as an absent note, so that the file gets shorter again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path

import msgspec

from audits.base import Row
from engine.errors import UsageError, quoted

LONGEST = timedelta(days=180)


class Entry(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One accepted finding."""

    rule: str
    fingerprint: str
    reason: str = ""
    expires: date | None = None

    def stands(self, today: date) -> bool:
        """Tell whether the entry is to be heeded."""
        return bool(self.reason.strip()) and self.expires is not None and today <= self.expires <= today + LONGEST


def read_baseline(path: Path) -> tuple[Entry, ...]:
    """Read a baseline file.

    Raises:
        UsageError: it cannot be read, or is not a list of entries.
    """
    try:
        return msgspec.json.decode(path.read_bytes(), type=tuple[Entry, ...])
    except OSError as error:
        raise UsageError(f"baseline {quoted(str(path))} cannot be read: {error.strerror}; a JSON file is") from error
    except msgspec.DecodeError as error:
        raise UsageError(f"baseline {quoted(str(path))}: {error}; a list of entries is needed") from error


def accepted(rows: Sequence[Row], entries: Sequence[Entry], today: date) -> tuple[Row, ...]:
    """Return the rows with accepted findings marked, and a note for each entry that matches none.

    Raises:
        UsageError: an entry for a finding of severity error.
    """
    failing = {(row.rule, row.fingerprint): row for row in rows if row.status == "fail"}
    for entry in entries:
        row = failing.get((entry.rule, entry.fingerprint))
        if row is not None and row.severity == "error":
            raise UsageError(f"baseline entry {entry.fingerprint!r} of {entry.rule}: an error cannot be accepted")
    standing = {(entry.rule, entry.fingerprint) for entry in entries if entry.stands(today)}
    marked = [
        replace(row, baseline_state="unchanged")
        if row.status == "fail" and (row.rule, row.fingerprint) in standing
        else row
        for row in rows
    ]
    return (*marked, *(_absent(entry) for entry in entries if (entry.rule, entry.fingerprint) not in failing))


def _absent(entry: Entry) -> Row:
    return Row(
        rule=entry.rule,
        claim="an accepted finding that no longer occurs",
        severity="note",
        status="pass",
        n=1,
        fingerprint=entry.fingerprint,
        threshold="none",
        baseline_state="absent",
    )
