"""All messages of the app: widgets post them, screens and the app decide."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from textual.message import Message

from engine.hidden_systems.behavior import Label
from engine.public import Past

if TYPE_CHECKING:
    from tui.conflict import Conflict
    from tui.marking import Mark

Pane = Literal["brief", "list", "turns"]
"""What stands beside the text of a writing task."""


class HungUp(Message):
    """The terminal is gone."""


class Chosen(Message):
    """The person chose an outcome."""

    def __init__(self, answer: Label) -> None:
        super().__init__()
        self.answer = answer


class Sure(Message):
    """The person said how sure they are, in percent."""

    def __init__(self, confidence: int) -> None:
        super().__init__()
        self.confidence = confidence


class Surer(Message):
    """The person is so many percent surer than before; less than none is less sure."""

    def __init__(self, more: int) -> None:
        super().__init__()
        self.more = more


class SendAnswer(Message):
    """The person confirmed the answer."""


class NotesChanged(Message):
    """The text of the notes has changed."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.text = text


class FilterChanged(Message):
    """The person confirmed a filter text that can be read."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.text = text


class EditorLeft(Message):
    """The person left a text field; nothing in it is to be applied."""


class TextChanged(Message):
    """The text that is being written has changed."""


class CursorMoved(Message):
    """The cursor is at another place of the text."""


class PasteTaken(Message):
    """A paste was put into a field, so many characters of it, and so many left out; all of them where it is refused."""

    def __init__(self, kept: int, dropped: int, *, refused: bool = False) -> None:
        super().__init__()
        self.kept, self.dropped, self.refused = kept, dropped, refused


class SeeRequirement(Message):
    """Show where the text fails a requirement, 1-based."""

    def __init__(self, nth: int) -> None:
        super().__init__()
        self.nth = nth


class TickRequirement(Message):
    """The person ticked a requirement by hand, or took the tick back; 1-based."""

    def __init__(self, nth: int) -> None:
        super().__init__()
        self.nth = nth


class MarksChanged(Message):
    """The person changed their underlines in the text that the brief shows."""

    def __init__(self, marks: tuple[Mark, ...]) -> None:
        super().__init__()
        self.marks = marks


class MarksUndone(Message):
    """Take back the last underline or tick, or make it again."""

    def __init__(self, *, back: bool) -> None:
        super().__init__()
        self.back = back


class OwnChanged(Message):
    """Marks or ticks have changed: `underline`, `tick`, `undo` or `redo`; or `none`: there was nothing to undo."""

    def __init__(self, kind: str, data: str = "") -> None:
        super().__init__()
        self.kind, self.data = kind, data


class ReadTurn(Message):
    """Show what was asked and written in a turn, from 1."""

    def __init__(self, turn: int) -> None:
        super().__init__()
        self.turn = turn


class ShowPane(Message):
    """Show one of the panes beside the text."""

    def __init__(self, pane: Pane) -> None:
        super().__init__()
        self.pane = pane


class ConflictTicked(Message):
    """The person ticked or unticked the conflict box."""

    def __init__(self, ticked: bool) -> None:
        super().__init__()
        self.ticked = ticked


class ConflictChanged(Message):
    """The person changed what stands in the conflict box."""

    def __init__(self, conflict: Conflict) -> None:
        super().__init__()
        self.conflict = conflict


class PinRow(Message):
    """The person wants the row under the cursor pinned, or its pin taken away."""


class ReadRow(Message):
    """The person wants to read the sentence of the row under the cursor."""


class RoomChanged(Message):
    """The table has room for another number of rows."""


class SentenceChosen(Message):
    """The person went to a sentence of the story, by its block: 0 is the introduction."""

    def __init__(self, block: int, *, leave: bool) -> None:
        super().__init__()
        self.block, self.leave = block, leave


class FindChanged(Message):
    """The person wrote what is to be found in the story, or wants the next place of it."""

    def __init__(self, text: str, *, onward: bool) -> None:
        super().__init__()
        self.text, self.onward = text, onward


class MarkEvent(Message):
    """The person wants the mark of an event to go one on; 1-based place in the question."""

    def __init__(self, nth: int) -> None:
        super().__init__()
        self.nth = nth


class CannotKnow(Message):
    """The person does not know: 50 percent."""


class OpenPuzzle(Message):
    """Open the next puzzle of a length, or one puzzle by its id."""

    def __init__(self, complexity: int | None = None, puzzle_id: str | None = None) -> None:
        super().__init__()
        self.complexity, self.puzzle_id = complexity, puzzle_id


class OpenTask(Message):
    """Open the next writing task, of one kind (`single` or `multi`) if given."""

    def __init__(self, kind: str | None = None) -> None:
        super().__init__()
        self.kind = kind


class OpenPast(Message):
    """Show the feedback of an answer given before."""

    def __init__(self, past: Past) -> None:
        super().__init__()
        self.past = past


class GoHome(Message):
    """Close everything down to the home screen."""
