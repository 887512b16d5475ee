"""C07: no seed, index or derivation key is to be had from what is public, since seed, code and index are the gold.

The pack's public texts are searched for the seed and for indices. Every number and hex run in them, and on a study pack
the seeds 0 to 9,999, are tried as seeds, and so are the seconds around the time of the pack's file: what they would
generate is compared with what is there. A practice pack's recipe is public; of it the rule says so, and never that it
passes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Set
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from audits.base import Finding, PackAudit, Row, Sensitivity, exact_rows, fingerprint
from audits.planted import made_view
from audits.view import PackView, Place, Shipped, Told
from audits.writing_plants import shipped
from audits.writing_seeds import recipes_of, tasks_generated
from engine.hidden_systems.behavior import PublicPayload, payload_text, read_payload
from engine.hidden_systems.program.draw import Draw, draw_system
from engine.hidden_systems.program.exact import label_of, outside_margin
from engine.hidden_systems.program.generate import MOST_ATTEMPTS, generate_skeleton, target_label
from engine.hidden_systems.program.skeleton import query_probability
from engine.hidden_systems.surface.template import RENDERER
from engine.instruction_adherence import packing as writing
from engine.instruction_adherence.generate import Recipe, generate_tasks
from engine.instruction_adherence.packing import read_recipe
from engine.instruction_adherence.seed_tasks import public_seed_tasks
from engine.instruction_adherence.writing import WritingMode
from engine.packs import Salts
from engine.store.pack import puzzle_id
from engine.store.sealed import Sealed

CLAIM = "neither seed nor index is in anything public, and no number in it or small seed generates a puzzle of the pack"
CLAIM_PRACTICE = "a practice pack: its recipe is public, so its gold is public by construction"
SMALL_SEEDS = 10_000
FIRST_INDICES = 3
"""A pack begins with index 0; one that was selected may have left it out."""
CLOCK_S = 120
"""Seconds before and after the time of a pack's file that are tried as seeds."""
LARGEST_SEED = 1 << 256
_NUMBER = re.compile(r"(?<![0-9a-fA-F])(?:\d{1,78}|[0-9a-fA-F]{8,64})(?![0-9a-fA-F])")
Outline = tuple[tuple[object, ...], ...]
"""What a draw and a payload have in common before codes are given out: its attributes with their query values."""


def audit_seeds(view: PackView) -> tuple[Row, ...]:
    """Run C07 beside a sealed file."""
    if view.kind != "study":
        return (_practice(view),)
    seeds, indices = _private(view.place)
    tried = [*printed_numbers(view), *clock_numbers(view.place), *range(SMALL_SEEDS)]
    findings = [*_texts(view, seeds), *_labels(view, indices), *generated(view, tried)]
    findings += tasks_generated(view.tasks, recipes_of(view), tried)
    return exact_rows("C07", CLAIM, "error", "pack", findings, len(view.puzzles) + len(view.tasks))


def _practice(view: PackView) -> Row:
    return Row(
        rule="C07", claim=CLAIM_PRACTICE, severity="note", status="inconclusive",
        n=len(view.puzzles) + len(view.tasks), threshold="a note, never a pass",
        fingerprint=fingerprint("C07", "pack", "/practice"),
    )  # fmt: skip


def _private(place: Place | None) -> tuple[Set[int], dict[str, int]]:
    """Return the seeds of a pack and each puzzle's index."""
    if place is None:
        return set(), {}
    with Sealed.open(place.sealed) as sealed:
        records = sealed.records()
        recipe = read_recipe(sealed.meta.get("recipe", ""))
    seeds = {record.seed for record in records} | ({int(recipe.seed)} if recipe is not None else set())
    return seeds, {record.puzzle_id: record.idx for record in records}


# Texts --------------------------------------------------------------------------------------------------------------


def public_texts(view: PackView) -> Iterator[tuple[str, str]]:
    """Yield every public text of a pack that is not a puzzle's own wording, with its place."""
    yield from ((f"/meta/{key}", value) for key, value in view.meta)
    if view.place is not None and view.place.whole_folder:
        yield from (("/files", entry.name) for entry in view.place.pack.parent.iterdir())
    tellings = [(one.id, one.tellings) for one in view.puzzles] + [(one.id, one.tellings) for one in view.tasks]
    for identity, told in tellings:
        yield "/id", identity
        yield from (("/renderings", f"{one.renderer} {one.domain} {one.status} {one.params_sha}") for one in told)


def _texts(view: PackView, seeds: Iterable[int]) -> Iterator[Finding]:
    """Yield the places where a seed stands, in decimals or hex."""
    words = [form for seed in seeds for form in (str(seed), f"{seed:x}") if seed >= SMALL_SEEDS]
    for at, text in public_texts(view):
        if any(word in text.lower() for word in words):
            yield Finding("pack", f"{at}/seed")


FEWEST_LABELLED = 3


def _labels(view: PackView, indices: dict[str, int]) -> Iterator[Finding]:
    """Yield the kinds of public field in which every puzzle's own index stands."""
    fields: dict[str, Callable[[Shipped], str]] = {
        "/id": lambda one: one.id,
        "/renderings/domain": lambda one: " ".join(told.domain for told in one.tellings),
        "/renderings/renderer": lambda one: " ".join(told.renderer for told in one.tellings),
        "/renderings/audit_status": lambda one: " ".join(told.status for told in one.tellings),
    }
    known = [one for one in view.puzzles if one.id in indices]
    for at, read in fields.items():
        told = [indices[one.id] in map(int, re.findall(r"\d+", read(one))) for one in known]
        if len(told) >= FEWEST_LABELLED and all(told):
            yield Finding("pack", f"{at}/index")


# Numbers tried as seeds ---------------------------------------------------------------------------------------------


def printed_numbers(view: PackView) -> Iterator[int]:
    """Yield each number and hex run that stands in a public text of the pack, once."""
    seen: set[int] = set()
    for _, text in public_texts(view):
        for run in _NUMBER.findall(text):
            values = {int(run, 16)} | ({int(run)} if run.isdecimal() else set())
            for value in sorted(values - seen):
                seen.add(value)
                if value < LARGEST_SEED:
                    yield value


def clock_numbers(place: Place | None) -> Iterator[int]:
    """Yield the seconds around the last change of the pack's file: a seed from the clock is a small one."""
    if place is not None:
        made = int(place.pack.stat().st_mtime)
        yield from range(made - CLOCK_S, made + CLOCK_S + 1)


def generated(view: PackView, seeds: Iterable[int]) -> Iterator[Finding]:
    """Yield the puzzles that one of these seeds generates at one of the first indices."""
    payloads = {one.payload: one.id for one in view.puzzles}
    outlines: dict[int, set[Outline]] = {}
    for text in payloads:
        payload = read_payload(text)
        outlines.setdefault(payload.complexity, set()).add(outline_of(payload))
    for seed in seeds:
        for complexity, known in outlines.items():
            for index in range(FIRST_INDICES):
                if _outline_drawn(complexity, seed, index) in known:
                    text = payload_text(generate_skeleton(complexity, seed, index).payload)
                    if text in payloads:
                        yield Finding(payloads[text], "/payload/generated")


def outline_of(payload: PublicPayload) -> Outline:
    """Return the outline of a payload."""
    asked = {setting.name: setting.value for setting in payload.query_case.attributes}
    told: list[tuple[object, ...]] = []
    for attribute in payload.attribute_vocabulary:
        value = asked[attribute.name]
        told.append(
            ("codes", len(attribute.values)) if isinstance(value, str) else ("numbers", value, attribute.values)
        )
    return tuple(sorted(told, key=repr))


def _outline_drawn(complexity: int, seed: int, index: int) -> Outline:
    """Return the outline of what a seed generates, without building it."""
    for attempt in range(MOST_ATTEMPTS):
        draw = draw_system(complexity, seed, index, attempt)
        probability = query_probability(draw)
        if outside_margin(probability) and label_of(probability) == target_label(index):
            return _outline(draw)
    return ()


def _outline(draw: Draw) -> Outline:
    told: list[tuple[object, ...]] = []
    for attribute in draw.attributes:
        if attribute.numeric:
            numbers = [value for value in (*attribute.shown, attribute.query) if isinstance(value, int)]
            told.append(("numbers", attribute.query, tuple(sorted(numbers))))
        else:
            told.append(("codes", len(attribute.shown)))
    return tuple(sorted(told, key=repr))


# Self-test ----------------------------------------------------------------------------------------------------------

PLANTED_SEED = 7
FEW = 12
COMPLEXITY = 4


def _study(seed: int) -> PackView:
    texts = [payload_text(generate_skeleton(COMPLEXITY, seed, index).payload) for index in range(FEW)]
    puzzles = sorted(
        (Shipped(id=puzzle_id(text, "salt"), payload=text, tellings=()) for text in texts), key=lambda p: p.id
    )
    return PackView(salt="salt", puzzles=tuple(puzzles), kind="study", meta=(("title", "a study"),))


def _recipe(mode: WritingMode, seed: int) -> Recipe:
    return Recipe(
        split="train", mode=mode, seed=seed, constraints=4, burial_depth=1, hard_family_weight=1.0,
        seed_tasks=public_seed_tasks(),
    )  # fmt: skip


def _tasks_found(mode: WritingMode, seed: int) -> bool:
    """Tell whether a pack of writing tasks from this seed is found among the seeds up to twice the planted one."""
    made = [writing.halves(task, "salt", Salts(seed=None)) for task in generate_tasks(_recipe(mode, seed), 3)]
    return any(tasks_generated([shipped(one) for one in made], [_recipe(mode, 0)], range(2 * PLANTED_SEED)))


def _clock_found(*, near: bool) -> bool:
    """Tell whether the second at which a pack's file was made is found as its seed."""
    with TemporaryDirectory(prefix="clew-audit-") as name:
        file = Path(name) / "pack.db"
        file.touch()
        seed = int(file.stat().st_mtime) - CLOCK_S // 2 * (1 if near else 100)
        return any(generated(_study(seed), clock_numbers(Place(pack=file, sealed=file, whole_folder=False))))


def plants() -> Sensitivity:
    """Make packs from seed 7 and from the clock, print a seed in a title, and an index in each label."""
    clean = replace(made_view(FEW), kind="study", meta=(("title", "a study"),))
    secret = 1 << 200 | 12345
    indices = {one.id: nth for nth, one in enumerate(clean.puzzles)}
    found = [
        any(generated(_study(PLANTED_SEED), range(2 * PLANTED_SEED))),
        any(generated(titled := _titled(_study(secret), f"run {secret}"), printed_numbers(titled))),
        any(_texts(_titled(clean, f"run {secret}"), [secret])),
        any(_texts(_titled(clean, f"run {secret:X}"), [secret])),
        any(_labels(_numbered(clean), indices)),
        _clock_found(near=True),
        _tasks_found("single", PLANTED_SEED),
        _tasks_found("multi", PLANTED_SEED),
    ]
    silent = [
        *_texts(clean, [secret]), *_labels(clean, indices), *generated(clean, range(2 * PLANTED_SEED)),
    ]  # fmt: skip
    alarms = len(silent) + _clock_found(near=False) + _tasks_found("single", SMALL_SEEDS)
    return Sensitivity(sum(found), len(found), alarms)


def _titled(view: PackView, title: str) -> PackView:
    return replace(view, meta=(("title", title),))


def _numbered(view: PackView) -> PackView:
    """Name each puzzle by its place."""
    named = [Told(renderer=RENDERER, domain=f"puzzle {nth}", text="") for nth in range(len(view.puzzles))]
    pairs = zip(view.puzzles, named, strict=True)
    return replace(view, puzzles=tuple(replace(one, tellings=(told,)) for one, told in pairs))


SEEDS = PackAudit(rule="C07", scope="files", severity="error", claim=CLAIM, run=audit_seeds, self_test=plants)
