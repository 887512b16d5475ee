"""The manifest, looked up by the ids under which things are shown; and whether what was shown is what it fixes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

from engine.canonical import digest, text_digest
from engine.conversation import USER
from engine.store.answer_rows import AttemptRow, TurnRow
from engine.study.manifest import Extra, Item, Manifest, manifest_sha
from engine.study.trials import TrialRole


@dataclass(frozen=True, kw_only=True)
class Shown:
    """What the manifest says about an id that was shown."""

    item_uid: str
    role: TrialRole
    family: str
    stratum: str
    complexity: int
    domain: str
    prompt_shas: tuple[str, ...]


class Shelf(Protocol):
    """Items that solvers were shown, and under which name: a frozen study's, or a pack's."""

    @property
    def sha(self) -> str: ...

    @property
    def items(self) -> tuple[Item, ...]: ...

    @property
    def shown(self) -> Mapping[str, Shown]: ...


class Book:
    """The manifest, looked up by the ids under which things are shown."""

    def __init__(self, manifest: Manifest) -> None:
        self.manifest = manifest
        self.sha = manifest_sha(manifest)

    @property
    def items(self) -> tuple[Item, ...]:
        return self.manifest.items

    @cached_property
    def shown(self) -> Mapping[str, Shown]:
        manifest, found = self.manifest, {}
        for item in manifest.items:
            found[item.uid] = shown_item(item, item.uid, "main")
        items = {item.uid: item for item in manifest.items}
        for copy in manifest.aside.copies:
            found[copy.uid] = shown_item(items[copy.of], copy.of, "repeat")
        for extra in manifest.aside.attention:
            found[extra.uid] = _of_extra(extra, "attention")
        for extra in manifest.aside.practice:
            found[extra.uid] = _of_extra(extra, "practice")
        return found


def shown_item(item: Item, uid: str, role: TrialRole) -> Shown:
    return Shown(
        item_uid=uid, role=role, family=item.family, stratum=item.stratum, complexity=item.complexity,
        domain=item.domain, prompt_shas=item.prompt_shas,
    )  # fmt: skip


def _of_extra(extra: Extra, role: TrialRole) -> Shown:
    return Shown(
        item_uid=extra.uid, role=role, family=extra.family, stratum=f"{extra.family}/{role}", complexity=0, domain="",
        prompt_shas=extra.prompt_shas,
    )  # fmt: skip


def prompt_sha(counted: AttemptRow | None, texts: Sequence[TurnRow]) -> str:
    """Return the digest of what was shown: the text's own, or one over the turns of a conversation."""
    if counted is None:
        return ""
    asked = [text_digest(turn.text) for turn in sorted(texts, key=lambda one: one.turn) if turn.role == USER]
    return digest(asked) if len(asked) > 1 else counted.text_sha


def prompt_matches(wanted: Sequence[str], counted: AttemptRow, texts: Sequence[TurnRow]) -> bool:
    """Say whether what was shown is the manifest's text, byte for byte; of a conversation, the turns that were met."""
    asked = [text_digest(turn.text) for turn in sorted(texts, key=lambda one: one.turn) if turn.role == USER]
    if asked:
        return asked == list(wanted[: len(asked)])
    return counted.text_sha in wanted[:1] or (counted.answer == "SKIP" and counted.text_sha in wanted)
