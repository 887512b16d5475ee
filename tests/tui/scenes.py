"""One way to each screen of the app, so that what holds on every screen is tried on every one."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from collections.abc import Callable
from dataclasses import dataclass

from driving import STILL, Script, drive, press, until, until_shown
from fake_desk import FakeDesk, puzzle, task
from fake_players import SOME
from fake_study import LONG, FakeGuide, consent
from fake_talk import Talk
from textual.pilot import Pilot
from textual.screen import Screen

import tui.screens
from engine.public import Stage
from tui.app import ClewApp

BASES = {"Framed", "Pausing", "Dialog", "ItemScreen", "OutcomeScreen", "BoardScreen"}
"""What screens derive from, and nobody sees."""


def screen_classes() -> set[str]:
    """Return the names of all classes in `tui.screens` that can stand on the screen."""
    found: set[str] = set()
    for module in pkgutil.iter_modules(tui.screens.__path__, "tui.screens."):
        for name, kind in inspect.getmembers(importlib.import_module(module.name), inspect.isclass):
            own = kind.__module__ == module.name and issubclass(kind, Screen) and name not in BASES
            if own:
                found.add(name)
    return found


@dataclass(frozen=True, kw_only=True)
class Scene:
    """How to come to a screen from the start."""

    screen: str
    desk: Callable[[], FakeDesk]
    steps: tuple[tuple[str, str], ...]
    """Keys, and what is shown then."""
    part: str = ""
    """Which of several scenes of the same screen."""

    def __str__(self) -> str:
        return f"{self.screen}{'-' if self.part else ''}{self.part}"


def practice() -> FakeDesk:
    desk = FakeDesk(puzzles=[puzzle(1), puzzle(1, 6)], tasks=[task()])
    desk.side_door.told = SOME
    return desk


def alone() -> FakeDesk:
    return FakeDesk(puzzles=[puzzle(1)])


def collection() -> FakeDesk:
    return FakeDesk(puzzles=[puzzle(1, 6)], collects=True, aid="A0")


def writing() -> FakeDesk:
    return FakeDesk(puzzles=[], tasks=[task(1), task(2)])


def talk() -> FakeDesk:
    return FakeDesk(puzzles=[], talks=[Talk()])


def study() -> FakeGuide:
    return FakeGuide(to_come=[consent(f"{LONG}\n{LONG}")])


def asked_how_sure() -> FakeGuide:
    stage = Stage(
        key="item/1", kind="item", puzzle_id="w3-1", family="instruction-adherence", confidence_question="How sure?"
    )
    return FakeGuide(to_come=[stage], puzzles=[], tasks=[task(collects=True)])


HOME = ("", "drafts are kept")
PUZZLE = (HOME, ("c", "your answer"))
WRITING = (HOME, ("c", "[ send ]"))
LINES = " ".join(f"{letter} enter" for letter in "abcdefghijklmnopqrstuvwxyzabcdefghijklmn")
SCENES = (
    Scene(screen="HomeScreen", desk=practice, steps=(HOME, ("down down down", "daily"))),
    Scene(screen="IntroductionScreen", desk=practice, steps=(HOME, ("i", "vending"), ("j enter", "Rather not"))),
    Scene(screen="SettingsScreen", desk=practice, steps=(HOME, ("o", "What is changed here"), ("down", "streak"))),
    Scene(screen="CodeScreen", desk=practice, steps=(HOME, ("e 6 minus k left", "6-k"))),
    Scene(screen="StatisticsScreen", desk=practice, steps=(HOME, ("s down", "range"))),
    Scene(screen="HelpScreen", desk=practice, steps=(*PUZZLE, ("f1", "go to the answer bar"), ("end up", "coin flip"))),
    Scene(screen="PuzzleScreen", desk=practice, steps=(*PUZZLE, ("j j j s", "your answer"))),
    Scene(screen="PuzzleScreen", part="board", desk=practice,
          steps=(*PUZZLE, ("space j space 1 x a f 7 escape", "pinned 2/3"))),
    Scene(screen="PuzzleScreen", part="filter", desk=practice, steps=(*PUZZLE, ("slash s e a l", "enter applies"))),
    Scene(screen="PuzzleScreen", part="notes", desk=practice, steps=(*PUZZLE, ("n a b left", "notes"))),
    Scene(screen="PuzzleScreen", part="story", desk=practice, steps=(*PUZZLE, ("t j j j", "your answer"))),
    Scene(screen="PuzzleScreen", part="find", desk=practice, steps=(*PUZZLE, ("t slash s", "1 of 67"))),
    Scene(screen="PuzzleScreen", part="alone", desk=collection,
          steps=(*PUZZLE, ("down down down right right space", "your answer"))),
    Scene(screen="SkipScreen", desk=practice, steps=(*PUZZLE, ("S", "esc stays with the item"), ("down", "stay"))),
    Scene(screen="PauseScreen", desk=practice, steps=(*PUZZLE, ("p", "Paused"))),
    Scene(screen="FeedbackScreen", desk=practice, steps=(*PUZZLE, ("a f 7 enter", "Brier"), ("r down down", "rules"))),
    Scene(screen="HistoryScreen", desk=practice,
          steps=(*PUZZLE, ("a f 7 enter", "Brier"), ("h", "1 answer"), ("h", "2025-06-01 10:00"))),
    Scene(screen="DoneScreen", desk=alone, steps=(*PUZZLE, ("a f 7 enter", "Brier"), ("enter", "is answered"))),
    Scene(screen="WritingScreen", desk=writing, steps=(*WRITING, (f"{LINES} a b c", "41 words; 12"))),
    Scene(screen="WritingScreen", part="list", desk=writing, steps=(*WRITING, ("a b escape l down m", "1 words; 12"))),
    Scene(screen="WritingScreen", part="wide", desk=writing, steps=(*WRITING, ("a b ctrl+o", "your text"))),
    Scene(screen="WritingScreen", part="conflict", desk=writing, steps=(*WRITING, ("a escape c", "1 words; 12"))),
    Scene(screen="WritingScreen", part="turns", desk=talk,
          steps=(*WRITING, ("D e a r f2", "turn 2"), ("escape t up", "turns (enter reads)"))),
    Scene(screen="VerdictScreen", desk=writing, steps=(*WRITING, ("D e a r f2", "What you wrote"))),
    Scene(screen="SureScreen", desk=asked_how_sure, steps=(("", "[ send ]"), ("a f2", "How sure?"), ("down", "60 %"))),
    Scene(screen="StageScreen", desk=study, steps=(("", "line 1 of"), ("space down", "more above"))),
)  # fmt: skip
IDS = [str(scene) for scene in SCENES]


async def enter(pilot: Pilot[None], app: ClewApp, scene: Scene) -> None:
    """Go to a scene and let it come to rest."""
    for keys, shown in scene.steps:
        await press(pilot, keys)
        await until_shown(pilot, shown)
    await until(pilot, lambda: type(app.screen).__name__ == scene.screen and app.clerk.idle())
    for one in app.screen.query("Banner"):
        one.silence()  # type: ignore[attr-defined]
    await pilot.pause()


def on_scene(scene: Scene, then: Script, *, size: tuple[int, int] = (80, 24)) -> ClewApp:
    """Drive the app to a scene, and on from there."""

    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await enter(pilot, app, scene)
        await then(pilot, app)

    return drive(scene.desk(), script, size=size, moments=STILL)
