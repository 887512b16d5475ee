"""Learners that are chosen inside one half of the draws and scored once on the other.

scikit-learn and SciPy come with the `analysis` extra and are loaded when first needed; `available` tells whether they
can be.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib.util import find_spec
from typing import Any, Literal, NamedTuple

import numpy as np

from audits.draws import Bools, Floats, Ints
from engine.randomness import derive

RIDGES = (0.01, 1.0)
"""Inverse penalties of the ridge logistic candidates."""
TREE_DEPTH = 3
MOST_TRAINING_ROWS = 20_000


class Halves(NamedTuple):
    """Puzzle numbers for choosing and fitting, and for the one score."""

    fit: Ints
    score: Ints


class Scored(NamedTuple):
    """What the chosen learner says of the held-out half."""

    learner: str
    chosen_by: float
    """Its quality inside the fitting half."""
    scores: Any
    """Probabilities of PRESENT, or predicted classes."""


def available() -> bool:
    """Tell whether the extra with scikit-learn and SciPy is installed."""
    return find_spec("sklearn") is not None and find_spec("scipy") is not None


def generator(purpose: str, *key: int | str) -> np.random.Generator:
    """Return a NumPy generator for one purpose of the audits."""
    return np.random.Generator(np.random.PCG64(derive(f"audits/{purpose}", *key)))


def halves(count: int, *key: int | str) -> Halves:
    """Cut 0..count-1 at random into two halves."""
    order = generator("halves", *key).permutation(count)
    return Halves(np.sort(order[: count // 2]), np.sort(order[count // 2 :]))


def predict_label(
    features: Any,
    labels: Bools,
    cut: Halves,
    quality: Literal["auc", "accuracy"] = "auc",
    candidates: Sequence[str] | None = None,
) -> Scored:
    """Return held-out probabilities from the candidate that does best inside the fitting half."""
    from sklearn.metrics import roc_auc_score

    def auc(model: Any, rows: Ints) -> float:
        return float(roc_auc_score(labels[rows], _values(model, features[rows])))

    rate = auc if quality == "auc" else _accuracy(features, labels)
    chosen = _choose(features, labels, cut.fit, rate, candidates or CANDIDATES)
    return Scored(chosen.name, chosen.quality, _values(chosen.model, features[cut.score]))


def predict_class(features: Any, classes: Ints, cut: Halves) -> Scored:
    """Return held-out classes from the learner that is right most often inside the fitting half, classes weighed alike.

    Without the weights a learner names the commonest class throughout, and what is known of rare ones stays unseen.
    """
    from sklearn.metrics import balanced_accuracy_score

    def recall(model: Any, rows: Ints) -> float:
        return float(balanced_accuracy_score(classes[rows], model.predict(features[rows])))

    chosen = _choose(features, classes, cut.fit, recall, CANDIDATES, weights="balanced")
    return Scored(chosen.name, chosen.quality, chosen.model.predict(features[cut.score]))


Quality = Callable[[Any, Ints], float]
"""Rates a fitted model on the rows of these numbers."""


def _accuracy(features: Any, targets: Any) -> Quality:
    return lambda model, rows: float((model.predict(features[rows]) == targets[rows]).mean())


class _Chosen(NamedTuple):
    name: str
    quality: float
    model: Any


Weights = Literal["balanced"] | None


def _choose(
    features: Any, targets: Any, fit: Ints, quality: Quality, candidates: Sequence[str], weights: Weights = None
) -> _Chosen:
    """Fit the candidates on part of `fit`, keep the best on the rest, fit it again on all of it."""
    fit = fit[:: 1 + len(fit) // MOST_TRAINING_ROWS]
    inner, check = fit[::2], fit[1::2]
    found = {name: quality(_fitted(name, features[inner], targets[inner], weights), check) for name in candidates}
    best = max(found, key=found.__getitem__)
    return _Chosen(best, found[best], _fitted(best, features[fit], targets[fit], weights))


CANDIDATES = (*(f"ridge logistic {ridge}" for ridge in RIDGES), f"tree of depth {TREE_DEPTH}")
BOOSTED = "boosted trees"
"""A stronger learner, for the ceiling of S06 alone: there a better predictor makes the rule stricter, not noisier."""


def _fitted(name: str, features: Any, targets: Any, weights: Weights) -> Any:
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler
    from sklearn.tree import DecisionTreeClassifier

    if name == BOOSTED:
        from sklearn.ensemble import HistGradientBoostingClassifier

        boosted = HistGradientBoostingClassifier(max_iter=120, max_depth=4, learning_rate=0.08, random_state=0)
        return boosted.fit(features, targets)
    if name.startswith("tree"):
        tree = DecisionTreeClassifier(max_depth=TREE_DEPTH, min_samples_leaf=20, class_weight=weights, random_state=0)
        return tree.fit(features, targets)
    scale = StandardScaler(with_mean=isinstance(features, np.ndarray))
    ridge = LogisticRegression(C=float(name.split()[-1]), class_weight=weights, max_iter=500)
    return make_pipeline(scale, ridge).fit(features, targets)


def _values(model: Any, features: Any) -> Floats:
    values: Floats = model.predict_proba(features)[:, 1]
    return values
