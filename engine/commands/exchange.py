"""`clew import`, and what `clew export` has for other tools: answers, and questions to be asked elsewhere."""

from __future__ import annotations

import json
import os
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import click
import msgspec

from engine.canonical import text_digest
from engine.commands.model_options import parameters_of
from engine.commands.options import ANSWERS, LOCAL_TEST, require_local_test
from engine.errors import UsageError, counted, one_line, quoted
from engine.exchange.batches import (
    FORMAT,
    Manifest,
    base_url_of,
    file_replies,
    lines_of,
    manifest_path,
    read_manifest,
)
from engine.exchange.exporting import (
    Given,
    csv_text,
    given,
    inspect_log,
    json_lines,
    verifiers_metadata,
    verifiers_rows,
)
from engine.exchange.filing import Filed
from engine.exchange.importing import file_results
from engine.exchange.reading import read_results
from engine.model_desk import FAMILIES
from engine.models.solver import OutputMode
from engine.store.answers import Answers
from engine.store.files import private_folder, publish, scratch_folder
from engine.store.pack import Pack
from engine.store.places import answers_path, pack_path

MOST_LISTED = 20


class FirstWordOrFile(click.Group):
    """A group whose first word may be a file: then it is `results` of that file."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in self.commands:
            args = ["results", *args]
        return super().resolve_command(ctx, args)


@click.group("import", cls=FirstWordOrFile)
def import_() -> None:
    """Bring in answers that models gave elsewhere; each is scored here, by the same parser as all others.

    \b
    Example: clew import outputs/evals/run-1 --pack my-pack
    """


@import_.command("results")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--pack", help="Folder or file of the pack; the built-in one without it.")
@click.option("--model", default="", help="Name of the model, where the file does not say.")
@ANSWERS
@click.pass_context
def results(ctx: click.Context, file: Path, pack: str | None, model: str, answers: Path | None) -> None:
    """File the results of verifiers, Inspect or lm-eval, or a table with item_uid and answer.

    Answers are joined by the text that was asked; what does not fit is listed, and exit 1 says that there was some.

    \b
    Example: clew import logs/run.eval --pack my-pack
    """
    found = read_results(file, model)
    if found.torn:
        click.echo(f"{file}: {counted(found.torn, 'line')} not whole, passed over", err=True)
    _tell(ctx, file_results(found, pack, answers))


@import_.command("requests-results")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--requests", type=click.Path(path_type=Path), required=True, help="The file that was exported.")
@click.option("--pack", help="Folder or file of the pack; the built-in one without it.")
@ANSWERS
@click.pass_context
def requests_results(ctx: click.Context, file: Path, requests: Path, pack: str | None, answers: Path | None) -> None:
    """File the replies to exported requests, in the shape of OpenAI's batch output.

    \b
    Example: clew import requests-results replies.jsonl --requests requests.jsonl --pack my-pack
    """
    _tell(ctx, file_replies(file, read_manifest(manifest_path(requests)), pack, answers))


def _tell(ctx: click.Context, done: Filed) -> None:
    click.echo(
        f"{counted(done.filed, 'item')} answered, {done.before} answered before, {done.failed} without a whole answer, "
        f"{len(done.refused)} refused, {len(done.unknown)} unknown, {len(done.doubled)} doubled, "
        f"{len(done.missing)} missing"
    )
    misfits = (("refused", done.refused), ("unknown", done.unknown), ("doubled", done.doubled))
    for title, listed in (*misfits, ("missing", done.missing)):
        for line in listed[:MOST_LISTED]:
            click.echo(f"{title}: {one_line(line)}", err=True)
        if len(listed) > MOST_LISTED:
            click.echo(f"{title}: {len(listed) - MOST_LISTED} more", err=True)
    if done.refused or done.unknown or done.doubled:
        ctx.exit(1)


@click.command()
@click.argument("pack", metavar="DIR_OR_FILE")
@click.option("--model", required=True, help="Name of the model as the endpoint knows it.")
@click.option("--base-url", help="Where it will be asked; part of what names a request.")
@click.option("--family", "families", multiple=True, type=click.Choice(FAMILIES), help="Only this family; repeatable.")
@click.option("--limit", type=click.IntRange(1), help="Only the first so many puzzles of the solver's own order.")
@click.option("--max-tokens", type=click.IntRange(1), help="Longest answer.")
@click.option("--temperature", help="Sampling temperature, a number from 0.")
@click.option("--seed", type=int, help="Sampling seed, for endpoints that take one.")
@click.option("--param", "params", multiple=True, metavar="NAME=JSON", help="Further field of the request; repeatable.")
@click.option("--output", "mode", type=click.Choice(("text", "schema", "grammar")), default="text", show_default=True)
@click.option("--sample", type=click.IntRange(0), default=0, help="Which of several samples.")
@click.option("--out", type=click.Path(path_type=Path, dir_okay=False), required=True, help="File of requests.")
@LOCAL_TEST
@ANSWERS
def requests(
    pack: str, model: str, base_url: str | None, families: tuple[str, ...], limit: int | None, max_tokens: int | None,
    temperature: str | None, seed: int | None, params: tuple[str, ...], mode: OutputMode, sample: int, out: Path,
    local_test: bool, answers: Path | None,
) -> None:  # fmt: skip
    """Write the questions that a model has not answered yet, one request a line, and FILE.manifest.json beside them.

    The file is taken by vendors' batch services, vLLM and Ray. Of a conversation it holds the turn at hand: import the
    replies, and export again.

    \b
    Example: clew export requests my-pack --model gpt-x --out requests.jsonl
    """
    with Pack.open(pack_path(pack)) as opened:
        require_local_test(opened, local_test)
        pack_sha = opened.sha
    sampled = parameters_of(temperature, max_tokens, seed, params)
    made = Manifest(
        format=FORMAT, model=model, base_url=base_url_of(base_url), temperature=sampled.temperature,
        max_tokens=max_tokens, seed=seed, extra=sampled.extra, mode=mode, sample=sample, pack_sha=pack_sha,
        file_sha="", requests={},
    )  # fmt: skip
    rows = list(lines_of(made.run(pack, answers, families or FAMILIES), limit))
    text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for _, _, line in rows)
    asked: dict[str, Any] = {custom_id: prompt for custom_id, prompt, _ in rows}
    made = msgspec.structs.replace(made, file_sha=text_digest(text), requests=asked)
    _write(out, text.encode())
    _write(manifest_path(out), msgspec.json.format(msgspec.json.encode(made)) + b"\n")
    click.echo(f"{out}: {counted(len(rows), 'request')}")


@click.command()
@click.option("--pack", help="Folder or file of the pack; the built-in one without it.")
@click.option("--as", "only", default="", help="Only this solver's.")
@click.option(
    "--format", "form", type=click.Choice(["jsonl", "csv", "inspect", "verifiers"]), default="jsonl", show_default=True
)
@click.option("--out", type=click.Path(path_type=Path), help="File, or folder for inspect and verifiers; - prints.")
@LOCAL_TEST
@ANSWERS
def answers(pack: str | None, only: str, form: str, out: Path | None, local_test: bool, answers: Path | None) -> None:
    """Write the answers to a pack, people's and models', without gold or scores.

    JSON Lines and CSV are printed unless --out names a file. Inspect and verifiers get a folder with one log or run a
    solver and family; people are called human/NAME there.

    \b
    Example: clew export answers --pack my-pack --format inspect --out logs
    """
    with (
        Pack.open(pack_path(pack)) as opened,
        Answers.open(answers or answers_path(), create=False, read_only=True) as kept,
    ):
        require_local_test(opened, local_test)
        rows = list(given(opened, kept, only))
    if not rows:
        raise UsageError(
            f"no answer to {opened.path}{' of ' + quoted(only) if only else ''}; there is nothing to export"
        )
    if form in ("jsonl", "csv"):
        text = json_lines(rows) if form == "jsonl" else csv_text(rows)
        if out is None or str(out) == "-":
            click.echo(text, nl=False)
        else:
            _write(out, text.encode())
        return
    if out is None:
        raise UsageError(f"--format {form} makes several files; --out FOLDER is needed")
    for path in _write_runs(rows, form, out):
        click.echo(path)


def _write_runs(rows: Sequence[Given], form: str, out: Path) -> Iterator[Path]:
    """Write one log or run a solver and family, and yield where it lies."""
    private_folder(out)
    grouped: defaultdict[tuple[str, str], list[Given]] = defaultdict(list)
    for one in rows:
        grouped[one.name, one.entry.family].append(one)
    for (name, family), group in sorted(grouped.items()):
        stem = re.sub(r"[^\w.-]+", "-", f"{family}--{name}")
        if form == "inspect":
            path = out / f"{stem}.json"
            _write(path, json.dumps(inspect_log(group), ensure_ascii=False).encode())
        else:
            path = out / stem
            private_folder(path)
            _write(path / "results.jsonl", verifiers_rows(group).encode())
            _write(path / "metadata.json", json.dumps(verifiers_metadata(group, family.replace("-", "_"))).encode())
        yield path


def _write(path: Path, body: bytes) -> None:
    """Put a file in place in one step."""
    with scratch_folder(path.absolute().parent) as folder:
        temporary = folder / path.name
        with temporary.open("xb") as file:
            file.write(body)
            file.flush()
            os.fsync(file.fileno())
        publish(temporary, path.absolute(), replace=True)
