"""The part of the app that knows nothing of puzzles: themes and gate on the way out, and how it ends.

Textual's own handling of an error prints the locals of every frame, which could hold gold. Here an error is
written down without any value (`tui.crash`), and the person reads at most three lines.
"""

from __future__ import annotations

import asyncio
import os
import re
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from typing import cast

from rich.console import RenderableType
from textual.app import App
from textual.driver import Driver
from textual.filter import LineFilter, Monochrome, NoColor
from textual.worker import WorkerFailed

from tui import crash, ends
from tui.early import Remembered, take_time
from tui.gate import Gate
from tui.messages import HungUp
from tui.moments import Moments
from tui.themes import DARK, MONO, OWN

SETTLED_S = 1.0
"""So long after the first paint what one came for stands on the screen, on a usual machine."""
_GATE = Gate()
_NO_COLOR = NoColor()


class Shell(App[None]):
    """A Textual app that lets nothing steer the terminal, tells no secrets when it breaks, and ends well."""

    def __init__(self, *, mono: bool, listens: bool, moments: Moments, theme: str = "") -> None:
        """Build it.

        Args:
            mono: no colours, for NO_COLOR; wins over any theme.
            listens: to the signals of a real terminal, which it then answers.
            theme: to begin with, clew's dark one unless named.
        """
        # Textual picks its colour filter in the constructor, so colours must be off before.
        super().__init__(ansi_color=True if mono else None)
        self.moments = moments
        self.no_color = mono
        self._listens = listens
        self._words: list[str] = []
        self._broken = self._up = False
        self._early_code = 0
        """Why to end once the first screen is painted; 0 for no reason."""
        self.interrupt = Remembered()
        """An interrupt from before this app could handle it."""
        for own in OWN:
            self.register_theme(own)
        self._begin_with(MONO.name if mono else theme or DARK.name)

    def _begin_with(self, name: str) -> None:
        """Take a theme before anything is styled: a change of it has all style sheets read a second time."""
        if self.available_themes[name].dark:
            self.set_reactive(App.theme, name)
            self.stylesheet.set_variables(self.get_css_variables())
        else:
            # Textual has set up its colours for a dark terminal, and changes them with the theme.
            self.theme = name

    def get_theme_variable_defaults(self) -> dict[str, str]:
        """Give a built-in theme the one variable that only clew's themes have."""
        theme = self.current_theme
        return {"muted": theme.foreground or ("#e0e0e0" if theme.dark else "#1f1f1f")}

    def get_line_filters(self) -> Sequence[LineFilter]:
        """Return Textual's filters with colours as NO_COLOR asks (an empty one asks nothing), and the gate last."""
        filters = [one for one in super().get_line_filters() if not isinstance(one, (Monochrome, NoColor))]
        plain = self.no_color or self.theme == MONO.name
        return [*filters, *([_NO_COLOR] if plain else []), _GATE]

    def get_driver_class(self) -> type[Driver]:
        driver = super().get_driver_class()
        if driver.__name__ != "LinuxDriver":
            return driver
        # Only where its parent exists: it needs termios.
        from tui.terminal import Terminal

        return cast("type[Driver]", Terminal)

    def export_screenshot(self, *, title: str | None = None, simplify: bool = False) -> str:
        """Return the screen as a picture in SVG that asks no other host for its font."""
        svg = re.sub(r"@font-face\s*\{[^}]*\}", "", super().export_screenshot(title=title, simplify=simplify))
        return svg.replace("Fira Code", "ui-monospace, Menlo, Consolas, DejaVu Sans Mono")

    def left_terminal(self) -> bool:
        """Say whether the terminal is out of application mode."""
        return not getattr(self._driver, "running", False)

    def on_load(self) -> None:
        if self._listens:
            ends.listen(asyncio.get_running_loop(), self.end)

    def on_mount(self) -> None:
        if self._listens:
            self.call_after_refresh(self._is_up)
            self.set_timer(SETTLED_S, take_time)
            ends.listen_to_stop(asyncio.get_running_loop(), partial(self.call_later, self.action_suspend_process))

    async def action_suspend_process(self) -> None:  # type: ignore[override]  # Textual awaits what an action returns
        """Stop until the shell's fg; what is unsaved is handed over first, and waited for within a bound."""
        driver = self._driver
        if driver is not None and driver.can_suspend and hasattr(driver, "stop_process"):
            self._suspend_signal()
            await self.settled(ends.STOP_BOUND_S)
            driver.stop_process()

    async def settled(self, bound_s: float) -> None:
        """Wait until everything handed over is saved, at most so long; the hook of the app above."""

    def _is_up(self) -> None:
        """End now if that was asked for while the first screen was on its way: an end then would break it."""
        self._up = True
        code = ends.INTERRUPTED if self.interrupt.came else self._early_code
        if code:
            self.end(code)

    def end(self, code: int) -> None:
        """End for a reason from outside; the first one counts."""
        if self._listens and not self._up:
            self._early_code = self._early_code or code
        elif not self._exit and not self._broken:
            self.before_end()
            self.exit(return_code=code)

    def on_hung_up(self, message: HungUp) -> None:
        self.end(ends.HANG_UP)

    def before_end(self) -> None:
        """Hand over what is unsaved; the hook of the app above."""

    def last_words(self) -> list[str]:
        """Return the lines for standard error after the end, each fit for a line."""
        return self._words

    def mode_name(self) -> str:
        """Return the session's mode for the crash file."""
        return "unknown"

    def record(self, error: BaseException) -> str:
        """Write a crash file; return where it is, or that it could not be written."""
        try:
            path = crash.write_crash(error, mode=self.mode_name(), now=self.moments.now())
        except OSError as failure:
            return f"no crash file could be written: {os.strerror(failure.errno or 0)}"
        return f"where it happened, without any content: {path}"

    # What Textual calls when something goes wrong

    def _handle_exception(self, error: Exception) -> None:
        if isinstance(error, WorkerFailed) and isinstance(error.error, Exception):
            error = error.error
        if self._exception is None:
            self._exception = error
            self._exception_event.set()
        if not self._broken:
            self._broken = True
            self._return_code = crash.exit_code(error)
            self._words = [f"stopped: {crash.message(error)}", self.record(error), "go on with: clew resume"]
            with suppress(Exception):
                self.before_end()
        self._close_messages_no_wait()

    def _fatal_error(self) -> None:
        self._close_messages_no_wait()

    def panic(self, *renderables: RenderableType) -> None:
        """End as after any error; what the caller wanted printed may hold values and is dropped."""
        self._handle_exception(RuntimeError("panic"))

    def _print_error_renderables(self) -> None:
        self._exit_renderables.clear()
