"""The table of all constraint types in Markdown, made from the types themselves.

    python -m engine.instruction_adherence.table > docs/constraints.md

The example of a type is its first phrasing with parameters drawn for this table alone, so the text is always the same.
"""

from __future__ import annotations

from collections.abc import Iterator

from engine.instruction_adherence.constraint import Constraint
from engine.instruction_adherence.constraints.registry import ALL, TRAINABLE
from engine.instruction_adherence.families import FAMILIES
from engine.randomness import Stream

COLUMNS = ("id", "family", "difficulty", "eval only", "hard family", "example phrasing")


def table() -> str:
    """Return the document."""
    return "\n".join([*_head(), *_rows(), ""])


def _head() -> Iterator[str]:
    yield "# Constraints"
    yield ""
    yield f"{len(ALL)} types in {len(FAMILIES)} families; {len(TRAINABLE)} are trainable, the others are heuristics"
    yield "for evaluation only. Difficulty runs from 1 to 5. Every type has three or four phrasings, of which the first"
    yield "is shown with parameters drawn as an example. This page is generated; do not edit it by hand:"
    yield ""
    yield "    python -m engine.instruction_adherence.table > docs/constraints.md"
    yield ""


def _rows() -> Iterator[str]:
    yield f"| {' | '.join(COLUMNS)} |"
    yield "|---" * len(COLUMNS) + "|"
    for kind in ALL:
        yield f"| {' | '.join(_cells(kind))} |"


def _cells(kind: type[Constraint]) -> Iterator[str]:
    yield f"`{kind.id}`"
    yield kind.family
    yield str(kind.difficulty)
    yield "**yes**" if kind.eval_only else "no"
    yield kind.hard_family or ""
    yield _escaped(kind.sample(Stream("constraint table", kind.id)).render(0))


def _escaped(text: str) -> str:
    """Return a text in which no character is taken for Markdown or HTML."""
    shown = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return "".join(f"\\{char}" if char in "\\|*_[]`#" else char for char in shown)


if __name__ == "__main__":
    print(table(), end="")
