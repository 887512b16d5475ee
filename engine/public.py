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


class Evidenced(Public, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One rule of the system in words, with the cases that show it best."""

    sentence: str
    cases: tuple[str, ...]


class Reveal(Public, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Practice feedback, made only after the answer was committed."""

    correct: bool
    label: Label
    present_probability: float
    """Exact probability of PRESENT for the query, rounded to a float, in [0, 1]."""
    rules: tuple[Evidenced, ...]


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


class Desk(Protocol):
    """The one door for people and models. Methods block; call them all from one thread."""

    def open(self) -> Session:
        """Open the files, begin a session and return it; a second call returns the same session."""

    def shelves(self) -> tuple[Shelf, ...]:
        """Return the complexities of the pack, ascending."""

    def draft(self) -> Draft | None:
        """Return this player's latest draft of a puzzle not yet answered."""

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

    def submit(self, answer: Answer) -> Receipt:
        """Commit the answer, or one turn of it, then judge it if the policy reveals now."""

    def keep(self, draft: Draft) -> None:
        """Store the draft."""

    def log(self, happenings: tuple[Happening, ...]) -> None:
        """Append view events."""

    def history(self) -> tuple[Past, ...]:
        """Return this player's answers, newest first."""

    def reveal(self, answer_id: str) -> Reveal | None:
        """Return the feedback of an answer given before, if the policy allows it."""

    def close(self) -> None:
        """Close all files."""


class Doors(Protocol):
    """Makes the desk; the command line hands one to the app through the click context (`ctx.obj`)."""

    def desk(self, *, pack: str | None, player: str | None) -> Desk:
        """Return a desk on a pack (None: the built-in one) for a player (None: the default player).

        Opens nothing and imports nothing heavy: the files are opened by `Desk.open`, after the first paint.
        """
