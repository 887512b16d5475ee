"""How the line mode tells rows, requirements and what an answer turned out to be: lines that can be read out.

Nothing is told here that the screens do not show under the same policy.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from engine.hidden_systems.behavior import EvidenceRow, evidence_rows
from engine.public import Evidenced, Reveal, Reviewed
from tui.attempt import Attempt
from tui.columns import range_text
from tui.errands import Told, ToldTask
from tui.shown import shown_cell
from tui.verdicts import STATE_WORDS, Requirement, all_met, met_words, with_verdicts
from tui.wording import Words, brier, brier_words, share_text

Cells = tuple[str, ...]


def row_table(attempt: Attempt, rows: Iterable[EvidenceRow]) -> Iterator[Cells]:
    """Yield a heading and the rows as cells: as many as the session's aid shows."""
    words, payload = attempt.words, attempt.presented.payload
    outcome = words.outcome("PRESENT")
    names = [words.attribute(attribute.name) for attribute in payload.attribute_vocabulary]
    more = attempt.session.aid not in ("A0", "A1")
    yield ("#", "steps in order", *names, outcome, *(("share", "range") if more else ()), *_tail(attempt, ("overlap",)))
    for row in rows:
        yield (
            f"{row.nth}{_mark(attempt, row)}",
            words.steps(row),
            *(words.value(setting) for setting in row.attributes),
            f"{row.present} of {row.trials}",
            *((share_text(row.present / row.trials if row.trials else 0.0), range_text(row)) if more else ()),
            *_tail(attempt, (str(row.overlap),)),
        )


def _tail(attempt: Attempt, cells: Cells) -> Cells:
    return cells if attempt.has_board else ()


def _mark(attempt: Attempt, row: EvidenceRow) -> str:
    board = attempt.board
    return "*" if row.case_id in board.pins else "x" if row.case_id in board.struck else ""


def question_lines(attempt: Attempt) -> Iterator[str]:
    """Yield the question."""
    words, query = attempt.words, attempt.presented.payload.query_case
    first, second = (words.outcome(label) for label in attempt.presented.labels)
    yield f"Never tried as a whole, with {words.settings(query)}:"
    yield words.steps(query)
    yield f"Which is likelier for {words.record}: {first} or {second}?"


# What an answer turned out to be


def verdict_lines(told: Told) -> Iterator[str]:
    """Yield the verdict on an answer, and one's own confidence against the exact share."""
    words = Words(told.presented.legend)
    if told.reveal is None:
        yield "Saved." if told.answer else "Skipped, and saved as skipped."
    else:
        yield from _revealed(told, told.reveal, words)
    if told.answered_here and told.course is not None:
        yield f"saved, {told.course.said()}" + (": all done" if told.course.done else "")


def _revealed(told: Told, reveal: Reveal, words: Words) -> Iterator[str]:
    right = "ok Right." if reveal.correct else "x Not this time."
    yield f"{right} Likelier is {words.outcome(reveal.label)}."
    chosen_present = reveal.correct == (reveal.label == "PRESENT")
    exact = reveal.present_probability if chosen_present else 1 - reveal.present_probability
    said = "" if told.confidence is None else f"you said {told.confidence} %, "
    yield f"How often it ends up {shown_cell(told.answer)}: {said}exactly {exact * 100:.1f} %."
    if told.confidence is not None:
        score = brier(reveal.correct, told.confidence)
        yield f"Brier score {score:.2f}: {brier_words(reveal.correct, told.confidence)}. 0 is best, 0.25 a coin flip."


def rule_lines(told: Told) -> Iterator[str]:
    """Yield what is behind an answer: the pair of rows that it turns on, the rules, and the rows that show them."""
    if told.reveal is None:
        return
    rows = {row.case_id: row for row in evidence_rows(told.presented.payload)}
    words = Words(told.presented.legend)
    if told.reveal.turning is not None:
        yield "One pair of rows carries it:" if told.reveal.correct else "One pair of rows that could change your mind:"
        yield from _evidenced("", told.reveal.turning, rows, words)
    yield "The rules behind it, and the rows that show them:"
    for nth, rule in enumerate(told.reveal.rules, start=1):
        yield from _evidenced(f"{nth}. ", rule, rows, words)


def _evidenced(before: str, rule: Evidenced, rows: dict[str, EvidenceRow], words: Words) -> Iterator[str]:
    yield f"{before}{rule.sentence}"
    for row in (rows[case_id] for case_id in rule.cases if case_id in rows):
        counts = f"{words.outcome('PRESENT')} {row.present} of {row.trials}"
        yield f"   row {row.nth}: {words.steps(row)}; with {words.settings(row)}: {counts}"


# Writing


def requirement_lines(requirements: Sequence[Requirement], ticks: Sequence[int], *, marked: bool) -> Iterator[str]:
    """Yield each requirement: mark where verdicts are known, label, how it stands, its words, what was found."""
    for one in requirements:
        mark = f"{one.mark} " if marked else ""
        tick = "[x] " if one.nth in ticks else ""
        yield f"{mark}{tick}{one.label}  {one.family}  {STATE_WORDS[one.state]}{one.text}"
        if one.judged is not None:
            yield f"   {one.judged.seen}" + (f"  ({one.place})" if one.place else "")


def told_task_lines(told: ToldTask, mode: str) -> Iterator[str]:
    """Yield what became of a writing task, turn by turn."""
    if not any(turn.judged for turn in told.turns):
        saved = "Skipped, and saved as skipped." if told.skipped else "Saved."
        yield saved if told.answered_here else "Sent. There are no verdicts to show for it."
    if told.answered_here:
        yield told.progress.said() if told.progress else "saved"
    for turn in told.turns if mode == "practice" else ():
        yield from _told_turn(turn, several=len(told.turns) > 1)


def _told_turn(turn: Reviewed, *, several: bool) -> Iterator[str]:
    asked = with_verdicts(turn.requirements, turn.judged, turn.written)
    if several:
        yield f"Turn {turn.turn}"
    if turn.judged:
        yield f"{'ok All met' if all_met(asked) else 'x'}: {met_words(asked)}."
    yield from requirement_lines(asked, (), marked=bool(turn.judged))
    if turn.written:
        yield "What you wrote:"
        yield turn.written
