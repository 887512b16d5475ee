"""Home: go on, choose a shelf, the day's puzzle and the ladder, look back; and what a first-time player needs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import ClassVar, NamedTuple

from rich.cells import set_cell_size
from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.widget import Widget
from textual.widgets import OptionList, Static

from engine.errors import counted
from engine.public import PresentedTask
from tui.errands import Home
from tui.messages import OpenPuzzle, OpenTask
from tui.screens.frame import Framed
from tui.shown import shown_cell
from tui.widgets.keybar import KeyBar
from tui.widgets.menu import Menu
from tui.widgets.saying import Saying
from tui.wording import bar, clock_text, length_name
from tui.writing import writing_progress

HOW_TO = """\
Something works by rules that nobody has written down. You read what it did in many trials, and say which \
outcome is likelier for a combination that was never tried, and how sure you are."""
WITH_TABLE = """\
In a puzzle: up and down read the evidence, / keeps only some rows, s sorts them, t shows the story behind \
them, n takes notes."""
STORY_ALONE = """\
In a puzzle: up and down read the story, n takes notes."""
TO_ANSWER = """\
Press a to answer: a letter for the outcome, 5 to 9 or 0 for 50 to 100 % sure, then enter."""
HOW_TO_WRITE = """\
A writing task asks for a text that meets several requirements at once. You type into the text at once; \
esc leaves it, F2 sends it."""
NAME_WIDTH = 14
SIZE_WIDTH = 22
BAR_WIDTH = 12
BAR_FROM = 72
"""From so many columns on there is room for bars."""
GAP = "  "
MOTTO_LINES = 3
HOW_TO_LINES = 4
"""With fewer, the beginning of the text would be cut."""
FRAME_LINES = 2
"""Top line and key line."""
EXTRAS = ("daily", "ladder", "code", "statistics")
"""Actions of the players' part."""


class Line(NamedTuple):
    """One line of the menu."""

    key: str
    """The letter that does the same; empty where there is none."""
    name: str
    said: Content
    action: str


class HomeScreen(Framed):
    """Paints at once and fills in what the desk tells as soon as it does."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("c", "continue", "continue", tooltip="go on with the draft, or with the last length"),
        Binding("d", "daily", "daily", tooltip="play the puzzle of the day, the same for everybody"),
        Binding("l", "ladder", "ladder", tooltip="play the next puzzle of the ladder"),
        Binding("e", "code", "enter a code", tooltip="play a puzzle that somebody shared"),
        Binding("s", "statistics", "statistics", tooltip="see how well you know what you know"),
        Binding("h", "history", "history", tooltip="look at the answers given before"),
        Binding("i", "introduction", "introduction", tooltip="three steps with a toy, two minutes"),
        Binding("o", "settings", "settings", tooltip="change theme and extras"),
        Binding("q", "app.quit", "quit", tooltip="leave; drafts are kept"),
    ]

    def __init__(self, *, passed: bool = False) -> None:
        """Make the screen.

        Args:
            passed: it will be gone past at once, so that only what says so is worth laying out yet.
        """
        super().__init__()
        self._passed = passed
        self._home: Home | None = None
        self._lines: list[Line] = []
        self._narrow = False

    def compose(self) -> ComposeResult:
        if self._passed:
            yield from self.head()
        else:
            yield from super().compose()

    def body(self) -> Iterable[Widget]:
        yield Vertical(
            Static("What did it do, and what will it do next?", id="motto"), Menu(id="menu"),
            Saying(Content(f"{HOW_TO}\n\n{WITH_TABLE} {TO_ANSWER}"), id="how-to"), id="home",
        )  # fmt: skip

    def on_mount(self) -> None:
        self.top.show("opening the pack ...")
        if not self._passed:
            self._begin()

    def _begin(self) -> None:
        self._fill([Line("?", "help", Content("help"), "app.help"), Line("q", "quit", Content("quit"), "app.quit")])
        self.query_one("#menu").focus()

    async def _unfold(self) -> None:
        """Lay out what was not worth it while one went past."""
        if not self.whole or self.query("#home"):
            return
        self._know_room()
        await self.mount_all([*self.body(), KeyBar()])
        self._passed = False
        self._begin()
        if self._home is not None:
            self.show_home(self._home)

    def on_resize(self, event: events.Resize) -> None:
        """Give the menu what it needs, at most all there is; the texts around it go where that is too little."""
        narrow = event.size.width < BAR_FROM
        if narrow != self._narrow and self._home is not None:
            self._narrow = narrow
            self.show_home(self._home)
        self._narrow = narrow
        if not self._passed:
            self._make_room(event.size.height)

    def _make_room(self, height: int) -> None:
        left = height - FRAME_LINES - len(self._lines)
        self.query_one("#motto").display = left >= MOTTO_LINES
        self.query_one("#how-to").display = left >= MOTTO_LINES + HOW_TO_LINES
        self.query_one(Menu).styles.max_height = max(len(self._lines) + min(left, 0), 1)

    def on_screen_resume(self) -> None:
        super().on_screen_resume()
        # Before there is a session the app itself fetches what comes first.
        if self.clew.session is not None:
            self.clew.refresh_home()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Offer the players' part only where there is one."""
        return self.clew.aside.open_to_players if action in EXTRAS else True

    def show_home(self, home: Home) -> None:
        """Fill in what the desk told."""
        if not self.whole:
            return
        first = self._home is None
        self._home = home
        if self._passed:
            self.call_next(self._unfold)
            return
        session = home.session
        self.top.show(shown_cell(session.pack_title), shown_cell(session.solver))
        at = 0 if first else self.query_one(Menu).highlighted
        self._fill([*self._pack_lines(home), *self._player_lines(home), *self._other_lines(home)], at)
        self._make_room(self.size.height)
        self.query_one("#how-to", Saying).update(Content("\n\n".join(_how_to(home))))
        self.refresh_bindings()

    def _fill(self, lines: list[Line], at: int | None = None) -> None:
        self._lines = lines
        self.query_one(Menu).fill([_content(line) for line in lines], at)

    def families(self) -> tuple[str, ...]:
        """Return the families of the pack, as the introduction names them."""
        home = self._home
        if home is None:
            return ()
        return ("puzzle",) * bool(home.systems) + ("writing",) * (home.writing is not None)

    # Lines of the menu

    def _pack_lines(self, home: Home) -> Iterator[Line]:
        if self._new_here(home):
            yield Line("i", "introduction", Content("new here? three steps, two minutes"), "introduction")
        name = "start" if home.answers == 0 and home.draft is None else "continue"
        yield Line("c", name, Content(_going_on_words(home)), "continue")
        if home.session.mode == "collect":
            # What comes next is drawn, not chosen.
            done, items = sum(one.answered for one in home.shelves), sum(one.puzzles for one in home.shelves)
            yield Line("", "so far", self._progress("", done, items), "continue")
        else:
            yield from self._shelf_lines(home)

    def _shelf_lines(self, home: Home) -> Iterator[Line]:
        for shelf in home.systems:
            name = length_name(shelf.complexity)
            size = f"{shelf.complexity} events" if name != f"{shelf.complexity} events" else ""
            yield Line("", name, self._progress(size, shelf.answered, shelf.puzzles), f"length({shelf.complexity})")
        for kind, name in (("single", "writing"), ("multi", "dialogue")):
            one = writing_progress(tuple(shelf for shelf in home.shelves if shelf.kind == kind))
            if one is not None:
                sizes = f"{one.fewest} to {one.most}" if one.fewest < one.most else f"{one.most}"
                said = self._progress(f"{sizes} requirements", one.answered, one.tasks)
                yield Line("", name, said, f"write('{kind}')")

    def _progress(self, size: str, answered: int, items: int) -> Content:
        done = "   all done" if answered >= items else ""
        bars = "" if self._narrow else bar(answered / items if items else 1.0, BAR_WIDTH) + GAP
        return Content.assemble(
            (set_cell_size(size, SIZE_WIDTH), "$muted"), (bars, "$primary"), f"{answered} of {items} answered{done}"
        )

    def _player_lines(self, home: Home) -> Iterator[Line]:
        if home.standing is None or not self.clew.aside.open_to_players:
            return
        # Loaded with the first of these lines, to keep the first paint early.
        from tui.pastime import daily_words, ladder_words

        streak = self.clew.config.streak
        yield Line("d", "daily", Content(daily_words(home.standing, streak=streak)), "daily")
        yield Line("l", "ladder", Content(ladder_words(home.standing)), "ladder")
        yield Line("e", "enter a code", Content("play a puzzle that somebody shared"), "code")
        yield Line("s", "statistics", Content("how well you know what you know"), "statistics")

    def _other_lines(self, home: Home) -> Iterator[Line]:
        yield Line("h", "history", Content(counted(home.answers, "answer")), "history")
        if not self._new_here(home):
            yield Line("i", "introduction", Content("three steps with a toy, two minutes"), "introduction")
        yield Line("o", "settings", Content("theme and extras"), "settings")
        yield Line("?", "help", Content("what every key does"), "app.help")
        yield Line("q", "quit", Content("drafts are kept"), "app.quit")

    def _new_here(self, home: Home) -> bool:
        return home.session.first_time and not self.clew.aside.introduced and home.answers == 0

    # Keys

    async def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        await self.run_action(self._lines[event.option_index].action)

    def action_continue(self) -> None:
        home = self._home
        if home is None or self._introduces(home):
            return
        if home.draft is not None:
            self.post_message(OpenPuzzle(puzzle_id=home.draft.puzzle_id))
        elif _writes_on(home):
            self.post_message(OpenTask())
        elif home.session.mode == "collect":
            self.post_message(OpenPuzzle())
        else:
            self.post_message(OpenPuzzle(complexity=_last_length(home) or _easiest(home)))

    def action_length(self, complexity: int) -> None:
        if self._home is not None and not self._introduces(self._home):
            self.post_message(OpenPuzzle(complexity=complexity))

    def action_write(self, kind: str = "") -> None:
        if self._home is not None and not self._introduces(self._home):
            self.post_message(OpenTask(kind or None))

    def _introduces(self, home: Home) -> bool:
        """Open the introduction instead where a collection begins; it can be left at once, and is stored either way."""
        wanted = home.session.mode == "collect" and self._new_here(home)
        if wanted:
            self.action_introduction()
        return wanted

    def action_daily(self) -> None:
        self.clew.aside.daily()

    def action_ladder(self) -> None:
        self.clew.aside.ladder()

    def action_code(self) -> None:
        self.clew.aside.enter_code()

    def action_statistics(self) -> None:
        self.clew.aside.statistics()

    def action_history(self) -> None:
        if self._home is not None:
            self.clew.open_history()

    def action_introduction(self) -> None:
        self.clew.aside.introduction()

    def action_settings(self) -> None:
        self.clew.aside.settings()


def _how_to(home: Home) -> Iterator[str]:
    """Yield what a first-time player needs to know of this session."""
    if home.systems:
        yield HOW_TO
        yield f"{STORY_ALONE if home.session.aid == 'A0' else WITH_TABLE} {TO_ANSWER}"
    if home.writing is not None:
        yield HOW_TO_WRITE


def _content(line: Line) -> Content:
    return Content.assemble(
        (f"{line.key:<2}", "$accent"), (set_cell_size(line.name, NAME_WIDTH), "bold"), line.said
    )  # fmt: skip


def _going_on_words(home: Home) -> str:
    """Return what `continue` goes on with."""
    if home.draft is not None:
        return f"{_drafted(home)}, {clock_text(home.draft.visible_ms)} so far"
    if _writes_on(home):
        return "the next writing task"
    if home.session.mode == "collect" and _left(home):
        return "the next item"
    if (complexity := _last_length(home)) is not None:
        return f"the next {length_name(complexity)} puzzle"
    if _easiest(home) is not None:
        return "a short one first: about five minutes"
    return "all done: every puzzle of this pack is answered"


def _drafted(home: Home) -> str:
    """Return what the draft is for, such as `medium, The tank`."""
    if home.drafted is None:
        return ""
    if isinstance(home.drafted, PresentedTask):
        return f"writing, {shown_cell(home.drafted.title)}"
    return f"{length_name(home.drafted.payload.complexity)}, {shown_cell(home.drafted.legend.title)}"


def _left(home: Home) -> set[int]:
    """Return the lengths that have a puzzle left."""
    return {shelf.complexity for shelf in home.systems if shelf.answered < shelf.puzzles}


def _last_length(home: Home) -> int | None:
    """Return the last length, if any of its puzzles is left."""
    return home.last.complexity if home.last and home.last.answer and home.last.complexity in _left(home) else None


def _easiest(home: Home) -> int | None:
    """Return the smallest length that has a puzzle left; None asks the desk for any."""
    return min(_left(home), default=None)


def _writes_on(home: Home) -> bool:
    """Say whether a writing task is next: after one that was sent, or when no puzzle is left."""
    if home.writing is None or home.writing.done:
        return False
    return not _left(home) or (home.last is not None and not home.last.answer)
