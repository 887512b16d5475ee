"""Home in the line mode: how far one is, what can be opened, the answers so far, and the players' part in practice."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from engine.errors import UsageError, counted, quoted
from engine.public import LENGTHS, Past
from tui.attempt import Opened
from tui.config import Config
from tui.curve import curve_lines, tally_lines
from tui.errands import Home, Told, ToldTask, fetch_done, fetch_home, fetch_puzzle, fetch_task, fetch_told
from tui.guiding import TIPS, fetch_guided
from tui.pastime import Find, daily_words, fetch_found, fetch_record, ladder_sentence, ladder_words, streak_words
from tui.plain.introduction import introduce
from tui.plain.talk import Command, Place, Talk, number
from tui.wording import clock_text, length_name
from tui.writing import OpenedTask

KINDS = {"single": "writing", "multi": "dialogue"}
LISTED = 50
"""Answers of the history that are listed at once."""
Found = Opened | OpenedTask | Told | ToldTask


@dataclass(frozen=True, kw_only=True)
class Opening:
    """Something that was asked for, and how the next one of its kind is found."""

    found: Found
    again: Callable[[], None]


class HomeTalk(Talk):
    """Finds what is to be opened; the session opens it."""

    PROMPT = "home> "

    def __init__(self, place: Place, config: Config) -> None:
        self.config = config
        self.home: Home | None = None
        self.opening: Opening | None = None
        self._history: Sequence[Past] = ()
        super().__init__(place)

    @property
    def _practises(self) -> bool:
        return self.place.session.mode == "practice"

    def commands(self) -> Sequence[Command]:
        return (
            Command(name="continue", tells="go on with the draft, or with what comes next", run=self._continue),
            *(self._of_practice() if self._practises else ()),
            *(self._of_players() if self._practises and self.config.players else ()),
            Command(name="history", usage="[N]", tells="list the answers so far, or open one", run=self._look_back),
            Command(name="introduction", tells="three steps with a toy, two minutes", run=self._introduce),
            Command(name="settings", tells="say where the settings are kept", run=self._settings),
        )

    def _of_practice(self) -> Sequence[Command]:
        lengths = "|".join(LENGTHS)
        return (
            Command(name="play", usage=f"[{lengths}|N]", tells="open a puzzle of a length", run=self._play),
            Command(name="write", usage="[single|multi]", tells="open a writing task of one or several turns",
                    run=self._write),
            Command(name="guided", usage="|".join(TIPS), tells="open the easiest one that is left", run=self._guided),
        )  # fmt: skip

    def _of_players(self) -> Sequence[Command]:
        return (
            Command(name="daily", tells="play the puzzle of the day", run=lambda rest: self._daily()),
            Command(name="ladder", tells="play the next puzzle of the ladder", run=lambda rest: self._ladder()),
            Command(name="code", usage="CODE", tells="play a puzzle that somebody shared", run=self.play_code),
            Command(
                name="share",
                usage="[N]",
                tells="say the code of the last answer's puzzle, or of answer N",
                run=self._share,
            ),
            Command(name="statistics", tells="hear how well you know what you know", run=self._statistics),
        )

    def greet(self) -> None:
        home = self.place.counter.ask(partial(fetch_home, players=self.config.players))
        self.home, self.opening, self.over = home, None, False
        session = home.session
        self.say(f"clew  {session.mode.upper()}  {session.pack_title}  {session.solver}")
        if not self._practises and session.first_time and not home.answers and not self._introduced:
            self._introduce("")
        self.place.voice.table(list(_shelf_rows(home)))
        if home.standing is not None:
            streak = self.config.streak
            self.place.voice.table(
                [("daily", daily_words(home.standing, streak=streak)), ("ladder", ladder_words(home.standing))]
            )
        if home.draft is not None:
            self.say(f"continue goes on with a draft, {clock_text(home.draft.visible_ms)} so far.")
        self.say("help lists what can be typed.")

    _introduced = False

    def take(self) -> Opening | None:
        """Return what was asked for, once."""
        opening, self.opening = self.opening, None
        return opening

    # Opening

    def _open(self, found: Found | None, of: str, again: Callable[[], None]) -> None:
        if found is None:
            of = of if self._practises else "item of this collection"
            self.say(f"all done: every {of} is answered")
            for course in self.place.counter.ask(fetch_done):
                self.say(f"{'ok ' if course.done else ''}{course.said()}")
            return
        self.opening, self.over = Opening(found=found, again=again), True

    def _continue(self, rest: str) -> None:
        home = self.home
        assert home is not None, "greeted before"
        if home.draft is not None:
            found = self.place.counter.ask(
                partial(fetch_puzzle, complexity=None, puzzle_id=home.draft.puzzle_id)
            )  # fmt: skip
            again = self._write_on if isinstance(found, OpenedTask) else self._play_on
            self._open(found, "item", again)
        elif self._practises and home.writing is not None and (home.last is not None and not home.last.answer):
            self._write("")
        else:
            self._play_on()

    def _play_on(self) -> None:
        """Go on with the last length, else with the easiest; in a collection with whatever comes next."""
        home = self.place.counter.ask(partial(fetch_home, players=False))
        left = sorted(shelf.complexity for shelf in home.systems if shelf.answered < shelf.puzzles)
        last = home.last.complexity if home.last is not None and home.last.answer else None
        wanted = None if not self._practises else last if last in left else next(iter(left), None)
        if wanted is None and not left and home.writing is not None and not home.writing.done:
            self._write("")
        else:
            self._play_length(wanted)

    def _play(self, rest: str) -> None:
        if not rest:
            self._play_on()
            return
        known = next((size for name, size in LENGTHS.items() if name == rest), None)
        self._play_length(known or number(rest, 1, 99, "length"))

    def _play_length(self, complexity: int | None) -> None:
        found = self.place.counter.ask(partial(fetch_puzzle, complexity=complexity, puzzle_id=None))
        of = "puzzle of this pack" if complexity is None else f"puzzle of {length_name(complexity)}"
        self._open(found, of, partial(self._play_length, complexity))

    def _write(self, rest: str) -> None:
        if rest and rest not in KINDS:
            raise UsageError(f"write {quoted(rest)}: one of {', '.join(KINDS)} is right")
        found = self.place.counter.ask(partial(fetch_task, kind=rest or None))
        self._open(found, "writing task of this pack", partial(self._write, rest))

    def _write_on(self) -> None:
        self._write("")

    def _guided(self, rest: str) -> None:
        family = rest or next(iter(TIPS))
        if family not in TIPS:
            raise UsageError(f"guided {quoted(rest)}: one of {', '.join(TIPS)} is right")
        found = self.place.counter.ask(partial(fetch_guided, family=family))
        self._open(found, f"{family} of this pack", self._play_on)

    def _daily(self) -> None:
        self._find("puzzle of today", lambda players: players.daily(), self._daily)

    def _ladder(self) -> None:
        self._find("puzzle of the ladder", lambda players: players.ladder(), self._ladder)

    def play_code(self, code: str) -> None:
        """Open the puzzle of a code."""
        self._find("puzzle of this code", lambda players: players.by_code(code), self._play_on)

    def _find(self, of: str, find: Find, again: Callable[[], None]) -> None:
        self._open(self.place.counter.ask(partial(fetch_found, find=find)), of, again)

    # Looking back

    def _look_back(self, rest: str) -> None:
        self._history = self.place.counter.ask(lambda desk: desk.history())
        if rest:
            past = self._history[number(rest, 1, len(self._history), "answer") - 1]
            told = self.place.counter.ask(partial(fetch_told, past=past))
            self._open(told, "", self._play_on)
            return
        self.place.voice.table([_past_cells(nth, past) for nth, past in enumerate(self._history[:LISTED], start=1)])
        count = len(self._history)
        more = f"{count - LISTED} older ones; history {LISTED + 1} opens one"
        self.say(more if count > LISTED else counted(count, "answer"))

    def _share(self, rest: str) -> None:
        history = self.place.counter.ask(lambda desk: desk.history())
        if not history:
            self.say("no answers yet, so there is nothing to share")
            return
        past = history[number(rest or "1", 1, len(history), "answer") - 1]
        code = self.place.counter.ask(lambda desk: desk.players().code(past.puzzle_id))
        self.say(code or "that one has no code: it is of a pack of your own")

    def _statistics(self, rest: str) -> None:
        record = self.place.counter.ask(fetch_record)
        if record.told.whole.answers:
            self.say("How sure you were, and how often you were right")
            for line in curve_lines(record.told.curve):
                self.say(line.plain)
        for line in tally_lines(record.told):
            self.say(line.plain)
        self.say(f"ladder  {ladder_sentence(record.standing)}")
        if self.config.streak:
            self.say(f"streak  {streak_words(record.standing)}")

    def _introduce(self, rest: str) -> None:
        self._introduced = True
        introduce(self.place)

    def _settings(self, rest: str) -> None:
        self.say(f"settings are read from {self.config.file or 'no file'}; clew paths lists all places")


def _shelf_rows(home: Home) -> list[tuple[str, str, str]]:
    if home.session.mode == "collect":
        done, items = sum(one.answered for one in home.shelves), sum(one.puzzles for one in home.shelves)
        return [("so far", "", f"{done} of {items} answered")]
    rows = []
    for shelf in home.shelves:
        name = KINDS.get(shelf.kind) or length_name(shelf.complexity)
        size = f"{shelf.complexity} requirements" if shelf.kind else f"{shelf.complexity} events"
        rows.append((name, size, f"{shelf.answered} of {shelf.puzzles} answered"))
    return rows


def _past_cells(nth: int, past: Past) -> tuple[str, ...]:
    result = {True: "ok", False: "x", None: "-"}[past.correct]
    sure = "-" if past.confidence is None else f"{past.confidence} %"
    size = length_name(past.complexity) if past.answer else f"{past.complexity} asked"
    return str(nth), past.answered_at[:16].replace("T", " "), size, past.title, past.answer or "text", sure, result
