"""What a study lays down for the item at hand. Outside of a study the terms are those that stand here."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import msgspec

from engine.public import Aid, Session, Stage

CHOICES = 10
"""How sure one is of a text is chosen from so many equal steps between the least and the most."""


@dataclass(frozen=True, kw_only=True)
class Terms:
    """The part of a stage that the screens of an item obey."""

    nudge_min: int = 20
    """Visible minutes after which a reminder comes; 0: never."""
    paste: Literal["allowed", "logged", "refused"] = "logged"
    """Whether a text may be pasted, and whether the size of what was pasted is an event."""
    undo: bool = True
    """Whether a collection takes another answer until the next item is opened."""
    question: str = ""
    """Asks how sure one is; empty where a study asks nothing."""
    low: int = 50
    high: int = 100
    """Least and most that may be said to that, in percent."""
    aid: Aid | None = None
    """What is in view beside the text of this item; None where the session says it for all."""

    @classmethod
    def of(cls, stage: Stage) -> Terms:
        low, high = stage.confidence
        return cls(
            nudge_min=stage.nudge_min, paste=stage.paste, undo=stage.undo, question=stage.confidence_question,
            low=low, high=high, aid=stage.aid,
        )  # fmt: skip

    @property
    def pastes(self) -> bool:
        """Whether what is written may be pasted."""
        return self.paste != "refused"

    def applied(self, session: Session) -> Session:
        """Return the session as it is for the item at hand."""
        return session if self.aid is None else msgspec.structs.replace(session, aid=self.aid)

    def choices(self) -> tuple[int, ...]:
        """Return what may be said of how sure one is of a text, in percent, ascending."""
        return tuple(self.low + (self.high - self.low) * step // CHOICES for step in range(CHOICES + 1))

    def nudge(self) -> str:
        """Return what the reminder says before it says what may be done."""
        return f"{self.nudge_min} minute{'s' * (self.nudge_min != 1)} on this one"


NO_STUDY = Terms()
