"""The app's own themes. Every pair of text and background they give reaches a contrast of 4.5 to 1."""

from __future__ import annotations

from textual.theme import Theme

_SHARED_DARK = {
    "muted": "#a3b1c2",
    "block-cursor-background": "#2f4b73",
    "block-cursor-foreground": "#ffffff",
    "block-cursor-text-style": "bold",
    "block-cursor-blurred-background": "#263449",
    "block-cursor-blurred-foreground": "#dbe4ef",
    "block-cursor-blurred-text-style": "none",
    "block-hover-background": "#222d3d",
    "border": "#5f7896",
    "border-blurred": "#5f7896",
    "footer-key-foreground": "#f2c46d",
    "input-cursor-background": "#dbe4ef",
    "input-cursor-foreground": "#11161d",
    "input-selection-background": "#3d5f8f",
    "input-selection-foreground": "#ffffff",
    "scrollbar": "#5f7896",
    "scrollbar-hover": "#7fb2ff",
    "scrollbar-active": "#7fb2ff",
    "scrollbar-background": "#171d26",
    "scrollbar-background-hover": "#171d26",
    "scrollbar-background-active": "#171d26",
    "scrollbar-corner-color": "#171d26",
}

DARK = Theme(
    name="clew-dark",
    primary="#7fb2ff",
    secondary="#9db8dc",
    accent="#f2c46d",
    warning="#f2c46d",
    error="#ff9a91",
    success="#86d993",
    foreground="#dbe4ef",
    background="#11161d",
    surface="#171d26",
    panel="#202936",
    boost="#202936",
    variables=_SHARED_DARK,
)

LIGHT = Theme(
    name="clew-light",
    primary="#1a5aa8",
    secondary="#40597a",
    accent="#8a5300",
    warning="#8a5300",
    error="#a3242c",
    success="#1c6530",
    foreground="#20262d",
    background="#f6f4ee",
    surface="#fdfcf8",
    panel="#e8e4d9",
    boost="#e8e4d9",
    dark=False,
    variables={
        "muted": "#545d68",
        "block-cursor-background": "#cfe0f5",
        "block-cursor-foreground": "#10161d",
        "block-cursor-text-style": "bold",
        "block-cursor-blurred-background": "#e3e7ea",
        "block-cursor-blurred-foreground": "#20262d",
        "block-cursor-blurred-text-style": "none",
        "block-hover-background": "#ece9df",
        "border": "#6f7f92",
        "border-blurred": "#6f7f92",
        "footer-key-foreground": "#7d4b00",
        "input-cursor-background": "#20262d",
        "input-cursor-foreground": "#fdfcf8",
        "input-selection-background": "#bcd4f1",
        "input-selection-foreground": "#10161d",
        "scrollbar": "#6f7f92",
        "scrollbar-hover": "#1a5aa8",
        "scrollbar-active": "#1a5aa8",
        "scrollbar-background": "#fdfcf8",
        "scrollbar-background-hover": "#fdfcf8",
        "scrollbar-background-active": "#fdfcf8",
        "scrollbar-corner-color": "#fdfcf8",
    },
)

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
        **dict.fromkeys([*_SHARED_DARK, "ansi-background", "ansi-foreground"], _PLAIN),
        "input-cursor-text-style": "reverse",
        "block-cursor-text-style": "reverse",
        "block-cursor-blurred-text-style": "underline",
    },
)

OWN = (DARK, LIGHT, MONO)
