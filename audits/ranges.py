"""S05: hidden parameters given the label are the neutral prior cut to that label, so evidence is all that tells it.

Shipped draws stand beside draws of the neutral law (`laws`). Inside each label a learner tries to tell the two apart
from public features; beside it, counts alone must reach the same accuracy on both (the excess). The first is a test in
the family, the second a bound outside it.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from math import sqrt

import numpy as np

from audits.base import Measure, Row, fingerprint
from audits.draws import Draws, Floats
from audits.laws import draw_by, neutral
from audits.learners import Halves, available, halves, predict_label
from audits.shortcuts import FEWEST_DRAWS, blank_row, label_row
from audits.statistics import Z_99_TWO_SIDED
from audits.thresholds import setting_features
from engine.hidden_systems.counts import nested_inputs, rates_of

CLAIM = "inside a label shipped draws cannot be told from draws of the neutral law"
CLAIM_EXCESS = "counts alone predict the label as well on draws of the neutral law as on shipped ones"
LARGEST_HALF_WIDTH = 0.05
"""A wider interval of the excess decides nothing."""


def public_features(draws: Draws) -> Floats:
    """Return N x features: every count by query position, and the attributes."""
    return np.hstack([nested_inputs(rates_of(draws))["full"], setting_features(draws.settings)])


@lru_cache(maxsize=2)
def _neutral(complexity: int, count: int, seed: int) -> Draws:
    return draw_by(neutral, complexity, count, seed)


def audit_ranges(draws: Draws) -> tuple[Row, ...]:
    """Run S05: one tested row a label, one row for the excess."""
    if not available() or len(draws) < FEWEST_DRAWS:
        return (blank_row("S05", CLAIM, draws, "p_holm < 0.01 fails"), _excess_blank(draws))
    other = _neutral(draws.complexity, len(draws), draws.seed)
    shipped, beside = public_features(draws), public_features(other)
    rows = [_told_apart(draws, other, shipped, beside, label) for label in (True, False)]
    return (*rows, _excess(draws, other, shipped, beside))


def _told_apart(draws: Draws, other: Draws, shipped: Floats, beside: Floats, label: bool) -> Row:
    """Return how well a learner tells shipped from neutral draws that share a label."""
    one, two = shipped[draws.present == label], beside[other.present == label]
    origin = np.concatenate([np.ones(len(one), dtype=bool), np.zeros(len(two), dtype=bool)])
    claim = f"{CLAIM}, label {'PRESENT' if label else 'ABSENT'}"
    return label_row("S05", claim, draws, np.vstack([one, two]), origin)


def _excess_blank(draws: Draws) -> Row:
    blank = blank_row("S05", CLAIM_EXCESS, draws, "99 % interval of the difference holds 0")
    return replace(blank, fingerprint=fingerprint("S05", "draws", f"/complexity {draws.complexity}/excess"))


def _excess(draws: Draws, other: Draws, shipped: Floats, beside: Floats) -> Row:
    """Return the difference of two held-out accuracies of one predictor, with its 99 % interval.

    The predictor is fitted on half of either kind of draws together: two predictors would differ by what they were
    fitted on, and the interval knows nothing of that.
    """
    counts = shipped.shape[1] - setting_features(draws.settings).shape[1]
    features = np.vstack([shipped[:, :counts], beside[:, :counts]])
    labels = np.concatenate([draws.present, other.present])
    cuts = [halves(len(one), "S05 excess", draws.complexity, draws.seed, nth) for nth, one in enumerate((draws, other))]
    both = [np.concatenate([cuts[0][part], cuts[1][part] + len(draws)]) for part in (0, 1)]
    told = predict_label(features, labels, Halves(*both), quality="accuracy").scores > 0.5
    right = told == labels[both[1]]
    few = len(cuts[0].score)
    one, two = float(right[:few].mean()), float(right[few:].mean())
    half = Z_99_TWO_SIDED * sqrt(one * (1 - one) / few + two * (1 - two) / (len(right) - few))
    holds_zero = abs(one - two) <= half
    decided = holds_zero and half <= LARGEST_HALF_WIDTH
    return replace(
        _excess_blank(draws),
        status="pass" if decided else "inconclusive" if holds_zero else "fail",
        n=len(right),
        statistic=Measure("excess of accuracy", one - two),
        chance=0.0,
        bound=Measure("99 % interval, half width", half),
    )
