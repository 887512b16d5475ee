"""R04: a secret cannot be formatted, and every place that takes one out of its record is on a list.

Hidden values live in fields of private types (`SECRET_FIELDS`). Reading such a field is taking the secret out; each
function of the engine and the app that does so stands in `unwrap_sites.txt`, and a new one is a finding until somebody
has put it there on purpose. A read inside an f-string, a `format`, a `%`, a log or error message is always a finding.
The private types themselves must print nothing, and must refuse to be pickled, copied or turned into JSON.
"""

from __future__ import annotations

import ast
import copy
import json
import pickle
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, is_dataclass
from functools import cache
from importlib.resources import files
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from audits.base import Finding, ProgramAudit, Row, Sensitivity, exact_rows
from audits.honeytokens import COMPLEXITIES, sample_task, tokened
from engine.hidden_systems.packing import Sown, halves
from engine.instruction_adherence.packing import halves as task_halves
from engine.packs import Halves, Salts

if TYPE_CHECKING:
    from audits.bench import Bench

CLAIM = "secrets are taken out of their records at listed places only, and never inside a formatted text"
SECRET_FIELDS = frozenset(
    ("gold_answer", "gold_present_probability", "hidden_system", "latent_trace", "gold", "present_probability",
     "witness", "witnesses")
)  # fmt: skip
"""Fields whose value tells or decides an answer; their names are used for nothing else."""
SITES = "unwrap_sites.txt"
FORMATTERS = frozenset(
    (
        "format",
        "format_map",
        "print",
        "echo",
        "secho",
        "debug",
        "info",
        "warning",
        "error",
        "exception",
        "critical",
        "log",
    )
)
PACKAGES = ("engine", "tui")


class Site(NamedTuple):
    """A place where a secret field is read."""

    module: str
    function: str
    """Qualified inside its module; empty at the top."""
    field: str
    formatted: bool
    """Read inside a text that is put together."""

    def line(self) -> str:
        return f"{self.module} {self.function or '-'} {self.field}"


def sites_of(source: str, module: str) -> Iterator[Site]:
    """Yield every read of a secret field in a module's source."""
    yield from _visit(ast.parse(source), module, "", False)


def _visit(node: ast.AST, module: str, function: str, formatted: bool) -> Iterator[Site]:
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        function = f"{function}.{node.name}".lstrip(".")
    if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load) and node.attr in SECRET_FIELDS:
        yield Site(module, function, node.attr, formatted)
    for child in ast.iter_child_nodes(node):
        yield from _visit(child, module, function, formatted or _puts_together(node))


def _puts_together(node: ast.AST) -> bool:
    """Tell whether a node makes a text, a message or a line of a log of what stands inside it."""
    if isinstance(node, ast.FormattedValue | ast.Raise | ast.Assert):
        return True
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod):
        return isinstance(node.left, ast.Constant) and isinstance(node.left.value, str)
    if isinstance(node, ast.Call):
        called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        return called in FORMATTERS
    return False


@cache
def listed_sites() -> frozenset[str]:
    """Return the lines of the allow-list."""
    text = (files("audits") / SITES).read_text(encoding="utf-8")
    return frozenset(line.strip() for line in text.splitlines() if line.strip() and not line.startswith("#"))


def program_sites() -> Iterator[Site]:
    """Yield the sites of the engine and the app as they are installed."""
    for package in PACKAGES:
        root = Path(str(files(package)))
        for path in sorted(root.rglob("*.py")):
            module = ".".join((package, *path.relative_to(root).with_suffix("").parts)).removesuffix(".__init__")
            yield from sites_of(path.read_text(encoding="utf-8"), module)


def site_findings(sites: Iterable[Site], allowed: frozenset[str]) -> list[Finding]:
    """Return the sites that are not on the list, those on it that are gone, and all that format a secret."""
    known = list(sites)
    there = {site.line() for site in known}
    findings = [Finding(site.module, f"/{site.function}/{site.field}/formatted") for site in known if site.formatted]
    findings += [Finding(line.split()[0], f"/{'/'.join(line.split()[1:])}/new") for line in sorted(there - allowed)]
    return findings + [
        Finding(line.split()[0], f"/{'/'.join(line.split()[1:])}/gone") for line in sorted(allowed - there)
    ]


# Values -------------------------------------------------------------------------------------------------------------

WAYS: Mapping[str, Callable[[object], object]] = {
    "repr": repr,
    "str": str,
    "format": lambda value: f"{value}",
    "ascii": ascii,
    "json": lambda value: json.dumps(value),
    "pickle": pickle.dumps,
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
}
PUBLIC_MODULES = (
    "engine.store.pack",
    "engine.instruction_adherence.constraint",
    "engine.instruction_adherence.lexicon",
)
"""Rows of a pack, and constraints, which the text of a task spells out."""
PRINTING = ("repr", "str", "format", "ascii")


def value_findings(value: object, secrets: Iterable[str]) -> Iterator[Finding]:
    """Yield the ways in which a private value gives a secret away: it must print none, and refuse the rest."""
    known = tuple(secrets)
    for way, use in WAYS.items():
        try:
            made = use(value)
        except TypeError:
            continue
        text = made if isinstance(made, str) else ""
        if way in PRINTING and not any(secret in text for secret in known):
            continue
        yield Finding(type(value).__name__, f"/{way}")


def private_values(value: object) -> Iterator[object]:
    """Yield a private value and all private values inside it, each type once."""
    seen: set[type] = set()
    stack = [value]
    while stack:
        one = stack.pop()
        if isinstance(one, tuple | list):
            stack += one
        elif is_dataclass(one) and not type(one).__module__.startswith(PUBLIC_MODULES):
            if type(one) not in seen:
                seen.add(type(one))
                yield one
            names = list(getattr(type(one), "__dataclass_fields__", ()))
            stack += [getattr(one, name) for name in names if hasattr(one, name)]


# The rule -----------------------------------------------------------------------------------------------------------


def audit_taint(bench: Bench) -> tuple[Row, ...]:
    """Run R04 on the source of this program and on one value of each private type."""
    sites = list(program_sites())
    findings = site_findings(sites, listed_sites())
    values = list(chain.from_iterable(map(private_values, sample_values())))
    findings += [found for value in values for found in value_findings(value, sample_secrets())]
    return exact_rows("R04", CLAIM, "error", "source", findings, len(sites) + len(values))


@cache
def sample_values() -> tuple[object, ...]:
    """Return private values of every kind, hidden parts in tokens."""
    sown = tokened(COMPLEXITIES[0], 0)
    salts = Salts(seed=None)
    half = halves(sown, "public salt", salts)
    task = sample_task()
    return (sown, half, salts, task, task_halves(task, "public salt", salts))


@cache
def sample_secrets() -> tuple[str, ...]:
    """Return what no printed value may hold: hidden texts of the sample values."""
    sown, half, *_ = sample_values()
    assert isinstance(sown, Sown) and isinstance(half, Halves) and half.system is not None
    system = sown.skeleton.hidden_system
    names = [text for rule in system.rules for text in (rule.id, rule.target) if text]
    return (str(sown.seed), half.system.salt.hex(), half.system.program, *names)


CLEAN_SOURCE = "def shown(record):\n    return record.payload\n"
LEAKY_SOURCES = (
    "def peek(record):\n    return record.gold\n",
    "def told(record):\n    return f'{record.gold_answer}'\n",
    "def told(record):\n    return 'label %s' % record.gold\n",
    "def told(record):\n    return '{}'.format(record.present_probability)\n",
    "def told(record):\n    raise ValueError(record.witness)\n",
    "def told(record, log):\n    log.debug('record', record.latent_trace)\n",
    "def told(record):\n    assert record.gold == 'PRESENT', record.gold\n",
    "def told(record):\n    print(record.hidden_system)\n",
)
"""One new place that takes a secret out, and seven that format one."""


@dataclass(frozen=True)
class Unguarded:
    """A record whose repr was forgotten; only the self-test makes one."""

    gold: str


def plants() -> Sensitivity:
    """Add a new place, format a secret in seven ways, take a place off the program, forget the guard of a record."""
    found = sum(bool(site_findings(sites_of(source, "planted"), frozenset())) for source in LEAKY_SOURCES)
    gone = site_findings(sites_of(CLEAN_SOURCE, "planted"), frozenset({"planted shown gold"}))
    secret = "a secret of the self-test"
    open_ways = {finding.pointer for finding in value_findings(Unguarded(secret), (secret,))}
    unguarded = sum(f"/{way}" in open_ways for way in ("repr", "str", "format", "ascii", "pickle", "copy", "deepcopy"))
    silent = site_findings(sites_of(CLEAN_SOURCE, "planted"), frozenset())
    return Sensitivity(found + bool(gone) + unguarded, len(LEAKY_SOURCES) + 1 + 7, len(silent))


TAINT = ProgramAudit(
    rule="R04", scope="program", severity="error", claim=CLAIM, run=audit_taint, self_test=plants
)  # fmt: skip
