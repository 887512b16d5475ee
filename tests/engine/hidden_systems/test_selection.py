"""Packs in which counts alone do not get far: the selection keeps its share, treats labels alike, can be repeated."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.errors import UsageError
from engine.hidden_systems.behavior import payload_text
from engine.hidden_systems.counts import columns, nested_inputs, rates_of
from engine.hidden_systems.program.generate import FEWEST, MOST, generate_skeleton
from engine.hidden_systems.selection import (
    GRAINS,
    LOWEST,
    SLACK,
    Predictor,
    _kept,
    card,
    iterate_selected,
    read_accuracy,
    scores,
    thinned,
)

COMPLEXITIES = range(FEWEST, MOST + 1)


@pytest.mark.parametrize("complexity", COMPLEXITIES)
def test_the_frozen_predictor_fits_the_inputs_of_its_complexity(complexity: int) -> None:
    predictor = card().complexities[str(complexity)]
    payload = generate_skeleton(complexity, 3, 0).payload
    assert nested_inputs(rates_of(columns([payload])))["full"].shape == (1, len(predictor.weights))
    assert list(predictor.edges) == sorted(predictor.edges)
    assert len(predictor.present) == len(predictor.edges) + 1
    assert predictor.present[0] < GRAINS // 2 < predictor.present[-1], "low scores mean ABSENT, high ones PRESENT"


def test_a_score_does_not_depend_on_the_puzzles_beside_it() -> None:
    payloads = [generate_skeleton(6, 5, index).payload for index in range(6)]
    together = scores(payloads)
    assert np.allclose(together, [scores([payload])[0] for payload in payloads])


def test_the_predictor_does_better_than_chance_and_worse_than_the_ceiling_on_plain_puzzles() -> None:
    skeletons = [generate_skeleton(6, 8_000_001, index) for index in range(400)]
    called = scores(one.payload for one in skeletons) > 0
    right = np.mean(called == [one.gold_answer == "PRESENT" for one in skeletons])
    assert 0.60 < right < 0.80


@pytest.mark.parametrize("count", [1, 20, 41])
def test_a_selected_pack_keeps_its_share_in_either_label(count: int) -> None:
    kept = list(iterate_selected(count, 6, 17, 65))
    labels = [one.skeleton.gold_answer for one in kept]
    called = ["PRESENT" if score > 0 else "ABSENT" for score in scores(one.skeleton.payload for one in kept)]
    assert (labels.count("PRESENT"), labels.count("ABSENT")) == ((count + 1) // 2, count // 2)
    for label in ("PRESENT", "ABSENT"):
        right = sum(told == own == label for told, own in zip(called, labels, strict=True))
        assert right <= 0.65 * labels.count(label)


def test_selected_puzzles_are_puzzles_of_the_seed_in_index_order() -> None:
    kept = list(iterate_selected(10, 6, 17, 65))
    assert [one.index for one in kept] == sorted({one.index for one in kept})
    for one in kept:
        assert payload_text(one.skeleton.payload) == payload_text(generate_skeleton(6, 17, one.index).payload)
    again = list(iterate_selected(10, 6, 17, 65))
    assert [one.index for one in kept] == [one.index for one in again]


def test_about_half_of_all_puzzles_are_kept() -> None:
    kept = list(thinned(6, 23, 65, range(200)))
    assert 0.45 < len(kept) / 200 < 0.85


@settings(max_examples=200, deadline=None)
@given(st.integers(1, GRAINS - 1), st.integers(LOWEST, 85), st.integers(0, 10**6))
def test_both_labels_are_thinned_by_one_rule(present: int, percent: int, key: int) -> None:
    one = Predictor(bias=0.0, weights=(), edges=(), present=(present,))
    turned = Predictor(bias=0.0, weights=(), edges=(), present=(GRAINS - present,))
    assert _kept(one, 0, "PRESENT", percent, (key,)) == _kept(turned, 0, "ABSENT", percent, (key,))
    rarer = "PRESENT" if present <= GRAINS // 2 else "ABSENT"
    assert _kept(one, 0, rarer, percent, (key,)), "the rarer label is always kept"


@pytest.mark.parametrize("share", [0.55, 0.7, 0.9, 0.98])
def test_a_stratum_keeps_at_most_the_share_of_its_commoner_label(share: float) -> None:
    predictor = Predictor(bias=0.0, weights=(), edges=(), present=(round(share * GRAINS),))
    draws = 4000
    kept = sum(_kept(predictor, 0, "PRESENT", 65, (key,)) for key in range(draws)) * share
    rarer = draws * (1 - share)
    assert kept / (kept + rarer) <= (65 - SLACK) / 100 + 0.02


@pytest.mark.parametrize(
    ("text", "complexity", "percent"), [("", 6, 65), ("", 10, 65), ("0.7", 4, 70), (".75", 4, 75), ("0.62", 8, 62)]
)
def test_an_accuracy_is_read(text: str, complexity: int, percent: int) -> None:
    assert read_accuracy(text, complexity) == percent


@pytest.mark.parametrize("text", ["0.61", "0.86", "1.65", "65", "0.655", "x", "0.", "-0.65", "0.6x", "0.٦5"])
def test_another_accuracy_is_refused_with_what_is_legal(text: str) -> None:
    with pytest.raises(UsageError, match=rf"0\.{LOWEST} to"):
        read_accuracy(text, 6)


def test_few_events_have_no_default() -> None:
    with pytest.raises(UsageError, match="no default"):
        read_accuracy("", 5)
