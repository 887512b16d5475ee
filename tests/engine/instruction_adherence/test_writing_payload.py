"""The public payload of a writing task is two keys wide and refuses everything else."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import UsageError
from engine.instruction_adherence.writing import WritingPayload, read_writing, writing_document, writing_text

TURN = st.text(st.characters(codec="utf-8"), min_size=1).filter(lambda text: text.strip() != "")
PAYLOADS = st.one_of(
    st.builds(lambda turn: WritingPayload(mode="single", turns=(turn,)), TURN),
    st.builds(lambda turns: WritingPayload(mode="multi", turns=tuple(turns)), st.lists(TURN, min_size=4, max_size=12)),
)


@given(PAYLOADS)
def test_reading_is_the_inverse_of_writing(payload: WritingPayload) -> None:
    text = writing_text(payload)
    assert read_writing(text) == payload
    assert writing_text(read_writing(text)) == text


def test_json_shape() -> None:
    payload = WritingPayload(mode="single", turns=("Write.",))
    assert writing_document(payload) == {"mode": "single", "turns": ["Write."]}
    assert writing_text(payload) == '{"mode":"single","turns":["Write."]}'


@pytest.mark.parametrize(
    ("document", "reason"),
    [
        ({"mode": "single"}, "turns"),
        ({"turns": ["a"]}, "mode"),
        ({"mode": "single", "turns": ["a"], "witness": "a"}, "witness"),
        ({"mode": "both", "turns": ["a"]}, "both"),
        ({"mode": "single", "turns": "a"}, "turns"),
        ({"mode": "single", "turns": [1]}, "turns"),
        ({"mode": "single", "turns": []}, "0 turns in mode 'single'; exactly one"),
        ({"mode": "single", "turns": ["a", "b"]}, "2 turns in mode 'single'; exactly one"),
        ({"mode": "multi", "turns": ["a"] * 3}, "3 turns in mode 'multi'; 4 to 12"),
        ({"mode": "multi", "turns": ["a"] * 13}, "13 turns in mode 'multi'; 4 to 12"),
        ({"mode": "single", "turns": [" \n"]}, "turn 1 is empty"),
        ({"mode": "multi", "turns": ["a", "b", "", "d"]}, "turn 3 is empty"),
        ([], "object"),
    ],
)
def test_what_is_not_a_payload_is_refused(document: Any, reason: str) -> None:
    with pytest.raises(UsageError, match=reason) as caught:
        read_writing(json.dumps(document), where="row 7")
    assert caught.value.message.startswith("row 7: ")


def test_a_repeated_key_is_refused() -> None:
    with pytest.raises(UsageError, match="occurs twice"):
        read_writing('{"mode": "single", "mode": "single", "turns": ["a"]}')


def test_a_payload_is_frozen() -> None:
    with pytest.raises(AttributeError):
        WritingPayload(mode="single", turns=("a",)).mode = "multi"  # type: ignore[misc]
