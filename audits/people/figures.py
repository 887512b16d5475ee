"""The figures of a report, each from findings alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import ceil, exp, floor, log10

from audits.people.bars import Bar
from audits.people.calibration import Calibration
from audits.people.contrasts import Contrast
from audits.people.course import Learning
from audits.people.findings import FamilyFindings, Findings
from audits.people.panels import Panel
from audits.people.requirements import PEOPLE, Kind
from audits.people.svg import Row, Series, lines_figure, rows_figure

WIDE = 380
"""Room for long names, in pixels."""
KINDS = {"people": "people", "person": "people", "model": "model"}


@dataclass(frozen=True, kw_only=True)
class Figure:
    """A figure with what it shows."""

    caption: str
    svg: str


def family_figures(family: FamilyFindings) -> Iterator[Figure]:
    """Yield the figures of one family."""
    for aid, bars in family.bars:
        yield Figure(
            caption=f"Scores under aid {aid}: share of right answers among those presented, with 95 % ranges.",
            svg=bars_svg(bars, f"Scores of people, models and references, {family.family}, aid {aid}"),
        )
    if len(family.people) > 1:
        yield Figure(caption="Every person on their own, with 95 % ranges.", svg=people_svg(family))
    if family.calibration:
        yield Figure(
            caption="Confidence against being right; on the line they agree. Ranges are 95 %.",
            svg=calibration_svg(family.calibration),
        )
    if family.people_panels and family.people_panels[-1].k > 1:
        yield Figure(
            caption="Several answers taken together, people and models at the same number.", svg=panels_svg(family)
        )


def bars_svg(bars: Sequence[Bar], title: str) -> str:
    rows = [
        Row(
            name=bar.name,
            value=bar.value,
            low=bar.low,
            high=bar.high,
            second=bar.hard,
            kind=KINDS.get(bar.kind, "reference"),
        )
        for bar in bars
    ]
    hard = max((bar.hard_items for bar in bars), default=0)
    second = f"on the {hard} items where the best shortcut is wrong" if hard else ""
    return rows_figure(rows, title=title, axis="share right", second=second)


def people_svg(family: FamilyFindings) -> str:
    ranked = sorted(family.people, key=lambda rate: (-(rate.presented or 0), rate.name, rate.aid))
    several = len({rate.name for rate in ranked}) < len(ranked)
    rows = [
        Row(
            name=f"{rate.name}{f' {rate.aid}' if several else ''} ({rate.counts.scored})",
            value=rate.presented,
            low=rate.low,
            high=rate.high,
            kind="people",
        )
        for rate in ranked
    ]
    return rows_figure(rows, title=f"Single people, {family.family}", axis="share right (items presented in brackets)")


def contrasts_svg(contrasts: Sequence[Contrast]) -> str:
    """Return a forest of differences, people minus model; the registered one first."""
    rows = [
        Row(
            name=f"{one.model}: {one.name}", value=one.found.value, low=one.found.low, high=one.found.high,
            kind="people" if one.registered else "reference",
        )
        for one in contrasts
        if one.found is not None
    ]  # fmt: skip
    return rows_figure(
        rows, title="Differences between people and models", axis="people minus model", low=-1.0, high=1.0,
        ticks=(-1.0, -0.5, 0.0, 0.5, 1.0), zero=0.0, labels=WIDE,
    )  # fmt: skip


def calibration_svg(found: Sequence[tuple[str, Calibration]]) -> str:
    series = [
        Series(
            name=f"{name} ({one.answers})", kind="people" if name == PEOPLE else "model",
            points=tuple((bin.confidence, bin.correct / bin.answers) for bin in one.bins),
            spans=tuple((bin.rate_low, bin.rate_high) for bin in one.bins),
            sizes=tuple(bin.answers for bin in one.bins),
        )
        for name, one in found
    ]  # fmt: skip
    low = 0.5 if all(point[0] >= 0.5 for one in series for point in one.points) else 0.0
    ticks = (0.5, 0.6, 0.7, 0.8, 0.9, 1.0) if low else (0.0, 0.25, 0.5, 0.75, 1.0)
    return lines_figure(
        series, title="Reliability of confidence", axis="confidence", upright="share right", x=(low, 1.0),
        ticks_x=ticks, diagonal=True,
    )  # fmt: skip


def panels_svg(family: FamilyFindings) -> str:
    series = [_panel_series("people, majority", "people", family.people_panels, majority=True)]
    series.append(_panel_series("people, best of k", "people", family.people_panels, majority=False))
    for name, panels in family.model_panels:
        if panels and panels[-1].k > 1:
            series.append(_panel_series(f"{name}, pass@k", "model", panels, majority=False))
    most = max(panel.k for panel in family.people_panels)
    ticks = [panel.k for panel in family.people_panels]
    return lines_figure(
        [one for one in series if one.points], title=f"Panels, {family.family}", axis="answers taken together",
        upright="share right", x=(1, most), ticks_x=ticks,
    )  # fmt: skip


def learning_svg(found: Learning) -> str:
    points = tuple((float(point.nth), point.right) for point in found.points)
    return lines_figure(
        [Series(name="people", points=points, sizes=tuple(point.answers for point in found.points))],
        title="Share right by place in the list", axis="place in the list", upright="share right",
        x=(1, max(2, len(found.points))), ticks_x=_every(len(found.points)),
    )  # fmt: skip


def time_svg(found: Learning) -> str:
    points = [(float(point.nth), exp(point.log_ms) / 1000) for point in found.points if point.log_ms is not None]
    ticks = round_ticks(max((seconds for _, seconds in points), default=1.0))
    return lines_figure(
        [Series(name="people", points=tuple(points))], title="Active time by place in the list",
        axis="place in the list", upright="seconds (geometric mean)", x=(1, max(2, len(found.points))),
        ticks_x=_every(len(found.points)), y=(0.0, ticks[-1]), ticks_y=ticks,
    )  # fmt: skip


def requirements_svg(kinds: Sequence[Kind]) -> str:
    rows = []
    for kind in kinds:
        for name, met in kind.met.items():
            rows.append(
                Row(
                    name=f"{kind.constraint_id} {'' if name == PEOPLE else name} ({met.counted})", value=met.share,
                    low=met.interval.low, high=met.interval.high, kind="people" if name == PEOPLE else "model",
                )
            )  # fmt: skip
    return rows_figure(rows, title="Requirements met, by kind", axis="share met (judged in brackets)", labels=WIDE)


def findings_figures(found: Findings) -> dict[str, Figure]:
    """Return the figures that are not of one family, by the section in which they stand."""
    figures = {}
    if any(one.found is not None for one in found.contrasts):
        figures["contrasts"] = Figure(
            caption="Differences with their intervals; the registered one is filled in the colour of people.",
            svg=contrasts_svg(found.contrasts),
        )
    if found.learning is not None:
        figures["learning"] = Figure(caption="Share right by place in the list.", svg=learning_svg(found.learning))
        figures["time"] = Figure(caption="Active time by place in the list.", svg=time_svg(found.learning))
    if found.requirements:
        figures["requirements"] = Figure(
            caption="How often each kind of requirement was met.", svg=requirements_svg(found.requirements)
        )
    return figures


def _panel_series(name: str, kind: str, panels: Sequence[Panel], *, majority: bool) -> Series:
    points = [(float(panel.k), panel.majority if majority else panel.best) for panel in panels]
    return Series(
        name=name, kind=kind if not majority else f"{kind} alt",
        points=tuple((k, value) for k, value in points if value is not None),
        sizes=tuple(panel.items for panel in panels),
    )  # fmt: skip


def round_ticks(top: float) -> list[float]:
    """Return four to seven ticks from 0, the last not under `top`, in steps of 1, 2 or 5 of some power of ten."""
    power = 10.0 ** floor(log10(max(top, 1e-3) / 4))
    step = next(power * base for base in (1, 2, 5, 10) if power * base * 6 >= top)
    return [round(step * nth, 6) for nth in range(max(3, ceil(top / step)) + 1)]


def _every(count: int) -> list[int]:
    step = max(1, count // 10)
    return list(range(1, max(count, 2) + 1, step))
