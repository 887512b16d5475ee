"""C06: what is kept of requests to a model, under which keys and names, derives from public bytes.

A model answers the same pack twice, each time beside another sealed file. The requests as they reach the provider, the
rows that are kept of them with their keys, and the names of all files must be equal, and hold no secret of either half.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path

from audits.base import Finding, ProgramAudit, Row, Sensitivity, exact_rows
from audits.bench import Bench
from audits.exits import database_rows
from audits.flow import LOGGED, Sink, first_puzzle
from audits.honeypot import sink_findings
from audits.honeytokens import secrets_of, token, write_tokened, write_turned
from audits.provider import MODEL, Provider, provider
from audits.terminal import Home, piped
from audits.tokens import Secret, every_file
from engine.canonical import text_digest
from engine.hidden_systems.presenting import FAMILY_NAME

CLAIM = "requests to a model, the keys they are kept under and the names of files derive from public bytes alone"
CHANGING = re.compile(rb"(?im)^(?:date|user-agent|x-stainless-[\w-]+|idempotency-key|connection|accept[\w-]*): .*\r?\n")
Kept = Mapping[str, str]


def audit_cache(bench: Bench) -> tuple[Row, ...]:
    """Run C06; without the client of the extra `models` there is nothing to look at."""
    if find_spec("openai") is None:
        return exact_rows("C06", CLAIM, "error", "request", (), 0)
    folder = bench.folder()
    (folder / "made").mkdir()
    secrets = write_tokened(folder / "made")
    write_turned(folder / "made" / "sealed.db", folder / "turned.db")
    secrets = (*secrets, *secrets_of(folder / "turned.db"))
    with provider(first_puzzle(folder / "made" / "pack.db")[1]) as server:
        one = _kept(folder / "one", folder / "made", folder / "made" / "sealed.db", server)
        other = _kept(folder / "other", folder / "made", folder / "turned.db", server)
    findings = [*cache_findings(one, other), *_secret_findings(secrets, folder, server)]
    rows = exact_rows("C06", CLAIM, "error", "request", findings, len(server.received))
    return rows if findings or len(server.received) > 1 else tuple(replace(row, status="inconclusive") for row in rows)


def cache_findings(one: Kept, other: Kept) -> list[Finding]:
    """Return where two runs beside different sealed files kept different things."""
    return [Finding(at, "/kept") for at in sorted(one.keys() | other.keys()) if one.get(at) != other.get(at)]


def _kept(root: Path, made: Path, sealed: Path, server: Provider) -> Kept:
    """Let the model answer beside one sealed file; return requests, rows and names."""
    home = Home.made(root)
    shutil.copy(made / "pack.db", home.work / "pack.db")
    shutil.copy(sealed, home.work / "sealed.db")
    before = len(server.received)
    arguments = ("solve", ".", "--model", f"openai:{MODEL}", "--base-url", server.url, "--family", FAMILY_NAME)
    piped(home, LOGGED, arguments, {"OPENAI_API_KEY": "no-secret-at-all"})
    requests = sorted(CHANGING.sub(b"", one).decode(errors="replace") for one in server.received[before:])
    kept = {f"request {nth}": text for nth, text in enumerate(requests)}
    with suppress(OSError):
        kept |= database_rows(home.data / "answers.db")
    names = sorted(re.sub(r"\d{8}T\d+Z?(?:-[0-9a-f]+)?", "#", path.name) for path in every_file(home.data))
    return {**kept, "names": " ".join(names)}


def _secret_findings(secrets: tuple[Secret, ...], folder: Path, server: Provider) -> list[Finding]:
    sinks = [Sink(f"request {nth}", data) for nth, data in enumerate(server.received)]
    for name in ("one", "other"):
        files = every_file(folder / name / "data")
        sinks += [Sink(f"{name}: {path.name}", path.name.encode() + path.read_bytes()) for path in files]
    return sink_findings(secrets, sinks)


# Self-test ----------------------------------------------------------------------------------------------------------


def plants() -> Sensitivity:
    """Mix the gold into a key, a file name and a prompt; send a token to the provider."""

    def kept(gold: str, leak: Callable[[str], Mapping[str, str]]) -> Kept:
        return {"request 0": "a story", "model_call": text_digest("a story"), "names": "answers.db", **leak(gold)}

    leaks: tuple[Callable[[str], Mapping[str, str]], ...] = (
        lambda gold: {"model_call": text_digest(f"a story {gold}")},
        lambda gold: {"names": f"answers.db {gold}.json"},
        lambda gold: {"request 0": "a story" + " " * (gold == "PRESENT")},
    )
    found = sum(bool(cache_findings(kept("PRESENT", leak), kept("ABSENT", leak))) for leak in leaks)
    secret = Secret("seed", token())
    found += bool(sink_findings([secret], [Sink("request", f'{{"seed": "{secret.text}"}}'.encode())]))
    clean = cache_findings(kept("PRESENT", lambda gold: {}), kept("ABSENT", lambda gold: {}))
    return Sensitivity(found, len(leaks) + 1, len(clean))


CACHE = ProgramAudit(
    rule="C06", scope="program", severity="error", claim=CLAIM, run=audit_cache, self_test=plants
)  # fmt: skip
