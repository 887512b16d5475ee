"""The frozen manifest: everything that a study fixes before its first answer, as canonical JSON with one digest.

It names items, texts by digest, order, aids, limits, rules and the registered contrast. It holds no gold, and no seed
from which a puzzle could be drawn again; its own seeds order items and resample, nothing else. A change of anything in
it is another digest, so another version.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

import msgspec

from engine.canonical import Json, canonical_text, digest, read_json, text_digest
from engine.errors import StoreError
from engine.public import Aid
from engine.study.config import (
    AidsVary,
    Analysis,
    Comprehension,
    Consent,
    Design,
    FamilyName,
    Instructions,
    Intake,
    Part,
    People,
    Resume,
    Time,
)

FORMAT: Literal["clew-study/1"] = "clew-study/1"
SHORT = 12
"""Digits of the digest that stand on screens."""


class Item(Part, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One item of the study."""

    uid: str
    """The puzzle's public id."""
    family: FamilyName
    kind: str
    complexity: int
    domain: str
    rendering_id: str
    payload_sha: str
    prompt_shas: tuple[str, ...]
    """SHA-256 of the exact text shown, one a turn."""

    @property
    def stratum(self) -> str:
        return f"{self.family}/{self.kind}/{self.complexity}"


class Copy(Part, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An item under the id with which it is shown a second time."""

    uid: str
    of: str


class Extra(Part, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A practice item or an attention item: public by construction."""

    uid: str
    family: FamilyName
    prompt_shas: tuple[str, ...]


class Aside(Part, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is shown beside the items of the study; a pack of its own, so that the study's pack stays as it was made."""

    pack_sha: str
    practice: tuple[Extra, ...]
    attention: tuple[Extra, ...]
    copies: tuple[Copy, ...]


class Scale(Part, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The confidence that is asked for, in percent."""

    family: FamilyName
    low: int
    high: int
    question: str


class RuleUse(Part, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An exclusion rule with its limit and the digest of its code."""

    rule: str
    limit: int
    code_sha: str


class PackRow(Part, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A pack of the study, as it was generated and committed to."""

    content_sha: str
    commit_root: str


class Counting(Part, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How a status is counted."""

    status: str
    counts: Literal["as answered", "as not correct", "outside"]


SCALES = (
    Scale(family="hidden-systems", low=50, high=100, question="How sure are you that your answer is the likelier one?"),
    Scale(family="instruction-adherence", low=0, high=100, question="How sure are you that every requirement is met?"),
)


class Manifest(Part, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A frozen study."""

    format: Literal["clew-study/1"]
    name: str
    title: str
    version: int
    clew_version: str
    packs: tuple[PackRow, ...]
    items: tuple[Item, ...]
    """By uid."""
    aside: Aside
    practice_source: str
    """`builtin` or the title of the practice pack."""
    design: Design
    order_seed: str
    resampling_seed: str
    aids: tuple[Aid, ...]
    aids_vary: AidsVary
    feedback: Literal["never"]
    confidence: tuple[Scale, ...]
    skips_per_ten: int
    undo: bool
    paste: Literal["allowed", "logged", "refused"]
    time: Time
    resume: Resume
    consent: Consent
    instructions: Instructions
    intake: tuple[Intake, ...]
    comprehension: Comprehension
    statuses: tuple[Counting, ...]
    analysis: Analysis
    exclusions: tuple[RuleUse, ...]
    people: People

    def item(self, uid: str) -> Item | None:
        """Return an item of the study; None for anything else."""
        return next((item for item in self.items if item.uid == uid), None)

    @property
    def pack_sha(self) -> str:
        """What rows name as their pack: the pack's content, or one digest over several."""
        return self.packs[0].content_sha if len(self.packs) == 1 else digest([one.content_sha for one in self.packs])

    @property
    def commit_root(self) -> str:
        return self.packs[0].commit_root if len(self.packs) == 1 else digest([one.commit_root for one in self.packs])


def manifest_text(manifest: Manifest) -> str:
    """Return the canonical JSON of a manifest."""
    document: Json = msgspec.to_builtins(manifest)
    return canonical_text(document)


def manifest_sha(manifest: Manifest) -> str:
    """Return the digest that names the study in every row."""
    return text_digest(manifest_text(manifest))


def read_manifest(text: str, *, where: str) -> Manifest:
    """Read a manifest.

    Raises:
        StoreError: not a manifest of this version of clew, or not in canonical form.
    """
    try:
        manifest = msgspec.convert(read_json(text, where=where), Manifest, strict=True)
    except msgspec.ValidationError as error:
        raise StoreError(f"{where}: not a study manifest of this clew: {error}") from error
    if manifest_text(manifest) != text:
        raise StoreError(f"{where}: the manifest is not in canonical form; take the file as `freeze` wrote it")
    return manifest


def differences(before: Manifest, after: Manifest) -> tuple[str, ...]:
    """Return what differs, one line a field, such as `time.item_limit_s: 0 -> 300`."""
    return tuple(_differences(msgspec.to_builtins(before), msgspec.to_builtins(after), ""))


def _differences(before: Json, after: Json, at: str) -> Iterator[str]:
    if isinstance(before, dict) and isinstance(after, dict):
        for key in sorted({*before, *after}):
            yield from _differences(before.get(key), after.get(key), f"{at}.{key}" if at else str(key))
    elif isinstance(before, list | tuple) and isinstance(after, list | tuple):
        if len(before) != len(after):
            yield f"{at}: {len(before)} entries -> {len(after)}"
            return
        for nth, (one, other) in enumerate(zip(before, after, strict=True)):
            yield from _differences(one, other, f"{at}[{nth}]")
    elif before != after:
        yield f"{at}: {_short(before)} -> {_short(after)}"


def _short(value: Json) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."
