"""A hand-made writing task of three turns, with the requirements of each and their checks."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from engine.public import Asked, Exchange, Judged, PresentedTask, State

TURNS = 3
KEYS = {"R1": "length", "R2": "lexical", "R3": "positional", "R4": "structure", "R5": "language", "R6": "positional"}
ASKED = {
    "R1": "Use 6 words or more.",
    "R2": "Do not use the letter z.",
    "R3": 'Begin with the word "Dear".',
    "R4": "End with a question mark.",
    "R5": "Write in capitals only.",
    "R6": 'Begin with the word "Hello".',
}
STANDING: tuple[tuple[tuple[str, int, State], ...], ...] = (
    (("R1", 1, "active"), ("R2", 1, "active"), ("R3", 1, "active")),
    (("R1", 1, "active"), ("R2", 1, "active"), ("R3", 1, "active"), ("R4", 2, "new"), ("R5", 2, "quoted")),
    (("R1", 1, "active"), ("R2", 1, "dropped"), ("R3", 1, "disputed"), ("R4", 2, "active"), ("R6", 3, "disputed")),
)
"""Label, the turn that set it, and its state, turn by turn."""
BRIEFS = (
    "Write a short note to the new people in the bakery.\n\nTake 6 words or more, leave out the letter z, and begin "
    "with Dear.",
    "Now a version for the window. End it with a question mark. (The printer was told: capitals only.)",
    "One for the suppliers. The letter z may come back, and does. Begin with Hello, as we said: with Dear.",
)


@dataclass(frozen=True, kw_only=True)
class Talk:
    """One task of three turns."""

    nth: int = 1
    words: Callable[[str], str] = str
    collects: bool = False

    @property
    def puzzle_id(self) -> str:
        return f"m5-{self.nth}"

    def brief(self, turn: int) -> str:
        return self.words(BRIEFS[turn - 1])

    def asked(self, turn: int) -> tuple[Asked, ...]:
        return tuple(
            Asked(
                nth=nth, label=label, family=KEYS[label], text=self.words(ASKED[label]), since_turn=since, state=state
            )
            for nth, (label, since, state) in enumerate(STANDING[turn - 1], start=1)
        )

    def presented(self, written: Sequence[str]) -> PresentedTask:
        """Return the task at the first turn without an answer, or at its last turn when it is done."""
        turn = min(len(written) + 1, TURNS)
        text = self.brief(turn)
        return PresentedTask(
            puzzle_id=self.puzzle_id,
            family="instruction-adherence",
            rendering_id=f"mr5-{self.nth}",
            title=self.words("note"),
            complexity=5,
            text=text,
            text_sha=hashlib.sha256(text.encode("utf-8", "replace")).hexdigest(),
            requirements=() if self.collects else self.asked(turn),
            turn=turn,
            turns=TURNS,
            earlier=tuple(
                Exchange(turn=nth, asked=self.brief(nth), written=one)
                for nth, one in enumerate(written[: turn - 1], start=1)
            ),
        )

    def check(self, turn: int, text: str) -> tuple[Judged, ...]:
        return tuple(self._judge(one, text) for one in self.asked(turn))

    def _judge(self, one: Asked, text: str) -> Judged:
        passed, seen, spans = _checks(one.label or "", text)
        if one.state in ("dropped", "quoted"):
            passed, seen, spans = not passed, f"not to hold; {seen}", ()
        return Judged(nth=one.nth, family=one.family, passed=passed, seen=self.words(seen), spans=spans)


def _checks(label: str, text: str) -> tuple[bool, str, tuple[tuple[int, int], ...]]:
    words = text.split()
    first = words[0] if words else ""
    zs = tuple((index, index + 1) for index, letter in enumerate(text) if letter in "zZ")
    found: dict[str, tuple[bool, str, tuple[tuple[int, int], ...]]] = {
        "R1": (len(words) >= 6, f"{len(words)} words; 6 or more asked", ()),
        "R2": (not zs, f"{len(zs)} uses; none asked", zs),
        "R3": (first == "Dear", f"{first!r} first; 'Dear' asked", ((0, len(first)),) if first else ()),
        "R4": (text.endswith("?"), f"{text[-1:]!r} last; '?' asked", ()),
        "R5": (text.isupper(), "small letters; capitals asked", ()),
        "R6": (first == "Hello", f"{first!r} first; 'Hello' asked", ()),
    }
    return found[label]
