"""A puzzle of the largest size, made by hand: ten events of long names, four attributes, rows of up to three events."""

from __future__ import annotations

import hashlib

from engine.hidden_systems.behavior import (
    AttributeRange,
    AttributeSetting,
    BehaviorCase,
    ObservationProtocol,
    PublicPayload,
)
from engine.public import AttributeName, Legend, Name, Presented

TEN = ("scraper", "sieve", "grater", "apron", "kettle", "ladle", "marzipan", "nutmeg", "trivet", "whisk")
FLOURS = ("rye", "spelt", "chestnut")
NUMBERS = {"cloth": (2, 6, 12), "jam": (4, 9, 12), "hearth": (3, 7, 10)}
CASES = 110
TRIALS = 64
CODES = tuple(f"E{nth}" for nth in range(1, 11))


def _case(nth: int, events: tuple[str, ...], trials: int | None) -> BehaviorCase:
    numbers = [values[nth % 3] for values in NUMBERS.values()]
    settings = (
        AttributeSetting(name="A1", value=f"V{nth % 3}"),
        *(AttributeSetting(name=f"A{at}", value=value) for at, value in enumerate(numbers, start=2)),
    )
    present = None if trials is None else nth * 7 % (TRIALS + 1)
    absent = None if present is None else TRIALS - present
    return BehaviorCase(
        id=f"c{nth:03d}",
        attributes=settings,
        events=events,
        trials=trials,
        observed_present=present,
        observed_absent=absent,
    )


def ten_payload() -> PublicPayload:
    shapes = [
        tuple(dict.fromkeys(CODES[nth * step % 10] for step in range(1, nth % 3 + 2))) for nth in range(1, CASES + 1)
    ]
    return PublicPayload(
        complexity=10,
        event_vocabulary=CODES,
        attribute_vocabulary=(
            AttributeRange(name="A1", values=("V0", "V1", "V2")),
            *(AttributeRange(name=f"A{at}", values=values) for at, values in enumerate(NUMBERS.values(), start=2)),
        ),
        observation_protocol=ObservationProtocol(trials_per_case=TRIALS),
        support_cases=tuple(_case(nth, events, TRIALS) for nth, events in enumerate(shapes, start=1)),
        query_case=_case(0, CODES, None),
    )


def ten_legend() -> Legend:
    flours = tuple(Name(code=f"V{nth}", name=name) for nth, name in enumerate(FLOURS))
    return Legend(
        domain="bakery",
        title="Bakery oven",
        record="the oven cat",
        events=tuple(Name(code=code, name=name) for code, name in zip(CODES, TEN, strict=True)),
        attributes=(
            AttributeName(code="A1", name="flour", values=flours),
            *(AttributeName(code=f"A{at}", name=name, values=()) for at, name in enumerate(NUMBERS, start=2)),
        ),
        outcomes=(Name(code="PRESENT", name="purring"), Name(code="ABSENT", name="asleep")),
    )


def ten_puzzle() -> Presented:
    payload, legend = ten_payload(), ten_legend()
    names = {item.code: item.name for item in legend.events}
    told = [
        f"64 mornings of {', then '.join(names[event] for event in case.events)}: purring on {case.observed_present}."
        for case in payload.support_cases
    ]
    blocks = ("The apprentices watch the cat.", *told, "All of it on one morning: purring or asleep?")
    text = "\n\n".join(blocks)
    return Presented(
        puzzle_id="p10-1", family="persistent-veto", rendering_id="r10-1", renderer="template", text=text,
        text_sha=hashlib.sha256(text.encode()).hexdigest(), payload=payload, legend=legend,
        labels=("ABSENT", "PRESENT"), blocks=blocks,
    )  # fmt: skip
