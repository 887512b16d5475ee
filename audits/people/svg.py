"""Small figures as SVG: made by hand so that a report needs no library, no network, and is the same bytes every time.

Marks carry classes, and the page gives them their colours, so that one figure serves light and dark; every mark has a
title with its numbers, and every figure a text for those who do not see it. Coordinates are rounded to a tenth.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from math import isfinite

WIDTH = 720
LABELS = 210
"""Room for names on the left of a row figure, in pixels."""
ROW = 26
TOP, BOTTOM, RIGHT = 14, 40, 64
SHARES = (0.0, 0.25, 0.5, 0.75, 1.0)
LONGEST_NAME = 30


@dataclass(frozen=True, kw_only=True)
class Row:
    """One line of a row figure: a value between its bounds, and perhaps a second value."""

    name: str
    value: float | None
    low: float | None = None
    high: float | None = None
    second: float | None = None
    kind: str = "reference"
    """Class of the mark: people, model, reference."""


@dataclass(frozen=True, kw_only=True)
class Series:
    """One line of a line figure."""

    name: str
    points: tuple[tuple[float, float], ...]
    kind: str = "people"
    spans: tuple[tuple[float, float], ...] = ()
    """Bounds of each point, or none at all."""
    sizes: tuple[int, ...] = ()
    """Answers behind each point."""


def rows_figure(
    rows: Sequence[Row], *, title: str, axis: str, low: float = 0.0, high: float = 1.0,
    ticks: Sequence[float] = SHARES, zero: float | None = None, second: str = "", labels: int = LABELS,
) -> str:  # fmt: skip
    """Return a figure with one row a name: dot, range, and the number itself.

    Args:
        zero: where a line is drawn to compare with; none without it.
        second: what a hollow mark means.
        labels: room for names, in pixels.
    """
    base = TOP + ROW * len(rows)
    scale = _Scale(low=low, high=high, left=labels)
    body = [scale.axis(ticks, base, axis)]
    if zero is not None:
        at = scale.place(zero)
        body.append(f'<line class="zero" x1="{at}" x2="{at}" y1="{TOP}" y2="{base}"/>')
    for nth, row in enumerate(rows):
        body.append(scale.row(row, TOP + ROW * nth + ROW / 2))
    if second:
        body.append(_text(labels, base + BOTTOM + 12, f"hollow: {second}", "note"))
    return _svg(base + BOTTOM + (20 if second else 0), title, body)


def lines_figure(
    series: Sequence[Series], *, title: str, axis: str, upright: str, x: tuple[float, float],
    y: tuple[float, float] = (0.0, 1.0), ticks_x: Sequence[float] = SHARES, ticks_y: Sequence[float] = SHARES,
    diagonal: bool = False,
) -> str:  # fmt: skip
    """Return a figure of lines with points; the diagonal is where confidence equals being right."""
    height, left, base = 344, 60, 276
    plot = _Plot(x=x, y=y, left=left, right=WIDTH - RIGHT, top=TOP + 18, base=base)
    body = [plot.grid(ticks_x, ticks_y, axis, upright)]
    if diagonal:
        low, high = max(x[0], y[0]), min(x[1], y[1])
        body.append(plot.line([(low, low), (high, high)], "zero"))
    for one in series:
        body.append(plot.series(one))
    body.append(_legend(series, height - 8))
    return _svg(height, title, body)


@dataclass(frozen=True, kw_only=True)
class _Plot:
    """A rectangle with two linear scales."""

    x: tuple[float, float]
    y: tuple[float, float]
    left: float
    right: float
    top: float
    base: float

    def place(self, point: tuple[float, float]) -> tuple[float, float]:
        across = (point[0] - self.x[0]) / ((self.x[1] - self.x[0]) or 1)
        up = (point[1] - self.y[0]) / ((self.y[1] - self.y[0]) or 1)
        return round(self.left + across * (self.right - self.left), 1), round(
            self.base - up * (self.base - self.top), 1
        )

    def line(self, points: Sequence[tuple[float, float]], kind: str) -> str:
        joined = " ".join(f"{x},{y}" for x, y in map(self.place, points))
        return f'<polyline class="{kind}" points="{joined}" fill="none"/>'

    def series(self, one: Series) -> str:
        parts = [self.line(one.points, f"line {one.kind}")]
        for nth, point in enumerate(one.points):
            at = self.place(point)
            if one.spans:
                low, high = (self.place((point[0], bound))[1] for bound in one.spans[nth])
                parts.append(f'<line class="span {one.kind}" x1="{at[0]}" x2="{at[0]}" y1="{low}" y2="{high}"/>')
            told = f"{one.name}: {point[0]:.3g}, {point[1]:.3f}" + (f", n = {one.sizes[nth]}" if one.sizes else "")
            parts.append(f'<circle class="dot {one.kind}" cx="{at[0]}" cy="{at[1]}" r="4">{_title(told)}</circle>')
        return "".join(parts)

    def grid(self, ticks_x: Sequence[float], ticks_y: Sequence[float], axis: str, upright: str) -> str:
        parts = []
        for tick in ticks_x:
            at = self.place((tick, self.y[0]))[0]
            parts.append(f'<line class="grid" x1="{at}" x2="{at}" y1="{self.top}" y2="{self.base}"/>')
            parts.append(_text(at, self.base + 16, f"{tick:g}", "tick", "middle"))
        for tick in ticks_y:
            at = self.place((self.x[0], tick))[1]
            parts.append(f'<line class="grid" x1="{self.left}" x2="{self.right}" y1="{at}" y2="{at}"/>')
            parts.append(_text(self.left - 8, at + 4, f"{tick:g}", "tick", "end"))
        parts.append(_text((self.left + self.right) / 2, self.base + 33, axis, "axis", "middle"))
        parts.append(_text(self.left - 50, self.top - 14, upright, "axis"))
        return "".join(parts)


@dataclass(frozen=True, kw_only=True)
class _Scale:
    """A linear scale across, with names on its left and numbers on its right."""

    low: float
    high: float
    left: float

    def place(self, value: float) -> float:
        kept = min(max(value, self.low), self.high)
        share = (kept - self.low) / ((self.high - self.low) or 1)
        return round(self.left + share * (WIDTH - RIGHT - self.left), 1)

    def axis(self, ticks: Sequence[float], base: float, name: str) -> str:
        parts = []
        for tick in ticks:
            at = self.place(tick)
            parts.append(f'<line class="grid" x1="{at}" x2="{at}" y1="{TOP}" y2="{base}"/>')
            parts.append(_text(at, base + 15, f"{tick:g}", "tick", "middle"))
        parts.append(_text((self.left + WIDTH - RIGHT) / 2, base + 31, name, "axis", "middle"))
        return "".join(parts)

    def row(self, row: Row, y: float) -> str:
        longest = int((self.left - 12) / 6.6)
        parts = [_text(self.left - 12, y + 4, _short(row.name, longest), "name", "end")]
        if row.value is None or not isfinite(row.value):
            return "".join([*parts, _text(self.left + 8, y + 4, "not computed", "note")])
        told = f"{row.name}: {row.value:.3f}"
        if row.low is not None and row.high is not None:
            ends = [self.place(bound) for bound in (row.low, row.high)]
            parts.append(f'<line class="span {row.kind}" x1="{ends[0]}" x2="{ends[1]}" y1="{y}" y2="{y}"/>')
            told += f" ({row.low:.3f} to {row.high:.3f})"
        parts.append(_dot(f"dot {row.kind}", self.place(row.value), y, told))
        if row.second is not None and isfinite(row.second):
            parts.append(_dot(f"hollow {row.kind}", self.place(row.second), y, f"{row.second:.3f}"))
        number = f"{row.value:+.3f}" if self.low < 0 else f"{row.value:.3f}"
        parts.append(_text(WIDTH - RIGHT + 12, y + 4, number, "number"))
        return "".join(parts)


def _dot(kind: str, x: float, y: float, told: str) -> str:
    return f'<circle class="{kind}" cx="{x}" cy="{y}" r="5">{_title(told)}</circle>'


def _legend(series: Sequence[Series], y: float) -> str:
    parts, at = [], 60.0
    for one in series:
        ends = f"{round(at, 1)},{y - 4} {round(at + 22, 1)},{y - 4}"
        parts.append(f'<polyline class="line {one.kind}" points="{ends}" fill="none"/>')
        parts.append(_text(at + 28, y, _short(one.name), "note"))
        at += 50 + 6.6 * len(_short(one.name))
    return "".join(parts)


def _text(x: float, y: float, text: str, kind: str, anchor: str = "start") -> str:
    return f'<text class="{kind}" x="{round(x, 1)}" y="{round(y, 1)}" text-anchor="{anchor}">{escape(text)}</text>'


def _title(text: str) -> str:
    return f"<title>{escape(text)}</title>"


def _short(name: str, longest: int = LONGEST_NAME) -> str:
    return name if len(name) <= longest else f"{name[: longest - 1]}…"


def _svg(height: int, title: str, body: Sequence[str]) -> str:
    told = escape(title, quote=True)
    return (
        f'<svg viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}" role="img" aria-label="{told}">'
        f"{''.join(body)}</svg>"
    )
