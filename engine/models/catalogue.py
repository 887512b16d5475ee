"""Which solvers there are, which of them can be used here, and how to get the others."""

from __future__ import annotations

import os
from collections.abc import Collection
from dataclasses import dataclass
from importlib.util import find_spec

from engine.errors import UsageError
from engine.models.baselines import BASELINES
from engine.models.openai_endpoint import HOSTED, KEY_VARIABLE, PREFIX, is_installed, open_endpoint
from engine.models.solver import Solver

LLM_PREFIX = "llm:"


@dataclass(frozen=True, kw_only=True)
class Offer:
    """One name that `--model` takes."""

    name: str
    available: bool
    note: str
    """What it is; or what is missing and how to get it."""


def offers() -> tuple[Offer, ...]:
    """Return all ways to a solver, ready ones and others; nothing is asked over a network."""
    built_in = [Offer(name=name, available=True, note="a fixed recipe over the counts; built in") for name in BASELINES]
    return (*built_in, _openai_offer(), *_llm_offers())


def _openai_offer() -> Offer:
    name = f"{PREFIX}NAME"
    if not is_installed():
        return Offer(name=name, available=False, note="needs the openai client: pip install 'clew[models]'")
    key = "set" if os.environ.get(KEY_VARIABLE) else "not set, so only --base-url on this machine or --api-key-var"
    return Offer(
        name=name, available=True, note=f"any OpenAI-compatible endpoint; {HOSTED} by default ({KEY_VARIABLE} is {key})"
    )


def _llm_offers() -> tuple[Offer, ...]:
    if find_spec("llm") is None:
        note = "needs the llm command's library: pip install 'clew[llm]'"
        return (Offer(name=f"{LLM_PREFIX}ID", available=False, note=note),)
    from engine.models.llm_plugins import model_ids

    return tuple(
        Offer(name=f"{LLM_PREFIX}{identity}", available=True, note="a model of the llm command")
        for identity in model_ids()
    )


def open_solver(
    name: str, *, base_url: str | None = None, key_variable: str | None = None, beside: Collection[str] = ()
) -> Solver:
    """Return a solver that talks to a language model.

    Args:
        beside: names that the caller takes beside language models, for the message.

    Raises:
        UsageError: no such solver, or something that it needs is missing; says how to get it.
    """
    if name.startswith(PREFIX) and name != PREFIX:
        return open_endpoint(name.removeprefix(PREFIX), base_url=base_url, key_variable=key_variable)
    if name.startswith(LLM_PREFIX) and name != LLM_PREFIX:
        if find_spec("llm") is None:
            raise UsageError(f"model {name!r} needs the llm command's library; pip install 'clew[llm]'")
        if base_url or key_variable:
            raise UsageError("--base-url and --api-key-var are for openai:NAME; llm has its own settings and keys")
        from engine.models.llm_plugins import LlmPlugin

        return LlmPlugin.find(name.removeprefix(LLM_PREFIX))
    known = ", ".join([*beside, f"{PREFIX}NAME", f"{LLM_PREFIX}ID"])
    raise UsageError(f"model {name!r} is not known; known: {known} (clew models lists them)")
