"""A small study for tests: packs, the frozen folder, bundles, scripted participants at the real desk, models."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from msgspec.structs import replace

from engine.cli import run
from engine.public import Answer, Draft, Happening, Presented, PresentedTask, Stage, StageAnswer
from engine.randomness import Stream
from engine.store.answer_rows import DraftRow
from engine.store.answers import Answers
from engine.store.clock import uuid7
from engine.store.sealed import Sealed
from engine.study.config import template
from engine.study.desk import StudyDesk
from engine.study.folder import Study

Label = str
TEXT = "The bakery opens early on the day of the launch, and everybody on the staff is asked to come at six. "


@dataclass(frozen=True)
class Outcome:
    """What a command left on the terminal."""

    code: int
    out: str
    err: str


@dataclass
class Time:
    """A clock that stands still unless it is moved."""

    now: datetime = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
    seconds: float = 0.0

    def clock(self) -> str:
        return self.now.isoformat(timespec="milliseconds").replace("+00:00", "Z")

    def monotonic(self) -> float:
        return self.seconds

    def pass_by(self, seconds: float) -> None:
        self.now += timedelta(seconds=seconds)
        self.seconds += seconds


@dataclass
class Lab:
    """A researcher's machine with a study, and participants' machines beside it."""

    folder: Path
    capture: pytest.CaptureFixture[str]
    store: Path
    """Where generated packs are kept for other tests; one folder a process."""
    time: Time = field(default_factory=Time)

    def clew(self, *arguments: str | Path, code: int = 0) -> Outcome:
        """Run a command and require its exit code."""
        self.capture.readouterr()
        found = run([str(argument) for argument in arguments])
        out, err = self.capture.readouterr()
        assert found == code, f"exit {found}: {err}"
        return Outcome(found, out, err)

    @property
    def home(self) -> Path:
        return self.folder / "study"

    @property
    def config(self) -> Path:
        return self.folder / "study.yaml"

    def packs(self, *, systems: int = 8, writing: int = 0) -> list[str]:
        """Bring study packs of these sizes, generated once for all tests of a run; return their folders' names."""
        wanted = {
            "systems": (systems, ("hidden-systems", "--length", "4")),
            "writing": (writing, ("instruction-adherence", "--constraints", "4")),
        }
        for name, (count, kind) in wanted.items():
            made = self.store / f"{name}-{count}"
            if count and not made.exists():
                self.clew("generate", *kind, "--count", str(count), "--secret-seed", "--out", made)
            if count:
                shutil.copytree(made, self.folder / name)
        return [name for name, (count, _) in wanted.items() if count]

    def write(self, packs: Sequence[str], **changes: str) -> str:
        """Write the study file: the template with some lines changed; return its text."""
        text = template().replace("packs: [my-pack]", f"packs: [{', '.join(packs)}]")
        families = [{"systems": "hidden-systems", "writing": "instruction-adherence"}[pack] for pack in packs]
        usual = {
            "families": f"[{', '.join(families)}]", "people": "3", "raters_per_item": "3", "items_per_person": "0",
            "block_items": "4", "resamples": "400", "order": "mixed", "exclusions": "[]", "hidden_systems": "1",
            "writing": "1" if "writing" in packs else "0",
        }  # fmt: skip
        if "systems" not in packs:
            usual["family"] = "all"
        for key, value in (usual | changes).items():
            text = changed(text, key, value)
        self.config.write_text(text, encoding="utf-8")
        return text

    def freeze(self, *, systems: int = 8, writing: int = 0, **changes: str) -> None:
        """Generate packs, write the study file and freeze it."""
        self.write(self.packs(systems=systems, writing=writing), **changes)
        self.clew("study", "freeze", self.config, "--out", self.home)

    def study(self) -> Study:
        return Study.open(self.home)

    def recruit(self, *codes: str) -> None:
        """Give places to codes, and write a bundle for each."""
        self.clew("study", "plan", self.home, *(part for code in codes for part in ("--code", code)))
        for code in codes:
            self.clew("study", "pack", self.home, "--code", code, "--out", self.bundle(code))

    def bundle(self, code: str) -> Path:
        return self.folder / f"bundle-{code}"

    def answers(self, code: str) -> Path:
        return self.folder / f"machine-{code}" / "answers.db"

    def desk(self, code: str, *, bundle: Path | None = None, answers: Path | None = None) -> StudyDesk:
        return StudyDesk(
            bundle=str(bundle or self.bundle(code)), code=code, answers=answers or self.answers(code),
            clock=self.time.clock, monotonic=self.time.monotonic, backs_up=True,
        )  # fmt: skip

    def desk_drafts(self, code: str) -> tuple[DraftRow, ...]:
        with self.study() as study:
            place = next(one for one in study.file.places() if one.code == code)
        with Answers.open(self.answers(code), create=False, read_only=True) as answers:
            return answers.drafts(place.id)

    def gold(self) -> dict[str, str]:
        with Sealed.open(self.folder / "systems" / "sealed.db") as sealed:
            return {record.puzzle_id: record.gold for record in sealed.records()}

    def play(self, code: str, answer: Answering | None = None, *, items: int | None = None, end: str = "") -> None:
        """Let a participant play: all of it, or so many items and then `end` (stop, withdraw, or nothing)."""
        with closing(self.desk(code)) as desk:
            desk.open()
            for _ in walk(desk, self.time, answer or says("PRESENT"), items):
                pass
            if end:
                stage = desk.stage()
                desk.take(StageAnswer(key=stage.key, word="withdraw" if end == "withdraw" else "stop"))

    def merge(self, *codes: str, into: Path | None = None) -> Outcome:
        return self.clew("study", "merge", into or self.home, *(self.answers(code) for code in codes))


Answering = Callable[[Presented | PresentedTask, int], Answer]
"""Answers an item, the nth of the session."""


def walk(desk: StudyDesk, time: Time, answer: Answering, items: int | None = None) -> Iterator[Stage]:
    """Go through a study, yielding each stage that was left behind, until the end or after so many main items."""
    done = 0
    while (stage := desk.stage()).kind != "end":
        if stage.kind in ("practice", "item"):
            if items is not None and stage.kind == "item" and done >= items:
                return
            desk.log((Happening(puzzle_id=stage.puzzle_id, t_ms=desk._sittings.t_ms(), kind="open"),))
            shown_at = time.clock()
            receipt = desk.submit(_taken(answer(desk.present(stage.puzzle_id), done), time, shown_at))
            while receipt.next_turn is not None:
                receipt = desk.submit(_taken(answer(desk.present(stage.puzzle_id), done), time, shown_at))
            done += stage.kind == "item"
        else:
            time.pass_by(5)
            chosen = {"intake": (0, 0), "check": (0, 1, 2)}.get(stage.kind, ())
            desk.take(StageAnswer(key=stage.key, word=stage.words[0], chosen=chosen))
        yield stage


def _taken(given: Answer, time: Time, shown_at: str) -> Answer:
    """Return an answer as it is given after the time that it takes."""
    time.pass_by(given.response_ms / 1000)
    return replace(given, shown_at=shown_at)


def says(label: str | Callable[[str], str], confidence: int = 80, ms: int = 20_000) -> Answering:
    """Return a participant who gives one label, or the one that a function of the item's id gives."""

    def answer(shown: Presented | PresentedTask, nth: int) -> Answer:
        given = label if isinstance(label, str) else label(shown.puzzle_id)
        return answer_to(shown, given, confidence=confidence, ms=ms + 100 * nth)

    return answer


def skilled(gold: dict[str, str], chance: int, key: str, aliases: dict[str, str]) -> Answering:
    """Return a participant who is right on `chance` of 100 items, by draws of their own, and surer when right.

    Args:
        aliases: study item by the id under which it is shown a second time.
    """

    def answer(shown: Presented | PresentedTask, nth: int) -> Answer:
        item = aliases.get(shown.puzzle_id, shown.puzzle_id)
        stream = Stream("tests/skilled", key, item)
        obvious = one_way(shown)
        truth = obvious or gold.get(item, "PRESENT")
        right = bool(obvious) or stream.chance(chance, 100)
        other = "ABSENT" if truth == "PRESENT" else "PRESENT"
        sure = 50 + 5 * stream.between(2, 10) if right else 50 + 5 * stream.between(0, 6)
        ms = 15_000 + 900 * stream.below(60) - 200 * nth
        return answer_to(shown, truth if right else other, confidence=sure, ms=ms)

    return answer


def one_way(shown: Presented | PresentedTask) -> str:
    """Return the answer that all histories of an attention item give; empty for any other item."""
    if isinstance(shown, PresentedTask):
        return ""
    counts = {(case.observed_present, case.observed_absent) for case in shown.payload.support_cases}
    if len(counts) != 1 or 0 not in next(iter(counts)):
        return ""
    return "PRESENT" if next(iter(counts))[0] else "ABSENT"


def answer_to(
    shown: Presented | PresentedTask, given: str | None, *, confidence: int | None = 80, ms: int = 20_000,
    raw: str = TEXT * 3, **changes: object,
) -> Answer:  # fmt: skip
    """Return an answer as the app would make it."""
    writes = isinstance(shown, PresentedTask)
    fields: dict[str, object] = {
        "answer_id": uuid7(), "puzzle_id": shown.puzzle_id, "rendering_id": shown.rendering_id,
        "text_sha": shown.text_sha, "answer": None if writes else given, "confidence": None if writes else confidence,
        "shown_at": "2026-03-02T09:00:00.000Z", "response_ms": max(ms, 500),
        "raw": raw if writes else None, "turn": shown.turn if isinstance(shown, PresentedTask) else 1,
    }  # fmt: skip
    return Answer(**{**fields, **changes})  # type: ignore[arg-type]


def draft_of(shown: Presented | PresentedTask, **changes: object) -> Draft:
    """Return a draft of an item."""
    return Draft(**{"puzzle_id": shown.puzzle_id, "visible_ms": 1000, **changes})  # type: ignore[arg-type]


def changed(text: str, key: str, value: str) -> str:
    """Return a study file with another value of a key; a key that is written twice is changed where it stands first."""
    lines = text.splitlines()
    for nth, line in enumerate(lines):
        if line.strip().startswith(f"{key}:"):
            indent = line[: len(line) - len(line.lstrip())]
            end = nth + 1
            while value.startswith("[") and end < len(lines) and lines[end].startswith(f"{indent}  - "):
                end += 1
            return "\n".join([*lines[:nth], f"{indent}{key}: {value}", *lines[end:]]) + "\n"
    raise AssertionError(f"the study file has no key {key!r}")
