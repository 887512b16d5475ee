"""R01: a shipped payload holds the public keys, and nothing else anywhere in it.

The closed schema is written here a second time, apart from the types of the engine, so that a mistake in one shows in
the other.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from audits.base import Finding, PackAudit, Row, Sensitivity, exact_rows
from audits.view import PackView
from engine.canonical import Json, canonical_text, read_json
from engine.errors import ClewError
from engine.hidden_systems.behavior import payload_text, read_payload
from engine.hidden_systems.program.generate import generate_skeleton
from engine.randomness import derive

CLAIM_R01 = "a payload holds exactly the 8 public keys, a case exactly its 6, every leaf is of a listed type and form"
CLAIM_TASKS = "a payload of a writing task holds its mode and the texts of its turns, and nothing else"


@dataclass(frozen=True)
class Leaf:
    """A scalar of one of the types; texts must match the pattern, numbers lie in 0..most."""

    types: tuple[type, ...]
    pattern: str = ""
    most: int = 1000


@dataclass(frozen=True)
class Keys:
    """An object with exactly these keys."""

    shapes: tuple[tuple[str, Shape], ...]


@dataclass(frozen=True)
class Codes:
    """An object whose keys match a pattern."""

    pattern: str
    value: Shape


@dataclass(frozen=True)
class Items:
    """A list of values of one shape."""

    item: Shape


Shape = Leaf | Keys | Codes | Items

_VALUE = Leaf((int, str), r"V\d{1,2}")
_EVENT = Leaf((str,), r"E\d{1,2}")


def _case(identity: str, count: Leaf) -> Keys:
    return Keys(
        (
            ("id", Leaf((str,), identity)),
            ("attributes", Codes(r"A\d{1,2}", _VALUE)),
            ("events", Items(_EVENT)),
            ("trials", count),
            ("observed_present", count),
            ("observed_absent", count),
        )
    )


PAYLOAD = Keys(
    (
        ("family", Leaf((str,), "persistent-veto")),
        ("complexity", Leaf((int,), most=10)),
        ("event_vocabulary", Items(_EVENT)),
        ("attribute_vocabulary", Items(Keys((("name", Leaf((str,), r"A\d{1,2}")), ("values", Items(_VALUE)))))),
        (
            "observation_protocol",
            Keys(
                (
                    ("trials_per_case", Leaf((int,))),
                    ("independent", Leaf((bool,))),
                    ("initial_record", Leaf((str,), "ABSENT")),
                    ("attributes_fixed", Leaf((bool,))),
                    ("event_order", Leaf((str,), "left_to_right")),
                )
            ),
        ),
        ("support_cases", Items(_case(r"c\d{2,3}", Leaf((int,))))),
        ("query_case", _case("q", Leaf((type(None),)))),
        ("answer_options", Items(Leaf((str,), "PRESENT|ABSENT"))),
    )
)


def payload_faults(text: str) -> Iterator[str]:
    """Yield a JSON pointer to each place where a stored payload is not what may be published."""
    try:
        document = read_json(text, where="payload")
    except ClewError:
        yield ""
        return
    faults = list(_faults(document, PAYLOAD, ""))
    yield from faults
    if not faults and (canonical_text(document) != text or not _readable(text)):
        yield ""


def _readable(text: str) -> bool:
    try:
        read_payload(text)
    except ClewError:
        return False
    return True


def _faults(value: Json, shape: Shape, at: str) -> Iterator[str]:
    match shape:
        case Leaf():
            if not _fits(value, shape):
                yield at
        case Items(item):
            if not isinstance(value, list):
                yield at
                return
            for nth, part in enumerate(value):
                yield from _faults(part, item, f"{at}/{nth}")
        case Codes(pattern, part_shape):
            if not isinstance(value, Mapping) or not all(re.fullmatch(pattern, key) for key in value):
                yield at
                return
            for key, part in value.items():
                yield from _faults(part, part_shape, f"{at}/{key}")
        case Keys(shapes):
            if not isinstance(value, Mapping) or {key for key, _ in shapes} != set(value):
                yield at
                return
            for key, part_shape in shapes:
                yield from _faults(value[key], part_shape, f"{at}/{key}")


def _fits(value: Json, leaf: Leaf) -> bool:
    if type(value) not in leaf.types:
        return False
    if isinstance(value, str):
        return re.fullmatch(leaf.pattern, value) is not None
    return not isinstance(value, int) or 0 <= value <= leaf.most


def audit_keys(view: PackView) -> tuple[Row, ...]:
    """Run R01 on every payload of a pack."""
    findings = [Finding(puzzle.id, pointer) for puzzle in view.puzzles for pointer in payload_faults(puzzle.payload)]
    return exact_rows("R01", CLAIM_R01, "error", "payload", findings, len(view.puzzles))


def plants_keys() -> Sensitivity:
    """Plant an extra key at each depth, leaves off the list, and bytes that are not canonical."""
    clean = payload_text(generate_skeleton(4, derive("audits/plants", "R01"), 0).payload)
    planted = [canonical_text(spoiled) for spoiled in _spoiled(clean)]
    planted += [clean.replace(":4,", ":4.0,", 1), clean.replace(",", ", ", 1), clean + " ", reordered(clean)]
    found = sum(any(payload_faults(text)) or "" in payload_faults(text) for text in planted)
    return Sensitivity(found, len(planted), len(list(payload_faults(clean))))


def _spoiled(clean: str) -> Iterator[Json]:
    """Yield documents that each hold one thing too much or of a wrong type."""
    places: tuple[tuple[str | int, ...], ...] = (
        (),
        ("attribute_vocabulary", 0),
        ("observation_protocol",),
        ("support_cases", 0),
        ("support_cases", 0, "attributes"),
        ("query_case",),
        ("query_case", "attributes"),
    )
    for place in places:
        yield _with(clean, (*place, "gold_answer"), "PRESENT")
    leaves: tuple[tuple[tuple[str | int, ...], Json], ...] = (
        (("complexity",), "4"),
        (("complexity",), True),
        (("query_case", "trials"), 48),
        (("query_case", "observed_present"), 40),
        (("support_cases", 1, "observed_present"), None),
        (("support_cases", 0, "id"), "c01-veto"),
        (("support_cases", 0, "events"), ["E1", ["E2"]]),
        (("event_vocabulary", 0), "adder"),
        (("observation_protocol", "independent"), 1),
        (("family",), "persistent-veto "),
    )
    for path, value in leaves:
        yield _with(clean, path, value)


def _with(text: str, path: Sequence[str | int], value: Json) -> Json:
    document = read_json(text, where="payload")
    place: Any = document  # JSON of any shape; the path leads into this very document
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = value
    return document


def reordered(text: str) -> str:
    """Return the same document with its last key first: a bit could be told by the order of keys."""
    body, _, last = text[1:-1].rpartition(',"query_case":')
    head, _, cases = last.partition(',"support_cases":')
    return f'{{"query_case":{head},{body},"support_cases":{cases}}}'


# Writing tasks ------------------------------------------------------------------------------------------------------

TASK = Keys((("mode", Leaf((str,), "single|multi")), ("turns", Items(Leaf((str,), r"(?s).*\S.*")))))
TURNS = {"single": range(1, 2), "multi": range(4, 13)}
"""Legal numbers of turns."""


def task_faults(text: str) -> Iterator[str]:
    """Yield a JSON pointer to each place where a stored payload of a writing task is not what may be published."""
    try:
        document = read_json(text, where="payload")
    except ClewError:
        yield ""
        return
    faults = list(_faults(document, TASK, ""))
    yield from faults
    if faults:
        return
    assert isinstance(document, Mapping)
    told = document["turns"]
    assert isinstance(told, Sequence)
    if len(told) not in TURNS[str(document["mode"])]:
        yield "/turns"
    if canonical_text(document) != text:
        yield ""


def audit_task_keys(view: PackView) -> tuple[Row, ...]:
    """Run R01 on every writing task of a pack."""
    findings = [Finding(task.id, pointer) for task in view.tasks for pointer in task_faults(task.payload)]
    return exact_rows("R01", CLAIM_TASKS, "error", "writing task", findings, len(view.tasks))


def plants_task_keys() -> Sensitivity:
    """Plant extra keys, wrong types, wrong numbers of turns, and bytes that are not canonical."""
    single: Json = {"mode": "single", "turns": ["Write a note."]}
    multi: Json = {"mode": "multi", "turns": ["one", "two", "three", "four"]}
    assert isinstance(single, dict) and isinstance(multi, dict)
    spoiled: list[Json] = [
        {**single, "expect": [True]},
        {**single, "turns": [{"text": "Write a note.", "checks": []}]},
        {**single, "turns": ["Write a note.", 1]},
        {**single, "turns": ["Write a note.", "And one more."]},
        {**single, "turns": []},
        {**single, "turns": [" "]},
        {**single, "mode": "single "},
        {**multi, "turns": ["one", "two", "three"]},
        {"turns": ["Write a note."]},
        ["Write a note."],
    ]
    clean = [canonical_text(single), canonical_text(multi)]
    planted = [*map(canonical_text, spoiled), clean[0] + " ", clean[0].replace(":", ": ", 1), "{", clean[0][:-1] + ",}"]
    found = sum(any(True for _ in task_faults(text)) for text in planted)
    return Sensitivity(found, len(planted), sum(len(list(task_faults(text))) for text in clean))


TASK_KEYS = PackAudit(
    rule="R01", scope="tasks", severity="error", claim=CLAIM_TASKS, run=audit_task_keys, self_test=plants_task_keys
)  # fmt: skip
KEYS = PackAudit(
    rule="R01", scope="pack", severity="error", claim=CLAIM_R01, run=audit_keys, self_test=plants_keys
)  # fmt: skip
