"""How far a solver is with a writing task: the user's turns from the pack, and what was written to them so far.

A conversation belongs to the session in which it was begun, however often it is resumed: all its turns and, in the end,
its attempt lie in that session. A task of a single turn is a conversation of one.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from engine.errors import ConflictError, UsageError
from engine.public import Answer, Exchange
from engine.store.answer_rows import TurnRow

USER, WRITER = "user", "assistant"
"""Roles of the turns' texts."""


@dataclass(frozen=True, kw_only=True)
class Conversation:
    """One solver's unfinished conversation about one task."""

    puzzle_id: str
    asked: tuple[str, ...]
    """What the user says, turn by turn."""
    rows: tuple[TurnRow, ...] = ()
    """The texts that are on disk, by turn."""

    @cached_property
    def written(self) -> dict[int, TurnRow]:
        """The answers on disk by turn."""
        return {row.turn: row for row in self.rows if row.role == WRITER}

    @property
    def turn(self) -> int:
        """The first turn without an answer, from 1; one past the last when there is none."""
        return next(nth for nth in range(1, len(self.asked) + 2) if nth not in self.written)

    @property
    def earlier(self) -> tuple[Exchange, ...]:
        """The finished turns in order."""
        return tuple(
            Exchange(turn=nth, asked=self.asked[nth - 1], written=self.written[nth].text) for nth in range(1, self.turn)
        )

    @property
    def visible_ms(self) -> int:
        """Visible time of the finished turns."""
        return sum(row.response_ms or 0 for row in self.written.values())

    def session(self, now: str) -> str:
        """Return the session that the conversation belongs to: where it was begun, else the one that begins it now."""
        return self.rows[0].session if self.rows else now

    def closes(self, answer: Answer) -> bool:
        """Say whether the answer finishes the conversation: it skips it, or is the last turn."""
        return answer.answer == "SKIP" or answer.turn >= len(self.asked)

    def has(self, answer: Answer) -> bool:
        """Say whether this turn's answer is on disk already.

        Raises:
            UsageError: the turn is not the one at hand.
            ConflictError: another text was sent for the turn.
        """
        if answer.answer == "SKIP":
            return False
        stored, where = self.written.get(answer.turn), f"turn {answer.turn} of puzzle {self.puzzle_id!r}"
        if stored is not None and stored.text != answer.raw:
            raise ConflictError(f"{where} was sent already; the first text stays")
        if stored is None and answer.turn != self.turn:
            raise UsageError(f"{where} is not at hand; turn {self.turn} is next")
        return stored is not None

    def rows_for(self, answer: Answer, *, session: str, now: str, attempt_no: int = 1) -> tuple[TurnRow, ...]:
        """Return what is stored for one turn: over several turns, what the user said stands with it."""
        if answer.raw is None:
            return ()

        def row(role: str, text: str, response_ms: int | None) -> TurnRow:
            return TurnRow(
                session=self.session(session), puzzle_id=self.puzzle_id, turn=answer.turn, role=role, text=text, at=now,
                response_ms=response_ms, attempt_no=attempt_no,
            )  # fmt: skip

        written = row(WRITER, answer.raw, answer.response_ms)
        if len(self.asked) == 1:
            return (written,)
        return row(USER, self.asked[answer.turn - 1], None), written
