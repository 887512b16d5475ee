"""One JSON question in, one JSON answer out; what cannot be answered exactly is refused in one short line."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import ClewError, ProgramError, UsageError
from engine.hidden_systems.gold import answer_line

RULE = '{{"id": "r1", "on_event": "E", "conditions": {conditions}, "probability": {p}, "action": "ADD_RECORD"}}'
GATE = '[{"source": "attribute", "key": "a", "operator": "LE", "value": 0.3}]'
HEADER = '"initial_record": "ABSENT", "conflict_policy": "PERSISTENT_INVALIDATION_VETO"'


def question(
    p: str = "0.5", attributes: str = "{}", events: str = '["E"]', conditions: str = "[]", more: str = ""
) -> str:
    rule = RULE.format(p=p, conditions=conditions)
    return f'{{"system": {{{HEADER}, "rules": [{rule}]}}, "attributes": {attributes}, "events": {events}{more}}}'


@pytest.mark.parametrize(
    ("p", "probability", "answer"),
    [
        ("0.5", 0.5, "ABSENT"), ("0.50000000000000000000000000000001", 0.5, "PRESENT"), ("1", 1.0, "PRESENT"),
        ("0", 0.0, "ABSENT"), ("5e-1", 0.5, "ABSENT"), ("1e-400", 0.0, "ABSENT"), ('"13/20"', 0.65, "PRESENT"),
        ("1.0", 1.0, "PRESENT"), ("0.499999999999999999999999", 0.5, "ABSENT"),
    ],
)  # fmt: skip
def test_numbers_are_taken_as_written(p: str, probability: float, answer: str) -> None:
    assert json.loads(answer_line(question(p))) == {"present_probability": probability, "answer": answer}


def test_decimals_of_attributes_are_taken_as_written() -> None:
    for written, expected in (("0.3", 1.0), ("0.30000000000000000000001", 0.0), ("3e-1", 1.0), ("-7", 1.0)):
        answer = json.loads(answer_line(question("1", f'{{"a": {written}}}', conditions=GATE)))
        assert answer["present_probability"] == expected, written


def test_answer_is_one_line_with_two_keys() -> None:
    assert answer_line(question("0.65")) == '{"present_probability": 0.65, "answer": "PRESENT"}'


def test_vocabulary_is_optional() -> None:
    assert "ABSENT" in answer_line(question(events='["anything"]'))
    assert "ABSENT" in answer_line(question(events='["X"]', more=', "event_vocabulary": ["X", "E"]'))
    with pytest.raises(ProgramError, match=r"event 'Y' is not in the event vocabulary; known: \['E', 'X'\]"):
        answer_line(question(events='["Y"]', more=', "event_vocabulary": ["X", "E"]'))
    with pytest.raises(ProgramError, match="on_event 'E' is not in the event vocabulary"):
        answer_line(question(events='["X"]', more=', "event_vocabulary": ["X"]'))


LONG = "x" * 1_000_000
REFUSED: dict[str, tuple[str, type[ClewError], str]] = {
    "not JSON": ("{", UsageError, "not JSON"),
    "a list": ("[]", UsageError, "must be an object"),
    "unknown key": (question(more=', "seed": 7'), UsageError, "unknown key 'seed'; legal: ['system', 'attributes',"),
    "missing key": ('{"system": {}, "events": []}', UsageError, "key 'attributes' is missing"),
    "duplicate key": (question(attributes='{"a": 1, "a": 2}'), UsageError, "key 'a' occurs twice"),
    "NaN": (question("NaN"), UsageError, "NaN is not a JSON number"),
    "Infinity": (question("-Infinity"), UsageError, "-Infinity is not a JSON number"),
    "large exponent": (question("1e999999999"), ProgramError, "not a number that can be read exactly"),
    "small exponent": (question("1e-999999999"), ProgramError, "not a number that can be read exactly"),
    "exponent beyond all": (question("1e99999999999999999999"), UsageError, "not a number that can be read exactly"),
    "many digits": (question("0." + "3" * 100_000), ProgramError, "not a number that can be read exactly"),
    "many digits in a whole number": (question("3" * 100_000), UsageError, "too many digits"),
    "many digits in fraction text": (question(f'"1/{"3" * 100_000}"'), ProgramError, "must be a number in [0, 1]"),
    "probability above 1": (question("1.25"), ProgramError, "rule 'r1': probability 1.25 must be a number in [0, 1]"),
    "probability bool": (question("true"), ProgramError, "probability true"),
    "probability null": (question("null"), ProgramError, "probability null"),
    "attribute null": (question(attributes='{"a": null}'), ProgramError, "attribute 'a': null is not a value"),
    "attribute list": (question(attributes='{"a": [1.5]}'), ProgramError, "attribute 'a'"),
    "attributes list": (question(attributes="[]"), ProgramError, "attributes [] must be an object"),
    "events text": (question(events='"E"'), ProgramError, "events 'E' must be a list"),
    "event number": (question(events="[3]"), ProgramError, "events: item 1 3 must be a non-empty text"),
    "event empty": (question(events='["E", ""]'), ProgramError, "item 2 ''"),
    "deep list": ("[" * 100_000, UsageError, "nested too deeply"),
    "deep list, closed": ("[" * 900 + "]" * 900, UsageError, "question"),
    "deep attribute": (question(attributes='{"a": ' + "[" * 900 + "]" * 900 + "}"), ClewError, ""),
    "deep object": ('{"a":' * 100_000, UsageError, "nested too deeply"),
    "long key": (f'{{"{LONG}": 1}}', UsageError, "unknown key 'xxx"),
    "long duplicate key": (f'{{"{LONG}": 1, "{LONG}": 2}}', UsageError, "occurs twice"),
    "long event": (question(events=f'["{LONG}"]', more=', "event_vocabulary": ["E"]'), ProgramError, "event 'xxx"),
    "long attribute": (question(attributes=f'{{"a": "{LONG}"}}', conditions=GATE), ProgramError, "LE needs a number"),
    "long probability": (question(f'"{LONG}"'), ProgramError, "probability 'xxx"),
    "lone surrogate": (question('"\\ud800"'), ProgramError, r"probability '\ud800'"),
    "byte order mark": ("\ufeff" + question(), UsageError, "not JSON"),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_hostile_question_is_refused_in_one_short_line(name: str) -> None:
    text, kind, part = REFUSED[name]
    with pytest.raises(kind) as caught:
        answer_line(text)
    line = caught.value.line()
    assert part in line
    assert len(line) < 700 and line.isprintable()
    line.encode("utf-8")


def test_lone_surrogates_are_names_like_others() -> None:
    assert "ABSENT" in answer_line(question(events='["\\ud800"]'))


JSON: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5) | st.sampled_from(["E", "EQ", "f"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["system", "rules", "id", "attributes", "events", "value"]), inner, max_size=4
        )
    ),
    max_leaves=8,
)


@given(st.sampled_from(["id", "on_event", "conditions", "probability", "action", "target"]), JSON)
def test_any_value_anywhere_in_a_rule_is_answered_or_refused(field: str, value: Any) -> None:
    document = json.loads(question())
    document["system"]["rules"][0][field] = value
    _answered_or_refused(json.dumps(document))


@given(st.sampled_from(["source", "key", "operator", "value"]), JSON, JSON)
def test_any_value_anywhere_in_a_condition_is_answered_or_refused(field: str, value: Any, attribute: Any) -> None:
    document = json.loads(question(conditions=GATE))
    document["system"]["rules"][0]["conditions"][0][field] = value
    document["attributes"]["a"] = attribute
    _answered_or_refused(json.dumps(document))


@given(st.text() | JSON.map(json.dumps))
def test_any_text_is_answered_or_refused(text: str) -> None:
    _answered_or_refused(text)


def _answered_or_refused(text: str) -> None:
    try:
        answer = json.loads(answer_line(text))
    except (UsageError, ProgramError) as error:
        assert error.message and error.exit_code == 2
    else:
        assert answer["answer"] == ("PRESENT" if answer["present_probability"] > 0.5 else "ABSENT")
