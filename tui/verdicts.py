"""Requirements with how they stand and their verdicts, as lines of a given width; the desk's words made fit to show.

A mark is a word as well: ok, x, or ? where nothing is known. How a requirement stands in a turn is the desk's word, an
aid of practice; a collection gets none of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rich.cells import cell_len, set_cell_size
from textual.content import Content

from engine.public import Asked, Judged, State
from tui.places import Lines
from tui.shown import shown_block, shown_cell
from tui.wrapping import wrapped

FAMILY_WIDTH = 8
FAMILIES = {"length": "length", "lexical": "lexical", "structure": "struct", "language": "lang", "positional": "posit"}
FAMILY_FROM = 44
"""From this width on a line names the family of its requirement."""
HEAD = 9
"""Cells before the words of a requirement."""
SEEN_LINES, USUAL_SEEN = 3, 2
"""Most lines, and usual ones, for what was found."""
FOUND_WIDTH = 14
"""Cells for what was found, in a requirement of one line."""
STATE_WORDS: dict[State, str] = {
    "active": "",
    "new": "NEW ",
    "dropped": "dropped, must NOT hold: ",
    "disputed": "disputed: ",
    "quoted": "for someone else: ",
}
"""What is said before the words of a requirement."""
IN_FORCE: tuple[State, ...] = ("active", "new", "disputed")
SCORED: tuple[State, ...] = ("active", "new", "dropped")
"""Of two that contradict each other neither counts, nor does what was meant for somebody else."""
_STYLES = {"ok": "bold $success", "x": "bold $error", "?": "$muted"}


@dataclass(frozen=True, kw_only=True)
class Requirement:
    """One requirement with what is known of it."""

    nth: int
    label: str
    text: str
    family: str = ""
    state: State = "active"
    judged: Judged | None = None
    place: str = ""
    """Where it first fails, such as `ln 3 col 18`."""

    @property
    def mark(self) -> str:
        return "?" if self.judged is None else "ok" if self.judged.passed else "x"


def with_verdicts(requirements: Sequence[Asked], judged: Sequence[Judged], text: str) -> tuple[Requirement, ...]:
    """Return the requirements in order, each with its verdict if there is one; places are those of `text`."""
    verdicts = {one.nth: one for one in judged}
    named = {one.nth: one for one in requirements}
    lines = Lines(text)
    return tuple(_requirement(nth, named.get(nth), verdicts.get(nth), lines) for nth in sorted({*named, *verdicts}))


def _requirement(nth: int, asked: Asked | None, judged: Judged | None, lines: Lines) -> Requirement:
    family = asked.family if asked else judged.family if judged else ""
    return Requirement(
        nth=nth,
        label=(asked.label if asked else None) or str(nth),
        text=asked.text if asked else family,
        family=family,
        state=asked.state if asked else "active",
        judged=judged,
        place=_place(judged, lines) if judged is not None else "",
    )


def _place(judged: Judged, lines: Lines) -> str:
    if judged.passed or not judged.spans:
        return ""
    line, column = lines.place(judged.spans[0][0])
    more = f", {len(judged.spans) - 1} more" if len(judged.spans) > 1 else ""
    return f"ln {line + 1} col {column + 1}{more}"


def met_words(requirements: Sequence[Requirement]) -> str:
    """Return how many of those that count are met, such as `2 of 5 met`."""
    counting = [one for one in requirements if one.state in SCORED]
    met = sum(one.judged is not None and one.judged.passed for one in counting)
    return f"{met} of {len(counting)} met"


def all_met(requirements: Sequence[Requirement]) -> bool:
    return all(one.judged is not None and one.judged.passed for one in requirements if one.state in SCORED)


def standing_words(requirements: Sequence[Requirement]) -> str:
    """Return how many are in force, new and dropped, such as `9 in force, 1 new, 1 dropped`."""
    counts = (
        (sum(one.state in IN_FORCE for one in requirements), "in force"),
        (sum(one.state == "new" for one in requirements), "new"),
        (sum(one.state == "dropped" for one in requirements), "dropped"),
    )
    return ", ".join(f"{count} {word}" for count, word in counts if count or word == "in force")


def requirement_content(one: Requirement, width: int, most: int, *, marked: bool, ticked: bool = False) -> Content:
    """Return one requirement in lines of at most `width` cells, `most` of them for its own words, then what was found.

    Args:
        marked: begin with the mark of its verdict: ok, x, or ? where there is none.
        ticked: whether the person has ticked it by hand.
    """
    head = _head(one, marked=marked, ticked=ticked)
    indent, room = head.cell_length, max(width - head.cell_length, 10)
    said, family = STATE_WORDS[one.state], _family(one, width)
    first, *rest = _few_lines(family + said + one.text, room, most)
    told = Content.assemble((family, "$muted"), _with_state(first[len(family) :], said))
    lines = [head + told, *(Content(" " * indent + line) for line in rest)]
    if one.judged is not None:
        found = f"{one.judged.seen}  ({one.place})" if one.place else one.judged.seen
        style = "$muted" if one.judged.passed or one.state not in SCORED else "$error"
        lines += [Content.styled(" " * indent + line, style) for line in _few_lines(found, room, SEEN_LINES) if line]
    return Content("\n").join(lines)


def requirement_line(one: Requirement, width: int, *, marked: bool, ticked: bool = False) -> Content:
    """Return one requirement in one line of exactly `width` cells: its words cut, and what failed at the end."""
    head = _head(one, marked=marked, ticked=ticked) + Content.styled(_family(one, width), "$muted")
    said = STATE_WORDS[one.state]
    failed = ""
    if one.judged is not None and not one.judged.passed:
        failed = shown_cell(one.judged.seen.split(";")[0])
        most = min(FOUND_WIDTH, max((width - head.cell_length) // 3, 4))
        failed = " " + (failed if cell_len(failed) <= most else set_cell_size(failed, most - 1) + "…")
    room = max(width - head.cell_length - cell_len(failed), 4)
    (words,) = _few_lines(said + one.text, room, 1)
    words = set_cell_size(words, room)
    return Content.assemble(head, _with_state(words, said), (failed, "$error" if one.state in SCORED else "$muted"))


def lines_needed(requirements: Sequence[Requirement], width: int, most: int) -> int:
    """Return how many lines it takes to tell all in full, whatever will be found of them."""
    room = width - HEAD
    return sum(len(_few_lines(STATE_WORDS[one.state] + one.text, room, most)) + USUAL_SEEN for one in requirements)


def _head(one: Requirement, *, marked: bool, ticked: bool) -> Content:
    """Return what stands before the words of a requirement, `HEAD` cells: mark, tick, label."""
    return Content.assemble(
        (f"{one.mark:<2} " if marked else "   ", _STYLES[one.mark] if one.state in SCORED else "$muted"),
        "v " if ticked else "  ",
        (f"{set_cell_size(shown_cell(one.label), 3)} ", "bold"),
    )


def _family(one: Requirement, width: int) -> str:
    """Return the short name of a requirement's family, padded; empty where a line has no room for it."""
    if width < FAMILY_FROM:
        return ""
    return f"{FAMILIES.get(one.family, one.family[: FAMILY_WIDTH - 1]):<{FAMILY_WIDTH}}"


def _with_state(line: str, said: str) -> Content:
    """Set off the words that say how a requirement stands, as far as they are on this line."""
    shared = line[: len(said)] if said.startswith(line[: len(said)]) else ""
    return Content.assemble((shared, "bold $warning"), line[len(shared) :])


def _few_lines(text: str, width: int, most: int) -> list[str]:
    """Return the first lines of a text, an ellipsis at the end where there are more."""
    lines = wrapped(shown_block(text[: width * (most + 1)]), width)
    if len(lines) <= most and len(text) <= width * (most + 1):
        return lines
    last = lines[most - 1] if len(lines) >= most else lines[-1]
    cut = last if cell_len(last) < width else set_cell_size(last, width - 1).rstrip(" ")
    return [*lines[: most - 1], cut + "…"]
