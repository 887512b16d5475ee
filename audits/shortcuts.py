"""S01 to S04: what may not tell a label or a role, because no count stands behind it.

Learners are chosen inside one half of the draws and scored once on the other (`learners`). Scores of labels are AUCs;
scores of roles are compared with the true roles dealt anew inside each puzzle.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from audits.base import Measure, Row, fingerprint
from audits.draws import GATED, SETTER, Bools, Draws, Floats, Ints
from audits.learners import Halves, available, generator, halves, predict_class, predict_label
from audits.statistics import auc, auc_upper, permutation_p, runs

PERMUTATIONS = 4999
LEAK_LIMIT = 0.55
LEAK = f"p_holm < 0.01 fails; passes with the 99 % upper bound of AUC below {LEAK_LIMIT}"
P_ONLY = "p_holm < 0.01 fails"
FEWEST_DRAWS = 80
"""Fewer draws leave too little to choose, fit and score a learner on."""

CLAIM_S01 = "membership of cases and which pairs appear in both orders say nothing of roles"
CLAIM_S02 = "order in query and cases says nothing of roles, but that the setter precedes its gated event in the query"
CLAIM_S03 = "the label is independent of the public order"
CLAIM_S04_LABEL = "ids carry no label"
CLAIM_S04_ROLE = "codes and ids carry no role"


# Roles --------------------------------------------------------------------------------------------------------------


def membership_features(draws: Draws) -> Floats:
    """Return (N x k) x features that know neither counts nor the query's order."""
    columns: list[Any] = []
    listed = np.arange(draws.lengths.shape[1])
    for length in range(1, draws.complexity):
        holds = _holds(draws, length)
        total = holds.sum(axis=2)
        places = np.where(holds, listed, np.nan)
        columns += [total, *_spread(places, total)]
    columns += [_both_orders(draws), _code_numbers(draws)]
    return np.stack([column.reshape(-1).astype(np.float64) for column in columns], axis=1)


def order_features(draws: Draws) -> Floats:
    """Return the membership features and all that order can add: places in the query, in cases, in the vocabulary."""
    count, k = draws.roles.shape
    place = np.tile(np.arange(k), count)
    inside = [(_place(draws, length, at)).reshape(-1) for length in range(2, k) for at in range(length)]
    code = _code_numbers(draws).reshape(-1).astype(np.int64)
    return np.hstack(
        [membership_features(draws), np.eye(k)[place], np.eye(k + 1)[code], np.stack(inside, axis=1).astype(np.float64)]
    )


def _holds(draws: Draws, length: int) -> Bools:
    """Return N x k x C: the case has this length and holds the event."""
    here = draws.lengths == length
    return np.stack([(draws.events == event).any(axis=2) & here for event in range(draws.complexity)], axis=1)


def _place(draws: Draws, length: int, at: int) -> Ints:
    """Return N x k: in how many cases of this length the event stands at this place."""
    here = draws.lengths == length
    return np.stack([((draws.events[:, :, at] == e) & here).sum(axis=1) for e in range(draws.complexity)], axis=1)


def _spread(places: Floats, total: Ints) -> list[Floats]:
    """Return first and mean place in the case list; -1 where there is none."""
    mean = np.nansum(places, axis=2) / np.maximum(total, 1)
    first = np.where(np.isnan(places), np.inf, places).min(axis=2)
    return [np.where(total > 0, column, -1.0) for column in (mean, first)]


def _both_orders(draws: Draws) -> Ints:
    """Return N x k: with how many other events the event is shown in both orders."""
    k, pair = draws.complexity, draws.lengths == 2
    keys = draws.events[:, :, 0] * k + draws.events[:, :, 1] + k * k * np.arange(len(draws))[:, None]
    seen = np.bincount(keys[pair], minlength=len(draws) * k * k).reshape(-1, k, k) > 0
    partners: Ints = (seen & seen.transpose(0, 2, 1)).sum(axis=2)
    return partners


def _code_numbers(draws: Draws) -> Ints:
    """Return the number in each event's code, 0 for a code without one or out of range."""
    numbers = {code: _number(code, draws.complexity) for codes in draws.codes for code in codes}
    return np.array([[numbers[code] for code in codes] for codes in draws.codes], dtype=np.int64)


def _number(code: str, most: int) -> int:
    digits = code[1:]
    return int(digits) if digits.isascii() and digits.isdigit() and int(digits) <= most else 0


def role_row(rule: str, claim: str, draws: Draws, features: Any, *, keep_order: bool) -> Row:
    """Return how well roles are predicted, beside the same predictions against roles dealt anew.

    Args:
        keep_order: deal only so that the setter still precedes its gated event in the query.
    """
    blank = blank_row(rule, claim, draws, P_ONLY)
    if not available() or len(draws) < FEWEST_DRAWS:
        return blank
    k = draws.complexity
    cut = halves(len(draws), rule, k, draws.seed)
    events = Halves(*((part[:, None] * k + np.arange(k)).reshape(-1) for part in cut))
    guessed = predict_class(features, draws.roles.reshape(-1), events).scores.reshape(-1, k)
    true = draws.roles[cut.score]
    right = int((guessed == true).sum())
    dealt = _dealt_matches(guessed, true, keep_order, generator("permutations", rule, k, draws.seed))
    return replace(
        blank,
        n=len(true),
        statistic=Measure("role accuracy", right / true.size),
        chance=float(dealt.mean()) / true.size,
        p=permutation_p(right, dealt),
    )


def _dealt_matches(guessed: Ints, true: Ints, keep_order: bool, random: np.random.Generator) -> Ints:
    """Return, for each permutation, how many guesses match roles that are dealt anew inside each puzzle."""
    if keep_order and not all(((true == role).sum(axis=1) == 1).all() for role in (SETTER, GATED)):
        raise ValueError("a puzzle without exactly one setter and one gated event; S02 needs another deal for those")
    guessed, dealt = guessed.astype(np.int8), true.astype(np.int8)
    rows = np.arange(len(true))
    matches = np.empty(PERMUTATIONS, dtype=np.int64)
    for nth in range(PERMUTATIONS):
        random.permuted(dealt, axis=1, out=dealt)
        if keep_order:
            setter, gated = (dealt == SETTER).argmax(axis=1), (dealt == GATED).argmax(axis=1)
            dealt[rows, np.minimum(setter, gated)] = SETTER
            dealt[rows, np.maximum(setter, gated)] = GATED
        matches[nth] = (guessed == dealt).sum()
    return matches


def blank_row(rule: str, claim: str, draws: Draws, threshold: str) -> Row:
    """Return the row of a claim on draws before anything was measured: inconclusive."""
    return Row(
        rule=rule,
        claim=f"{claim} (complexity {draws.complexity})",
        severity="error",
        status="inconclusive",
        n=len(draws),
        threshold=threshold,
        fingerprint=fingerprint(rule, "draws", f"/complexity {draws.complexity}/{claim}"),
        seed=draws.seed,
    )


def audit_membership(draws: Draws) -> tuple[Row, ...]:
    """Run S01."""
    return (role_row("S01", CLAIM_S01, draws, membership_features(draws), keep_order=False),)


def audit_order(draws: Draws) -> tuple[Row, ...]:
    """Run S02."""
    return (role_row("S02", CLAIM_S02, draws, order_features(draws), keep_order=True),)


# Labels -------------------------------------------------------------------------------------------------------------


def label_row(rule: str, claim: str, draws: Draws, features: Any, labels: Bools) -> Row:
    """Return how well features without counts rank the labels."""
    blank = blank_row(rule, claim, draws, LEAK)
    if not available() or len(draws) < FEWEST_DRAWS:
        return blank
    cut = halves(len(draws), rule, draws.complexity, draws.seed)
    held = labels[cut.score]
    tested = auc(predict_label(features, labels, cut).scores, held)
    upper = auc_upper(tested.value, int(held.sum()), int((~held).sum()))
    return replace(
        blank,
        n=len(held),
        statistic=Measure("AUC", tested.value),
        chance=0.5,
        p=tested.p,
        bound=Measure("99 % upper, one-sided", upper),
        limit=LEAK_LIMIT,
    )


def audit_index(draws: Draws) -> tuple[Row, ...]:
    """Run S03: runs in the public order, and what a learner makes of the place in it."""
    labels = draws.present[draws.public_order()]
    if len(labels) < FEWEST_DRAWS:
        return (blank_row("S03", CLAIM_S03, draws, P_ONLY),)
    tested = runs(labels)
    in_runs = replace(
        blank_row("S03", f"{CLAIM_S03}: runs", draws, P_ONLY),
        statistic=Measure("runs z", tested.value),
        chance=0.0,
        p=tested.p,
    )
    place = np.arange(len(labels))
    features = np.hstack([*(np.eye(step)[place % step] for step in (2, 3, 4)), (place / len(labels))[:, None]])
    return (in_runs, label_row("S03", f"{CLAIM_S03}: place", draws, features, labels))


def audit_ids(draws: Draws) -> tuple[Row, ...]:
    """Run S04: three-letter pieces of ids against the label, and of codes and case ids against roles."""
    if not available() or len(draws) < FEWEST_DRAWS:
        return (blank_row("S04", CLAIM_S04_LABEL, draws, LEAK), blank_row("S04", CLAIM_S04_ROLE, draws, P_ONLY))
    ids = [f"{' '.join(sorted(set(cases)))} {query} {public}" for cases, query, public in _ids(draws)]
    return (
        label_row("S04", CLAIM_S04_LABEL, draws, _pieces(ids), draws.present),
        role_row("S04", CLAIM_S04_ROLE, draws, _pieces(list(_event_ids(draws))), keep_order=True),
    )


def _ids(draws: Draws) -> Any:
    return zip(draws.case_ids, draws.query_ids, draws.public_ids, strict=True)


def _event_ids(draws: Draws) -> Any:
    """Yield, puzzle by puzzle in query order, an event's code and the ids of the cases that show it alone."""
    for nth, codes in enumerate(draws.codes):
        for event, code in enumerate(codes):
            alone = np.flatnonzero((draws.lengths[nth] == 1) & (draws.events[nth, :, 0] == event))
            yield f"{code} {' '.join(draws.case_ids[nth][case] for case in alone)}"


def _pieces(texts: list[str]) -> Any:
    """Return counts of three-letter pieces, sparse."""
    from sklearn.feature_extraction.text import CountVectorizer

    return CountVectorizer(analyzer="char_wb", ngram_range=(3, 3), lowercase=False).fit_transform(texts).tocsr()
