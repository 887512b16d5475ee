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
from textual.widgets import OptionList

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
from tui.widgets.saying import Saying
from tui.wording import bar, share_text

BAR_WIDTH = 12


@dataclass(frozen=True, kw_only=True)
class Page:
    """One screen of text with, perhaps, something to choose."""

    place: str
    title: str = ""
    step: Step | None = None
    question: Question | None = None
    last: bool = False


class IntroductionScreen(Framed):
    """Shows the pages in order; what is chosen on one stays chosen."""

    VERTICAL_BREAKPOINTS = [(0, "-low"), (30, "-tall")]  # noqa: RUF012  # Textual declares no class variable
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("space", "read", "read on", key_display="space", tooltip="show more of the text where it is cut"),
        Binding("n,right", "turn(1)", "next", key_display="n", tooltip="go to the next page"),
        Binding("left", "turn(-1)", "back a page", tooltip="go to the page before"),
        Binding("a", "letter(0)", "answer a", show=False, tooltip="choose the first answer"),
        Binding("b", "letter(1)", "answer b", show=False, tooltip="choose the second answer"),
        Binding("c", "letter(2)", "answer c", show=False, tooltip="choose the third answer"),
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
        self._pages = (*self._steps(), *self._ends())
        self._families = () if collects else families
        self._at = 0
        self._chosen: dict[str, int] = {}

    def _steps(self) -> Iterator[Page]:
        for nth, step in enumerate(STEPS, start=1):
            yield Page(place=f"step {nth} of {len(STEPS)}", title=step.title, step=step, question=step.tries)

    def _ends(self) -> Iterator[Page]:
        if self._checks:
            for nth, question in enumerate(CHECK, start=1):
                yield Page(place=f"question {nth} of {len(CHECK)}", question=question)
        yield Page(place="how to answer", last=True)

    def body(self) -> Iterable[Widget]:
        with Vertical(id="introduction"):
            with Reading(id="reading"):
                yield Saying(id="says")
            yield Saying(id="asks")
            yield Menu(id="choices")
            yield Saying(id="because")

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
        where = f"introduction  {page.place}"
        self.top.show(f"{where}  {page.title}" if page.title else where, shorter=(where, page.place))
        self.query_one("#says", Saying).update(Content("\n").join(list(self._said(page))))
        self.query_one("#asks", Saying).update(Content(self._asks(page)))
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
        self.query_one("#because", Saying).update(content)

    # Keys

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Offer turning where there is a page, reading on where not all is in sight, and the letters that are shown."""
        if action == "read":
            return self.is_mounted and self.query_one(Reading).longer
        if action == "turn":
            return 0 <= self._at + (1 if 1 in parameters else -1) < len(self._pages)
        if action == "letter":
            question = self._page.question
            return question is not None and any(index in parameters for index in range(len(question.options)))
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

    def action_letter(self, index: int) -> None:
        question = self._page.question
        if question is not None and self._chosen.get(question.key) != index:
            self._choose(index)

    def _show_choice(self, index: int) -> None:
        self.query_one(Menu).fill(self._choices(self._page), index)
        self._explain()

    def action_read(self) -> None:
        self.query_one(Reading).read_on()

    def action_turn(self, step: int) -> None:
        self._at += step
        self._show()

    def action_back(self) -> None:
        self._leave(f"left on page {self._at + 1} of {len(self._pages)}")

    def _finish(self, family: str) -> None:
        if self._leave("finished") and family:
            self.clew.aside.guided(family)

    def _leave(self, said: str) -> bool:
        """Go away; say whether it was still there."""
        here = self.is_current
        if here:
            self._note(said)
            self.clew.aside.introduced = True
            self.dismiss()
        return here

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
