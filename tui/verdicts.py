"""Requirements with their verdicts, as lines of a given width; the words of the desk, made fit for the screen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from textual.content import Content

from engine.public import Asked, Judged
from tui.places import Lines
from tui.shown import shown_block
from tui.wrapping import wrapped

HEAD = 6
"""Cells before the text of a requirement: its mark and its number."""
SEEN_LINES = 3
_STYLES = {"ok": "bold $success", "x": "bold $error", "?": "$muted"}


@dataclass(frozen=True, kw_only=True)
class Requirement:
    """One requirement with what is known of it."""

    nth: int
    text: str
    judged: Judged | None = None
    place: str = ""
    """Where it first fails, such as `ln 3 col 18`."""


def with_verdicts(requirements: Sequence[Asked], judged: Sequence[Judged], text: str) -> tuple[Requirement, ...]:
    """Return the requirements in order, each with its verdict if there is one; places are those of `text`."""
    verdicts = {one.nth: one for one in judged}
    lines = Lines(text)
    named = {one.nth: one.text for one in requirements}
    return tuple(
        Requirement(
            nth=nth,
            text=named[nth] if nth in named else verdicts[nth].family,
            judged=verdicts.get(nth),
            place=_place(verdicts[nth], lines) if nth in verdicts else "",
        )
        for nth in sorted({*named, *verdicts})
    )


def _place(judged: Judged, lines: Lines) -> str:
    if judged.passed or not judged.spans:
        return ""
    line, column = lines.place(judged.spans[0][0])
    more = f", {len(judged.spans) - 1} more" if len(judged.spans) > 1 else ""
    return f"ln {line + 1} col {column + 1}{more}"


def met_words(requirements: Sequence[Requirement]) -> str:
    """Return how many are met, such as `2 of 5 met`."""
    met = sum(one.judged is not None and one.judged.passed for one in requirements)
    return f"{met} of {len(requirements)} met"


def requirement_content(one: Requirement, width: int, most: int, *, marked: bool) -> Content:
    """Return one requirement in lines of at most `width` cells, `most` of them for its own words.

    With `marked`, the mark of its verdict comes first: ok, x, or ? where there is none.
    """
    mark = "?" if one.judged is None else "ok" if one.judged.passed else "x"
    room = max(width - HEAD, 10)
    first, *rest = _few_lines(one.text, room, most)
    head = Content.assemble((f"{mark:<2} " if marked else "   ", _STYLES[mark]), (f"{one.nth:>2} ", "$muted"), first)
    lines = [head, *(Content(" " * HEAD + line) for line in rest)]
    if one.judged is not None:
        seen = f"{one.judged.seen}  ({one.place})" if one.place else one.judged.seen
        style = "$muted" if one.judged.passed else "$error"
        lines += [Content.styled(" " * HEAD + line, style) for line in _few_lines(seen, room, SEEN_LINES) if line]
    return Content("\n").join(lines)


def _few_lines(text: str, width: int, most: int) -> list[str]:
    """Return the first lines of a text, an ellipsis at the end where there are more."""
    lines = wrapped(shown_block(text[: width * (most + 1)]), width)
    if len(lines) <= most:
        return lines
    return [*lines[: most - 1], lines[most - 1][: width - 1] + "…"]
