"""What a model is asked for a hidden system: the problem text as people read it, and how to state the answer.

The user message is the presented text, byte for byte. The system message says what the app's screen says to a person:
which two answers there are, and how to give one; specification, "Exact gold computation versus sampled evidence": the
more likely outcome, never a number. Everything here comes from `Presented` alone.
"""

from __future__ import annotations

from engine.canonical import canonical_text
from engine.models.parsing import Labels
from engine.models.solver import Message, OutputMode, Question
from engine.public import Legend, Presented

PROMPT_VERSION = "more-likely/1"

_RULES = (
    "You are given a story that reports counts of repeated experiments, and a question about a combination that was not"
    " tried. Decide which of the two outcomes is more likely. The two possible answers are {first} and {second}."
)
_TEXT = (
    " You may reason first. End with one line that holds the answer and nothing else, in this form:\nANSWER: {first}"
    "\nor\nANSWER: {second}"
)
_SCHEMA = ' Reply with a JSON object {{"answer": ...}} whose value is one of the two answers.'
_GRAMMAR = " Reply with one of the two answers and nothing else."
_HOW: dict[OutputMode, str] = {"text": _TEXT, "schema": _SCHEMA, "grammar": _GRAMMAR}


def labels_of(legend: Legend) -> Labels:
    """Return the two answers in the words of a rendering."""
    present, absent = legend.outcomes
    return Labels(present=present.name, absent=absent.name)


def question(shown: Presented, mode: OutputMode = "text") -> Question:
    """Return what a model is asked, with the two answers in the session's order."""
    names = {item.code: item.name for item in shown.legend.outcomes}
    first, second = (names[label] for label in shown.labels)
    rules = (_RULES + _HOW[mode]).format(first=first, second=second)
    return Question(
        messages=(Message(role="system", text=rules), Message(role="user", text=shown.text)),
        mode=mode,
        labels=(first, second),
        schema=_constraint(mode, first, second),
    )


def _constraint(mode: OutputMode, first: str, second: str) -> str:
    """Return the JSON schema or the grammar that allows the two answers alone."""
    match mode:
        case "text":
            return ""
        case "grammar":
            return f"root ::= {canonical_text(first)} | {canonical_text(second)}"
        case "schema":
            return canonical_text(
                {
                    "type": "object",
                    "properties": {"answer": {"type": "string", "enum": [first, second]}},
                    "required": ["answer"],
                    "additionalProperties": False,
                }
            )
