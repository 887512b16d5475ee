"""One session in line mode, from the first line to the exit code: home, items, what became of them, and the end.

The same desk, policy, events and rows as in the app; nothing is loaded of the app itself.
"""

from __future__ import annotations

import dataclasses
import io
import sys
from contextlib import suppress
from functools import partial
from typing import BinaryIO, NoReturn, TextIO

from engine.errors import ClewError
from engine.public import Desk, Stage
from tui import crash, ends
from tui.attempt import Attempt, Opened
from tui.config import Config
from tui.courses import course_of
from tui.errands import Told, ToldTask, fetch_puzzle
from tui.moments import Moments
from tui.plain.counter import Counter
from tui.plain.ends import Ended, Signals
from tui.plain.feedback import FeedbackTalk, VerdictTalk
from tui.plain.home import Found, HomeTalk
from tui.plain.lines import Lines
from tui.plain.puzzle import PuzzleTalk
from tui.plain.study import ITEMS, StageTalk, stage_at_hand
from tui.plain.talk import Place
from tui.plain.voice import Voice
from tui.plain.writing import WritingTalk
from tui.terms import Terms
from tui.writing import Writing, writing_progress


def run(desk: Desk, *, resume: bool, config: Config | None = None, code: str = "") -> int:
    """Run the line mode on standard input and output and return the exit code."""
    if config is not None and config.theme:
        # Line mode has no colours; what the settings name wrongly is told all the same. Textual is loaded only then.
        from tui.themes import check_theme

        check_theme(config.theme, config.source("theme"))
    out = io.TextIOWrapper(sys.stdout.buffer, encoding="utf-8", errors="backslashreplace", write_through=True)
    try:
        return play(desk, source=sys.stdin.buffer, out=out, err=sys.stderr, resume=resume, config=config, code=code)
    finally:
        with suppress(OSError, ValueError):
            out.detach()


def play(
    desk: Desk,
    *,
    source: BinaryIO,
    out: TextIO,
    err: TextIO,
    resume: bool = False,
    config: Config | None = None,
    code: str = "",
    moments: Moments | None = None,
) -> int:
    """Run the line mode on given streams; what ends it from outside gives the exit codes of the app.

    Args:
        code: of the practice puzzle to begin with; empty for none.
    """
    signals = Signals()
    voice = Voice(out)
    moments = moments or Moments()
    counter = Counter(desk, voice, signals, moments)
    sitting = Sitting(counter, voice, Lines(source, voice, signals), moments, config or Config())
    words: list[str] = []
    with signals.listening():
        exit_code = _until_the_end(sitting, words, resume=resume, code=code)
    with ends.deaf():
        done = False
        with suppress(Ended):
            done = counter.finish(ends.SIGNAL_BOUND_S)
        if not done or counter.trouble:
            words.append(f"not saved: {counter.trouble}" if counter.trouble else counter.clerk.unfinished())
    for word in words[:3]:
        with suppress(OSError, ValueError):
            print(f"clew: {word}", file=err)
    return exit_code


def _until_the_end(sitting: Sitting, words: list[str], *, resume: bool, code: str) -> int:
    try:
        sitting.hold(resume=resume, code=code)
    except Ended as end:
        return end.code
    except ClewError as error:
        words.append(crash.message(error))
        return error.exit_code
    except Exception as error:
        words += [f"stopped: {crash.message(error)}", sitting.record(error), "go on with: clew resume"]
        return crash.exit_code(error)
    return 0


class Sitting:
    """Goes from home to items and back."""

    def __init__(self, counter: Counter, voice: Voice, lines: Lines, moments: Moments, config: Config) -> None:
        self._counter, self._voice, self._lines, self._moments = counter, voice, lines, moments
        self._config = config
        self._mode = "unknown"

    def record(self, error: BaseException) -> str:
        """Write a crash file; return where it is, or that it could not be written."""
        try:
            path = crash.write_crash(error, mode=self._mode, now=self._moments.now())
        except OSError:
            return "no crash file could be written"
        return f"where it happened, without any content: {path}"

    def hold(self, *, resume: bool, code: str) -> None:
        """Go on until the session ends.

        Raises:
            Ended: how the session ends, `quit` among it.
            ClewError: the pack cannot be opened, or the code names no puzzle.
        """
        session = self._counter.ask(lambda desk: desk.open())
        self._mode = session.mode
        place = Place(
            voice=self._voice, lines=self._lines, counter=self._counter, moments=self._moments, session=session
        )
        if session.study:
            _take_part(place)
        if code:
            # A code that names nothing ends the session before anything is told.
            self._counter.ask(lambda desk: desk.players().by_code(code))
        home = HomeTalk(place, self._config)
        first = partial(home.play_code, code) if code else partial(home.hear, "continue") if resume else None
        while True:
            home.hold(first)
            first = None
            while (opening := home.take()) is not None:
                if self._go_through(place, opening.found) == "next":
                    home.try_to(opening.again)

    def _go_through(self, place: Place, found: Found) -> str:
        """Go through one item and what became of it; return where to go on: `home` or `next`."""
        if isinstance(found, Told | ToldTask):
            return _hear(place, found, None)
        work: Attempt | Writing = (
            Attempt(found, place.session, self._moments)
            if isinstance(found, Opened)
            else Writing(found, place.session, self._moments)
        )
        while True:
            told = _worked_on(place, work)
            way = "home" if told is None else _hear(place, told, work)
            if way != "revise":
                return way
            work.revise()


def _take_part(place: Place) -> NoReturn:
    """Go through a study, stage by stage.

    Raises:
        Ended: the participant leaves, for now or at the end.
    """
    left = ""
    while True:
        stage = place.counter.ask(stage_at_hand)
        # An item is opened at once, unless it is the one that was just left.
        opens = stage.kind in ITEMS and not stage.text and stage.key != left
        if not opens:
            talk = StageTalk(place, stage)
            talk.hold()
            opens = talk.opens
        left = stage.key if opens and not _stage_item(place, stage) else ""


def _stage_item(place: Place, stage: Stage) -> bool:
    """Have the item of a stage worked on; return False when it was left without an answer."""
    found = place.counter.ask(partial(fetch_puzzle, complexity=None, puzzle_id=stage.puzzle_id))
    if found is None:
        return False
    opened = dataclasses.replace(found, terms=Terms.of(stage))
    work: Attempt | Writing = (
        Attempt(opened, place.session, place.moments)
        if isinstance(opened, Opened)
        else Writing(opened, place.session, place.moments)
    )
    told = _worked_on(place, work, stage.limit_s)
    while told is not None and _hear(place, told, work) == "revise":
        work.revise()
        told = _worked_on(place, work, stage.limit_s)
    return told is not None


def _worked_on(place: Place, work: Attempt | Writing, limit_s: int = 0) -> Told | ToldTask | None:
    """Have an item worked on; return what became of it, None when it was left."""
    return _puzzle(place, work, limit_s) if isinstance(work, Attempt) else _task(place, work, limit_s)


def _puzzle(place: Place, attempt: Attempt, limit_s: int = 0) -> Told | None:
    """Have a puzzle worked on; return what became of it, None when it was left."""
    talk = PuzzleTalk(place, attempt)
    talk.limit_s = limit_s
    talk.hold()
    if talk.sent is None:
        return None
    skipped = _skipped(attempt)
    label = None if skipped else attempt.answer
    complexity = attempt.presented.payload.complexity
    return Told(
        presented=attempt.presented,
        answer="" if label is None else attempt.words.outcome(label),
        confidence=None if skipped else attempt.confidence,
        reveal=talk.sent.receipt.reveal,
        answered_here=True,
        course=attempt.course and course_of(talk.sent.shelves, complexity, collects=place.session.mode == "collect"),
    )


def _task(place: Place, work: Writing, limit_s: int = 0) -> ToldTask | None:
    """Have a writing task worked on, turn by turn; return what became of it, None when it was left."""
    while True:
        talk = WritingTalk(place, work)
        talk.limit_s = limit_s
        talk.hold()
        if talk.sent is None:
            return None
        if talk.sent.following is None:
            return ToldTask(
                task=work.task,
                turns=talk.sent.review,
                answered_here=True,
                progress=writing_progress(talk.sent.shelves),
                skipped=_skipped(work),
            )
        place.voice.say(f"saved: turn {work.task.turn} of {work.task.turns}")
        work = work.following(talk.sent.following, place.moments)


def _hear(place: Place, told: Told | ToldTask, work: Attempt | Writing | None) -> str:
    """Tell what became of an item; return where to go on: `home`, `next` or `revise`."""
    talk: FeedbackTalk | VerdictTalk
    revises = work is not None and not _skipped(work) and work.may_revise
    if isinstance(told, ToldTask):
        talk = VerdictTalk(place, told, revises=revises and not any(turn.judged for turn in told.turns))
    else:
        talk = FeedbackTalk(place, told, revises=revises and told.reveal is None)
    talk.hold()
    return talk.onward


def _skipped(work: Attempt | Writing) -> bool:
    return work.sent is not None and work.sent.answer == "SKIP"
