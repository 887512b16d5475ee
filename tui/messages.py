"""All messages of the app: widgets post them, screens and the app decide."""

from __future__ import annotations

from textual.message import Message

from engine.hidden_systems.behavior import Label
from engine.public import Past


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
    """A paste was put into the text, so many characters of it, and so many left out."""

    def __init__(self, kept: int, dropped: int) -> None:
        super().__init__()
        self.kept, self.dropped = kept, dropped


class SeeRequirement(Message):
    """Show where the text fails a requirement, 1-based."""

    def __init__(self, nth: int) -> None:
        super().__init__()
        self.nth = nth


class OpenPuzzle(Message):
    """Open the next puzzle of a length, or one puzzle by its id."""

    def __init__(self, complexity: int | None = None, puzzle_id: str | None = None) -> None:
        super().__init__()
        self.complexity, self.puzzle_id = complexity, puzzle_id


class OpenTask(Message):
    """Open the next writing task."""


class OpenPast(Message):
    """Show the feedback of an answer given before."""

    def __init__(self, past: Past) -> None:
        super().__init__()
        self.past = past


class GoHome(Message):
    """Close everything down to the home screen."""
