"""The answer bar: two outcomes in the domain's words, how sure, and send. Its letters work only inside it."""

from __future__ import annotations

from itertools import zip_longest
from typing import ClassVar

from rich.cells import cell_len
from textual import events
from textual.app import RenderResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.geometry import Size
from textual.style import Style
from textual.widget import Widget

from tui.attempt import SURENESS, Attempt
from tui.messages import CannotKnow, Chosen, EditorLeft, SendAnswer, Sure, Surer
from tui.shown import shown_cell

STEP = 5
ROOMY = 66
"""From this width on the bar has room to breathe."""
GAP = 2
DONT_KNOW, SKIP, SEND = "don't know", "skip...", "send"


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
        Binding("equals_sign", "cannot_know", "don't know", key_display="=",
                tooltip="50 % sure; choose either outcome, it counts the same"),
        Binding("enter", "send", "send", key_display="enter", tooltip="send the answer"),
        Binding("escape", "leave", "back", key_display="esc", tooltip="go from the answer bar to the evidence"),
    ]  # fmt: skip

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
            outcome = f"{' or '.join(self._letters)}: outcome" if self._letters else "left, right: outcome"
            self.border_title = Content(f"{outcome}   5-9, 0, +, -: how sure   enter: send")
        else:
            asked = shown_cell(self._attempt.terms.question)
            self.border_title = Content(f"your answer   {asked}".rstrip())

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        return len(self._lines(width))

    def render(self) -> RenderResult:
        return Content("\n").join(self._lines(self.size.width))

    def _lines(self, width: int) -> list[Content]:
        """Return all of it in one line if that fits, else in two."""
        whole = [self._outcomes(max(width // 4, 4)), self._sureness(roomy=True), self._others(), self._send(roomy=True)]
        gaps = width - sum(part.cell_length for part in whole) - 1
        if gaps >= GAP * len(whole):
            filler = Content(" " * (gaps - GAP * (len(whole) - 2)))
            return [Content.assemble(" ", Content(" " * GAP).join(whole[:-1]), filler, whole[-1])]
        roomy = width >= ROOMY
        others, send = self._others(), self._send(roomy=roomy)
        upper = self._outcomes(max((width - others.cell_length - 12) // 2 - 6, 4))
        lower = self._sureness(roomy=roomy)
        return [
            Content.assemble(" ", part, " " * max(width - part.cell_length - end.cell_length - 1, 1), end)
            for part, end in ((upper, others), (lower, send))
        ]

    def _outcomes(self, room: int) -> Content:
        """Return the two outcomes, each of at most so many cells."""
        buttons = []
        for index, (label, name) in enumerate(zip(self._labels, self._names, strict=True)):
            short = name if cell_len(name) <= room else Content(name).truncate(room, ellipsis=True).plain
            button = _button(short, chosen=label == self._attempt.answer)
            buttons.append(button.stylize(Style.from_meta({"outcome": index})))
        return Content("  ").join(buttons)

    def _sureness(self, *, roomy: bool) -> Content:
        line = Content("sure " if roomy else "sure")
        for percent in SURENESS:
            chosen = percent == self._attempt.confidence
            text = Content.styled(f"[{percent}]", "bold reverse") if chosen else Content(f" {percent} ")
            line += text.stylize(Style.from_meta({"sure": percent}))
        return line

    def _others(self) -> Content:
        unknown = Content(DONT_KNOW).stylize(Style.from_meta({"unknown": 1}))
        return Content.assemble(unknown, "  ", Content(SKIP).stylize(Style.from_meta({"skip": 1})), " ")

    def _send(self, *, roomy: bool) -> Content:
        style = "$muted" if self._attempt.missing() else "bold $success"
        button = Content.styled(f"[ {SEND} ]" if roomy else f"[{SEND}]", style)
        return button.stylize(Style.from_meta({"send": 1}))

    def check_consume_key(self, key: str, character: str | None) -> bool:
        """Say that a letter of an outcome is none of the screen's keys while the bar has the focus."""
        return character in self._letters

    def on_key(self, event: events.Key) -> None:
        # Capital letters stay keys of the screen, as everywhere.
        letter = event.character or ""
        if letter and letter in self._letters:
            event.stop()
            event.prevent_default()
            self.action_choose(self._letters.index(letter))

    async def on_click(self, event: events.Click) -> None:
        meta = event.style.meta
        if "outcome" in meta:
            self.action_choose(meta["outcome"])
        elif "sure" in meta:
            self.action_sure(meta["sure"])
        elif "unknown" in meta:
            self.action_cannot_know()
        elif "skip" in meta:
            await self.screen.run_action("skip")
        elif "send" in meta:
            self.action_send()

    def action_choose(self, index: int) -> None:
        self.post_message(Chosen(self._labels[index]))

    def action_sure(self, percent: int) -> None:
        self.post_message(Sure(percent))

    def action_surer(self, steps: int) -> None:
        self.post_message(Surer(steps * STEP))

    def action_cannot_know(self) -> None:
        self.post_message(CannotKnow())

    def action_leave(self) -> None:
        self.post_message(EditorLeft())

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
