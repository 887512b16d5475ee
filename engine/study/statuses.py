"""What can become of an item that somebody was to answer, and which rates count it.

    presented   all but error, missing, withdrawn and excluded; what was not answered counts as not correct
    answered    only what was answered
    assigned    presented, error and missing: all that was expected

A failure of a network, a parser or the app is a status, never a wrong answer.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

Status = Literal[
    "answered", "skipped", "timeout", "unparseable", "truncated", "abandoned", "error", "missing", "withdrawn",
    "excluded",
]  # fmt: skip
STATUSES: tuple[Status, ...] = (
    "answered", "skipped", "timeout", "unparseable", "truncated", "abandoned", "error", "missing", "withdrawn",
    "excluded",
)  # fmt: skip
PRESENTED: frozenset[Status] = frozenset(("answered", "skipped", "timeout", "unparseable", "truncated", "abandoned"))
EXPECTED: frozenset[Status] = PRESENTED | {"error", "missing"}
ERROR_ALARM = 0.02
"""A larger share of errors on either side is said in the first line of a report."""


@dataclass(frozen=True, kw_only=True)
class Counts:
    """How many items of one solver have each status."""

    by_status: tuple[tuple[Status, int], ...]

    def of(self, status: Status) -> int:
        return dict(self.by_status).get(status, 0)

    @property
    def scored(self) -> int:
        """The denominator `presented`."""
        return sum(count for status, count in self.by_status if status in PRESENTED)

    @property
    def expected(self) -> int:
        """The denominator `assigned`."""
        return self.scored + self.of("error") + self.of("missing")

    @property
    def answered(self) -> int:
        return self.of("answered")

    @property
    def error_share(self) -> float:
        """Errors of all that was expected, in [0, 1]."""
        return self.of("error") / self.expected if self.expected else 0.0


def count(statuses: Iterable[Status]) -> Counts:
    """Count statuses, in the order of STATUSES.

    Raises:
        ValueError: a status that does not exist.
    """
    found = Counter(statuses)
    if unknown := set(found) - set(STATUSES):
        raise ValueError(f"statuses {sorted(unknown)}; known are {', '.join(STATUSES)}")
    counts = Counts(by_status=tuple((status, found[status]) for status in STATUSES if found[status]))
    assert counts.expected == counts.scored + counts.of("error") + counts.of("missing")
    return counts
