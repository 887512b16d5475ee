"""S03, S04 and S10 on a shipped pack: its order, its ids and the balance of its labels.

Order and ids are exact: each is a function of public data, which is stronger than any test. Labels are tested beside a
sealed file; that a large pack leaks less than a small one could show is the draws' business.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import groupby

import numpy as np

from audits.base import Finding, Measure, Row, exact_rows, fingerprint
from audits.learners import available
from audits.statistics import balance, largest_imbalance, runs
from audits.view import PackView
from engine.hidden_systems.behavior import read_payload
from engine.hidden_systems.surface.domain import pick_domain
from engine.hidden_systems.surface.template import RENDERER
from engine.store.pack import puzzle_id, rendering_id

CLAIM_S03_PACK = "a pack lists its puzzles by their public ids"
CLAIM_S03_SEALED = "the generator's alternation of labels does not show in the public order"
CLAIM_S04_PACK = "ids and domains of texts are functions of public data, cases are numbered in order, codes are neutral"
CLAIM_S10_SEALED = "the two labels are as common as each other"
FEWEST_LABELS = 20


def audit_pack_order(view: PackView) -> tuple[Row, ...]:
    """Run S03 on a pack: with S04's digests, order by id makes place a function of payload and public salt."""
    ids = [puzzle.id for puzzle in view.puzzles]
    findings = [Finding(one, "/order") for one, place in zip(ids, sorted(ids), strict=True) if one != place]
    return exact_rows("S03", CLAIM_S03_PACK, "error", "pack", findings, len(ids))


def audit_pack_ids(view: PackView) -> tuple[Row, ...]:
    """Run S04 on a pack: every id is recomputed."""
    findings = [Finding(puzzle.id, at) for puzzle in view.puzzles for at in _id_faults(puzzle.id, puzzle.payload, view)]
    findings += _telling_faults(view)
    return exact_rows("S04", CLAIM_S04_PACK, "error", "pack", findings, len(view.puzzles))


def _id_faults(identity: str, text: str, view: PackView) -> list[str]:
    faults = [] if view.salt and identity == puzzle_id(text, view.salt) else ["/id"]
    payload = read_payload(text)
    cases = [case.id for case in payload.support_cases]
    if cases != [f"c{nth:02d}" for nth in range(1, len(cases) + 1)]:
        faults.append("/payload/support_cases/0/id")
    if payload.query_case.id != "q":
        faults.append("/payload/query_case/id")
    if payload.event_vocabulary != tuple(f"E{nth}" for nth in range(1, payload.complexity + 1)):
        faults.append("/payload/event_vocabulary")
    names = tuple(item.name for item in payload.attribute_vocabulary)
    if names != tuple(f"A{nth}" for nth in range(1, len(names) + 1)):
        faults.append("/payload/attribute_vocabulary")
    return faults


def _telling_faults(view: PackView) -> Iterator[Finding]:
    """Yield renderings whose id or domain is no function of public data.

    The template tells a puzzle in the domain that its payload draws; in any other only if every puzzle is told in it.
    """
    domains = [{told.domain for told in puzzle.tellings if told.renderer == RENDERER} for puzzle in view.puzzles]
    shared = set.intersection(*domains) if domains else set()
    for puzzle, told_in in zip(view.puzzles, domains, strict=True):
        if told_in - shared - {pick_domain(read_payload(puzzle.payload))}:
            yield Finding(puzzle.id, "/renderings/0/domain")
        for nth, told in enumerate(puzzle.tellings):
            if told.id and told.id != rendering_id(puzzle.id, told.renderer, told.domain, told.params_sha):
                yield Finding(puzzle.id, f"/renderings/{nth}/id")


def audit_pack_runs(view: PackView) -> tuple[Row, ...]:
    """Run S03 beside a sealed file: the label's runs in the order of the pack."""
    row = _label_row("S03", CLAIM_S03_SEALED, len(view.puzzles))
    labels = np.array(view.present or (), dtype=bool)
    if len(labels) < FEWEST_LABELS or labels.all() or not labels.any():
        return (row,)
    tested = runs(labels)
    return (replace(row, statistic=Measure("runs z", tested.value), chance=0.0, p=tested.p),)


def audit_pack_balance(view: PackView) -> tuple[Row, ...]:
    """Run S10 beside a sealed file: the labels of each complexity."""
    rows = []
    for complexity, labels in _by_complexity(view):
        row = _label_row("S10", f"{CLAIM_S10_SEALED} (complexity {complexity})", len(labels))
        rows.append(replace(balanced(row, sum(labels), len(labels)), fewest=1))
    return tuple(rows) or (_label_row("S10", CLAIM_S10_SEALED, 0),)


def balanced(row: Row, ups: int, count: int) -> Row:
    """Return a row of S10 with the share of PRESENT, its test and, with the extra `analysis`, its exact interval."""
    tested = balance(ups, count)
    row = replace(row, statistic=Measure("share of PRESENT", tested.value), chance=0.5, p=tested.p)
    if not available():
        return row
    bound = Measure("99 % interval, largest distance from one half", largest_imbalance(ups, count))
    return replace(row, bound=bound)


def _by_complexity(view: PackView) -> Iterator[tuple[int, list[bool]]]:
    pairs = [(read_payload(p.payload).complexity, bit) for p, bit in zip(view.puzzles, view.present or (), strict=True)]
    for complexity, group in groupby(sorted(pairs), key=lambda pair: pair[0]):
        yield complexity, [bit for _, bit in group]


def _label_row(rule: str, claim: str, count: int) -> Row:
    return Row(
        rule=rule,
        claim=claim,
        severity="error",
        status="inconclusive",
        n=count,
        threshold="p_holm < 0.01 fails",
        fingerprint=fingerprint(rule, "pack", f"/labels/{claim}"),
        detects_only=True,
    )
