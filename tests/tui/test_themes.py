"""The own themes: every text can be read on every ground, and states can be told apart with any kind of colour vision.

Contrast is that of WCAG 2; colour vision is simulated with the matrices of Machado, Oliveira and Fernandes (2009),
and differences are measured in CIE Lab.
"""

from __future__ import annotations

import asyncio
from itertools import combinations

import pytest
from driving import STILL
from fake_desk import FakeDesk
from textual.color import Color
from textual.theme import Theme

from tui.app import ClewApp
from tui.themes import COLOURED, MONO, OWN, PALETTES

TEXT = (
    "foreground", "foreground-muted", "foreground-disabled", "muted", "primary", "secondary", "accent", "success",
    "warning", "error", "text", "text-muted", "text-disabled", "text-primary", "text-secondary", "text-accent",
    "text-success", "text-warning", "text-error", "footer-key-foreground", "footer-foreground",
    "footer-description-foreground", "button-foreground", "link-color", "link-color-hover",
)  # fmt: skip
GROUNDS = (
    "background", "surface", "panel", "block-cursor-background", "block-cursor-blurred-background",
    "block-hover-background", "footer-background", "surface-active", "primary-muted", "success-muted", "error-muted",
    "warning-muted", "accent-muted", "secondary-muted",
)  # fmt: skip
PAIRS = [
    *((text, ground) for text in TEXT for ground in GROUNDS),
    ("block-cursor-foreground", "block-cursor-background"),
    ("block-cursor-blurred-foreground", "block-cursor-blurred-background"),
    ("input-cursor-foreground", "input-cursor-background"),
    ("input-selection-foreground", "input-selection-background"),
    ("error", "input-selection-background"),
    ("screen-selection-foreground", "screen-selection-background"),
]
GLYPHS = [(glyph, ground) for glyph in ("border", "border-blurred", "scrollbar") for ground in GROUNDS[:3]]
STATES = ("foreground", "success", "error", "warning")
"""Plain text, met, failed, new."""
LEAST = {"clew-contrast": 7.0}
APART = {"clew-colour-blind": 30.0}
"""Least difference of two states, for the theme that is made for it; 8 is a difference one sees at a glance."""
VISION = {
    "protanopia": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deuteranopia": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.01182, 0.04294, 0.968881)),
    "usual": ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)),
}
Triple = tuple[float, ...]


def linear(colour: str) -> Triple:
    parts = [channel / 255 for channel in Color.parse(colour).rgb]
    return tuple(part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)


def contrast(one: str, other: str) -> float:
    """Return the contrast ratio of two colours, 1 to 21."""
    low, high = sorted(
        sum(w * p for w, p in zip((0.2126, 0.7152, 0.0722), linear(c), strict=True)) for c in (one, other)
    )
    return (high + 0.05) / (low + 0.05)


def lab(colour: str, vision: str) -> Triple:
    """Return a colour in CIE Lab as a kind of vision sees it."""
    seen = linear(colour)
    red, green, blue = (
        min(max(sum(m * p for m, p in zip(row, seen, strict=True)), 0.0), 1.0) for row in VISION[vision]
    )
    whole = (
        (0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.95047,
        0.2126 * red + 0.7152 * green + 0.0722 * blue,
        (0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.08883,
    )
    x, y, z = (part ** (1 / 3) if part > 0.008856 else 7.787 * part + 16 / 116 for part in whole)
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def apart(one: str, other: str, vision: str) -> float:
    """Return how different two colours look."""
    return sum((a - b) ** 2 for a, b in zip(lab(one, vision), lab(other, vision), strict=True)) ** 0.5


def resolved(theme: Theme) -> dict[str, str]:
    """Return the variables as the app hands them to the stylesheet."""

    async def session() -> dict[str, str]:
        app = ClewApp(FakeDesk(), moments=STILL)
        async with app.run_test():
            app.theme = theme.name
            return app.get_css_variables()

    return asyncio.run(session())


@pytest.mark.parametrize("theme", COLOURED, ids=lambda theme: theme.name)
def test_every_text_can_be_read_on_every_ground(theme: Theme) -> None:
    variables, least = resolved(theme), LEAST.get(theme.name, 4.5)
    poor = {pair: contrast(variables[pair[0]], variables[pair[1]]) for pair in PAIRS}
    assert {pair: ratio for pair, ratio in poor.items() if ratio < least} == {}
    assert {pair for pair in GLYPHS if contrast(variables[pair[0]], variables[pair[1]]) < 3} == set()


@pytest.mark.parametrize("theme", COLOURED, ids=lambda theme: theme.name)
@pytest.mark.parametrize("vision", VISION)
def test_states_can_be_told_apart(theme: Theme, vision: str) -> None:
    variables, least = resolved(theme), APART.get(theme.name, 8.0)
    found = {pair: apart(variables[pair[0]], variables[pair[1]], vision) for pair in combinations(STATES, 2)}
    assert {pair: difference for pair, difference in found.items() if difference < least} == {}


def test_the_measures_see_what_is_bad() -> None:
    assert contrast("#777777", "#888888") < 4.5 < contrast("#000000", "#ffffff")
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#a3b1c2", "#2f4b73") < 4.5, "a muted text on a row under the cursor, as it once was"
    assert apart("#b3a000", "#c08a3e", "deuteranopia") < 30 < apart("#0000ff", "#ffff00", "deuteranopia")
    assert apart("#d02020", "#3f7a20", "usual") > 80 > 30 > apart("#d02020", "#3f7a20", "deuteranopia")


def test_the_themes_are_these() -> None:
    assert [theme.name for theme in OWN] == [*PALETTES, "clew-mono"]
    assert list(PALETTES) == ["clew-dark", "clew-light", "clew-contrast", "clew-colour-blind"]
    assert MONO.ansi and not [theme for theme in COLOURED if theme.ansi]
