"""How pinned rows are put side by side: an axis from 0 to 1 for each, and what they share and where they differ.

Pure functions of rows that the engine read out of the payload; no counts are pooled and nothing is concluded.
"""

from __future__ import annotations

from collections.abc import Sequence

from engine.hidden_systems.behavior import EvidenceRow, differences
from tui.wording import Words


def axis(row: EvidenceRow, cells: int) -> str:
    """Return the range of a row and its share on an axis of so many cells from 0 to 1, borders besides."""
    share = row.present / row.trials if row.trials else 0.0
    last = cells - 1
    low, high, at = (round(one * last) for one in (row.low, row.high, share))
    return "|" + "".join("*" if x == at else "-" if low <= x <= high else "." for x in range(cells)) + "|"


def comparison(rows: Sequence[EvidenceRow], words: Words) -> tuple[str, ...]:
    """Return what is the same in all rows and what differs, as one sentence each; empty for fewer than two rows."""
    if len(rows) < 2:
        return ()
    first, *others = rows
    found = [differences(first, other) for other in others]
    names = [setting.name for setting in first.attributes]
    same = [name for name in names if all(name in one.same_settings for one in found)]
    alike = [_setting(name, rows[:1], words) for name in same]
    unlike = [_setting(name, rows, words) for name in names if name not in same]
    shared = [event for event in first.events if all(event in one.shared_events for one in found)]
    told = []
    if alike:
        told.append(f"same: {', '.join(alike)}")
    if unlike:
        told.append(f"differs: {', '.join(unlike)}")
    return (*told, _events(shared, all(one.same_order for one in found), words))


def _setting(name: str, rows: Sequence[EvidenceRow], words: Words) -> str:
    """Return an attribute with its value in each row, such as `load 7 / 8`."""
    values = [words.value(setting) for row in rows for setting in row.attributes if setting.name == name]
    return f"{words.attribute(name)} {' / '.join(values)}"


def _events(shared: Sequence[str], same_order: bool, words: Words) -> str:
    if not shared:
        return "no shared event"
    order = "" if same_order or len(shared) < 2 else ", in another order"
    return f"shared: {', '.join(words.event(event) for event in shared)}{order}"
