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

from engine.public import PresentedTask
from tui.errands import Home
from tui.messages import OpenPuzzle, OpenTask
from tui.screens.frame import Framed
from tui.shown import shown_cell
from tui.wording import bar, clock_text, length_name

HOW_TO = """\
Something works by rules that nobody has written down. You read what it did in many trials, and say which \
outcome is likelier for a combination that was never tried, and how sure you are.

In a puzzle: up and down read the evidence, / keeps only some rows, s sorts them, t shows the story behind \
them, n takes notes. Press a to answer: a letter for the outcome, 5 to 9 or 0 for 50 to 100 % sure, then enter."""
HOW_TO_WRITE = """\
A writing task asks for a text that meets several requirements at once. e writes, esc leaves the text, \
F2 sends it."""
NAME_WIDTH = 12
SIZE_WIDTH = 11
BAR_WIDTH = 12
GAP = "  "


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
        lines = (
            self._continue_line(home), self._shelf_lines(home), self._writing_line(home), self._other_lines(home)
        )  # fmt: skip
        self._fill([line for group in lines for line in group])
        menu.highlighted = at
        if home.writing is not None:
            self.query_one("#how-to", Static).update(Content(f"{HOW_TO}\n\n{HOW_TO_WRITE}"))

    def _fill(self, lines: list[tuple[str, Content, str]]) -> None:
        menu = self.query_one("#menu", OptionList)
        menu.clear_options()
        menu.add_options([Option(content, id=name) for name, content, _ in lines])
        self._actions = [action for _, _, action in lines]

    def _continue_line(self, home: Home) -> list[tuple[str, Content, str]]:
        if home.draft is not None:
            said = Content(f"{_drafted(home)}, {clock_text(home.draft.visible_ms)} so far")
        elif _writes_on(home):
            said = Content("the next writing task")
        elif (complexity := _going_on(home)) is not None:
            said = Content(f"the next {length_name(complexity)} puzzle")
        elif _easiest(home) is not None:
            said = Content("a short one first: about five minutes")
        else:
            said = Content("all done: every puzzle of this pack is answered")
        name = "start" if home.answers == 0 and home.draft is None else "continue"
        return [(name, _line(name, "", said), "continue")]

    def _shelf_lines(self, home: Home) -> list[tuple[str, Content, str]]:
        lines = []
        for shelf in home.systems:
            name = length_name(shelf.complexity)
            size = f"{shelf.complexity} events" if name != f"{shelf.complexity} events" else ""
            progress = bar(shelf.answered / shelf.puzzles if shelf.puzzles else 1.0, BAR_WIDTH)
            done = "   all done" if shelf.answered >= shelf.puzzles else ""
            said = Content.assemble((progress, "$primary"), f"{GAP}{shelf.answered} of {shelf.puzzles} answered{done}")
            lines.append((f"length-{shelf.complexity}", _line(name, size, said), f"length({shelf.complexity})"))
        return lines

    def _writing_line(self, home: Home) -> list[tuple[str, Content, str]]:
        """Return one line for all writing tasks, in a pack that has some."""
        progress = home.writing
        if progress is None:
            return []
        sizes = f"{progress.fewest} to {progress.most}" if progress.fewest < progress.most else f"{progress.most}"
        size = set_cell_size(f"{sizes} requirements", SIZE_WIDTH + BAR_WIDTH + len(GAP))
        done = "   all done" if progress.done else ""
        said = Content.assemble((size, "$muted"), f"{progress.answered} of {progress.tasks} answered{done}")
        return [("writing", Content.assemble((set_cell_size("writing", NAME_WIDTH), "bold"), said), "write")]

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
        elif _writes_on(home):
            self.post_message(OpenTask())
        else:
            self.post_message(OpenPuzzle(complexity=_going_on(home) or _easiest(home)))

    def action_length(self, complexity: int) -> None:
        self.post_message(OpenPuzzle(complexity=complexity))

    def action_write(self) -> None:
        self.post_message(OpenTask())

    def action_history(self) -> None:
        if self._home is not None:
            self.clew.open_history()


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


def _going_on(home: Home) -> int | None:
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


def _line(name: str, size: str, said: Content) -> Content:
    return Content.assemble(
        (set_cell_size(name, NAME_WIDTH), "bold"), (set_cell_size(size, SIZE_WIDTH), "$muted"), said
    )  # fmt: skip
