"""Who has which item, computed from the log of leases: nothing about it is stored as a state.

    live    reserved or renewed, not over yet, and neither done nor given back
    done    answered; the work stays done whatever becomes of the lease
    void    its person withdrew: done no more, and free again

An item is open while its live and done leases are fewer than the raters it is to get.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from engine.store.study_file import LeaseRow

ENDED = ("release", "expire", "void")


@dataclass(frozen=True, kw_only=True)
class Holding:
    """What the log says about one place and one item."""

    done: bool
    late: bool
    """Done after the lease had ended."""
    until: str
    """When the live lease ends; empty when there is none."""


def later(at: str, hours: int) -> str:
    """Return a UTC time so many hours later, in the same form."""
    moment = datetime.fromisoformat(at) + timedelta(hours=hours)
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def holdings(log: Iterable[LeaseRow]) -> dict[tuple[str, str], Holding]:
    """Return the state of every (place, puzzle) that the log names, as of its end; `until` may lie in the past."""
    found: dict[tuple[str, str], Holding] = {}
    nothing = Holding(done=False, late=False, until="")
    for row in log:
        key = (row.place, row.puzzle_id)
        before = found.get(key, nothing)
        match row.kind:
            case "reserve" | "renew":
                found[key] = Holding(done=before.done, late=before.late, until=row.until)
            case "done":
                found[key] = Holding(done=True, late=before.late or not before.until, until="")
            case "void":
                found[key] = nothing
            case "release" | "expire":
                found[key] = Holding(done=before.done, late=before.late, until="")
            case _:
                raise AssertionError(f"lease kind {row.kind!r}")
    return found


def loads(log: Iterable[LeaseRow], now: str) -> Counter[str]:
    """Return live plus done leases by puzzle; times are UTC in one form, so they compare as texts."""
    found: Counter[str] = Counter()
    for (_, puzzle), holding in holdings(log).items():
        if holding.done or holding.until > now:
            found[puzzle] += 1
    return found


def expired(log: Iterable[LeaseRow], now: str) -> tuple[LeaseRow, ...]:
    """Return the lines to append for the leases that are over and not done."""
    return tuple(
        LeaseRow(n=0, at=now, kind="expire", place=place, puzzle_id=puzzle, until="")
        for (place, puzzle), holding in sorted(holdings(log).items())
        if holding.until and holding.until <= now and not holding.done
    )


def finished(log: Iterable[LeaseRow], done: Mapping[str, Iterable[str]], now: str) -> tuple[LeaseRow, ...]:
    """Return the lines to append for work that is done and not in the log yet: puzzles by place."""
    known = holdings(log)
    return tuple(
        LeaseRow(n=0, at=now, kind="done", place=place, puzzle_id=puzzle, until="")
        for place in sorted(done)
        for puzzle in sorted(done[place])
        if not ((holding := known.get((place, puzzle))) and holding.done)
    )


def reserved(place: str, puzzles: Sequence[str], now: str, hours: int) -> tuple[LeaseRow, ...]:
    """Return the lines that reserve items for a place."""
    until = later(now, hours)
    return tuple(
        LeaseRow(n=0, at=now, kind="reserve", place=place, puzzle_id=puzzle, until=until) for puzzle in puzzles
    )
