"""What a model's run comes to so far: every planned item has one status, and every request is counted.

Sums of tokens leave unknown ones out and say how many there are. Items that are pending, or whose requests failed, are
in no accuracy: they are told in the first line.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass

from engine.calls import ModelCall
from engine.errors import counted

READ_ORDER = (
    "read", "answered", "ambiguous", "unparsable", "truncated", "refused", "filtered", "empty", "too_long", "pending",
)  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class Tokens:
    """One sum of tokens over requests that were answered."""

    known: int
    unknown: int
    """Requests whose endpoint did not say; they are in no sum."""

    def words(self) -> str:
        return f"{self.known:,}" + (f" ({self.unknown} unknown)" if self.unknown else "")


@dataclass(frozen=True, kw_only=True)
class Summary:
    """One solver on the planned items of one pack."""

    solver: str
    now: int
    """Items that this run finished."""
    items: int
    systems: Mapping[str, int]
    """Hidden systems by status."""
    turns: Mapping[str, int]
    """Turns of writing tasks that were asked, by status."""
    tasks: Mapping[str, int]
    """Writing tasks by `done` and `pending`."""
    failing: int
    """Pending items with at least one failed request."""
    requests: Mapping[str, int]
    """All requests of all runs by status."""
    tokens: Mapping[str, Tokens]
    latency_ms: int

    @property
    def pending(self) -> int:
        return self.systems.get("pending", 0) + self.tasks.get("pending", 0)

    def document(self) -> dict[str, object]:
        """Return plain values for JSON."""
        return asdict(self) | {"pending": self.pending}

    def lines(self) -> list[str]:
        """Return the summary for people; the first line says if it is not complete."""
        first = f"{self.solver}: {self.now} answered now, {counted(self.items, 'puzzle')} in all"
        if self.pending:
            first += f"; INCOMPLETE: {self.pending} pending, {self.failing} of them with failed requests"
        lines = [first]
        if self.systems:
            lines.append(f"  hidden systems: {_told(self.systems)}")
        if self.tasks:
            lines.append(f"  writing tasks: {_told(self.tasks)}; their turns: {_told(self.turns) or 'none asked'}")
        if self.requests:
            sums = ", ".join(f"{name} {self.tokens[name].words()}" for name in self.tokens)
            lines.append(f"  requests: {_told(self.requests)}; tokens: {sums}; {self.latency_ms / 1000:.1f} s waited")
        return lines


def summarise(
    solver: str, now: int, *, systems: Sequence[str], tasks: Mapping[str, bool], calls: Iterable[ModelCall]
) -> Summary:
    """Sum up a run.

    Args:
        systems: the status of each planned hidden system.
        tasks: for each planned writing task, whether all its turns are answered.
        calls: every request for planned items, of all runs.
    """
    calls = tuple(calls)
    done = Counter("done" if finished else "pending" for finished in tasks.values())
    closed = {(call.puzzle_id, call.turn) for call in calls if call.closes_item}
    failed = {call.puzzle_id for call in calls if not call.closes_item and (call.puzzle_id, call.turn) not in closed}
    answered = [call for call in calls if call.closes_item]
    return Summary(
        solver=solver,
        now=now,
        items=len(systems) + len(tasks),
        systems=dict(Counter(systems)),
        turns=dict(Counter(call.status for call in answered if call.puzzle_id in tasks)),
        tasks=dict(done),
        failing=len(failed),
        requests=dict(Counter(call.status for call in calls)),
        tokens={
            "prompt": _sum(call.prompt_tokens for call in answered),
            "cached": _sum(call.cached_tokens for call in answered),
            "completion": _sum(call.completion_tokens for call in answered),
            "reasoning": _sum(call.reasoning_tokens for call in answered),
        },
        latency_ms=sum(call.latency_ms or 0 for call in calls),
    )


def _sum(counts: Iterable[int | None]) -> Tokens:
    found = tuple(counts)
    known = [count for count in found if count is not None]
    return Tokens(known=sum(known), unknown=len(found) - len(known))


def _told(counts: Mapping[str, int]) -> str:
    order = {status: place for place, status in enumerate(READ_ORDER)}
    names = sorted(counts, key=lambda name: (order.get(name, len(order)), name))
    return ", ".join(f"{counts[name]} {name}" for name in names if counts[name])
