"""A desk in memory with hand-made puzzles: typed, tiny, able to be slow, to fail, and to write down what it is told."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import msgspec
from fake_players import FakePlayers
from fake_talk import TURNS, Talk

from engine.errors import StoreError
from engine.hidden_systems.behavior import (
    AttributeRange,
    AttributeSetting,
    BehaviorCase,
    Label,
    ObservationProtocol,
    PublicPayload,
)
from engine.public import (
    Aid,
    Answer,
    Asked,
    AttributeName,
    Draft,
    Evidenced,
    Happening,
    Hint,
    Judged,
    Legend,
    Name,
    Past,
    Players,
    Presented,
    PresentedTask,
    Receipt,
    Reveal,
    Reviewed,
    Session,
    Shelf,
)
from engine.store.answers import HELD

TRIALS = 48
EVENTS = ("E1", "E2", "E3", "E4", "E5", "E6")
TANK = ("prime", "seal", "vent", "purge", "warm", "flush slowly")


def legend(words: Callable[[str], str] = str) -> Legend:
    """Return the tank's words, each passed through `words`."""
    return Legend(
        domain="tank",
        title=words("The tank"),
        record=words("the tank"),
        events=tuple(Name(code=code, name=words(name)) for code, name in zip(EVENTS, TANK, strict=True)),
        attributes=(
            AttributeName(code="A1", name=words("load"), values=()),
            AttributeName(
                code="A2",
                name=words("hue"),
                values=(Name(code="V1", name=words("red")), Name(code="V2", name=words("blue"))),
            ),
        ),
        outcomes=(Name(code="PRESENT", name=words("filled")), Name(code="ABSENT", name=words("empty"))),
    )


def case(nth: int, events: tuple[str, ...], load: int, hue: str, present: int | None) -> BehaviorCase:
    settings = (AttributeSetting(name="A1", value=load), AttributeSetting(name="A2", value=hue))
    return BehaviorCase(
        id="q" if present is None else f"c{nth:02d}",
        attributes=settings,
        events=events,
        trials=None if present is None else TRIALS,
        observed_present=present,
        observed_absent=None if present is None else TRIALS - present,
    )


def payload(complexity: int = 4, cases: int | None = None) -> PublicPayload:
    """Return singles and ordered pairs of so many events, or the first `cases` rows of that pattern, repeated."""
    events = EVENTS[:complexity]
    shapes = [(one,) for one in events] + [(one, other) for one in events for other in events if one != other]
    wanted = len(shapes) if cases is None else cases
    rows = tuple(
        case(index + 1, shapes[index % len(shapes)], (2, 8)[index % 2], ("V1", "V2")[index // 2 % 2], index * 13 % 49)
        for index in range(wanted)
    )
    return PublicPayload(
        complexity=complexity,
        event_vocabulary=events,
        attribute_vocabulary=(
            AttributeRange(name="A1", values=(2, 5, 8)),
            AttributeRange(name="A2", values=("V1", "V2")),
        ),
        observation_protocol=ObservationProtocol(trials_per_case=TRIALS),
        support_cases=rows,
        query_case=case(0, events, 5, "V1", None),
    )


def told(one: BehaviorCase, words: Legend) -> str:
    """Tell one case as a paragraph."""
    names = {item.code: item.name for item in words.events}
    steps = ", then ".join(names[event] for event in one.events)
    load = one.attributes[0].value
    if one.observed_present is None:
        return f"Now the load is {load} and the steps are {steps}. Which is likelier: filled or empty?"
    return (
        f"With a load of {load} the steps were {steps}. Of {one.trials} tanks {one.observed_present} ended up filled."
    )


def puzzle(
    nth: int = 1,
    complexity: int = 4,
    *,
    cases: int | None = None,
    words: Callable[[str], str] = str,
    labels: tuple[Label, Label] = ("PRESENT", "ABSENT"),
) -> Presented:
    """Return one hand-made puzzle."""
    data, names = payload(complexity, cases), legend(words)
    intro = words(f"Tank number {nth} is filled in steps. Every row below is one series of trials.")
    plain = legend()
    blocks = (intro, *(told(one, plain) for one in data.support_cases), told(data.query_case, plain))
    text = "\n\n".join(blocks)
    return Presented(
        puzzle_id=f"p{complexity}-{nth}",
        family="persistent-veto",
        rendering_id=f"r{complexity}-{nth}",
        renderer="template",
        text=text,
        text_sha=hashlib.sha256(text.encode("utf-8", "replace")).hexdigest(),
        payload=data,
        legend=names,
        labels=labels,
        blocks=blocks,
    )


ASKED = ("Use 12 words or more.", "Do not use the letter z.", 'Begin with the word "Dear".')
FAMILIES = ("length", "lexical", "positional")


def asked(words: Callable[[str], str] = str) -> tuple[Asked, ...]:
    return tuple(
        Asked(nth=nth, label=None, family=family, text=words(text), since_turn=1, state="active")
        for nth, (text, family) in enumerate(zip(ASKED, FAMILIES, strict=True), start=1)
    )


def task(nth: int = 1, *, words: Callable[[str], str] = str, collects: bool = False) -> PresentedTask:
    """Return one hand-made writing task of three requirements."""
    ask = words(f"Write a short note, number {nth}, to the new people in the bakery about the launch next week.")
    text = f"{ask}\n\nIt has to be longer than a line: 12 words or more. Avoid the letter z. The first word is Dear."
    return PresentedTask(
        puzzle_id=f"w3-{nth}",
        family="instruction-adherence",
        rendering_id=f"wr3-{nth}",
        title=words("note"),
        complexity=3,
        text=text,
        text_sha=hashlib.sha256(text.encode("utf-8", "replace")).hexdigest(),
        requirements=() if collects else asked(words),
    )


def check(text: str, words: Callable[[str], str] = str) -> tuple[Judged, ...]:
    """Check a text against the three requirements."""
    count, first = len(text.split()), text.split(" ")[0]
    zs = tuple((index, index + 1) for index, letter in enumerate(text) if letter in "zZ")
    found = (
        ("length", count >= 12, f"{count} words; 12 or more asked", ()),
        ("lexical", not zs, f"{len(zs)} uses; none asked", zs),
        (
            "positional",
            first == "Dear",
            f"{first!r} first; 'Dear' asked",
            () if first == "Dear" else ((0, len(first)),),
        ),
    )
    return tuple(
        Judged(nth=nth, family=family, passed=passed, seen=words(seen), spans=spans)
        for nth, (family, passed, seen, spans) in enumerate(found, start=1)
    )


def default_puzzles() -> list[Presented]:
    return [puzzle(1), puzzle(2), puzzle(3), puzzle(1, 5), puzzle(1, 6), puzzle(2, 6, cases=120)]


@dataclass(kw_only=True)
class FakeDesk:
    """Keeps everything in lists; `record` also appends each stored thing to a file, as a line of JSON."""

    puzzles: list[Presented] = field(default_factory=default_puzzles)
    tasks: list[PresentedTask] = field(default_factory=list)
    talks: list[Talk] = field(default_factory=list)
    """Writing tasks of several turns; they come after all others."""
    words: Callable[[str], str] = str
    """What the verdicts' words are passed through."""
    aid: Aid = "A3"
    first_time: bool = False
    collects: bool = False
    skips: int = 1
    rule: str = "Seal fills the tank more often than not, unless the load is above 5."
    pack_title: str = "practice pack"
    player: str = "ada"
    record: Path | None = None
    broken: Exception | None = None
    """What `open` raises."""
    failures: dict[str, list[Exception]] = field(default_factory=dict)
    """Method name to the errors its next calls raise."""
    lock: threading.Event = field(default_factory=threading.Event)
    """Cleared, every call waits, as on a file that another program holds."""
    judge_lock: threading.Event = field(default_factory=threading.Event)
    """Cleared, every check waits."""
    works_on: str = ""
    """What `working_on` says."""
    judged: list[str] = field(default_factory=list)
    """Texts that were checked before they were sent."""
    answers: list[Answer] = field(default_factory=list)
    drafts: list[Draft] = field(default_factory=list)
    happenings: list[Happening] = field(default_factory=list)
    past: list[Past] = field(default_factory=list)
    called: list[str] = field(default_factory=list)
    threads: set[int] = field(default_factory=set)
    closed: bool = False

    def __post_init__(self) -> None:
        made = {"daily": puzzle(91, 6), "ladder": puzzle(92, 5), "ladder again": puzzle(93, 5), "code": puzzle(94, 6)}
        self.extra = list(made.values())
        self.side_door = FakePlayers(self, made)
        self.lock.set()
        self.judge_lock.set()

    def _enter(self, name: str) -> None:
        self.called.append(name)
        self.threads.add(threading.get_ident())
        self.lock.wait()
        if self.failures.get(name):
            raise self.failures[name].pop(0)

    def _write(self, kind: str, item: msgspec.Struct) -> None:
        if self.record is not None:
            with self.record.open("ab") as file:
                file.write(kind.encode() + b" " + msgspec.json.encode(item) + b"\n")

    def open(self) -> Session:
        self._enter("open")
        if self.broken is not None:
            raise self.broken
        return Session(
            session_id="s1",
            solver=self.player,
            mode="collect" if self.collects else "practice",
            aid=self.aid,
            feedback="never" if self.collects else "now",
            labels=("PRESENT", "ABSENT"),
            pack_title=self.pack_title,
            first_time=self.first_time,
        )

    def shelves(self) -> tuple[Shelf, ...]:
        self._enter("shelves")
        given = self._given()
        counts: dict[int, list[Presented]] = {}
        for one in self.puzzles:
            counts.setdefault(one.payload.complexity, []).append(one)
        systems = tuple(
            Shelf(complexity=size, puzzles=len(those), answered=sum(one.puzzle_id in given for one in those))
            for size, those in sorted(counts.items())
        )
        return systems + self._task_shelves() + self._talk_shelves()

    def _talk_shelves(self) -> tuple[Shelf, ...]:
        given = self._given()
        done = sum(one.puzzle_id in given for one in self.talks)
        shelf = Shelf(
            complexity=5, puzzles=len(self.talks), answered=done, family="instruction-adherence", kind="multi"
        )
        return (shelf,) if self.talks else ()

    def _task_shelves(self) -> tuple[Shelf, ...]:
        given = self._given()
        return tuple(
            Shelf(
                complexity=size,
                puzzles=sum(one.complexity == size for one in self.tasks),
                answered=sum(one.complexity == size and one.puzzle_id in given for one in self.tasks),
                family="instruction-adherence",
                kind="single",
            )
            for size in sorted({one.complexity for one in self.tasks})
        )

    def draft(self, puzzle_id: str | None = None) -> Draft | None:
        self._enter("draft")
        given = self._given()
        open_ones = [one for one in reversed(self.drafts) if one.puzzle_id not in given]
        return next((one for one in open_ones if puzzle_id in (None, one.puzzle_id)), None)

    def next(self, complexity: int | None = None) -> Presented | None:
        self._enter("next")
        given = self._given()
        left = [one for one in self.puzzles if one.puzzle_id not in given]
        return next((one for one in left if complexity in (None, one.payload.complexity)), None)

    def next_task(self, complexity: int | None = None, kind: str | None = None) -> PresentedTask | None:
        self._enter("next_task")
        given = self._given()
        everything = [*self.tasks, *(self._at_hand(talk) for talk in self.talks)]
        left = [one for one in everything if one.puzzle_id not in given]
        return next((one for one in left if complexity in (None, one.complexity)), None)

    def judge(self, puzzle_id: str, text: str) -> tuple[Judged, ...]:
        self._enter("judge")
        assert not self.collects, "in collection nothing is checked"
        self.judged.append(text)
        self.judge_lock.wait()
        talk = self._talk(puzzle_id)
        return check(text, self.words) if talk is None else talk.check(self._at_hand(talk).turn, text)

    def _talk(self, puzzle_id: str) -> Talk | None:
        return next((talk for talk in self.talks if talk.puzzle_id == puzzle_id), None)

    def _written(self, puzzle_id: str) -> list[str]:
        return [one.raw or "" for one in self.answers if one.puzzle_id == puzzle_id]

    def _at_hand(self, talk: Talk) -> PresentedTask:
        return talk.presented(self._written(talk.puzzle_id))

    def present(self, puzzle_id: str) -> Presented | PresentedTask:
        self._enter("present")
        talks = [self._at_hand(talk) for talk in self.talks]
        everything = [*self.puzzles, *self.extra, *self.tasks, *talks]
        found = next((one for one in everything if one.puzzle_id == puzzle_id), None)
        if found is None:
            raise StoreError(f"the pack has no puzzle {puzzle_id!r}")
        return found

    def hint(self, puzzle_id: str, nth: int) -> Hint | None:
        self._enter("hint")
        assert not self.collects, "in collection there are no hints"
        said = ["Begin with the rows of a single step.", "Compare rows 2 and 5: they are alike but for vent."]
        cases = [(), ("c02", "c05")]
        return Hint(sentence=said[nth - 1], cases=cases[nth - 1]) if nth <= len(said) else None

    def skips_left(self) -> int:
        self._enter("skips_left")
        return self.skips - sum(one.answer == "SKIP" for one in self.answers)

    def submit(self, answer: Answer) -> Receipt:
        self._enter("submit")
        shown = self.present(answer.puzzle_id)
        assert answer.text_sha == shown.text_sha, "another text was shown"
        self.answers.append(answer)
        self._write("answer", answer)
        if isinstance(shown, PresentedTask):
            return self._text_taken(answer, shown)
        reveal = self._reveal(answer.answer)
        present, absent = shown.legend.outcomes
        self.past.insert(
            0,
            Past(
                answer_id=answer.answer_id,
                puzzle_id=answer.puzzle_id,
                title=shown.legend.title,
                complexity=shown.payload.complexity,
                answered_at="2025-06-01T10:00:00.000Z",
                answer={"PRESENT": present.name, "ABSENT": absent.name}.get(answer.answer or "", "SKIP"),
                confidence=answer.confidence,
                correct=reveal.correct if reveal else None,
            ),
        )
        return Receipt(answer_id=answer.answer_id, answered_at="2025-06-01T10:00:00.000Z", reveal=reveal)

    def _text_taken(self, answer: Answer, shown: PresentedTask) -> Receipt:
        at = "2025-06-01T10:00:00.000Z"
        talk = self._talk(answer.puzzle_id)
        if talk is not None and answer.turn < TURNS and answer.answer != "SKIP":
            judged = () if self.collects else talk.check(answer.turn, answer.raw or "")
            return Receipt(
                answer_id=answer.answer_id, answered_at=at, reveal=None, judged=judged, next_turn=answer.turn + 1
            )
        past = Past(
            answer_id=answer.answer_id,
            puzzle_id=answer.puzzle_id,
            title=shown.title,
            complexity=shown.complexity,
            answered_at=at,
            answer="",
            confidence=None,
            correct=None,
        )
        self.past.insert(0, past)
        judged = () if self.collects else self._verdicts(shown.puzzle_id, answer.turn, answer.raw or "")
        return Receipt(answer_id=answer.answer_id, answered_at=at, reveal=None, judged=judged)

    def _verdicts(self, puzzle_id: str, turn: int, text: str) -> tuple[Judged, ...]:
        talk = self._talk(puzzle_id)
        return check(text, self.words) if talk is None else talk.check(turn, text)

    def review(self, puzzle_id: str) -> tuple[Reviewed, ...]:
        self._enter("review")
        if puzzle_id not in self._given():
            return ()
        talk, turns = self._talk(puzzle_id), []
        for turn, written in enumerate(self._written(puzzle_id), start=1):
            told = next((one for one in self.tasks if one.puzzle_id == puzzle_id), None)
            asked = talk.brief(turn) if talk else told.text if told else ""
            requirements = talk.asked(turn) if talk else told.requirements if told else ()
            judged = self._verdicts(puzzle_id, turn, written)
            shows = {} if self.collects else {"requirements": requirements, "judged": judged}
            turns.append(Reviewed(turn=turn, asked=asked, written=written, **shows))
        return tuple(turns)

    def keep(self, draft: Draft) -> None:
        self._enter("keep")
        self.drafts.append(draft)
        self._write("draft", draft)

    def log(self, happenings: tuple[Happening, ...]) -> None:
        self._enter("log")
        self.happenings.extend(happenings)
        for one in happenings:
            self._write("event", one)

    def history(self) -> tuple[Past, ...]:
        self._enter("history")
        return tuple(self.past)

    def reveal(self, answer_id: str) -> Reveal | None:
        self._enter("reveal")
        return next((self._reveal(one.answer) for one in self.answers if one.answer_id == answer_id), None)

    def players(self) -> Players:
        assert not self.collects, "in a collection there is no side door"
        return self.side_door

    def working_on(self) -> str:
        return self.works_on or ("" if self.lock.is_set() else HELD)

    def close(self) -> None:
        self._enter("close")
        self.closed = True

    def _given(self) -> set[str]:
        """Return the puzzles that are answered: a task of several turns with its last one, or when it is skipped."""
        talks = {talk.puzzle_id for talk in self.talks}
        open_turns = {one.puzzle_id for one in self.answers} & talks
        done = {one.puzzle_id for one in self.answers if one.turn == TURNS or one.answer == "SKIP"}
        return {one.puzzle_id for one in self.answers} - (open_turns - done)

    def _reveal(self, given: str | None) -> Reveal | None:
        if self.collects or given == "SKIP":
            return None
        rules = (
            Evidenced(sentence=self.rule, cases=("c02", "c05")),
            Evidenced(sentence="Vent empties the tank for good, about half of the time.", cases=("c03",)),
        )
        pair = "Rows 2 and 5 are alike but for vent: filled 13 of 48 against 3 of 48. What vent does is behind it."
        turning = Evidenced(sentence=pair, cases=("c02", "c05"))
        return Reveal(
            correct=given == "PRESENT", label="PRESENT", present_probability=0.6875, rules=rules, turning=turning
        )  # fmt: skip
