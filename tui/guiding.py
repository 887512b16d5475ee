"""The first real item of each family, with hints on the way: what they say, and the errand that finds an easy one."""

from __future__ import annotations

from engine.public import Desk
from tui.attempt import Opened
from tui.errands import fetch_puzzle
from tui.writing import FAMILY, OpenedTask

PUZZLE, WRITING = "puzzle", "writing"
TIPS = {
    PUZZLE: (
        "Read the question first: an order of steps, and some settings, that were never tried together.",
        "Below are the rows. Begin with those of a single step: which of them bring the outcome about by themselves?",
        "s sorts the rows by share. / keeps some of them: type a step's name, then enter.",
        "Does a step spoil it? Rows that hold it end low, whatever else is in them; perhaps in some settings only.",
        "Is there a pair whose order matters? The same two steps, the other way round, with another share.",
        "Go through the question's steps in its settings. Then a: a letter, 5 to 9 or 0 for 50 to 100 % sure, enter.",
    ),
    WRITING: (
        "Read the brief: it asks for a text, and buries what the text must be like. Each demand counts.",
        "Type at once: anything that fits the task. ctrl+z takes back, esc leaves the text, e goes back to it.",
        "l lists the demands: ok, x with what was found, or ?. enter there shows the place in the text.",
        "F2 sends the text. What you get is the share of demands that it meets; there is no need for all of them.",
    ),
}


def fetch_guided(desk: Desk, family: str) -> Opened | OpenedTask | None:
    """Return the easiest unanswered item of a family; None when there is none."""
    if family == WRITING:
        task = desk.next_task(kind="single")
        return None if task is None else fetch_puzzle(desk, None, task.puzzle_id)
    left = [shelf.complexity for shelf in desk.shelves() if shelf.family != FAMILY and shelf.answered < shelf.puzzles]
    return fetch_puzzle(desk, min(left), None) if left else None
