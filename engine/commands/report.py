"""`clew report`: how models did, from evaluation runs that are on disk."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import click

from engine import practice
from engine.commands.options import ANSWERS
from engine.errors import UsageError, counted, quoted
from engine.exchange.rollout import Rollout
from engine.exchange.verifiers_runs import Run, is_run, read_run
from engine.instruction_adherence.report import Outcome, Summary, markdown, summarize
from engine.instruction_adherence.writing import FAMILY, WritingMode
from engine.store.answers import Answers
from engine.store.pack import Pack
from engine.store.places import answers_path, pack_path
from engine.store.sealed import Sealed
from engine.writing_outcomes import pack_outcomes


@click.command()
@click.argument("runs", metavar="RUN...", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--family", type=click.Choice([FAMILY]), required=True, help="What the runs are about.")
@click.option("--format", "form", type=click.Choice(["markdown", "json"]), default="markdown", show_default=True)
@ANSWERS
def report(runs: Sequence[Path], family: str, form: str, answers: Path | None) -> None:
    """Report evaluation runs: pass@1 and pass@8, the worst constraints first, truncation and errors.

    A RUN is a results folder of `vf-eval`, of either line of verifiers, or a pack, whose answers are scored. Samples
    of one model are tries at the same tasks; errors are rollouts without a whole answer.

    \b
    Example: clew report --family instruction-adherence outputs/evals/run-1 > report.md
    """
    outcomes: list[tuple[str, Outcome]] = []
    for path in runs:
        outcomes += _of_run(read_run(path)) if is_run(path) else _of_pack(path, answers)
    summaries = summaries_of(outcomes)
    if not summaries:
        raise UsageError(f"no rollout in {', '.join(quoted(str(path)) for path in runs)}; nothing to report")
    if form == "json":
        click.echo(json.dumps({"family": family, "summaries": [one.document() for one in summaries]}))
    else:
        click.echo(markdown(summaries), nl=False)


def summaries_of(outcomes: Iterable[tuple[str, Outcome]]) -> tuple[Summary, ...]:
    """Return one summary a model and mode, by model, single turns first."""
    grouped: defaultdict[tuple[str, WritingMode], list[Outcome]] = defaultdict(list)
    for model, outcome in outcomes:
        grouped[model, outcome.mode].append(outcome)
    order = sorted(grouped, key=lambda key: (key[0], key[1] != "single"))
    return tuple(summarize(model, mode, grouped[model, mode]) for model, mode in order)


def _of_pack(path: Path, answers: Path | None) -> Iterator[tuple[str, Outcome]]:
    with (
        Pack.open(pack_path(str(path))) as pack,
        Sealed.open(practice.sealed_half(pack)) as sealed,
        Answers.open(answers or answers_path(), create=False, read_only=True) as given,
    ):
        yield from pack_outcomes(pack, sealed, given)


def _of_run(run: Run) -> Iterator[tuple[str, Outcome]]:
    if run.torn:
        click.echo(f"{run.path}: {counted(run.torn, 'line')} not whole, passed over", err=True)
    multi = {rollout.uid for rollout in run.rollouts if _has_turns(rollout)}
    for rollout in run.rollouts:
        yield (
            rollout.model,
            Outcome(
                task=rollout.uid,
                mode="multi" if rollout.uid in multi else "single",
                values=rollout.values,
                reward=rollout.reward,
                truncated=rollout.truncated,
            ),
        )


def _has_turns(rollout: Rollout) -> bool:
    """Say whether a rollout is of a multi-turn task, which one that failed early may not show by its replies."""
    return rollout.environment == "multi" or len(rollout.asked) > 1 or rollout.values.get("n_turn_2", 0) > 0
