"""C01: how long a puzzle takes to show, and how much room it takes, say nothing of its label.

Rows of the report hold measured times, so this one rule does not give the same bytes twice. Items are measured in the
public order, twice, and the quicker time counts: what else the machine does falls on both labels alike.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import replace
from time import perf_counter_ns

import numpy as np

from audits.base import Finding, Measure, PackAudit, Row, Sensitivity, exact_rows, fingerprint, settled
from audits.draws import Floats
from audits.learners import available, generator
from audits.planted import timed_view
from audits.shortcuts import LEAK, LEAK_LIMIT
from audits.statistics import auc_either_way, auc_upper
from audits.view import PackView, Shipped
from engine.canonical import text_digest
from engine.hidden_systems.behavior import LABELS, read_payload
from engine.hidden_systems.packing import rendering_row
from engine.hidden_systems.presenting import present, present_system
from engine.store.pack import Pack

CLAIM_TIME = "the time that a puzzle takes to be shown says nothing of its label"
CLAIM_SIZE = "the room that a puzzle takes, digits apart, says nothing of its label"
CLAIM_FILES = "no file beside the pack is about one puzzle"
FEWEST_ITEMS = 200
ROUNDS = 2
Clock = Callable[[], int]
"""Monotonic nanoseconds."""
Shower = Callable[[Shipped], object]


def shown_times(view: PackView, show: Shower, clock: Clock = perf_counter_ns) -> Floats:
    """Return nanoseconds to show each puzzle, in the view's order: the quickest of the rounds."""
    best = np.full(len(view.puzzles), np.inf)
    for _ in range(ROUNDS):
        for nth, puzzle in enumerate(view.puzzles):
            start = clock()
            show(puzzle)
            best[nth] = min(best[nth], clock() - start)
    return best


def sizes(view: PackView) -> Floats:
    """Return the characters of each puzzle's payload and texts without digits."""
    return np.array(
        [
            sum(not c.isdigit() for text in (p.payload, *(t.text for t in p.tellings)) for c in text)
            for p in view.puzzles
        ],
        dtype=np.float64,
    )


def audit_timing(view: PackView) -> tuple[Row, ...]:
    """Run C01 on a pack beside its sealed file."""
    if view.place is None:
        return _rows(view, shown_times(view, _from_memory), ())
    with closing(Pack.open(view.place.pack)) as pack:
        times = shown_times(view, lambda puzzle: _from_pack(pack, puzzle.id))
    names = sorted(entry.name for entry in view.place.pack.parent.iterdir()) if view.place.whole_folder else []
    return _rows(view, times, names)


def _rows(view: PackView, times: Floats, names: Sequence[str]) -> tuple[Row, ...]:
    labels = np.array(view.present or (), dtype=bool)
    told = [puzzle.id for puzzle in view.puzzles]
    about_one = [Finding("folder", "/name") for name in names if any(identity in name for identity in told)]
    return (
        _row(CLAIM_TIME, times, labels),
        _row(CLAIM_SIZE, sizes(view), labels),
        *exact_rows("C01", CLAIM_FILES, "error", "folder", about_one, len(told)),
    )


def _row(claim: str, values: Floats, labels: np.ndarray[tuple[int], np.dtype[np.bool_]]) -> Row:
    row = Row(
        rule="C01", claim=claim, severity="error", status="inconclusive", n=len(labels), threshold=LEAK,
        fingerprint=fingerprint("C01", "pack", f"/{claim}"), detects_only=True,
    )  # fmt: skip
    if not available() or len(labels) < FEWEST_ITEMS or labels.all() or not labels.any():
        return replace(row, severity="note")
    tested = auc_either_way(values, labels)
    upper = auc_upper(tested.value, int(labels.sum()), int((~labels).sum()))
    bound = Measure("99 % upper, one-sided", upper)
    return replace(row, statistic=Measure("AUC, either way", tested.value), chance=0.5, p=tested.p, bound=bound,
                   limit=LEAK_LIMIT)  # fmt: skip


def _from_pack(pack: Pack, identity: str) -> object:
    return present_system(pack, identity, LABELS)


def _from_memory(puzzle: Shipped) -> object:
    payload = read_payload(puzzle.payload)
    return present(payload, rendering_row(puzzle.id, payload), LABELS)


# Self-test ----------------------------------------------------------------------------------------------------------

USUAL_NS, LATE_NS = 3_000_000, 20_000_000


def plants() -> Sensitivity:
    """Let showing take 20 ms more for one label, pad the payloads of one label, name a file after a puzzle.

    The clock is a made one: it moves on by a time that has nothing to do with the label, and by what a plant adds.
    """
    if not available():
        return Sensitivity(0, 0)
    view = timed_view()
    clean = _rows(view, _made_times(view, late=False), ("pack.db",))
    late = _rows(view, _made_times(view, late=True), ())
    bits = view.present or ()
    padded = replace(
        view,
        puzzles=tuple(replace(p, payload=p.payload + " " * bit * 9) for p, bit in zip(view.puzzles, bits, strict=True)),
    )
    fat = _rows(padded, _made_times(view, late=False), ())
    named = _rows(view, _made_times(view, late=False), (f"{view.puzzles[0].id}.txt",))
    found = sum(_fails(rows) for rows in (late, fat, named))
    return Sensitivity(found, 3, int(_fails(clean)))


def _fails(rows: Sequence[Row]) -> bool:
    return any(row.status == "fail" for row in settled(rows))


def _made_times(view: PackView, *, late: bool) -> Floats:
    noise = iter(generator("plants", "C01").permutation(4 * len(view.puzzles)).tolist())
    labels = {puzzle.id: bit for puzzle, bit in zip(view.puzzles, view.present or (), strict=True)}
    now = 0

    def show(puzzle: Shipped) -> object:
        nonlocal now
        now += USUAL_NS + 1000 * int(next(noise)) + (LATE_NS if late and labels[puzzle.id] else 0)
        return text_digest(puzzle.id)

    return shown_times(view, show, lambda: now)


TIMING = PackAudit(
    rule="C01",
    scope="sealed",
    severity="error",
    claim="time to show, room and file names say nothing of the label",
    run=audit_timing,
    self_test=plants,
)
