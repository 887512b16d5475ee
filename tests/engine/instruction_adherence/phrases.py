"""Word-4-grams of seed tasks, by which tests tell phrases apart."""

from __future__ import annotations

import re


def grams(text: str) -> set[tuple[str, ...]]:
    """Return the word-4-grams of a text; a slot counts as one word."""
    words = re.findall(r"[a-z'-]+|\{", re.sub(r"\{[a-z]+\}", "{", text.lower()))
    return {tuple(words[start : start + 4]) for start in range(len(words) - 3)}
