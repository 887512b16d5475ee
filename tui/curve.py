"""The calibration curve and the tallies of a player, as lines of text; all numbers are the desk's."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from textual.content import Content

from engine.errors import counted
from engine.public import Statistics, Sureness, Tally
from tui.wording import clock_text, length_name, share_text

LEVELS = tuple(range(50, 101, 5))
"""Confidences on the horizontal axis, in percent."""
STEPS = tuple(range(100, -1, -10))
"""Shares on the vertical axis, in percent, from the top."""
COLUMN = 5
"""Cells of one confidence; one less where there is little room."""
POINT, RANGE, IDEAL = "o", ":", "."
NAME_WIDTH = 14


def curve_lines(points: Sequence[Sureness], column: int = COLUMN) -> Iterator[Content]:
    """Yield the curve: how sure one was from left to right, how often one was right from the bottom up.

    `o` is the share that was right, `:` its Wilson 95 % range, `.` where the two would be equal.
    """
    by_level = {point.confidence: point for point in points}
    for step in STEPS:
        cells = [_cell(by_level.get(level), level, step) for level in LEVELS]
        placed = [(f"{mark:^{column}}", style) for mark, style in cells]
        yield Content.assemble((f"{step:>5} % ", "$muted"), *placed)
    yield Content.styled(" % sure " + "".join(f"{level:^{column}}" for level in LEVELS), "$muted")
    numbers = (by_level[level].answers if level in by_level else 0 for level in LEVELS)
    yield Content.styled("answers " + "".join(f"{number or '-':^{column}}" for number in numbers), "$muted")


def _cell(point: Sureness | None, level: int, step: int) -> tuple[str, str]:
    """Return the mark where a confidence and a share meet, and its style."""
    if point is not None and _row(point.correct / point.answers) == step:
        return POINT, "bold $accent"
    if point is not None and _row(point.low) <= step <= _row(point.high):
        return RANGE, "$primary"
    return IDEAL if _row(level / 100) == step else "", "$muted"


def _row(share: float) -> int:
    """Return the nearest share of the vertical axis, halves upwards."""
    return int(share * 10 + 0.5) * 10


def tally_lines(told: Statistics) -> Iterator[Content]:
    """Yield the tallies: all, by length, by aid level."""
    head = f"{'':<{NAME_WIDTH}}{'answers':>8}{'right':>8}{'Brier':>8}{'median time':>13}"
    yield Content.styled(head, "bold $primary")
    yield _tally("all", told.whole)
    yield from (_tally(length_name(one.complexity or 0), one) for one in told.by_length)
    yield from (_tally(f"aid level {one.aid}", one) for one in told.by_aid)
    yield Content("")
    yield Content.styled(f"Brier score: 0 is best, 0.25 a coin flip. {counted(told.texts, 'text')} written.", "$muted")


def _tally(name: str, one: Tally) -> Content:
    right = f"{100 * one.correct / one.answers:.0f} %" if one.answers else "-"
    brier = "-" if one.brier is None else share_text(one.brier)
    time = clock_text(one.middle_ms) if one.answers else "-"
    return Content.assemble(f"{name:<{NAME_WIDTH}}", f"{one.answers:>8}{right:>8}{brier:>8}{time:>13}")
