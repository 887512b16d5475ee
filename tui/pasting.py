"""What of a paste goes into a text field, and how many characters there are that nobody can see."""

from __future__ import annotations

import re
from collections.abc import Callable
from time import monotonic

from tui.shown import INVISIBLE

PASTE_LIMIT = 20_000
"""Longest paste, in characters: an editor slows down on more."""
PATIENCE_S = 5.0
"""So long after the last bytes of a paste whose end did not come it is over: keys would never be keys again."""
_DROPPED = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")
_INVISIBLE = re.compile(f"[{INVISIBLE}]")
_BEGIN, _END = "\x1b[200~", "\x1b[201~"
_STEERING = str.maketrans({"\x00": "\x1a", "\x1b": "\x1a"})


def pasted(text: str) -> tuple[str, int]:
    """Return what of a paste is kept, its line ends as LF, and how many characters are left out.

    Left out are controls other than newline and tab, halves of surrogate pairs, and all beyond the limit.
    """
    lines = text.replace("\r\n", "\n").replace("\r", "\n")
    kept = _DROPPED.sub("", lines)[:PASTE_LIMIT]
    return kept, len(lines) - len(kept)


def invisible_count(text: str) -> int:
    return 0 if text.isascii() else len(_INVISIBLE.findall(text))


class PasteStream:
    """Keeps a paste in one piece on its way from the terminal to Textual's parser.

    That parser takes an escape character inside of a bracketed paste for a key, types what follows it letter by letter
    before the rest of the paste, and drops NUL without counting it. Here both become another control character, which
    the field drops and counts like all others.
    """

    def __init__(self, monotonic: Callable[[], float] = monotonic) -> None:
        self._monotonic = monotonic
        self._came = 0.0
        self._inside = False
        self._tail = ""
        """The end of what came, where a marker may have begun: returned already outside of a paste, held inside."""

    def feed(self, data: str) -> str:
        """Return what is to be parsed of all that came so far and was not returned before; perhaps nothing yet."""
        self._came = self._monotonic()
        done: list[str] = []
        while data:
            take = self._pasted if self._inside else self._typed
            part, data = take(data)
            done.append(part)
        return "".join(done)

    def tick(self) -> str:
        """Return what ends a paste that has waited too long for its end; nothing in general."""
        if not self._inside or self._monotonic() - self._came < PATIENCE_S:
            return ""
        rest, self._inside, self._tail = self._tail.translate(_STEERING), False, ""
        return rest + _END

    def _typed(self, data: str) -> tuple[str, str]:
        """Return what comes before the next paste, its marker included, and the rest."""
        joined, known = self._tail + data, len(self._tail)
        at = joined.find(_BEGIN)
        if at < 0:
            self._tail = joined[1 - len(_BEGIN) :]
            return data, ""
        self._inside, self._tail = True, ""
        end = at + len(_BEGIN)
        return joined[known:end], joined[end:]

    def _pasted(self, data: str) -> tuple[str, str]:
        """Return what is sure to belong to the paste, with the marker at its end if it is there, and the rest."""
        text, found, rest = (self._tail + data).partition(_END)
        self._tail = "" if found else _beginning(text)
        self._inside = not found
        return text[: len(text) - len(self._tail)].translate(_STEERING) + found, rest


def _beginning(text: str) -> str:
    """Return the end of a text that may be the beginning of the marker at the end of a paste."""
    lengths = range(min(len(_END) - 1, len(text)), 0, -1)
    return next((text[-length:] for length in lengths if text.endswith(_END[:length])), "")
