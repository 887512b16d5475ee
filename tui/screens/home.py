"""Home: go on, choose a length, look back; and the few lines that a first-time player needs."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from rich.cells import set_cell_size
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widget import Widget
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from tui.errands import Home
from tui.messages import OpenPuzzle
from tui.screens.frame import Framed
from tui.shown import shown_cell
from tui.wording import bar, clock_text, length_name

HOW_TO = """\
Something works by rules that nobody has written down. You read what it did in many trials, and say which \
outcome is likelier for a combination that was never tried, and how sure you are.

In a puzzle: up and down read the evidence, / keeps only some rows, s sorts them, t shows the story behind \
them, n takes notes. Press a to answer: a letter for the outcome, 5 to 9 or 0 for 50 to 100 % sure, then enter."""
NAME_WIDTH = 12
SIZE_WIDTH = 11
BAR_WIDTH = 12


class HomeScreen(Framed):
    """Paints at once and fills in what the desk tells as soon as it does."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "pick", "choose", key_display="enter", tooltip="choose the line under the cursor"),
        Binding("c", "continue", "continue", tooltip="go on with the draft, or with the last length"),
        Binding("h", "history", "history", tooltip="look at the answers given before"),
        Binding("q", "app.quit", "quit", tooltip="leave; drafts are kept"),
    ]

    def __init__(self) -> None:
        super().__init__()
        self._home: Home | None = None
        self._actions: list[str] = []

    def body(self) -> Iterable[Widget]:
        with VerticalScroll(id="home", can_focus=False):
            yield Static("What did it do, and what will it do next?", id="motto")
            yield OptionList(id="menu", compact=True)
            yield Static(HOW_TO, id="how-to")

    def on_mount(self) -> None:
        self.top.show("opening the pack ...")
        self._fill([("help", Content("help"), "app.help"), ("quit", Content("quit"), "app.quit")])
        self.query_one("#menu").focus()

    def on_screen_resume(self) -> None:
        super().on_screen_resume()
        if self._home is not None:
            self.clew.refresh_home()

    def show_home(self, home: Home) -> None:
        """Fill in what the desk told."""
        first = self._home is None
        self._home = home
        session = home.session
        self.top.show(f"{session.mode.upper()}  {shown_cell(session.pack_title)}", shown_cell(session.solver))
        menu = self.query_one("#menu", OptionList)
        at = 0 if first else menu.highlighted
        self._fill([*self._continue_line(home), *self._shelf_lines(home), *self._other_lines(home)])
        menu.highlighted = at

    def _fill(self, lines: list[tuple[str, Content, str]]) -> None:
        menu = self.query_one("#menu", OptionList)
        menu.clear_options()
        menu.add_options([Option(content, id=name) for name, content, _ in lines])
        self._actions = [action for _, _, action in lines]

    def _continue_line(self, home: Home) -> list[tuple[str, Content, str]]:
        if home.draft is not None:
            where = f"{length_name(home.draft_complexity)}, {shown_cell(home.draft_title)}"
            said = Content(f"{where}, {clock_text(home.draft.visible_ms)} so far")
        elif (complexity := _going_on(home)) is not None:
            said = Content(f"the next {length_name(complexity)} puzzle")
        elif home.shelves and any(shelf.answered < shelf.puzzles for shelf in home.shelves):
            said = Content("a short one first: about five minutes")
        else:
            said = Content("all done: every puzzle of this pack is answered")
        name = "start" if home.answers == 0 and home.draft is None else "continue"
        return [(name, _line(name, "", said), "continue")]

    def _shelf_lines(self, home: Home) -> list[tuple[str, Content, str]]:
        lines = []
        for shelf in home.shelves:
            name = length_name(shelf.complexity)
            size = f"{shelf.complexity} events" if name != f"{shelf.complexity} events" else ""
            progress = bar(shelf.answered / shelf.puzzles if shelf.puzzles else 1.0, BAR_WIDTH)
            done = "   all done" if shelf.answered >= shelf.puzzles else ""
            said = Content.assemble((progress, "$primary"), f"  {shelf.answered} of {shelf.puzzles} answered{done}")
            lines.append((f"length-{shelf.complexity}", _line(name, size, said), f"length({shelf.complexity})"))
        return lines

    def _other_lines(self, home: Home) -> list[tuple[str, Content, str]]:
        answers = "1 answer" if home.answers == 1 else f"{home.answers} answers"
        return [
            ("history", _line("history", "", Content(answers)), "history"),
            ("help", _line("help", "", Content("what every key does")), "app.help"),
            ("quit", _line("quit", "", Content("drafts are kept")), "app.quit"),
        ]

    async def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        await self.run_action(self._actions[event.option_index])

    def action_pick(self) -> None:
        self.query_one("#menu", OptionList).action_select()

    def action_continue(self) -> None:
        home = self._home
        if home is None:
            return
        if home.draft is not None:
            self.post_message(OpenPuzzle(puzzle_id=home.draft.puzzle_id))
        else:
            self.post_message(OpenPuzzle(complexity=_going_on(home) or _easiest(home)))

    def action_length(self, complexity: int) -> None:
        self.post_message(OpenPuzzle(complexity=complexity))

    def action_history(self) -> None:
        if self._home is not None:
            self.clew.open_history()


def _going_on(home: Home) -> int | None:
    """Return the last length, if any of its puzzles is left."""
    left = {shelf.complexity for shelf in home.shelves if shelf.answered < shelf.puzzles}
    return home.last_complexity if home.last_complexity in left else None


def _easiest(home: Home) -> int | None:
    """Return the smallest length that has a puzzle left; None asks the desk for any."""
    return min((shelf.complexity for shelf in home.shelves if shelf.answered < shelf.puzzles), default=None)


def _line(name: str, size: str, said: Content) -> Content:
    return Content.assemble(
        (set_cell_size(name, NAME_WIDTH), "bold"), (set_cell_size(size, SIZE_WIDTH), "$muted"), said
    )  # fmt: skip
