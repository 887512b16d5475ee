"""What an observer of the whole evidence reaches, measured once for each complexity of one law.

`benchmarks/structured_observer.py` knows the law and samples the systems that fit a payload; it approximates the ideal
observer from below and takes about a second a puzzle, so its figures are kept here and not measured in every audit.
"""

from __future__ import annotations

from typing import NamedTuple

from audits.statistics import Share, clopper_pearson
from engine.hidden_systems.program.generate import GENERATOR_VERSION

MEASURED_ON = "hidden-systems/1"


class Ideal(NamedTuple):
    """Right answers of the structured observer."""

    right: int
    trials: int

    def share(self) -> Share:
        return clopper_pearson(self.right, self.trials)


CEILINGS = {
    4: Ideal(146, 150),
    5: Ideal(144, 150),
    6: Ideal(145, 150),
    7: Ideal(76, 80),
    8: Ideal(79, 80),
    9: Ideal(79, 80),
    10: Ideal(80, 80),
}


def ideal_ceiling(complexity: int) -> Ideal | None:
    """Return the measured ceiling; None where none was measured for this law."""
    return CEILINGS.get(complexity) if GENERATOR_VERSION == MEASURED_ON else None
