"""Item-level data for others: files with fixed columns, a codebook, and a manifest with the digest of each.

Exporting twice gives the same bytes. An export with fewer trials than the one it would replace is refused unless
people withdrew meanwhile: rows do not vanish by themselves.
"""

from __future__ import annotations

import csv
import hashlib
import io
import json
from collections.abc import Iterable, Mapping, Sequence
from importlib import metadata
from pathlib import Path

from engine.canonical import Json, canonical_text, read_json
from engine.errors import StoreError, UsageError
from engine.store.collected import read_collected
from engine.store.files import private_folder, scratch_folder, sync_file, sync_folder
from engine.study.columns import FILES, MISSING, SCHEMA, Column, codebook
from engine.study.folder import Study
from engine.study.gathering import study_data
from engine.study.tables import Row, Value, tables_of

MANIFEST_NAME = "manifest.json"
AS_LINES = ("events", "texts")
"""Files that are JSON Lines alone."""


def export_study(study: Study, out: Path, *, gold: Sequence[Path] = (), parquet: bool = False) -> dict[str, int]:
    """Write the data of a study into a folder; return rows by file.

    Args:
        gold: the sealed halves, to write gold.csv and who was right; none without.

    Raises:
        UsageError: nothing was merged yet, the folder holds something else, or trials would be lost.
    """
    if not study.answers.exists():
        raise UsageError(f"{study.folder} has no answers yet; clew study merge brings some")
    data, collected = study_data(study), read_collected(study.answers)
    tables = tables_of(study, data, collected, gold)
    before = _earlier(out)
    if before is not None and before[0] > len(tables["trials"]) and before[1] == data.withdrawn:
        raise UsageError(
            f"{out} holds {before[0]} trials and now there are {len(tables['trials'])}, though nobody withdrew;"
            " find out why, or give another folder"
        )
    private_folder(out.parent)
    with scratch_folder(out.parent) as scratch:
        built = scratch / "data"
        built.mkdir()
        _write_all(built, tables, study, data.withdrawn, parquet=parquet)
        if out.exists():
            out.rename(scratch / "replaced")
        built.rename(out)
    sync_folder(out.parent)
    return {name: len(rows) for name, rows in tables.items()}


def csv_text(columns: Sequence[Column], rows: Iterable[Row]) -> str:
    """Return a table as CSV (RFC 4180): a header, CRLF line ends, `NA` without a value, texts exactly as they are.

    With other line ends the writer would leave a carriage return inside a text without quotes.
    """
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow([column.name for column in columns])
    for row in rows:
        writer.writerow([_cell(row[column.name]) for column in columns])
    return out.getvalue()


def lines_text(rows: Iterable[Row]) -> str:
    """Return a table as JSON Lines."""
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


def _cell(value: Value) -> str:
    if value is None:
        return MISSING
    return ("true" if value else "false") if isinstance(value, bool) else str(value)


def _write_all(folder: Path, tables: Mapping[str, list[Row]], study: Study, withdrawn: int, *, parquet: bool) -> None:
    written: dict[str, str] = {}
    for name, rows in tables.items():
        if name not in AS_LINES:
            written[f"{name}.csv"] = csv_text(FILES[name], rows)
        if name in AS_LINES or name == "trials":
            written[f"{name}.jsonl"] = lines_text(rows)
    book = codebook(list(tables))
    written["codebook.json"] = json.dumps(book, indent=1, ensure_ascii=False) + "\n"
    written["codebook.md"] = codebook_markdown(list(tables))
    written["dataset_description.json"] = _description(study, [str(one["column"]) for one in book])
    for name, text in written.items():
        (folder / name).write_text(text, encoding="utf-8", newline="")
    if parquet:
        write_parquet(folder / "trials.parquet", tables["trials"])
    shas = {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in sorted(folder.iterdir())}
    head: dict[str, Json] = {
        "schema": SCHEMA, "clew_version": metadata.version("clew"), "manifest_sha": study.sha,
        "study_version": study.manifest.version, "withdrawn": withdrawn,
        "rows": {name: len(rows) for name, rows in tables.items()}, "files": shas,
    }  # fmt: skip
    (folder / MANIFEST_NAME).write_text(canonical_text(head) + "\n", encoding="utf-8")
    for path in folder.iterdir():
        sync_file(path)


def write_parquet(path: Path, rows: Sequence[Row]) -> None:
    """Write the trials as Parquet.

    Raises:
        UsageError: the extra is not installed.
    """
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError as error:
        raise UsageError("trials.parquet needs pyarrow: pip install 'clew[parquet]'; leave out --parquet") from error
    kinds = {"text": pyarrow.string(), "integer": pyarrow.int64(), "boolean": pyarrow.bool_()}
    schema = pyarrow.schema([(column.name, kinds[column.type]) for column in FILES["trials"]])
    parquet.write_table(pyarrow.Table.from_pylist([dict(row) for row in rows], schema=schema), path)


def codebook_markdown(names: Sequence[str]) -> str:
    """Return the codebook for people."""
    lines = ["# Codebook", "", f"Missing values are `{MISSING}` in CSV and null in JSON. Times are UTC, ISO 8601."]
    lines.append("Texts are exactly what was written: a spreadsheet may take one that begins with = for a formula.")
    for name in names:
        lines += ["", f"## {name}", "", "| column | type | unit | allowed | meaning |", "|---|---|---|---|---|"]
        lines += [
            f"| `{column.name}` | {column.type} | {column.unit} | {column.allowed} | {column.meaning} |"
            for column in FILES[name]
        ]
    return "\n".join(lines) + "\n"


def _description(study: Study, variables: Sequence[str]) -> str:
    document = {
        "@context": "https://schema.org/", "@type": "Dataset", "name": study.manifest.name,
        "description": f"Item-level data of the study {study.manifest.title!r}, manifest {study.sha}",
        "schemaVersion": SCHEMA, "variableMeasured": sorted(set(variables)),
    }  # fmt: skip
    return json.dumps(document, indent=1) + "\n"


def _earlier(out: Path) -> tuple[int, int] | None:
    """Return trials and withdrawals of an earlier export at this place; None without one.

    Raises:
        UsageError: something else lies there.
    """
    if not out.exists():
        return None
    try:
        found = read_json((out / MANIFEST_NAME).read_text(encoding="utf-8"), where=str(out / MANIFEST_NAME))
    except (OSError, UnicodeDecodeError, UsageError) as error:
        raise UsageError(f"{out} exists and is no export of a study; give a new folder") from error
    if not isinstance(found, dict) or found.get("schema") != SCHEMA or not isinstance(rows := found.get("rows"), dict):
        raise StoreError(f"{out / MANIFEST_NAME} is not of an export that this clew writes; give a new folder")
    trials, withdrawn = rows.get("trials"), found.get("withdrawn")
    return (int(str(trials)), int(str(withdrawn)))
