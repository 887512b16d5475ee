"""How a study's items are put before a person: the text that a model gets, turn by turn, and never more.

Public halves only; nothing here can reach a sealed file.
"""

from __future__ import annotations

from engine.conversation import Conversation
from engine.hidden_systems.behavior import Label
from engine.hidden_systems.presenting import present_system
from engine.instruction_adherence.presenting import present_task
from engine.instruction_adherence.writing import FAMILY as WRITING
from engine.instruction_adherence.writing import read_writing
from engine.public import Presented, PresentedTask
from engine.store.answers import Answers
from engine.study.packset import PackSet
from engine.study.rehearsal import Rehearsal


class Shower:
    """Presents the items of open packs to one solver."""

    def __init__(self, packs: PackSet, labels: tuple[Label, Label], rehearsal: Rehearsal) -> None:
        self._packs = packs
        self._labels = labels
        self._rehearsal = rehearsal

    def is_writing(self, puzzle_id: str) -> bool:
        return self._packs.entry(puzzle_id).family == WRITING

    def shelf(self, puzzle_id: str) -> tuple[str, str, int]:
        """Return family, kind of writing task, and size."""
        entry = self._packs.entry(puzzle_id)
        return entry.family, entry.kind if entry.family == WRITING else "", entry.complexity

    def rendering_id(self, puzzle_id: str) -> str:
        """Return the id of the telling that is shown."""
        if not self.is_writing(puzzle_id):
            return self.system(puzzle_id).rendering_id
        return self._packs.home(puzzle_id).renderings(puzzle_id)[0].id

    def payload_sha(self, puzzle_id: str) -> str:
        return self._packs.entry(puzzle_id).payload_sha

    def system(self, puzzle_id: str) -> Presented:
        """Return a hidden system."""
        return present_system(self._packs.home(puzzle_id), puzzle_id, self._labels)

    def task(self, conversation: Conversation) -> PresentedTask:
        """Return a writing task at the turn after the finished ones, or at the last when all are finished.

        Requirements are listed in practice alone.
        """
        puzzle_id = conversation.puzzle_id
        pack, entry = self._packs.home(puzzle_id), self._packs.entry(puzzle_id)
        earlier = conversation.earlier[: entry.n_turns - 1]
        asked = self._rehearsal.asked(puzzle_id, len(earlier) + 1)
        return present_task(entry, pack.payload(puzzle_id), pack.renderings(puzzle_id), asked, earlier)

    def asked(self, puzzle_id: str) -> tuple[str, ...]:
        """Return what the user says in a writing task, turn by turn."""
        return read_writing(self._packs.home(puzzle_id).payload(puzzle_id), where=f"puzzle {puzzle_id!r}").turns

    def conversation(self, answers: Answers, solver: str, puzzle_id: str) -> Conversation:
        """Return a solver's unfinished conversation about a task."""
        return Conversation(
            puzzle_id=puzzle_id, asked=self.asked(puzzle_id), rows=answers.unfinished(solver, puzzle_id)
        )
