"""The writing task: the brief, the requirements with their verdicts, the turns so far, and the text.

At 80 columns the panes beside the text take turns; from 110 on all are in sight. The focus starts in the text, so that
whoever begins to type is writing. Verdicts come from the desk while one writes, in practice alone; this screen checks
nothing itself, and in a collection it lists nothing either.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.widget import Widget
from textual.widgets import Input

from engine.public import Judged
from tui.checking import Checking
from tui.errands import Sent, ToldTask
from tui.messages import (
    ConflictChanged,
    CursorMoved,
    EditorLeft,
    OwnChanged,
    Pane,
    ReadTurn,
    SeeRequirement,
    SendAnswer,
    ShowPane,
    TextChanged,
)
from tui.pasting import invisible_count
from tui.places import Span
from tui.screens.frame import Framed
from tui.screens.item import ItemScreen
from tui.screens.sure import SureScreen
from tui.screens.verdict import VerdictScreen
from tui.widgets.conflict_bar import ConflictBar, ConflictToggle
from tui.widgets.editor import Editor
from tui.widgets.send_bar import SendButton, TextStatus
from tui.widgets.side import SidePanes, panes_of
from tui.widgets.task_line import TaskLine
from tui.wording import clock_text, counted
from tui.writing import View, Writing, writing_progress

ALONE = ("-side-alone", "-text-alone")
"""Classes under which one side has the whole width."""
ROOMY = 72
"""From this width on the top line has room for words."""
TYPED_S = 10.0
"""How long one count of changes lasts; nothing finer is kept of how somebody types."""


class WritingScreen(ItemScreen):
    """Decides what keys and messages mean for the text; the editor's document is the only copy of it.

    The focus is set at once, never by `Widget.focus`, which waits a turn: the next key may already be there.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("f2", "send", "send", key_display="F2", tooltip="send the text, from anywhere"),
        Binding("e,enter", "write", "write", key_display="e", tooltip="go to the text"),
        Binding("b", "beside('brief')", "brief", show=False, tooltip="go to the brief of the turn at hand"),
        Binding("l", "beside('list')", "list", show=False, tooltip="go to the list of requirements"),
        Binding("t", "beside('turns')", "turns", show=False, tooltip="go to the turns so far"),
        Binding("c", "conflict", "conflict", tooltip="tick the conflict box: two requirements contradict each other"),
        Binding("o", "wide", "wide", tooltip="give one side the whole width, or end that"),
        Binding("ctrl+o", "wide", "wide", tooltip="give one side the whole width, also while writing"),
        Binding("p", "pause", "pause", tooltip="hide the task and stop its clock"),
        Binding("escape,q", "back", "home", key_display="esc", tooltip="leave the task; the draft is kept"),
    ]
    RETRY = "F2 tries again"

    def __init__(self, attempt: Writing) -> None:
        super().__init__(attempt)
        self.attempt: Writing = attempt
        self._failing: dict[int, tuple[Span, ...]] = {}
        """Where the text fails each requirement, by number, as far as that is known of the text as it is."""
        self._seen: dict[int, int] = {}
        """How often each requirement's places were asked for, so that each time shows the next one."""
        self._chosen = attempt.resumed
        """Whether the person has chosen what stands beside the text."""
        self._typed = 0
        self._reported = ""

    # Layout

    def body(self) -> Iterable[Widget]:
        attempt = self.attempt
        first_line = attempt.task.text.lstrip("\n").partition("\n")[0]
        yield TaskLine(f"{attempt.task.title}: {first_line}"[:1000], panes_of(attempt), id="task-line")
        with Horizontal(id="panes"):
            yield SidePanes(attempt, id="side")
            with Vertical(id="written"):
                yield Editor(attempt.text, title=attempt.of_turn("your text"), id="text")
                yield TextStatus(id="text-status")
        with Horizontal(id="send-row"):
            yield SendButton(id="send")
            yield ConflictBar(attempt.conflict, labelled=attempt.lists, pastes=attempt.terms.pastes, id="conflict")

    def on_mount(self) -> None:
        editor, side, attempt = self._editor, self._side, self.attempt

        def look(view: View) -> View:
            return View(cursor=editor.cursor_location, scroll=editor.scroll_offset.y, pane=side.pane, own=view.own)

        # Both hold on to the widgets: a draft is also made when the screen is on its way out.
        attempt.read, attempt.look = lambda: editor.text, look
        self._checking = Checking(
            self.clew.clerk, attempt.puzzle_id, read=attempt.read, later=self.set_timer,
            came=self._judged, failed=self._not_judged,
        )  # fmt: skip
        self.query_one(TaskLine).show(self._side.pane)
        editor.pastes = attempt.terms.pastes
        editor.go_to(*attempt.view.cursor)
        self.set_focus(editor)
        self.call_after_refresh(editor.scroll_to, y=attempt.view.scroll, animate=False)
        self._show_status()
        self.set_interval(TYPED_S, self._note_typed)
        if attempt.task.turns > 1:
            self.clew.keeper.note("turn", f"{attempt.task.turn} of {attempt.task.turns}")
            if attempt.goes_on:
                said = f"turn {attempt.task.turn - 1} is saved; turn {attempt.task.turn} is on the left"
                self.call_after_refresh(self.tell, said)
        if attempt.checks:
            self._checking.begin()

    def on_unmount(self) -> None:
        self._checking.end()

    @property
    def _editor(self) -> Editor:
        return self.query_one("#text", Editor)

    @property
    def _side(self) -> SidePanes:
        return self.query_one(SidePanes)

    def _show_pane(self, pane: Pane) -> None:
        self._side.show(pane)
        self.query_one(TaskLine).show(pane)

    # What is said

    def tick(self) -> None:
        attempt, progress, task = self.attempt, self.attempt.progress, self.attempt.task
        roomy = self.size.width >= ROOMY
        parts: list[str] = []
        if progress is not None:
            done = f"{min(progress.answered + 1, progress.tasks)}/{progress.tasks}"
            parts.append(f"writing {done}" if roomy else done)
        if task.turns > 1:
            parts.append(f"turn {task.turn} of {task.turns}" if roomy else f"turn {task.turn}/{task.turns}")
        parts.append(clock_text(attempt.clock.visible_ms()))
        saved = "" if not attempt.text or self.clew.trouble else "..." if self.clew.keeper.waits else "saved"
        self.top.show("  ".join(parts), extra=saved)

    def _show_status(self) -> None:
        editor = self._editor
        text = editor.text
        parts: list[tuple[str, str]] = []
        if unseen := invisible_count(text):
            parts.append((counted(unseen, "invisible character"), f"{unseen} invisible"))
        if self.attempt.counts:
            line, column = editor.cursor_location
            lines, words = text.count("\n") + 1 if text else 0, len(text.split())
            said = (f"ln {line + 1} col {column + 1}", counted(words, "word"), counted(lines, "line"))
            parts += [(one, one) for one in said]
            self._side.show_written(words)
        self.query_one(TextStatus).show(tuple(parts))
        self.query_one(SendButton).show(ready=not self.attempt.missing())

    def outcome(self, sent: Sent) -> Framed:
        attempt = self.attempt
        if sent.following is not None:
            return WritingScreen(attempt.following(sent.following, self.clew.moments))
        skipped = attempt.sent is not None and attempt.sent.answer == "SKIP"
        told = ToldTask(
            task=attempt.task, turns=sent.review, answered_here=True, progress=writing_progress(sent.shelves),
            skipped=skipped,
        )  # fmt: skip
        revises = attempt if attempt.may_revise and not skipped and not sent.receipt.judged else None
        return VerdictScreen(told, attempt.session.mode, revises=revises)

    # What the panes say

    def on_text_changed(self, message: TextChanged) -> None:
        message.stop()
        self._failing = {}
        self._typed += 1
        self._show_status()
        self.changed()
        if self.attempt.checks:
            self._side.stale()
            self._checking.touch()
        if not self._chosen and self.attempt.lists and self.attempt.text:
            # Whoever has begun to write has read the brief: what is asked is of more use now.
            self._chosen = True
            self._show_pane("list")

    def on_cursor_moved(self, message: CursorMoved) -> None:
        message.stop()
        self._show_status()

    def on_editor_left(self, message: EditorLeft) -> None:
        message.stop()
        self._join()
        self.set_focus(self._side.in_use())

    def on_see_requirement(self, message: SeeRequirement) -> None:
        message.stop()
        spans = self._failing.get(message.nth, ())
        if spans:
            count = self._seen.get(message.nth, 0)
            self._seen[message.nth] = count + 1
            if self.has_class("-side-alone"):
                self._join()
            self._editor.show_place(spans[count % len(spans)])
        else:
            self.tell("there is no one place in the text to show for it")

    def on_read_turn(self, message: ReadTurn) -> None:
        message.stop()
        self._show_pane("brief")
        self.set_focus(self._side.in_use())
        self.clew.keeper.note("view", f"turn {message.turn}")

    def on_conflict_changed(self, message: ConflictChanged) -> None:
        message.stop()
        self.attempt.conflict = message.conflict
        self.changed()

    def on_own_changed(self, message: OwnChanged) -> None:
        message.stop()
        if message.kind == "none":
            self.tell("there is no mark to take back or to make again")
        else:
            self.changed()
            self.clew.keeper.note(message.kind, message.data)

    def on_show_pane(self, message: ShowPane) -> None:
        message.stop()
        self.action_beside(message.pane)

    def _note_typed(self) -> None:
        if self._typed:
            self.clew.keeper.note("typed", str(self._typed))
            self._typed = 0

    # Verdicts

    def _judged(self, text: str, judged: tuple[Judged, ...]) -> None:
        self._failing = {one.nth: one.spans for one in judged if not one.passed}
        self._seen = {}
        self._editor.mark([span for spans in self._failing.values() for span in spans])
        self._side.judged(judged, text)

    def _not_judged(self, error: Exception) -> None:
        self._editor.mark(())
        self._side.judged((), "")
        self.clew.not_checked(error)

    # Keys

    def take_late(self, event: events.Key | events.Paste) -> None:
        """Give the text what is meant for it: keys that set out before it had the focus, and letters without a meaning.

        Keys come in bursts, and whoever types or pastes while a pane has the focus means the text.
        """
        if isinstance(self.focused, Input):
            return
        if isinstance(event, events.Paste):
            self._go_to_text()
            self._editor.post_message(events.Paste(event.text))
        elif isinstance(self.focused, Editor):
            if event.is_printable or event.key == "enter":
                self._type(event)
        elif event.is_printable and event.key not in self.active_bindings:
            self._go_to_text()
            self._type(event)

    def _type(self, event: events.Key) -> None:
        event.stop()
        event.prevent_default()
        self._editor.post_message(events.Key(event.key, event.character))

    def on_send_answer(self, message: SendAnswer) -> None:
        if self.attempt.asks_sureness and not self.sending and not self.attempt.missing():
            message.stop()
            message.prevent_default()  # Textual would call the handler of the class above as well.
            self.app.push_screen(SureScreen(self.attempt.terms, self.attempt.confidence), self._on_sure)
        else:
            self._send_text(message)

    def _on_sure(self, percent: int | None) -> None:
        if percent is not None:
            self.attempt.confidence = percent
            self.changed()
            self._send_text(SendAnswer())

    def _send_text(self, message: SendAnswer) -> None:
        report = self.attempt.conflict.report(self.attempt.task.turn)
        if not self.sending and not self.attempt.missing():
            self._note_typed()
            if report and report != self._reported:
                self._reported = report
                self.clew.keeper.note("conflict", report)
        super().on_send_answer(message)

    def action_send(self) -> None:
        self.post_message(SendAnswer())

    def action_write(self) -> None:
        self._go_to_text()

    def _go_to_text(self) -> None:
        if self.has_class("-side-alone"):
            self._join()
        self.set_focus(self._editor)

    def action_beside(self, pane: Pane) -> None:
        if pane not in self._side.panes:
            self.tell("this task has one turn" if pane == "turns" else "this session shows the brief alone")
            return
        self._chosen = True
        if pane == "brief":
            self._side.read(self.attempt.task.turn)
        self._join()
        self._show_pane(pane)
        self.set_focus(self._side.in_use())
        self.clew.keeper.note("view", pane)

    def action_pane(self, by: int) -> None:
        """Go on to the next pane: beside the text, the text, the button, the conflict box with its fields."""
        order = [*self._side.in_sight(), self._editor, self.query_one(SendButton), *self.query_one(ConflictBar).stops()]
        at = order.index(self.focused) if self.focused in order else -1
        self.set_focus(order[(at + by) % len(order)])

    def action_conflict(self) -> None:
        self.set_focus(self.query_one(ConflictToggle))
        self.query_one(ConflictToggle).action_flip()

    def action_wide(self) -> None:
        if any(self.has_class(name) for name in ALONE):
            self._join()
            return
        of_text = isinstance(self.focused, Editor)
        self.add_class("-text-alone" if of_text else "-side-alone")
        self.clew.keeper.note("view", "text alone" if of_text else "side alone")

    def _join(self) -> None:
        """Show both sides."""
        self.remove_class(*ALONE)

    def action_back(self) -> None:
        if any(self.has_class(name) for name in ALONE):
            self._join()
        elif self._side.reading != self.attempt.task.turn:
            self._side.read(self.attempt.task.turn)
        else:
            self.go_home()
