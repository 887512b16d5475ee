"""What a study lays down for its items holds on screens and in lines: sureness of a text, pastes, undo, the nudge."""

from __future__ import annotations

import io
from collections.abc import Awaitable, Callable

import pytest
from driving import SMALL, click, drive, paste, press, screen_text, until, until_shown, write_fast
from hypothesis import given
from hypothesis import strategies as st
from textual.pilot import Pilot
from textual.widgets import OptionList

from engine.public import Stage
from engine.store.answer_rows import AttemptRow
from engine.store.answers import Answers
from tests.study.study_world import Lab
from tui.app import ClewApp
from tui.keys import keys_on
from tui.moments import Moments
from tui.plain.run import play
from tui.screens.item import MINUTE_MS
from tui.screens.sure import SureScreen
from tui.terms import NO_STUDY, Terms

Script = Callable[[Pilot[None], ClewApp], Awaitable[None]]
ASKED = "How sure are you that every requirement is met?"
BEGIN = ("agree", "choose 1 b", "choose 2 a", "next", "next")
CHECK = ("the likelier outcome", "50", "my own head")
"""Right options of the comprehension check."""


def frozen(lab: Lab, *, systems: int = 0, writing: int = 0, **changes: str) -> None:
    """Freeze a study without practice and take one participant through all that comes before the first item."""
    usual = {"hidden_systems": "0", "writing": "0", "attention": "0", "repeats": "0"}
    lab.write(lab.packs(systems=systems, writing=writing), **(usual | changes))
    lab.clew("study", "freeze", lab.config, "--out", lab.home)
    lab.recruit("ada-lab")
    _, said = in_lines(lab, *BEGIN)
    in_lines(lab, *_right_options(said), "next")


def _right_options(said: str) -> list[str]:
    """Return how the right options of the check are chosen, as they were told."""
    chosen: list[str] = []
    for line in said.split("\n"):
        letter, _, option = line.strip().partition(" ")
        if len(letter) == 1 and len(chosen) < len(CHECK) and option == CHECK[len(chosen)]:
            chosen.append(f"choose {len(chosen) + 1} {letter}")
    return chosen


def in_lines(lab: Lab, *lines: str, moments: Moments | None = None) -> tuple[int, str]:
    out = io.StringIO()
    data = "".join(f"{line}\n" for line in lines).encode()
    return play(lab.desk("ada-lab"), source=io.BytesIO(data), out=out, err=out, moments=moments), out.getvalue()


def in_app(lab: Lab, script: Script, moments: Moments | None = None) -> None:
    drive(lab.desk("ada-lab"), script, size=SMALL, moments=moments)


def attempts(lab: Lab) -> tuple[AttemptRow, ...]:
    with Answers.open(lab.answers("ada-lab"), create=False, read_only=True) as answers:
        return tuple(answers.attempts())


def kinds(lab: Lab) -> list[str]:
    with Answers.open(lab.answers("ada-lab"), create=False, read_only=True) as answers:
        solver = next(iter(answers.solvers()))
        return [event.kind for session in answers.sessions(solver) for event in answers.events(session.id)]


def actions(app: ClewApp) -> set[str]:
    return {key.binding.action for key in keys_on(app.screen)}


# How sure one is of a text


async def open_text(pilot: Pilot[None]) -> None:
    await until_shown(pilot, "[ send ]")


@pytest.mark.slow
def test_a_text_is_sent_with_how_sure_one_is_by_keys_and_by_mouse(lab: Lab) -> None:
    frozen(lab, writing=2)

    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await open_text(pilot)
        await write_fast(pilot, "By keys")
        await press(pilot, "f2")
        await until_shown(pilot, ASKED)
        menu = app.screen.query_one(OptionList)
        assert menu.highlighted is None, "nothing is chosen beforehand"
        await press(pilot, "enter")
        assert isinstance(app.screen, SureScreen) and attempts(lab) == ()
        await press(pilot, "escape")
        await until_shown(pilot, "By keys")
        await press(pilot, "f2")
        await until_shown(pilot, ASKED)
        await press(pilot, "down down down enter")
        await until_shown(pilot, "Saved.")
        await press(pilot, "enter")
        await open_text(pilot)
        await paste(pilot, "By mouse")
        await click(pilot, "[ send ]")
        await click(pilot, "90 %")
        await until_shown(pilot, "Saved.")

    in_app(lab, script)
    assert [row.confidence for row in attempts(lab)] == [20, 90]


@pytest.mark.slow
def test_in_lines_a_text_is_sent_with_how_sure_one_is(lab: Lab) -> None:
    frozen(lab, writing=1)
    _, said = in_lines(lab, "next", "edit", "A text", ".", "send", "send 55", "send 70")
    assert ASKED in said and said.count("One of 0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100 is right") == 2
    assert [row.confidence for row in attempts(lab)] == [70]


@pytest.mark.slow
def test_a_chosen_sureness_is_there_again_when_the_text_is_changed(lab: Lab) -> None:
    frozen(lab, writing=1)

    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await open_text(pilot)
        await write_fast(pilot, "Once")
        await press(pilot, "f2")
        await until_shown(pilot, ASKED)
        await press(pilot, "down down enter")
        await until_shown(pilot, "Saved.")
        await press(pilot, "u")
        await until_shown(pilot, "Once")
        await press(pilot, "f2")
        await until_shown(pilot, ASKED)
        assert app.screen.query_one(OptionList).highlighted == 1
        await press(pilot, "down enter")
        await until_shown(pilot, "Saved.")

    in_app(lab, script)
    assert [row.confidence for row in attempts(lab)] == [10, 20]


@given(low=st.integers(0, 50), high=st.integers(51, 100))
def test_choices_ascend_from_the_least_to_the_most(low: int, high: int) -> None:
    choices = Terms(low=low, high=high).choices()
    assert (choices[0], choices[-1]) == (low, high) and len(choices) == 11 and list(choices) == sorted(choices)


def test_the_terms_outside_of_a_study_are_those_of_a_stage_that_lays_nothing_down() -> None:
    bare = Terms.of(Stage(key="item/1", kind="item", nudge_min=NO_STUDY.nudge_min))
    assert bare == NO_STUDY


# Undo


@pytest.mark.slow
@pytest.mark.parametrize("undo", ["true", "false"])
@pytest.mark.parametrize("family", ["systems", "writing"])
def test_an_answer_is_changed_only_where_the_study_allows_it(lab: Lab, undo: str, family: str) -> None:
    frozen(lab, **{family: 1}, undo=undo)  # type: ignore[arg-type]

    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        if family == "systems":
            await until_shown(pilot, "your answer   How sure are you that your answer is the likelier one?")
            await press(pilot, "a left 8 enter")
        else:
            await open_text(pilot)
            await write_fast(pilot, "A text")
            await press(pilot, "f2")
            await until_shown(pilot, ASKED)
            await press(pilot, "down enter")
        await until_shown(pilot, "Saved.")
        assert ("revise" in actions(app)) == (undo == "true")
        await press(pilot, "u")
        if undo == "true":
            await until_shown(pilot, "[ send ]")
        else:
            await pilot.pause()
            assert "Saved." in screen_text(app)

    in_app(lab, script)
    assert len(attempts(lab)) == 1


@pytest.mark.slow
def test_in_lines_an_answer_is_changed_where_the_study_allows_it(lab: Lab) -> None:
    frozen(lab, systems=1)
    _, said = in_lines(lab)
    first = said.rsplit("Which is likelier for ", 1)[1].split(": ", 1)[1].split(" or ")[0]
    _, said = in_lines(lab, "next", f"answer {first} 60", "revise", f"answer {first} 95", "next")
    assert "The end" in said
    assert [row.confidence for row in attempts(lab)] == [60, 95]


@pytest.mark.slow
def test_in_lines_no_answer_is_changed_where_the_study_forbids_it(lab: Lab) -> None:
    frozen(lab, systems=1, undo="false")
    _, said = in_lines(lab)
    first = said.rsplit("Which is likelier for ", 1)[1].split(": ", 1)[1].split(" or ")[0]
    _, said = in_lines(lab, "next", f"answer {first} 60", "revise", "next")
    assert "no command 'revise' here" in said and "The end" in said
    assert [row.confidence for row in attempts(lab)] == [60]


# Pastes


@pytest.mark.slow
@pytest.mark.parametrize(("rule", "taken", "noted"), [("allowed", True, 0), ("logged", True, 1), ("refused", False, 1)])
def test_a_paste_is_taken_and_noted_as_the_study_says(lab: Lab, rule: str, taken: bool, noted: int) -> None:
    frozen(lab, writing=1, paste=rule)

    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await open_text(pilot)
        await paste(pilot, "from elsewhere")
        if taken:
            await until_shown(pilot, "from elsewhere")
        else:
            await until_shown(pilot, "pasting is off in this study")
            assert "from elsewhere" not in screen_text(app)

    in_app(lab, script)
    assert kinds(lab).count("paste") == noted


@pytest.mark.slow
def test_in_lines_no_editor_is_opened_where_pasting_is_off(lab: Lab, monkeypatch: pytest.MonkeyPatch) -> None:
    frozen(lab, writing=1, paste="refused")
    monkeypatch.setenv("EDITOR", "false")
    monkeypatch.setattr("sys.stdin", _Terminal())
    monkeypatch.setattr("sys.stdout", _Terminal())
    _, said = in_lines(lab, "next", "edit", "By hand", ".", "text")
    assert "Pasting is off in this study" in said and "1 By hand" in said and "the editor" not in said


class _Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


# The nudge


@pytest.mark.slow
@pytest.mark.parametrize("minutes", [0, 3])
def test_the_reminder_comes_when_the_study_says(lab: Lab, minutes: int) -> None:
    frozen(lab, systems=1, nudge_min=str(minutes))
    seconds = [0.0]
    moments = Moments(monotonic=lambda: seconds[0])

    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        await until_shown(pilot, "your answer")
        seconds[0] += 2.9 * MINUTE_MS / 1000
        app.screen._each_second()  # type: ignore[attr-defined]
        await pilot.pause()
        assert "on this one" not in screen_text(app)
        seconds[0] += 3600
        app.screen._each_second()  # type: ignore[attr-defined]
        await until(pilot, lambda: ("3 minutes on this one" in screen_text(app)) == (minutes == 3))

    in_app(lab, script, moments)
    assert kinds(lab).count("nudge") == (minutes == 3)


@pytest.mark.slow
def test_in_lines_the_reminder_comes_once_with_the_next_line(lab: Lab) -> None:
    frozen(lab, systems=1, nudge_min="1")
    seconds = iter(range(0, 10_000_000, 40))
    _, said = in_lines(lab, "next", *["question"] * 6, moments=Moments(monotonic=lambda: float(next(seconds))))
    assert said.count("1 minute on this one") == 1
    assert kinds(lab).count("nudge") == 1
