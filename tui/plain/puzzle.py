"""A puzzle in the line mode: story, rows, board and answer, under the same policy as on the screen."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TypeVar

from msgspec.structs import replace

from engine.errors import UsageError, quoted
from engine.hidden_systems.behavior import EvidenceRow, Label
from tui.attempt import SURENESS, Attempt
from tui.board import MARK_WORDS, Board, EventMark
from tui.columns import SORT_WORDS, Sort, ordered, sorts_at
from tui.comparing import axis, comparison
from tui.errands import fetch_hint
from tui.filtering import NO_FILTER, Filter, Flaw, read_filter, vocabulary
from tui.finding import next_place
from tui.marking import underlined
from tui.plain.item import ItemTalk
from tui.plain.talk import Command, Place, number
from tui.plain.telling import question_lines, row_table
from tui.wording import length_name

SORT_NAMES: dict[str, Sort] = {"number": "", "share": "share", "length": "length", "overlap": "overlap"}
NOTHING = "-"
"""Typed instead of a filter or notes, it clears them."""
AXIS = 21
UNKNOWN = "unknown"
"""Typed for how sure one is: as good as a coin flip."""
Key = TypeVar("Key", bound=str)


class PuzzleTalk(ItemTalk):
    """Does to the attempt what the puzzle screen does, and notes it in the same words."""

    PROMPT = "puzzle> "

    def __init__(self, place: Place, attempt: Attempt) -> None:
        self.attempt = attempt
        self._wanted, self._found = "", -1
        """What was looked for last in the story, and where it was found."""
        self._vocabulary = vocabulary(attempt.presented.legend, attempt.presented.payload)
        super().__init__(place, attempt)

    def commands(self) -> Sequence[Command]:
        attempt = self.attempt
        table, board, practice = attempt.has_table, attempt.has_board, attempt.practises
        return (
            Command(name="story", tells="read the exact text that a model gets", run=self._story),
            Command(
                name="find",
                usage="[WORDS]",
                run=self._find,
                tells="read where the story says so; find alone goes on to the next place",
            ),
            Command(name="question", tells="read the question again", run=lambda rest: self._question()),
            *(self._of_table() if table else ()),
            *(self._of_board() if board else ()),
            Command(
                name="note", usage="[TEXT]", tells="add a line of notes, or read them; note - clears", run=self._note
            ),
            *(() if table else (self._underline(),)),
            *((Command(name="hint", tells="hear where to look next", run=self._hint),) if practice else ()),
            Command(name="answer", usage="LABEL 80", tells="answer, 50 to 100 % sure, and send it", run=self._answer),
            *self.in_common(),
        )

    def _of_table(self) -> Sequence[Command]:
        names = [name for name, sort in SORT_NAMES.items() if sort in sorts_at(self.attempt.session.aid)]
        return (
            Command(
                name="rows", usage="[FILTER]", run=self._rows,
                tells="list the rows, from now on only some: rows seal !vent load<=3 n>=2; rows - lists all",
            ),
            Command(name="sort", usage="|".join(names), tells="put the rows in another order", run=self._sort),
        )  # fmt: skip

    def _of_board(self) -> Sequence[Command]:
        marks = " ".join(f"{mark} {word}" for mark, word in MARK_WORDS.items())
        return (
            Command(name="pin", usage="ROW", tells="pin a row, or take the pin away; three at most", run=self._pin),
            Command(name="compare", tells="put the pinned rows side by side", run=self._compare),
            Command(name="strike", usage="ROW", tells="strike a row out, or take that back", run=self._strike),
            Command(name="mark", usage="[STEP MARK]", tells=f"mark a step, or list the marks: {marks}", run=self._mark),
        )

    def _underline(self) -> Command:
        return Command(name="underline", usage="WORDS", tells="underline words of the story", run=self._do_underline)

    def greet(self) -> None:
        self.begin()
        attempt = self.attempt
        where = f"{attempt.session.mode.upper()} {attempt.session.aid}"
        course = f"  {attempt.course.place}" if attempt.course else ""
        length = length_name(attempt.presented.payload.complexity)
        self.say(f"{where}{course}  {length}  {attempt.words.title}  {self.time()}")
        if not attempt.has_table:
            self.say(attempt.presented.text)
        self._question()
        self.say(f"{len(attempt.rows)} rows of evidence. help lists what can be typed.")

    # Reading

    def _story(self, rest: str) -> None:
        self.say(self.attempt.presented.text)
        self.note("view", "story")

    def _find(self, rest: str) -> None:
        self._wanted, since = rest or self._wanted, 0 if rest else self._found + 1
        if not self._wanted:
            raise UsageError("find what? find WORDS reads the first place of these words in the story")
        text = self.attempt.presented.text
        place = next_place(text, self._wanted, since)
        if place is None:
            raise UsageError(f"find {quoted(self._wanted)}: the story does not say so")
        self._found = place.start
        begin, end = text.rfind("\n", 0, place.start) + 1, text.find("\n", place.end)
        self.say(f"{place.nth} of {place.of}: {text[begin : end if end >= 0 else len(text)]}")

    def _question(self) -> None:
        for line in question_lines(self.attempt):
            self.say(line)

    def _filter(self) -> Filter:
        found = read_filter(self.attempt.filter, self._vocabulary)
        return found if isinstance(found, Filter) else NO_FILTER

    def _rows(self, rest: str) -> None:
        if rest:
            text = "" if rest == NOTHING else rest
            found = read_filter(text, self._vocabulary)
            if isinstance(found, Flaw):
                raise UsageError(f"the filter, at character {found.position + 1}: {found.reason}; the old one stays")
            self.attempt.filter = text
            self.note("filter", text)
            self.changed()
        chosen = self._filter()
        rows = [row for row in ordered(self.attempt.rows, self.attempt.sort) if chosen.keeps(row)]
        self.place.voice.table(list(row_table(self.attempt, rows)))
        all_rows = len(self.attempt.rows)
        kept = f"{len(rows)} rows" if len(rows) == all_rows else f"{len(rows)} of {all_rows} rows"
        self.say(f"{kept}; filter: {chosen.text or 'none'}; sort: {SORT_WORDS[self.attempt.sort]}")

    def _sort(self, rest: str) -> None:
        offered = sorts_at(self.attempt.session.aid)
        names = [name for name, sort in SORT_NAMES.items() if sort in offered]
        if rest not in names:
            raise UsageError(f"sort {quoted(rest)}: one of {', '.join(names)} is right")
        self.attempt.sort = SORT_NAMES[rest]
        self.note("sort", self.attempt.sort)
        self.changed()
        self.say(f"sorted by {SORT_WORDS[self.attempt.sort]}")

    # The board

    def _put(self, board: Board, kind: str, data: str) -> None:
        if self.attempt.steps.put(board):
            self.note(kind, data)
            self.changed()

    def step(self, *, back: bool) -> None:
        steps = self.attempt.steps
        if not (steps.undo() if back else steps.redo()):
            raise UsageError(f"nothing to {'undo' if back else 'redo'}")
        self.attempt.notes = steps.value.notes
        self.note("undo" if back else "redo")
        self.changed()
        self.say("taken back" if back else "made again")

    def _row(self, rest: str) -> EvidenceRow:
        return self.attempt.rows[number(rest, 1, len(self.attempt.rows), "row") - 1]

    def _pin(self, rest: str) -> None:
        row, before = self._row(rest), self.attempt.pinned()
        self._put(self.attempt.board.with_pin(row.case_id), "pin", row.case_id)
        self.say(f"pinned: {', '.join(str(one.nth) for one in self.attempt.pinned()) or 'none'}")
        if said := self.attempt.made_room(before):
            self.say(said)

    def _strike(self, rest: str) -> None:
        row = self._row(rest)
        self._put(self.attempt.board.with_strike(row.case_id), "strike", row.case_id)
        self.say(f"row {row.nth} {'struck out' if row.case_id in self.attempt.board.struck else 'back'}")

    def _compare(self, rest: str) -> None:
        pinned, words = self.attempt.pinned(), self.attempt.words
        if not pinned:
            raise UsageError("no row is pinned; pin 14 pins row 14")
        self.place.voice.table(
            [(str(row.nth), words.steps(row), words.settings(row), axis(row, AXIS)) for row in pinned]
        )
        for sentence in comparison(pinned, words):
            self.say(sentence)
        self.note("compare", "shown")

    def _mark(self, rest: str) -> None:
        attempt, events = self.attempt, self.attempt.presented.payload.query_case.events
        if not rest:
            for nth, event in enumerate(events, start=1):
                mark = attempt.board.mark(event)
                self.say(f"{nth} {attempt.words.event(event)} {mark} {MARK_WORDS[mark]}")
            return
        name, _, wanted = rest.rpartition(" ")
        marks: list[EventMark] = [mark for mark, word in MARK_WORDS.items() if wanted in (mark, word)]
        if not marks:
            raise UsageError(f"mark {quoted(wanted)}: one of {' '.join(MARK_WORDS)} is right, as in mark 2 +")
        (mark,) = marks
        event = self._event(name.strip(), events)
        others = {code: kept for code, kept in attempt.board.events.items() if code != event}
        board = replace(attempt.board, events=others if mark == "." else {**others, event: mark})
        self._put(board, "mark", f"{event} {mark}")
        self.say(f"{attempt.words.event(event)}: {mark} {MARK_WORDS[mark]}")

    def _event(self, name: str, events: Sequence[str]) -> str:
        """Return the step of the question that a number or the beginning of a name stands for."""
        if name.isdecimal():
            return events[number(name, 1, len(events), "step") - 1]
        names = {event: self.attempt.words.event(event) for event in events}
        return _one_of(name, names, "step")

    def _note(self, rest: str) -> None:
        attempt = self.attempt
        if rest:
            before = f"{attempt.notes}\n" if attempt.notes else ""
            attempt.notes = "" if rest == NOTHING else before + rest
            self._put(replace(attempt.board, notes=attempt.notes), "note", str(len(attempt.notes)))
        self.say(attempt.notes or "no notes")

    def _do_underline(self, rest: str) -> None:
        attempt = self.attempt
        at = attempt.presented.text.find(rest) if rest else -1
        if at < 0:
            raise UsageError(f"underline {quoted(rest)}: words as they stand in the story are right")
        marks = underlined(attempt.board.underlines, (at, at + len(rest)))
        self._put(replace(attempt.board, underlines=marks), "underline", "")
        self.say("underlined: " + "; ".join(attempt.presented.text[mark.start : mark.end] for mark in marks))

    def _hint(self, rest: str) -> None:
        attempt = self.attempt
        nth = attempt.view.hints + 1
        hint = self.place.counter.ask(partial(fetch_hint, puzzle_id=attempt.puzzle_id, nth=nth))
        if hint is None:
            raise UsageError("there are no more hints for this puzzle")
        attempt.view = replace(attempt.view, hints=nth)
        self.note("hint", f"{nth} {' '.join(hint.cases)}".strip())
        self.changed()
        rows = [str(row.nth) for row in attempt.rows if row.case_id in hint.cases]
        self.say(f"hint: {hint.sentence}" + (f" (rows {', '.join(rows)})" if rows else ""))

    # Answering

    def _answer(self, rest: str) -> None:
        attempt = self.attempt
        name, _, sure = rest.rpartition(" ")
        if sure not in (UNKNOWN, *map(str, SURENESS)):
            name, sure = ("", rest) if sure.isdecimal() else (rest, "")
        names: dict[Label, str] = {label: attempt.words.outcome(label) for label in attempt.presented.labels}
        if not sure or not name:
            right = f"answer {next(iter(names.values()))} 80"
            raise UsageError(f"{right}: an outcome, and how sure: 50 to 100 in steps of 5, or {UNKNOWN}")
        attempt.answer = _one_of(name.strip(), names, "outcome")
        attempt.confidence = 50 if sure == UNKNOWN else int(sure)
        if sure == UNKNOWN:
            self.note("dont_know")
        self.changed()
        self.send(attempt.seal())


def _one_of(name: str, names: dict[Key, str], what: str) -> Key:
    """Return the key whose name is `name`, or alone begins with it.

    Raises:
        UsageError: no name does, or more than one.
    """
    folded = {key: text.casefold() for key, text in names.items()}
    wanted = name.casefold()
    found = [key for key, text in folded.items() if text == wanted] or [
        key for key, text in folded.items() if wanted and text.startswith(wanted)
    ]
    if len(found) != 1:
        raise UsageError(f"{what} {quoted(name)}: one of {', '.join(names.values())} is right")
    return found[0]
