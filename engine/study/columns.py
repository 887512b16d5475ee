"""The columns of every exported file, in order, each with its type, unit, allowed values and meaning.

This list is the codebook and the export at once: a column that is not described here cannot be written.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from engine.canonical import Json
from engine.study.statuses import STATUSES

ColumnType = Literal["text", "integer", "boolean"]
MISSING = "NA"
"""What stands in a CSV cell without a value; null in JSON."""
SCHEMA = "clew-study-data/1"


@dataclass(frozen=True, kw_only=True)
class Column:
    """One column of one file."""

    name: str
    type: ColumnType
    meaning: str
    unit: str = ""
    allowed: str = ""


def _text(name: str, meaning: str, allowed: str = "") -> Column:
    return Column(name=name, type="text", meaning=meaning, allowed=allowed)


def _number(name: str, meaning: str, unit: str = "", allowed: str = "") -> Column:
    return Column(name=name, type="integer", meaning=meaning, unit=unit, allowed=allowed)


def _flag(name: str, meaning: str) -> Column:
    return Column(name=name, type="boolean", meaning=meaning, allowed="true, false")


_WHO = _text("participant", "a person by place in the study, such as P01; a model by its name")
_SESSION = _text("session", "a sitting under one aid, numbered by person; practice has one of its own")
_ITEM = _text("item_uid", "public id of the study's item; of a repeated item, the one it repeats")

TRIALS: tuple[Column, ...] = (
    _text("manifest_sha", "digest of the frozen study"),
    _text("kind", "who answered", "human, model"),
    _WHO,
    _SESSION,
    _text("answer_id", "id of the answer; the key by which rows are joined"),
    _text(
        "role",
        "main items are analysed; the others are kept beside them",
        "main, attention, repeat, practice",
    ),
    _ITEM,
    _text("shown_uid", "id under which the item was shown"),
    _text("prompt_sha", "SHA-256 of the exact text shown; over the turns of a conversation, of their digests"),
    _flag("prompt_matches", "whether that is the text of the frozen study, byte for byte"),
    _text("family", "hidden-systems or instruction-adherence"),
    _text("stratum", "family, kind and size"),
    _number("complexity", "events of a hidden system, requirements of a writing task; 0 for other roles"),
    _text("domain", "the world in which it is told, or the kind of text asked for"),
    _text("aid", "what beside the text was in view", "A0, A1, A2, A3"),
    _number("position", "place in the person's list, from 0; -1 for practice and models"),
    _number("block", "block of the list, from 0; -1 outside"),
    _text("status", "what became of it", ", ".join(STATUSES)),
    _text("answer", "the outcome chosen, or SKIP", "PRESENT, ABSENT, SKIP"),
    _number("confidence", "as asked by the frozen study", "percent", "0..100"),
    _number("rt_ms_active", "time in view, without pauses, other windows and suspension", "ms"),
    _number(
        "rt_ms_wall",
        "answered_at less shown_at: the same with all of them and with the time between sittings, by the computer's"
        " clock, so that a clock which was set meanwhile shows here",
        "ms",
    ),
    _number("n_revisions", "answers that this one took the place of"),
    _number("exposure", "1 for the first time this solver met the item; only that is analysed"),
    _number("rollout", "of a model, the nth independent answer, from 0"),
    _flag("resumed", "whether the item was left and taken up again"),
    _text("reason", "why it was skipped", "tired, unclear, technical, empty"),
    _flag("late_lease", "whether it came after the item had been given back"),
    _flag("attention_passed", "whether an attention item that was met was passed; a text passes that does all it asks"),
    _text("excluded_by", "the rule that leaves its person out"),
    _text("shown_at", "when it was first on screen, over all its turns, revisions and sittings, UTC"),
    _text("answered_at", "when it was stored, UTC"),
    _text("app_version", "version of clew"),
    _number("columns", "width of the terminal", "characters"),
    _number("rows", "height of the terminal", "characters"),
    _number("characters", "length of what was written", "code points"),
)

PARTICIPANTS: tuple[Column, ...] = (
    _WHO,
    _text("aid", "the arm; where a study varies it within people, all in the order met, with blanks between"),
    _number("position", "place in the study, from 0"),
    _text("consent_version", "version of the consent text agreed to"),
    _text("consent_sha", "SHA-256 of that text"),
    _text("ended", "how it ended", "finished, stopped, failed-check, expired, refused"),
    _number("checks_tried", "tries of the comprehension check"),
    _flag("check_passed", "whether the last one was right"),
    _text("intake", "options chosen in the intake questions, from 0, as JSON by code"),
    _text("excluded_by", "the rule that leaves the person out"),
    _number("n_assigned", "main items on the list"),
    _number("n_answered", "of them answered"),
    _number("n_presented", "of them shown, answered or not"),
    _number("active_ms", "time in view of the main items", "ms"),
)

SESSIONS: tuple[Column, ...] = (
    _WHO,
    _SESSION,
    _text("mode", "what it collected", "practice, collect"),
    _text("aid", "what beside the text was in view", "A0, A1, A2, A3"),
    _text("started_at", "UTC"),
    _text("app_version", "version of clew"),
    _text("label_order", "order in which the outcomes were offered"),
    _text("resumed_from", "the sitting before, or the first row of the same sitting, which began at the same time"),
    _number("columns", "last width of the terminal", "characters"),
    _number("rows", "last height", "characters"),
    _number("n_events", "events stored"),
)

ITEMS: tuple[Column, ...] = (
    _ITEM,
    _text("family", "hidden-systems or instruction-adherence"),
    _text("kind", "what the pack calls it"),
    _number("complexity", "events or requirements"),
    _text("domain", "world or kind of text"),
    _text("prompt_shas", "SHA-256 of the exact texts, turn by turn, with blanks between"),
    _number("n_raters", "people who answered it"),
)

ATTEMPTS: tuple[Column, ...] = (
    _text("task", "public id of the item"),
    _WHO,
    _SESSION,
    _text("start", "UTC"),
    _number("duration_ms", "time in view", "ms"),
    _number("submissions", "answers given, revisions among them"),
    _flag("correct", "whether it was right; only in an export with gold"),
    _text(
        "verdicts",
        "of a writing task, requirement by requirement in the order of the brief, a blank between turns: 1 met, 0 not"
        " met; of an item shown twice both rows can be compared; only in an export with gold",
    ),
)

GOLD: tuple[Column, ...] = (
    _ITEM,
    _text("answer", "the likelier outcome; of a writing task, nothing", "PRESENT, ABSENT"),
    _text("present_probability", "exact probability of PRESENT as a fraction"),
)

EVENTS: tuple[Column, ...] = (
    _WHO,
    _SESSION,
    _number("n", "place in the sitting, from 0"),
    _number("t_ms", "monotonic, since the sitting began", "ms"),
    _text("kind", "what happened; unknown kinds are kept as they are"),
    _text("puzzle", "the id shown, if any"),
    _text("data", "more about it, by kind"),
)

TEXTS: tuple[Column, ...] = (
    _WHO,
    _SESSION,
    _text("shown_uid", "the writing task"),
    _number("turn", "from 1"),
    _text("role", "who said it", "user, assistant"),
    _text("text", "byte for byte"),
)

FILES: dict[str, tuple[Column, ...]] = {
    "trials": TRIALS, "participants": PARTICIPANTS, "sessions": SESSIONS, "items": ITEMS, "attempts": ATTEMPTS,
    "gold": GOLD, "events": EVENTS, "texts": TEXTS,
}  # fmt: skip
"""Columns by file, without the ending."""


def codebook(names: list[str]) -> list[dict[str, Json]]:
    """Return the codebook of some files as plain values."""
    return [
        {
            "file": name,
            "column": column.name,
            "type": column.type,
            "unit": column.unit or None,
            "allowed": column.allowed or None,
            "missing": MISSING,
            "meaning": column.meaning,
        }
        for name in names
        for column in FILES[name]
    ]
