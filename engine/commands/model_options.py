"""Options of the commands that talk to a language model, and what they become."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

import click

from engine.errors import UsageError, one_line, quoted
from engine.models.openai_endpoint import is_loopback
from engine.models.outcome import Limits
from engine.models.solver import Parameters, Solver
from engine.models.timing import RealTime

if TYPE_CHECKING:
    from click._termui_impl import ProgressBar

Command = TypeVar("Command", bound=Callable[..., object])
SEVERAL, FEW = 4, 2
"""Requests at once: to a service, and to a server on this machine."""
OWN_FIELDS = ("", "model", "messages", "stream")
"""Fields of a request that no option sets."""

_OPTIONS = (
    click.option("--base-url", help="Where the endpoint is, such as http://127.0.0.1:8080/v1."),
    click.option("--api-key-var", help="Environment variable that holds the key.  [default: OPENAI_API_KEY]"),
    click.option(
        "--concurrency", type=click.IntRange(1, 256), help="Requests at once.  [default: 4; 2 on this machine]"
    ),
    click.option(
        "--timeout", type=click.FloatRange(1), default=60.0, show_default=True, help="Seconds for one request."
    ),
    click.option(
        "--item-deadline", type=click.FloatRange(1), default=180.0, show_default=True,
        help="Seconds for one answer over all its tries.",
    ),
    click.option("--max-tokens", type=click.IntRange(1), help="Longest answer."),
    click.option("--temperature", help="Sampling temperature, a number from 0."),
    click.option("--seed", type=int, help="Sampling seed, for endpoints that take one."),
    click.option(
        "--param", "params", multiple=True, metavar="NAME=JSON", help="Further field of the request; repeatable."
    ),
)  # fmt: skip


def model_options(command: Command) -> Command:
    """Add the options of an endpoint and of sampling to a command."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def parameters_of(
    temperature: str | None, max_tokens: int | None, seed: int | None, params: tuple[str, ...]
) -> Parameters:
    """Return what is sampled with.

    Raises:
        UsageError: a value is not usable.
    """
    return Parameters(
        temperature=_temperature(temperature), max_tokens=max_tokens, seed=seed, extra=_extra(params)
    )  # fmt: skip


def limits_of(solver: Solver, concurrency: int | None, timeout: float, item_deadline: float) -> Limits:
    """Return how much at once and how long."""
    at_once = concurrency or (FEW if is_loopback(str(solver.identity()["base_url"])) else SEVERAL)
    return Limits(concurrency=at_once, item_deadline_s=item_deadline, try_timeout_s=timeout)


def _temperature(text: str | None) -> str | None:
    """Return a temperature as it is written, in its shortest form."""
    if text is None:
        return None
    if not re.fullmatch(r"\d{1,3}(\.\d{1,6})?", text, re.ASCII):
        raise UsageError(f"--temperature is {quoted(text)}; a number from 0 is right, such as 0.7")
    return text.rstrip("0").rstrip(".") if "." in text else text


def _extra(params: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    """Return further fields of the request, sorted, each value as compact JSON text."""
    found: dict[str, str] = {}
    for param in params:
        name, equals, value = param.partition("=")
        try:
            found[name] = json.dumps(json.loads(value), sort_keys=True, separators=(",", ":"))
        except ValueError as error:
            raise UsageError(f"--param is {quoted(param)}; NAME=JSON is right, such as top_p=0.9") from error
        if not equals or name in OWN_FIELDS:
            raise UsageError(f"--param is {quoted(param)}; a field other than model, messages and stream is right")
    return tuple(sorted(found.items()))


class Bar:
    """A progress bar with rate and remaining time on a terminal; lines for people on standard error."""

    def __init__(self, label: str, items: int) -> None:
        self._time = RealTime()
        self._started = self._time.monotonic()
        self._finished = 0
        self._bar: ProgressBar[int] = click.progressbar(
            length=items, label=label, file=sys.stderr, hidden=not sys.stderr.isatty(), show_pos=True, show_eta=True,
            item_show_func=lambda _: self.rate(),
        )  # fmt: skip

    def __enter__(self) -> Bar:
        self._bar.__enter__()
        return self

    def __exit__(self, *error: object) -> None:
        self._bar.__exit__(None, None, None)

    def closed(self, call: object) -> None:
        """One request gave an answer; time goes on."""
        self._bar.update(0)

    def finished(self) -> None:
        """One item is done."""
        self._finished += 1
        self._bar.update(1, self._finished)

    def said(self, line: str) -> None:
        """Tell a person something."""
        click.echo(one_line(line), err=True)

    def rate(self) -> str:
        """Return how fast it goes, such as `12.5/min`."""
        minutes = (self._time.monotonic() - self._started) / 60
        return f"{self._finished / minutes:.1f}/min" if self._finished and minutes else ""
