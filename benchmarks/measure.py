"""Shared timing: contestants run in turns within one run, each is judged by its median, results are ratios.

Times are processor seconds of this process, so that other work on the machine counts for little; taking turns spreads
over all contestants what is left of it. The ratio of two medians of one run is what a claim is about.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from statistics import median
from time import process_time

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))
"""So that the scripts also run from a checkout that is not installed."""


def medians(contestants: Mapping[str, Callable[[], object]], rounds: int) -> dict[str, float]:
    """Return the median processor seconds of each contestant over rounds in which all run once; one round warms up."""
    seconds: dict[str, list[float]] = {name: [] for name in contestants}
    for nth in range(rounds + 1):
        for name, run in contestants.items():
            start = process_time()
            run()
            if nth:
                seconds[name].append(process_time() - start)
    return {name: median(times) for name, times in seconds.items()}


def verdict(claim: str, ratio: float, wanted: float) -> bool:
    """Print a claim with the ratio that was measured; return whether it holds."""
    held = ratio >= wanted
    print(f"{'holds ' if held else 'MISSED'}  {claim}: {ratio:.1f}x, claimed {wanted:g}x")
    return held
