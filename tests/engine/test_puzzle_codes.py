"""Codes: read back what is written, forgive what people do to them, and catch slips."""

from __future__ import annotations

import re
from contextlib import suppress
from datetime import date, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import UsageError
from engine.hidden_systems.program.generate import FEWEST as SHORTEST
from engine.hidden_systems.program.generate import MOST as LONGEST
from engine.puzzle_codes import (
    DAILY_LENGTH,
    FEWEST,
    LETTERS,
    MOST,
    NUMBERS,
    SEED_BITS,
    PuzzleCode,
    daily_code,
    ladder_code,
    pack_code,
    pack_digits,
    read_code,
)
from engine.store.pack import Pack
from engine.store.places import builtin_pack

ROOT = Path(__file__).parents[2]

codes = st.builds(
    PuzzleCode,
    complexity=st.integers(FEWEST, MOST),
    number=st.one_of(st.integers(0, NUMBERS - 1), st.just(NUMBERS - 1)),
)


@given(codes)
def test_a_code_reads_back(code: PuzzleCode) -> None:
    assert read_code(str(code)) == code
    assert read_code(f"  {str(code).lower().replace('-', ' ')} ") == code
    assert read_code(str(code).replace("0", "o").replace("1", "l")) == code
    assert pack_digits(str(code)) is None


@given(codes, st.data())
def test_one_wrong_character_is_nearly_always_caught(code: PuzzleCode, data: st.DataObject) -> None:
    plain = str(code).replace("-", "")
    at = data.draw(st.integers(len(plain) - 7, len(plain) - 1))
    wrong = data.draw(st.sampled_from([letter for letter in LETTERS if letter != plain[at]]))
    slipped = plain[:at] + wrong + plain[at + 1 :]
    try:
        assert read_code(slipped) != code
    except UsageError as error:
        assert "slip" in error.line()


def test_of_all_slips_in_a_code_one_in_thirty_two_passes() -> None:
    plain = str(PuzzleCode(complexity=7, number=123_456_789)).replace("-", "")
    slips = [plain[:at] + other + plain[at + 1 :] for at in range(1, 8) for other in LETTERS if other != plain[at]]
    assert sum(_reads(slip) for slip in slips) <= len(slips) * 3 / 32


def _reads(text: str) -> bool:
    try:
        read_code(text)
    except UsageError:
        return False
    return True


@pytest.mark.parametrize(
    "text", ["", "6", "3-000000-0", "11-000000-0", "6-00000-0", "6-0000000-0", "x" * 5000, "6-ÄÖÜ000-0"]
)
def test_what_is_no_code_is_refused_in_one_line(text: str) -> None:
    with pytest.raises(UsageError, match="a code looks like 6-") as caught:
        read_code(text)
    assert len(caught.value.line()) < 400


@given(st.text())
def test_any_text_is_read_or_refused(text: str) -> None:
    with suppress(UsageError):
        read_code(text)


def test_codes_reach_every_length_the_generator_has() -> None:
    assert (FEWEST, MOST) == (SHORTEST, LONGEST)


def test_a_code_s_seed_is_in_the_public_range_and_its_labels_balance() -> None:
    some = [PuzzleCode(complexity=6, number=number) for number in range(2000)]
    assert all(0 <= code.seed() < 2**SEED_BITS for code in some)
    assert len({code.seed() for code in some}) == len(some)
    assert 900 < sum(code.index() for code in some) < 1100


def test_every_day_has_a_puzzle_of_its_own() -> None:
    days = [(date(2025, 1, 1) + timedelta(days=nth)).isoformat() for nth in range(1000)]
    found = [daily_code(day) for day in days]
    assert len(set(found)) == len(days) and {code.complexity for code in found} == {DAILY_LENGTH}
    assert str(daily_code("2025-01-01")) == "6-P1MDNR-J", "a day's puzzle never changes"


def test_a_ladder_belongs_to_its_player() -> None:
    assert ladder_code("ada", 5, 0) != ladder_code("ben", 5, 0) != ladder_code("ben", 5, 1)
    assert ladder_code("ada", 5, 0) == ladder_code("ada", 5, 0)


@given(st.binary(min_size=16, max_size=16))
def test_the_code_of_a_pack_s_puzzle_gives_the_first_digits_of_its_id(identity: bytes) -> None:
    assert pack_digits(pack_code(identity.hex())) == identity.hex()[:8]
    assert pack_digits(pack_code(identity.hex()).lower()) == identity.hex()[:8]


@pytest.mark.parametrize("place", ["docs/playing.md", "tui/screens/code.py"])
def test_codes_given_as_examples_can_be_played(place: str) -> None:
    told = re.findall(r"\b(?:10|[4-9P])-[0-9A-Z-]{6,8}\b", (ROOT / place).read_text(encoding="utf-8"))
    with Pack.open(builtin_pack()) as pack:
        known = {entry.id[:8] for entry in pack.puzzles()}
    assert {code[:2] for code in told} == {"6-", "P-"}
    for code in told:
        digits = pack_digits(code)
        assert digits in known if digits else read_code(code)
