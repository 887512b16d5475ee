"""Right texts of a second kind, as a model tells them: names of several words, other frames, words agreed on before.

The F rules are proved on the template's texts and on these, so that nothing in them leans on the template's frames.
"""

from __future__ import annotations

from audits.mutants import Right
from engine.hidden_systems.behavior import AttributeRange, AttributeSetting, BehaviorCase, PublicPayload
from engine.hidden_systems.surface.wording import Wording, allowed_words
from engine.public import AttributeName, Legend, Name
from engine.randomness import Stream

DOMAIN = "parlour"
EVENTS = (
    "amber rail", "tin whistle", "paper crane", "velvet rope", "copper bowl", "wicker chair", "marble jar",
    "linen sail", "silk ribbon", "walnut tray",
)  # fmt: skip
ATTRIBUTES = ("lantern glow", "garden mist", "curtain hue", "carpet depth")
VALUES = ("saffron", "mauve", "beige", "ochre")
RECORD, PRESENT, ABSENT = "the parlour fern", "unfurled", "wilted"
WORDS = ("book", "guests", "hosts", "house", "may", "sitting", "sittings", "watch")
"""The words agreed on, besides those that any text may hold."""
CASES = (
    "With {setting} the guests did {steps} in {trials} sittings: {present} {ups}, {absent} {downs}.",
    "In {trials} sittings of {steps}, with {setting}, it was {absent} in {downs} and {present} in {ups}.",
    "{trials} sittings with {setting} and {steps}: {ups} {present}, {downs} {absent}.",
)


def retold_words(legend: Legend) -> frozenset[str]:
    """Return what a text of this teller may hold besides names and numbers."""
    return allowed_words(Wording(legend=legend, words=WORDS))


def retold(payload: PublicPayload, nth: int) -> Right:
    """Return a right text of a payload in words of its own."""
    stream = Stream("audits/second teller", nth)
    legend = _legend(payload, stream)
    told = _Told(payload, legend)
    blocks = (told.introduction(), *(told.case(case, stream) for case in payload.support_cases), told.question())
    return Right(payload=payload, legend=legend, blocks=blocks)


def _legend(payload: PublicPayload, stream: Stream) -> Legend:
    events = stream.sample(EVENTS, len(payload.event_vocabulary))
    names = stream.sample(ATTRIBUTES, len(payload.attribute_vocabulary))
    attributes: list[AttributeName] = []
    for item, name in zip(payload.attribute_vocabulary, names, strict=True):
        codes = [value for value in item.values if isinstance(value, str)]
        # Values are names too: every attribute has shades of its own.
        told = [f"{shade}{len(attributes) * 'x'}y" for shade in stream.sample(VALUES, len(codes))]
        values = tuple(Name(code=code, name=word) for code, word in zip(codes, told, strict=True))
        attributes.append(AttributeName(code=item.name, name=name, values=values))
    return Legend(
        domain=DOMAIN, title="The parlour", record=RECORD,
        events=tuple(Name(code=c, name=n) for c, n in zip(payload.event_vocabulary, events, strict=True)),
        attributes=tuple(attributes),
        outcomes=(Name(code="PRESENT", name=PRESENT), Name(code="ABSENT", name=ABSENT)),
    )  # fmt: skip


class _Told:
    def __init__(self, payload: PublicPayload, legend: Legend) -> None:
        self.payload, self.legend = payload, legend
        self.events = {item.code: item.name for item in legend.events}
        self.attributes = {item.code: item for item in legend.attributes}

    def introduction(self) -> str:
        trials = self.payload.observation_protocol.trials_per_case
        listed = ", ".join(self.events[code] for code in self.payload.event_vocabulary)
        ranges = "; ".join(map(self._range, self.payload.attribute_vocabulary))
        return (
            f"The hosts of a house watch {RECORD}. There are {len(self.payload.support_cases)} entries of"
            f" {trials} independent sittings each, and every sitting begins with it {ABSENT} and is noted when it is"
            f" {PRESENT}. The guests may do {listed}. It is all set here: {ranges}."
        )

    def _range(self, item: AttributeRange) -> str:
        name = self.attributes[item.name]
        told = [value.name for value in name.values] or [str(value) for value in item.values]
        return f"{name.name} {' or '.join(told)}"

    def case(self, case: BehaviorCase, stream: Stream) -> str:
        told = stream.choice(CASES).format(
            setting=self._setting(case.attributes), steps=self._steps(case.events), trials=case.trials,
            present=PRESENT, absent=ABSENT, ups=case.observed_present, downs=case.observed_absent,
        )  # fmt: skip
        return told[0].upper() + told[1:]

    def question(self) -> str:
        query = self.payload.query_case
        setting, steps = self._setting(query.attributes), self._steps(query.events)
        return f"Now with {setting} the guests do {steps}. Is it {PRESENT} more often, or {ABSENT}?"

    def _setting(self, settings: tuple[AttributeSetting, ...]) -> str:
        return " and ".join(self._one(setting) for setting in settings)

    def _one(self, setting: AttributeSetting) -> str:
        name = self.attributes[setting.name]
        told = {value.code: value.name for value in name.values}
        return f"{name.name} {told.get(str(setting.value), setting.value)}"

    def _steps(self, events: tuple[str, ...]) -> str:
        return " then ".join(self.events[event] for event in events)
