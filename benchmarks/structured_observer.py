"""Claim: the puzzles can be solved by whoever composes what the cases show.

A structured observer knows the law of the generator and sees the public payload alone. It samples hidden systems given
the counts (parallel Metropolis chains, annealed, weighted by their mean log likelihood) and answers by the share of
systems whose exact query probability exceeds one half. It approximates the ideal observer from below.

    python benchmarks/structured_observer.py --complexity 6 --count 100
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from engine.hidden_systems.behavior import PublicPayload
from engine.hidden_systems.program.draw import PERCENT, Role
from engine.hidden_systems.program.generate import generate_skeleton
from engine.randomness import derive
from engine.statistics import wilson

ROLES: tuple[Role, ...] = ("adder", "veto", "setter", "gated", "gated_add")
ADDER, VETO, SETTER, GATED, GATED_ADD = range(5)
LOW, HIGH = (np.array([PERCENT[role][end] / 100 for role in ROLES]) for end in (0, 1))
CHAINS, SWEEPS = 48, 700
COOLED, KEPT, EVERY = 0.6, 0.7, 5
"""Share of the sweeps after which the chains are cold, after which they are sampled, and how often."""
HOTTEST = 40.0
LONGEST = 3
"""Events of the longest support case."""
Numbers = NDArray[np.float64]
Whole = NDArray[np.int64]


@dataclass
class Chains:
    """One system a row; the last column is an idle event that pads short cases."""

    roles: Whole
    gates: Whole
    """Row of `Puzzle.gates`; 0 always holds."""
    shares: Numbers

    def copy(self) -> Chains:
        return Chains(self.roles.copy(), self.gates.copy(), self.shares.copy())


class Puzzle:
    """A payload as arrays: events by query position, one row a gate that any rule could have."""

    def __init__(self, payload: PublicPayload) -> None:
        query = payload.query_case
        self.size = len(query.events)
        place = {event: at for at, event in enumerate(query.events)}
        cases = payload.support_cases
        self.events = np.full((len(cases), LONGEST), self.size)
        for row, case in enumerate(cases):
            self.events[row, : len(case.events)] = [place[event] for event in case.events]
        self.present = np.array([case.observed_present for case in cases])
        self.trials = np.array([case.trials for case in cases])
        self.gates = np.array(_gates(payload))
        self.rows_of = [np.flatnonzero((self.events == event).any(axis=1)) for event in range(self.size)]

    def probability(self, chains: Chains, events: Whole, columns: Whole) -> Numbers:
        """Return, for each chain and case, the exact probability of PRESENT."""
        absent, present, absent_set, present_set = (
            np.full((len(chains.roles), len(events)), start) for start in (1.0, 0.0, 0.0, 0.0)
        )
        for at in range(events.shape[1]):
            event = events[:, at]
            role = chains.roles[:, event]
            share = chains.shares[:, event] * self.gates[chains.gates[:, event], columns]
            add = share * ((role == ADDER) | (role == GATED_ADD))
            add_set = np.maximum(add, share * (role == GATED))
            spare, flag = 1 - share * (role == VETO), share * (role == SETTER)
            present, absent = (present + absent * add) * spare, absent * (1 - add) * spare
            present_set, absent_set = (present_set + absent_set * add_set) * spare, absent_set * (1 - add_set) * spare
            absent, absent_set = absent * (1 - flag), absent_set + absent * flag
            present, present_set = present * (1 - flag), present_set + present * flag
        return present + present_set

    def likelihood(self, chains: Chains, rows: Whole) -> Numbers:
        """Return the log likelihood of each case's counts, up to a constant."""
        chance = np.clip(self.probability(chains, self.events[rows], rows), 1e-6, 1 - 1e-6)
        result: Numbers = self.present[rows] * np.log(chance) + (self.trials - self.present)[rows] * np.log(1 - chance)
        return result

    def query(self, chains: Chains) -> Numbers:
        """Return each chain's exact probability for the question, whose gates stand in the last column."""
        return self.probability(chains, np.arange(self.size)[None, :], np.array([self.gates.shape[1] - 1]))[:, 0]


def _gates(payload: PublicPayload) -> list[list[bool]]:
    """Return every attribute test of the law, as its truth in each case and, last, in the question."""
    settings = [{s.name: s.value for s in case.attributes} for case in (*payload.support_cases, payload.query_case)]
    gates = [[True] * len(settings)]
    for attribute in payload.attribute_vocabulary:
        column = [setting[attribute.name] for setting in settings]
        asked = column[-1]
        if isinstance(asked, str):
            gates += [[value == wanted for value in column] for wanted in attribute.values]
            continue
        numbers = [value for value in column if isinstance(value, int)]
        for low, high in pairwise(sorted(set(numbers) - {asked})):
            if not low < asked < high:
                gates += [[value <= low for value in numbers], [value > low for value in numbers]]
    return gates


class Sampler:
    """Metropolis chains over the systems of the law."""

    def __init__(self, puzzle: Puzzle, rng: np.random.Generator) -> None:
        self.puzzle, self.rng, self.size = puzzle, rng, puzzle.size
        rest = [GATED_ADD] * (self.size - 4)
        rows = [self._ordered(rng.permutation([ADDER, VETO, SETTER, GATED, *rest])) for _ in range(CHAINS)]
        roles = np.column_stack([np.array(rows), np.zeros(CHAINS, dtype=np.int64)])
        shares = self._shares(roles)
        shares[:, self.size] = 0
        gated = (roles == VETO) | (roles == GATED_ADD)
        self.chains = Chains(roles, np.where(gated, self._gate(roles.shape), 0), shares)
        self.current = puzzle.likelihood(self.chains, np.arange(len(puzzle.events)))

    def answer(self) -> float:
        """Return the weighted share of sampled systems whose question is more likely PRESENT."""
        votes, fits = [], []
        for sweep in range(SWEEPS):
            heat = max(1.0, HOTTEST * (1 - sweep / (SWEEPS * COOLED)) ** 2) if sweep < SWEEPS * COOLED else 1.0
            for event in range(self.size):
                self._step(event, heat)
            if sweep >= SWEEPS * KEPT and sweep % EVERY == 0:
                votes.append(self.puzzle.query(self.chains) > 0.5)
                fits.append(self.current.sum(axis=1))
        fit = np.mean(fits, axis=0)
        weight = np.exp(fit - fit.max())
        return float(np.mean(votes, axis=0) @ weight / weight.sum())

    def _step(self, event: int, heat: float) -> None:
        new = self.chains.copy()
        rows = self.puzzle.rows_of[event]
        move = self.rng.integers(6)
        if move <= 1:
            legal = self._shift(new, event, 0.08 if move else 0.25)
        elif move == 2:
            legal = self._regate(new, event)
        elif move == 3:
            other = (event + 1 + int(self.rng.integers(self.size - 1))) % self.size
            legal = self._swap(new, event, other)
            rows = np.union1d(rows, self.puzzle.rows_of[other])
        elif move == 4:
            legal = self._turn(new, event)
        else:
            legal = self._regate(new, event)
            new.shares[:, event] = self._shares(new.roles)[:, event]
        fresh = self.puzzle.likelihood(new, rows)
        gain = (fresh.sum(axis=1) - self.current[:, rows].sum(axis=1)) / heat
        taken = np.flatnonzero(legal & (np.log(self.rng.random(CHAINS)) < gain))
        for name in ("roles", "gates", "shares"):
            getattr(self.chains, name)[taken] = getattr(new, name)[taken]
        self.current[np.ix_(taken, rows)] = fresh[taken]

    def _shift(self, new: Chains, event: int, width: float) -> NDArray[np.bool_]:
        role = new.roles[:, event]
        new.shares[:, event] = np.clip(new.shares[:, event] + self.rng.normal(0, width, CHAINS), LOW[role], HIGH[role])
        return np.ones(CHAINS, dtype=bool)

    def _regate(self, new: Chains, event: int) -> NDArray[np.bool_]:
        gated = new.gates[:, event] > 0
        new.gates[:, event] = np.where(gated, self._gate(CHAINS), 0)
        return gated

    def _swap(self, new: Chains, event: int, other: int) -> NDArray[np.bool_]:
        for array in (new.roles, new.gates, new.shares):
            array[:, [event, other]] = array[:, [other, event]]
        if self.rng.random() < 0.5:
            new.shares[:, [event, other]] = self._shares(new.roles)[:, [event, other]]
        return np.argmax(new.roles == SETTER, axis=1) < np.argmax(new.roles == GATED, axis=1)

    def _turn(self, new: Chains, event: int) -> NDArray[np.bool_]:
        """Turn a gated adder into a veto and back, within the numbers of the law."""
        old = self.chains.roles[:, event]
        new.roles[:, event] = np.select([old == GATED_ADD, old == VETO], [VETO, GATED_ADD], old)
        vetoes = (new.roles[:, : self.size] == VETO).sum(axis=1)
        redraw = self.rng.random(CHAINS) < 0.5
        new.shares[:, event] = np.where(redraw, self._shares(new.roles)[:, event], new.shares[:, event])
        turned: NDArray[np.bool_] = (new.roles[:, event] != old) & (vetoes >= 1) & (vetoes <= 1 + (self.size - 4) // 2)
        return turned

    def _shares(self, roles: Whole) -> Numbers:
        drawn: Numbers = LOW[roles] + (HIGH[roles] - LOW[roles]) * self.rng.random(roles.shape)
        return drawn

    def _gate(self, shape: int | tuple[int, ...]) -> Whole:
        return self.rng.integers(1, len(self.puzzle.gates), shape)

    @staticmethod
    def _ordered(roles: Whole) -> Whole:
        setter, gated = int(np.argmax(roles == SETTER)), int(np.argmax(roles == GATED))
        if setter > gated:
            roles[[setter, gated]] = roles[[gated, setter]]
        return roles


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--complexity", type=int, default=6, choices=range(4, 11))
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=777)
    options = parser.parse_args()
    right, squares = 0, 0.0
    for index in range(options.count):
        skeleton = generate_skeleton(options.complexity, options.seed, index)
        rng = np.random.Generator(np.random.PCG64(derive("benchmark/observer", options.seed, index)))
        belief = Sampler(Puzzle(skeleton.renderer_payload()), rng).answer()
        truth = skeleton.gold_answer == "PRESENT"
        right += (belief > 0.5) == truth
        squares += (belief - truth) ** 2
    low, high = wilson(right, options.count)
    print(
        f"complexity {options.complexity}: {right} of {options.count} right, {right / options.count:.3f}"
        f" (Wilson 95 % {low:.3f}..{high:.3f}), Brier {squares / options.count:.3f}"
    )


if __name__ == "__main__":
    main()
