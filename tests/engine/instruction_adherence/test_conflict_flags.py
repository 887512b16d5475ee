"""A conflict is flagged by one sentence that says so and names one of the two requirements."""

from __future__ import annotations

import string

import pytest

from engine.instruction_adherence.flagging import FLAG_PHRASES, FLAGS, flags_conflict
from engine.instruction_adherence.inflection import forms
from engine.instruction_adherence.text import Reading

PAIR = ("Write without commas.", 'Include exactly 6 bullet points, each on a line of its own that begins with "- ".')


@pytest.mark.parametrize(
    "text",
    [
        "These two conflict: no commas and bullets.",
        "The request for bullet points contradicts the earlier one.",
        "Your new rule about commas is incompatible with the old rule.",
        "I cannot both list the bullets and leave them out.",
        "I can't both drop the commas and keep them.",
        "The comma ban and the list are mutually exclusive.",
        "The demand for points is at odds with what you said before.",
        "- The comma rule clashes with the new one",
        "Sure. There is a contradiction in what you ask about commas. I follow neither.",
        "THE COMMA RULES ARE CONTRADICTORY.",
        "The bullets and the ban oppose each other.",
    ],
)
def test_flagged(text: str) -> None:
    assert flags_conflict(Reading(text), PAIR)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "nothing"),
        ("Here is your text with bullets and commas.", "no flag"),
        ("There is a conflict here.", "names neither"),
        ("These are incompatible. Commas are left out.", "in two sentences"),
        ("The heroes clash at dawn on the bridge.", "a story"),
        ("The commas and bullets do not conflict.", "denied"),
        ("There is no real conflict about commas.", "denied"),
        ("I wrote exactly this response in conflict.", "plain words of a requirement"),
        ("# Conflict about commas", "a heading is no sentence"),
        ("<<conflict about commas>>", "a title is no sentence"),
        ("REQUIREMENTS:\nThe commas conflict.\nEND REQUIREMENTS\nText.", "inside a block that is removed"),
    ],
)
def test_not_flagged(text: str, why: str) -> None:
    assert not flags_conflict(Reading(text), PAIR), why


@pytest.mark.parametrize("letter", string.ascii_lowercase)
def test_every_lipogram_leaves_a_flag(letter: str) -> None:
    assert any(letter not in flag for flag in FLAGS)


def test_every_flag_flags() -> None:
    for flag in (*FLAGS, *(" ".join(phrase) for phrase in FLAG_PHRASES)):
        assert flags_conflict(Reading(f"The commas {flag} here."), PAIR), flag
    assert {"conflicting", "clashes", "colliding", "opposed"} <= frozenset().union(*map(forms, FLAGS))
