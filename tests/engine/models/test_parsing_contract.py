"""How a model's text becomes a label: golden cases, in codes and in localised words, and what must always hold."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.hidden_systems.behavior import LABELS
from engine.hidden_systems.surface.domain import domain_names, load_domain
from engine.models.parsing import CHANGED, NO_MARKER, Labels, hear, parse

Z = "\u200b"
FENCED = '```json\n{"answer":"PRESENT"}\n```'
GERMAN = Labels(present="vorhanden", absent="fehlt")
GOLDEN = {
    "PRESENT": (
        "ANSWER: **PRESENT**", "**ANSWER:** PRESENT", "ANSWER: $PRESENT$", r"ANSWER: $\boxed{PRESENT}$",
        "answer: present.", "ANSWER: “PRESENT”", "ANSWER： PRESENT", f"ANSWER:{Z}PRESENT", f"PRE{Z}SENT",
        "ＰＲＥＳＥＮＴ",
        "ANSWER: PRESENT, I think", "ANSWER: PRESENT. Ruled out: ABSENT", "ANSWER: PRESENT\nANSWER: PRESENT",
        "<think>ABSENT?</think>\nANSWER: PRESENT", "ANSWER:\nPRESENT", "The answer: PRESENT",
        "Answer seems to be PRESENT", "present", "PRESENT PRESENT PRESENT", FENCED, '{"answer":"PRESENT"} as shown',
        "Final answer: PRESENT", "> ANSWER: PRESENT since it is likelier", r"\textbf{Answer: PRESENT}", "__PRESENT__",
    ),
    "ABSENT": (
        "ABSENT because PRESENT was rare\nANSWER: ABSENT", "ANSWER: ABSENT because PRESENT was rare",
        "ANSWER: PRESENT\nwait\nANSWER: ABSENT", "## Answer: ABSENT", "- ANSWER: ABSENT", "Final answer: absent",
        "**ANSWER: ABSENT** (fairly sure)", "**ABSENT**.", "At present I lean towards ABSENT.",
    ),
    "ambiguous": (
        "ABSENT because PRESENT was rare", "PRESENT. Ruled out: ABSENT", "not PRESENT", "ANSWER: not PRESENT",
        "It isn't PRESENT.", "PRESENT/ABSENT", "ANSWER: PRESENT/ABSENT", "ANSWER: PRESENT or ABSENT",
        "ANSWER: PRESENT, or ABSENT", "ANSWER: it seems to be PRESENT", "ANSWER: PRESENT is unlikely",
        "ANSWER: PRESENTANSWER: PRESENT", "There is no doubt: PRESENT", "ANSWER: **PRESENT**/**ABSENT**",
        "ANSWER: PRESENT & ABSENT", "I rule out PRESENT",
    ),
    "unparsable": (
        "ABSENTEE", "Absenteeism is present at work", "<think>ANSWER: PRESENT</think>I cannot tell.", "ANSWER: unsure",
        "ANSWER: PRESENT\nANSWER:", "I will not answer that.", "lorem ipsum dolor " * 1700, "ANSWER: ABSENTEE",
        "non-PRESENT-like",
    ),
}  # fmt: skip
UNSAID = {
    "<think>ANSWER: PRESENT": "truncated", "<think>ANSWER: PRESENT</think>": "empty", "": "empty", f"  {Z}\n": "empty",
}  # fmt: skip
STRICT = {
    FENCED: "PRESENT", '{"answer":"PRESENT","answer":"PRESENT"}': "PRESENT", ' {"answer": "ABSENT"} ': "ABSENT",
    '{"answer":"PRESENT","answer":"ABSENT"}': "ambiguous", '{"answer":"PRESENT"} as shown': "unparsable",
    '{"answer":"present"}': "unparsable", '{"answer":"PRES': "unparsable", "PRESENT": "unparsable",
    '{"answer":["PRESENT"]}': "unparsable", '{"a":{"answer":"PRESENT"}}': "unparsable", "[]": "unparsable",
    '{"answer":"ABSENT","why":{"answer":"PRESENT"}}': "ABSENT", f"so: {FENCED}": "unparsable",
}  # fmt: skip


def outcome(text: str, labels: Labels, mode: str = "text") -> str:
    heard = hear(text)
    if heard.status != "answered":
        return heard.status
    found = parse(heard.text, labels, mode)  # type: ignore[arg-type]
    return found.label or found.status


def localised(text: str) -> str:
    """Return a golden text with the codes exchanged for German words in the same case."""
    for code, word in (("PRESENT", "vorhanden"), ("ABSENT", "fehlt"), ("present", "vorhanden"), ("absent", "fehlt")):
        text = text.replace(code, word)
    return text


GOLDEN_CASES = [(wanted, text) for wanted, texts in GOLDEN.items() for text in texts]


@pytest.mark.parametrize(("wanted", "text"), GOLDEN_CASES, ids=lambda value: repr(value)[:50])
def test_golden_texts(wanted: str, text: str) -> None:
    assert outcome(text, Labels()) == wanted


@pytest.mark.parametrize(
    ("wanted", "text"),
    [
        # Left out: what plays with the English word inside others, and letters outside of the label's own.
        (wanted, text)
        for wanted, text in GOLDEN_CASES
        if not any(part in text for part in (Z, "ＰＲ", "ABSENTEE", "Absenteeism", "At present", "non-"))
    ],
    ids=lambda value: repr(value)[:50],
)
def test_golden_texts_in_other_words(wanted: str, text: str) -> None:
    assert outcome(localised(text), GERMAN) == wanted


@pytest.mark.parametrize(("text", "status"), UNSAID.items(), ids=lambda value: repr(value)[:40])
def test_what_was_never_said(text: str, status: str) -> None:
    assert hear(text).status == status


@pytest.mark.parametrize(("text", "wanted"), STRICT.items(), ids=lambda value: repr(value)[:40])
def test_schema_is_read_strictly(text: str, wanted: str) -> None:
    assert outcome(text, Labels(), "schema") == wanted


def test_grammar_takes_the_bare_label_alone() -> None:
    assert [outcome(text, GERMAN, "grammar") for text in ("fehlt", " fehlt\n", "Fehlt", "fehlt.", "ABSENT")] == [
        "ABSENT", "ABSENT", "unparsable", "unparsable", "unparsable",
    ]  # fmt: skip


@pytest.mark.parametrize("text", ["ANSWER: PRESENT", "", "<think>", "anything"])
def test_order_of_what_ends_a_text(text: str) -> None:
    assert hear(text, finish_reason="content_filter", refusal="no").status == "filtered"
    assert hear(text, finish_reason="length", refusal="no").status == "refused"
    assert hear(text, finish_reason="length").status == "truncated"


def test_flags_say_how_a_label_was_read() -> None:
    assert parse("ANSWER: PRESENT\nANSWER: ABSENT").flags == (CHANGED,)
    assert parse("ANSWER: ABSENT\nANSWER: ABSENT").flags == ()
    assert parse("It is ABSENT.").flags == (NO_MARKER,)


@given(st.text(max_size=200), st.sampled_from(["text", "schema", "grammar"]))
def test_any_text_has_one_outcome(text: str, mode: str) -> None:
    assert outcome(text, Labels(), mode) in {*LABELS, "ambiguous", "unparsable", "truncated", "empty"}


@given(st.text(max_size=100), st.text(max_size=100))
def test_closed_thoughts_change_nothing(thought: str, said: str) -> None:
    thought, said = thought.replace("<", ""), said.replace("<", "")
    heard = hear(f"<think>{thought}</think>{said}")
    assert (heard.text, heard.thoughts) == (said, thought)
    assert heard.status == hear(said).status


@given(st.text(alphabet="xyz .,;:\n*-", max_size=300))
def test_gibberish_is_never_answered(text: str) -> None:
    assert outcome(text, Labels()) in ("unparsable", "empty")


@given(st.sampled_from(LABELS), st.text(alphabet="xyz PRESNTAB\n", max_size=60))
def test_last_marker_line_decides(label: str, before: str) -> None:
    assert outcome(f"{before}\nANSWER: {label}", Labels()) == label


@pytest.mark.parametrize("domain", domain_names())
def test_labels_of_every_domain_can_be_told_apart(domain: str) -> None:
    outcomes = load_domain(domain).outcomes
    labels = Labels(present=outcomes.present, absent=outcomes.absent)
    assert outcome(f"ANSWER: {labels.present}", labels) == "PRESENT"
    assert outcome(f"Answer: {labels.absent.upper()}.", labels) == "ABSENT"
    assert outcome(f"{labels.absent} or {labels.present}", labels) == "ambiguous"


HOSTILE = (
    "<think>" * 4000, "answer " * 5000, "*" * 30000 + "x", "ANSWER:" * 4000, "PRESENT " * 4000, r"\text" * 6000,
    "ANSWER:\n" * 4000, "{" * 30000, '{"answer":' * 5000, "[[" * 15000, "not " * 7000 + "PRESENT", "\n" * 30000,
)  # fmt: skip


@pytest.mark.parametrize("text", HOSTILE, ids=lambda text: repr(text[:12]))
def test_work_grows_with_the_length_alone(text: str) -> None:
    """Count steps of the interpreter, not seconds: four times the text takes at most some four times as many."""
    assert _steps(text) < 6 * _steps(text[: len(text) // 4]) + 20_000


def _steps(text: str) -> int:
    import sys

    count = 0

    def tick(frame: object, event: str, argument: object) -> object:
        nonlocal count
        count += 1
        return tick

    before = sys.gettrace()
    sys.settrace(tick)  # type: ignore[arg-type]
    try:
        for mode in ("text", "schema", "grammar"):
            outcome(text, Labels(), mode)
    finally:
        sys.settrace(before)
    return count
