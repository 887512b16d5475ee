"""Constraints on the answer about itself: an audit block, the requirements restated, paragraphs numbered.

The two blocks are judged in the raw response (they are removed for every other type); their requests say so.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Self

from engine.errors import counted, quoted
from engine.instruction_adherence.constraint import Constraint, Phrases, Verdict, named, nfc, texts, verdict
from engine.instruction_adherence.text import Paragraph, Reading
from engine.instruction_adherence.wordlists import required
from engine.randomness import Stream

Labels = Annotated[
    tuple[str, ...],
    texts(
        'a list of at least one label such as "R1", none twice',
        lambda value: re.fullmatch("R[1-9][0-9]*", value) is not None,
        unique=True,
    ),
]
_MARKER = re.compile(r"\A\s*(?:[-*•]|[0-9]{1,3}[.)]|[a-z][.)]|R[0-9]+:)\s+")


@dataclass(frozen=True, kw_only=True)
class SelfAudit(Constraint):
    """A trailing SELF-AUDIT block with each label once and no other (reading 11)."""

    id = "meta.self_audit"
    difficulty = 3
    tags = frozenset({"raw"})
    phrasings = (
        "Finish with a line SELF-AUDIT and below it one line for each of {labels:plain}, such as R1: yes or R1: no, on "
        "whether you met it. The block is not counted as part of the response.",
        "After the response add a block headed SELF-AUDIT that says yes or no for every one of {labels:plain} (form: "
        "R1: yes), each on its own line; it is left out when the other requirements are checked.",
        "Append a SELF-AUDIT block at the very end: for {labels:plain} a line each with the label, a colon and yes or "
        "no. Nothing in that block counts towards the rest.",
    )
    labels: Labels

    @classmethod
    def sample(cls, stream: Stream) -> Self:
        return cls(labels=tuple(f"R{number}" for number in range(1, stream.between(2, 8) + 1)))

    def check(self, reading: Reading) -> Verdict:
        if reading.audit is None:
            return Verdict(False, "no SELF-AUDIT block at the end; one asked", ())
        given = [claim.label for claim in reading.audit]
        wrong = [
            claim for nth, claim in enumerate(reading.audit)
            if claim.label not in self.labels or claim.label in given[:nth]
        ]  # fmt: skip
        passed = not wrong and len(given) == len(self.labels)
        seen = f"labels: {named(given)}; each of {named(self.labels)} once asked"
        spans = () if passed else reading.clean_spans((claim.start, claim.end) for claim in wrong)
        return Verdict(passed, seen, spans)


@dataclass(frozen=True, kw_only=True)
class Restate(Constraint):
    """Every other requirement, word for word, in a leading block (reading 35)."""

    id = "meta.restate"
    difficulty = 3
    tags = frozenset({"raw"})
    phrasings = (
        "Before you answer, copy every other requirement word for word between a line REQUIREMENTS: and a line END "
        "REQUIREMENTS. That block is not counted as part of the response.",
        "Begin with REQUIREMENTS:, then all other requirements exactly as given, then END REQUIREMENTS on its own "
        "line; the block is left out when the other requirements are checked.",
        "First repeat all the other requirements verbatim, in a block that opens with REQUIREMENTS: and closes with a "
        "line END REQUIREMENTS and that does not count towards the rest; then write the response.",
    )
    requirements: Phrases

    @classmethod
    def sample(cls, stream: Stream) -> Self:
        return cls(requirements=tuple(stream.sample(required().restated, stream.between(1, 4))))

    @cached_property
    def _wanted(self) -> tuple[str, ...]:
        return tuple(" ".join(nfc(requirement).split()) for requirement in self.requirements)

    def check(self, reading: Reading) -> Verdict:
        if reading.restated is None:
            return Verdict(False, "no REQUIREMENTS: ... END REQUIREMENTS block at the start; one asked", ())
        start, end = reading.restated
        lines = [_MARKER.sub("", line) for line in reading.clean[start:end].split("\n")]
        block = " ".join(" ".join(lines).split())
        missing = [wanted for wanted in self._wanted if wanted not in block]
        seen = f"{counted(len(missing), 'requirement')} of {len(self._wanted)} not restated"
        if missing:
            seen += f", such as {quoted(missing[0])}"
        return Verdict(not missing, seen, reading.clean_spans([(start, end)] if missing else []))


@dataclass(frozen=True, kw_only=True)
class NumberParagraphs(Constraint):
    """Paragraphs that begin with [1], [2], ... (reading 12)."""

    id = "meta.number_paragraphs"
    difficulty = 2
    tags = frozenset({"paragraphs", "start"})
    phrasings = (
        "Begin each paragraph with its number in square brackets, from [1] upwards.",
        "Put [1] at the start of the first paragraph, [2] at the start of the second, and so on to the last.",
        "Every paragraph must open with its place in the text: [1], then [2], then [3] and so forth.",
    )

    @classmethod
    def sample(cls, stream: Stream) -> Self:
        return cls()

    def check(self, reading: Reading) -> Verdict:
        paragraphs = reading.paragraphs
        wrong = [
            paragraph for nth, paragraph in enumerate(paragraphs, start=1)
            if not _first_line(reading, paragraph).startswith(f"[{nth}]")
        ]  # fmt: skip
        seen = f"{counted(len(paragraphs), 'paragraph')}, {len(wrong)} without the right number"
        return verdict(reading, bool(paragraphs) and not wrong, seen, (paragraph.place for paragraph in wrong))


def _first_line(reading: Reading, paragraph: Paragraph) -> str:
    line = paragraph.lines[0]
    return reading.text[line.start : line.end].lstrip()


TYPES: tuple[type[Constraint], ...] = (SelfAudit, Restate, NumberParagraphs)
