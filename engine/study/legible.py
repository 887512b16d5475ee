"""Whether a text reaches the screen as it is: the app's display sanitizer must be the identity on all texts of a study.

If it changed a character, the digest on an answer's row would not be that of what the person saw. The characters are
those that the app replaces; a test holds the two lists together.
"""

from __future__ import annotations

from unicodedata import category

MARKS = 8
"""Most combining marks on one base character."""
_RANGES = (
    (0x00, 0x08), (0x0B, 0x1F), (0x7F, 0x9F), (0x061C, 0x061C), (0x180E, 0x180E), (0x200B, 0x200B), (0x200E, 0x200F),
    (0x2028, 0x202E), (0x2060, 0x2060), (0x2066, 0x206F), (0xD800, 0xDFFF), (0xFEFF, 0xFEFF), (0xFFF9, 0xFFFB),
    (0xE0000, 0xE007F),
)  # fmt: skip


def steering(text: str) -> tuple[tuple[int, str], ...]:
    """Return the characters that a screen would not show as they are: (place, such as `U+001B`)."""
    found = []
    marks = 0
    for place, letter in enumerate(text):
        marks = marks + 1 if letter > "\u02ff" and category(letter)[0] == "M" else 0
        if marks > MARKS or _steers(ord(letter)):
            found.append((place, f"U+{ord(letter):04X}"))
    return tuple(found)


def _steers(code: int) -> bool:
    return any(low <= code <= high for low, high in _RANGES)
