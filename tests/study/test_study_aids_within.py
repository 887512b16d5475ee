"""Aids that every person meets: dealt and ordered in balance, stored with every answer, compared person by person."""

from __future__ import annotations

import csv
import json
import re
from collections import Counter
from contextlib import closing, suppress
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.public import Aid
from engine.store.collected import read_collected
from engine.study.gathering import study_data
from engine.study.ordering import Phase, aid_order, blocks, dealt, sequence
from engine.study.staging import ANOTHER
from engine.study.trials import Person
from tests.study.study_world import Lab, answer_to, says, skilled, walk

SEED = "5eed" * 8
AIDS: tuple[Aid, ...] = ("A0", "A1", "A2", "A3")
WITHIN = {"aids": "[A0, A1]", "aids_vary": "within", "model": "baseline:pooled"}

items = (
    st.integers(4, 40)
    .flatmap(lambda count: st.lists(st.sampled_from("abc"), min_size=count, max_size=count))
    .map(lambda strata: {f"item{nth:02d}": stratum for nth, stratum in enumerate(strata)})
)


@settings(max_examples=60)
@given(items=items, aids=st.integers(2, 4), round_=st.integers(0, 5))
def test_items_turn_through_the_aids_and_each_person_has_as_many_of_each(
    items: dict[str, str], aids: int, round_: int
) -> None:
    met: Counter[tuple[str, Aid]] = Counter()
    for position in range(aids * round_, aids * (round_ + 1)):
        found = dealt(items, AIDS[:aids], position=position, seed=SEED)
        assert sorted(one for mine in found.values() for one in mine) == sorted(items)
        for group in ("abc", "a", "b", "c"):
            sizes = [sum(items[one] in group for one in found.get(aid, ())) for aid in AIDS[:aids]]
            assert max(sizes) - min(sizes) <= 1
        met.update((one, aid) for aid, mine in found.items() for one in mine)
    assert met == Counter({(one, aid): 1 for one in items for aid in AIDS[:aids]})


@pytest.mark.parametrize("count", [2, 3, 4])
def test_orders_of_aids_are_balanced_and_crossed_with_the_dealing(count: int) -> None:
    aids = AIDS[:count]
    people = count * (count if count % 2 == 0 else 2 * count)
    orders = [aid_order(aids, within=True, position=position) for position in range(people)]
    assert all(sorted(order) == list(aids) for order in orders)
    for place in range(count):
        assert set(Counter(order[place] for order in orders).values()) == {people // count}
    assert len(set(Counter(pair for order in orders for pair in pairwise(order)).values())) == 1
    assert set(Counter((order, nth % count) for nth, order in enumerate(orders)).values()) == {1}
    assert [aid_order(aids, within=False, position=nth) for nth in range(count)] == [(aid,) for aid in aids]


@settings(max_examples=40)
@given(items=items, position=st.integers(0, 9))
def test_an_item_comes_back_under_the_aid_under_which_it_was_met(items: dict[str, str], position: int) -> None:
    order = aid_order(AIDS[:2], within=True, position=position)
    mine = dealt(items, AIDS[:2], position=position, seed=SEED)
    phases = [
        Phase(
            aid=aid,
            blocks=blocks(
                {one: items[one] for one in mine[aid]}, rule="mixed", block_items=5, position=position, seed=SEED
            ),
        )
        for aid in order
    ]
    slots = sequence(
        phases, families=dict.fromkeys(items, "one"), attention=[], copies={one: f"copy-{one}" for one in items},
        repeats=1, position=position, seed=SEED,
    )  # fmt: skip
    aids = {slot.puzzle_id: slot.aid for slot in slots}
    assert {one: aid for one, aid in aids.items() if one in items} == {one: aid for aid in mine for one in mine[aid]}
    assert list(dict.fromkeys(slot.aid for slot in slots)) == list(order)
    assert [slot.block for slot in slots] == sorted(slot.block for slot in slots)
    assert all(len({slot.aid for slot in slots if slot.block == one.block}) == 1 for one in slots)
    assert all(aids[one] == aids[one.removeprefix("copy-")] for one in aids if one.startswith("copy-"))


def test_the_plan_says_which_difference_between_two_aids_is_found(lab: Lab) -> None:
    lab.freeze(systems=12, **WITHIN)
    planned = lab.clew("study", "plan", lab.home).out
    few, more = (line for line in planned.splitlines() if line.startswith("  two aids, hidden-systems, 12 of 12 items"))
    assert few.endswith("no test, which takes 6 people, 10 items and as many items a person as there are aids")
    found = re.search(r"finds a difference of (0\.\d{3}) with 80 % power", more)
    assert found and 0.1 < float(found[1]) < 0.6


def test_within_people_needs_two_aids(lab: Lab) -> None:
    lab.write(["systems"], aids_vary="within")
    refused = lab.clew("study", "check", lab.config, code=2).err
    assert "aids_vary is 'within' and aids is ['A0']; two or more aids are right" in refused


def person(lab: Lab, code: str) -> Person:
    lab.merge(code)
    with lab.study() as study:
        return next(one for one in study_data(study).people if one.code == code)


def test_every_answer_is_stored_under_the_aid_that_was_in_view(lab: Lab) -> None:
    lab.freeze(systems=8, block_items="2", **WITHIN)
    lab.recruit("ada-lab")
    shown: dict[str, Aid | None] = {}
    pauses = []
    with closing(lab.desk("ada-lab")) as desk:
        desk.open()
        slots = {slot.puzzle_id: slot for slot in desk._slots}
        for stage in walk(desk, lab.time, says("PRESENT")):
            if stage.kind == "item":
                shown[stage.puzzle_id] = stage.aid
            if stage.kind == "break":
                pauses.append(ANOTHER in stage.text)
    assert shown == {one: slot.aid for one, slot in slots.items()} and set(shown.values()) == {"A0", "A1"}
    assert pauses.count(True) == 1 and pauses.count(False) >= 2
    found = person(lab, "ada-lab")
    assert {trial.shown_uid: trial.aid for trial in found.trials if trial.role != "practice"} == shown
    assert all(trial.columns is None for trial in found.main)
    collected = read_collected(lab.answers("ada-lab"))
    aids = {row.id: row.aid for row in collected.sessions}
    rows = [row for row in collected.attempts if row.puzzle_id in shown]
    assert {row.puzzle_id: aids[row.session] for row in rows} == shown
    counts = Counter(trial.aid for trial in found.main)
    assert counts == {"A0": 4, "A1": 4}
    assert "A0>A1" in lab.clew("study", "status", lab.home).out
    lab.clew("study", "export", lab.home, "--out", lab.folder / "data")
    with (lab.folder / "data" / "participants.csv").open(newline="") as reading:
        assert [row["aid"] for row in csv.DictReader(reading)] == ["A0 A1"]


@pytest.mark.parametrize("policy", ["resume", "restart_block"])
def test_coming_back_in_a_later_phase_goes_on_there(lab: Lab, policy: str) -> None:
    lab.freeze(systems=8, block_items="2", attention="0", repeats="0", policy=policy, **WITHIN)
    lab.recruit("ada-lab")
    with closing(lab.desk("ada-lab")) as desk, suppress(StopIteration):
        desk.open()
        for _ in walk(desk, lab.time, says("PRESENT"), items=5):
            pass
        left = desk.stage()
        assert left.aid == "A1" and left.nth == 6
    lab.time.pass_by(600)
    with closing(lab.desk("ada-lab")) as desk:
        desk.open()
        assert desk.stage().nth == (6 if policy == "resume" else 5) and desk.stage().aid == "A1"
    lab.time.pass_by(60)
    lab.play("ada-lab", says("ABSENT"))
    found = person(lab, "ada-lab")
    assert found.ended == "finished" and found.counts().answered == 8
    assert Counter(trial.aid for trial in found.main) == {"A0": 4, "A1": 4}
    again = [trial for trial in found.trials if trial.exposure == 2]
    assert len(again) == (policy == "restart_block") and all(trial.aid == "A1" for trial in again)


def test_a_choice_may_be_changed_across_the_break_between_two_aids(lab: Lab) -> None:
    lab.freeze(systems=4, block_items="2", attention="0", repeats="0", **WITHIN)
    lab.recruit("ada-lab")
    with closing(lab.desk("ada-lab")) as desk:
        desk.open()
        for _ in walk(desk, lab.time, says("PRESENT"), items=2):
            pass
        first, following = desk._submitter._last, desk._slots[2]
        assert first is not None and following.aid == "A1"
        shown = desk.present(first.puzzle_id)
        desk.submit(answer_to(shown, "ABSENT", revises=first.id))
    lab.play("ada-lab", says("PRESENT"))
    found = person(lab, "ada-lab")
    (revised,) = [trial for trial in found.main if trial.n_revisions]
    assert (revised.answer, revised.aid, revised.exposure) == ("ABSENT", "A0", 1)


def test_whoever_meets_fewer_aids_than_there_are_has_the_first_one_met_for_practice_too(lab: Lab) -> None:
    lab.freeze(systems=4, items_per_person="1", raters_per_item="1", attention="0", repeats="0", **WITHIN)
    lab.recruit("ada-lab", "ben-lab")
    met = []
    for code in ("ada-lab", "ben-lab"):
        practised: set[str | None] = set()
        with closing(lab.desk(code)) as desk:
            desk.open()
            for stage in walk(desk, lab.time, says("PRESENT")):
                practised |= {stage.aid} if stage.kind == "practice" else set()
        found = person(lab, code)
        assert {trial.aid for trial in found.trials} == practised == {found.aid} == set(found.aids)
        met.append(found.aid)
    assert met == ["A0", "A1"]


CODES = tuple(f"person-{nth}x" for nth in range(6))


@pytest.mark.slow
def test_the_report_sets_aids_against_each_other_person_by_person(lab: Lab) -> None:
    lab.freeze(systems=12, people="6", raters_per_item="6", attention="0", repeats="0", **WITHIN)
    lab.recruit(*CODES)
    gold = lab.gold()
    for code in CODES:
        lab.play(code, skilled(gold, 70, code, {}))
    lab.clew("solve", lab.folder / "systems", "--model", "baseline:pooled", "--answers", lab.folder / "models.db")
    lab.merge(*CODES)
    lab.clew("study", "merge", lab.home, lab.folder / "models.db")
    lab.clew("study", "score", lab.home)
    found = json.loads(lab.clew("study", "compare", lab.home, "--json").out)
    (contrast,) = found["aid_contrasts"]
    with lab.study() as study:
        data = study_data(study)
    naive = []
    for one in data.people:
        right: dict[str, list[bool]] = {"A0": [], "A1": []}
        for trial in one.main:
            right[trial.aid].append(trial.answer == gold[trial.item_uid])
        assert {len(results) for results in right.values()} == {6}
        naive.append(sum(right["A0"]) / 6 - sum(right["A1"]) / 6)
    assert [own["difference"] for own in contrast["people"]] == pytest.approx(naive)
    assert contrast["value"] == contrast["found"]["value"] == pytest.approx(sum(naive) / 6)
    assert (contrast["first"], contrast["second"], contrast["items"]) == ("A0", "A1", 12)
    assert contrast["found"]["low"] <= contrast["value"] <= contrast["found"]["high"]
    tested = [one for one in (*found["contrasts"], contrast) if one["found"] and not one.get("registered")]
    smallest = min(tested, key=lambda one: one["found"]["p"])
    assert smallest["p_holm"] == pytest.approx(min(1.0, smallest["found"]["p"] * len(tested)))
    assert all(one["p_holm"] >= one["found"]["p"] for one in tested) and contrast["p_holm"] is not None
    said = lab.clew("study", "compare", lab.home).out
    assert "## Aids against each other, within people" in said and re.search(r"\| P01 \| \d of 6 \| \d of 6 \|", said)
    assert "within people, in balanced blocks" in said


def test_aids_between_people_are_not_paired(lab: Lab) -> None:
    lab.freeze(systems=4, aids="[A0, A1]", attention="0", repeats="0", model="baseline:pooled")
    lab.recruit("ada-lab", "ben-lab")
    for code in ("ada-lab", "ben-lab"):
        lab.play(code)
    lab.merge("ada-lab", "ben-lab")
    lab.clew("study", "score", lab.home)
    found = json.loads(lab.clew("study", "compare", lab.home, "--json").out)
    assert found["aid_contrasts"] == []
    assert [rate["aid"] for family in found["families"] for rate in family["people"]] == ["A0", "A1"]
