"""How often the two heuristics agree with a careful reader, on sentences that shaped them and on others."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from engine.instruction_adherence.constraints.registry import TYPES
from engine.instruction_adherence.text import Reading

LIST = yaml.safe_load((Path(__file__).parents[2] / "cases" / "heuristic_sentences.yaml").read_text(encoding="utf-8"))
FEWEST = 64
"""Sentences a type, of those that shaped the heuristics."""


def agreed(name: str, side: str) -> tuple[int, int]:
    """Return how many sentences of a side got their verdict, and how many there are."""
    sentences = LIST[name][side]
    checker = TYPES[f"lang.{name}"].of({})
    keeps = side.startswith("keeps")
    return sum(checker.check(Reading(text)).passed is keeps for text in sentences), len(sentences)


@pytest.mark.parametrize("name", ["present_tense", "no_passive"])
def test_shaping_sentences_are_all_judged_right(name: str) -> None:
    assert len(LIST[name]["keeps"]) + len(LIST[name]["leaves"]) >= FEWEST
    for side in ("keeps", "leaves"):
        right, total = agreed(name, side)
        assert right == total


@pytest.mark.parametrize(
    ("name", "side", "measured"),
    [
        ("present_tense", "keeps_unseen", 17), ("present_tense", "leaves_unseen", 20),
        ("no_passive", "keeps_unseen", 20), ("no_passive", "leaves_unseen", 19),
    ],
)  # fmt: skip
def test_agreement_on_unseen_sentences_is_as_measured(name: str, side: str, measured: int) -> None:
    assert agreed(name, side) == (measured, 20)
