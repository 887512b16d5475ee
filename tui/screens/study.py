"""A stage of a study that is no puzzle: consent, questions, instructions, check, break, an item that waits, the end.

One list holds all that may be chosen, options of questions and what to do next, so that keys and mouse need nothing
else. It stays in sight below the text, which opens at its top and scrolls where it is longer than the window. What
cannot be undone is chosen twice.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.widget import Widget
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from engine.public import Stage, StageAnswer, StageWord
from tui.screens.frame import Pausing
from tui.shown import shown_block, shown_cell
from tui.widgets.menu import Menu
from tui.widgets.reading import Reading
from tui.widgets.saying import Saying

WORDS: dict[StageWord, str] = {
    "next": "go on", "agree": "I agree, begin", "decline": "I do not agree; nothing is stored",
    "stop": "stop for good; what I answered is kept", "withdraw": "withdraw; delete everything that was stored of me",
}  # fmt: skip
FINAL = ("stop", "withdraw", "decline")
"""What is asked for twice."""
AGAIN = "choose it once more to confirm; anything else takes it back"
WAITS = "This item waits for you. What you have chosen or written so far is kept."
SCROLLS = ("read", "page", "edge")
"""Actions that move the text."""


class StageScreen(Pausing):
    """Shows one stage and says to the desk what was chosen."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("space", "read", "read on", key_display="space", tooltip="show more of the text, at last its top"),
        Binding("pagedown", "page(1)", "page down", show=False, priority=True, tooltip="scroll the text a page down"),
        Binding("pageup", "page(-1)", "page up", show=False, priority=True, tooltip="scroll the text a page up"),
        Binding("home", "edge(-1)", "top of the text", show=False, priority=True, tooltip="go to the text's beginning"),
        Binding("end", "edge(1)", "end of the text", show=False, priority=True, tooltip="go to the text's end"),
        Binding("n", "next", "go on", tooltip="go on, when every question has its answer"),
        Binding("q", "app.quit", "quit", tooltip="leave for now; everything is kept"),
    ]

    def __init__(self, stage: Stage, study: str) -> None:
        super().__init__()
        self._stage, self._study = stage, study
        self._chosen: list[int | None] = [None] * len(stage.questions)
        self._asked_twice: StageWord | None = None
        self._meanings: list[tuple[int, int] | StageWord | None] = []
        """What each line stands for: a question and its option, a word, or nothing."""

    def body(self) -> Iterable[Widget]:
        with Vertical(id="stage"):
            with Reading(id="stage-reading"):
                yield Static(Content.styled(shown_cell(self._stage.title), "bold"), markup=False, id="stage-title")
                yield Static(Content(shown_block(self._text())), markup=False, id="stage-text")
            yield Saying(id="stage-more")
            yield Menu(id="stage-menu")

    def on_mount(self) -> None:
        place = f" {self._stage.nth} of {self._stage.total}" if self._stage.total else ""
        self.top.show(f"study {shown_cell(self._study)}  {self._stage.kind}{place}")
        self.query_one("#stage-text").display = bool(self._text())
        self._fill()
        self.watch(self._reading, "scroll_y", self._say_where, init=False)
        self.set_focus(self._menu)

    @property
    def _menu(self) -> Menu:
        return self.query_one(Menu)

    @property
    def _reading(self) -> Reading:
        return self.query_one(Reading)

    def _text(self) -> str:
        if self._stage.puzzle_id and not self._stage.text:
            return WAITS
        return self._stage.text.strip()

    # The room that text and list have

    def on_resize(self, event: events.Resize) -> None:
        self._make_room()

    def _make_room(self) -> None:
        """Give both what they need; where that is too much, the list at most half, so that neither is out of sight."""
        menu, reading, stage = self._menu, self._reading, self.query_one("#stage")
        room, text = stage.scrollable_content_region.height, reading.virtual_size.height
        lines = menu.get_content_height(stage.size, self.size, menu.scrollable_content_region.width)
        cut = text + lines > room
        if cut:
            lines = min(lines, max(room - text - 1, room // 2))
        menu.styles.max_height = max(lines, 1)
        reading.styles.max_height = max(room - lines - cut, 1)
        self.query_one("#stage-more").display = cut and text > room - lines - 1
        self.call_after_refresh(self._say_where)

    def _say_where(self) -> None:
        content = self._reading.where
        self.query_one("#stage-more", Saying).update(content)
        self.refresh_bindings()

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        self._reading.scroll_down(animate=False)

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        self._reading.scroll_up(animate=False)

    # The list

    def _fill(self) -> None:
        """Show the list as it now stands; the cursor and what is in sight stay where they are."""
        lines, menu = [*self._question_lines(), *self._word_lines()], self._menu
        if menu.option_count:
            for nth, (option, _) in enumerate(lines):
                menu.replace_option_prompt_at_index(nth, option.prompt)
            self.call_after_refresh(self._make_room)
            return
        menu.add_options([option for option, _ in lines])
        self._meanings = [meaning for _, meaning in lines]
        menu.highlighted = self._first()

    def _first(self) -> int:
        """Return the first line that can be chosen."""
        return next((nth for nth, meaning in enumerate(self._meanings) if meaning is not None), 0)

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        """Bring the first question into sight with its first option: no key goes to a line that is no choice."""
        event.stop()
        if event.option_index == self._first():
            self._menu.scroll_home(animate=False)

    def _question_lines(self) -> Iterable[tuple[Option, tuple[int, int] | None]]:
        for nth, question in enumerate(self._stage.questions):
            yield Option(Content.styled(shown_block(question.text), "bold"), disabled=True), None
            for place, option in enumerate(question.options):
                mark = "(o)" if self._chosen[nth] == place else "( )"
                yield Option(Content(f"  {mark} {shown_cell(option)}")), (nth, place)
            yield Option(Content(""), disabled=True), None

    def _word_lines(self) -> Iterable[tuple[Option, StageWord]]:
        for word in self._words():
            said = "leave" if word == "next" and self._stage.kind == "end" else WORDS[word]
            mark = "  really?" if word == self._asked_twice else ""
            yield Option(Content(f"{said}{mark}")), word

    def _words(self) -> tuple[StageWord, ...]:
        if self._stage.puzzle_id:
            return ("next", *self._stage.words)
        return self._stage.words

    # What is chosen

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        meaning = self._meanings[event.option_index]
        if isinstance(meaning, tuple):
            self._chosen[meaning[0]] = meaning[1]
            self._asked_twice = None
            self._fill()
        elif meaning is not None:
            self._say(meaning)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Offer going on where something follows, and moving the text where not all of it is in sight."""
        if action in SCROLLS:
            return self.whole and self._reading.longer
        return action != "next" or "next" in self._words()

    def action_read(self) -> None:
        self._reading.read_on()

    def action_page(self, by: int) -> None:
        self._reading.page(by)

    def action_edge(self, by: int) -> None:
        self._reading.edge(by)

    def action_next(self) -> None:
        self._say("next")

    def _say(self, word: StageWord) -> None:
        if word in FINAL and self._asked_twice != word:
            self._asked_twice = word
            self._fill()
            self.tell(AGAIN)
        elif word == "next" and None in self._chosen:
            self.tell("every question needs an answer first")
        elif word == "next" and self._stage.kind == "end":
            self.call_later(self.app.run_action, "quit")
        elif word == "next" and self._stage.puzzle_id:
            self.clew.leading.open_item(self._stage.puzzle_id)
        else:
            chosen = tuple(one for one in self._chosen if one is not None)
            self.clew.leading.say(StageAnswer(key=self._stage.key, word=word, chosen=chosen))

    def action_back(self) -> None:
        """Nothing lies behind a stage."""
