"""Reads a model's label from its raw text. A text that cannot be read is a status, never a wrong answer."""

from __future__ import annotations

from engine.hidden_systems.behavior import LABELS, Label

PARSER_VERSION = "bare-label/1"


def parse_label(raw: str) -> Label | None:
    """Return the label if the whole text is one, give or take surrounding white space; else None: unparsable."""
    text = raw.strip()
    return next((label for label in LABELS if text == label), None)
