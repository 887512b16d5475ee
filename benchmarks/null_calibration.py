"""Claim: clean runs of the statistical audits alarm no more often than their Holm level says.

Each run draws its own puzzles and judges all tested rows together, as `clew audit --draws` does. At a family-wise level
of 0.01 one clean run in a hundred may alarm; of 20 runs 0 or 1 do (2 or more: 1.7 %). Small p-values are as
frequent as they should be if their share below 0.05 is near 0.05; one-sided tests of a learner that found nothing are
spread evenly over 0..1.

    python benchmarks/null_calibration.py --runs 20 --draws 1000 --complexity 4 6
"""

from __future__ import annotations

import argparse
import sys

from measure import ROOT

from audits.base import ALPHA, DrawAudit, Row, settled
from audits.draws import collect
from audits.registry import AUDITS
from audits.statistics import clopper_pearson

FIRST_SEED = 1000
MOST_ALARMS = 1


def family(seed: int, draws: int, complexities: list[int]) -> tuple[Row, ...]:
    """Return the judged rows of one clean run."""
    rows = []
    for complexity in complexities:
        drawn = collect(complexity, draws, seed, texts=True)
        for audit in AUDITS:
            if isinstance(audit, DrawAudit):
                rows += audit.run(drawn)
    return settled(rows)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=20)
    parser.add_argument("--draws", type=int, default=1000)
    parser.add_argument("--complexity", type=int, nargs="+", default=[4, 6])
    parser.add_argument("--first-seed", type=int, default=FIRST_SEED)
    options = parser.parse_args()
    alarms, bounds, ps = 0, 0, []
    for seed in range(options.first_seed, options.first_seed + options.runs):
        rows = family(seed, options.draws, options.complexity)
        tested = [row for row in rows if row.p is not None and row.p_holm is not None]
        failed = [f"{row.rule} {row.claim}" for row in rows if row.status == "fail"]
        alarms += any(row.p_holm is not None and row.p_holm < ALPHA for row in tested)
        bounds += any(row.status == "fail" and row.p is None for row in rows)
        ps += [row.p for row in tested if row.p is not None]
        smallest = min(row.p_holm for row in tested if row.p_holm is not None)
        print(f"seed {seed}: {len(tested)} tests, smallest p_holm {smallest:.3g}; {failed or 'silent'}", flush=True)
    low = clopper_pearson(sum(p < 0.05 for p in ps), len(ps))
    print(f"{alarms} of {options.runs} runs alarmed at {ALPHA}; {bounds} failed a bound outside the family")
    print(f"{len(ps)} p-values, {low.value:.3f} below 0.05 (99 % bounds {low.low:.3f}..{low.high:.3f})")
    print(f"{'holds ' if alarms <= MOST_ALARMS else 'MISSED'}  at most {MOST_ALARMS} of {options.runs} alarm")
    sys.exit(alarms > MOST_ALARMS)


if __name__ == "__main__":
    assert ROOT.is_dir(), "the checkout is on the path"
    main()
