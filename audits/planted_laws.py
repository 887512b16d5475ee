"""More planted leaks: generators of another law, payloads and texts of another shape, unequal labels (S05, S07 to S10).

A plant is a function from draws to draws, as in `planted`; some draw anew under a law that ties parameters, operators
or counts to the label, because no edit of finished draws would do that.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import cache

import numpy as np

from audits.draws import Draws
from audits.laws import Law, draw_by
from audits.learners import generator
from audits.planted import COMPLEXITY, COUNT, SEED
from audits.style import Style
from audits.view import PackView
from engine.hidden_systems.program.draw import Draw

HIGH, LOW = Fraction(7, 10), Fraction(6, 10)


# Laws ---------------------------------------------------------------------------------------------------------------


@cache
def _by(law: Law) -> Draws:
    return draw_by(law, COMPLEXITY, COUNT, SEED)


def strong_for_present(draw: Draw, present: bool) -> bool:
    """Keep PRESENT with likely adders only, ABSENT with unlikely ones only."""
    adders = [r.probability for r, role in zip(draw.system.rules, draw.roles, strict=True) if role == "adder"]
    return all(p >= HIGH for p in adders) if present else all(p <= LOW for p in adders)


def one_operator(draw: Draw, present: bool) -> bool:
    """Keep systems whose vetoes ask for more and whose gated adders for less, or have no numeric gate."""
    wanted = {"veto": ("GT",), "gated_add": ("LE",)}
    pairs = zip(draw.system.rules, draw.roles, strict=True)
    return all(test.operator in wanted[role] for rule, role in pairs if role in wanted for test in rule.conditions)


def holding_gates(draw: Draw, present: bool) -> bool:
    """Keep systems all of whose attribute gates hold in the query."""
    return all(_holds(draw, rule_at) for rule_at in range(len(draw.roles)))


def tested_attributes(draw: Draw, present: bool) -> bool:
    """Keep systems without an inert attribute."""
    named = {test.key for rule in draw.system.rules for test in rule.conditions if test.source == "attribute"}
    return len(named) == len(draw.attributes)


def _holds(draw: Draw, at: int) -> bool:
    """Tell whether the attribute tests of one rule hold at the query's values."""
    for test in draw.system.rules[at].conditions:
        if test.source == "state":
            continue
        asked = draw.attributes[int(test.key)].query
        if test.operator == "EQ":
            met = asked == test.value
        else:
            assert isinstance(asked, int) and isinstance(test.value, int)
            met = asked <= test.value if test.operator == "LE" else asked > test.value
        if not met:
            return False
    return True


def ranges_by_label(draws: Draws) -> Draws:
    """S05: parameter ranges that depend on the label."""
    return replace(_by(strong_for_present), seed=draws.seed)


def operators_by_role(draws: Draws) -> Draws:
    """S07: one operator for all gates of a kind."""
    return replace(_by(one_operator), seed=draws.seed)


def gates_that_hold(draws: Draws) -> Draws:
    """S07: every gate holds in every query."""
    return replace(_by(holding_gates), seed=draws.seed)


def no_inert_attribute(draws: Draws) -> Draws:
    """S07: every attribute matters."""
    return replace(_by(tested_attributes), seed=draws.seed)


def tilted_query_values(draws: Draws) -> Draws:
    """S07: queries at higher values for one label."""
    settings = draws.settings
    shift = np.where(draws.present[:, None] & (settings.kinds == 1), 2.0, 0.0)
    return replace(draws, settings=replace(settings, query=settings.query + shift))


def counts_by_label(draws: Draws) -> Draws:
    """S05: counts that lean to the label in one case in three, as parameters drawn by label would make them."""
    random = generator("plants", "S05")
    lean = np.where(draws.present[:, None], 4, -4) * (random.random(draws.counts.shape) < 0.33)
    return replace(draws, counts=np.clip(draws.counts + lean, 0, draws.trials))


# Shapes -------------------------------------------------------------------------------------------------------------


def fewer_cases(draws: Draws) -> Draws:
    """S08: one case less for one label."""
    lengths = draws.lengths.copy()
    lengths[draws.present, 0] = 0
    return replace(draws, lengths=lengths)


def keys_reordered(draws: Draws) -> Draws:
    """S08: the keys of the payload in another order for one label."""
    pairs = zip(draws.keys, draws.present, strict=True)
    return replace(draws, keys=tuple(" ".join(reversed(keys.split())) if bit else keys for keys, bit in pairs))


def more_trials(draws: Draws) -> Draws:
    """S08: more trials a case for one label."""
    return replace(draws, shown_trials=draws.shown_trials + 16 * draws.present)


def longer_payload(draws: Draws) -> Draws:
    """S08: one more character in the payload of one label."""
    return replace(draws, masked=draws.masked + draws.present)


# Texts --------------------------------------------------------------------------------------------------------------


def _style(draws: Draws) -> Style:
    assert draws.style is not None, "the clean fixture has texts"
    return draws.style


def padded_texts(draws: Draws) -> Draws:
    """S09: a few characters more for one label."""
    style = _style(draws)
    return replace(draws, style=replace(style, measures=style.measures + 400.0 * draws.present[:, None]))


def domain_by_label(draws: Draws) -> Draws:
    """S09: one label told in half of the domains."""
    style, names = _style(draws), sorted(set(_style(draws).domains))
    half = len(names) // 2
    picked = [names[nth % half + half * int(bit)] for nth, bit in enumerate(draws.present)]
    return replace(draws, style=replace(style, domains=tuple(picked)))


def fallback_for_one_label(draws: Draws) -> Draws:
    """S09: a second renderer that tells one label only, every fifth time."""
    style = _style(draws)
    used = ["fallback" if bit and nth % 5 == 0 else "usual" for nth, bit in enumerate(draws.present)]
    return replace(draws, style=replace(style, renderers=tuple(used)))


def a_word_for_one_label(draws: Draws) -> Draws:
    """S09: one word more often for one label."""
    style = _style(draws)
    words = style.words.copy()
    words[draws.present, 17] += 6
    return replace(draws, style=replace(style, words=words))


# Labels -------------------------------------------------------------------------------------------------------------


def seventy_thirty(draws: Draws) -> Draws:
    """S10: seven of ten are PRESENT."""
    return replace(draws, present=np.arange(len(draws)) % 10 < 7)


def one_label_mostly(view: PackView) -> PackView:
    """S10: seven of ten puzzles of a pack are PRESENT."""
    return replace(view, present=tuple(nth % 10 < 7 for nth in range(len(view.puzzles))))


def renderer_by_label(view: PackView) -> PackView:
    """S09: a shipped pack in which one label fell back to another renderer."""
    told = [
        replace(
            puzzle, tellings=tuple(replace(one, renderer="fallback" if bit else "model") for one in puzzle.tellings)
        )
        for puzzle, bit in zip(view.puzzles, view.present or (), strict=True)
    ]
    return replace(view, puzzles=tuple(told))


def retries_by_label(view: PackView) -> PackView:
    """S09: a shipped pack in which one label took more tries."""
    told = [
        replace(puzzle, tellings=tuple(replace(one, status="tries 3" if bit else "tries 1") for one in puzzle.tellings))
        for puzzle, bit in zip(view.puzzles, view.present or (), strict=True)
    ]
    return replace(view, puzzles=tuple(told))
