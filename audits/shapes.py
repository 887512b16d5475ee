"""S08 and S09: neither the shape of a payload nor the style of a text says anything of the label.

Digits are masked first: counts are released on purpose, and how many digits they have goes with them.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from audits.base import Measure, Row, fingerprint
from audits.draws import Draws, Floats
from audits.learners import available, halves, predict_label
from audits.listing import balanced
from audits.shortcuts import LEAK, LEAK_LIMIT, blank_row, label_row
from audits.statistics import auc, auc_upper
from audits.style import style_features, style_row, styles
from audits.view import PackView

CLAIM_S08 = "number and order of cases, trials, key order and masked length of a payload say nothing of the label"
CLAIM_S09 = "length, sentences, words, domain and renderer of a text say nothing of the label"
CLAIM_S09_SEALED = "style and renderer of the shipped texts say nothing of the label"
CLAIM_S10 = "the two labels are as common as each other"
FEWEST_TEXTS = 200
"""Fewer shipped items are too few to fit a learner on anything."""


def shape_features(draws: Draws) -> Floats:
    """Return N x features that see the payload's outline and no count."""
    listed = np.arange(draws.lengths.shape[1])
    columns: list[Any] = [(draws.lengths > 0).sum(axis=1), draws.shown_trials, draws.masked]
    for length in range(1, draws.complexity + 1):
        here = draws.lengths == length
        total = here.sum(axis=1)
        columns += [total, np.where(here, listed, 0).sum(axis=1) / np.maximum(total, 1)]
    columns += [draws.lengths[:, place] for place in range(min(3, draws.lengths.shape[1]))]
    orders = sorted(set(draws.keys))
    columns += [np.array([keys == order for keys in draws.keys]) for order in orders[:10]]
    return np.stack([np.asarray(column, dtype=np.float64) for column in columns], axis=1)


def audit_shapes(draws: Draws) -> tuple[Row, ...]:
    """Run S08."""
    return (label_row("S08", CLAIM_S08, draws, shape_features(draws), draws.present),)


def audit_style(draws: Draws) -> tuple[Row, ...]:
    """Run S09 on the template's texts of the draws."""
    if draws.style is None:
        return (blank_row("S09", CLAIM_S09, draws, LEAK),)
    return (label_row("S09", CLAIM_S09, draws, style_features(draws.style), draws.present),)


def audit_balance(draws: Draws) -> tuple[Row, ...]:
    """Run S10 on draws."""
    blank = blank_row("S10", CLAIM_S10, draws, "p_holm < 0.01 fails")
    if not len(draws):
        return (blank,)
    return (balanced(blank, int(draws.present.sum()), len(draws)),)


def audit_shipped_style(view: PackView) -> tuple[Row, ...]:
    """Run S09 on the texts of a pack beside its sealed file: which renderer told a puzzle, after how many tries."""
    labels = np.array([bit for p, bit in zip(view.puzzles, view.present or (), strict=True) for _ in p.tellings])
    told = [one for puzzle in view.puzzles for one in puzzle.tellings]
    row = Row(
        rule="S09", claim=CLAIM_S09_SEALED, severity="error", status="inconclusive", n=len(told), threshold=LEAK,
        fingerprint=fingerprint("S09", "pack", "/renderings"), detects_only=True,
    )  # fmt: skip
    if not available() or len(told) < FEWEST_TEXTS or labels.all() or not labels.any():
        return (replace(row, severity="note"),)
    features = style_features(
        styles([style_row(one.text, one.domain, f"{one.renderer} {one.status} {one.params_sha}") for one in told])
    )
    cut = halves(len(told), "S09 pack", len(told))
    held = labels[cut.score]
    tested = auc(predict_label(features, labels, cut).scores, held)
    upper = auc_upper(tested.value, int(held.sum()), int((~held).sum()))
    bound = Measure("99 % upper, one-sided", upper)
    return (
        replace(row, n=len(held), statistic=Measure("AUC", tested.value), chance=0.5, p=tested.p, bound=bound,
                limit=LEAK_LIMIT),
    )  # fmt: skip
