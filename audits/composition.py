"""S06: a predictor that sees counts, but no attribute value and no rule, stays under the ceiling.

Four nested inputs (`counts.nested_inputs`) and fixed recipes compete inside the fitting half; the winner is scored
once. This is a bound, outside the family of tests: fail if the lower bound is above the ceiling, pass if the upper is
not. Draws that went through the selection of study packs have the ceiling that they were selected for.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from audits.base import Measure, Row, Severity, Status, fingerprint
from audits.draws import Bools, Draws
from audits.ideal import ideal_ceiling
from audits.learners import BOOSTED, CANDIDATES, available, halves, predict_label
from audits.statistics import Share, clopper_pearson
from engine.hidden_systems.counts import BASELINES, RECIPES, nested_inputs, rates_of, recipe_scores

CEILING = 0.85
FEWEST_DRAWS = 80
CLAIM = "a predictor from counts alone, blind to attributes, stays under the ceiling"


def audit_composition(draws: Draws) -> tuple[Row, ...]:
    """Run S06: the verdict, then a note for each input, each baseline recipe and each number that stands beside it."""
    blank = _blank(draws)
    if not available() or len(draws) < FEWEST_DRAWS:
        return (blank,)
    attempts = _attempts(draws)
    best = max(attempts, key=lambda one: one.chosen_by)
    share = best.share()
    verdict = replace(
        blank,
        status=status_of(share, ceiling_of(draws)),
        n=len(best.right),
        statistic=Measure(f"accuracy of {best.name}", share.value),
        chance=0.5,
        bound=Measure("99 % upper, one-sided", share.high),
    )
    shown = [_note(verdict, f"accuracy of {one.name}", one.share()) for one in attempts if one.shown]
    return (verdict, *shown, *_beside(verdict, best, draws))


def ceiling_of(draws: Draws) -> float:
    """Return the accuracy that counts alone must stay under."""
    return CEILING if draws.percent is None else draws.percent / 100


def _blank(draws: Draws) -> Row:
    plain, ceiling = draws.percent is None, ceiling_of(draws)
    severity: Severity = "error" if draws.complexity > 4 and plain else "warning"
    law = f"complexity {draws.complexity}" + ("" if plain else f", selected at {ceiling}")
    return Row(
        rule="S06",
        claim=f"{CLAIM} ({law})",
        severity=severity,
        status="inconclusive",
        n=len(draws),
        threshold=f"ceiling {ceiling}: 99 % lower bound above fails, upper bound not above passes",
        fingerprint=fingerprint("S06", "draws", f"/{law}"),
        seed=draws.seed,
    )


def _beside(verdict: Row, best: _Attempt, draws: Draws) -> tuple[Row, ...]:
    """Return the share that counts alone get wrong, and what an observer of the whole evidence gets right."""
    wrong = clopper_pearson(int((~best.right).sum()), len(best.right))
    rows = [_note(verdict, "hard share: wrong by counts alone", wrong)]
    if draws.percent is None and (ideal := ideal_ceiling(draws.complexity)) is not None:
        rows.append(_note(verdict, f"ideal ceiling, measured on {ideal.trials} puzzles", ideal.share()))
        gap = Measure("fair gap: ideal ceiling - counts alone", ideal.share().value - best.share().value)
        rows.append(replace(rows[-1], statistic=gap, bound=None, chance=0.0, fingerprint=_mark(verdict, gap.name)))
    return tuple(rows)


def status_of(share: Share, ceiling: float = CEILING) -> Status:
    """Return what the bounds decide."""
    if share.low > ceiling:
        return "fail"
    return "pass" if share.high <= ceiling else "inconclusive"


class _Attempt:
    """One predictor: how good it was inside the fitting half, and where it was right on the held-out one."""

    def __init__(self, name: str, chosen_by: float, right: Bools, shown: bool) -> None:
        self.name = name
        self.chosen_by = chosen_by
        self.right = right
        self.shown = shown

    def share(self) -> Share:
        return clopper_pearson(int(self.right.sum()), len(self.right))


def _attempts(draws: Draws) -> list[_Attempt]:
    rates = rates_of(draws)
    cut = halves(len(draws), "S06", draws.complexity, draws.seed)
    labels = draws.present
    attempts = []
    for name, features in nested_inputs(rates).items():
        learners = (*CANDIDATES, BOOSTED) if name == "full" else CANDIDATES
        scored = predict_label(features, labels, cut, quality="accuracy", candidates=learners)
        right = (scored.scores > 0.5) == labels[cut.score]
        attempts.append(_Attempt(f"{name}, {scored.learner}", scored.chosen_by, right, True))
    called = recipe_scores(rates) > 0.5
    for nth, (name, _) in enumerate(RECIPES):
        right = called[:, nth] == labels
        attempts.append(_Attempt(name, float(np.mean(right[cut.fit])), right[cut.score], nth < BASELINES))
    return attempts


def _note(verdict: Row, name: str, share: Share) -> Row:
    return replace(
        verdict,
        severity="note",
        status="pass",
        fingerprint=_mark(verdict, name),
        statistic=Measure(name, share.value),
        bound=Measure("99 % upper, one-sided", share.high),
        threshold="none",
    )


def _mark(verdict: Row, name: str) -> str:
    return fingerprint("S06", "draws", f"/{verdict.claim}/{name}")
