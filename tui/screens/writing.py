"""The writing task: the brief, the requirements with their verdicts, and the text.

At 80 columns brief and requirements take turns beside the text; from 110 on all three are in sight. Verdicts come
from the desk while one writes, in practice alone; this screen checks nothing itself.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.widget import Widget

from engine.public import Judged
from tui.checking import Checking
from tui.errands import Sent, ToldTask
from tui.messages import CursorMoved, EditorLeft, PasteTaken, SeeRequirement, SendAnswer, TextChanged
from tui.pasting import invisible_count
from tui.places import Span
from tui.screens.frame import Framed
from tui.screens.item import ItemScreen
from tui.screens.verdict import VerdictScreen
from tui.shown import shown_cell
from tui.verdicts import with_verdicts
from tui.widgets.brief import BriefPane
from tui.widgets.editor import Editor
from tui.widgets.requirements import RequirementList
from tui.widgets.send_bar import SendBar
from tui.wording import clock_text, counted
from tui.writing import Writing, writing_progress

ALONE = ("-side-alone", "-text-alone")
"""Classes under which one side has the whole width."""


class WritingScreen(ItemScreen):
    """Decides what keys and messages mean for the text; the editor's document is the only copy of it.

    The focus is set at once, never by `Widget.focus`, which waits a turn: the next key may already be there.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("f2", "send", "send", key_display="F2", tooltip="send the text, from anywhere"),
        Binding("e,enter", "write", "write", key_display="e", tooltip="go to the text"),
        Binding("t", "turn", "brief/list", tooltip="go from the brief to the requirements and back"),
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
        self._turned = False
        """Whether the person has chosen between brief and requirements."""

    def body(self) -> Iterable[Widget]:
        attempt = self.attempt
        with Horizontal(id="panes"):
            with Vertical(id="side"):
                yield BriefPane(attempt.task.text, id="brief")
                if attempt.lists:
                    asked = with_verdicts(attempt.task.requirements, (), "")
                    yield RequirementList(asked, marked=attempt.checks, id="requirements")
            yield Editor(attempt.text, id="text")
        yield SendBar(id="send")

    def on_mount(self) -> None:
        editor = self._editor
        self.attempt.read = lambda: editor.text
        self._checking = Checking(
            self.clew.clerk, self.attempt.puzzle_id, read=self.attempt.read, later=self.set_timer,
            came=self._judged, failed=self._not_judged,
        )  # fmt: skip
        if self.attempt.text:
            editor.go_to_end()
            self.set_focus(editor)
        else:
            self.set_focus(self.query_one("#brief"))
        self._show_status()
        if self.attempt.checks:
            self._checking.touch()

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        """Put the requirements beside the text once the writing begins, unless the person has chosen what is there."""
        if event.widget is self._editor and self._list is not None and not self._turned:
            self.add_class("-list")

    def on_unmount(self) -> None:
        self._checking.end()

    @property
    def _editor(self) -> Editor:
        return self.query_one("#text", Editor)

    @property
    def _list(self) -> RequirementList | None:
        return next(iter(self.query("#requirements").results(RequirementList)), None)

    def _side_pane(self) -> Widget:
        """Return the pane beside the text that was in use last."""
        shown = self._list if self.has_class("-list") else None
        return shown if shown is not None else self.query_one("#brief")

    def tick(self) -> None:
        attempt, progress = self.attempt, self.attempt.progress
        place = f"{attempt.session.mode.upper()} {attempt.session.aid}  writing"
        if progress is not None:
            place += f"  task {min(progress.answered + 1, progress.tasks)} of {progress.tasks}"
        self.top.show(f"{place}  {shown_cell(attempt.task.title)}", f"{clock_text(attempt.clock.visible_ms())} ")

    def _show_status(self) -> None:
        editor, parts = self._editor, []
        text = editor.text
        if unseen := invisible_count(text):
            parts.append(counted(unseen, "invisible character"))
        if self.attempt.counts:
            line, column = editor.cursor_location
            lines = text.count("\n") + 1 if text else 0
            parts += [counted(len(text.split()), "word"), counted(lines, "line"), f"ln {line + 1} col {column + 1}"]
        self.query_one(SendBar).show(tuple(parts), ready=not self.attempt.missing())

    def outcome(self, sent: Sent) -> Framed:
        told = ToldTask(
            task=self.attempt.task, judged=sent.receipt.judged, text=self.attempt.seal().raw or "",
            answered_here=True, progress=writing_progress(sent.shelves),
        )  # fmt: skip
        return VerdictScreen(told, self.attempt.session.mode)

    # What the panes say

    def on_text_changed(self, message: TextChanged) -> None:
        message.stop()
        self._failing = {}
        self._show_status()
        self.changed()
        if self.attempt.checks and self._list is not None:
            self._list.stale()
            self._checking.touch()

    def on_cursor_moved(self, message: CursorMoved) -> None:
        message.stop()
        self._show_status()

    def on_paste_taken(self, message: PasteTaken) -> None:
        message.stop()
        self.clew.keeper.note("paste", f"{message.kept} kept, {message.dropped} left out")
        if message.dropped:
            self.tell(f"{counted(message.dropped, 'character')} of the paste left out")

    def on_editor_left(self, message: EditorLeft) -> None:
        message.stop()
        self._join()
        self.set_focus(self._side_pane())

    def on_see_requirement(self, message: SeeRequirement) -> None:
        message.stop()
        spans = self._failing.get(message.nth, ())
        if spans:
            count = self._seen.get(message.nth, 0)
            self._seen[message.nth] = count + 1
            self._go_to_text()
            self._editor.select_span(spans[count % len(spans)])
        else:
            self.tell("there is no one place in the text to show for it")

    # Verdicts

    def _judged(self, text: str, judged: tuple[Judged, ...]) -> None:
        self._failing = {one.nth: one.spans for one in judged if not one.passed}
        self._seen = {}
        self._editor.mark([span for spans in self._failing.values() for span in spans])
        if self._list is not None:
            self._list.show(with_verdicts(self.attempt.task.requirements, judged, text))

    def _not_judged(self, error: Exception) -> None:
        self._editor.mark(())
        if self._list is not None:
            self._list.show(with_verdicts(self.attempt.task.requirements, (), ""))
        self.clew.not_checked(error)

    # Keys

    def take_late(self, event: events.Key | events.Paste) -> None:
        """Give the editor what set out for another pane before it had the focus: keys come in bursts."""
        if not isinstance(self.focused, Editor):
            return
        if isinstance(event, events.Paste):
            self.focused.post_message(events.Paste(event.text))
        elif event.is_printable or event.key == "enter":
            event.stop()
            event.prevent_default()
            self.focused.post_message(events.Key(event.key, event.character))

    def action_send(self) -> None:
        self.post_message(SendAnswer())

    def action_write(self) -> None:
        self._go_to_text()

    def _go_to_text(self) -> None:
        if self.has_class("-side-alone"):
            self._join()
        self.set_focus(self._editor)

    def action_turn(self) -> None:
        if self._list is None:
            self.tell("this session shows the brief alone")
            return
        self._turned = True
        to_list = not self.has_class("-list")
        self.set_class(to_list, "-list")
        self.set_focus(self._side_pane())
        self.clew.keeper.note("view", "requirements" if to_list else "brief")

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
        elif self.focused is self.query_one(SendBar):
            self.set_focus(self._side_pane())
        else:
            self.go_home()
