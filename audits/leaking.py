"""Plants for the run of everything: functions of the program that let a token out with what they return or are given.

Each planted function has a token of its own, so that one run tells of each whether it was found. Armed in the processes
of the run, never in this one.
"""

from __future__ import annotations

import importlib
import json
import os
from collections.abc import Coroutine, Mapping
from pathlib import Path
from types import FunctionType
from typing import Any

from audits.served import possible

LEAKS: tuple[tuple[str, int | None], ...] = (
    ("engine.exchange.batches:manifest_path", None),
    ("engine.exchange.exporting:json_lines", None),
    ("engine.exchange.exporting:csv_text", None),
    ("engine.exchange.exporting:inspect_log", None),
    ("engine.exchange.exporting:verifiers_metadata", None),
    ("engine.study.aside:write_aside", 2),
    ("engine.study.exporting:lines_text", None),
    ("engine.commands.study_data:told", None),
    ("engine.commands.study_design:described", None),
    ("audits.people.page:html_page", None),
    ("audits.people.page:markdown_page", None),
)
"""Where a token gets out: beside the result, or in the argument at that place (from 0).

A file's name beside exported requests, exported answers in all four forms, the title of the pack that goes into every
bundle, item-level data of a study, status and plan on standard output, either page of the report.
"""
WEB_LEAKS: tuple[tuple[str, int | None], ...] = (
    ("tui.web.server:Address.link", None),
    ("tui.web.server:Server._page", None),
    ("tui.saving:Saving.copy", 1),
)
"""The same with the extra `web`: a link on standard output, a header of the page, what is copied over the socket."""
VARIABLE = "CLEW_LEAKS"


def places() -> tuple[str, ...]:
    """Return the places of all plants that can be reached here."""
    return tuple(place for place, _ in (*LEAKS, *(WEB_LEAKS if possible() else ())))


def resolved(place: str) -> FunctionType:
    """Return the function at a place.

    Raises:
        ValueError: there is none; the list of points is out of date.
    """
    module, _, path = place.partition(":")
    found: object = importlib.import_module(module)
    for name in path.split("."):
        found = vars(found).get(name)
        if found is None:
            raise ValueError(f"no function at {place!r}")
    if not isinstance(found, FunctionType):
        raise ValueError(f"{place!r} is no plain function")
    return found


def armed(tokens: Mapping[str, str]) -> str:
    """Return Python code that arms the planted functions in another process, and imports `sys`."""
    told = json.dumps(dict(tokens))
    return f"import os, sys; os.environ[{VARIABLE!r}] = {told!r}; from audits.leaking import arm; arm()"


def arm() -> None:
    """Let every function that was given a token leak from now on, whoever has imported it already."""
    for place in json.loads(os.environ[VARIABLE]):
        function = resolved(place)
        kept = FunctionType(
            function.__code__, function.__globals__, function.__name__, function.__defaults__, function.__closure__
        )
        kept.__kwdefaults__ = function.__kwdefaults__
        function.__dict__["kept"] = kept
        consts = tuple(place if const == "PLACE" else const for const in leaky.__code__.co_consts)
        function.__code__ = leaky.__code__.replace(co_consts=consts)


def leaky(*args: Any, **kwargs: Any) -> Any:
    """Stand in the place of a planted function; its own name stands where `PLACE` is."""
    from audits.leaking import leaked

    return leaked("PLACE", args, kwargs)


def leaked(place: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Call what was there before, and let the token out."""
    token = json.loads(os.environ[VARIABLE])[place]
    at, kept = dict((*LEAKS, *WEB_LEAKS))[place], resolved(place).__dict__["kept"]
    if at is None:
        given = kept(*args, **kwargs)
        return _with_later(given, token) if isinstance(given, Coroutine) else _with(given, token)
    return kept(*args[:at], _with(args[at], token), *args[at + 1 :], **kwargs)


async def _with_later(given: Coroutine[Any, Any, Any], token: str) -> Any:
    return _with(await given, token)


def _with(value: Any, token: str) -> Any:
    if isinstance(value, str):
        return f"{value}{token}\n"
    if hasattr(value, "headers"):
        value.headers["Note"] = token
        return value
    if isinstance(value, Path):
        return value.with_name(f"{token}-{value.name}")
    return {**value, "note": token} if isinstance(value, Mapping) else [*value, token]
