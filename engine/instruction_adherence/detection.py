"""Which of six languages a text is in; a text without evidence is in none.

The model takes seconds to load, so it is loaded when the first text is asked about.
"""

from __future__ import annotations

import unicodedata
from functools import cache
from threading import Lock
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from py3langid.langid import LanguageIdentifier

CODES = {
    "English": "en", "French": "fr", "German": "de", "Italian": "it", "Portuguese": "pt", "Spanish": "es",
}  # fmt: skip
_LOADING = Lock()


def detect(text: str) -> str | None:
    """Return the code of the language of a text, case ignored; None for a text that is not in Latin letters."""
    lowered = text.lower()
    letters = [char for char in lowered if char.isalpha()]
    if 2 * sum(map(_is_latin, letters)) <= len(letters):
        return None
    code, score = _identifier().classify(lowered)
    return code if score > _floor() else None


def _is_latin(char: str) -> bool:
    return char.isascii() or unicodedata.name(char, "").startswith("LATIN")


def _identifier() -> LanguageIdentifier:
    with _LOADING:
        return _loaded()


@cache
def _loaded() -> LanguageIdentifier:
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    identifier = LanguageIdentifier.from_model_file(MODEL_FILE)
    identifier.set_languages(sorted(CODES.values()))
    return identifier


@cache
def _floor() -> float:
    """Return the score of a text in which the model finds nothing to go by."""
    from py3langid.langid import RAW_FLOOR

    return float(RAW_FLOOR)
