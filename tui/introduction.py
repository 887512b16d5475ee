"""The introduction: a toy system in three steps, and the questions by which a study sees that it was understood.

The toy is a vending machine, which no pack tells of. Its rows are made up by hand: they show what rows of a puzzle
show, and nothing is computed from them. About two minutes to read.
"""

from __future__ import annotations

from dataclasses import dataclass

INTRODUCTION = "introduction"
"""Kind of the stored event that says how far somebody came."""
COMPREHENSION = "comprehension"
"""Kind of the stored event with one answer of a study's check."""
TRIALS = 48
PRESENT, ABSENT = "drops", "stays"
"""What may become of the snack."""


@dataclass(frozen=True, kw_only=True)
class Row:
    """One series of trials with the toy."""

    steps: str
    present: int


@dataclass(frozen=True, kw_only=True)
class Question:
    """A question with a few answers."""

    key: str
    """Under which an answer is stored."""
    asks: str
    options: tuple[str, ...]
    right: int
    """Index of the right answer; a collection neither shows nor stores it."""
    because: str = ""
    """Said after an answer, in practice."""


@dataclass(frozen=True, kw_only=True)
class Step:
    """One screen of the introduction."""

    title: str
    says: str
    rows: tuple[Row, ...]
    shows: str
    """What the rows show."""
    tries: Question


STEPS = (
    Step(
        title="read a row",
        says="A snack hangs in a vending machine. Each row below is one series: the same steps, in the same order, "
        f"tried {TRIALS} times, and how often the snack dropped. The machine forgets everything between two trials.",
        rows=(Row(steps="coin", present=36), Row(steps="knock", present=7), Row(steps="coin > knock", present=38)),
        shows="A coin alone makes the snack drop in 36 of 48 trials. Counts waver: 36 of 48 may come from a true share "
        "of 60 to 85 %.",
        tries=Question(
            key="row", asks="Which of the two makes the snack drop more often?", options=("coin", "knock"), right=0,
            because="36 of 48 for a coin, 7 of 48 for a knock.",
        ),
    ),
    Step(
        title="order matters",
        says="Some steps show nothing by themselves, and yet prepare a later one. Such a step counts only if it comes "
        "first.",
        rows=(
            Row(steps="button", present=0), Row(steps="warm up", present=0), Row(steps="warm up > button", present=40),
            Row(steps="button > warm up", present=0),
        ),
        shows="The button works only once the machine is warm. Warming up afterwards is too late.",
        tries=Question(
            key="order", asks="Which of the two orders makes the snack drop?",
            options=("warm up > button", "button > warm up"), right=0, because="40 of 48 against 0 of 48.",
        ),
    ),
    Step(
        title="a veto never comes back",
        says="And some steps rule the outcome out for good. What was ruled out stays so, whatever came before and "
        "whatever follows.",
        rows=(
            Row(steps="coin", present=36), Row(steps="unplug", present=0), Row(steps="unplug > coin", present=3),
            Row(steps="coin > unplug", present=2), Row(steps="unplug > coin > coin", present=4),
        ),
        shows="Unplugging is a veto that works nearly every time: no number of coins makes up for it, and a snack that "
        "had dropped is taken back.",
        tries=Question(
            key="veto", asks="coin > unplug > coin > coin > coin was never tried. Drops or stays?",
            options=(PRESENT, ABSENT), right=1, because="one veto is enough, wherever it stands.",
        ),
    ),
)  # fmt: skip

CHECK = (
    Question(
        key="check-row",
        asks="A row says: pull the lever, 12 of 48. What does it mean?",
        options=(
            "48 trials with a pull; in 12 it came about",
            "48 trials; in 12 the lever was pulled",
            "from the 12th trial on it always comes about",
        ),
        right=0,
    ),
    Question(
        key="check-order",
        asks="Alone, step A gives 0 of 48 and step B 0 of 48. A > B gives 30 of 48. What about B > A?",
        options=("the same, the steps are the same", "it may well be 0 of 48", "it must be 18 of 48"),
        right=1,
    ),
    Question(
        key="check-veto",
        asks="A step rules the outcome out in 90 % of trials. Later steps would each bring it about. What is likelier?",
        options=("it comes about, later steps count more", "it does not come about", "both equally"),
        right=1,
    ),
)
"""For a collection: asked after the steps, stored as they are answered, never scored on the screen."""

CHECKING = """\
Three questions, so that the study knows what the steps before have made clear. Your answers are stored and not scored \
here; you can go back and read again."""
ANSWERING = """\
The question of a puzzle is such an order of steps, under settings that were never tried. You say which outcome is \
likelier, and how sure you are: 50 % is a coin flip, 100 % is certain. Saying 70 is best when you are right seven \
times out of ten."""
