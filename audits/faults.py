"""C02: no failure path prints a secret. An exception is injected at each listed point, with a token alive in its frame.

The failing frame holds the token in a local variable and in the message of the exception, which is what a careless
handler would print. Everything that comes out is searched: terminal, standard error, crash files, logs, every file.
A positive control runs beside it: Textual as it comes prints the locals of a failing handler. Should it ever stop, the
rule is inconclusive until somebody has looked at why.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from audits.base import Finding, ProgramAudit, Row, Sensitivity, exact_rows
from audits.bench import Bench
from audits.flow import Sink, files_of, first_puzzle
from audits.honeypot import sink_findings
from audits.honeytokens import token, write_tokened
from audits.leaking import resolved
from audits.terminal import ENTER, ESCAPE, LEFT, MAIN, QUIT, Home, in_terminal, piped
from audits.tokens import Secret

CLAIM = "an exception at any listed point prints no secret that is alive in its frame"
TRIES = 3
TOKEN, FIRED = "CLEW_FAULT_TOKEN", "fired"
OPENED = (ENTER, ESCAPE, ENTER)
ANSWERED = (*OPENED, "a", LEFT, "7", ENTER, ENTER)
LEFT_APP = (ESCAPE, QUIT, QUIT)
GENERATE = ("generate", "hidden-systems", "--count", "2", "--length", "short", "--secret-seed", "--out", "more")


ANSWER = ("answer", "--pack", ".", "--puzzle", "{puzzle}", "--answer", "PRESENT")


class Point(NamedTuple):
    """Where an exception is raised, and what reaches it."""

    place: str
    """`module:qualified name`."""
    arguments: tuple[str, ...]
    keys: tuple[str, ...] = ()
    """Pressed in a terminal; without any the command runs through pipes."""


POINTS: tuple[Point, ...] = (
    Point("engine.hidden_systems.program.skeleton:build_skeleton", GENERATE),
    Point("engine.hidden_systems.packing:sealed_row", GENERATE),
    Point("engine.hidden_systems.surface.template:render", GENERATE),
    Point("engine.store.commitment:leaf", GENERATE),
    Point("engine.store.sealed:write_sealed", GENERATE),
    Point("engine.store.pack:write_pack", GENERATE),
    Point("engine.store.sealed:Sealed.records", ("verify-pack", ".", "--sealed", "sealed.db")),
    Point("engine.store.sealed:Sealed.record", ("score", ".")),
    Point("engine.store.scores:Scores.put_scores", ("score", ".")),
    Point("engine.hidden_systems.unsealing:unseal", ("export", "records", ".")),
    Point("engine.hidden_systems.program.skeleton:record_document", ("export", "records", ".")),
    Point("engine.store.pack:Pack.payload", ("export", "payloads", ".")),
    Point(
        "engine.store.answers:Answers.save", ("answer", "--pack", ".", "--puzzle", "{puzzle}", "--answer", "PRESENT")
    ),
    Point("engine.desk:RealDesk.submit", ("answer", "--pack", ".", "--puzzle", "{puzzle}", "--answer", "PRESENT")),
    Point("engine.reveals:sealed_text", ("seal", "reveal", ".")),
    Point("audits.view:open_view", ("audit", "R01", ".")),
    Point("engine.desk:RealDesk.open", ("play", "--pack", "."), LEFT_APP),
    Point("engine.desk:RealDesk.next", ("play", "--pack", "."), (*OPENED, *LEFT_APP)),
    Point("engine.store.answers:Answers.save", ("play", "--pack", "."), (*ANSWERED, *LEFT_APP)),
    Point("engine.feedback:Revealer.reveal", ("play", "--pack", "."), (*ANSWERED, *LEFT_APP)),
    Point("engine.hidden_systems.unsealing:unseal", ("play", "--pack", "."), (*ANSWERED, *LEFT_APP)),
    Point("engine.hidden_systems.revealing:reveal", ("play", "--pack", "."), (*ANSWERED, *LEFT_APP)),
    Point("tui.screens.home:HomeScreen.show_home", ("play", "--pack", "."), LEFT_APP),
    Point("tui.screens.puzzle:PuzzleScreen.on_mount", ("play", "--pack", "."), (*OPENED, *LEFT_APP)),
    Point("tui.screens.puzzle:PuzzleScreen.outcome", ("play", "--pack", "."), (*ANSWERED, *LEFT_APP)),
)
"""The listed fault points: generator, sealing, store, scoring, desk, reveal, app."""

ARMED = "import sys; from audits.faults import arm; arm(sys.argv.pop(1)); " + MAIN.removeprefix("import sys; ")
STOCK = """
import os
from textual.app import App
class Stock(App):
    def on_mount(self):
        gold = os.environ["CLEW_FAULT_TOKEN"]
        raise RuntimeError("a handler failed")
Stock().run()
"""
"""Textual without clew's override."""


def boom(*args: object, **kwargs: object) -> None:
    """Stand in the place of a function: hold a token, leave a mark, and fail with the token in the message."""
    import os

    gold = os.environ["CLEW_FAULT_TOKEN"]
    held = [gold, args, kwargs]
    with open(os.path.join(os.environ["TMPDIR"], "fired"), "w"):  # noqa: PTH118, PTH123  # no module global here
        pass
    raise RuntimeError(f"gold is {gold}, {len(held)} values held")


def arm(place: str) -> None:
    """Let a function fail from now on, whoever has imported it already."""
    function = resolved(place)
    function.__code__ = boom.__code__


class Outcome(NamedTuple):
    """What came of one injected exception."""

    fired: bool
    findings: tuple[Finding, ...]


def injected(point: Point, *, pace: float = 1.0) -> Outcome:
    """Run one point in a home of its own, on a practice pack of tokens with its sealed half beside it."""
    secret = Secret("token", token())
    with TemporaryDirectory(prefix="clew-audit-") as name:
        home = Home.made(Path(name))
        write_tokened(home.work, practice=True)
        puzzle, _ = first_puzzle(home.work / "pack.db")
        arguments = [argument.format(puzzle=puzzle) for argument in point.arguments]
        if point.arguments[0] == "score":
            piped(home, MAIN, ("answer", "--pack", ".", "--puzzle", puzzle, "--answer", "PRESENT"))
        extra = {TOKEN: secret.text}
        if point.keys:
            ran = in_terminal(home, ARMED, [point.place, *arguments], point.keys, extra, pace=pace)
        else:
            ran = piped(home, ARMED, [point.place, *arguments], extra)
        sinks = [Sink(f"{point.place}: output", ran.out + b"\n" + ran.err), *files_of(home.root, point.place)]
        fired = (home.root / "tmp" / FIRED).exists()
    return Outcome(fired, tuple(sink_findings([secret], sinks)))


def control_fires() -> bool:
    """Tell whether Textual as it comes still prints the locals of a failing handler."""
    secret = Secret("token", token())
    with TemporaryDirectory(prefix="clew-audit-") as name:
        home = Home.made(Path(name))
        ran = in_terminal(home, STOCK, (), (), {TOKEN: secret.text})
    return bool(sink_findings([secret], [Sink("stock", ran.out)]))


def audit_faults(bench: Bench) -> tuple[Row, ...]:
    """Run C02 at every point; one that was not reached, or a silent control, decides nothing."""
    outcomes = [_reached(point) for point in POINTS]
    findings = [finding for outcome in outcomes for finding in outcome.findings]
    missed = [point.place for point, outcome in zip(POINTS, outcomes, strict=True) if not outcome.fired]
    rows = exact_rows("C02", CLAIM, "error", "output", findings, len(POINTS) - len(missed))
    if findings or not (missed or not control_fires()):
        return rows
    told = f"not reached: {', '.join(missed)}" if missed else "the positive control printed nothing"
    return tuple(_undecided(row, told) for row in rows)


def _reached(point: Point) -> Outcome:
    """Inject until the point is reached, a few times: keys in a terminal come too early now and then."""
    for nth in range(1, TRIES + 1):
        outcome = injected(point, pace=nth)
        if outcome.fired or outcome.findings:
            break
    return outcome


def _undecided(row: Row, why: str) -> Row:
    return replace(row, status="inconclusive", threshold=f"0 findings; {why}")


# Self-test ----------------------------------------------------------------------------------------------------------

LEAKY = """
import os, sys
def handler():
    gold = os.environ["CLEW_FAULT_TOKEN"]
    {action}
handler()
"""
ACTIONS = (
    "raise RuntimeError(gold)",
    "from rich.console import Console\n    try:\n        raise RuntimeError('x')\n    except RuntimeError:\n"
    "        Console(stderr=True, width=200).print_exception(show_locals=True)",
    "open(os.path.join(os.environ['TMPDIR'], 'crash.txt'), 'w').write(repr(locals()))",
    "sys.stdout.buffer.write(gold.encode('utf-16-le'))",
)
"""Handlers as they should not be: the message printed, locals printed, locals in a crash file, a value printed wide."""


def plants() -> Sensitivity:
    """Run handlers that print what they hold; stock Textual; and a quiet one, which must stay unseen."""
    found = sum(_leaks(LEAKY.format(action=action)) for action in ACTIONS) + control_fires()
    return Sensitivity(found, len(ACTIONS) + 1, int(_leaks(LEAKY.format(action="sys.exit(1)"))))


def _leaks(code: str) -> bool:
    secret = Secret("token", token())
    with TemporaryDirectory(prefix="clew-audit-") as name:
        home = Home.made(Path(name))
        ran = piped(home, code, (), {TOKEN: secret.text})
        sinks = [Sink("output", ran.out + ran.err), *files_of(home.root, "planted")]
        return bool(sink_findings([secret], sinks))


FAULTS = ProgramAudit(
    rule="C02", scope="program", severity="error", claim=CLAIM, run=audit_faults, self_test=plants
)  # fmt: skip
