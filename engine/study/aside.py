"""The pack beside the study's: practice, attention items, and items under a second id for those that come twice.

All of it is public by construction. It has a salt of its own, so that an item shown again has another id and looks like
any other; the study's pack stays byte for byte what was generated and committed to.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from msgspec.structs import replace as changed

from engine.canonical import digest, text_digest
from engine.errors import UsageError
from engine.hidden_systems.behavior import LABELS, Label, PublicPayload, payload_text, read_payload
from engine.hidden_systems.presenting import FAMILY_NAME, choose
from engine.hidden_systems.surface.template import render
from engine.instruction_adherence.packing import rendering_row
from engine.instruction_adherence.writing import FAMILY as WRITING
from engine.instruction_adherence.writing import WritingPayload, read_writing, writing_text
from engine.randomness import Stream, derive
from engine.store.pack import PACK_SALT, Pack, PackEntry, PackPuzzle, PackRendering, puzzle_id, write_pack
from engine.store.rows import column_names
from engine.study.attending import EASIEST, EasyTask, easy_task
from engine.study.config import FAMILIES, FamilyName
from engine.study.manifest import Copy, Extra
from engine.study.rehearsal import Prepared

PURPOSE = "study/aside"


@dataclass(frozen=True, kw_only=True)
class Told:
    """A puzzle with the one rendering that is shown."""

    puzzle: PackPuzzle
    rendering: PackRendering

    @property
    def family(self) -> FamilyName:
        return "instruction-adherence" if self.puzzle.family == WRITING else "hidden-systems"

    def prompt_shas(self) -> tuple[str, ...]:
        """Return the digests of the exact texts shown, one a turn."""
        if self.puzzle.family == WRITING:
            turns = read_writing(self.puzzle.payload, where=f"puzzle {self.puzzle.id!r}").turns
            return tuple(text_digest(turn) for turn in turns)
        return (self.rendering.body_sha,)

    def texts(self) -> tuple[str, ...]:
        if self.puzzle.family == WRITING:
            return read_writing(self.puzzle.payload, where=f"puzzle {self.puzzle.id!r}").turns
        return (self.rendering.body,)

    def extra(self) -> Extra:
        return Extra(uid=self.puzzle.id, family=self.family, prompt_shas=self.prompt_shas())


def told(pack: Pack, entry: PackEntry) -> Told:
    """Return a puzzle of a pack as people meet it."""
    payload = pack.payload(entry.id)
    renderings = pack.renderings(entry.id)
    if entry.family == FAMILY_NAME:
        rendering = choose(renderings, read_payload(payload, where=f"puzzle {entry.id!r}"))
    elif renderings:
        rendering = renderings[0]
    else:
        raise UsageError(f"puzzle {entry.id!r} has no text; verify the pack")
    return Told(
        puzzle=PackPuzzle(**{name: getattr(entry, name) for name in column_names(PackEntry)}, payload=payload),
        rendering=rendering,
    )


@dataclass(frozen=True, kw_only=True)
class AsideItems:
    """What goes into the aside pack, under the ids that it gives."""

    practice: tuple[Told, ...]
    practice_of: dict[str, str]
    """Id in the practice pack by id here."""
    attention: tuple[Told, ...]
    """Those of hidden systems, then those of writing tasks."""
    attention_checks: tuple[Prepared, ...]
    """What each attention item of writing tasks is checked for."""
    copies: tuple[Told, ...]
    copy_rows: tuple[Copy, ...]


def aside_salt(order_seed: str) -> str:
    """Return the public salt of the aside pack's ids."""
    return f"{derive(f'{PURPOSE}/salt', order_seed):064x}"


def gather(
    items: Sequence[Told], practice: Pack, *, systems: int, writing: int, attention: int, repeats: int, order_seed: str
) -> AsideItems:
    """Return what is shown beside the study's items.

    Args:
        items: the study's items.
        systems, writing: practice items of each family.
        attention: attention items of each family that the study has; those of hidden systems are made from other
            puzzles of the practice pack.
        repeats: items of each family a person meets twice; without any, no copies are made.

    Raises:
        UsageError: the practice pack has too few puzzles that are not the study's own.
    """
    salt = aside_salt(order_seed)
    families = {one.puzzle.family for one in items}
    known = {one.puzzle.payload_sha for one in items}
    free = [entry for entry in practice.puzzles() if entry.payload_sha not in known]
    chosen = _chosen(free, FAMILY_NAME, systems, order_seed) + _chosen(free, WRITING, writing, order_seed)
    used = {entry.id for entry in chosen}
    base = _base(items, [entry for entry in free if entry.id not in used], attention)
    easy = [easy_task(order_seed, nth) for nth in range(attention if WRITING in families else 0)]
    tasks = [_attention_task(one, salt) for one in easy]
    again = [one for family in FAMILIES for one in _again(items, family)] if repeats else []
    copies = [_moved(one, salt) for one in again]
    rehearsed = [_moved(told(practice, entry), salt) for entry in chosen]
    return AsideItems(
        practice=tuple(rehearsed),
        practice_of={one.puzzle.id: entry.id for one, entry in zip(rehearsed, chosen, strict=True)},
        attention=(*(_attention(practice, entry, salt, order_seed) for entry in base), *tasks),
        attention_checks=tuple(
            Prepared(puzzle_id=one.puzzle.id, turns=(source.turn,)) for one, source in zip(tasks, easy, strict=True)
        ),
        copies=tuple(copies),
        copy_rows=tuple(Copy(uid=copy.puzzle.id, of=one.puzzle.id) for one, copy in zip(again, copies, strict=True)),
    )


def _base(items: Sequence[Told], free: Sequence[PackEntry], attention: int) -> list[PackEntry]:
    """Return the practice puzzles from which attention items of hidden systems are made; none without such items."""
    sizes = {one.puzzle.complexity for one in items if one.puzzle.family == FAMILY_NAME}
    base = [entry for entry in free if entry.family == FAMILY_NAME] if sizes else []
    if sizes and attention > len(base):
        raise UsageError(f"the practice pack gives {len(base)} attention items; {attention} are asked for")
    return sorted(base, key=lambda entry: (entry.complexity not in sizes, entry.id))[:attention]


def _again(items: Sequence[Told], family: FamilyName) -> list[Told]:
    """Return the items of a family that may be met twice: no conversation where there is a single text to write."""
    mine = [one for one in items if one.family == family]
    return [one for one in mine if one.puzzle.n_turns == 1] or mine


def write_aside(path: Path, items: AsideItems, title: str, order_seed: str) -> str:
    """Write the aside pack; return the digest of its content."""
    shown = (*items.practice, *items.attention, *items.copies)
    return write_pack(
        path,
        meta={"title": title, "kind": "aside", PACK_SALT: aside_salt(order_seed)},
        puzzles=[one.puzzle for one in shown],
        renderings=[one.rendering for one in shown],
    )


def expected_label(payload: PublicPayload) -> Label:
    """Return the answer to an attention item: what all of its histories say."""
    present = sum(case.observed_present or 0 for case in payload.support_cases)
    return LABELS[0] if present else LABELS[1]


def _chosen(free: Sequence[PackEntry], family: str, count: int, order_seed: str) -> list[PackEntry]:
    """Return practice puzzles of a family, the easiest first."""
    mine = [entry for entry in free if entry.family == family and entry.n_turns == 1]
    if len(mine) < count:
        raise UsageError(f"the practice pack has {len(mine)} puzzles of {family}; {count} are asked for")
    stream = Stream(f"{PURPOSE}/practice", order_seed, family)
    return sorted(stream.shuffled(mine), key=lambda entry: entry.complexity)[:count]


def _moved(one: Told, salt: str) -> Told:
    """Return the same puzzle under the id that this pack's salt gives it."""
    identity = puzzle_id(one.puzzle.payload, salt)
    rendering = replace(
        one.rendering,
        id=text_digest("/".join((identity, one.rendering.renderer, one.rendering.domain, one.rendering.params_sha)))[
            :32
        ],
        puzzle_id=identity,
    )
    return Told(puzzle=replace(one.puzzle, id=identity), rendering=rendering)


def commitment(turn: str) -> str:
    """Return the digest by which the pack fixes what an attention task is checked for."""
    return digest([PURPOSE, turn])


def _attention_task(task: EasyTask, salt: str) -> Told:
    """Return an attention item of writing tasks, with its checks fixed by digest alone."""
    text = writing_text(WritingPayload(mode="single", turns=(task.text,)))
    identity = puzzle_id(text, salt)
    return Told(
        puzzle=PackPuzzle(
            id=identity, family=WRITING, kind="single", complexity=len(EASIEST), n_turns=1,
            payload_sha=text_digest(text), commit_sha=commitment(task.turn), payload=text,
        ),
        rendering=rendering_row(identity, task.task_type, task.text),
    )  # fmt: skip


def _attention(practice: Pack, entry: PackEntry, salt: str, order_seed: str) -> Told:
    """Return a puzzle in which every history went one way, told like any other."""
    source = read_payload(practice.payload(entry.id), where=f"puzzle {entry.id!r}")
    present = Stream(f"{PURPOSE}/attention", order_seed, entry.id).chance(1, 2)
    payload = changed(
        source,
        support_cases=tuple(
            changed(
                case,
                observed_present=case.trials if present else 0,
                observed_absent=0 if present else case.trials,
            )
            for case in source.support_cases
        ),
    )
    text, telling = payload_text(payload), render(payload)
    identity, params_sha = puzzle_id(text, salt), digest({"renderer": telling.renderer, "domain": telling.domain})
    return Told(
        puzzle=PackPuzzle(
            id=identity, family=FAMILY_NAME, kind=entry.kind, complexity=entry.complexity, n_turns=1,
            payload_sha=text_digest(text), commit_sha=digest([PURPOSE, text]), payload=text,
        ),
        rendering=PackRendering(
            id=text_digest("/".join((identity, telling.renderer, telling.domain, params_sha)))[:32],
            puzzle_id=identity, renderer=telling.renderer, domain=telling.domain, params_sha=params_sha,
            body=telling.text, body_sha=text_digest(telling.text), audit_status="",
        ),
    )  # fmt: skip
