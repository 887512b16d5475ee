from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from audit_samples import sown
from hypothesis import given, settings
from hypothesis import strategies as st

from audits.base import Request
from audits.noninterference import EXITS, LEAKY_EXITS, audit_exits, differences, plants_exits, twins
from audits.planted import clean_view
from audits.redaction import audit_keys, payload_faults, plants_keys
from engine.canonical import canonical_text, read_json
from engine.hidden_systems.behavior import payload_text
from engine.hidden_systems.program.generate import generate_skeleton


def test_shipped_payloads_are_clean() -> None:
    [told] = audit_keys(clean_view())
    assert (told.status, told.n) == ("pass", 24)


def test_every_planted_key_and_leaf_is_found() -> None:
    assert plants_keys() == (21, 21, 0)


def test_a_finding_names_place_and_puzzle_but_no_value() -> None:
    view = clean_view()
    first = view.puzzles[0]
    document = read_json(first.payload, where="test")
    assert isinstance(document, dict)
    spoiled = canonical_text({**document, "complexity": "a secret"})
    told = audit_keys(replace(view, puzzles=(replace(first, payload=spoiled), *view.puzzles[1:])))
    assert [(one.status, one.location) for one in told] == [("fail", f"payload {first.id}#/complexity")]
    assert "a secret" not in repr(told)


def test_the_same_finding_elsewhere_has_the_same_fingerprint() -> None:
    view = clean_view()
    prints = set()
    for at in (0, 5):
        puzzle = view.puzzles[at]
        spoiled = puzzle.payload.replace(f'"id":"c0{at + 1}"', f'"id":"c0{at + 1}x"')
        assert spoiled != puzzle.payload
        [told] = audit_keys(replace(view, puzzles=(replace(puzzle, payload=spoiled),)))
        prints.add(told.fingerprint)
    assert len(prints) == 1


@settings(max_examples=60, deadline=None)
@given(st.integers(4, 10), st.integers(0, 2**32), st.integers(0, 50))
def test_no_payload_of_the_generator_is_a_finding(complexity: int, seed: int, index: int) -> None:
    assert list(payload_faults(payload_text(generate_skeleton(complexity, seed, index).payload))) == []


def test_the_exits_tell_nothing_of_the_hidden_half() -> None:
    assert differences(EXITS, *twins(14, range(4, 11), 3)) == []


def test_every_leaky_exit_is_found() -> None:
    assert plants_exits() == (len(LEAKY_EXITS), len(LEAKY_EXITS), 0)


def test_every_exit_lets_something_out(tmp_path: Path) -> None:
    puzzles = sown(3)
    for name, leave in EXITS:
        folder = tmp_path / name
        folder.mkdir()
        released = leave(puzzles, folder)
        assert len(released) >= len(puzzles)
        assert all(released[key] for key in released if key != "stderr")


def test_the_export_that_is_compared_is_a_real_one(tmp_path: Path) -> None:
    released = dict(EXITS)["export"](sown(3), tmp_path)
    assert released["exit code"] == "0"
    assert sorted(key for key in released if key.startswith("line")) == ["line 0", "line 1", "line 2"]


def test_pairs_agree_in_public_and_differ_in_hidden() -> None:
    for one, other in zip(*twins(8, (4, 6), 0), strict=True):
        assert payload_text(one.skeleton.payload) == payload_text(other.skeleton.payload)
        assert one.skeleton.gold_answer != other.skeleton.gold_answer
        assert one.skeleton.hidden_system != other.skeleton.hidden_system
        assert (one.seed, one.index) != (other.seed, other.index)


def test_few_pairs_are_inconclusive_with_their_bound() -> None:
    [told] = audit_exits(Request((4,), 30, 0))
    assert (told.status, told.n) == ("inconclusive", 30)
    assert told.bound is not None
    assert told.bound.value == 0.1
