"""Public types are closed: frozen, keyword-only, no unknown fields, nothing but plain leaves and each other inside."""

from __future__ import annotations

import inspect
import re
import types
from collections.abc import Iterator
from typing import Any, Literal, Protocol, Union, get_args, get_origin, get_type_hints

import msgspec
import pytest

from engine import public
from engine.hidden_systems import behavior
from engine.hidden_systems.behavior import Public, PublicPayload
from engine.instruction_adherence import writing
from engine.instruction_adherence.writing import WritingPayload
from engine.public import Answer, Desk, Doors, Evidenced, Guide, Players, Presented, Reveal

LEAVES = (int, float, str, bool, type(None))
SECRET = re.compile(r"gold|rule|seed|index|probab|flag|trace|hidden|salt|threshold|chance|role|trigger|secret")
REVEALED = (Reveal, Evidenced)
"""Made only after an answer was committed, so they may speak of the program."""


def public_structs() -> list[type[Public]]:
    """Return every struct that the public modules define."""
    found = [
        item
        for module in (behavior, public, writing)
        for item in vars(module).values()
        if isinstance(item, type) and issubclass(item, msgspec.Struct) and item.__module__ == module.__name__
    ]
    return [item for item in found if item is not Public]


def foreign(hint: Any) -> Iterator[Any]:
    """Yield the parts of a hint that are no plain leaf, no Literal, no tuple and no public type."""
    if hint in LEAVES or (isinstance(hint, type) and issubclass(hint, Public) and hint in STRUCTS):
        return
    origin = get_origin(hint)
    if origin is Literal:
        yield from (value for value in get_args(hint) if not isinstance(value, str | bool | int))
    elif origin in (Union, types.UnionType, tuple):
        for part in get_args(hint):
            if part is not Ellipsis:
                yield from foreign(part)
    else:
        yield hint


STRUCTS = public_structs()


def test_the_walk_finds_the_types() -> None:
    assert {PublicPayload, WritingPayload, Presented, Answer, Reveal} <= set(STRUCTS)
    assert len(STRUCTS) >= 15


@pytest.mark.parametrize("struct", STRUCTS, ids=lambda struct: struct.__name__)
def test_struct_is_closed(struct: type[Public]) -> None:
    assert struct.__base__ is Public
    assert struct.__struct_config__.frozen and struct.__struct_config__.forbid_unknown_fields
    kinds = {parameter.kind for parameter in inspect.signature(struct).parameters.values()}
    assert kinds == {inspect.Parameter.KEYWORD_ONLY}


@pytest.mark.parametrize("struct", STRUCTS, ids=lambda struct: struct.__name__)
def test_struct_holds_plain_leaves_and_public_types_only(struct: type[Public]) -> None:
    for name, hint in get_type_hints(struct).items():
        assert list(foreign(hint)) == [], f"{struct.__name__}.{name}"


@pytest.mark.parametrize("struct", [s for s in STRUCTS if s not in REVEALED], ids=lambda struct: struct.__name__)
def test_no_field_is_named_like_a_secret(struct: type[Public]) -> None:
    assert [name for name in struct.__struct_fields__ if SECRET.search(name)] == []


def test_nothing_revealed_hangs_on_what_is_presented() -> None:
    """From a puzzle that is put before a solver, no chain of fields leads to a revealed type."""
    reached: set[Any] = set()
    waiting: list[Any] = [Presented, Answer, public.Draft, public.Session, public.Shelf, public.Happening]
    while waiting:
        struct = waiting.pop()
        if struct in reached:
            continue
        reached.add(struct)
        waiting += [part for hint in get_type_hints(struct).values() for part in _structs(hint)]
    assert PublicPayload in reached and not reached & set(REVEALED)


@pytest.mark.parametrize("door", [Desk, Doors, Guide, Players], ids=lambda door: door.__name__)
def test_doors_take_and_give_public_types_only(door: type) -> None:
    assert issubclass(door, Protocol)  # type: ignore[arg-type]
    for name, method in vars(door).items():
        if name.startswith("_") or not callable(method):
            continue
        for place, hint in get_type_hints(method).items():
            open_parts = [part for part in foreign(hint) if part not in (Desk, Guide, Players)]
            assert open_parts == [], f"{door.__name__}.{name}: {place}"


@pytest.mark.parametrize(
    "hint", [dict[str, int], list[str], object, Any, bytes, tuple[dict[str, str], ...], set[int] | None]
)
def test_the_walk_sees_what_is_open(hint: Any) -> None:
    assert list(foreign(hint)) != []


def _structs(hint: Any) -> list[Any]:
    if isinstance(hint, type) and issubclass(hint, Public):
        return [hint]
    return [struct for part in get_args(hint) for struct in _structs(part)]
