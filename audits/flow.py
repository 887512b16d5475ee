"""One run of everything that clew does, on a pack whose hidden half is made of tokens, with every byte kept.

A participant has a home of their own and in it the public pack, never the sealed file. They check it, play it in a
terminal, answer by command, let a built-in solver and a model answer it, export it. The researcher scores, compares and
audits beside the sealed file. A server lets somebody play a practice pack of tokens over the web. What is declared to
hold gold is left out: the sealed file, scores, opened records.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

from audits.honeytokens import write_tokened
from audits.provider import MODEL, provider
from audits.served import PLAYER as GUEST
from audits.served import possible, serve
from audits.study_flow import Done, Step, other_tools, run_steps, study_part
from audits.terminal import ENTER, ESCAPE, LEFT, MAIN, QUIT, Home, Ran, in_terminal, piped
from audits.tokens import Secret, every_file
from engine.hidden_systems.behavior import read_payload
from engine.hidden_systems.presenting import FAMILY_NAME
from engine.hidden_systems.surface.domain import legend_for, load_domain
from engine.store.answers import Answers
from engine.store.pack import Pack
from engine.store.schema import SCORES, SEALED

PLAYER = "anna"
DEBUG_LOG = "debug.log"
LOGGING = (
    "import logging, os, sys; "
    f"logging.basicConfig(level=logging.DEBUG, filename=os.path.join(os.environ['TMPDIR'], '{DEBUG_LOG}'))"
)
"""Everything that any library logs goes into a file, which is searched like all others."""
LOGGED = f"{LOGGING}; " + MAIN.removeprefix("import sys; ")
KEYS = (
    ENTER, ESCAPE, ENTER, "j", "y", "t", "n", "a note", ESCAPE, "?", ESCAPE, "a", LEFT, "7", ENTER, ENTER,
    "a", LEFT, "7", ENTER, ESCAPE, ESCAPE, "h", ESCAPE, QUIT, QUIT,
)  # fmt: skip
"""Looks at a puzzle from all sides, answers, looks at the history, leaves."""
DECLARED = frozenset(kind.application_id.to_bytes(4, "big") for kind in (SEALED, SCORES))
"""Kinds of files that hold gold on purpose, on the researcher's side."""

OPENED = re.compile(r"sealed\.db-journal|reveal-\d+\.jsonl")
"""Names of files that hold gold on purpose and are no databases: a journal, what a closed study lays open."""


class Sink(NamedTuple):
    """Bytes that somebody could read."""

    name: str
    data: bytes


@dataclass(frozen=True, kw_only=True, repr=False)
class Flow:
    """A finished run."""

    secrets: tuple[Secret, ...]
    sinks: tuple[Sink, ...]
    steps: tuple[Done, ...]
    played: int
    """Answers that were given in the terminal; without any the terminal was not really used."""
    asked: int
    """Requests that reached the model provider."""
    served: int
    """Answers that were given over the web."""

    @property
    def astray(self) -> tuple[str, ...]:
        """The steps that did not end as they must, with their exit codes."""
        return tuple(f"{one.name} ({one.ran.code})" for one in self.steps if not one.as_wanted)


def participant_steps(puzzle: str) -> tuple[Step, ...]:
    """Return what a participant runs in their folder, apart from playing."""
    return (
        Step("verify-pack", ("verify-pack", "pack.db")),
        Step("doctor", ("doctor",)),
        Step("paths", ("paths",)),
        Step("export payloads", ("export", "payloads", "pack.db")),
        Step("answer", ("answer", "--pack", "pack.db", "--as", "bert", "--puzzle", puzzle, "--answer", "PRESENT")),
        Step(
            "answer twice", ("answer", "--pack", "pack.db", "--as", "bert", "--puzzle", puzzle, "--answer", "ABSENT"), 2
        ),
        Step("answer nothing", ("answer", "--pack", "pack.db", "--puzzle", "0" * 32, "--answer", "ABSENT"), 2),
        Step("solve", ("solve", "pack.db", "--model", "baseline:pooled", "--family", FAMILY_NAME)),
        Step("score without the sealed file", ("score", "pack.db"), 2),
        Step("export records without it", ("export", "records", "pack.db"), 2),
        Step("audit without it", ("audit", "R01", "F03", "pack.db", "--format", "json"), None),
        Step("serve a collection", ("serve", "--pack", "pack.db", "--as", GUEST), 2),
    )


def researcher_steps(answers: Path) -> tuple[Step, ...]:
    """Return what runs beside the sealed file and must still print no secret."""
    return (
        # Records full of tokens are not what their seeds give, and it says so of each.
        Step("verify-pack --sealed", ("verify-pack", ".", "--sealed", "sealed.db"), 1),
        Step("score", ("score", ".", "--answers", str(answers))),
        Step("compare", ("compare", ".", "--answers", str(answers)), None),
        Step("audit", ("audit", "R01", "S03", "S10", ".", "--format", "json"), None),
        Step(
            "generate",
            ("generate", "hidden-systems", "--count", "2", "--length", "short", "--secret-seed", "--out", "more"),
        ),
        Step("render", ("render", ".", "--domain", "kiln")),
    )


def run_flow(root: Path, prelude: str = LOGGING) -> Flow:
    """Run everything under a root folder that is empty.

    Args:
        prelude: Python code that goes before every command, and imports `sys`.
    """
    code = f"{prelude}; " + MAIN.removeprefix("import sys; ")
    desk, home = Home.made(root / "researcher"), Home.made(root / "participant")
    secrets = write_tokened(desk.work)
    shutil.copy(desk.work / "pack.db", home.work / "pack.db")
    puzzle, word = first_puzzle(home.work / "pack.db")
    done = run_steps(home, prelude, participant_steps(puzzle))
    asked, model = _ask_model(home, desk, word, code)
    done += model
    answers = home.data / "answers.db"
    for pace in (1, 2, 3):
        done.append(Done("play", _play(home, pace, code), None))
        if _answers_of(answers, PLAYER):
            break
    done += other_tools(home, prelude, word)
    done += run_steps(desk, prelude, researcher_steps(answers))
    done += study_part(desk, home, prelude, prelude)
    web = over_the_web(Home.made(root / "server"), prelude)
    done += web.steps
    outputs = [
        Sink(f"{one.name}: {part}", data)
        for one in done
        for part, data in (("stdout", one.ran.out), ("stderr", one.ran.err))
    ]
    requests = [Sink("model requests", b"\n".join(asked))]
    environment = [Sink("environment", repr(sorted(home.environment().items())).encode())]
    written = (*files_of(home.root, "participant"), *files_of(desk.root, "researcher"))
    return Flow(
        secrets=(*secrets, *web.secrets),
        sinks=(*outputs, *requests, *environment, *written, *web.sinks),
        steps=tuple(done),
        played=_answers_of(answers, PLAYER),
        asked=len(asked),
        served=web.served,
    )


def first_puzzle(pack: Path) -> tuple[str, str]:
    """Return the first hidden system of a pack and the word for one of its outcomes."""
    with Pack.open(pack) as opened:
        entry = next(one for one in opened.puzzles() if one.family == FAMILY_NAME)
        payload = read_payload(opened.payload(entry.id))
        domain = opened.renderings(entry.id)[0].domain
    return entry.id, legend_for(payload, load_domain(domain)).outcomes[0].name


def _ask_model(home: Home, desk: Home, word: str, code: str) -> tuple[list[bytes], list[Done]]:
    """Let a model answer a pack and tell one, if its client is installed; return what reached the provider.

    The model that tells never says what it should, so every text is asked for again and told by the template at last.
    """
    if find_spec("openai") is None:
        return [], []
    with provider(word) as server:
        model, key = (f"openai:{MODEL}", "--base-url", server.url), {"OPENAI_API_KEY": "no-secret-at-all"}
        solved = piped(home, code, ("solve", "pack.db", "--model", *model), key)
        told = piped(desk, code, ("render", ".", "--renderer", *model), key)
    return server.received, [Done("solve with a model", solved, None), Done("render with a model", told, None)]


def _play(home: Home, pace: float, code: str) -> Ran:
    """Play in a terminal; where there are none, nothing is played and nobody can say that it was."""
    try:
        return in_terminal(home, code, ("play", "--pack", "pack.db", "--as", PLAYER), KEYS, pace=pace)
    except (ImportError, OSError):
        return Ran(0, b"")


def over_the_web(home: Home, prelude: str) -> Flow:
    """Play a practice pack of tokens over the web; without the extra `web` nothing is served."""
    secrets = write_tokened(home.work, practice=True)
    if not possible():
        return Flow(secrets=secrets, sinks=(), steps=(), played=0, asked=0, served=0)
    sent, step = serve(home, prelude)
    sinks = [Sink("serve: pages", bytes(sent.pages)), Sink("serve: socket", bytes(sent.socket))]
    sinks += files_of(home.root, "server")
    served = _answers_of(home.data / "answers.db", GUEST)
    return Flow(secrets=secrets, sinks=tuple(sinks), steps=(step,), played=0, asked=0, served=served)


def _answers_of(path: Path, alias: str) -> int:
    if not path.is_file():
        return 0
    with closing(Answers.open(path, create=False, read_only=True)) as answers:
        wanted = [solver for solver, (name, _) in answers.solvers().items() if name == alias]
        return sum(len(answers.attempts(solver)) for solver in wanted)


def files_of(root: Path, whose: str) -> Iterator[Sink]:
    """Yield name and bytes of every file under a folder that is not declared to hold gold."""
    for path in every_file(root):
        data = path.read_bytes()
        if data[68:72] in DECLARED or OPENED.fullmatch(path.name):
            continue
        yield Sink(f"{whose}: {path.relative_to(root)}", path.name.encode() + b"\n" + data)


def sink_names(sinks: Sequence[Sink]) -> tuple[str, ...]:
    """Return the names of the places that were searched, without process numbers and times."""
    return tuple(dict.fromkeys(sink.name for sink in sinks))


def total_bytes(sinks: Sequence[Sink]) -> int:
    return sum(len(sink.data) for sink in sinks)
