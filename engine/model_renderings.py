"""Renderings by a language model: for each puzzle of a pack that has none, two kinds of call, checks, and a row.

Works on the public pack alone; the sealed file is never opened. A puzzle that the model could not tell gets the
template's text in its place, as a rendering of its own that says so; one that the endpoint did not answer is left for
the next run. Each request is noted beside the pack before it leaves and once it has ended (`engine.models.journal`):
after a kill, what was answered is not asked for again.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path

from engine.canonical import Json, text_digest
from engine.hidden_systems.behavior import PublicPayload, read_payload
from engine.hidden_systems.presenting import FAMILY_NAME
from engine.hidden_systems.surface import template
from engine.hidden_systems.surface.llm import MOST_TRIES, RENDERER, Attempted, rendering_params, tell
from engine.hidden_systems.surface.llm_prompts import PROMPT_VERSION
from engine.hidden_systems.surface.pieces import PIECES_VERSION, tell_by_pieces
from engine.hidden_systems.surface.wording import META, wording_text
from engine.models.asking import FatalError, OverdueError
from engine.models.gate import GaveUpError
from engine.models.journal import Ask, Journal
from engine.models.outcome import Limits
from engine.models.patience import Patient
from engine.models.solver import OutputMode, Parameters, Solver
from engine.models.timing import RealTime, Time
from engine.store.pack import Pack, PackPuzzle, PackRendering, rendering_id, write_pack

SAVE_EVERY = 20
"""Puzzles after which the pack is written; what a kill loses of it is made again from the journal, unasked."""
JOURNAL = ".calls.jsonl"
"""Behind the pack's name, the journal beside it."""


@dataclass(frozen=True, kw_only=True)
class Order:
    """What is asked for."""

    solver: Solver
    parameters: Parameters
    mode: OutputMode
    limits: Limits
    limit: int | None = None
    """The first puzzles of the pack that lack such a rendering."""
    pieces: int | None = None
    """Ask by pieces, for so many blocks of each text; None asks for whole legends and lists of blocks."""
    tries: int = MOST_TRIES
    """How often one thing is asked for."""

    @property
    def renderer(self) -> str:
        return f"{RENDERER}:{self.solver.name}"

    async def tell(self, payload: PublicPayload, ask: Ask) -> Attempted:
        """Let the model tell one payload."""
        if self.pieces is None:
            return await tell(payload, ask, self.mode, self.tries)
        return await tell_by_pieces(payload, ask, self.pieces, self.tries)

    @property
    def params_sha(self) -> str:
        settled: dict[str, Json] = {**self.parameters.document(), "prompt_version": PROMPT_VERSION}
        if self.pieces is not None:
            settled |= {"prompt_version": PIECES_VERSION, "pieces": self.pieces}
        if self.tries != MOST_TRIES:
            settled["tries"] = self.tries
        return rendering_params(self.solver.identity(), settled, self.mode)


@dataclass(kw_only=True)
class Rendered:
    """What became of a run."""

    told: int = 0
    """Puzzles told by the model."""
    in_part: int = 0
    """Of these, puzzles of which the template told or named something."""
    blocks: int = 0
    """Blocks that the model told."""
    again: int = 0
    """Requests of an earlier run that had no end, because it was killed."""
    fell_back: int = 0
    reasons: Counter[str] = field(default_factory=Counter)
    """Why something had to be asked for again or was given up."""
    left: list[str] = field(default_factory=list)
    """Puzzles without an answer from the endpoint."""
    there: int = 0
    """Puzzles that had such a rendering before."""
    fatal: str = ""
    requests: Counter[str] = field(default_factory=Counter)


class _Book:
    """A pack that is being added to."""

    def __init__(self, path: Path) -> None:
        self.path = path
        with Pack.open(path) as pack:
            self.meta: dict[str, str] = dict(pack.meta)
            entries = pack.puzzles()
            self.puzzles = [PackPuzzle(**asdict(entry), payload=pack.payload(entry.id)) for entry in entries]
            self.renderings = {told.id: told for entry in entries for told in pack.renderings(entry.id)}
        self.unsaved = 0

    def lacking(self, params_sha: str) -> list[PackPuzzle]:
        """Return the hidden systems without a rendering of these parameters."""
        have = {told.puzzle_id for told in self.renderings.values() if told.params_sha == params_sha}
        return [puzzle for puzzle in self.puzzles if puzzle.family == FAMILY_NAME and puzzle.id not in have]

    def add(self, row: PackRendering, meta: Mapping[str, str]) -> None:
        self.renderings[row.id] = row
        self.meta |= meta
        self.unsaved += 1
        if self.unsaved >= SAVE_EVERY:
            self.save()

    def save(self) -> None:
        """Build the pack anew and put it in the old one's place."""
        if self.unsaved:
            write_pack(
                self.path, meta=self.meta, puzzles=self.puzzles, renderings=self.renderings.values(), replace=True
            )
        self.unsaved = 0


def render_with(
    path: Path,
    order: Order,
    begin: Callable[[int], Callable[[], None]],
    said: Callable[[str], None],
    *,
    time: Time | None = None,
) -> Rendered:
    """Let a model tell every puzzle of a pack that it has not told yet.

    Args:
        begin: told how many puzzles there are to tell; returns what is called after each.
        said: receives lines for people.
    """
    book = _Book(path)
    lacking = book.lacking(order.params_sha)
    systems = sum(puzzle.family == FAMILY_NAME for puzzle in book.puzzles)
    result = Rendered(there=systems - len(lacking))
    done = begin(len(lacking[: order.limit]))
    patient = Patient(order.solver, order.parameters, time=time or RealTime(), limits=order.limits, said=said)
    with Journal(path.with_name(f"{path.name}{JOURNAL}")) as journal:
        result.again = journal.interrupted
        try:
            asyncio.run(_render(lacking[: order.limit], order, patient, journal, book, result, done))
        finally:
            book.save()
            result.requests = patient.requests
    return result


async def _render(
    puzzles: list[PackPuzzle],
    order: Order,
    patient: Patient,
    journal: Journal,
    book: _Book,
    result: Rendered,
    done: Callable[[], None],
) -> None:
    queue = list(reversed(puzzles))

    async def work() -> None:
        while queue and not result.fatal:
            puzzle = queue.pop()
            payload = read_payload(puzzle.payload, where=f"puzzle {puzzle.id!r}")
            try:
                ask = journal.asker(f"{order.params_sha}/{puzzle.id}", patient.ask)
                attempted = await order.tell(payload, ask)
            except OverdueError:
                result.left.append(puzzle.id)
            except (FatalError, GaveUpError) as error:
                result.fatal = result.fatal or str(error)
                result.left.append(puzzle.id)
            else:
                book.add(*rows_of(puzzle.id, payload, attempted, order))
                result.told += attempted.text is not None
                result.in_part += attempted.in_part
                result.blocks += attempted.told_by_model
                result.fell_back += attempted.text is None
                result.reasons.update(attempted.reasons)
                done()

    try:
        await asyncio.gather(*(work() for _ in range(order.limits.concurrency)))
    finally:
        result.left += [puzzle.id for puzzle in queue] if result.fatal else []
        await order.solver.close()


def rows_of(
    of_puzzle: str, payload: PublicPayload, attempted: Attempted, order: Order
) -> tuple[PackRendering, Mapping[str, str]]:
    """Return the rendering of a puzzle as a row, and what goes into the pack's meta with it."""
    if attempted.text is None or attempted.wording is None:
        told = template.render(payload)
        return _row(of_puzzle, told.renderer, told.domain, told.text, attempted.status, order), {}
    domain = attempted.wording.legend.domain
    row = _row(of_puzzle, order.renderer, domain, attempted.text, attempted.status, order)
    return row, {f"{META}{row.id}": wording_text(attempted.wording)}


def _row(of_puzzle: str, renderer: str, domain: str, body: str, status: str, order: Order) -> PackRendering:
    return PackRendering(
        id=rendering_id(of_puzzle, renderer, domain, order.params_sha),
        puzzle_id=of_puzzle,
        renderer=renderer,
        domain=domain,
        params_sha=order.params_sha,
        body=body,
        body_sha=text_digest(body),
        audit_status=status,
    )
