from __future__ import annotations

import sys
from dataclasses import replace

import numpy as np
import pytest

from audits.base import DrawAudit, PackAudit, settled, trusted
from audits.draws import CATEGORICAL, GATED, NUMERIC, ROLES, SETTER, Draws, collect, roles_of
from audits.laws import draw_by, neutral
from audits.learners import generator
from audits.planted import clean_draws, clean_view
from audits.ranges import audit_ranges
from audits.registry import AUDITS
from audits.selected import collect_selected
from audits.shortcuts import _dealt_matches
from audits.style import style_row
from engine.hidden_systems.counts import BASELINES, RECIPES, rates_of, recipe_scores
from engine.hidden_systems.program.generate import generate_skeleton
from engine.hidden_systems.program.grammar import Condition
from engine.models.baselines import BASELINES as SOLVERS
from engine.randomness import derive

DRAWN = [audit for audit in AUDITS if isinstance(audit, DrawAudit)]
SHIPPED = [audit for audit in AUDITS if isinstance(audit, PackAudit) and not audit.rule.startswith("W")]


@pytest.mark.slow
@pytest.mark.parametrize("audit", DRAWN, ids=lambda audit: audit.key)
def test_every_plant_is_found_and_clean_draws_are_silent(audit: DrawAudit) -> None:
    assert audit.self_test().trusted


@pytest.mark.parametrize("audit", SHIPPED, ids=lambda audit: audit.key)
def test_every_plant_in_a_pack_is_found_and_a_clean_pack_is_silent(audit: PackAudit) -> None:
    assert audit.self_test().trusted


@pytest.mark.parametrize("audit", DRAWN, ids=lambda audit: audit.key)
def test_too_few_draws_are_inconclusive(audit: DrawAudit) -> None:
    few = collect(4, 12, 0)
    assert {row.status for row in settled(audit.run(few)) if row.severity != "note"} == {"inconclusive"}


@pytest.mark.parametrize("missing", ["sklearn", "scipy"])
def test_without_the_extra_learners_decide_nothing(missing: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, missing, None)
    draws = collect(4, 100, 0)
    for audit in DRAWN:
        proved = audit.self_test()
        assert not proved.trusted
        rows = [trusted(row, proved) for row in settled(audit.run(draws))]
        assert rows
        assert {row.status for row in rows} == {"inconclusive"}


def test_a_clean_pack_has_too_few_labels_below_twenty() -> None:
    view = clean_view()
    assert view.present is not None
    short = replace(view, puzzles=view.puzzles[:19], present=view.present[:19])
    runs = next(audit for audit in SHIPPED if audit.scope == "sealed")
    assert [row.status for row in runs.run(short)] == ["inconclusive"]


def test_draws_are_a_function_of_their_arguments() -> None:
    one, other = collect(4, 10, 5), collect(4, 10, 5)
    assert one.public_ids == other.public_ids
    assert (one.counts == other.counts).all()
    assert collect(4, 10, 6).public_ids != one.public_ids


def test_no_draw_is_a_puzzle_of_a_pack_with_the_same_seed() -> None:
    skeletons = [generate_skeleton(4, 5, index) for index in range(4)]
    counts = {tuple(case.observed_present or 0 for case in one.payload.support_cases) for one in skeletons}
    assert not counts & set(map(tuple, collect(4, 4, 5).counts.tolist()))


@pytest.mark.parametrize("complexity", range(4, 11))
def test_columns_say_what_the_skeletons_say(complexity: int) -> None:
    own = derive("audits/draws", complexity, 3)
    draws = collect(complexity, 4, 3)
    for nth in range(4):
        skeleton = generate_skeleton(complexity, own, nth)
        payload = skeleton.payload
        assert draws.present[nth] == (skeleton.gold_answer == "PRESENT")
        assert draws.codes[nth] == payload.query_case.events
        for at, case in enumerate(payload.support_cases):
            positions = [int(p) for p in draws.events[nth, at] if p >= 0]
            assert [payload.query_case.events[p] for p in positions] == list(case.events)
            assert (draws.lengths[nth, at], draws.counts[nth, at]) == (len(case.events), case.observed_present)
        assert tuple(draws.roles[nth]) == roles_of(skeleton.hidden_system, payload)
        tests = [
            test for rule in skeleton.hidden_system.rules for test in rule.conditions if test.source == "attribute"
        ]
        asked = {setting.name: setting.value for setting in payload.query_case.attributes}
        idle = {item.name for item in payload.attribute_vocabulary} - {test.key for test in tests}
        assert tuple(draws.gates[nth]) == (len(tests), sum(_met(test, asked[test.key]) for test in tests), len(idle))
        assert int((draws.settings.kinds[nth] > 0).sum()) == len(payload.attribute_vocabulary)
        for at, item in enumerate(payload.attribute_vocabulary):
            value = asked[item.name]
            numeric = isinstance(value, int)
            assert draws.settings.kinds[nth, at] == (NUMERIC if numeric else CATEGORICAL)
            assert draws.settings.query[nth, at] == (value if numeric else int(str(value)[1:]))
            if numeric:
                assert draws.settings.below[nth, at] == sum(int(other) < int(value) for other in item.values)


def _met(test: Condition, asked: int | str) -> bool:
    if test.operator == "EQ":
        return asked == test.value
    assert isinstance(asked, int) and isinstance(test.value, int)
    return asked <= test.value if test.operator == "LE" else asked > test.value


def test_roles_are_those_of_the_specification() -> None:
    draws = clean_draws()
    names = {ROLES[role] for role in np.unique(draws.roles)}
    assert names >= {"adder", "veto", "setter", "gated"}
    assert ((draws.roles == SETTER).argmax(axis=1) < (draws.roles == GATED).argmax(axis=1)).all()


def test_rates_are_means_over_equal_cases() -> None:
    draws = collect(4, 6, 9)
    rates = rates_of(draws)
    for nth in range(len(draws)):
        for first in range(4):
            assert rates.singles[nth, first] == pytest.approx(_mean_rate(draws, nth, [first]))
            for second in set(range(4)) - {first}:
                assert rates.pairs[nth, first, second] == pytest.approx(_mean_rate(draws, nth, [first, second]))


def _mean_rate(draws: Draws, nth: int, events: list[int]) -> float:
    cases = [at for at in range(draws.lengths.shape[1]) if [e for e in draws.events[nth, at] if e >= 0] == events]
    return float(np.mean([draws.counts[nth, at] / draws.trials for at in cases]))


def test_the_shown_recipes_are_the_built_in_baselines() -> None:
    own = derive("audits/draws", 6, 2)
    draws = collect(6, 40, 2)
    called = recipe_scores(rates_of(draws))[:, :BASELINES] > 0.5
    for nth in range(len(draws)):
        payload = generate_skeleton(6, own, nth).payload
        assert [solve(payload) == "PRESENT" for solve in SOLVERS.values()] == called[nth].tolist()


def test_there_are_at_least_ten_recipes() -> None:
    assert len({name for name, _ in RECIPES}) >= 10


def test_dealing_anew_keeps_the_published_order_and_nothing_else() -> None:
    true = clean_draws().roles[:200]
    free = _dealt_matches(true, true, False, generator("tests", 1))
    kept = _dealt_matches(true, true, True, generator("tests", 1))
    # 5 events, all roles different in most puzzles: a free deal matches one place a puzzle, a kept one somewhat more.
    assert free.mean() < kept.mean() < true.size / 2


def test_the_dealt_roles_have_the_law_of_the_generator() -> None:
    """Where the setter stands, dealt anew, is as likely as in fresh draws: 2(k-1-p) / (k(k-1)) at position p."""
    true = np.array([[0, 1, SETTER, GATED]] * 400)
    for place in range(4):
        guess = np.full_like(true, -1)
        guess[:, place] = SETTER
        share = _dealt_matches(guess, true, True, generator("tests", place)).mean() / 400
        assert share == pytest.approx(2 * (3 - place) / 12, abs=0.002)


def test_the_neutral_law_has_both_labels_and_no_alternation() -> None:
    draws = draw_by(neutral, 4, 60, 3)
    assert int(draws.present.sum()) == 30
    assert list(draws.present) != [nth % 2 == 0 for nth in range(60)]
    assert draws.public_ids != collect(4, 60, 3).public_ids


def test_a_law_of_ones_own_is_kept_to() -> None:
    draws = draw_by(lambda draw, present: draw.roles[0] == "adder", 4, 20, 3)
    assert set(draws.roles[:, 0].tolist()) == {ROLES.index("adder")}


def test_ranges_need_enough_draws_to_say_anything() -> None:
    assert {row.status for row in audit_ranges(collect(4, 40, 0))} == {"inconclusive"}


def test_style_masks_numbers_and_tells_texts_apart() -> None:
    one, same = style_row("It rang 40 times.", "kiln", "t"), style_row("It rang 4 times.", "kiln", "t")
    assert (one.measures == same.measures).all()
    assert (one.words == same.words).all()
    assert (style_row("It rang 4 times. It rang.", "kiln", "t").measures != one.measures).any()


def test_selected_draws_say_what_they_were_selected_for() -> None:
    draws = collect_selected(6, 30, 0, 65)
    assert (len(draws), draws.percent) == (30, 65)
    assert collect(6, 4, 0).percent is None


def test_clean_and_planted_draws_of_the_packs_fixture_are_one_family() -> None:
    view = clean_view()
    rows = [row for audit in SHIPPED if audit.scope == "sealed" for row in audit.run(view)]
    assert {row.severity for row in settled(rows) if row.status == "inconclusive"} == {"note"}
