"""What is said of daily puzzle, ladder and streak, and the errands for them; the desk knows, the app tells."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from engine.errors import counted
from engine.public import LADDER_ANSWERS, LADDER_BRIER, Desk, Players, Presented, PresentedTask, Standing, Statistics
from tui.attempt import Opened
from tui.errands import Told, ToldTask, fetch_puzzle, fetch_told
from tui.wording import share_text
from tui.writing import OpenedTask

Find = Callable[[Players], Presented | PresentedTask]


@dataclass(frozen=True, kw_only=True)
class Record:
    """All that the statistics screen tells."""

    told: Statistics
    standing: Standing


def fetch_standing(desk: Desk) -> Standing:
    return desk.players().standing()


def fetch_record(desk: Desk) -> Record:
    players = desk.players()
    return Record(told=players.statistics(), standing=players.standing())


def fetch_found(desk: Desk, find: Find) -> Opened | OpenedTask | Told | ToldTask | None:
    """Return a puzzle that the side door finds: to be worked on, or what became of it if it was answered before."""
    found = find(desk.players())
    past = next((past for past in desk.history() if past.puzzle_id == found.puzzle_id), None)
    if past is not None:
        return fetch_told(desk, past)
    opened = fetch_puzzle(desk, None, found.puzzle_id)
    # It is not one of a row of the pack's, so there is no place in that row to tell.
    return replace(opened, course=None) if isinstance(opened, Opened) else opened


def daily_words(standing: Standing, *, streak: bool) -> str:
    """Return how today stands, in few words."""
    row = f"   streak {counted(standing.streak, 'day')}" if streak and standing.streak else ""
    return f"{'done, the next one tomorrow' if standing.daily_done else 'not played yet'}{row}"


def streak_words(standing: Standing) -> str:
    """Return the streak and whether a day off is left."""
    left = "this week's day off is used" if standing.frozen else "one day off a week is free"
    return f"{counted(standing.streak, 'day')} in a row with something finished; {left}"


def ladder_words(standing: Standing) -> str:
    """Return where one stands on the ladder, in few words."""
    if standing.top:
        return f"{standing.step} events   top reached"
    brier = "" if standing.brier is None else f"   Brier {share_text(standing.brier)}, goal {share_text(LADDER_BRIER)}"
    return f"{standing.step} events   {standing.answers} of {LADDER_ANSWERS}{brier}"


def ladder_sentence(standing: Standing) -> str:
    """Return where one stands on the ladder and what the next step asks."""
    if standing.top:
        return f"top reached: {standing.step} events"
    mean = "" if standing.brier is None else f", mean Brier score {share_text(standing.brier)}"
    done = f"{standing.step} events, {counted(standing.answers, 'answer')} so far{mean}"
    return f"{done}; {LADDER_ANSWERS} in a row at {share_text(LADDER_BRIER)} or less open the next step"
