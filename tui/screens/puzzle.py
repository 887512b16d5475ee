"""The puzzle: question, evidence, story, what one puts on the board, answer.

Below 110 columns evidence and story take turns; from there on both are in sight. Compare, marks and notes are lines
under the evidence, boxes where there is room for boxes, and in a low window shown when they are asked for.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from msgspec.structs import replace
from textual import events
from textual.binding import Binding, BindingType
from textual.containers import Container, Horizontal, Vertical
from textual.widget import Widget

from tui.attempt import Attempt
from tui.board import BoardView
from tui.columns import SORT_WORDS, next_sort
from tui.courses import course_of
from tui.errands import Sent, Told
from tui.filtering import NO_FILTER, Filter, Flaw, read_filter, vocabulary
from tui.messages import (
    CannotKnow,
    Chosen,
    EditorLeft,
    FilterChanged,
    FindChanged,
    NotesChanged,
    ReadRow,
    RoomChanged,
    SentenceChosen,
    Sure,
    Surer,
)
from tui.screens.board import BOARD_KEYS, BoardScreen
from tui.screens.frame import Framed
from tui.scrolling import Scrolled
from tui.widgets.answer_bar import AnswerBar
from tui.widgets.brief import BriefPane
from tui.widgets.compare import ComparePane
from tui.widgets.evidence import EvidenceTable
from tui.widgets.marks import MarksPane
from tui.widgets.notes_line import NotesLine
from tui.widgets.question import Question
from tui.widgets.status import StatusLine
from tui.widgets.story import StoryPane
from tui.wording import clock_text, length_name

NOTES_LIMIT = 100_000
"""Longer notes are kept as they are, but not opened in the editor, which would stand still on them."""
UNKNOWN = "50 %, as good as a coin flip: choose either outcome, it counts the same"
TABLE_ACTIONS = {"filter", "sort", "original", "turn"}


class PuzzleScreen(BoardScreen):
    """Decides what keys and messages mean for the attempt; every change of it goes to the keeper.

    The focus is set at once, never by `Widget.focus`, which waits a turn: the next key may already be there.
    """

    VERTICAL_BREAKPOINTS = [(0, "-low"), (22, "-usual"), (34, "-high")]  # noqa: RUF012  # as Textual declares it
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("a", "answer", "answer", tooltip="go to the answer bar"),
        Binding("slash", "filter", "filter", key_display="/", tooltip="show only some rows: seal !vent load<=3 n>=2"),
        Binding("slash", "find", "find", key_display="/", tooltip="find a word of the story; enter goes on"),
        Binding("s", "sort", "sort", tooltip="sort by original order, share, length, overlap"),
        Binding("number_sign", "original", "original order", key_display="#", show=False,
                tooltip="sort by the original order again, at once"),
        *BOARD_KEYS,
        Binding("t", "turn", "story/table", tooltip="go from the table to the story and back"),
        Binding("n", "notes", "notes", tooltip="write notes"),
        Binding("escape,q", "back", "home", key_display="esc", tooltip="leave the puzzle; the draft is kept"),
    ]  # fmt: skip
    RETRY = "enter in the answer bar tries again"

    def __init__(self, attempt: Attempt) -> None:
        super().__init__(attempt)
        legend, payload = attempt.presented.legend, attempt.presented.payload
        self._vocabulary = vocabulary(legend, payload)
        found = read_filter(attempt.filter, self._vocabulary)
        self._filter = found if isinstance(found, Filter) else NO_FILTER

    def body(self) -> Iterable[Widget]:
        attempt, presented = self.attempt, self.attempt.presented
        yield Question(attempt, id="question")
        if attempt.has_table:
            with Horizontal(id="panes"):
                with Vertical(id="left"):
                    story = StoryPane(presented.text, presented.blocks, place=attempt.view.place, id="story")
                    yield story
                    yield Question(attempt, id="question-aside")
                with Vertical(id="right"):
                    yield EvidenceTable(attempt, id="evidence")
                    yield StatusLine(attempt, id="status")
        else:
            yield Horizontal(BriefPane(id="story"), id="panes")
        with Container(id="lower"):
            if attempt.has_board:
                yield ComparePane(attempt, id="compare")
                yield MarksPane(attempt, id="marks")
            yield NotesLine(attempt, id="notes-line")
        yield AnswerBar(attempt, id="answer")

    def on_mount(self) -> None:
        attempt = self.attempt
        self.set_class(not attempt.has_table or attempt.view.side == "story", "-story")
        self.set_class(not attempt.has_table, "-alone")
        self._scrolled = Scrolled(later=self.set_timer, note=self._note_scroll)
        attempt.look = self._look
        if attempt.has_table:
            right = self.query_one("#right")
            right.border_title = "evidence"
            self.query_one("#left").border_title = "story (the text a model gets)"
            self._arrange()
            # Watched, since a message comes a frame later: row and sentence are painted together.
            self.watch(self.query_one(EvidenceTable), "cursor_coordinate", self._follow_cursor, init=False)
            self.watch(self.query_one(EvidenceTable), "scroll_y", self._on_scroll, init=False)
            self.watch(self.query_one(StoryPane), "scroll_y", self._on_scroll, init=False)
        else:
            brief = self.query_one(BriefPane)
            brief.show(attempt.presented.text, attempt.board.underlines, title="story")
            self.call_after_refresh(brief.scroll_to, y=attempt.view.top, animate=False, force=True)
            self.watch(brief, "scroll_y", self._on_scroll, init=False)
        self._show_lower()
        self.set_focus(self._home_pane())

    def on_resize(self, event: events.Resize) -> None:
        self._show_lower()
        self._show_board()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Offer no key of a table that is not there."""
        if action in TABLE_ACTIONS:
            return self.attempt.has_table
        if action == "find":
            return not self.attempt.has_table
        return super().check_action(action, parameters)

    def _story(self) -> StoryPane | BriefPane:
        """Return what shows the story: with underlines of one's own where it stands alone."""
        return self.query_one(StoryPane) if self.attempt.has_table else self.query_one(BriefPane)

    def _home_pane(self) -> Widget:
        return self.query_one("#story" if self.has_class("-story") else "#evidence")

    def _look(self, view: BoardView) -> BoardView:
        """Return a view with where cursor and scroll are now."""
        if not self.is_running:
            return view
        if not self.attempt.has_table:
            return replace(view, top=int(self.query_one(BriefPane).scroll_offset.y))
        table, story = self.query_one(EvidenceTable), self.query_one(StoryPane)
        row = table.current()
        side = "story" if self.has_class("-story") else "table"
        # A table that was not in sight yet has no cursor of its own.
        case_id, top = (row.case_id, table.top) if row else (view.row, view.top)
        return replace(view, row=case_id, top=top, place=story.place, side=side)

    def tick(self) -> None:
        attempt, course = self.attempt, self.attempt.course
        where = f"{course.place}  " if course else ""
        clock = clock_text(attempt.clock.visible_ms())
        named = f"{where}{length_name(attempt.presented.payload.complexity)}  {clock}"
        self.top.show(f"{named}  {attempt.words.title}", shorter=(named, f"{where}{clock}"))

    def _arrange(self) -> None:
        self._rows = self.query_one(EvidenceTable).arrange_rows(self._filter)
        self._follow_cursor()
        self._show_status()

    # After the answer

    def outcome(self, sent: Sent) -> Framed:
        # Feedback is loaded when first needed, to keep the first paint early.
        from tui.screens.feedback import FeedbackScreen

        attempt = self.attempt
        skipped = attempt.sent is not None and attempt.sent.answer == "SKIP"
        label = None if skipped else attempt.answer
        told = Told(
            presented=attempt.presented, answer="" if label is None else attempt.words.outcome(label),
            confidence=None if skipped else attempt.confidence, reveal=sent.receipt.reveal, answered_here=True,
            course=attempt.course and course_of(
                sent.shelves, attempt.presented.payload.complexity, collects=attempt.session.mode == "collect"
            ),
        )  # fmt: skip
        may_revise = attempt.may_revise and not skipped and sent.receipt.reveal is None
        return FeedbackScreen(told, attempt.session.mode, revises=attempt if may_revise else None)

    # What the panes say

    def _follow_cursor(self) -> None:
        """Mark the sentence of the row at hand: after a move, and after rows came under a cursor that stayed."""
        row = self.query_one(EvidenceTable).current()
        if row is not None:
            self.query_one(StoryPane).mark(row.nth)
            self.changed()
            if self.attempt.view.highlight:
                self._highlight_question()

    def _on_scroll(self) -> None:
        self._scrolled.touch()
        if self.attempt.has_table:
            self._show_status()

    def _note_scroll(self) -> None:
        if self.is_mounted:
            pane = self._home_pane()
            self.clew.keeper.note("scroll", f"{pane.id} {int(pane.scroll_offset.y)}")
            self.changed()

    def on_room_changed(self, message: RoomChanged) -> None:
        message.stop()
        self._follow_cursor()
        self._show_status()

    def on_read_row(self, message: ReadRow) -> None:
        message.stop()
        self.set_class(True, "-story")
        self.set_focus(self.query_one("#story"))

    def on_sentence_chosen(self, message: SentenceChosen) -> None:
        """Put the cursor on the row of a sentence, and go there if that was asked for."""
        message.stop()
        if message.block in range(1, len(self.attempt.rows) + 1):
            row = self.attempt.rows[message.block - 1]
            if not self.query_one(EvidenceTable).go_to(row.case_id):
                self.tell(f"row {row.nth} is not among the rows that the filter keeps")
                return
        if message.leave:
            self.set_class(False, "-story")
            self.set_focus(self.query_one("#evidence"))

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

    def on_cannot_know(self, message: CannotKnow) -> None:
        message.stop()
        if not self.sending:
            self.attempt.confidence = 50
            self.clew.keeper.note("dont_know")
            self._answer_changed()
            if self.attempt.answer is None:
                self.tell(UNKNOWN)

    def _answer_changed(self) -> None:
        self.query_one(AnswerBar).refresh()
        self.changed()

    # Fields of text

    def on_filter_changed(self, message: FilterChanged) -> None:
        message.stop()
        found = read_filter(message.text, self._vocabulary)
        if isinstance(found, Filter):
            self._filter, self.attempt.filter = found, message.text
            self._arrange()
            self.changed()
            self.clew.keeper.note("filter", message.text)
            self._leave_editor()

    def on_find_changed(self, message: FindChanged) -> None:
        message.stop()
        from tui.widgets.find_bar import FindBar

        nth, count = self._story().find(message.text, onward=message.onward)
        self.query_one(FindBar).say(nth, count)

    def on_notes_changed(self, message: NotesChanged) -> None:
        message.stop()
        if message.text != self.attempt.notes:
            self.attempt.notes = message.text
            self.changed()

    def on_editor_left(self, message: EditorLeft) -> None:
        message.stop()
        self._leave_editor()

    def _leave_editor(self) -> None:
        if self.query("#find-bar"):
            self._story().found_nothing()
        for editor in self.query("#filter-bar, #notes, #find-bar"):
            editor.remove()
        self.remove_class("-writing")
        self._put(replace(self.attempt.board, notes=self.attempt.notes), "note", str(len(self.attempt.notes)))
        self._show_board()
        self.set_focus(self._home_pane())

    # Keys

    def take_late(self, event: events.Key | events.Paste) -> None:
        """Give the bar a letter that set out for the table before the bar had the focus: keys can come in bursts."""
        if isinstance(self.focused, AnswerBar) and isinstance(event, events.Key):
            self.focused.on_key(event)

    def action_answer(self) -> None:
        self.set_focus(self.query_one(AnswerBar))

    def action_sort(self) -> None:
        self._sort_by_next(original=False)

    def action_original(self) -> None:
        self._sort_by_next(original=True)

    def _sort_by_next(self, *, original: bool) -> None:
        attempt = self.attempt
        attempt.sort = "" if original else next_sort(attempt.sort, attempt.session.aid)
        self._arrange()
        self.changed()
        self.clew.keeper.note("sort", attempt.sort)
        self.tell(f"sorted by {SORT_WORDS[attempt.sort]}")

    async def action_filter(self) -> None:
        if self.query("#filter-bar, #find-bar"):
            return
        if isinstance(self.focused, StoryPane):
            await self.action_find()
            return
        # Text fields are loaded when first needed: many puzzles are solved without one.
        from tui.widgets.filter_bar import FilterBar

        def read(text: str) -> Filter | Flaw:
            return read_filter(text, self._vocabulary)

        def count(found: Filter) -> int:
            return sum(found.keeps(row) for row in self.attempt.rows)

        await self.mount(FilterBar(self.attempt.filter, read, count), before="#lower")
        self.set_focus(self.query_one("#filter-text"))

    async def action_find(self) -> None:
        if not self.query("#find-bar"):
            from tui.widgets.find_bar import FindBar

            await self.mount(FindBar(), before="#lower")
            self.set_focus(self.query_one("#find-text"))

    async def action_notes(self) -> None:
        if len(self.attempt.notes) > NOTES_LIMIT:
            self.tell("these notes are too long for the editor; they are kept as they are")
            return
        if not self.query("#notes"):
            from tui.widgets.notes import NotesPane

            await self.mount(NotesPane(self.attempt.notes), after="#notes-line")
        self.add_class("-writing")
        self.set_focus(self.query_one("#notes"))

    def action_turn(self) -> None:
        to_story = not self.has_class("-story")
        self.set_class(to_story, "-story")
        self.set_focus(self._home_pane())
        self.clew.keeper.note("view", "story" if to_story else "table")
        self.changed()

    def action_back(self) -> None:
        if self.query("#filter-bar, #notes, #find-bar"):
            self._leave_editor()
        elif isinstance(self.focused, AnswerBar):
            self.set_focus(self._home_pane())
        else:
            self.go_home()
