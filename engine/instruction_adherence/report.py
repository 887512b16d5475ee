"""How models did on writing tasks: pass@k, rates by family, constraint, pattern and turn, truncation and errors.

Takes the diagnostics that every rollout carries and adds them up; nothing is scored here. A task is passed if all its
turns are. A rollout that failed counts as not passed, and the rate without those is told beside it. Specification,
"Rewards" and "Calibration".
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import comb
from statistics import fmean

from engine.instruction_adherence.constraints.registry import TYPES
from engine.instruction_adherence.families import FAMILIES
from engine.instruction_adherence.turn import PATTERNS
from engine.instruction_adherence.writing import MOST_TURNS, WritingMode
from engine.statistics import Interval, wilson

KS = (1, 8)
"""Numbers of tries for which pass@k is told."""


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """One rollout as the report needs it."""

    task: str
    """The puzzle id; rollouts of one task are tries at it."""
    mode: WritingMode
    values: Mapping[str, float]
    """Rewards, gates and diagnostics by name; empty for a rollout that failed."""
    reward: float | None
    """None for a rollout that failed."""
    truncated: bool

    @property
    def failed(self) -> bool:
        return self.reward is None

    @property
    def passed(self) -> bool:
        return self.values.get("episode_all_satisfied") == 1


@dataclass(frozen=True, kw_only=True)
class Rate:
    """How many of a number of checks passed."""

    name: str
    passed: int
    checks: int

    @property
    def share(self) -> float:
        return self.passed / self.checks

    @property
    def interval(self) -> Interval:
        """Wilson, 95 %; checks of one response hang together, so the true range is somewhat wider."""
        return wilson(self.passed, self.checks)


@dataclass(frozen=True, kw_only=True)
class Summary:
    """How one model did on tasks of one mode."""

    model: str
    mode: WritingMode
    tasks: int
    rollouts: int
    pass_at: Mapping[int, float | None]
    """By number of tries; None where some task has fewer rollouts than that."""
    pass_at_sound: float | None
    """pass@1 without the rollouts that failed; None if all did."""
    turn_rate: float
    """Mean share of the turns of a rollout that pass; failed rollouts count as 0."""
    mean_reward: float
    """Failed rollouts count as 0."""
    truncated: int
    failed: int
    families: tuple[Rate, ...]
    """Worst first, as all of these; what never occurred is left out."""
    constraints: tuple[Rate, ...]
    patterns: tuple[Rate, ...]
    turns: tuple[Rate, ...]
    """By turn, in order."""

    def document(self) -> dict[str, object]:
        """Return the summary as plain JSON values."""

        def listed(rates: Sequence[Rate]) -> list[dict[str, object]]:
            return [
                {"name": r.name, "passed": r.passed, "checks": r.checks, "rate": r.share, "range": list(r.interval)}
                for r in rates
            ]

        return {
            "model": self.model,
            "mode": self.mode,
            "tasks": self.tasks,
            "rollouts": self.rollouts,
            **{f"pass@{k}": value for k, value in self.pass_at.items()},
            "pass@1 without failed rollouts": self.pass_at_sound,
            "turn_rate": self.turn_rate,
            "mean_reward": self.mean_reward,
            "truncated": self.truncated,
            "failed": self.failed,
            "families": listed(self.families),
            "constraints": listed(self.constraints),
            "patterns": listed(self.patterns),
            "turns": listed(self.turns),
        }


def pass_at(k: int, tries: int, passes: int) -> float:
    """Return the chance that k tries drawn without putting back hold a pass: the unbiased estimate of pass@k.

    Raises:
        ValueError: there are fewer tries than k, or more passes than tries.
    """
    if not 0 <= passes <= tries or not 1 <= k <= tries:
        raise ValueError(f"pass@{k} of {passes} passes in {tries} tries")
    return 1 - comb(tries - passes, k) / comb(tries, k)


def summarize(model: str, mode: WritingMode, outcomes: Sequence[Outcome]) -> Summary:
    """Return how a model did on the tasks of one mode; there is at least one rollout."""
    tries: defaultdict[str, list[Outcome]] = defaultdict(list)
    for outcome in outcomes:
        tries[outcome.task].append(outcome)
    sound = [outcome for outcome in outcomes if not outcome.failed]
    return Summary(
        model=model,
        mode=mode,
        tasks=len(tries),
        rollouts=len(outcomes),
        pass_at={k: _pass_at(k, tries.values()) for k in KS},
        pass_at_sound=fmean(outcome.passed for outcome in sound) if sound else None,
        turn_rate=fmean(outcome.values.get("all_satisfied", 0.0) for outcome in outcomes),
        mean_reward=fmean(outcome.reward or 0.0 for outcome in outcomes),
        truncated=sum(outcome.truncated for outcome in outcomes),
        failed=len(outcomes) - len(sound),
        families=_worst_first(sound, {f"fam_{family}": family for family in FAMILIES.values()}),
        constraints=_worst_first(sound, {name: name for name in TYPES}),
        patterns=_worst_first(sound, {f"pat_{pattern}": pattern for pattern in PATTERNS}),
        turns=_rates(sound, {f"turn_{nth}": f"turn {nth}" for nth in range(1, MOST_TURNS + 1)}),
    )


def _pass_at(k: int, tries: Iterable[Sequence[Outcome]]) -> float | None:
    counted = [(len(outcomes), sum(outcome.passed for outcome in outcomes)) for outcomes in tries]
    if any(number < k for number, _ in counted):
        return None
    return fmean(pass_at(k, number, passes) for number, passes in counted)


def _rates(outcomes: Iterable[Outcome], names: Mapping[str, str]) -> tuple[Rate, ...]:
    checks: Counter[str] = Counter()
    passed: Counter[str] = Counter()
    for outcome in outcomes:
        for name in names:
            checks[name] += round(outcome.values.get(f"n_{name}", 0))
            passed[name] += round(outcome.values.get(f"pass_{name}", 0))
    return tuple(
        Rate(name=told, passed=passed[name], checks=checks[name]) for name, told in names.items() if checks[name]
    )


def _worst_first(outcomes: Iterable[Outcome], names: Mapping[str, str]) -> tuple[Rate, ...]:
    return tuple(sorted(_rates(outcomes, names), key=lambda rate: (rate.share, -rate.checks, rate.name)))


# As Markdown ----------------------------------------------------------------------------------------------------------


def markdown(summaries: Sequence[Summary]) -> str:
    """Return the report as Markdown: one table over all models, then the rates of each."""
    head = ("model", "mode", "tasks", "rollouts", *(f"pass@{k}" for k in KS), "pass@1 without errors", "turns passed",
            "mean reward", "truncated", "errors")  # fmt: skip
    lines = ["# Writing tasks", "", *_table(head, [_line(summary) for summary in summaries]), ""]
    for summary in summaries:
        for title, rates in (
            ("family", summary.families), ("constraint", summary.constraints), ("pattern", summary.patterns),
            ("turn", summary.turns),
        ):  # fmt: skip
            if rates and (title != "turn" or summary.mode == "multi"):
                lines += [f"## {summary.model}, {summary.mode}: by {title}", ""]
                lines += [*_table((title, "passed", "of", "rate", "range"), [_rate_line(rate) for rate in rates]), ""]
    return "\n".join([*lines, NOTE, ""])


NOTE = (
    "A task is passed if every check of every turn is. Rollouts that failed count as not passed; `pass@1 without "
    "errors` leaves them out. `turns passed` is the mean share of a rollout's turns whose checks all pass. Ranges are "
    "Wilson's at 95 %; checks of one response hang together, so true ranges are wider. `lang.present_tense` and "
    "`lang.no_passive` are judged by heuristics."
)


def _line(summary: Summary) -> tuple[str, ...]:
    return (
        summary.model, summary.mode, str(summary.tasks), str(summary.rollouts),
        *(_percent(value) for value in summary.pass_at.values()), _percent(summary.pass_at_sound),
        _percent(summary.turn_rate), f"{summary.mean_reward:.3f}", _percent(summary.truncated / summary.rollouts),
        _percent(summary.failed / summary.rollouts),
    )  # fmt: skip


def _rate_line(rate: Rate) -> tuple[str, ...]:
    low, high = rate.interval
    return rate.name, str(rate.passed), str(rate.checks), _percent(rate.share), f"{low:.0%} to {high:.0%}"


def _percent(value: float | None) -> str:
    return "-" if value is None else f"{value:.1%}"


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    return [f"| {' | '.join(row)} |" for row in (head, ["---"] * len(head), *rows)]
