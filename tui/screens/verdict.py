"""What became of a writing task: turn by turn each requirement, whether it is met, and what was found."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widget import Widget

from engine.public import Reviewed
from tui.errands import ToldTask
from tui.messages import GoHome, OpenTask
from tui.screens.outcome import SHARE, OutcomeScreen
from tui.shown import shown_block, shown_cell
from tui.verdicts import Requirement, all_met, met_words, requirement_content, with_verdicts
from tui.widgets.reading import Sheet
from tui.widgets.saying import Saying
from tui.wrapping import wrapped
from tui.writing import Writing

TEXT_LINES = 12
"""Most lines of one requirement's own words."""
LONGEST = 5_000
"""Most characters of a text that are shown again."""
WIDEST = 90
"""Widest line, in cells, so that it can be read at ease."""
SAVED = "saved"
SKIPPED = "Skipped, and saved as skipped."
NO_VERDICT = "Sent. There are no verdicts to show for it."


class VerdictScreen(OutcomeScreen):
    """Made only from what the desk revealed after the text was on disk."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "next", "next task", key_display="enter", tooltip="open the next writing task"),
        Binding("u", "revise", "change the text", tooltip="go on with this text; until the next item is opened"),
        Binding("h", "home", "home", tooltip="go to the home screen"),
        SHARE,
        Binding("escape,q", "back", "back", key_display="esc", tooltip="close the verdicts"),
    ]

    def __init__(self, told: ToldTask, mode: str, *, revises: Writing | None = None) -> None:
        """Make it; `revises` is what may still be changed."""
        super().__init__()
        self.told, self._mode, self._revises = told, mode, revises
        self._width = 0

    @property
    def puzzle_id(self) -> str:
        return self.told.task.puzzle_id

    def body(self) -> Iterable[Widget]:
        yield Sheet(Saying(id="told"), id="feedback")

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Offer the revision where one is allowed."""
        return super().check_action(action, parameters) and (action != "revise" or self._revises is not None)

    def on_mount(self) -> None:
        what = "verdicts" if any(turn.judged for turn in self.told.turns) else "sent"
        self.top.show(f"{what}  {shown_cell(self.told.task.title)}")
        self.query_one("#feedback").focus()

    def on_resize(self, event: events.Resize) -> None:
        # Two cells of padding on each side, and the scroll bar.
        width = min(self.size.width - 5, WIDEST)
        if width > 0 and width != self._width:
            self._width = width
            lines = Content("\n").join(list(self._lines()))
            self.query_one("#told", Saying).update(lines)

    def _lines(self) -> Iterator[Content]:
        told = self.told
        if not any(turn.judged for turn in told.turns):
            said = (SKIPPED if told.skipped else "Saved.") if told.answered_here else NO_VERDICT
            yield Content.styled(said, "bold $success" if told.answered_here else "")
        elif len(told.turns) > 1:
            yield self._summary()
        if told.answered_here:
            yield Content.styled(told.progress.said() if told.progress else SAVED, "$muted")
        if self._mode == "practice":
            for turn in told.turns:
                yield from self._turn(turn)

    def _summary(self) -> Content:
        met = sum(all_met(_requirements(turn)) for turn in self.told.turns)
        return _headline(met == len(self.told.turns), f"{met} of {len(self.told.turns)} turns meet all that counts.")

    def _turn(self, turn: Reviewed) -> Iterator[Content]:
        asked = _requirements(turn)
        several = len(self.told.turns) > 1
        if several:
            yield Content("")
            yield Content.styled(f"Turn {turn.turn}", "bold $primary")
        if turn.judged:
            met = all_met(asked)
            yield _headline(met, f"All met: {met_words(asked)}." if met else f"{met_words(asked)}.")
        for one in asked:
            yield Content("")
            yield requirement_content(one, self._width, TEXT_LINES, marked=bool(turn.judged))
        if turn.written:
            yield Content("")
            yield Content.styled("What you wrote", "$muted")
            yield from self._written(turn.written)

    def _written(self, text: str) -> Iterator[Content]:
        lines = wrapped(shown_block(text[:LONGEST]), max(self._width - 2, 10))
        yield from (Content(f"  {line}") for line in lines)
        if len(text) > LONGEST:
            yield Content(f"  … {len(text) - LONGEST} more characters")

    def action_next(self) -> None:
        self.post_message(OpenTask())

    def action_revise(self) -> None:
        if self._revises is not None:
            self.clew.revise(self._revises)

    def action_home(self) -> None:
        self.post_message(GoHome())

    def action_back(self) -> None:
        if self.told.answered_here:
            self.post_message(GoHome())
        else:
            self.dismiss()


def _requirements(turn: Reviewed) -> tuple[Requirement, ...]:
    return with_verdicts(turn.requirements, turn.judged, turn.written)


def _headline(good: bool, said: str) -> Content:
    return Content.styled(f"ok  {said}", "bold $success") if good else Content.styled(f"x   {said}", "bold $error")
