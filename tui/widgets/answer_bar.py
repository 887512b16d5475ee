"""The answer bar: two outcomes in the domain's words, how sure, and send. Its letters work only inside it."""

from __future__ import annotations

from itertools import zip_longest
from typing import ClassVar

from rich.cells import cell_len
from textual import events
from textual.app import RenderResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.style import Style
from textual.widget import Widget

from tui.attempt import SURENESS, Attempt
from tui.messages import Chosen, SendAnswer, Sure, Surer

STEP = 5
ROOMY = 66
"""From this width on the bar has room to breathe."""


class AnswerBar(Widget, can_focus=True):
    """Shows the choice and changes it; the screen decides what a change means."""

    ALLOW_SELECT = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "choose(0)", "Left outcome", show=False, tooltip="choose the outcome on the left"),
        Binding("right", "choose(1)", "Right outcome", show=False, tooltip="choose the outcome on the right"),
        Binding("5", "sure(50)", "50 % sure", show=False, tooltip="a coin flip"),
        Binding("6", "sure(60)", "60 % sure", show=False, tooltip="a little surer than not"),
        Binding("7", "sure(70)", "70 % sure", show=False, tooltip="rather sure"),
        Binding("8", "sure(80)", "80 % sure", show=False, tooltip="quite sure"),
        Binding("9", "sure(90)", "90 % sure", show=False, tooltip="very sure"),
        Binding("0", "sure(100)", "100 % sure", show=False, tooltip="certain"),
        Binding("plus", "surer(1)", "5 % surer", show=False, key_display="+", tooltip="five percent surer"),
        Binding("minus", "surer(-1)", "5 % less sure", show=False, key_display="-", tooltip="five percent less sure"),
        Binding("enter", "send", "send", key_display="enter", tooltip="send the answer"),
    ]

    def __init__(self, attempt: Attempt, *, id: str) -> None:
        super().__init__(id=id)
        self._attempt = attempt
        self._labels = attempt.presented.labels
        self._names = [attempt.words.outcome(label) for label in self._labels]
        self._letters = differing_letters(*self._names)

    def on_mount(self) -> None:
        self._say_keys(focused=False)

    def watch_has_focus(self, has_focus: bool) -> None:
        super().watch_has_focus(has_focus)
        self._say_keys(focused=has_focus)

    def _say_keys(self, *, focused: bool) -> None:
        """Say in the border what the bar's keys are, once they work."""
        if focused:
            outcome = f"{' or '.join(self._letters)}, left, right: outcome" if self._letters else "left, right: outcome"
            self.border_title = Content(f"{outcome}   5-9, 0, +, -: how sure   enter: send")
        else:
            self.border_title = "your answer"

    def render(self) -> RenderResult:
        return Content("\n").join([self._outcomes_line(), self._sureness_line()])

    def _outcomes_line(self) -> Content:
        room = max((self.size.width - 22) // 2, 4)
        line = Content(" outcome  ")
        for index, (label, name) in enumerate(zip(self._labels, self._names, strict=True)):
            short = name if cell_len(name) <= room else Content(name).truncate(room, ellipsis=True).plain
            button = _button(short, chosen=label == self._attempt.answer)
            line += button.stylize(Style.from_meta({"outcome": index})) + Content("  ")
        return line

    def _sureness_line(self) -> Content:
        roomy = self.size.width >= ROOMY
        line = Content(" sure     " if roomy else " sure")
        for percent in SURENESS:
            chosen = percent == self._attempt.confidence
            text = Content.styled(f"[{percent}]", "bold reverse") if chosen else Content(f" {percent} ")
            line += text.stylize(Style.from_meta({"sure": percent}))
        ready = not self._attempt.missing()
        send = Content.styled("[ send ]" if roomy else "[send]", "bold $success" if ready else "$muted").stylize(
            Style.from_meta({"send": 1})
        )
        return line + Content("  " if roomy else " ") + send

    def on_key(self, event: events.Key) -> None:
        letter = (event.character or "").casefold()
        if letter and letter in self._letters:
            event.stop()
            event.prevent_default()
            self.action_choose(self._letters.index(letter))

    def on_click(self, event: events.Click) -> None:
        meta = event.style.meta
        if "outcome" in meta:
            self.action_choose(meta["outcome"])
        elif "sure" in meta:
            self.action_sure(meta["sure"])
        elif "send" in meta:
            self.action_send()

    def action_choose(self, index: int) -> None:
        self.post_message(Chosen(self._labels[index]))

    def action_sure(self, percent: int) -> None:
        self.post_message(Sure(percent))

    def action_surer(self, steps: int) -> None:
        self.post_message(Surer(steps * STEP))

    def action_send(self) -> None:
        self.post_message(SendAnswer())


def differing_letters(first: str, second: str) -> list[str]:
    """Return the first pair of letters in which two names differ, folded; empty if there is none."""
    for one, other in zip_longest(first.casefold(), second.casefold(), fillvalue=""):
        if one != other and one.isalpha() and other.isalpha():
            return [one, other]
    return []


def _button(name: str, *, chosen: bool) -> Content:
    return Content.styled(f"[>{name}<]", "bold reverse") if chosen else Content.assemble("[ ", (name, "bold"), " ]")
