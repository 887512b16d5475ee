"""A brief holds the task and every requirement once, in list order, at every burial depth; nothing else is binding."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.errors import UsageError
from engine.instruction_adherence.brief import LEADS, NOTICES, PARTS, TASK_LEADS, UNCOUNTED, brief
from engine.instruction_adherence.constraint import ORDINALS, Constraint
from engine.instruction_adherence.constraints.meta import Restate, SelfAudit
from engine.instruction_adherence.constraints.registry import ALL, TYPES
from engine.instruction_adherence.requirement import Requirement, labelled
from engine.instruction_adherence.seed_tasks import FilledTask, fill, public_seed_tasks
from engine.randomness import Stream

DEPTHS = tuple(PARTS)
TASK = FilledTask(
    seed_task_id="email.99", task_type="email", text="Tell a neighbour about the broken lift.", keywords=("lift",)
)


def drawn(seed: int, count: int, *, audit: bool = False) -> tuple[Requirement, ...]:
    """Return requirements of different types; with an audit, all others carry labels."""
    stream = Stream("test brief", seed)
    kinds: list[type[Constraint]] = stream.sample([kind for kind in ALL if kind is not SelfAudit], count)
    if audit:
        kinds[stream.below(count)] = SelfAudit
    items = [Requirement(constraint=kind.sample(stream), phrasing=stream.below(len(kind.phrasings))) for kind in kinds]
    return labelled(items) if audit else tuple(items)


def told(depth: int, requirements: tuple[Requirement, ...], seed: int = 0) -> str:
    return brief(TASK, requirements, depth, Stream("test wording", seed))


CASES = [(depth, drawn(seed, 3 + seed % 14, audit=seed % 3 == 0)) for depth in DEPTHS for seed in range(40)]


@pytest.mark.parametrize("depth", DEPTHS)
@pytest.mark.parametrize("kind", ALL, ids=lambda kind: kind.id)
def test_every_phrasing_stands_word_for_word_on_one_line(kind: type[Constraint], depth: int) -> None:
    for phrasing in range(len(kind.phrasings)):
        stream = Stream("test phrasing", kind.id, phrasing)
        own = Requirement(constraint=kind.sample(stream), phrasing=phrasing)
        others = [item for item in drawn(phrasing, 5) if type(item.constraint) is not kind]
        items = labelled([*others[:2], own, *others[2:]])
        lines = told(depth, items).split("\n")
        assert sum(line.count(items[min(2, len(others))].text) for line in lines) == 1
        assert_reads_back(told(depth, items), own.constraint)


def assert_reads_back(text: str, constraint: Constraint) -> None:
    """Every number and literal of a constraint can be read in the brief."""
    numbers = {*map(int, re.findall(r"\d+", text)), *(nth for nth, word in enumerate(ORDINALS, 1) if word in text)}
    for value in leaves([value for name, value in constraint.params.items() if name != "requirements"]):
        assert value in numbers if isinstance(value, int) else value in text, (constraint, value)


def leaves(value: Any) -> Iterator[int | str]:
    if isinstance(value, list):
        for item in value:
            yield from leaves(item)
    else:
        yield value


@pytest.mark.parametrize(("depth", "requirements"), CASES)
def test_every_requirement_once_and_in_list_order(depth: int, requirements: tuple[Requirement, ...]) -> None:
    text = told(depth, requirements)
    assert [text.count(item.text) for item in requirements] == [1] * len(requirements)
    places = [text.index(item.entry) for item in requirements]
    assert places == sorted(places)
    assert text.count(TASK.text) == 1


@pytest.mark.parametrize(("depth", "requirements"), CASES)
def test_nothing_but_task_requirements_labels_and_connecting_sentences(
    depth: int, requirements: tuple[Requirement, ...]
) -> None:
    rest = told(depth, requirements).replace(TASK.text, "")
    for item in sorted(requirements, key=lambda item: -len(item.text)):
        rest = rest.replace(item.entry, "")
    for sentence in [*TASK_LEADS, *(lead for leads in LEADS.values() for lead in leads)]:
        rest = rest.replace(sentence, "")
    for notice in NOTICES:
        before, after = notice.split("{what}")
        rest = re.sub(re.escape(before) + r"[A-Za-z -]+" + re.escape(after), "", rest)
    assert set(rest.replace("P.S.", "").split()) <= {"-", ">"}


@pytest.mark.parametrize("count", range(0, 17))
@pytest.mark.parametrize("depth", DEPTHS)
def test_the_parts_of_a_depth(depth: int, count: int) -> None:
    text = told(depth, drawn(count, count))
    blocks = text.split("\n\n")
    listed = any(line.startswith("- ") for line in text.split("\n"))
    quoted = any(line.startswith("> - ") for line in text.split("\n"))
    preamble = TASK.text not in blocks[0]
    after_task = next(block for block in blocks if TASK.text in block).partition(TASK.text)[2]
    assert listed == (depth == 0 and count > 0)
    assert quoted == (depth == 3 and count > 0)
    assert (blocks[-1].startswith("P.S. ")) == (depth >= 2 and count > (depth == 3))
    assert preamble == (depth >= 1 and count > depth - 1)
    assert bool(after_task) == (depth >= 1 and count > depth)


def test_the_notes_block_says_that_its_lines_are_requirements() -> None:
    for seed in range(20):
        quoted = [line for line in told(3, drawn(seed, 8), seed).split("\n") if line.startswith("> ")]
        assert "requirement" in quoted[0] and len(quoted) > 1
    assert all("line" in lead or "all of them" in lead for lead in LEADS["notes"])


@pytest.mark.parametrize("depth", DEPTHS)
@pytest.mark.parametrize("name", ["meta.self_audit", "meta.restate", "struct.wrapped"])
def test_a_request_for_a_block_says_that_it_is_not_counted(name: str, depth: int) -> None:
    kind = TYPES[name]
    for phrasing in range(len(kind.phrasings)):
        own = Requirement(constraint=kind.sample(Stream("test", name)), phrasing=phrasing)
        others = [item for item in drawn(3, 6) if type(item.constraint) not in UNCOUNTED]
        text = told(depth, labelled([*others, own]), phrasing)
        assert text.count(UNCOUNTED[kind]) == 1
        assert re.search(r"\((Not counted|Taken off|No part)[^()]*" + UNCOUNTED[kind], text)
        assert not any(what in told(depth, tuple(others)) for what in UNCOUNTED.values())


def test_one_notice_tells_all_that_is_not_counted() -> None:
    items = [Requirement(constraint=kind.sample(Stream("test", kind.id)), phrasing=0) for kind in UNCOUNTED]
    text = told(0, labelled(items))
    assert all(text.count(what) == 1 for what in UNCOUNTED.values())


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**6), st.sampled_from(DEPTHS), st.integers(1, 16))
def test_a_brief_depends_on_its_arguments_alone(seed: int, depth: int, count: int) -> None:
    requirements = drawn(seed, count)
    stream = Stream("test", seed)
    task = fill(stream.choice(public_seed_tasks()), stream)
    texts = {brief(task, requirements, depth, Stream("wording", seed)) for _ in range(3)}
    assert len(texts) == 1 and task.text in next(iter(texts))


@pytest.mark.parametrize("depth", DEPTHS)
def test_wording_and_split_vary(depth: int) -> None:
    requirements = drawn(1, 9)
    texts = {told(depth, requirements, seed) for seed in range(60)}
    assert len(texts) >= (3 if depth == 0 else 30)


def test_every_split_of_a_list_occurs() -> None:
    requirements = drawn(2, 4)
    splits = set()
    for seed in range(200):
        blocks = told(1, requirements, seed).split("\n\n")
        splits.add(sum(item.text in blocks[0] for item in requirements))
    assert splits == {1, 2, 3}


@pytest.mark.parametrize("depth", [-1, 4, 10])
def test_an_unknown_depth_is_refused(depth: int) -> None:
    with pytest.raises(UsageError, match=rf"burial depth {depth} is unknown; legal: 0, 1, 2, 3") as caught:
        told(depth, drawn(0, 3))
    assert caught.value.exit_code == 2


def test_an_audit_without_labels_is_refused() -> None:
    items = [Requirement(constraint=kind.sample(Stream("test", kind.id)), phrasing=0) for kind in (SelfAudit, Restate)]
    with pytest.raises(UsageError, match="has no label; a self-audit needs one"):
        told(0, tuple(items))


def test_labels_run_in_order_and_pass_over_the_audit() -> None:
    kinds = [TYPES[name] for name in ("lex.no_commas", "meta.self_audit", "struct.title", "meta.restate")]
    items = [Requirement(constraint=kind.sample(Stream("test", kind.id)), phrasing=0) for kind in kinds]
    assert [item.label for item in labelled(items)] == ["R1", None, "R2", "R3"]
    assert [item.label for item in labelled(items, first=5)] == ["R5", None, "R6", "R7"]


def test_connecting_sentences_hold_no_number_and_no_literal() -> None:
    sentences = [*TASK_LEADS, *NOTICES, *(lead for leads in LEADS.values() for lead in leads)]
    assert all(not re.search(r"[0-9\"]", sentence) and "\n" not in sentence for sentence in sentences)
    assert len(set(sentences)) == len(sentences)
    assert all(one not in other and other not in one for one, other in pairwise(sorted(sentences)))
