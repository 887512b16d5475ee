"""A text in the making: blocks of rows of sentences whose words are filled in one by one, and its final form."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from engine.instruction_adherence.blocks import PartKind
from engine.instruction_adherence.demands import Demands
from engine.instruction_adherence.layout import Layout
from engine.instruction_adherence.text import Reading


@dataclass(eq=False)
class Sentence:
    """Slots for words; None is a slot that is still free."""

    words: list[str | None]
    home: int | None = None
    """Index of its paragraph; None in a list item or title."""
    foreign: bool = False
    letter: str | None = None
    """The capital letter that it must begin with."""
    fixed: set[int] = field(default_factory=set)
    """Slots whose text must stay as it is: neither bold nor capitalised."""
    bold: set[int] = field(default_factory=set)
    date: str = ""
    """Follows the last word; empty for none."""
    mark: str = "."

    def free(self) -> list[int]:
        return [index for index, word in enumerate(self.words) if word is None]

    def text(self, *, capital: bool) -> str:
        words = [word or "" for word in self.words]
        if capital and words and 0 not in self.fixed:
            words[0] = words[0][:1].upper() + words[0][1:]
        shown = [f"**{word}**" if index in self.bold else word for index, word in enumerate(words) if word]
        if self.date:
            shown.append(self.date)
        return " ".join(shown) + self.mark


@dataclass
class Row:
    """A line: what stands before its sentences, and the sentences."""

    prefix: str
    sentences: list[Sentence]


@dataclass
class Block:
    """Lines with a blank line before and after them; a heading or a separator is a fixed text."""

    kind: PartKind
    rows: list[Row]
    fixed: str = ""


@dataclass
class Document:
    """The body of a text."""

    blocks: list[Block]

    def sentences(self) -> list[Sentence]:
        """Return what counts as sentences, in order."""
        return [
            sentence
            for block in self.blocks
            if block.kind in ("paragraph", "bullets", "numbered")
            for row in block.rows
            for sentence in row.sentences
        ]

    def rows(self) -> Iterator[Sentence | Sequence[str]]:
        """Yield sentences, and the words of fixed lines, in order."""
        for block in self.blocks:
            if block.fixed:
                yield Reading(block.fixed).words
            for row in block.rows:
                yield from row.sentences

    def paragraph(self, index: int) -> list[Sentence]:
        return [sentence for sentence in self.sentences() if sentence.home == index]

    def text(self, *, capital: bool) -> str:
        return "\n\n".join(_block_text(block, capital) for block in self.blocks)


def _block_text(block: Block, capital: bool) -> str:
    if block.fixed:
        return block.fixed
    lines = [row.prefix + " ".join(s.text(capital=capital) for s in row.sentences) for row in block.rows]
    return f"<<{lines[0]}>>" if block.kind == "title" else "\n".join(lines)


def document_of(layout: Layout, demands: Demands, *, numbered: bool) -> Document:
    """Return the document of a layout, with free slots but for headings and foreign sentences.

    Args:
        numbered: whether paragraphs begin with their number in brackets.
    """
    blocks: list[Block] = []
    for kind, first, last in layout.parts:
        match kind:
            case "rule":
                blocks.append(Block(kind, [], "---"))
            case "heading":
                blocks.append(Block(kind, [], demands.headers[first]))
            case "padding":
                blocks.append(Block(kind, [Row("# ", [_unmarked(first)])]))
            case "title":
                blocks.append(Block(kind, [Row("", [_unmarked(layout.title)])]))
            case "paragraph":
                blocks.append(Block(kind, _paragraph_rows(layout, demands, first, numbered)))
            case "bullets":
                blocks.append(Block(kind, [Row("- ", [_unmarked(size)]) for size in layout.bullets[first:last]]))
            case "numbered":
                blocks.append(Block(kind, _numbered_rows(layout, demands)))
    return Document(blocks)


def _unmarked(size: int) -> Sentence:
    return Sentence([None] * size, mark="")


def _paragraph_rows(layout: Layout, demands: Demands, index: int, numbered: bool) -> list[Row]:
    rows: list[Row] = []
    foreign = demands.foreign is not None and demands.foreign.paragraph - 1 == index
    for nth, sizes in enumerate(layout.paragraphs[index]):
        prefix = f"[{index + 1}] " if numbered and nth == 0 else ""
        if foreign and layout.foreign is not None:
            sentences = [Sentence(list(text.split()), index, True) for text in layout.foreign.lines[nth]]
        else:
            sentences = [Sentence([None] * size, index) for size in sizes]
        rows.append(Row(prefix, sentences))
    return rows


def _numbered_rows(layout: Layout, demands: Demands) -> list[Row]:
    assert demands.numbered is not None
    rows: list[Row] = []
    for nth, size in enumerate(layout.numbered, start=1):
        rows.append(Row(f"{nth}. ", [_unmarked(size)]))
        if nth == demands.numbered.item_with_sublist:
            for entry, words in enumerate(layout.nested, start=1):
                rows.append(Row("   - " if layout.nested_bullets else f"   {entry}. ", [_unmarked(words)]))
    return rows
