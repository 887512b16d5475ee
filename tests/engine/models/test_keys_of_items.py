"""The resume key: whatever decides an answer is in it, every row is found by its own key, and alike items share one."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.canonical import text_digest
from engine.errors import UsageError
from engine.models.keys import Setting, request_key, resume_key
from engine.models.openai_endpoint import normal_url
from engine.models.solver import Message, Parameters, Question
from tests.engine.models.conducting import conduct
from tests.engine.models.fault_server import chat, failure, steps
from tests.engine.world import World

SETTING = Setting(
    identity={"adapter": "openai", "base_url": "http://h/v1", "model": "m"}, parameters=Parameters(), mode="text",
    prompt_version="1",
)  # fmt: skip
QUESTION = Question(messages=(Message(role="system", text="rules"), Message(role="user", text="story")))
CHANGES = {
    "adapter": replace(SETTING, identity={**SETTING.identity, "adapter": "llm"}),
    "endpoint": replace(SETTING, identity={**SETTING.identity, "base_url": "http://other/v1"}),
    "model": replace(SETTING, identity={**SETTING.identity, "model": "n"}),
    "temperature": replace(SETTING, parameters=Parameters(temperature="0")),
    "max_tokens": replace(SETTING, parameters=Parameters(max_tokens=9)),
    "seed": replace(SETTING, parameters=Parameters(seed=0)),
    "other field": replace(SETTING, parameters=Parameters(extra=(("top_p", "0.9"),))),
    "mode": replace(SETTING, mode="schema"),
    "prompt version": replace(SETTING, prompt_version="2"),
    "sample": replace(SETTING, sample=1),
}
QUESTIONS = {
    "user text": replace(QUESTION, messages=(QUESTION.messages[0], Message(role="user", text="story "))),
    "system text": replace(QUESTION, messages=(Message(role="system", text="rule"), QUESTION.messages[1])),
    "role": replace(QUESTION, messages=(Message(role="user", text="rules"), QUESTION.messages[1])),
    "schema": replace(QUESTION, schema="{}"),
    "labels": replace(QUESTION, labels=("a", "b")),
    "no system": replace(QUESTION, messages=QUESTION.messages[1:]),
}


def test_every_part_changes_the_key() -> None:
    keys = [resume_key(SETTING, QUESTION, "x"), resume_key(SETTING, QUESTION, "y"), resume_key(SETTING, QUESTION, "")]
    keys += [resume_key(setting, QUESTION, "x") for setting in CHANGES.values()]
    keys += [resume_key(SETTING, question, "x") for question in QUESTIONS.values()]
    assert len(set(keys)) == len(keys)
    aliases = {setting.alias("openai:m") for setting in (SETTING, *CHANGES.values())}
    assert len(aliases) == 1 + len(CHANGES)
    assert replace(SETTING, served_model="x").alias("openai:m") not in aliases


def test_key_before_any_answer_leaves_the_served_model_out_and_nothing_else() -> None:
    assert request_key(SETTING, QUESTION) == resume_key(SETTING, QUESTION, "")
    assert len({request_key(SETTING, question) for question in QUESTIONS.values()}) == len(QUESTIONS)


def test_rows_are_found_by_their_own_key(world: World) -> None:
    done = conduct(world.pack(), steps(failure(500), chat()))
    finals = [row for row in done.rows if row.final]
    assert len({row.resume_key for row in finals}) == len(finals) == 4
    again = {row.prompt_sha: row for row in finals}
    for body in done.server.requests:
        messages = tuple(Message(role=one["role"], text=one["content"]) for one in body["messages"])
        question = Question(messages=messages, labels=again_labels(messages))
        row = again[question.prompt_sha]
        setting = Setting(
            identity={"adapter": "openai", "base_url": done.server.base_url, "model": "m"}, parameters=Parameters(),
            mode="text", prompt_version="more-likely/1+brief/1",
        )  # fmt: skip
        assert row.resume_key == resume_key(setting, question, "scripted-1")
        assert done.alias == setting.alias("openai:m")
        assert row.text_sha == text_digest(messages[-1].text)


def again_labels(messages: tuple[Message, ...]) -> tuple[str, ...]:
    """Read the two labels back from the last lines of the system message."""
    lines = messages[0].text.splitlines()
    return lines[-3].removeprefix("ANSWER: "), lines[-1].removeprefix("ANSWER: ")


@pytest.mark.parametrize(
    ("url", "normal"),
    [
        ("HTTP://Example.com/v1/", "http://example.com/v1"),
        ("https://user:secret@example.com:8443/v1?key=secret#x", "https://example.com:8443/v1"),
        (" http://[::1]:80/v1 ", "http://[::1]:80/v1"),
    ],
)
def test_urls_are_normalised_and_hold_no_credentials(url: str, normal: str) -> None:
    assert normal_url(url) == normal


@pytest.mark.parametrize("url", ["", "example.com/v1", "ftp://example.com", "http://", "file:///etc/passwd"])
def test_what_is_no_address_is_refused(url: str) -> None:
    with pytest.raises(UsageError, match="is not usable"):
        normal_url(url)


@given(st.text(min_size=1, max_size=20), st.text(min_size=1, max_size=20))
def test_borders_between_messages_are_in_the_key(one: str, other: str) -> None:
    split = Question(messages=(Message(role="user", text=one), Message(role="user", text=other)))
    joined = Question(messages=(Message(role="user", text=one + other),))
    assert split.prompt_sha != joined.prompt_sha
