"""S07: thresholds and operators do not tie attribute values to the label.

If every gate asked "more than", a high value in the query would mean that gates hold, and with vetoes that the record
is absent. A learner sees the query's attributes and the shown ranges, nothing else; the shares of gates that hold and
of attributes that no rule tests stand beside it.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from audits.base import Measure, Row, Status
from audits.draws import CATEGORICAL, MOST_ATTRIBUTES, NUMERIC, Draws, Floats, Settings
from audits.shortcuts import blank_row, label_row

CLAIM = "attribute values of the query say nothing of the label"
CLAIM_HELD = "attribute tests hold in a middling share of queries"
CLAIM_INERT = "some attributes are tested by no rule"
LOWEST_HELD, HIGHEST_HELD = 0.3, 0.8
CATEGORIES = 3
FEWEST_GATES = 100


def setting_features(settings: Settings) -> Floats:
    """Return N x features: of each attribute its kind, the query's value, and where that lies in the shown range."""
    numeric = settings.kinds == NUMERIC
    width = np.where(numeric, np.maximum(settings.high - settings.low, 1), 1)
    inside = np.where(numeric, (settings.query - settings.low) / width, 0.5)
    columns = [
        settings.kinds == NUMERIC,
        settings.kinds == CATEGORICAL,
        np.where(numeric, settings.query, 0),
        inside,
        np.where(numeric, settings.below, 0),
        *((settings.kinds == CATEGORICAL) & (settings.query == code) for code in range(1, CATEGORIES + 1)),
    ]
    there = (settings.kinds > 0).sum(axis=1, keepdims=True)
    largest = np.where(numeric, inside, -1.0).max(axis=1, keepdims=True, initial=-1.0)
    total = np.where(numeric, inside - 0.5, 0.0).sum(axis=1, keepdims=True)
    stacked = np.stack([np.asarray(column, dtype=np.float64) for column in columns], axis=2)
    return np.hstack([stacked.reshape(len(there), MOST_ATTRIBUTES * len(columns)), there, largest, total])


def audit_thresholds(draws: Draws) -> tuple[Row, ...]:
    """Run S07: a tested row, and the two shares."""
    return (
        label_row("S07", CLAIM, draws, setting_features(draws.settings), draws.present),
        _held(draws),
        _inert(draws),
    )


def _held(draws: Draws) -> Row:
    gates, held = int(draws.gates[:, 0].sum()), int(draws.gates[:, 1].sum())
    share = held / max(gates, 1)
    return replace(
        blank_row("S07", CLAIM_HELD, draws, f"share in {LOWEST_HELD}..{HIGHEST_HELD}"),
        status="inconclusive" if gates < FEWEST_GATES else _within(LOWEST_HELD <= share <= HIGHEST_HELD),
        n=gates,
        statistic=Measure("share of gates that hold", share),
    )


def _inert(draws: Draws) -> Row:
    there, idle = int((draws.settings.kinds > 0).sum()), int(draws.gates[:, 2].sum())
    return replace(
        blank_row("S07", CLAIM_INERT, draws, "share above 0"),
        status="inconclusive" if there < FEWEST_GATES else _within(idle > 0),
        n=there,
        statistic=Measure("share of inert attributes", idle / max(there, 1)),
    )


def _within(right: bool) -> Status:
    return "pass" if right else "fail"
