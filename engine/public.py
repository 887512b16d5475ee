"""All that a solver, human or model, ever handles: what is presented, an answer, a receipt, the desk.

Types here are final, frozen and keyword-only, and hold int, float, str, bool, None, tuples and other public types.
There is no field for a rule, a gold label of an unanswered puzzle, a seed or an index. The terminal app imports this
module, `engine.hidden_systems.behavior` and `engine.errors`, and nothing else of the engine.
"""

from __future__ import annotations

from typing import Literal, Protocol

from engine.hidden_systems.behavior import Label, Public, PublicPayload

Mode = Literal["practice", "collect"]
Aid = Literal["A0", "A1", "A2", "A3"]
Feedback = Literal["now", "end", "never"]
Given = Literal["PRESENT", "ABSENT", "SKIP"]
Reason = Literal["tired", "unclear", "technical"]
LengthName = Literal["short", "medium", "long"]
LENGTHS: dict[LengthName, int] = {"short": 4, "medium": 6, "long": 8}
"""Specification, "Complexity and determinism": preset names and their ordered query events."""


class Name(Public, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a code is called in a surface domain."""

    code: str
    name: str


class AttributeName(Public, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What an attribute and each of its values are called in a surface domain."""

    code: str
    name: str
    values: tuple[Name, ...]
    """For a categorical attribute, one entry a value; empty for a numeric one, whose numbers stand as they are."""


class Legend(Public, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The words of one rendering: a function of the public payload and the domain alone."""

    domain: str
    """The domain's id, such as `kiln`."""
    title: str
    """What people call the domain."""
    record: str
    """What the outcome is about, such as `the bell`."""
    events: tuple[Name, ...]
    attributes: tuple[AttributeName, ...]
    outcomes: tuple[Name, Name]
    """PRESENT, then ABSENT."""


class Presented(Public, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A puzzle as it is put before a solver."""

    puzzle_id: str
    family: str
    rendering_id: str
    renderer: str
    text: str
    """The exact problem text; people and models get the same bytes."""
    text_sha: str
    """SHA-256 of `text` in UTF-8."""
    payload: PublicPayload
    legend: Legend
    labels: tuple[Label, Label]
    """Order in which the two answers are offered; drawn per participant, stored with the session."""
    blocks: tuple[str, ...]
    """`text` cut at its block borders: introduction, one block a support case in payload order, the question."""


State = Literal["active", "new", "dropped", "disputed", "quoted"]
"""How a requirement stands in a turn: in force; in force since this very turn; no longer wanted, so that nothing of it
may be left; one of two that contradict each other; meant for somebody else."""


class Asked(Public, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One requirement that bears on the turn at hand."""

    nth: int
    """1-based place among the turn's requirements."""
    label: str | None
    """`R1` and so on, where the brief labels them; kept for the whole conversation."""
    family: str
    """length, lexical, structure, language, positional or meta."""
    text: str
    """The words in which it was asked for."""
    since_turn: int
    """The turn that set it, from 1."""
    state: State


class Exchange(Public, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One finished turn of a conversation."""

    turn: int
    """From 1."""
    asked: str
    """What the user said."""
    written: str
    """The answer, byte for byte."""


class PresentedTask(Public, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A writing task as it is put before a solver: the turn at hand, and the finished ones before it."""

    puzzle_id: str
    family: str
    rendering_id: str
    title: str
    """The kind of text that is asked for, such as `e-mail`."""
    complexity: int
    """Number of requirements; over several turns, the most that are active at once."""
    text: str
    """The exact brief of the turn at hand; people and models get the same bytes."""
    text_sha: str
    """SHA-256 of `text` in UTF-8."""
    requirements: tuple[Asked, ...]
    """The turn's requirements in the order in which they were asked for; an aid of practice, empty otherwise."""
    turn: int = 1
    """The turn at hand, from 1: the first that has no answer yet."""
    turns: int = 1
    """Number of turns; 1 for a task of a single turn."""
    earlier: tuple[Exchange, ...] = ()
    """The finished turns in order."""


class Judged(Public, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What the checker of one requirement found in a text."""

    nth: int
    """1-based place among the requirements."""
    family: str
    """length, lexical, structure, language, positional or meta."""
    passed: bool
    seen: str
    """What was found and what was asked, such as `13 sentences; 10 asked`."""
    spans: tuple[tuple[int, int], ...]
    """Where it failed, as code point ranges of the text."""


class Answer(Public, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a solver gives back."""

    answer_id: str
    """A fresh UUIDv7, made when the puzzle was shown, so that a retry is the same answer."""
    puzzle_id: str
    rendering_id: str
    text_sha: str
    answer: Given | None
    """None for a model, whose label is read from `raw` when it is scored."""
    confidence: int | None
    """0..100; the app offers 50..100 in steps of 5."""
    shown_at: str
    """UTC, ISO 8601 with milliseconds and Z."""
    response_ms: int
    """Visible time from a monotonic clock."""
    notes: str = ""
    raw: str | None = None
    """A text that was written, byte for byte: the answer to a writing task, or a model's raw text, whose label is
    derived later. None for a person's choice of a label."""
    turn: int = 1
    """Which turn of a conversation is answered, from 1; each is committed on its own."""
    reason: Reason | None = None
    """Why a person skips; None for any other answer."""
    revises: str = ""
    """Id of the answer that this one takes the place of; allowed in collection until the next puzzle is opened."""


class Reviewed(Public, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One turn of a writing task that was answered: what was asked, what was written, and what that is worth."""

    turn: int
    """From 1."""
    asked: str
    """What the user said."""
    written: str
    """The answer, byte for byte."""
    requirements: tuple[Asked, ...] = ()
    """Empty, as the verdicts are, unless the policy reveals them now."""
    judged: tuple[Judged, ...] = ()


class Evidenced(Public, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One rule of the system in words, with the cases that show it best."""

    sentence: str
    cases: tuple[str, ...]


class Hint(Public, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Where in the evidence to look next; made from the payload alone, in practice."""

    sentence: str
    cases: tuple[str, ...]


class Reveal(Public, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Practice feedback, made only after the answer was committed."""

    correct: bool
    label: Label
    present_probability: float
    """Exact probability of PRESENT for the query, rounded to a float, in [0, 1]."""
    rules: tuple[Evidenced, ...]
    turning: Evidenced | None = None
    """Two cases, alike in almost everything, that show what the answer turns on, and what that is; None without."""


class Receipt(Public, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Proof that an answer is on disk."""

    answer_id: str
    answered_at: str
    reveal: Reveal | None
    """None unless the session's policy is to reveal now."""
    notice: str = ""
    """One line for the person when the answer is safe but its feedback could not be made."""
    judged: tuple[Judged, ...] = ()
    """For a writing task, the verdicts on the text that was sent, where the policy reveals them now."""
    next_turn: int | None = None
    """The turn of the conversation that comes next; None when the puzzle is answered."""


class Draft(Public, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An unsent answer; the only thing that is overwritten."""

    puzzle_id: str
    answer: Label | None = None
    confidence: int | None = None
    notes: str = ""
    filter: str = ""
    sort: str = ""
    visible_ms: int = 0
    answer_id: str = ""
    text: str = ""
    """What has been written so far for a writing task."""
    turn: int = 1
    """The turn of a conversation that is being written."""
    conflict: str = ""
    """What the conflict box holds, in the form in which the app keeps it."""
    view: str = ""
    """How the screen was left (cursor, scroll, marks of one's own), in the form in which the app keeps it."""


class Happening(Public, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One event of the view, such as sort, filter, pause; batched, append-only."""

    puzzle_id: str
    t_ms: int
    """Monotonic milliseconds since the session began."""
    kind: str
    data: str = ""


class Shelf(Public, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How far one player is with the puzzles of one complexity."""

    complexity: int
    puzzles: int
    answered: int
    family: str = "hidden-systems"
    """`instruction-adherence` for writing tasks, whose complexity is the number of requirements."""
    kind: str = ""
    """`single` or `multi` for writing tasks, by their turns."""


class Past(Public, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One answered puzzle in the history; verdict and probability only where the policy revealed them."""

    answer_id: str
    puzzle_id: str
    title: str
    complexity: int
    answered_at: str
    answer: str
    """In the domain's words, or SKIP."""
    confidence: int | None
    correct: bool | None


class Session(Public, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One sitting of one solver; its policy is stored and never changes."""

    session_id: str
    solver: str
    mode: Mode
    aid: Aid
    feedback: Feedback
    labels: tuple[Label, Label]
    pack_title: str
    first_time: bool = False
    """Whether nothing of this solver is stored yet, so that an introduction is in place."""
    study: str = ""
    """The first digits of the study's digest; not empty exactly where the desk is a `Guide`."""


StageKind = Literal["consent", "intake", "instructions", "practice", "check", "item", "break", "end"]
StageWord = Literal["next", "agree", "decline", "stop", "withdraw"]


class Question(Public, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A question with a few answers, of which one is chosen."""

    text: str
    options: tuple[str, ...]


class Stage(Public, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Where a participant of a study is: what to show now, and what may be said to it."""

    key: str
    """Names the stage within the study, such as `consent` or `item/7`."""
    kind: StageKind
    title: str = ""
    text: str = ""
    questions: tuple[Question, ...] = ()
    """For `intake` and `check`, to be answered all at once."""
    puzzle_id: str = ""
    """For `practice` and `item`: what to present."""
    family: str = ""
    aid: Aid | None = None
    """For `practice` and `item`: what is in view beside the text; a study may vary it within one sitting."""
    nth: int = 0
    """From 1, among the stages of this kind."""
    total: int = 0
    words: tuple[StageWord, ...] = ("next",)
    """What may be said; `stop` and `withdraw` are among them as long as anything is collected."""
    limit_s: int = 0
    """Visible seconds after which `Guide.expire` is due; 0: no limit. No countdown is shown."""
    nudge_min: int = 0
    """Visible minutes after which a quiet reminder is in place; 0: never."""
    paste: Literal["allowed", "logged", "refused"] = "logged"
    undo: bool = True
    """Whether another answer is taken until the next item is opened."""
    confidence: tuple[int, int] = (50, 100)
    """Least and most that may be given, in percent."""
    confidence_question: str = ""


class StageAnswer(Public, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a participant says to a stage that is no puzzle."""

    key: str
    """The stage's key, so that an answer to an earlier one is not taken for one to this."""
    word: StageWord
    chosen: tuple[int, ...] = ()
    """For `intake` and `check`: the option chosen for each question, from 0."""


class Tally(Public, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How a player did in one group of answers."""

    answers: int
    """Answers with a verdict and a confidence."""
    correct: int
    brier: float | None
    """Mean Brier score: 0 best, 0.25 a coin flip, 1 worst; None without answers."""
    middle_ms: int
    """Median visible time of an answer."""
    aid: Aid | None = None
    """Set where the group is an aid level."""
    complexity: int | None = None
    """Set where the group is a length."""


class Sureness(Public, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One point of a calibration curve: the answers that were given with one confidence."""

    confidence: int
    """Percent."""
    answers: int
    correct: int
    low: float
    high: float
    """Wilson 95 % range of the share of correct ones, in [0, 1]."""


class Statistics(Public, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How a player did in practice so far."""

    whole: Tally
    by_aid: tuple[Tally, ...]
    """Ascending."""
    by_length: tuple[Tally, ...]
    """Ascending."""
    curve: tuple[Sureness, ...]
    """Ascending; confidences that were never given are left out."""
    texts: int
    """Writing tasks that were finished."""


LADDER_ANSWERS = 10
LADDER_BRIER = 0.20
"""A step of the ladder is passed when so many answers of its length in a row have at most this mean Brier score."""


class Standing(Public, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Where a player stands today."""

    day: str
    """The UTC date, `YYYY-MM-DD`."""
    daily_done: bool
    streak: int
    """Days in a row with a finished item; today counts once something is finished."""
    frozen: bool
    """Whether this week's one day off is used."""
    step: int
    """Length of the ladder's next puzzle, in events."""
    answers: int
    """Answers of that length that count so far, at most `LADDER_ANSWERS`."""
    brier: float | None
    """Their mean Brier score."""
    top: bool
    """Whether the last step was passed as well."""


class Players(Protocol):
    """The side door for people who play for pleasure, in practice alone. Methods block, like those of the desk."""

    def standing(self) -> Standing:
        """Return where the player stands today."""

    def statistics(self) -> Statistics:
        """Return how the player did in practice so far, in all packs."""

    def daily(self) -> Presented:
        """Return the puzzle of today's UTC date, answered or not."""

    def ladder(self) -> Presented:
        """Return the next unanswered puzzle of the ladder."""

    def by_code(self, code: str) -> Presented | PresentedTask:
        """Return the practice puzzle that a code names, answered or not."""

    def code(self, puzzle_id: str) -> str:
        """Return the code by which others can play a puzzle too; empty where there is none."""


class Desk(Protocol):
    """The one door for people and models. Methods block; call them all from one thread."""

    def open(self) -> Session:
        """Open the files, begin a session and return it; a second call returns the same session."""

    def shelves(self) -> tuple[Shelf, ...]:
        """Return the complexities of the pack, ascending."""

    def draft(self, puzzle_id: str | None = None) -> Draft | None:
        """Return this player's latest draft of a puzzle not yet answered, or of the puzzle that is named."""

    def next(self, complexity: int | None = None) -> Presented | None:
        """Return the next unanswered hidden system, of one complexity if given; None when all are answered."""

    def next_task(self, complexity: int | None = None, kind: str | None = None) -> PresentedTask | None:
        """Return the next unfinished writing task, of one number of requirements and kind if given; None without one.

        A conversation that was begun comes back at its first turn without an answer.
        """

    def present(self, puzzle_id: str) -> Presented | PresentedTask:
        """Return one puzzle by its public id."""

    def judge(self, puzzle_id: str, text: str) -> tuple[Judged, ...]:
        """Return the verdicts of all checkers of the turn at hand; practice only, and refused in collection."""

    def hint(self, puzzle_id: str, nth: int) -> Hint | None:
        """Return the nth hint for a puzzle, from 1, or None when there are no more; refused in collection."""

    def skips_left(self) -> int:
        """Return how many items of this pack the player may still skip."""

    def submit(self, answer: Answer) -> Receipt:
        """Commit the answer, or one turn of it, then judge it if the policy reveals now."""

    def keep(self, draft: Draft) -> None:
        """Store the draft."""

    def log(self, happenings: tuple[Happening, ...]) -> None:
        """Append view events."""

    def history(self) -> tuple[Past, ...]:
        """Return this player's answers, newest first."""

    def reveal(self, answer_id: str) -> Reveal | None:
        """Return the feedback of an answer given before, if the policy allows it; refused in collection."""

    def review(self, puzzle_id: str) -> tuple[Reviewed, ...]:
        """Return the turns of a writing task this player answered, with verdicts if the policy allows; else none."""

    def working_on(self) -> str:
        """Return what takes long right now, in a few words, empty if nothing does; the one method for any thread."""

    def players(self) -> Players:
        """Return the side door for people who play for pleasure; refused in collection, and to programs."""

    def close(self) -> None:
        """Close all files."""


class Guide(Desk, Protocol):
    """A desk that leads a participant through a study; nothing is stored before the consent is given.

    `next`, `next_task` and `draft` are about the item of the stage at hand; `history` is empty; `judge`, `hint` and
    `reveal` are refused. An item's answer goes through `submit`, everything else through `take`.
    """

    def stage(self) -> Stage:
        """Return the stage at hand; the same one until it is left."""

    def take(self, answer: StageAnswer) -> Stage:
        """Commit what was said to the stage at hand, and return the one that is at hand then.

        `withdraw` deletes all that was stored; `stop` keeps it. Both lead to the end.
        """

    def expire(self, draft: Draft) -> Receipt:
        """Commit that the item at hand ran out of time, with what was unsent."""


class Doors(Protocol):
    """Makes the desk; the command line hands one to the app through the click context (`ctx.obj`)."""

    def desk(self, *, pack: str | None, player: str | None, aid: Aid | None = None) -> Desk:
        """Return a desk on a pack (None: the built-in one) for a player (None: the default player).

        Args:
            aid: the aid level of this session; None takes the pack's. A collection refuses any other than its own.

        Opens nothing and imports nothing heavy: the files are opened by `Desk.open`, after the first paint.
        """

    def left(self, *, player: str | None, aid: Aid | None = None) -> Desk:
        """Return a desk where something was left open last: that pack, player and aid; the built-in pack if nothing is.

        Opens nothing either; that the pack is gone is found out by `Desk.open`.

        Args:
            player: only what this player left open; None for anybody's.
            aid: another aid level than the one it was left with.
        """

    def guide(self, *, bundle: str, code: str) -> Guide:
        """Return the desk of a participant of a study: a bundle's folder, and the code that was given out for it.

        Opens nothing either.
        """

    def config_file(self) -> str:
        """Return where the person's settings are read from, whether that file exists or not."""

    def data_folder(self) -> str:
        """Return where answers are stored, whether that folder exists or not."""

    def mode(self, *, pack: str | None, player: str | None) -> Mode:
        """Return the mode that a session would have; it opens the pack alone, and begins nothing.

        Raises:
            ClewError: there is no such pack, or the name is not one for a person.
        """
