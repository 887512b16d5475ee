"""ProbLog, and Storm in rational mode, find the same probabilities on 200 random systems."""

from __future__ import annotations

import pytest
from program_systems import random_case

from engine.hidden_systems.program.exact import gold
from engine.hidden_systems.program.grammar import read_system
from engine.hidden_systems.program.witnesses import problog_probability, storm_probability

CASES = 200


@pytest.mark.slow
def test_problog_agrees() -> None:
    pytest.importorskip("problog", reason="ProbLog is not installed; the extra `witnesses` brings it")
    for index in range(CASES):
        document, *case = random_case(index)
        system = read_system(document)
        assert abs(problog_probability(system, *case) - float(gold(system, *case))) < 1e-9, f"random case {index}"


@pytest.mark.slow
def test_storm_agrees_exactly() -> None:
    pytest.importorskip(
        "stormpy", reason="Storm is not installed; the extra `witnesses` brings it where it has a wheel"
    )
    for index in range(CASES):
        document, *case = random_case(index)
        system = read_system(document)
        assert storm_probability(system, *case) == gold(system, *case), f"random case {index}"
