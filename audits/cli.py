"""The command `clew audit`. Exit 0 pass, 1 finding, 2 unusable or crashed, 3 inconclusive."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from engine.errors import ClewError, UsageError, one_line, outside_trouble, place_of, quoted
from engine.instruction_adherence.splits import SPLITS, read_split

if TYPE_CHECKING:
    from audits.base import Request, ScriptRequest, SetRequest
    from audits.report import Format, Report

UNUSABLE = 2
DEFAULT_DRAWS = 9000
"""Enough for about forty clean rows to pass together."""
DEFAULT_SETS = 1000
FEWEST_CONSTRAINTS, MOST_CONSTRAINTS = 3, 16
RULE = re.compile(r"[A-Z]\d\d")


@click.command(
    epilog="Example: clew audit my-pack; clew audit S06 --draws 2000 --complexity long; "
    "clew audit --sets 10000 --constraints 16; clew audit W06 --scripts 1000; clew audit --self-test"
)
@click.argument("targets", nargs=-1, metavar="[RULE ...] [FILE_OR_DIR]")
@click.option("--draws", type=click.IntRange(min=1), metavar="N", help=f"Audit N generator draws ({DEFAULT_DRAWS}).")
@click.option(
    "--complexity", "lengths", multiple=True, metavar="K", help="short, medium, long, 4..10, or all; repeatable."
)
@click.option(
    "--select",
    is_flag=False,
    flag_value="",
    metavar="[ACCURACY]",
    help="Let the draws go through the selection of study packs first (0.65 from 6 events on).",
)
@click.option(
    "--sealed", type=click.Path(dir_okay=False, path_type=Path), multiple=True, metavar="FILE",
    help="With a bundle: the sealed file of each of its packs, in their order.",
)  # fmt: skip
@click.option("--program", is_flag=True, help="Audit this program: its source, its runs, what they leave behind.")
@click.option("--sets", type=click.IntRange(min=1), metavar="N", help=f"Audit N sets of constraints ({DEFAULT_SETS}).")
@click.option(
    "--constraints",
    type=click.IntRange(FEWEST_CONSTRAINTS, MOST_CONSTRAINTS),
    metavar="K",
    help=f"In each set ({MOST_CONSTRAINTS}), or at the height of each script (3 to 16 in turn).",
)
@click.option("--scripts", type=click.IntRange(min=1), metavar="N", help="Audit N multi-turn scripts.")
@click.option("--split", type=click.Choice((*SPLITS, "all")), help="The split of the sets or scripts (train).")
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help="The audit's own seed.")
@click.option("--self-test", "planted", is_flag=True, help="Plant leaks, count those found, record it.")
@click.option("--list", "listing", is_flag=True, help="List the rules.")
@click.option("--explain", metavar="RULE", help="Print what a rule shows and what it cannot show.")
@click.option("--baseline", type=click.Path(path_type=Path), metavar="FILE", help="Accepted warnings, as JSON.")
@click.option("--format", "form", type=click.Choice(("text", "json", "sarif")), default="text", show_default=True)
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE", help="Write the report there.")
@click.pass_context
def audit(
    ctx: click.Context,
    targets: tuple[str, ...],
    draws: int | None,
    lengths: tuple[str, ...],
    select: str | None,
    sealed: tuple[Path, ...],
    program: bool,
    sets: int | None,
    constraints: int | None,
    scripts: int | None,
    split: str | None,
    seed: int,
    planted: bool,
    listing: bool,
    explain: str | None,
    baseline: Path | None,
    form: Format,
    out: Path | None,
) -> None:
    """Look for leaks and faults in a pack, in draws of the generator, or in drawn sets of constraints or scripts.

    FILE_OR_DIR is a pack, a folder with pack.db and perhaps sealed.db, or the bundle of a participant of a study.
    Without a RULE all that apply are run.
    """
    with _failing_as_unusable(ctx):
        if listing or explain is not None:
            click.echo(_listed() if explain is None else _explained(explain))
            return
        rules, pack = _split(targets)
        drawn = draws is not None or bool(lengths) or select is not None
        request = _request(draws, lengths, seed, select) if drawn else None
        told = _script_request(scripts, constraints, split, seed)
        wanted = None if told is not None and sets is None else _set_request(sets, constraints, split, seed)
        nothing = pack is None and request is None and wanted is None and told is None
        if planted:
            report = _planted(rules, nothing and not program)
        else:
            report = _run(rules, pack, request, wanted, told, baseline, program=program, sealed=sealed)
        _put(report, form, out)
        ctx.exit(report.exit_code)


def _run(
    rules: list[str],
    pack: str | None,
    request: Request | None,
    sets: SetRequest | None,
    scripts: ScriptRequest | None,
    baseline: Path | None,
    *,
    program: bool,
    sealed: tuple[Path, ...],
) -> Report:
    # The rules load NumPy and, later, scikit-learn: not before the arguments are known to be in order.
    from datetime import date

    from audits.baseline import read_baseline
    from audits.run import plan, run
    from engine.store.clock import utc_now

    entries = read_baseline(baseline) if baseline else ()
    planned = plan(rules, pack, request, sets, scripts=scripts, program=program, sealed_halves=sealed)
    click.echo(planned.line(), err=True)
    return run(planned, _track, entries, date.fromisoformat(utc_now()[:10]))


def _planted(rules: list[str], nothing_else: bool) -> Report:
    from audits.run import self_test

    if not nothing_else:
        raise UsageError("--self-test goes with rules only; leave out the pack, --draws, --sets and --scripts")
    click.echo(f"audit: planting leaks in {' '.join(rules) or 'every rule'}", err=True)
    return self_test(rules, lambda key: click.echo(f"  {key}", err=True))


def _request(draws: int | None, lengths: tuple[str, ...], seed: int, select: str | None) -> Request:
    from audits.base import Request
    from engine.hidden_systems.program.generate import FEWEST, MOST, read_complexity

    if "all" in lengths:
        complexities: Iterable[int] = range(FEWEST, MOST + 1)
    else:
        complexities = sorted({read_complexity(length) for length in lengths or ("short", "medium", "long")})
    return Request(tuple(complexities), DEFAULT_DRAWS if draws is None else draws, seed, _percent(select, complexities))


def _percent(select: str | None, complexities: Iterable[int]) -> int | None:
    """Return the accuracy that every draw is selected for; all complexities asked for share it."""
    if select is None:
        return None
    from engine.hidden_systems.selection import read_accuracy

    return max(read_accuracy(select, complexity) for complexity in complexities)


def _set_request(sets: int | None, constraints: int | None, split: str | None, seed: int) -> SetRequest | None:
    if sets is None and constraints is None and split is None:
        return None
    from audits.base import SetRequest

    splits = SPLITS if split == "all" else (split or "train",)
    return SetRequest(tuple(map(read_split, splits)), constraints or MOST_CONSTRAINTS, sets or DEFAULT_SETS, seed)


def _script_request(scripts: int | None, constraints: int | None, split: str | None, seed: int) -> ScriptRequest | None:
    if scripts is None:
        return None
    from audits.base import ScriptRequest

    splits = SPLITS if split == "all" else (split or "train",)
    return ScriptRequest(tuple(map(read_split, splits)), constraints, scripts, seed)


def _split(targets: tuple[str, ...]) -> tuple[list[str], str | None]:
    rules = [target for target in targets if RULE.fullmatch(target)]
    places = [target for target in targets if not RULE.fullmatch(target)]
    if len(places) > 1:
        raise UsageError(f"two places to audit, {quoted(places[0])} and {quoted(places[1])}; one at a time")
    return rules, places[0] if places else None


def _explained(rule: str) -> str:
    from audits.pages import page
    from audits.registry import AUDITS

    known = sorted({audit.rule for audit in AUDITS})
    if rule not in known:
        raise UsageError(f"unknown rule {quoted(rule)}; known are {', '.join(known)}")
    return page(rule)


def _listed() -> str:
    from audits.registry import AUDITS

    return "\n".join(f"{audit.rule}  {audit.scope:6}  {audit.severity:7}  {audit.claim}" for audit in AUDITS)


def _put(report: Report, form: Format, out: Path | None) -> None:
    from audits.report import write

    text = write(report, form)
    if out is None or str(out) == "-":
        click.echo(text, nl=False)
        return
    try:
        out.write_text(text, encoding="utf-8")
    except OSError as error:
        raise UsageError(f"report {quoted(str(out))} cannot be written: {error.strerror}; another place") from error


def _track(indices: Iterable[int], label: str) -> Iterator[int]:
    """Pass the indices on, with a bar on standard error if that is a terminal."""
    with click.progressbar(indices, label=label, file=sys.stderr, hidden=not sys.stderr.isatty()) as bar:
        yield from bar


@contextmanager
def _failing_as_unusable(ctx: click.Context) -> Iterator[None]:
    """Turn every error into one line and exit 2: 1 is for findings alone."""
    exit_with: Callable[[int], object] = ctx.exit
    try:
        yield
    except ClewError as error:
        click.echo(f"clew: {error.line()}", err=True)
        exit_with(UNUSABLE)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        exit_with(UNUSABLE)
    except (click.ClickException, click.exceptions.Exit, click.Abort):
        raise
    except Exception as error:
        told = outside_trouble(error) or f"internal error: {place_of(error)}; please report this line"
        click.echo(f"clew: {one_line(told)}", err=True)
        exit_with(UNUSABLE)
