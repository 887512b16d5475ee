"""The question, always in sight: what the new combination is, and between which outcomes to choose."""

from __future__ import annotations

from textual.content import Content
from textual.widgets import Static

from tui.attempt import Attempt
from tui.wording import BETWEEN_EVENTS


class Question(Static):
    """The query of the payload in the domain's words."""

    def __init__(self, attempt: Attempt, *, id: str) -> None:
        words, query = attempt.words, attempt.presented.payload.query_case
        first, second = (words.outcome(label) for label in attempt.presented.labels)
        arrow = Content.styled(BETWEEN_EVENTS, "$muted")
        steps = arrow.join([Content.styled(words.event(code), "bold") for code in query.events])
        content = Content.assemble(
            ("Never tried as a whole, with ", "$muted"),
            (words.settings(query), "bold"),
            (":", "$muted"),
            "\n",
            steps,
            "\n",
            ("Which is likelier for ", "$muted"),
            words.record,
            (": ", "$muted"),
            (first, "bold"),
            (" or ", "$muted"),
            (second, "bold"),
            ("?", "$muted"),
        )
        super().__init__(content, markup=False, id=id)
