"""`clew solve`: a language model or a built-in solver answers a pack through the desk."""

from __future__ import annotations

import json
from contextlib import ExitStack, closing
from pathlib import Path

import click

from engine.commands.model_options import Bar, limits_of, model_options, parameters_of
from engine.commands.models import offer_line
from engine.commands.options import ANSWERS, PACK
from engine.commands.progress import progress
from engine.errors import ProviderError, UsageError, counted
from engine.hidden_systems.presenting import FAMILY_NAME
from engine.model_desk import FAMILIES, ModelDesk
from engine.model_runs import Result, Run, perform, recorded
from engine.models.baselines import BASELINES, answer_all
from engine.models.catalogue import LLM_PREFIX, offers, open_solver
from engine.models.openai_endpoint import PREFIX
from engine.models.replay import PREFIX as REPLAY
from engine.models.solver import OutputMode, Solver
from engine.store.clock import utc_now, uuid7
from engine.store.places import answers_path

OTHERS = f"writing tasks need a language model: {PREFIX}NAME or {LLM_PREFIX}ID"


@click.command()
@PACK
@click.option("--model", help="Who answers: a built-in solver, openai:NAME, llm:ID or replay:NAME. Without it: a list.")
@click.option("--family", "families", multiple=True, type=click.Choice(FAMILIES), help="Only this family; repeatable.")
@click.option("--limit", type=click.IntRange(1), help="Only the first so many puzzles of the solver's own order.")
@model_options
@click.option(
    "--output", "mode", type=click.Choice(("text", "schema", "grammar")), default="text", show_default=True,
    help="How the answer to a hidden system is asked for.",
)  # fmt: skip
@click.option("--served-model", default="", help="The served model to expect; another one is another solver.")
@click.option("--sample", type=click.IntRange(0), default=0, help="Which of several samples; each is its own solver.")
@click.option(
    "--renderer", default="", help="Ask about this model's telling where the pack has one, such as openai:NAME."
)
@click.option("--from", "source", type=click.Path(path_type=Path), help="Answers file that replay:NAME reads.")
@ANSWERS
@click.option("--json", "as_json", is_flag=True, help="The summary as one JSON object.")
def solve(
    pack: str | None,
    model: str | None,
    families: tuple[str, ...],
    limit: int | None,
    base_url: str | None,
    api_key_var: str | None,
    concurrency: int | None,
    timeout: float,
    item_deadline: float,
    max_tokens: int | None,
    temperature: str | None,
    seed: int | None,
    params: tuple[str, ...],
    mode: OutputMode,
    served_model: str,
    sample: int,
    renderer: str,
    source: Path | None,
    answers: Path | None,
    as_json: bool,
) -> None:
    """Let a solver answer every puzzle of a pack that it has not answered yet.

    It sees the public texts only. Each answer is on disk before the next is asked, so the command may be stopped or
    killed at any time and run again: no answer is asked for twice.

    \b
    Example: clew solve my-pack --model openai:smollm2 --base-url http://127.0.0.1:8080/v1
    """
    if model is None:
        for offer in offers():
            click.echo(offer_line(offer))
        return
    if model in BASELINES:
        _solve_built_in(pack, model, families, limit, answers)
        return
    solver = _opened(model, base_url, api_key_var, source, answers)
    run = Run(
        pack=pack,
        solver=solver,
        parameters=parameters_of(temperature, max_tokens, seed, params),
        mode=mode,
        families=families or FAMILIES,
        limit=limit,
        limits=limits_of(solver, concurrency, timeout, item_deadline),
        served_model=served_model,
        sample=sample,
        renderer=renderer,
        answers=answers,
    )
    with ExitStack() as shown:
        result = perform(run, lambda pending, planned: _begin(run, pending, planned, shown))
    _report(result, as_json)


def _begin(run: Run, pending: int, planned: int, shown: ExitStack) -> Bar:
    """Say what the run is made with, and show how it goes."""
    bar = shown.enter_context(Bar(run.solver.name, pending))
    bar.said(f"{run.alias}: {pending} of {counted(planned, 'puzzle')} pending; {run.setting.text()}")
    return bar


def _opened(
    model: str, base_url: str | None, api_key_var: str | None, source: Path | None, answers: Path | None
) -> Solver:
    if model.startswith(REPLAY):
        return recorded(source or answers or answers_path(), model.removeprefix(REPLAY))
    return open_solver(model, base_url=base_url, key_variable=api_key_var, beside=(*BASELINES, f"{REPLAY}NAME"))


def _report(result: Result, as_json: bool) -> None:
    """Print what the run comes to, and fail if it left something behind."""
    outcome, summary = result.outcome, result.summary
    click.echo(json.dumps(summary.document()) if as_json else "\n".join(summary.lines()))
    if outcome.fatal:
        raise ProviderError(f"{outcome.fatal}; what was answered is kept", "run the command again to go on")
    if outcome.parked:
        puzzle, why = next(iter(outcome.parked.items()))
        others = f" and {len(outcome.parked) - 1} more" if len(outcome.parked) > 1 else ""
        raise ProviderError(f"no answer for puzzle {puzzle!r}{others}: {why}", "run the command again to go on")
    if outcome.stopped:
        raise KeyboardInterrupt


def _solve_built_in(
    pack: str | None, model: str, families: tuple[str, ...], limit: int | None, answers: Path | None
) -> None:
    if families and FAMILY_NAME not in families:
        raise UsageError(f"model {model!r} answers {FAMILY_NAME} only; {OTHERS}")
    with closing(ModelDesk(pack=pack, alias=model, config="{}", answers=answers)) as desk:
        planned = desk.planned((FAMILY_NAME,), limit)
        if not planned:
            raise UsageError(f"model {model!r} answers {FAMILY_NAME} only, and {pack} has none; {OTHERS}")
        left = desk.pending(planned)
        with progress(answer_all(desk, BASELINES[model], uuid7, utc_now, left), len(left), model) as receipts:
            done = sum(1 for _ in receipts)
    click.echo(f"{model}: {done} answered now, {counted(len(planned), 'puzzle')} in all")
