"""The question, always in sight: what the new combination is, and between which outcomes to choose."""

from __future__ import annotations

from collections.abc import Collection

from rich.cells import cell_len
from textual.content import Content

from tui.attempt import Attempt
from tui.widgets.saying import Saying
from tui.wording import BETWEEN_EVENTS

NEVER = "  (never tried as a whole)"


class Question(Saying):
    """The query of the payload in the domain's words; events that a row shares with it can be made to stand out."""

    def __init__(self, attempt: Attempt, *, id: str) -> None:
        super().__init__(id=id)
        self._attempt = attempt
        self._shared: frozenset[str] = frozenset()
        self.border_title = "question"

    def on_resize(self) -> None:
        self._write()

    def highlight(self, events: Collection[str]) -> None:
        """Make these events stand out."""
        if frozenset(events) != self._shared:
            self._shared = frozenset(events)
            self._write(layout=False)

    def _write(self, *, layout: bool = True) -> None:
        words, query = self._attempt.words, self._attempt.presented.payload.query_case
        first, second = (words.outcome(label) for label in self._attempt.presented.labels)
        asks = f"Which is likelier for {words.record}: {first} or {second}?"
        # Said where it fits beside the question; the story says it in any case.
        never = NEVER if cell_len(asks + NEVER) <= self.size.width else ""
        arrow = Content.styled(BETWEEN_EVENTS, "$muted")
        steps = arrow.join([self._event(code) for code in query.events])
        self.update(
            Content.assemble(
                ("Question", "$muted"), "  ", (words.settings(query), "bold"), ("  ", "$muted"), steps, "\n",
                ("Which is likelier for ", "$muted"), words.record, (": ", "$muted"), (first, "bold"),
                (" or ", "$muted"), (second, "bold"), ("?", "$muted"), (never, "$muted"),
            ),
            layout=layout,
        )  # fmt: skip

    def _event(self, code: str) -> Content:
        return Content.styled(self._attempt.words.event(code), "bold reverse" if code in self._shared else "bold")
