"""S06: a predictor that sees counts, but no attribute value and no rule, stays under the ceiling.

Four nested inputs (`counts.nested_inputs`) and fixed recipes compete inside the fitting half; the winner is scored
once. This is a bound, outside the family of tests: fail if the lower bound is above the ceiling, pass if the upper is
not.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from audits.base import Measure, Row, Severity, Status, fingerprint
from audits.counts import BASELINES, RECIPES, nested_inputs, rates_of, recipe_scores
from audits.draws import Bools, Draws
from audits.learners import available, halves, predict_label
from audits.statistics import Share, clopper_pearson

CEILING = 0.85
FEWEST_DRAWS = 80
CLAIM = "a predictor from counts alone, blind to attributes, stays under the ceiling"


def audit_composition(draws: Draws) -> tuple[Row, ...]:
    """Run S06: the verdict, then a note for each input and each baseline recipe."""
    severity: Severity = "error" if draws.complexity > 4 else "warning"
    blank = Row(
        rule="S06",
        claim=f"{CLAIM} (complexity {draws.complexity})",
        severity=severity,
        status="inconclusive",
        n=len(draws),
        threshold=f"ceiling {CEILING}: 99 % lower bound above fails, upper bound not above passes",
        fingerprint=fingerprint("S06", "draws", f"/complexity {draws.complexity}"),
        seed=draws.seed,
    )
    if not available() or len(draws) < FEWEST_DRAWS:
        return (blank,)
    attempts = _attempts(draws)
    best = max(attempts, key=lambda one: one.chosen_by)
    share = best.share()
    verdict = replace(
        blank,
        status=status_of(share),
        n=len(best.right),
        statistic=Measure(f"accuracy of {best.name}", share.value),
        chance=0.5,
        bound=Measure("99 % upper, one-sided", share.high),
    )
    shown = [one for one in attempts if one.shown]
    return (verdict, *(_note(verdict, one.name, one.share()) for one in shown))


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
        scored = predict_label(features, labels, cut, quality="accuracy")
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
        fingerprint=fingerprint("S06", "draws", f"/complexity {verdict.claim}/{name}"),
        statistic=Measure(f"accuracy of {name}", share.value),
        bound=Measure("99 % upper, one-sided", share.high),
        threshold="none",
    )
