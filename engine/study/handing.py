"""From places to lists and bundles: who shows what, in which order, and on which machine."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import get_args

from engine.errors import UsageError, quoted
from engine.public import Aid
from engine.store.clock import Clock, utc_now
from engine.store.files import scratch_folder
from engine.store.study_file import LeaseRow, PlaceRow
from engine.study.assigning import aids_of, new_code, plan_places
from engine.study.bundle import Listed, Place, read_bundle, write_bundle
from engine.study.folder import Study
from engine.study.manifest import Manifest
from engine.study.ordering import Phase, Slot, blocks, dealt, sequence
from engine.study.proof import leaks

CODE = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{5,39}")
CODE_RULE = "6 to 40 letters, digits, - or _ are right"
"""Shorter codes occur by chance in any file, and could not be shown to be gone after a withdrawal."""


def reserve(
    study: Study, codes: Sequence[str], *, discounted: Collection[str] = (), clock: Clock = utc_now
) -> tuple[PlaceRow, ...]:
    """Give places to codes, each with a lease on its items; fewer places when not enough items are open.

    Args:
        discounted: places whose work fills nothing, because a rule leaves their people out.

    Raises:
        UsageError: the study is closed, or a code is taken or twice there.
    """
    if study.is_closed():
        raise UsageError(f"study {study.manifest.name!r} is closed; a new version would take more people")
    taken = {place.code for place in study.file.places()}
    for nth, code in enumerate(codes):
        if not CODE.fullmatch(code):
            raise UsageError(f"code {quoted(code)}: {CODE_RULE}, so that a search of bytes can find it")
        others = {*taken, *codes[:nth]}
        if code in others:
            raise UsageError(f"code {quoted(code)} is taken; every participant has a code of their own")
        if near := [other for other in others if code in other or other in code]:
            raise UsageError(f"code {quoted(code)} and code {quoted(near[0])} hold each other; take another one")
    now = clock()
    return study.file.reserve(
        lambda places, log: plan_places(study.manifest, places, log, codes=codes, now=now, discounted=discounted)
    )


def fresh_codes(study: Study, count: int) -> tuple[str, ...]:
    """Return codes that nobody has yet."""
    taken = {place.code for place in study.file.places()}
    found: list[str] = []
    while len(found) < count:
        code = new_code()
        if code not in taken and code not in found:
            found.append(code)
    return tuple(found)


def items_of(place: PlaceRow, log: Sequence[LeaseRow]) -> tuple[str, ...]:
    """Return the items that a place was given, sorted."""
    return tuple(sorted({row.puzzle_id for row in log if row.place == place.id and row.kind == "reserve"}))


def list_of(manifest: Manifest, position: int, items: Sequence[str]) -> tuple[Slot, ...]:
    """Return a participant's list in the order in which it is shown: a function of the manifest and the position."""
    known = {item.uid: item for item in manifest.items}
    strata = {puzzle: known[puzzle].stratum for puzzle in items}
    attention = manifest.aside.attention
    return sequence(
        _phases(manifest, position, strata),
        families={puzzle: known[puzzle].family for puzzle in items} | {extra.uid: extra.family for extra in attention},
        attention=[extra.uid for extra in attention],
        copies={copy.of: copy.uid for copy in manifest.aside.copies},
        repeats=manifest.design.repeats, position=position, seed=manifest.order_seed,
    )  # fmt: skip


def _phases(manifest: Manifest, position: int, strata: Mapping[str, str]) -> list[Phase]:
    """Return a person's items by the aids under which they are met, in order."""
    order = aids_of(manifest, position)
    seed = manifest.order_seed
    mine = dealt(strata, manifest.aids, position=position, seed=seed) if len(order) > 1 else {order[0]: tuple(strata)}
    return [
        Phase(
            aid=aid,
            blocks=blocks(
                {puzzle: strata[puzzle] for puzzle in mine[aid]}, rule=manifest.design.order,
                block_items=manifest.design.block_items, position=position, seed=seed,
            ),
        )
        for aid in order
        if aid in mine
    ]  # fmt: skip


def place_of(manifest: Manifest, row: PlaceRow, log: Sequence[LeaseRow]) -> Place:
    """Return what a bundle says about one participant."""
    aid: Aid = next(aid for aid in get_args(Aid) if aid == row.aid)
    slots = list_of(manifest, row.position, items_of(row, log))
    return Place(
        id=row.id, code=row.code, position=row.position, aid=slots[0].aid if slots else aid,
        items=tuple(
            Listed(puzzle_id=slot.puzzle_id, role=slot.role, block=slot.block, aid=slot.aid) for slot in slots
        ),
    )  # fmt: skip


def pack_bundle(study: Study, out: Path, codes: Sequence[str], sealed: Sequence[Path] = ()) -> tuple[Place, ...]:
    """Write a bundle for some codes, after a search of its bytes for anything sealed.

    Args:
        sealed: the sealed halves, one a pack; where they lay when the study was frozen without them.

    Raises:
        UsageError: an unknown code, or a file of the bundle holds something sealed; nothing is left behind then.
    """
    rows = {place.code: place for place in study.file.places() if place.version == study.manifest.version}
    wanted = list(codes) or sorted(rows)
    if unknown := [code for code in wanted if code not in rows]:
        raise UsageError(f"code {quoted(unknown[0])} has no place in this study; clew study plan gives places")
    if not wanted:
        raise UsageError("nobody has a place yet; clew study plan --participants N gives some")
    log = study.file.leases()
    places = tuple(place_of(study.manifest, rows[code], log) for code in wanted)
    if out.exists():
        raise UsageError(f"{out} exists already; a bundle needs a new folder")
    with scratch_folder(study.folder) as scratch:
        trial = scratch / "bundle"
        write_bundle(trial, study.place, study.manifest, places)
        if found := leaks(trial, study.packs, study.sealed(sealed)):
            raise UsageError(f"bundle not made: {found[0]} would hold something sealed; report this line")
        read_bundle(trial)
    write_bundle(out, study.place, study.manifest, places)
    return places
