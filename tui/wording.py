"""The words of one puzzle's domain, made fit for one line, and the few sentences the app says about numbers."""

from __future__ import annotations

from collections.abc import Sequence

from engine.hidden_systems.behavior import AttributeSetting, BehaviorCase, EvidenceRow, Label
from engine.public import LENGTHS, Legend
from tui.shown import shown_cell

BETWEEN_EVENTS = " > "
LEAST_LETTERS = 3
"""Fewest letters to which a name is shortened."""


class Words:
    """Looks up what codes are called; a code without a name is called by its code."""

    def __init__(self, legend: Legend) -> None:
        self.title = shown_cell(legend.title)
        self.record = shown_cell(legend.record)
        self._events = {item.code: shown_cell(item.name) for item in legend.events}
        self._attributes = {item.code: shown_cell(item.name) for item in legend.attributes}
        self._values = {
            (item.code, value.code): shown_cell(value.name) for item in legend.attributes for value in item.values
        }
        present, absent = legend.outcomes
        self._outcomes: dict[Label, str] = {"PRESENT": shown_cell(present.name), "ABSENT": shown_cell(absent.name)}

        self._short = dict(zip(self._events, beginnings(list(self._events.values())), strict=True))

    def short_event(self, code: str) -> str:
        """Return the beginning of an event's name that no other event of this puzzle has, as the filter takes it."""
        return self._short.get(code) or self.event(code)

    def value_name(self, attribute: str, code: str) -> str:
        """Return what a value of an attribute is called."""
        return self._values.get((attribute, code)) or shown_cell(code)

    def event(self, code: str) -> str:
        return self._events.get(code) or shown_cell(code)

    def attribute(self, code: str) -> str:
        return self._attributes.get(code) or shown_cell(code)

    def value(self, setting: AttributeSetting) -> str:
        return self._values.get((setting.name, str(setting.value))) or shown_cell(str(setting.value))

    def outcome(self, label: Label) -> str:
        return self._outcomes[label]

    def steps(self, row: EvidenceRow | BehaviorCase) -> str:
        """Return the events of a row or case, left to right."""
        return BETWEEN_EVENTS.join(self.event(code) for code in row.events)

    def short_steps(self, row: EvidenceRow | BehaviorCase) -> str:
        """Return the events of a row or case, left to right, by the beginnings of their names."""
        return BETWEEN_EVENTS.join(self.short_event(code) for code in row.events)

    def settings(self, row: EvidenceRow | BehaviorCase) -> str:
        """Return the attributes of a row or case, such as `load 7, grade fine`."""
        return ", ".join(f"{self.attribute(setting.name)} {self.value(setting)}" for setting in row.attributes)


def beginnings(names: Sequence[str], least: int = LEAST_LETTERS) -> list[str]:
    """Return for each name its shortest beginning of `least` letters or more that begins no other name."""
    return [
        next(
            (
                name[:length]
                for length in range(least, len(name))
                if not any(other.startswith(name[:length]) for other in names if other != name)
            ),
            name,
        )
        for name in names
    ]


def length_name(complexity: int) -> str:
    """Return `medium` for a preset length, `5 events` for any other."""
    names = {events: name for name, events in LENGTHS.items()}
    return names.get(complexity, f"{complexity} events")


def counted(count: int, thing: str) -> str:
    """Return `1 word`, `2 words`."""
    return f"{count} {thing}" if count == 1 else f"{count} {thing}s"


def share_text(share: float) -> str:
    """Return a share in four characters or fewer: `.07`, `1.0`."""
    text = f"{share:.2f}"
    return "1.0" if text == "1.00" else text[1:]


def bar(share: float, width: int) -> str:
    """Return a bar of `#` and `.`, `width` cells long."""
    full = round(share * width)
    return "#" * full + "." * (width - full)


def clock_text(milliseconds: int) -> str:
    """Return minutes and seconds, `04:12`; hours join when there are any."""
    minutes, seconds = divmod(milliseconds // 1000, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02d}:{seconds:02d}" if hours else f"{minutes:02d}:{seconds:02d}"


def brier(correct: bool, confidence: int) -> float:
    """Return the Brier score of one answer given with `confidence` percent: 0 best, 0.25 a coin flip, 1 worst."""
    return ((confidence / 100) - correct) ** 2


def brier_words(correct: bool, confidence: int) -> str:
    """Say in words what the Brier score of one answer means."""
    if confidence == 50:
        return "the same as a coin flip"
    if correct:
        return "close to the best there is" if confidence >= 85 else "better than a coin flip, and safe"
    return "costly: very sure of the other outcome" if confidence >= 85 else "worse than a coin flip"
