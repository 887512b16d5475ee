"""The introduction: three steps with a toy, then a first real item, or a study's questions; it can be left any time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import ClassVar

from rich.cells import cell_len, set_cell_size
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.widget import Widget
from textual.widgets import OptionList, Static

from tui.introduction import (
    ANSWERING,
    CHECK,
    CHECKING,
    COMPREHENSION,
    INTRODUCTION,
    PRESENT,
    STEPS,
    TRIALS,
    Question,
    Step,
)
from tui.screens.frame import Framed
from tui.widgets.menu import Menu
from tui.widgets.reading import Reading
from tui.wording import bar, share_text

BAR_WIDTH = 12


@dataclass(frozen=True, kw_only=True)
class Page:
    """One screen of text with, perhaps, something to choose."""

    title: str
    step: Step | None = None
    question: Question | None = None
    last: bool = False


class IntroductionScreen(Framed):
    """Shows the pages in order; what is chosen on one stays chosen."""

    VERTICAL_BREAKPOINTS = [(0, "-low"), (30, "-tall")]  # noqa: RUF012  # Textual declares no class variable
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("space", "read", "read on", key_display="space", tooltip="show more of the text where it is cut"),
        Binding("n,right", "turn(1)", "next", key_display="n", tooltip="go to the next page"),
        Binding("b,left", "turn(-1)", "back a page", key_display="b", tooltip="go to the page before"),
        Binding("escape,q", "back", "leave", key_display="esc", tooltip="leave the introduction; ? opens it again"),
    ]

    def __init__(self, *, collects: bool, asks: bool, families: tuple[str, ...]) -> None:
        """Make it.

        Args:
            asks: whether the questions of the check come after the steps; a study that leads has its own.
            families: kinds of items that a first real one can be of: `puzzle`, `writing`.
        """
        super().__init__()
        self._collects, self._checks = collects, asks
        self._pages = (*(Page(title=step.title, step=step, question=step.tries) for step in STEPS), *self._ends())
        self._families = () if collects else families
        self._at = 0
        self._chosen: dict[str, int] = {}

    def _ends(self) -> Iterator[Page]:
        if self._checks:
            yield from (
                Page(title=f"a question, {nth} of {len(CHECK)}", question=one) for nth, one in enumerate(CHECK, 1)
            )
        yield Page(title="how to answer", last=True)

    def body(self) -> Iterable[Widget]:
        with Vertical(id="introduction"):
            with Reading(id="reading"):
                yield Static("", markup=False, id="says")
            yield Static("", markup=False, id="asks")
            yield Menu(id="choices")
            yield Static("", markup=False, id="because")

    def on_mount(self) -> None:
        self._note(f"begun, {len(self._pages)} pages")
        self._show()
        self.query_one("#choices").focus()

    # Pages

    @property
    def _page(self) -> Page:
        return self._pages[self._at]

    def _show(self) -> None:
        page = self._page
        where = f"introduction {self._at + 1} of {len(self._pages)}"
        self.top.show(f"{where}  {page.title}", shorter=(where,))
        self.query_one("#says", Static).update(Content("\n").join(list(self._said(page))))
        self.query_one("#asks", Static).update(Content(self._asks(page)))
        chosen = self._chosen.get(page.question.key, 0) if page.question else 0
        self.query_one(Menu).fill(self._choices(page), chosen)
        self._explain()
        self.query_one("#reading").scroll_home(animate=False)
        self.call_after_refresh(self.refresh_bindings)

    def _said(self, page: Page) -> Iterator[Content]:
        if page.last:
            yield Content(ANSWERING)
        if page.question in CHECK:
            yield Content(CHECKING)
        if page.step is not None:
            yield Content(page.step.says)
            yield Content("")
            yield from rows_content(page.step)
            yield Content("")
            yield Content(page.step.shows)

    def _asks(self, page: Page) -> str:
        if page.question is not None:
            return page.question.asks
        if self._collects:
            return "That was all. Thank you; the items come next."
        return "Now a first real one, with hints on the way?" if self._families else "That was all."

    def _choices(self, page: Page) -> list[Content]:
        if page.question is not None:
            chosen = self._chosen.get(page.question.key)
            return [
                Content(f"{'>' if index == chosen else ' '} {chr(ord('a') + index)}  {option}")
                for index, option in enumerate(page.question.options)
            ]
        words = {"puzzle": "  a puzzle, step by step", "writing": "  a writing task, step by step"}
        return [Content(words[family]) for family in self._families] + [Content("  home")]

    def _explain(self) -> None:
        question = self._page.question
        content = Content("")
        if question is not None and (chosen := self._chosen.get(question.key)) is not None:
            if self._collects and question in CHECK:
                content = Content.styled("Noted. n: go on; until then another choice takes its place.", "$muted")
            else:
                right = chosen == question.right
                word, style = ("ok  Right: ", "$success") if right else ("x   Rather not: ", "$error")
                content = Content.assemble((word, f"bold {style}"), question.because, ("   n: go on", "$muted"))
        self.query_one("#because", Static).update(content)

    # Keys

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Offer turning only where there is a page, and reading on only where not all is in sight."""
        if action == "read":
            return self.is_mounted and self.query_one(Reading).longer
        if action == "turn":
            return 0 <= self._at + (1 if 1 in parameters else -1) < len(self._pages)
        return True

    async def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        self._choose(event.option_index)

    def _choose(self, index: int) -> None:
        question = self._page.question
        if question is None:
            self._finish(self._families[index] if index < len(self._families) else "")
        elif self._chosen.get(question.key) == index:
            self.action_turn(1)
        else:
            self._chosen[question.key] = index
            if question in CHECK:
                self.clew.keeper.note(COMPREHENSION, f"{question.key} {chr(ord('a') + index)}", puzzle_id="")
            self._show_choice(index)

    def _show_choice(self, index: int) -> None:
        self.query_one(Menu).fill(self._choices(self._page), index)
        self._explain()

    def action_read(self) -> None:
        self.query_one(Reading).read_on()

    def action_turn(self, step: int) -> None:
        self._at += step
        self._show()

    def action_back(self) -> None:
        self._note(f"left on page {self._at + 1} of {len(self._pages)}")
        self.clew.aside.introduced = True
        self.app.pop_screen()

    def _finish(self, family: str) -> None:
        self._note("finished")
        self.clew.aside.introduced = True
        self.app.pop_screen()
        if family:
            self.clew.aside.guided(family)

    def _note(self, data: str) -> None:
        self.clew.keeper.note(INTRODUCTION, data, puzzle_id="")


def rows_content(step: Step) -> Iterator[Content]:
    """Yield the rows of a step as a table."""
    width = max(cell_len(row.steps) for row in step.rows) + 2
    head = f"  {set_cell_size('steps in order', max(width, 16))}{PRESENT:>6} of  share"
    yield Content.styled(head, "bold $primary")
    for row in step.rows:
        share = row.present / TRIALS
        yield Content.assemble(
            f"  {set_cell_size(row.steps, max(width, 16))}{row.present:>6} {TRIALS:>2}  ",
            (bar(share, BAR_WIDTH), "$primary"), f" {share_text(share)}",
        )  # fmt: skip
