"""The puzzle: question, evidence, story, answer.

At 80 columns evidence and story take turns; from 110 on both are in sight.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.widget import Widget
from textual.widgets import DataTable

from tui.attempt import Attempt
from tui.columns import SORT_WORDS, next_sort
from tui.errands import Sent, Told, shelf_of
from tui.filtering import NO_FILTER, Filter, Flaw, read_filter, vocabulary
from tui.messages import Chosen, EditorLeft, FilterChanged, NotesChanged, Sure, Surer
from tui.screens.frame import Framed
from tui.screens.item import ItemScreen
from tui.widgets.answer_bar import AnswerBar
from tui.widgets.evidence import EvidenceTable
from tui.widgets.question import Question
from tui.widgets.status import StatusLine
from tui.widgets.story import StoryPane
from tui.wording import clock_text, length_name

NOTES_LIMIT = 100_000
"""Longer notes are kept as they are, but not opened in the editor, which would stand still on them."""


class PuzzleScreen(ItemScreen):
    """Decides what keys and messages mean for the attempt; every change of it goes to the keeper.

    The focus is set at once, never by `Widget.focus`, which waits a turn: the next key may already be there.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("a", "answer", "answer", tooltip="go to the answer bar"),
        Binding("slash", "filter", "filter", key_display="/", tooltip="show only some rows: seal !vent load<=3 n>=2"),
        Binding("s", "sort", "sort", tooltip="sort by original order, share, length, overlap"),
        Binding("t", "turn", "story/table", tooltip="go from the table to the story and back"),
        Binding("n", "notes", "notes", tooltip="write notes"),
        Binding("p", "pause", "pause", tooltip="hide the puzzle and stop its clock"),
        Binding("escape,q", "back", "home", key_display="esc", tooltip="leave the puzzle; the draft is kept"),
    ]

    RETRY = "enter in the answer bar tries again"

    def __init__(self, attempt: Attempt) -> None:
        super().__init__(attempt)
        self.attempt: Attempt = attempt
        legend, payload = attempt.presented.legend, attempt.presented.payload
        self._vocabulary = vocabulary(legend, payload)
        found = read_filter(attempt.filter, self._vocabulary)
        self._filter = found if isinstance(found, Filter) else NO_FILTER

    def body(self) -> Iterable[Widget]:
        attempt, presented = self.attempt, self.attempt.presented
        yield Question(attempt, id="question")
        story = StoryPane(presented.text, presented.blocks, id="story")
        story.border_title = "story"
        if attempt.session.aid == "A0":
            yield Horizontal(story, id="panes")
        else:
            table = EvidenceTable(attempt, id="evidence")
            table.border_title = "evidence"
            yield Horizontal(story, table, id="panes")
            yield StatusLine(attempt, id="status")
        yield AnswerBar(attempt, id="answer")

    def on_mount(self) -> None:
        self.set_class(not self._has_table, "-story")
        self._arrange()
        if self._has_table:
            # Watched as well, since a message comes a frame later: row and sentence are painted together.
            self.watch(self.query_one(EvidenceTable), "cursor_coordinate", self._follow_cursor, init=False)
        self.set_focus(self._home_pane())

    @property
    def _has_table(self) -> bool:
        return self.attempt.session.aid != "A0"

    def _home_pane(self) -> Widget:
        return self.query_one("#story" if self.has_class("-story") else "#evidence")

    def tick(self) -> None:
        attempt, shelf = self.attempt, self.attempt.shelf
        place = (
            f"{attempt.session.mode.upper()} {attempt.session.aid}  {length_name(attempt.presented.payload.complexity)}"
        )
        if shelf is not None:
            place += f"  item {min(shelf.answered + 1, shelf.puzzles)} of {shelf.puzzles}"
        self.top.show(f"{place}  {attempt.words.title}", f"{clock_text(attempt.clock.visible_ms())} ")

    def _arrange(self) -> None:
        if self._has_table:
            rows = self.query_one(EvidenceTable).arrange_rows(self._filter)
            self.query_one(StatusLine).show(rows)

    def outcome(self, sent: Sent) -> Framed:
        # Feedback is loaded when first needed, to keep the first paint early.
        from tui.screens.feedback import FeedbackScreen

        attempt = self.attempt
        assert attempt.answer is not None
        told = Told(
            presented=attempt.presented, answer=attempt.words.outcome(attempt.answer), confidence=attempt.confidence,
            reveal=sent.receipt.reveal, answered_here=True,
            shelf=shelf_of(sent.shelves, attempt.presented.payload.complexity),
        )  # fmt: skip
        return FeedbackScreen(told, attempt.session.mode)

    # What the panes say

    def on_data_table_row_highlighted(self, event: DataTable.RowHighlighted) -> None:
        """Follow a table that was filled anew, under a cursor that did not move."""
        event.stop()
        self._follow_cursor()

    def _follow_cursor(self) -> None:
        row = self.query_one(EvidenceTable).current()
        if row is not None:
            self.query_one(StoryPane).mark(row.nth)

    def on_chosen(self, message: Chosen) -> None:
        message.stop()
        if not self.sending:
            self.attempt.answer = message.answer
            self._answer_changed()

    def on_sure(self, message: Sure) -> None:
        message.stop()
        if not self.sending:
            self.attempt.confidence = message.confidence
            self._answer_changed()

    def on_surer(self, message: Surer) -> None:
        message.stop()
        if not self.sending:
            self.attempt.be_surer(message.more)
            self._answer_changed()

    def _answer_changed(self) -> None:
        self.query_one(AnswerBar).refresh()
        self.changed()

    def on_filter_changed(self, message: FilterChanged) -> None:
        message.stop()
        found = read_filter(message.text, self._vocabulary)
        if isinstance(found, Filter):
            self._filter, self.attempt.filter = found, message.text
            self._arrange()
            self.changed()
            self.clew.keeper.note("filter", message.text)
            self._leave_editor()

    def on_notes_changed(self, message: NotesChanged) -> None:
        message.stop()
        if message.text != self.attempt.notes:
            self.attempt.notes = message.text
            self.changed()

    def on_editor_left(self, message: EditorLeft) -> None:
        message.stop()
        self._leave_editor()

    def _leave_editor(self) -> None:
        for editor in self.query("#filter-bar, #notes"):
            editor.remove()
        self._arrange_status()
        self.set_focus(self._home_pane())

    def _arrange_status(self) -> None:
        if self._has_table:
            self.query_one(StatusLine).show(self.query_one(EvidenceTable).row_count)

    # Keys

    def take_late(self, event: events.Key | events.Paste) -> None:
        """Give the bar a letter that set out for the table before the bar had the focus: keys can come in bursts."""
        if isinstance(self.focused, AnswerBar) and isinstance(event, events.Key):
            self.focused.on_key(event)

    def action_answer(self) -> None:
        self.set_focus(self.query_one(AnswerBar))

    def action_sort(self) -> None:
        if self._has_table:
            self.attempt.sort = next_sort(self.attempt.sort)
            self._arrange()
            self.changed()
            self.clew.keeper.note("sort", self.attempt.sort)
            self.tell(f"sorted by {SORT_WORDS[self.attempt.sort]}")

    async def action_filter(self) -> None:
        if not self._has_table or self.query("#filter-bar"):
            return
        # Text fields are loaded when first needed: many puzzles are solved without one.
        from tui.widgets.filter_bar import FilterBar

        def read(text: str) -> Filter | Flaw:
            return read_filter(text, self._vocabulary)

        def count(found: Filter) -> int:
            return sum(found.keeps(row) for row in self.attempt.rows)

        await self.mount(FilterBar(self.attempt.filter, read, count), after="#status")
        self.set_focus(self.query_one("#filter-text"))

    async def action_notes(self) -> None:
        if len(self.attempt.notes) > NOTES_LIMIT:
            self.tell("these notes are too long for the editor; they are kept as they are")
            return
        if not self.query("#notes"):
            from tui.widgets.notes import NotesPane

            await self.mount(NotesPane(self.attempt.notes), before="#answer")
        self.set_focus(self.query_one("#notes"))

    def action_turn(self) -> None:
        if not self._has_table:
            self.tell("this session shows the story alone")
            return
        to_story = not self.has_class("-story")
        self.set_class(to_story, "-story")
        self.set_focus(self._home_pane())
        self.clew.keeper.note("view", "story" if to_story else "table")

    def action_back(self) -> None:
        if self.query("#filter-bar, #notes"):
            self._leave_editor()
        elif isinstance(self.focused, AnswerBar):
            self.set_focus(self._home_pane())
        else:
            self.go_home()
