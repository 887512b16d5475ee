"""The app's own themes, each made of one palette, so that no colour comes from anywhere else.

Every text colour reaches a contrast of 4.5 to 1 (7 to 1 in `clew-contrast`) on every ground it may stand on, the row
under the cursor and the selection included, also where something is disabled or muted; borders reach 3 to 1. What is
met, what is not, and what is new can be told apart with a red- or green-weak eye, and are words as well.
"""

from __future__ import annotations

from dataclasses import dataclass

from textual.theme import BUILTIN_THEMES, Theme

from engine.errors import UsageError, quoted


@dataclass(frozen=True, kw_only=True)
class Palette:
    """All colours of a theme."""

    background: str
    surface: str
    panel: str
    cursor: str
    """Ground of the row under the cursor."""
    blurred: str
    """Ground of that row in a pane without the focus, and of rows whose text has colours of its own."""
    hover: str
    selection: str
    text: str
    strong: str
    """Text in the row under the cursor."""
    muted: str
    primary: str
    secondary: str
    accent: str
    """What is new, and the keys."""
    success: str
    error: str
    border: str
    dark: bool = True

    def theme(self, name: str) -> Theme:
        """Return it as a theme of Textual."""
        return Theme(
            name=name, primary=self.primary, secondary=self.secondary, accent=self.accent, warning=self.accent,
            error=self.error, success=self.success, foreground=self.text, background=self.background,
            surface=self.surface, panel=self.panel, boost=self.panel, dark=self.dark, variables=self._variables(),
        )  # fmt: skip

    def _variables(self) -> dict[str, str]:
        """Return what Textual would otherwise mix itself, some of it too pale to read."""
        return {
            "muted": self.muted,
            **dict.fromkeys(("text", "foreground-muted", "button-foreground"), self.text),
            **dict.fromkeys(("text-muted", "text-disabled", "foreground-disabled"), self.muted),
            **dict.fromkeys(("text-primary", "link-color", "link-color-hover"), self.primary),
            "text-secondary": self.secondary,
            **dict.fromkeys(("text-accent", "text-warning", "footer-key-foreground"), self.accent),
            "text-success": self.success,
            "text-error": self.error,
            **dict.fromkeys(("primary-muted", "secondary-muted", "accent-muted"), self.panel),
            **dict.fromkeys(("warning-muted", "success-muted", "error-muted"), self.panel),
            **dict.fromkeys(("block-cursor-background", "surface-active"), self.cursor),
            "block-cursor-foreground": self.strong,
            "block-cursor-text-style": "bold",
            "block-cursor-blurred-background": self.blurred,
            "block-cursor-blurred-foreground": self.text,
            "block-cursor-blurred-text-style": "none",
            "block-hover-background": self.hover,
            **dict.fromkeys(("border", "border-blurred", "scrollbar"), self.border),
            **dict.fromkeys(("scrollbar-hover", "scrollbar-active"), self.primary),
            **dict.fromkeys(_SCROLLBAR_GROUNDS, self.surface),
            "footer-background": self.panel,
            "footer-foreground": self.text,
            "footer-description-foreground": self.text,
            "input-cursor-background": self.text,
            "input-cursor-foreground": self.background,
            **dict.fromkeys(("input-selection-background", "screen-selection-background"), self.selection),
            **dict.fromkeys(("input-selection-foreground", "screen-selection-foreground"), self.strong),
            "link-background-hover": self.panel,
        }


_SCROLLBAR_GROUNDS = (
    "scrollbar-background", "scrollbar-background-hover", "scrollbar-background-active", "scrollbar-corner-color",
)  # fmt: skip

PALETTES = {
    "clew-dark": Palette(
        background="#11161d", surface="#171d26", panel="#202936", cursor="#294063", blurred="#263449", hover="#222d3d",
        selection="#2f4a73", text="#dbe4ef", strong="#ffffff", muted="#b3c0d0", primary="#93beff", secondary="#b0c6e4",
        accent="#f5cc72", success="#74dfc6", error="#ffa58c", border="#6c8cb0",
    ),
    "clew-light": Palette(
        background="#f6f4ee", surface="#fdfcf8", panel="#e8e4d9", cursor="#cfe0f5", blurred="#e3e7ea", hover="#ece9df",
        selection="#bcd4f1", text="#20262d", strong="#10161d", muted="#4a535e", primary="#154f96", secondary="#3c5472",
        accent="#6a2c91", success="#00565c", error="#9c2a00", border="#5c6b7e", dark=False,
    ),
    "clew-contrast": Palette(
        background="#000000", surface="#000000", panel="#1c1c1c", cursor="#003058", blurred="#2a2a2a", hover="#1c1c1c",
        selection="#003b6b", text="#ffffff", strong="#ffffff", muted="#dcdcdc", primary="#b5daff", secondary="#d0e6ff",
        accent="#ffe066", success="#7df5e0", error="#ffbfa6", border="#b0b0b0",
    ),
    "clew-colour-blind": Palette(
        background="#14161a", surface="#1a1d22", panel="#25292f", cursor="#2f4153", blurred="#2d333b", hover="#262b32",
        selection="#34495f", text="#eceef1", strong="#ffffff", muted="#c2c7cf", primary="#8fd0ff", secondary="#cfd8e3",
        accent="#f5f5a0", success="#79c8ff", error="#ffb03b", border="#8a96a5",
    ),
}  # fmt: skip
"""By theme name. The last one holds blue, orange and pale yellow, which stay apart for every kind of colour vision."""

COLOURED = tuple(palette.theme(name) for name, palette in PALETTES.items())
DARK, LIGHT, CONTRAST, COLOUR_BLIND = COLOURED

_PLAIN = "ansi_default"
MONO = Theme(
    name="clew-mono",
    ansi=True,
    primary=_PLAIN,
    secondary=_PLAIN,
    accent=_PLAIN,
    warning=_PLAIN,
    error=_PLAIN,
    success=_PLAIN,
    foreground=_PLAIN,
    background=_PLAIN,
    surface=_PLAIN,
    panel=_PLAIN,
    boost=_PLAIN,
    variables={
        **dict.fromkeys([*DARK.variables, "ansi-background", "ansi-foreground"], _PLAIN),
        "input-cursor-text-style": "reverse",
        "block-cursor-text-style": "reverse",
        "block-cursor-blurred-text-style": "underline",
    },
)

OWN = (*COLOURED, MONO)


def check_theme(name: str, where: str) -> None:
    """Refuse a theme that the app has not.

    Raises:
        UsageError: names the place, the theme, and those of clew.
    """
    if name and name not in BUILTIN_THEMES and name not in {theme.name for theme in OWN}:
        own = ", ".join(theme.name for theme in OWN)
        raise UsageError(f"{where}: theme is {quoted(name)}; {own} or a theme of Textual is right")
