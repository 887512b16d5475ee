"""A whole study of both families at the real desk, taken part in by keys, by mouse alone, and in lines.

What is said to each stage is written once for every way; what is compared is every row that the participant leaves.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass
from itertools import count
from pathlib import Path

from textual.pilot import Pilot

from engine.public import Answer, Presented, PresentedTask, Stage
from engine.store.answers import Answers
from engine.store.collected import read_collected
from engine.study.desk import StudyDesk
from tests.study.study_world import Lab, says, walk
from tests.tui.driving import LARGE, SMALL, drive
from tests.tui.whole_session import OF_THE_SCREEN, Hand, InTerminal
from tui.app import ClewApp
from tui.moments import Moments
from tui.plain.run import play
from tui.wording import Words

CODE = "ada-lab"
CHOSEN = {"intake": ("yes", "no"), "check": ("the likelier outcome", "50", "my own head")}
"""What is said to the questions of a stage, in their order."""
NOTE, TEXT, SURE, SURER = "why", "Come to the bakery at six", 75, 90
APART = {"row_sha": "is a digest over ids", "n": "counts what is left out as well", "body": "holds the view"}
"""Fields that differ from way to way, and why."""
Row = tuple[tuple[str, object], ...]


@dataclass(frozen=True, kw_only=True)
class Met:
    """A stage and, if it has one, its item."""

    stage: Stage
    shown: Presented | PresentedTask | None

    def outcome(self, nth: int) -> str:
        """Return the words for the outcome that is offered so manieth."""
        assert isinstance(self.shown, Presented)
        return Words(self.shown.legend).outcome(self.shown.labels[nth])


def frozen(lab: Lab) -> list[Met]:
    """Freeze the study and return what a participant meets in it, in order."""
    lab.write(
        lab.packs(systems=2, writing=2), attention="0", repeats="0", block_items="2", order="mixed", writing="0",
        skips_per_ten="1", undo="true",
    )  # fmt: skip
    lab.clew("study", "freeze", lab.config, "--out", lab.home)
    lab.recruit(CODE)
    items: list[Presented | PresentedTask] = []
    say = says("PRESENT")

    def answer(shown: Presented | PresentedTask, nth: int) -> Answer:
        items.append(shown)
        return say(shown, nth)

    with closing(desk_of(lab, "scout")) as desk:
        desk.open()
        stages = list(walk(desk, lab.time, answer))
    found = iter(items)
    return [Met(stage=one, shown=next(found) if one.kind in ("item", "practice") else None) for one in stages]


def desk_of(lab: Lab, way: str) -> StudyDesk:
    """Return the participant's desk on an answers file of its own."""
    return lab.desk(CODE, answers=file_of(lab, way))


def file_of(lab: Lab, way: str) -> Path:
    return lab.folder / way / "answers.db"


def moments_of(lab: Lab) -> Moments:
    """Return a clock that stands still, and ids that are the first, the second and so on."""
    nth = count(1)
    return Moments(
        monotonic=lab.time.monotonic, now=lambda: lab.time.now, chance=lambda size: next(nth).to_bytes(size, "big")
    )


# By keys and by mouse


class Keys:
    """What is pressed."""

    def __init__(self, hand: Hand) -> None:
        self._hand = hand

    async def choose(self, stage: Stage, texts: tuple[str, ...]) -> None:
        steps, before = 0, 0
        for question, text in zip(stage.questions, texts, strict=True):
            at = before + question.options.index(text)
            await self._hand.press(" ".join(["down"] * (at - steps) + ["enter"]))
            await self._hand.until(f"(o) {text}")
            steps, before = at, before + len(question.options)

    async def agree(self) -> None:
        await self._hand.press("enter")

    async def go_on(self) -> None:
        await self._hand.press("n")

    async def note(self, text: str) -> None:
        await self._hand.press("n")
        await self._hand.until("leave notes")
        await self._hand.write(text)
        await self._hand.press("escape")
        await self._hand.until("esc home")

    async def answer(self, met: Met, nth: int, sure: int) -> None:
        await self._hand.press("a right left" if nth == 0 else "a left right")
        await self._hand.press({SURE: "7 plus", SURER: "9"}[sure])
        await self._hand.until(f"[>{met.outcome(nth)}<]", f"[{sure}]")
        await self._hand.press("enter")

    async def revise(self) -> None:
        await self._hand.press("u")

    async def skip(self) -> None:
        await self._hand.press("S")
        await self._hand.until("Leave this item without an answer?")
        await self._hand.press("2")

    async def write(self, text: str) -> None:
        await self._hand.write(text)
        await self._hand.press("f2")
        await self._hand.until(f"{SURER} %")
        await self._hand.press(" ".join(["down"] * (SURER // 10 + 1) + ["enter"]))

    async def next(self) -> None:
        await self._hand.press("enter")


class Mouse(Keys):
    """What is clicked; only texts are typed."""

    async def choose(self, stage: Stage, texts: tuple[str, ...]) -> None:
        for question, text in zip(stage.questions, texts, strict=True):
            await self._hand.click(question.text, below=1 + question.options.index(text))
            await self._hand.until(f"(o) {text}")

    async def agree(self) -> None:
        await self._hand.click("I agree, begin")

    async def go_on(self) -> None:
        await self._hand.click("go on")

    async def note(self, text: str) -> None:
        await self._hand.click("n notes" if self._hand.shows("n notes") else "n writes some")
        await self._hand.until("leave notes")
        await self._hand.write(text)
        await self._hand.until(text)
        await self._hand.click("leave notes")
        await self._hand.until("esc home")

    async def answer(self, met: Met, nth: int, sure: int) -> None:
        await self._hand.click(f"[ {met.outcome(nth)} ]")
        await self._hand.click(f" {sure} ")
        await self._hand.until(f"[>{met.outcome(nth)}<]", f"[{sure}]")
        await self._hand.click("[ send ]")

    async def revise(self) -> None:
        await self._hand.click("u change it")

    async def skip(self) -> None:
        await self._hand.click("skip...")
        await self._hand.click("I do not understand what is asked")

    async def write(self, text: str) -> None:
        await self._hand.click("your text", below=1)
        await self._hand.write(text)
        await self._hand.until(text)
        await self._hand.click("[ send ]")
        await self._hand.click(f"{SURER} %")

    async def next(self) -> None:
        await self._hand.click("enter next")


async def take_part(hand: Hand, way: Keys, course: list[Met]) -> None:
    """Go through the study, whatever is used for it."""
    puzzles = 0
    for met in course:
        stage = met.stage
        if met.shown is None or stage.text:
            await hand.until(stage.title)
            await way.choose(stage, CHOSEN.get(stage.kind, ()))
            await (way.agree() if stage.kind == "consent" else way.go_on())
        if isinstance(met.shown, PresentedTask):
            await hand.until("[ send ]", "your text")
            await way.write(TEXT)
        elif met.shown is not None:
            await hand.until("your answer", "don't know")
            puzzles += 1
            await puzzle(hand, way, met, puzzles)
        if met.shown is not None:
            await hand.until("Likelier is" if stage.kind == "practice" else "aved")
            await way.next()
    await hand.until("The end", "leave")


async def puzzle(hand: Hand, way: Keys, met: Met, nth: int) -> None:
    """Answer the practice puzzle, answer the next one twice, and skip the last."""
    if nth == 3:
        await way.skip()
        return
    await way.note(NOTE)
    await way.answer(met, 0, SURE)
    if nth == 2:
        await hand.until("Saved.")
        await way.revise()
        await hand.until("your answer", f"[{SURE}]")
        await way.answer(met, 1, SURER)


def in_app(lab: Lab, name: str, way: Callable[[Hand], Keys], size: tuple[int, int], course: list[Met]) -> None:
    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        hand = InTerminal(pilot)
        await take_part(hand, way(hand), course)

    drive(desk_of(lab, name), script, size=size, moments=moments_of(lab))


def by_keys(lab: Lab, name: str, course: list[Met]) -> None:
    in_app(lab, name, Keys, SMALL, course)


def by_mouse(lab: Lab, name: str, course: list[Met]) -> None:
    in_app(lab, name, Mouse, LARGE, course)


# In lines


def in_lines(lab: Lab, name: str, course: list[Met]) -> None:
    lines: list[str] = []
    puzzles = 0
    for met in course:
        stage, shown = met.stage, met.shown
        if shown is None or stage.text:
            for nth, (question, text) in enumerate(zip(stage.questions, CHOSEN.get(stage.kind, ()), strict=True), 1):
                lines.append(f"choose {nth} {'abc'[question.options.index(text)]}")
            lines.append("agree" if stage.kind == "consent" else "next")
        if isinstance(shown, PresentedTask):
            lines += ["edit", TEXT, ".", f"send {SURER}", "next"]
        elif shown is not None:
            puzzles += 1
            answers = [f"note {NOTE}", f"answer {met.outcome(0)} {SURE}"]
            again = ["revise", f"answer {met.outcome(1)} {SURER}"] if puzzles == 2 else []
            lines += [*(["skip unclear"] if puzzles == 3 else [*answers, *again]), "next"]
    data, out = "".join(f"{line}\n" for line in (*lines, "next")).encode(), io.StringIO()
    code = play(desk_of(lab, name), source=io.BytesIO(data), out=out, err=out, moments=moments_of(lab))
    assert code == 0 and "The end" in out.getvalue(), out.getvalue()


# What is left


def rows(path: Path) -> dict[str, list[Row]]:
    """Return all that is stored by table, with ids as places in the order in which they were first met."""
    found = read_collected(path)
    with Answers.open(path, read_only=True) as answers:
        drafts = [draft for solver in found.solvers for draft in answers.drafts(solver.id)]
        assert answers.check() == ()
    places: dict[object, str] = {row.id: f"session {nth}" for nth, row in enumerate(found.sessions)}
    places |= {row.id: f"attempt {nth}" for nth, row in enumerate(found.attempts)}
    tables: dict[str, Sequence[object]] = {
        "solver": found.solvers, "study": found.studies, "assignment": found.assignments, "session": found.sessions,
        "attempt": found.attempts, "turn": found.turns, "call": found.calls, "withdrawal": found.withdrawals,
        "draft": drafts,
    }  # fmt: skip
    # The screens hand over their events in batches: those of one item are in order, those of two items need not be.
    events = sorted(found.events, key=lambda event: (places[event.session], event.puzzle_id))

    def plain(row: object) -> Row:
        fields = asdict(row)  # type: ignore[call-overload]
        return tuple((name, places.get(value, value)) for name, value in fields.items() if name not in APART)

    return {
        **{name: [plain(row) for row in table] for name, table in tables.items()},
        "event": [plain(event) for event in events if event.kind not in OF_THE_SCREEN],
    }  # fmt: skip
