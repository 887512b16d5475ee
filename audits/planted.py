"""Planted leaks for the statistical rules: clean draws with one thing spoiled.

Every plant is a function from draws to draws; each rule must find all of its own and stay silent on the draws as they
came.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache

import numpy as np

from audits.base import Row, Sensitivity, settled
from audits.draws import GATED, NO_EVENT, ROLES, SETTER, Bools, Draws, Ints, collect
from audits.learners import available, generator
from audits.view import PackView, Shipped, Told
from engine.hidden_systems.behavior import payload_text, read_payload
from engine.hidden_systems.program.generate import generate_skeleton
from engine.hidden_systems.surface.domain import domain_names, pick_domain
from engine.hidden_systems.surface.template import RENDERER
from engine.randomness import derive
from engine.store.pack import puzzle_id

Plant = Callable[[Draws], Draws]
PackPlant = Callable[[PackView], PackView]
RunOnDraws = Callable[[Draws], tuple[Row, ...]]
RunOnPack = Callable[[PackView], tuple[Row, ...]]

COMPLEXITY, COUNT, SEED = 5, 900, 1
"""The clean fixture: five events, so that triples are there too."""
ADDER = ROLES.index("adder")


@cache
def clean_draws() -> Draws:
    """Return the clean fixture."""
    return collect(COMPLEXITY, COUNT, SEED, texts=True)


def tried(run: RunOnDraws, plants: Sequence[Plant]) -> Sensitivity:
    """Run a rule on the clean fixture and on each plant; nothing is planted where no learner is installed."""
    if not available():
        return Sensitivity(0, 0)
    clean = clean_draws()
    return Sensitivity(
        found=sum(_failures(run(plant(clean))) > 0 for plant in plants),
        planted=len(plants),
        alarms=_failures(run(clean)),
    )


def _failures(rows: Sequence[Row]) -> int:
    return sum(row.status == "fail" for row in settled(rows))


def tried_settled(run: RunOnPack, clean: PackView, plants: Sequence[PackPlant]) -> Sensitivity:
    """Run a tested rule on a right pack and on each plant, each time as a family of its own."""
    if not available():
        return Sensitivity(0, 0)
    found = sum(_failures(run(plant(clean))) > 0 for plant in plants)
    return Sensitivity(found, len(plants), _failures(run(clean)))


# Cases --------------------------------------------------------------------------------------------------------------


def only_gated_pair_reversed(draws: Draws) -> Draws:
    """S01: leave out the reversed order of every pair but the setter's with its gated event."""
    first, second = draws.events[:, :, 0], draws.events[:, :, 1]
    named = _role_of(draws, first), _role_of(draws, second)
    reversed_pair = (draws.lengths == 2) & (first > second)
    return _without(draws, reversed_pair & ~((named[0] == GATED) & (named[1] == SETTER)))


def controls_only_for_gates(draws: Draws) -> Draws:
    """S01: leave out the second single case of events without an attribute gate."""
    single = draws.lengths == 1
    event = draws.events[:, :, 0]
    plain = single & np.isin(_role_of(draws, event), (ADDER, SETTER, GATED))
    place = np.arange(event.shape[1])
    earlier = (event[:, :, None] == event[:, None, :]) & single[:, None, :] & (place[:, None] > place)
    return _without(draws, plain & earlier.any(axis=2))


def cases_listed_by_role(draws: Draws) -> Draws:
    """S01: list the cases by the role of their first event."""
    order = np.argsort(_role_of(draws, draws.events[:, :, 0]), axis=1, kind="stable")
    return replace(
        draws,
        events=np.take_along_axis(draws.events, order[:, :, None], axis=1),
        lengths=np.take_along_axis(draws.lengths, order, axis=1),
        counts=np.take_along_axis(draws.counts, order, axis=1),
    )


def _role_of(draws: Draws, events: Ints) -> Ints:
    """Return the role of each event of an N x C array; of a place without event, that of the last."""
    return np.take_along_axis(draws.roles, events, axis=1)


def _without(draws: Draws, dropped: Bools) -> Draws:
    return replace(
        draws,
        lengths=np.where(dropped, 0, draws.lengths),
        events=np.where(dropped[:, :, None], NO_EVENT, draws.events),
    )


# Order --------------------------------------------------------------------------------------------------------------


def roles_in_fixed_order(draws: Draws) -> Draws:
    """S02: put the events of every query in one order of roles."""
    return _requeried(draws, np.argsort(draws.roles, axis=1, kind="stable"))


def adder_first(draws: Draws) -> Draws:
    """S02: let every query begin with its adder."""
    return _requeried(draws, np.argsort(draws.roles != ADDER, axis=1, kind="stable"))


def codes_by_role(draws: Draws) -> Draws:
    """S02: give out event codes in one order of roles."""
    numbers = np.argsort(np.argsort(draws.roles, axis=1, kind="stable"), axis=1) + 1
    return replace(draws, codes=tuple(tuple(f"E{number}" for number in row) for row in numbers))


def _requeried(draws: Draws, order: Ints) -> Draws:
    """Let new query position j hold what was at position order[:, j]."""
    count, _, places = draws.events.shape
    new = np.argsort(order, axis=1)
    known = np.maximum(draws.events, 0).reshape(count, -1)
    moved = np.take_along_axis(new, known, axis=1).reshape(count, -1, places)
    return replace(
        draws,
        roles=np.take_along_axis(draws.roles, order, axis=1),
        events=np.where(draws.events == NO_EVENT, NO_EVENT, moved),
        codes=tuple(tuple(codes[at] for at in row) for codes, row in zip(draws.codes, order, strict=True)),
    )


# Public order and ids -----------------------------------------------------------------------------------------------


def generation_order(draws: Draws) -> Draws:
    """S03: list puzzles as they were made, labels alternating."""
    return replace(draws, public_ids=tuple(f"{nth:032x}" for nth in range(len(draws))))


def present_first(draws: Draws) -> Draws:
    """S03: list the puzzles of one label first."""
    return _marked_ids(draws, lambda bit, public: f"{1 - bit}{public}")


def label_in_public_id(draws: Draws) -> Draws:
    return _marked_ids(draws, lambda bit, public: f"{public}{bit}{bit}{bit}")


def _marked_ids(draws: Draws, mark: Callable[[int, str], str]) -> Draws:
    pairs = zip(draws.present, draws.public_ids, strict=True)
    return replace(draws, public_ids=tuple(mark(int(bit), public) for bit, public in pairs))


def label_in_query_id(draws: Draws) -> Draws:
    return replace(draws, query_ids=tuple(f"query{int(bit)}" for bit in draws.present))


def label_in_case_ids(draws: Draws) -> Draws:
    pairs = zip(draws.present, draws.case_ids, strict=True)
    return replace(draws, case_ids=tuple(tuple(f"{one}{'ab'[int(bit)]}" for one in ids) for bit, ids in pairs))


def role_in_case_ids(draws: Draws) -> Draws:
    named = _role_of(draws, draws.events[:, :, 0])
    pairs = zip(named, draws.case_ids, strict=True)
    return replace(draws, case_ids=tuple(tuple(f"{ROLES[r]}-{i}" for r, i in zip(*p, strict=False)) for p in pairs))


def role_in_codes(draws: Draws) -> Draws:
    return replace(draws, codes=tuple(tuple(f"E{ROLES[role]}" for role in row) for row in draws.roles))


# Counts -------------------------------------------------------------------------------------------------------------


def one_strong_event(draws: Draws) -> Draws:
    """S06: a generator in which one event of the query decides alone, whatever the attributes."""
    random = generator("plants", "S06")
    strong = random.integers(draws.complexity, size=len(draws))
    rate = np.where(draws.present, 0.95, 0.05)[:, None]
    shown = (draws.events == strong[:, None, None]).any(axis=2)
    return replace(draws, counts=random.binomial(draws.trials, np.where(shown, rate, 0.02)))


# Packs --------------------------------------------------------------------------------------------------------------

TIMED = 300
"""Items enough for the rules that need two hundred."""


@cache
def clean_view() -> PackView:
    """Return a small right pack with its labels, no texts."""
    return made_view(24)


@cache
def timed_view() -> PackView:
    """Return a right pack of more items, no texts."""
    return made_view(TIMED)


def made_view(count: int) -> PackView:
    """Return a right pack of short puzzles with their labels, no texts."""
    salt, seed = "salt", derive("audits/plants", "pack")
    skeletons = [generate_skeleton(4, seed, index) for index in range(count)]
    puzzles = {}
    for skeleton in skeletons:
        text = payload_text(skeleton.payload)
        puzzle = Shipped(id=puzzle_id(text, salt), payload=text, tellings=())
        puzzles[puzzle.id] = (puzzle, skeleton.gold_answer == "PRESENT")
    listed = [puzzles[identity] for identity in sorted(puzzles)]
    return PackView(salt=salt, puzzles=tuple(one for one, _ in listed), present=tuple(bit for _, bit in listed))


def tried_pack(run: RunOnPack, plants: Sequence[PackPlant]) -> Sensitivity:
    """Run an exact rule on the clean pack and on each plant."""
    clean = clean_view()
    found = sum(any(row.status == "fail" for row in run(plant(clean))) for plant in plants)
    return Sensitivity(found, len(plants), sum(row.status == "fail" for row in run(clean)))


def listed_by_label(view: PackView) -> PackView:
    """S03: one label first."""
    order = sorted(range(len(view.puzzles)), key=(view.present or ()).__getitem__)
    return _listed(view, order)


def listed_in_turn(view: PackView) -> PackView:
    """S03: labels alternate."""
    bits = view.present or ()
    sides = [[at for at, bit in enumerate(bits) if bit is side] for side in (True, False)]
    return _listed(view, [at for pair in zip(*sides, strict=False) for at in pair])


def _listed(view: PackView, order: Sequence[int]) -> PackView:
    bits = view.present or ()
    return replace(
        view, puzzles=tuple(view.puzzles[at] for at in order), present=tuple(bits[at] for at in order)
    )  # fmt: skip


def label_as_last_digit(view: PackView) -> PackView:
    """S04: the last digit of the id is even for one label."""
    bits = view.present or ()
    return replace(
        view,
        puzzles=tuple(replace(p, id=f"{p.id[:-1]}{int(bit)}") for p, bit in zip(view.puzzles, bits, strict=True)),
    )


def salt_lost(view: PackView) -> PackView:
    return replace(view, salt="")


def cases_renumbered(view: PackView) -> PackView:
    """S04: case ids that are not the places."""
    return _edited(view, '"id":"c01"', '"id":"c99"')


def codes_reordered(view: PackView) -> PackView:
    """S04: a vocabulary whose order says something."""
    return _edited(view, '"event_vocabulary":["E1","E2"', '"event_vocabulary":["E2","E1"')


def query_renamed(view: PackView) -> PackView:
    return _edited(view, '"id":"q"', '"id":"q1"')


def label_in_rendering_id(view: PackView) -> PackView:
    """S04: the id of a text ends with the label."""
    return _told_by_label(view, lambda domain, bit: Told(renderer=RENDERER, domain=domain, text="", id=f"{bit:032x}"))


def domain_of_label(view: PackView) -> PackView:
    """S04: each label is told in a domain of its own."""
    domains = domain_names()
    return _told_by_label(view, lambda domain, bit: Told(renderer=RENDERER, domain=domains[bit], text=""))


def _told_by_label(view: PackView, told: Callable[[str, int], Told]) -> PackView:
    pairs = [(one, pick_domain(read_payload(one.payload)), int(bit))
             for one, bit in zip(view.puzzles, view.present or (), strict=True)]  # fmt: skip
    return replace(view, puzzles=tuple(replace(one, tellings=(told(domain, bit),)) for one, domain, bit in pairs))


def _edited(view: PackView, old: str, new: str) -> PackView:
    """Edit the first puzzle's payload and give it the id that fits."""
    first = view.puzzles[0]
    text = first.payload.replace(old, new, 1)
    assert text != first.payload, "the edit applies"
    read_payload(text)
    puzzle = replace(first, payload=text, id=puzzle_id(text, view.salt))
    return replace(view, puzzles=(puzzle, *view.puzzles[1:]))
