"""The introduction in the line mode: the toy in three steps, and in a collection the questions of the check."""

from __future__ import annotations

from engine.errors import UsageError, quoted
from tui.introduction import (
    ANSWERING,
    CHECK,
    CHECKING,
    COMPREHENSION,
    INTRODUCTION,
    PRESENT,
    STEPS,
    TRIALS,
    Question,
)
from tui.plain.talk import Place

SKIP = "skip"


def introduce(place: Place) -> None:
    """Go through all steps; `skip` leaves at any question. Answers of the check are stored, and not scored here.

    Raises:
        Ended: the session ends.
    """
    collects = place.session.mode == "collect"
    note = place.counter.keeper.note
    pages = [*(step.tries for step in STEPS), *(CHECK if collects else ())]
    place.voice.say(f"An introduction. Type the letter of an answer, or {SKIP} to leave it.")
    for nth, question in enumerate(pages, start=1):
        if nth <= len(STEPS):
            _tell_step(place, nth)
        elif nth == len(STEPS) + 1:
            place.voice.say(CHECKING)
        chosen = _ask(place, question)
        if chosen is None:
            note(INTRODUCTION, f"left on page {nth} of {len(pages) + 1}", puzzle_id="")
            return
        if question in CHECK:
            note(COMPREHENSION, f"{question.key} {chr(ord('a') + chosen)}", puzzle_id="")
            place.voice.say("Noted.")
        else:
            place.voice.say(f"{'ok Right' if chosen == question.right else 'x Rather not'}: {question.because}")
    place.voice.say(ANSWERING)
    note(INTRODUCTION, "finished", puzzle_id="")


def _tell_step(place: Place, nth: int) -> None:
    step = STEPS[nth - 1]
    place.voice.say(f"{nth}. {step.title}")
    place.voice.say(step.says)
    place.voice.table([(row.steps, f"{PRESENT} {row.present} of {TRIALS}") for row in step.rows])
    place.voice.say(step.shows)


def _ask(place: Place, question: Question) -> int | None:
    """Return the index of the chosen answer; None to leave."""
    place.voice.say(question.asks)
    letters = "abcdefghij"[: len(question.options)]
    for letter, option in zip(letters, question.options, strict=True):
        place.voice.say(f"{letter} {option}")
    while True:
        try:
            typed = place.lines.read("answer: ").strip().lower()
            if typed == SKIP:
                return None
            if len(typed) != 1 or typed not in letters:
                raise UsageError(f"{quoted(typed)}: one of {', '.join(letters)} or {SKIP} is right")
        except UsageError as error:
            place.voice.say(error.line())
        else:
            return letters.index(typed)
