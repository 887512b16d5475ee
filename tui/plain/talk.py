"""What all parts of the line mode share: a table of commands, of which help is made, and the loop that hears them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from engine.errors import ClewError, UsageError, quoted
from engine.public import Session
from tui.moments import Moments
from tui.plain.counter import Counter
from tui.plain.ends import Ended
from tui.plain.lines import Lines
from tui.plain.voice import Voice


@dataclass(frozen=True, kw_only=True)
class Command:
    """One thing that can be typed."""

    name: str
    usage: str = ""
    """What comes after the name."""
    tells: str
    run: Callable[[str], None]
    """Takes the rest of the line, without blanks at its ends."""


@dataclass(frozen=True, kw_only=True)
class Place:
    """Where the line mode takes place."""

    voice: Voice
    lines: Lines
    counter: Counter
    moments: Moments
    session: Session


class Talk(ABC):
    """One part of a session: home, a puzzle, a writing task."""

    PROMPT = "> "

    def __init__(self, place: Place) -> None:
        self.place = place
        self.say = place.voice.say
        self.note = place.counter.keeper.note
        self.over = False
        """Whether this part is left."""
        self._commands = {command.name: command for command in (*self.commands(), *self._everywhere())}

    @abstractmethod
    def commands(self) -> Sequence[Command]:
        """Return the commands of this part, in the order in which help tells them."""

    @abstractmethod
    def greet(self) -> None:
        """Say where one is, and what there is to do."""

    def _everywhere(self) -> Sequence[Command]:
        return (
            Command(name="help", tells="say what can be typed here", run=lambda rest: self._help()),
            Command(name="quit", tells="leave; drafts are kept", run=self._quit),
        )

    def hold(self, first: Callable[[], None] | None = None) -> None:
        """Go on until this part is left; `first` is done before anything is typed.

        Raises:
            Ended: the whole session ends.
        """
        self.greet()
        if first is not None:
            self.try_to(first)
        while not self.over:
            self.place.counter.settle()
            self.try_to(lambda: self.hear(self.place.lines.read(self.PROMPT)))

    def try_to(self, act: Callable[[], None]) -> None:
        """Do something; what is wrong with it is said in one line, and the session goes on."""
        try:
            act()
        except ClewError as error:
            self.say(error.line())

    def hear(self, line: str) -> None:
        """Do what a line says; an empty one is no command.

        Raises:
            UsageError: there is no such command here, or it cannot be done so.
        """
        name, _, rest = line.strip().partition(" ")
        if name:
            self._command(name).run(rest.strip())

    def _command(self, name: str) -> Command:
        if name in self._commands:
            return self._commands[name]
        found = [command for known, command in self._commands.items() if known.startswith(name.lower())]
        if len(found) != 1:
            one_of = ", ".join(command.name for command in found) or "help says what can be typed"
            raise UsageError(f"no command {quoted(name)} here; {one_of}")
        return found[0]

    def _help(self) -> None:
        self.place.voice.table(
            [(f"{command.name} {command.usage}".rstrip(), command.tells) for command in self._commands.values()]
        )

    def _quit(self, rest: str) -> None:
        raise Ended(0)


def number(text: str, low: int, high: int, what: str) -> int:
    """Read a whole number of a range.

    Raises:
        UsageError: names what it is for, the text, and the range.
    """
    if not (text.isascii() and text.isdecimal() and low <= int(text[:9]) <= high):
        raise UsageError(f"{what} {quoted(text)} is not one of {low} to {high}")
    return int(text)
