"""Which items the next participant gets: balanced over strata, the least covered first, never more than are wanted.

Planning again after drop-outs is the same act: expired and withdrawn leases are free again, so the next places take
them. All of it is a function of the manifest, the log and the time.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from math import exp, lgamma, log, log1p

from engine.public import Aid
from engine.randomness import Stream, secret_bits
from engine.store.study_file import LeaseRow, PlaceRow
from engine.study.leases import expired, loads, reserved
from engine.study.manifest import Manifest
from engine.study.ordering import aid_order

LETTERS = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"
"""Nothing that is misread: no 0 O 1 I L."""
CODE_LENGTH = 8
SURE = 0.95


@dataclass(frozen=True, kw_only=True)
class Needs:
    """How many people a design needs."""

    answers: int
    """items x raters."""
    people: int
    """With nobody dropping out."""
    with_reserve: int
    """How many have to begin so that enough stay, with a chance of 95 %."""


def needs(items: int, raters: int, per_person: int, dropout_percent: int) -> Needs:
    """Return how many people cover all items; a person answers at most `per_person` of them (0: all)."""
    each = min(per_person or items, items)
    people = max(-(-items * raters // each), raters)
    return Needs(answers=items * raters, people=people, with_reserve=_reserve(people, dropout_percent))


def _reserve(people: int, dropout_percent: int) -> int:
    """Return how many have to begin so that enough stay with a chance of 95 %, each leaving independently."""
    stay, begin = 1 - dropout_percent / 100, people
    while dropout_percent and _chance_of_at_least(people, begin, stay) < SURE:
        begin += 1
    return begin


def _chance_of_at_least(wanted: int, begin: int, stay: float) -> float:
    """Return the chance that `wanted` or more of `begin` stay; logarithms keep large studies from overflowing."""
    terms = (
        lgamma(begin + 1)
        - lgamma(left + 1)
        - lgamma(begin - left + 1)
        + left * log(stay)
        + (begin - left) * log1p(-stay)
        for left in range(wanted, begin + 1)
    )
    return sum(map(exp, terms))


def new_code() -> str:
    """Return a fresh pseudonymous code such as `7KQ2-MX9C`."""
    letters = [LETTERS[secret_bits(64) % len(LETTERS)] for _ in range(CODE_LENGTH)]
    return "".join(letters[:4]) + "-" + "".join(letters[4:])


def aids_of(manifest: Manifest, position: int) -> tuple[Aid, ...]:
    """Return the aids that a participant has, in order; one alone where the study varies them between people."""
    return aid_order(manifest.aids, within=manifest.aids_vary == "within", position=position)


def choose_items(manifest: Manifest, load: Mapping[str, int], position: int) -> tuple[str, ...]:
    """Return the items of one more participant, by id; fewer than asked for when not enough are open.

    Each stratum gives its share, remainders in turn by position; inside a stratum the least covered come first.
    """
    raters, wanted = manifest.design.raters_per_item, manifest.design.items_per_person or len(manifest.items)
    stream = Stream("study/assignment", manifest.order_seed, position)
    tie = {puzzle: nth for nth, puzzle in enumerate(stream.shuffled(sorted(item.uid for item in manifest.items)))}
    strata: dict[str, list[str]] = defaultdict(list)
    for item in manifest.items:
        if load.get(item.uid, 0) < raters:
            strata[item.stratum].append(item.uid)
    for open_items in strata.values():
        open_items.sort(key=lambda puzzle: (load.get(puzzle, 0), tie[puzzle]))
    quotas = _quotas({name: len(found) for name, found in strata.items()}, manifest, wanted, position)
    return tuple(sorted(puzzle for name, quota in quotas.items() for puzzle in strata[name][:quota]))


def plan_places(
    manifest: Manifest,
    places: Sequence[PlaceRow],
    log: Sequence[LeaseRow],
    *,
    codes: Sequence[str],
    now: str,
    discounted: Collection[str] = (),
) -> tuple[list[PlaceRow], list[LeaseRow]]:
    """Return places for these codes and the lines of the log; a code for which nothing is open gets no place.

    Leases that are over are expired first.

    Args:
        discounted: places whose work fills nothing, because a rule leaves their people out.
    """
    mine = [place for place in places if place.version == manifest.version]
    ids = {place.id for place in mine} - set(discounted)
    log = [row for row in log if row.place in ids]
    lines = list(expired(log, now))
    load = loads([*log, *lines], now)
    position = 1 + max((place.position for place in mine), default=-1)
    made: list[PlaceRow] = []
    for code in codes:
        items = choose_items(manifest, load, position)
        if not items:
            break
        place = PlaceRow(
            id=f"{secret_bits(128):032x}", version=manifest.version, code=code, position=position,
            aid=aids_of(manifest, position)[0], at=now,
        )  # fmt: skip
        made.append(place)
        lines += reserved(place.id, items, now, manifest.time.lease_h)
        load.update(items)
        position += 1
    return made, lines


def _quotas(available: Mapping[str, int], manifest: Manifest, wanted: int, position: int) -> dict[str, int]:
    """Return how many items each stratum gives: by its size in the study, no more than are open, `wanted` in all."""
    sizes = Counter(item.stratum for item in manifest.items)
    names = sorted(available)
    quotas = {name: min(available[name], wanted * sizes[name] // len(manifest.items)) for name in names}
    turned = names[position % len(names) :] + names[: position % len(names)] if names else []
    while sum(quotas.values()) < wanted:
        short = [name for name in turned if quotas[name] < available[name]]
        if not short:
            break
        for name in short[: wanted - sum(quotas.values())]:
            quotas[name] += 1
    return quotas
