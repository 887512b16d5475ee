"""A writing task in the line mode: the brief, the turns, the text, the requirements, the conflict box, line by line.

What is kept, sent and noted is what the writing screen keeps, sends and notes; in a collection nothing is computed.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence

from engine.errors import UsageError, quoted
from engine.public import Judged
from tui.conflict import NOTE_LIMIT, WHICH_LIMIT, Conflict
from tui.marking import Mark, marks_told, ticked, underlined, without
from tui.pasting import invisible_count
from tui.plain.editing import Editing
from tui.plain.item import ItemTalk
from tui.plain.talk import Command, Place, number
from tui.plain.telling import requirement_lines
from tui.steps import Steps
from tui.verdicts import met_words, standing_words, with_verdicts
from tui.wording import counted
from tui.writing import Own, Writing


class WritingTalk(ItemTalk):
    """Does to the work what the writing screen does, and notes it in the same words."""

    PROMPT = "writing> "

    def __init__(self, place: Place, attempt: Writing) -> None:
        self.attempt = attempt
        self._steps: Steps[tuple[str, Own]] = Steps((attempt.text, attempt.own.value))
        """Text, and marks and ticks of one's own: undo goes back over all of them."""
        attempt.read = lambda: self._steps.value[0]
        self._reported = ""
        super().__init__(place, attempt)
        self._editing = Editing(place.voice, place.lines, monotonic=place.moments.monotonic)

    def commands(self) -> Sequence[Command]:
        attempt = self.attempt
        checks = "list the requirements" + (" with their verdicts" if attempt.checks else "")
        return (
            Command(name="story", tells="read the brief: the exact text that a model gets", run=self._story),
            Command(name="turns", usage="[N]", tells="list the turns so far, or read one", run=self._turns),
            Command(name="edit", usage="[+|N|N-M]", tells="write: all, more at the end, or some lines", run=self._edit),
            Command(name="text", tells="read your text, its lines numbered", run=self._read),
            *((Command(name="list", tells=checks, run=self._list),) if attempt.lists else ()),
            Command(name="mark", usage="[WORDS]", tells="underline words of the brief, or list marks", run=self._mark),
            Command(name="tick", usage="N", tells=f"tick mark N{', or R3 of the list' if attempt.lists else ''}",
                    run=self._tick),
            Command(name="erase", usage="N", tells="take mark N away", run=self._erase),
            Command(name="conflict", usage="FIRST SECOND [NOTE]", run=self._conflict,
                    tells="say that two requirements contradict each other; conflict - takes it back"),
            self._sending(),
            *self.in_common(),
        )  # fmt: skip

    def _sending(self) -> Command:
        if not self.attempt.asks_sureness:
            return Command(name="send", tells="send the text", run=lambda rest: self._send())
        low, *_, high = self.attempt.terms.choices()
        return Command(
            name="send", usage="SURE", tells=f"send the text, and say how sure you are: {low} to {high}",
            run=self._send_sure,
        )  # fmt: skip

    def begin(self) -> None:
        task = self.attempt.task
        self.keeper.begin(task.puzzle_id, self.attempt.draft)
        if task.turns > 1:
            self.note("turn", f"{task.turn} of {task.turns}")
        super().begin()

    def greet(self) -> None:
        self.begin()
        attempt, task, progress = self.attempt, self.attempt.task, self.attempt.progress
        where = f"{attempt.session.mode.upper()} {attempt.aid}  writing"
        if progress is not None:
            where += f" {min(progress.answered + 1, progress.tasks)}/{progress.tasks}"
        turn = f"  turn {task.turn} of {task.turns}" if task.turns > 1 else ""
        self.say(f"{where}{turn}  {task.title}  {self.time()}")
        self.say(task.text)
        self.say(f"{self._status()} edit writes, send sends, help lists what can be typed.")
        if attempt.asks_sureness:
            self.say(f"{attempt.terms.question} Say it with what is sent, as in send {attempt.terms.high}.")
        if not attempt.terms.pastes:
            self.say("Pasting is off in this study: type your text, line by line.")

    def _status(self) -> str:
        """Return what is counted of the text: only what nobody can see where the session counts nothing."""
        attempt, text = self.attempt, self.attempt.text
        parts = []
        if unseen := invisible_count(text):
            parts.append(counted(unseen, "invisible character"))
        if attempt.counts:
            lines = text.count("\n") + 1 if text else 0
            parts += [counted(len(text.split()), "word"), counted(lines, "line")]
        return f"{', '.join(parts)}." if parts else ""

    # Reading

    def _story(self, rest: str) -> None:
        self.say(self.attempt.task.text)
        self.note("view", "brief")

    def _turns(self, rest: str) -> None:
        task = self.attempt.task
        if rest:
            self._turn(number(rest, 1, task.turn, "turn"))
            return
        for past in task.earlier:
            words = f", {counted(len(past.written.split()), 'word')}" if self.attempt.counts else ""
            self.say(f"{past.turn} sent{words}: {' '.join(past.asked.split())[:200]}")
        self.say(f"{task.turn} at hand, of {task.turns}: {' '.join(task.text.split())[:200]}")

    def _turn(self, nth: int) -> None:
        task = self.attempt.task
        if nth < task.turn:
            self.say(task.earlier[nth - 1].asked)
            self.say("----- what you wrote -----")
            self.say(task.earlier[nth - 1].written)
        else:
            self.say(task.text)
        self.note("view", f"turn {nth}")

    def _read(self, rest: str) -> None:
        for nth, line in enumerate(self.attempt.text.split("\n"), start=1):
            self.say(f"{nth:>3} {line}")
        if status := self._status():
            self.say(status)

    def _list(self, rest: str) -> None:
        attempt, text = self.attempt, self.attempt.text
        judged: tuple[Judged, ...] = ()
        if attempt.checks:
            judged = self.place.counter.ask(lambda desk: desk.judge(attempt.puzzle_id, text))
        asked = with_verdicts(attempt.task.requirements, judged, text)
        if attempt.checks:
            self.say(f"{standing_words(asked)}; {met_words(asked)}")
        for line in requirement_lines(asked, attempt.own.value.ticks, marked=attempt.checks):
            self.say(line)

    # Writing

    def _edit(self, rest: str) -> None:
        before = self.attempt.text
        self._editing.edit(before, rest, self._put_text, by_lines=not self.attempt.terms.pastes)
        if self.attempt.text != before and (status := self._status()):
            self.say(status)

    def _put_text(self, text: str) -> None:
        if self._steps.put((text, self.attempt.own.value)):
            self.changed()
            self.keeper.flush()

    def _put_own(self, kind: str, data: str = "") -> None:
        """Take the marks and ticks as they now are for a step that can be taken back."""
        self._steps.put((self.attempt.text, self.attempt.own.value))
        self.note(kind, data)
        self.changed()

    def step(self, *, back: bool) -> None:
        steps, own = self._steps, self.attempt.own
        if not (steps.undo() if back else steps.redo()):
            raise UsageError(f"nothing to {'undo' if back else 'redo'}")
        if own.put(steps.value[1]):
            self.note("undo" if back else "redo")
        self.changed()
        self.say("taken back" if back else "made again")

    # Marks of one's own

    def _marks(self) -> tuple[Mark, ...]:
        return self.attempt.own.value.marks.get(self.attempt.task.turn, ())

    def _put_marks(self, marks: tuple[Mark, ...]) -> None:
        if self.attempt.mark(self.attempt.task.turn, marks):
            self._put_own("underline", marks_told(marks))
        self._say_marks()

    def _say_marks(self) -> None:
        text = self.attempt.task.text
        for nth, mark in enumerate(self._marks(), start=1):
            self.say(f"{nth} {'[x]' if mark.ticked else '[ ]'} {' '.join(text[mark.start : mark.end].split())}")
        if not self._marks():
            self.say("no marks")

    def _mark(self, rest: str) -> None:
        if not rest:
            self._say_marks()
            return
        found = re.search(r"\s+".join(map(re.escape, rest.split())), self.attempt.task.text, re.IGNORECASE)
        if found is None:
            raise UsageError(f"mark {quoted(rest)}: words as they stand in the brief are right")
        self._put_marks(underlined(self._marks(), found.span()))

    def _tick(self, rest: str) -> None:
        named = [one for one in self.attempt.task.requirements if (one.label or f"R{one.nth}") == rest.upper()]
        if named and self.attempt.lists:
            self.attempt.tick(named[0].nth)
            self._put_own("tick", named[0].label or str(named[0].nth))
            self.say(f"{rest.upper()} {'ticked' if named[0].nth in self.attempt.own.value.ticks else 'not ticked'}")
        else:
            self._put_marks(ticked(self._marks(), self._nth(rest)))

    def _erase(self, rest: str) -> None:
        self._put_marks(without(self._marks(), self._nth(rest)))

    def _nth(self, rest: str) -> int:
        if not self._marks():
            raise UsageError(f"{quoted(rest)}: there are no marks; mark WORDS underlines words of the brief")
        return number(rest, 1, len(self._marks()), "mark") - 1

    # Conflict and sending

    def _conflict(self, rest: str) -> None:
        attempt = self.attempt
        if rest == "-":
            attempt.conflict = Conflict()
        elif rest:
            attempt.conflict = read_report(rest)
        self.changed()
        box = attempt.conflict
        self.say(f"[x] a conflict between {box.first} and {box.second}; note: {box.note or 'none'}"
                 if box.seen else "[ ] no conflict")  # fmt: skip

    def _send_sure(self, rest: str) -> None:
        choices = self.attempt.terms.choices()
        if rest not in map(str, choices):
            asked = self.attempt.terms.question
            raise UsageError(f"send {quoted(rest)}: {asked} One of {', '.join(map(str, choices))} is right")
        self.attempt.confidence = int(rest)
        self.changed()
        self._send()

    def _send(self) -> None:
        attempt = self.attempt
        if missing := attempt.missing():
            raise UsageError(f"{missing}; edit writes")
        report = attempt.conflict.report(attempt.task.turn)
        if report and report != self._reported:
            self._reported = report
            self.note("conflict", report)
        self.send(attempt.seal())


def read_report(rest: str) -> Conflict:
    """Read `R2 R4 the note`; names of several words go in quotes.

    Raises:
        UsageError: fewer than two names, or a quote that is not closed.
    """
    try:
        first, second, *note = shlex.split(rest)
    except ValueError as error:
        raise UsageError(f"conflict {quoted(rest)}: two requirements are needed, as in conflict R2 R4") from error
    return Conflict(seen=True, first=first[:WHICH_LIMIT], second=second[:WHICH_LIMIT], note=" ".join(note)[:NOTE_LIMIT])
