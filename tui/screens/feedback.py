"""What an answer turned out to be: verdict and exact share against one's own; then, asked for apart, what is behind it.

Sending is the check. The rules, the rows that show each, and the pair that the answer turns on come with a key of
their own, so that one can go on thinking first.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import ClassVar

from rich.cells import cell_len, set_cell_size
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widget import Widget

from engine.hidden_systems.behavior import EvidenceRow, evidence_rows
from engine.public import Evidenced, Reveal
from tui.attempt import Attempt
from tui.errands import Told
from tui.messages import GoHome, OpenPuzzle
from tui.screens.outcome import SHARE, OutcomeScreen
from tui.shown import shown_block, shown_cell
from tui.widgets.reading import Sheet
from tui.widgets.saying import Saying
from tui.wording import Words, bar, brier, brier_words, length_name

BAR_WIDTH = 30
NAME_WIDTH = 14


class FeedbackScreen(OutcomeScreen):
    """Made only from what the desk revealed after the answer was on disk."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "next", "next puzzle", key_display="enter", tooltip="open the next puzzle"),
        Binding("r", "reveal", "what is behind it", tooltip="show the rules, and the rows that show them"),
        Binding("u", "revise", "change it", tooltip="answer this one again; until the next one is opened"),
        Binding("h", "home", "home", tooltip="go to the home screen"),
        SHARE,
        Binding("escape,q", "back", "back", key_display="esc", tooltip="close the feedback"),
    ]

    def __init__(self, told: Told, mode: str, *, revises: Attempt | None = None) -> None:
        """Make it; `revises` is what may still be answered anew."""
        super().__init__()
        self.told, self._mode, self._revises = told, mode, revises
        self._revealed = False
        self._words = Words(told.presented.legend)

    def body(self) -> Iterable[Widget]:
        yield Sheet(Saying(id="told"), id="feedback")

    def on_mount(self) -> None:
        complexity = self.told.presented.payload.complexity
        self.top.show(f"feedback  {length_name(complexity)}  {self._words.title}")
        self.query_one("#feedback").focus()
        self._write()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Offer the reveal where there is one to come, and the revision where one is allowed."""
        if action == "reveal":
            return self.told.reveal is not None and not self._revealed
        return super().check_action(action, parameters) and (action != "revise" or self._revises is not None)

    @property
    def puzzle_id(self) -> str:
        return self.told.presented.puzzle_id

    def _write(self) -> None:
        lines = Content("\n").join(list(self._lines()))
        self.query_one("#told", Saying).update(lines)

    def _lines(self) -> Iterator[Content]:
        if self.told.reveal is not None:
            yield from self._verdict(self.told.reveal)
        else:
            yield Content.styled("Saved." if self.told.answer else "Skipped, and saved as skipped.", "bold $success")
            yield from self._answer()
        if self.told.answered_here:
            yield Content("")
            yield Content.styled(self._progress(), "$muted")
        if self.told.reveal is not None:
            yield Content("")
            if self._revealed:
                yield from self._rules(self.told.reveal)
            else:
                yield Content.styled("r shows what is behind it: the rules, and the rows that show them", "$muted")

    def _answer(self) -> Iterator[Content]:
        if not self.told.answer:
            return
        sure = "" if self.told.confidence is None else f", {self.told.confidence} % sure"
        yield Content(f"Your answer: {shown_cell(self.told.answer)}{sure}.")

    def _verdict(self, reveal: Reveal) -> Iterator[Content]:
        likelier = Content.assemble(" Likelier is ", (self._words.outcome(reveal.label), "bold"), ".")
        if reveal.correct:
            yield Content.styled("ok  Right.", "bold $success") + likelier
        else:
            yield Content.styled("x   Not this time.", "bold $error") + likelier
        yield Content("")
        yield from self._shares(reveal)

    def _shares(self, reveal: Reveal) -> Iterator[Content]:
        """Compare the exact share of the outcome one chose with one's own confidence in it."""
        chosen_present = reveal.correct == (reveal.label == "PRESENT")
        exact = reveal.present_probability if chosen_present else 1 - reveal.present_probability
        outcome = shown_cell(self.told.answer)
        yield Content.styled(f"How often it ends up {outcome}:", "$muted")
        if self.told.confidence is not None:
            mine = self.told.confidence / 100
            yield _share_line("you said", mine, f"{self.told.confidence} %", "$accent")
        yield _share_line("exactly", exact, f"{exact * 100:.1f} %", "$primary")
        if self.told.confidence is not None:
            score = brier(reveal.correct, self.told.confidence)
            yield Content.assemble(
                (f"{'Brier score':<{NAME_WIDTH}}", "$muted"),
                (f"{score:.2f}", "bold"),
                f"  {brier_words(reveal.correct, self.told.confidence)}",
            )
            yield Content.styled(f"{'':<{NAME_WIDTH}}0 is best, 0.25 a coin flip, 1 worst", "$muted")

    def _rules(self, reveal: Reveal) -> Iterator[Content]:
        rows = {row.case_id: row for row in evidence_rows(self.told.presented.payload)}
        if reveal.turning is not None:
            said = "One pair of rows carries it" if reveal.correct else "One pair of rows that could change your mind"
            yield Content.styled(said, "bold")
            yield Content(shown_block(reveal.turning.sentence))
            yield from self._shown(reveal.turning, rows)
            yield Content("")
        yield Content.styled("The rules behind it, and the rows that show them", "bold")
        for nth, rule in enumerate(reveal.rules, start=1):
            yield from self._rule(nth, rule, rows)

    def _rule(self, nth: int, rule: Evidenced, rows: dict[str, EvidenceRow]) -> Iterator[Content]:
        yield Content("")
        yield Content.assemble((f"{nth:>2}. ", "bold $primary"), shown_block(rule.sentence))
        yield from self._shown(rule, rows)

    def _shown(self, rule: Evidenced, rows: dict[str, EvidenceRow]) -> Iterator[Content]:
        shown = [rows[case_id] for case_id in rule.cases if case_id in rows]
        width = max((cell_len(self._words.steps(row)) for row in shown), default=0)
        for row in shown:
            yield self._row(row, width)

    def _row(self, row: EvidenceRow, width: int) -> Content:
        words = self._words
        return Content.assemble(
            (f"    row {row.nth:>3}  ", "$muted"), set_cell_size(words.steps(row), width),
            ("   with ", "$muted"), words.settings(row), "   ",
            (f"{words.outcome('PRESENT')} {row.present} of {row.trials}", "bold"),
        )  # fmt: skip

    def _progress(self) -> str:
        course = self.told.course
        if course is None:
            return "saved"
        return f"saved, {course.said()}{': all done' if course.done else ''}"

    def action_next(self) -> None:
        # A collection has an order of its own, whatever the length.
        complexity = None if self._mode == "collect" else self.told.presented.payload.complexity
        self.post_message(OpenPuzzle(complexity=complexity))

    def action_reveal(self) -> None:
        self._revealed = True
        self.clew.keeper.note("reveal", puzzle_id=self.told.presented.puzzle_id)
        self._write()
        self.refresh_bindings()

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


def _share_line(name: str, share: float, number: str, style: str) -> Content:
    return Content.assemble(
        (f"{name:<{NAME_WIDTH}}", "$muted"), (bar(share, BAR_WIDTH), style), f"  {number:>7}"
    )  # fmt: skip
