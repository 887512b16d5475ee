"""The desk with a model at it: the one door, plus a place for the model's requests (`engine.models.seat.ModelSeat`).

A model plays in collection: the pack and the answers are opened, the sealed file never. What a model's solver is goes
into its name and, with the first answer, beside it into the file.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from pathlib import Path

from engine.calls import ModelCall
from engine.canonical import text_digest
from engine.desk import RealDesk
from engine.hidden_systems.behavior import Label
from engine.hidden_systems.presenting import FAMILY_NAME, present_system
from engine.instruction_adherence.writing import FAMILY as WRITING
from engine.public import Answer, Presented, Receipt
from engine.randomness import Stream
from engine.sitting import COLLECT
from engine.store.call_rows import ModelCallRow, ModelConfigRow, call_row
from engine.store.clock import Clock, random_id, utc_now

FAMILIES = (FAMILY_NAME, WRITING)


class ModelDesk(RealDesk):
    """A desk on a pack for one model in one setting."""

    def __init__(
        self,
        *,
        pack: str | None,
        alias: str,
        config: str,
        renderer: str = "",
        shown_as: str = "",
        answers: Path | None = None,
        clock: Clock = utc_now,
    ) -> None:
        """Prepare a desk.

        Args:
            alias: name and digest of the setting, so that different settings never share answers.
            config: the setting as canonical JSON.
            renderer: whose telling of hidden systems is presented, where there is one; empty for the template's.
            shown_as: the solver whose order of the two answers is taken over; empty for its own.
        """
        super().__init__(pack=pack, solver=alias, kind="model", answers=answers, policy=COLLECT, clock=clock)
        self._config = config
        self._renderer = renderer
        self._shown_as = shown_as
        self._counted: Counter[tuple[str, int]] | None = None
        """Requests so far by puzzle and turn, of all runs."""

    def _label_order(self, alias: str) -> tuple[Label, Label]:
        return super()._label_order(self._shown_as or alias)

    def _present_system(self, puzzle_id: str) -> Presented:
        told = (one for one in self._pack.renderings(puzzle_id) if one.renderer == self._renderer)
        return present_system(self._pack, puzzle_id, self.open().labels, next(told, None))

    def planned(self, families: Collection[str] = FAMILIES, limit: int | None = None) -> tuple[str, ...]:
        """Return the items of some families in the solver's own order, the first ones if limited."""
        self.open()
        return self._items.of(families)[:limit]

    def pending(self, planned: Collection[str]) -> tuple[str, ...]:
        """Return the planned items that have no answer, in an order of this session's own.

        Two runs side by side would otherwise ask the same item at the same time.
        """
        left = [puzzle for puzzle in planned if self._items.is_open(puzzle)]
        return tuple(Stream("models/queue", self.open().session_id).shuffled(left))

    def is_pending(self, puzzle_id: str) -> bool:
        return not self._answers.attempts_on(self._solver, puzzle_id)

    def submit_call(self, answer: Answer, call: ModelCall) -> Receipt:
        # Over several turns the attempt comes with the last one; the earlier requests name their turn.
        self._calls = (self._row_of(call, answer.answer_id if self._closes(answer) else ""),)
        try:
            receipt = self.submit(answer)
        finally:
            self._calls = ()
        self._tries[call.puzzle_id, call.turn] += 1
        return receipt

    def log_call(self, call: ModelCall) -> None:
        self._answers.append_call(self._row_of(call))
        self._tries[call.puzzle_id, call.turn] += 1

    def tries(self, puzzle_id: str, turn: int) -> int:
        return self._tries[puzzle_id, turn]

    def served_model(self) -> str | None:
        self.open()
        found = self._answers.config(self._solver)
        return found.served_model if found else None

    def keep_served_model(self, served_model: str) -> None:
        self._answers.keep_config(
            ModelConfigRow(
                solver=self._solver, config=self._config, config_sha=text_digest(self._config),
                served_model=served_model, at=self._clock(),
            )
        )  # fmt: skip

    def calls(self, planned: Collection[str]) -> tuple[ModelCallRow, ...]:
        """Return all requests for the planned items, of all runs."""
        wanted = frozenset(planned)
        return tuple(row for row in self._answers.calls(self._solver) if row.puzzle_id in wanted)

    def text_of(self, puzzle_id: str) -> str | None:
        """Return what the model answered to an item of one turn; None if it did not."""
        for attempt in self._answers.attempts_on(self._solver, puzzle_id):
            turns = self._answers.turns(attempt.session, puzzle_id, attempt.attempt_no)
            return next((turn.text for turn in turns if turn.role == "assistant"), None)
        return None

    def family(self, puzzle_id: str) -> str:
        """Return the family of an item."""
        return self._items.family(puzzle_id)

    @property
    def _tries(self) -> Counter[tuple[str, int]]:
        if self._counted is None:
            self._counted = Counter((row.puzzle_id, row.turn) for row in self._answers.calls(self._solver))
        return self._counted

    def _closes(self, answer: Answer) -> bool:
        return answer.turn >= self._pack.entry(answer.puzzle_id).n_turns

    def _row_of(self, call: ModelCall, attempt: str = "") -> ModelCallRow:
        return call_row(call, identity=random_id(), solver=self._solver, attempt=attempt)
