"""The introduction: short, true to how hidden systems work, left at any time, stored and never scored in a study."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import pytest
import yaml
from driving import click, drive, press, screen_text, until, until_shown
from fake_desk import FakeDesk, task
from textual.pilot import Pilot

from engine.hidden_systems.program.exact import present_probability
from engine.hidden_systems.program.grammar import Condition, HiddenRule, HiddenSystem
from engine.hidden_systems.program.semantics import Compiled
from engine.statistics import wilson
from tui.app import ClewApp
from tui.introduction import ANSWERING, CHECK, CHECKING, COMPREHENSION, INTRODUCTION, STEPS, TRIALS, Question
from tui.screens.help import HelpScreen
from tui.screens.introduction import IntroductionScreen

DOMAINS = Path(__file__).parent.parent.parent / "engine" / "hidden_systems" / "surface" / "domains"
VOCABULARY = (
    "id", "title", "record", "events", "attributes", "name", "values", "outcomes", "present", "absent",
)  # fmt: skip
"""Keys of a domain file under which its names stand."""
WORDS_A_MINUTE = 180
"""Slow reading."""


def toy() -> HiddenSystem:
    """Return the vending machine as a hidden system."""

    def rule(nth: int, event: str, action: str, share: str, **fields: object) -> HiddenRule:
        return HiddenRule(
            id=f"r{nth}",
            on_event=event,
            action=action,
            probability=Fraction(share),
            **fields,  # type: ignore[arg-type]
        )

    warm = Condition(source="state", key="warm", operator="EQ", value=True)
    return HiddenSystem(
        rules=(
            rule(1, "coin", "ADD_RECORD", "3/4"),
            rule(2, "knock", "ADD_RECORD", "1/8"),
            rule(3, "warm up", "SET_FLAG", "9/10", target="warm"),
            rule(4, "button", "ADD_RECORD", "19/20", conditions=(warm,)),
            rule(5, "unplug", "INVALIDATE_RECORD", "19/20"),
        )
    )


def probability(steps: str) -> float:
    return float(present_probability(Compiled(toy()).moves({}, tuple(steps.split(" > ")))))


@pytest.mark.parametrize("step", STEPS, ids=lambda step: step.title)
def test_the_rows_of_the_toy_are_what_such_a_system_would_show(step: object) -> None:
    for row in step.rows:  # type: ignore[attr-defined]
        low, high = wilson(row.present, TRIALS, z=3.0)
        assert low <= probability(row.steps) <= high, row.steps


def test_the_answers_called_right_are_right() -> None:
    alone, order, veto = (step.tries for step in STEPS)
    assert probability(alone.options[alone.right]) > probability(alone.options[1 - alone.right])
    assert probability(order.options[order.right]) > 0.5 > probability(order.options[1 - order.right])
    assert veto.options[veto.right] == "stays" and probability("coin > unplug > coin > coin > coin") < 0.5


def test_it_is_read_in_three_minutes() -> None:
    said = [ANSWERING, CHECKING]
    for step in STEPS:
        said += [step.title, step.says, step.shows, step.tries.asks, step.tries.because, *step.tries.options]
        said += [row.steps for row in step.rows]
    for question in CHECK:
        said += [question.asks, *question.options]
    words = sum(len(text.split()) for text in said)
    assert words <= 3 * WORDS_A_MINUTE, words


def names(value: object) -> Iterator[str]:
    """Yield every text of a domain's vocabulary, sentences left out."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for item in value:
            yield from names(item)
    elif isinstance(value, dict):
        for key, item in value.items():
            if key in VOCABULARY:
                yield from names(item)


def test_the_toy_shares_no_word_with_a_domain_of_the_packs() -> None:
    toy_words = {word for step in STEPS for row in step.rows for word in row.steps.replace(">", "").split()}
    toy_words |= {"vending", "machine", "snack", "coin", "knock", "button", "unplug", "lever"}
    taken: set[str] = set()
    for file in DOMAINS.glob("*.yaml"):
        found = list(names(yaml.safe_load(file.read_text(encoding="utf-8"))))
        assert len(found) > 12, file
        taken |= {word.casefold() for text in found for word in text.split()}
    assert toy_words & taken - {"up", "warm"} == set()


def introduced(desk: FakeDesk) -> list[tuple[str, str]]:
    return [(one.kind, one.data) for one in desk.happenings if one.kind in (INTRODUCTION, COMPREHENSION)]


def test_a_newcomer_is_offered_it_first_and_keys_alone_go_through_it() -> None:
    desk = FakeDesk(first_time=True, tasks=[task()])

    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await until_shown(pilot, "new here? three steps, two minutes")
        await press(pilot, "enter")
        await until_shown(pilot, "introduction  step 1 of 3", "vending machine")
        await press(pilot, "j enter")
        await until_shown(pilot, "x   Rather not", "> b  knock")
        await press(pilot, "k enter")
        await until_shown(pilot, "ok  Right", "> a  coin")
        await press(pilot, "enter")
        await until_shown(pilot, "step 2 of 3  order matters")
        await press(pilot, "n n left n")
        await until_shown(pilot, "introduction  how to answer", "a writing task, step by step")
        await press(pilot, "G enter")
        await until_shown(pilot, "0 of 3 answered")
        assert "new here" not in screen_text(app)

    drive(desk, script)
    assert introduced(desk) == [(INTRODUCTION, "begun, 4 pages"), (INTRODUCTION, "finished")]
    assert {one.puzzle_id for one in desk.happenings} == {""}


def test_the_mouse_alone_goes_through_it_and_into_a_guided_puzzle() -> None:
    desk = FakeDesk(first_time=True)

    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await click(pilot, "new here?")
        await click(pilot, "b  knock")
        await until_shown(pilot, "x   Rather not")
        for page in ("step 2 of 3", "step 3 of 3", "how to answer"):
            await click(pilot, "n next")
            await until_shown(pilot, page)
        await click(pilot, "a puzzle, step by step")
        await until_shown(pilot, "hint 1 of 6", "Tank number" if app.size.width > 110 else "your answer")
        await click(pilot, "hint 1 of 6")
        await until_shown(pilot, "hint 2 of 6")

    drive(desk, script)


@pytest.mark.parametrize("size", [(60, 18), (80, 24)])
def test_the_letter_before_an_answer_chooses_it(size: tuple[int, int]) -> None:
    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await until_shown(pilot, "new here?")
        await press(pilot, "i")
        await until_shown(pilot, "step 1 of 3", "a  coin")
        await press(pilot, "b")
        await until_shown(pilot, "step 1 of 3", "> b  knock", "x   Rather not")
        await press(pilot, "a a")
        await until_shown(pilot, "step 1 of 3", "> a  coin", "ok  Right")
        await press(pilot, "n n b")
        await until_shown(pilot, "step 3 of 3", "> b  stays", "ok  Right")
        await press(pilot, "c")
        await until_shown(pilot, "step 3 of 3", "> b  stays")
        await press(pilot, "n b")
        await until_shown(pilot, "how to answer", "← back a page")
        await press(pilot, "left")
        await until_shown(pilot, "step 3 of 3", "> b  stays")

    drive(FakeDesk(first_time=True), script, size=size)


def test_letters_answer_the_questions_of_a_study_and_each_choice_is_stored_once() -> None:
    desk = FakeDesk(first_time=True, collects=True)

    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await until_shown(pilot, "new here?")
        await press(pilot, "i n n n")
        await until_shown(pilot, "introduction  question 1 of 3")
        await press(pilot, "c c")
        await until_shown(pilot, "> c  from", "Noted.")
        await press(pilot, "n b")
        await until_shown(pilot, "introduction  question 2 of 3", "> b  it may", "Noted.")

    drive(desk, script)
    assert [data for kind, data in introduced(desk) if kind == COMPREHENSION] == ["check-row c", "check-order b"]


def test_hints_go_on_by_key_and_leave_after_the_last() -> None:
    desk = FakeDesk(first_time=True, puzzles=[], tasks=[task()])

    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await until_shown(pilot, "new here?")
        await press(pilot, "i n n n enter")
        await until_shown(pilot, "hint 1 of 4", "ctrl+g or click: next")
        await press(pilot, "ctrl+g e ctrl+g ctrl+g")
        await until_shown(pilot, "hint 4 of 4", "close")
        await press(pilot, "ctrl+g")
        await until(pilot, lambda: "hint" not in screen_text(app))

    drive(desk, script)
    assert [one.data for one in desk.happenings if one.kind == "tip"] == ["2 of 4", "3 of 4", "4 of 4", "gone"]


@pytest.mark.parametrize("presses", ["escape", "n escape", "n n n q"])
def test_it_can_be_left_on_every_page(presses: str) -> None:
    desk = FakeDesk(first_time=True)

    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await until_shown(pilot, "new here?")
        await press(pilot, "i")
        await until_shown(pilot, "introduction  step 1 of 3")
        await press(pilot, presses)
        await until_shown(pilot, "0 of 3 answered")

    drive(desk, script)
    assert introduced(desk)[-1][1].startswith("left on page")


def test_help_opens_it_again_from_anywhere() -> None:
    desk = FakeDesk()

    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await until_shown(pilot, "0 of 3 answered")
        await press(pilot, "c")
        await until_shown(pilot, "your answer")
        await press(pilot, "question_mark")
        await until(pilot, lambda: isinstance(app.screen, HelpScreen))
        await press(pilot, "i")
        await until_shown(pilot, "vending machine")
        await press(pilot, "escape escape")
        await until_shown(pilot, "your answer")

    drive(desk, script)


def test_a_study_asks_three_questions_stores_them_and_says_no_score() -> None:
    desk = FakeDesk(first_time=True, collects=True)

    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await until_shown(pilot, "new here?")
        await press(pilot, "c")
        await until_shown(pilot, "introduction  step 1 of 3")
        await press(pilot, "n n n")
        shown = []
        for answer in ("enter", "j enter", "j j enter"):
            await press(pilot, answer)
            await until_shown(pilot, "Noted.")
            shown.append(screen_text(app))
            await press(pilot, "n")
        assert not any(word in text for text in shown for word in ("Right", "Rather", " ok ", "Brier"))
        await until_shown(pilot, "the items come next")
        await press(pilot, "left b n enter")
        await until_shown(pilot, "0 of 6 answered")
        await press(pilot, "c")
        await until_shown(pilot, "your answer")

    drive(desk, script)
    stored = [data for kind, data in introduced(desk) if kind == COMPREHENSION]
    assert stored == ["check-row a", "check-order b", "check-veto c", "check-veto b"]
    assert all(isinstance(question, Question) and not question.because for question in CHECK)


def test_in_a_study_no_item_opens_before_the_introduction_was_seen_or_left() -> None:
    desk = FakeDesk(first_time=True, collects=True)

    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await until_shown(pilot, "new here?")
        await press(pilot, "c")
        await until(pilot, lambda: isinstance(app.screen, IntroductionScreen))
        assert "next" not in desk.called
        await press(pilot, "escape c")
        await until_shown(pilot, "your answer")

    drive(desk, script)
