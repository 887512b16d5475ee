"""Short names of single practice puzzles: a length and a number, from which the puzzle is drawn the same everywhere.

    6-K7QX2M-G      a code: the length, the number, a check character
    number          0 .. 2**30 - 1, written in Crockford's 32 characters, which hold no I, L, O or U

A code is public, and with it everything that is drawn from it: codes are for practice only. Their puzzles come from
the range of public seeds, a study's from 256 secret bits of the system; so the two never meet.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from engine.errors import UsageError, quoted
from engine.randomness import derive

FEWEST, MOST = 4, 10
"""Lengths that have codes, in events of the question."""
LETTERS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
WIDTH = 6
"""Characters of a number."""
NUMBERS = len(LETTERS) ** WIDTH
SEED_BITS = 63
"""A public seed has so many bits at most."""
DAILY_LENGTH = 6
PACK_MARK = "P"
"""First character of the code of a puzzle of the built-in pack; the first eight hex digits of its id follow."""
PACK_DIGITS = 8
_READ_AS = str.maketrans("OIL", "011")


@dataclass(frozen=True, kw_only=True)
class PuzzleCode:
    """One practice puzzle."""

    complexity: int
    number: int

    def __str__(self) -> str:
        return f"{self.complexity}-{_written(self.number)}-{_check(self.complexity, self.number)}"

    def seed(self) -> int:
        """Return the public seed that the puzzle is drawn from."""
        return derive("players/puzzle", self.complexity, self.number) >> (256 - SEED_BITS)

    def index(self) -> int:
        """Return the index under that seed; which of the two it is decides the label, so it is drawn on its own."""
        return derive("players/label", self.complexity, self.number) % 2


def daily_code(day: str) -> PuzzleCode:
    """Return the puzzle of a day, given as `YYYY-MM-DD` in UTC: the same for everybody."""
    return PuzzleCode(complexity=DAILY_LENGTH, number=derive("players/daily", day) % NUMBERS)


def ladder_code(player: str, complexity: int, nth: int) -> PuzzleCode:
    """Return a player's nth puzzle of one length on the ladder, from 0."""
    return PuzzleCode(complexity=complexity, number=derive("players/ladder", player, complexity, nth) % NUMBERS)


def read_code(text: str) -> PuzzleCode:
    """Return the puzzle that a code names; case, blanks, dashes, and O for 0 or I for 1 do not matter.

    Raises:
        UsageError: not a code, or one with a slip of the pen.
    """
    plain = _plain(text)
    found = re.fullmatch(f"(10|[4-9])([{LETTERS}]{{{WIDTH}}})([{LETTERS}])", plain)
    if found is None:
        raise UsageError(f"code {quoted(text)} is not one; a code looks like {daily_code('2025-01-01')}")
    complexity, number = int(found[1]), _read(found[2])
    if found[3] != _check(complexity, number):
        raise UsageError(
            f"code {quoted(text)} has a slip in it: its last character does not fit the rest; read it again"
        )
    return PuzzleCode(complexity=complexity, number=number)


def pack_code(puzzle_id: str) -> str:
    """Return the code of a puzzle of the built-in pack."""
    return f"{PACK_MARK}-{puzzle_id[:PACK_DIGITS].upper()}"


def pack_digits(text: str) -> str | None:
    """Return the first digits of the id that a code of the built-in pack names; None for any other text."""
    found = re.fullmatch(f"{PACK_MARK}([0-9A-F]{{{PACK_DIGITS}}})", _plain(text))
    return found[1].lower() if found else None


def _plain(text: str) -> str:
    return re.sub(r"[\s-]", "", text).upper().translate(_READ_AS)


def _written(number: int) -> str:
    return "".join(LETTERS[number >> 5 * place & 31] for place in reversed(range(WIDTH)))


def _read(letters: str) -> int:
    number = 0
    for letter in letters:
        number = number << 5 | LETTERS.index(letter)
    return number


def _check(complexity: int, number: int) -> str:
    return LETTERS[derive("players/check", complexity, number) % len(LETTERS)]
