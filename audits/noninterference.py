"""R02: puzzles that differ in their hidden half only leave equal bytes at every exit.

Public and hidden half are drawn independently and paired, so each pair is one draw from a stated law. The counts belong
to the public half: what they tell is S06's question. A commitment is released on purpose, keyed by a secret salt, and
is left out of the comparison.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from tempfile import TemporaryDirectory

from click.testing import CliRunner

from audits.base import ExitAudit, Finding, Measure, Request, Row, Sensitivity, exact_rows, fingerprint
from audits.redaction import reordered
from engine.canonical import canonical_text, digest, text_digest
from engine.commands.export import export
from engine.hidden_systems.behavior import LABELS, payload_document, payload_text
from engine.hidden_systems.packing import Sown, rendering_row, write_puzzles
from engine.hidden_systems.presenting import present
from engine.hidden_systems.program.generate import generate_skeleton
from engine.hidden_systems.program.skeleton import BehaviorSkeleton
from engine.hidden_systems.surface.template import render
from engine.packs import Salts
from engine.randomness import derive
from engine.store.pack import Pack

CLAIM_R02 = "two puzzles with equal public halves and different hidden halves give equal bytes at every exit"
PAIRS = 3000
"""Independent pairs after which no difference means: at most one pair in a thousand differs, at 95 %."""
LARGEST_SHARE = 0.001
DECLARED = ("commit_sha", "commit_root", "content_sha")
"""Released on purpose: commitments to the hidden half, keyed by a secret salt, and what is computed from them."""

Exit = Callable[[Sequence[Sown], Path], Mapping[str, str]]
"""Sends puzzles out through one exit in an empty folder; returns what came out, by record."""


def _direct(puzzles: Sequence[Sown], folder: Path) -> Mapping[str, str]:
    """Payload, text, legend: what the renderer and the solver are handed."""
    released = {}
    for nth, sown in enumerate(puzzles):
        payload = sown.skeleton.renderer_payload()
        told = render(payload)
        released[str(nth)] = "\n".join(
            (payload_text(payload), told.domain, told.renderer, told.text, repr(told.legend))
        )
    return released


def _written(puzzles: Sequence[Sown], folder: Path) -> Path:
    path = folder / "pack.db"
    write_puzzles(path, folder / "sealed.db", puzzles, title="audit", recipe="{}", salts=Salts(seed=0))
    return path


def _pack(puzzles: Sequence[Sown], folder: Path) -> Mapping[str, str]:
    """The rows of the pack file and the names of the files beside it."""
    path = _written(puzzles, folder)
    released = {"files": " ".join(sorted(entry.name for entry in folder.iterdir()))}
    with Pack.open(path) as pack:
        released["meta"] = canonical_text({key: value for key, value in pack.meta.items() if key not in DECLARED})
        for place, entry in enumerate(pack.puzzles()):
            rows = (replace(entry, commit_sha=""), pack.payload(entry.id), *pack.renderings(entry.id))
            released[str(place)] = "\n".join(map(repr, rows))
    return released


def _export(puzzles: Sequence[Sown], folder: Path) -> Mapping[str, str]:
    """Standard output and error, exit code and file name of the public export."""
    _written(puzzles, folder)
    done = CliRunner().invoke(export, ["payloads", str(folder / "pack.db")])
    lines = {f"line {nth}": line for nth, line in enumerate(done.stdout.splitlines())}
    return {**lines, "stderr": done.stderr, "exit code": str(done.exit_code), "error": repr(done.exception)}


def _presented(puzzles: Sequence[Sown], folder: Path) -> Mapping[str, str]:
    """What people and models meet, and the digest by which an answer is stored."""
    released = {}
    for nth, sown in enumerate(puzzles):
        payload = sown.skeleton.renderer_payload()
        released[str(nth)] = repr(present(payload, rendering_row(digest(payload_document(payload)), payload), LABELS))
    return released


def _shown(puzzles: Sequence[Sown], folder: Path) -> Mapping[str, str]:
    """What a log line or a traceback would print."""
    return {str(nth): f"{sown!r} {sown.skeleton!r} {sown.skeleton.hidden_system!r}" for nth, sown in enumerate(puzzles)}


EXITS: tuple[tuple[str, Exit], ...] = (
    ("direct", _direct),
    ("presented", _presented),
    ("pack", _pack),
    ("export", _export),
    ("repr", _shown),
)


def differences(exits: Sequence[tuple[str, Exit]], one: Sequence[Sown], other: Sequence[Sown]) -> list[Finding]:
    """Send both lists out through every exit; return where they differ."""
    findings = []
    for name, leave in exits:
        with TemporaryDirectory(prefix="clew-audit-") as first, TemporaryDirectory(prefix="clew-audit-") as second:
            left, right = leave(one, Path(first)), leave(other, Path(second))
        places = sorted(left.keys() | right.keys())
        findings += [Finding("exit", f"/{name}/{at}") for at in places if left.get(at) != right.get(at)]
    return findings


def twins(count: int, complexities: Sequence[int], seed: int) -> tuple[list[Sown], list[Sown]]:
    """Return two lists of puzzles with pairwise equal public and independent hidden halves."""
    own, other = derive("audits/R02", seed), derive("audits/R02 other", seed)
    ones, others = [], []
    for index in range(count):
        complexity = complexities[index % len(complexities)]
        skeleton = generate_skeleton(complexity, own, index)
        # The next index has the other label.
        hidden = generate_skeleton(complexity, other, index + 1)
        ones.append(Sown(skeleton=skeleton, seed=own, index=index))
        others.append(Sown(skeleton=_with_hidden(skeleton, hidden), seed=other, index=index + 1))
    return ones, others


def _with_hidden(public: BehaviorSkeleton, hidden: BehaviorSkeleton) -> BehaviorSkeleton:
    return replace(hidden, payload=public.payload)


def audit_exits(request: Request) -> tuple[Row, ...]:
    """Run R02 on at most `PAIRS` independent pairs, spread over the complexities asked for."""
    count = min(PAIRS, request.draws)
    findings = differences(EXITS, *twins(count, request.complexities, request.seed))
    if findings:
        return exact_rows("R02", CLAIM_R02, "error", "exit", findings, count)
    bound = 3 / count if count else 1.0
    return (
        Row(
            rule="R02",
            claim=CLAIM_R02,
            severity="error",
            status="pass" if bound <= LARGEST_SHARE else "inconclusive",
            n=count,
            statistic=Measure("differences", 0),
            chance=0.0,
            bound=Measure("95 % upper, share of pairs that differ", bound),
            threshold=f"0 differences in {PAIRS} pairs",
            fingerprint=fingerprint("R02", "exit", ""),
            seed=request.seed,
        ),
    )


def _leaky(change: Callable[[Sown, str], str]) -> Exit:
    """Return the direct exit with one hidden bit mixed in."""

    def leave(puzzles: Sequence[Sown], folder: Path) -> Mapping[str, str]:
        clean = _direct(puzzles, folder)
        return {at: change(puzzles[int(at)], text) for at, text in clean.items()}

    return leave


def _bit(sown: Sown) -> bool:
    return sown.skeleton.gold_answer == "PRESENT"


def _file_name(puzzles: Sequence[Sown], folder: Path) -> Mapping[str, str]:
    for nth, sown in enumerate(puzzles):
        (folder / f"{nth}-{_bit(sown):d}.txt").touch()
    return {"files": " ".join(sorted(entry.name for entry in folder.iterdir()))}


LEAKY_EXITS: tuple[tuple[str, Exit], ...] = (
    ("key order", _leaky(lambda sown, text: reordered(text.split("\n")[0]) if _bit(sown) else text.split("\n")[0])),
    ("cache key", _leaky(lambda sown, text: text_digest(text + sown.skeleton.gold_answer))),
    ("file name", _file_name),
    ("stdout", _leaky(lambda sown, text: text + (" " if _bit(sown) else ""))),
    ("row", _leaky(lambda sown, text: f"{text}\n{sown.index}")),
    ("exit code", _leaky(lambda sown, text: str(int(sown.skeleton.gold_present_probability > Fraction(1, 2))))),
    ("seed", _leaky(lambda sown, text: f"{text}\n{sown.seed}")),
)


def plants_exits() -> Sensitivity:
    """Mix one hidden bit into each kind of exit."""
    pairs = twins(8, (4, 6), 0)
    found = sum(bool(differences((leak,), *pairs)) for leak in LEAKY_EXITS)
    return Sensitivity(found, len(LEAKY_EXITS), len(differences(EXITS, *pairs)))


NONINTERFERENCE = ExitAudit(
    rule="R02", scope="exits", severity="error", claim=CLAIM_R02, run=audit_exits, self_test=plants_exits
)  # fmt: skip
