"""Fits the counts-only predictor that `clew generate hidden-systems --select` stratifies by, and writes its card.

Half of the draws fit a ridge logistic regression on every count of a payload, the other half measures its strata. The
draws are hashed with a purpose of their own, so none of them is a puzzle of a pack or of an audit.

    python benchmarks/counts_predictor.py --draws 16000
"""

from __future__ import annotations

import argparse
from pathlib import Path

import msgspec
import numpy as np
from measure import ROOT
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import StandardScaler

from audits.draws import collect
from engine.hidden_systems.counts import nested_inputs, rates_of
from engine.hidden_systems.program.generate import FEWEST, GENERATOR_VERSION, MOST
from engine.hidden_systems.selection import GRAINS, Card, Predictor

SEED = 20_651_299
"""The fitting draws' own seed."""
STRATA = 16
RIDGE = 0.01
PLACE = ROOT / "engine" / "hidden_systems" / "counts_predictor.json"


def fitted(complexity: int, draws: int) -> tuple[Predictor, float]:
    """Return the predictor of one complexity and its accuracy on the half that it was not fitted on."""
    drawn = collect(complexity, draws, SEED)
    inputs, present = nested_inputs(rates_of(drawn))["full"], drawn.present
    fit, check = slice(0, draws // 2), slice(draws // 2, draws)
    scale = StandardScaler().fit(inputs[fit])
    model = LogisticRegression(C=RIDGE, max_iter=2000).fit(scale.transform(inputs[fit]), present[fit])
    spread = np.where(scale.scale_ > 0, scale.scale_, 1.0)
    weights = model.coef_[0] / spread
    bias = float(model.intercept_[0] - weights @ scale.mean_)
    told = inputs[check] @ weights + bias
    edges = np.quantile(told, np.linspace(0, 1, STRATA + 1)[1:-1])
    strata = np.searchsorted(edges, told)
    shares = [float(present[check][strata == nth].mean()) for nth in range(STRATA)]
    predictor = Predictor(
        bias=bias,
        weights=tuple(map(float, weights)),
        edges=tuple(map(float, edges)),
        present=tuple(round(share * GRAINS) for share in shares),
    )
    return predictor, float(((told > 0) == present[check]).mean())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--draws", type=int, default=16_000)
    parser.add_argument("--out", type=Path, default=PLACE)
    options = parser.parse_args()
    found = {}
    for complexity in range(FEWEST, MOST + 1):
        found[str(complexity)], accuracy = fitted(complexity, options.draws)
        print(f"complexity {complexity}: {accuracy:.3f} on {options.draws // 2} held-out draws", flush=True)
    card = Card(generator_version=GENERATOR_VERSION, draws=options.draws, seed=SEED, complexities=found)
    options.out.write_bytes(msgspec.json.format(msgspec.json.encode(card), indent=1) + b"\n")


if __name__ == "__main__":
    main()
