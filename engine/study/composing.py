"""From a study file and its packs to a manifest, and to what is shown beside the items. Nothing is written here."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

from engine.errors import UsageError
from engine.randomness import Stream, secret_bits
from engine.store.pack import Pack
from engine.store.places import builtin_pack, pack_path
from engine.store.verify import verify_file
from engine.study.aside import AsideItems, Told, gather, told
from engine.study.config import BUILTIN, Config
from engine.study.exclusions import code_sha
from engine.study.legible import steering
from engine.study.manifest import FORMAT, SCALES, Aside, Counting, Item, Manifest, PackRow, RuleUse
from engine.study.packset import PackSet
from engine.study.statuses import PRESENTED, STATUSES

SEED_BITS = 128


@dataclass(frozen=True, kw_only=True)
class Seeds:
    """The manifest's own seeds: they order items and resample, and draw no puzzle."""

    order: str
    resampling: str

    @classmethod
    def fresh(cls) -> Seeds:
        return cls(order=f"{secret_bits(SEED_BITS):032x}", resampling=f"{secret_bits(SEED_BITS):032x}")


@dataclass(frozen=True, kw_only=True)
class Composed:
    """A study before it is frozen. `aside.pack_sha` in the manifest is still empty: the pack is not written yet."""

    manifest: Manifest
    aside: AsideItems
    packs: tuple[Path, ...]
    practice: Path


def compose(config: Config, base: Path, seeds: Seeds, version: int) -> Composed:
    """Put a study together.

    Args:
        base: folder to which the paths in `config` are relative.

    Raises:
        UsageError: the packs do not give what is asked for, or a text would not reach the screen as it is.
        StoreError: a pack is missing, damaged or of the wrong kind.
    """
    packs = tuple(pack_path(str(base / name)) for name in config.packs)
    practice_path = builtin_pack() if config.practice.pack == BUILTIN else pack_path(str(base / config.practice.pack))
    with ExitStack() as files:
        opened = files.enter_context(PackSet(packs))
        practice = files.enter_context(Pack.open(practice_path))
        _require_kinds(opened.packs, practice)
        items = _choose(opened, config, seeds.order)
        aside = gather(
            items, practice, systems=config.practice.hidden_systems, writing=config.practice.writing,
            attention=config.design.attention, repeats=config.design.repeats, order_seed=seeds.order,
        )  # fmt: skip
        _require_legible((*items, *aside.practice, *aside.attention), config)
        manifest = _manifest(config, opened.packs, items, aside, seeds, version, practice.meta.get("title", ""))
    return Composed(manifest=manifest, aside=aside, packs=packs, practice=practice_path)


def _require_kinds(packs: Sequence[Pack], practice: Pack) -> None:
    for pack in packs:
        if pack.meta.get("kind") != "study":
            raise UsageError(
                f"{pack.path} is a {pack.meta.get('kind', '?')} pack, whose gold anybody can compute; a study needs one"
                " made with --secret-seed"
            )
        if findings := verify_file(pack.path):
            raise UsageError(f"{pack.path}: {findings[0]}", "clew verify-pack says more")
    if practice.meta.get("kind") == "study":
        raise UsageError(f"{practice.path} is a study pack; practice needs a pack of a public seed, or builtin")


def _choose(packs: PackSet, config: Config, order_seed: str) -> list[Told]:
    """Return the items of the study by id: all of the wanted families, or so many of each stratum."""
    strata: dict[tuple[str, str, int], list[str]] = defaultdict(list)
    for entry in packs.entries.values():
        if entry.family in config.items.families:
            strata[entry.family, entry.kind, entry.complexity].append(entry.id)
    missing = set(config.items.families) - {family for family, _, _ in strata}
    if missing:
        raise UsageError(f"the packs hold no puzzle of {sorted(missing)[0]!r}, which items.families names")
    chosen: list[str] = []
    for stratum in sorted(strata):
        ids, wanted = sorted(strata[stratum]), config.items.per_stratum or len(strata[stratum])
        if len(ids) < wanted:
            raise UsageError(
                f"items.per_stratum is {wanted}; the packs hold {len(ids)} of {'/'.join(map(str, stratum))}"
            )
        chosen += Stream("study/items", order_seed, *stratum).sample(ids, wanted)
    return [told(packs.home(puzzle), packs.entry(puzzle)) for puzzle in sorted(chosen)]


def _manifest(
    config: Config, packs: Sequence[Pack], items: Sequence[Told], aside: AsideItems, seeds: Seeds, version: int,
    practice_title: str,
) -> Manifest:  # fmt: skip
    return Manifest(
        format=FORMAT, name=config.name, title=config.title, version=version, clew_version=metadata.version("clew"),
        packs=tuple(PackRow(content_sha=p.sha, commit_root=p.meta.get("commit_root", "")) for p in packs),
        items=tuple(map(_item, items)),
        aside=Aside(
            pack_sha="", practice=tuple(one.extra() for one in aside.practice),
            attention=tuple(one.extra() for one in aside.attention), copies=aside.copy_rows,
        ),
        practice_source=BUILTIN if config.practice.pack == BUILTIN else practice_title,
        design=config.design, order_seed=seeds.order, resampling_seed=seeds.resampling, aids=config.aids,
        aids_vary=config.aids_vary,
        feedback="never", confidence=tuple(scale for scale in SCALES if scale.family in config.items.families),
        skips_per_ten=config.skips_per_ten, undo=config.undo, paste=config.paste, time=config.time,
        resume=config.resume, consent=config.consent, instructions=config.instructions, intake=config.intake,
        comprehension=config.comprehension, statuses=tuple(_countings()), analysis=config.analysis,
        exclusions=tuple(
            RuleUse(rule=use.rule, limit=use.limit, code_sha=code_sha(use.rule)) for use in config.analysis.exclusions
        ),
        people=config.people,
    )  # fmt: skip


def _countings() -> Iterator[Counting]:
    for status in STATUSES:
        if status == "answered":
            yield Counting(status=status, counts="as answered")
        else:
            yield Counting(status=status, counts="as not correct" if status in PRESENTED else "outside")


def _item(one: Told) -> Item:
    return Item(
        uid=one.puzzle.id, family=one.family, kind=one.puzzle.kind, complexity=one.puzzle.complexity,
        domain=one.rendering.domain, rendering_id=one.rendering.id, payload_sha=one.puzzle.payload_sha,
        prompt_shas=one.prompt_shas(),
    )  # fmt: skip


def _require_legible(shown: Sequence[Told], config: Config) -> None:
    """Refuse a text that the screen would not show byte for byte: its digest would be of something else."""
    quiz = config.comprehension.questions
    texts = [
        ("consent.text", config.consent.text),
        ("instructions.hidden_systems", config.instructions.hidden_systems),
        ("instructions.writing", config.instructions.writing),
        *((f"intake {one.code!r}", " ".join((one.text, *one.options))) for one in config.intake),
        *(("a comprehension question", " ".join((one.text, *one.options))) for one in quiz),
        *((f"item {one.puzzle.id!r}", text) for one in shown for text in one.texts()),
    ]
    for name, text in texts:
        if found := steering(text):
            raise UsageError(
                f"{name} holds {found[0][1]} at character {found[0][0] + 1}; a screen shows that otherwise"
            )
