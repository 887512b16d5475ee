"""A stage of a study that is no puzzle: consent, questions, instructions, check, break, an item that waits, the end.

One list holds all that may be chosen, options of questions and what to do next, so that keys and mouse need nothing
else. What cannot be undone is chosen twice.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widget import Widget
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from engine.public import Stage, StageAnswer, StageWord
from tui.screens.frame import Framed
from tui.shown import shown_block, shown_cell

WORDS: dict[StageWord, str] = {
    "next": "go on", "agree": "I agree, begin", "decline": "I do not agree; nothing is stored",
    "stop": "stop for good; what I answered is kept", "withdraw": "withdraw; delete everything that was stored of me",
}  # fmt: skip
FINAL = ("stop", "withdraw", "decline")
"""What is asked for twice."""
AGAIN = "choose it once more to confirm; anything else takes it back"
WAITS = "This item waits for you. What you have chosen or written so far is kept."
LEAVE = "leave"


class StageScreen(Framed):
    """Shows one stage and says to the desk what was chosen."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "choose", "choose", key_display="enter", tooltip="choose the line under the cursor"),
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
        with VerticalScroll(id="stage", can_focus=False):
            yield Static(Content.styled(shown_cell(self._stage.title), "bold"), markup=False, id="stage-title")
            yield Static(Content(shown_block(self._text())), markup=False, id="stage-text")
            yield OptionList(id="stage-menu", compact=True)

    def on_mount(self) -> None:
        place = f" {self._stage.nth} of {self._stage.total}" if self._stage.total else ""
        self.top.show(f"COLLECT  study {self._study}  {self._stage.kind}{place}")
        self.query_one("#stage-text").display = bool(self._text())
        self._fill()
        # Whoever reads begins at the top, however long the list below is.
        self.set_focus(self.query_one("#stage-menu"), scroll_visible=False)

    def _text(self) -> str:
        if self._stage.puzzle_id and not self._stage.text:
            return WAITS
        return self._stage.text.strip()

    # The list

    def _fill(self) -> None:
        menu = self.query_one("#stage-menu", OptionList)
        at = menu.highlighted
        lines = [*self._question_lines(), *self._word_lines()]
        menu.clear_options()
        menu.add_options([option for option, _ in lines])
        self._meanings = [meaning for _, meaning in lines]
        first = next((nth for nth, meaning in enumerate(self._meanings) if meaning is not None), 0)
        menu.highlighted = first if at is None else at

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

    def action_choose(self) -> None:
        self.query_one("#stage-menu", OptionList).action_select()

    def action_next(self) -> None:
        if "next" in self._words():
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
