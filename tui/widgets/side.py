"""What stands beside the text: the turns so far, the brief, and where the session allows it the requirements."""

from __future__ import annotations

from collections.abc import Sequence

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.widget import Widget

from engine.public import Judged
from tui.marking import marks_told
from tui.messages import MarksChanged, MarksUndone, OwnChanged, Pane, ReadTurn, TickRequirement
from tui.verdicts import with_verdicts
from tui.widgets.brief import BriefPane
from tui.widgets.requirements import RequirementList
from tui.widgets.turns import TurnList
from tui.writing import Writing

IDS: dict[Pane, str] = {"brief": "#brief", "list": "#requirements", "turns": "#turns"}
WROTE = "\n\n----- what you wrote -----\n\n"


def panes_of(attempt: Writing) -> tuple[Pane, ...]:
    """Return the panes that a task has beside its text in this session."""
    lists: tuple[Pane, ...] = ("list",) if attempt.lists else ()
    turns: tuple[Pane, ...] = ("turns",) if attempt.task.turns > 1 else ()
    return ("brief", *lists, *turns)


class SidePanes(Vertical):
    """Keeps the person's own marks in the attempt, and says when they change; in a narrow window one pane is in sight.

    The classes `-brief`, `-list` and `-turns` of the screen say which.
    """

    def __init__(self, attempt: Writing, *, id: str) -> None:
        super().__init__(id=id)
        self._attempt = attempt
        self.panes = panes_of(attempt)
        self.pane: Pane = "brief"
        """The pane that was in use last."""
        self.reading = attempt.task.turn
        """The turn that the brief shows."""

    def compose(self) -> ComposeResult:
        attempt, task = self._attempt, self._attempt.task
        if "turns" in self.panes:
            yield TurnList(task.earlier, task.text, counts=attempt.counts, id="turns")
        yield BriefPane(id="brief")
        if "list" in self.panes:
            asked = with_verdicts(task.requirements, (), "")
            yield RequirementList(asked, marked=attempt.checks, ticks=attempt.own.value.ticks, id="requirements")

    def on_mount(self) -> None:
        pane = self._attempt.view.pane
        self.read(self._attempt.task.turn)
        self.show(pane if pane in self.panes else "brief")

    @property
    def _brief(self) -> BriefPane:
        return self.query_one(BriefPane)

    @property
    def _list(self) -> RequirementList | None:
        return next(iter(self.query(RequirementList)), None)

    def in_use(self) -> Widget:
        """Return the pane that was in use last."""
        return self.query_one(IDS[self.pane])

    def in_sight(self) -> list[Widget]:
        """Return the panes that can be seen now, from top to bottom."""
        return [pane for pane in self.children if pane.display and self.display]

    def show(self, pane: Pane) -> None:
        """Make a pane the one in use."""
        self.pane = pane
        for name in self.panes:
            self.screen.set_class(name == pane, f"-{name}")

    def read(self, turn: int) -> None:
        """Show a turn in the brief: the one at hand, or an earlier one with what was written to it."""
        task, self.reading = self._attempt.task, turn
        marks = self._attempt.own.value.marks.get(turn, ())
        if turn < task.turn:
            past = task.earlier[turn - 1]
            self._brief.show(past.asked, marks, title=f"turn {turn}, sent", below=WROTE + past.written)
        else:
            self._brief.show(task.text, marks, title=self._attempt.of_turn("brief"))

    # Verdicts

    def show_written(self, words: int) -> None:
        """Say how many words the text has; a session that counts nothing shows nothing of it."""
        for turns in self.query(TurnList):
            turns.show_written(words)

    def stale(self) -> None:
        """Say that the text is newer than the verdicts."""
        if self._list is not None:
            self._list.stale()

    def judged(self, judged: Sequence[Judged], text: str) -> None:
        """Show the verdicts on a text; none where it could not be checked."""
        if self._list is not None:
            self._list.show(with_verdicts(self._attempt.task.requirements, judged, text))

    # The person's own marks

    def on_marks_changed(self, message: MarksChanged) -> None:
        message.stop()
        if self._attempt.mark(self.reading, message.marks):
            self._show_own("underline", marks_told(message.marks))

    def on_tick_requirement(self, message: TickRequirement) -> None:
        message.stop()
        self._attempt.tick(message.nth)
        label = next((one.label for one in self._attempt.task.requirements if one.nth == message.nth), None)
        self._show_own("tick", label or str(message.nth))

    def on_marks_undone(self, message: MarksUndone) -> None:
        message.stop()
        own = self._attempt.own
        done = own.undo() if message.back else own.redo()
        self._show_own(("undo" if message.back else "redo") if done else "none")

    def _show_own(self, kind: str, data: str = "") -> None:
        own = self._attempt.own.value
        self._brief.show_marks(own.marks.get(self.reading, ()))
        if self._list is not None:
            self._list.show_ticks(own.ticks)
        self.post_message(OwnChanged(kind, data))

    def on_read_turn(self, message: ReadTurn) -> None:
        """Show the turn; the screen, to which the message goes on, brings it into sight."""
        self.read(message.turn)
