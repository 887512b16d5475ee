"""The part of the app that saves and says so: clerk, keeper, banners, the clocks of items, copying, and leaving.

Between the shell, which knows nothing of puzzles, and the router above, which knows which screen comes next.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING

from engine.errors import ClewError
from engine.public import Desk, Session
from tui import crash
from tui.attempt import Work
from tui.clerk import Clerk
from tui.keeper import Keeper
from tui.moments import Moments
from tui.screens.frame import Framed
from tui.screens.item import ItemScreen
from tui.shell import Shell
from tui.widgets.top import HINT_S

if TYPE_CHECKING:
    from tui.copying import Copying

SLOW_S = 0.4
"""After so long a banner says that it is still at it, and where the desk knows, what takes so long."""
WATCH_S, POLL_S = 0.25, 0.02
QUITS = "ctrl+q quits, and keeps your draft"
LEAVE_WITHOUT = "ctrl+q again quits without it"


class Saving(Shell):
    """Nothing here decides what is shown; what is unsaved is never forgotten."""

    def __init__(self, desk: Desk, *, mono: bool, listens: bool, moments: Moments, theme: str) -> None:
        super().__init__(mono=mono, listens=listens, moments=moments, theme=theme)
        monotonic = self.moments.monotonic
        self.clerk = Clerk(desk, deliver=self._deliver, asked=self._on_asked, monotonic=monotonic)
        self.keeper = Keeper(
            self.clerk, monotonic=monotonic, later=self.set_timer, failed=self._not_saved, kept=self._saved
        )
        self.session: Session | None = None
        self.trouble = ""
        """What could not be saved, for as long as that lasts."""
        self.lost = False
        """Whether the app ended without having stored the newest draft."""
        self._ui_loop: asyncio.AbstractEventLoop | None = None
        self._watching = self._leaving = self._warned = self._focus_reports = False
        self._doing = "saving"

    def on_mount(self) -> None:
        self._ui_loop = asyncio.get_running_loop()
        # At once, since the process stops before anything that is only queued.
        self.app_suspend_signal.subscribe(self, lambda _: self._hold("suspend"), immediate=True)
        self.app_resume_signal.subscribe(self, lambda _: self._release("suspend"))

    # What the clerk reports

    def _deliver(self, report: Callable[[], None]) -> None:
        """Have a report of the clerk handled on this app's loop; after the end there is nobody to report to."""
        if self._ui_loop is not None:
            with suppress(RuntimeError):
                self._ui_loop.call_soon_threadsafe(self.call_later, report)

    def _on_asked(self) -> None:
        if not self._watching and self.is_running:
            self._watching = True
            self.set_timer(SLOW_S, self._watch)

    def _watch(self) -> None:
        """Say so while the desk is slow, and stop when it is idle."""
        waiting = self.clerk.waiting_s()
        if self.clerk.idle():
            self._watching = False
            self._each_frame(lambda screen: screen.silence("busy"))
            return
        if waiting >= SLOW_S:
            doing = f"{self._doing}, then quitting" if self._leaving else self._doing
            self._tell(f"{doing} ... {self.clerk.working_on()}".rstrip(), busy=True)
        self.set_timer(WATCH_S, self._watch)

    def _not_saved(self, error: Exception, what_next: str = "tried again by itself") -> None:
        said = self._said(error).removeprefix("Not saved: ")
        # Whoever is leaving must keep seeing how, however often the saving is tried again meanwhile.
        self.trouble = f"not saved: {said} ({LEAVE_WITHOUT if self._leaving else what_next})"
        self._each_frame(self.repeat_trouble)

    def _saved(self) -> None:
        self.trouble, self._leaving = "", False
        self._each_frame(lambda screen: screen.silence("trouble"))
        for screen in self.screen_stack:
            if isinstance(screen, ItemScreen):
                screen.tick()

    def keep(self, work: Work) -> None:
        """Keep the drafts of an item from now on."""
        self._warned = False
        self.keeper.begin(work.puzzle_id, work.draft)

    def not_possible(self, error: Exception) -> None:
        """Say that something asked for could not be done."""
        self._tell(f"not possible now: {self._said(error)}")

    def not_checked(self, error: Exception) -> None:
        """Say that a text could not be checked; the writing goes on."""
        self._tell(f"not checked: {self._said(error)}")

    def _said(self, error: Exception) -> str:
        if not isinstance(error, ClewError):
            self.record(error)
        return crash.message(error)

    def repeat_trouble(self, screen: Framed) -> None:
        if self.trouble:
            screen.tell(self.trouble, "trouble")

    def _tell(self, text: str, *, busy: bool = False, seconds: float = HINT_S) -> None:
        self._each_frame(lambda screen: screen.tell(text, "busy" if busy else "hint", seconds))

    def _each_frame(self, act: Callable[[Framed], None]) -> None:
        for screen in self.screen_stack:
            if isinstance(screen, Framed):
                act(screen)

    # Clocks

    def on_app_blur(self) -> None:
        self._focus_reports = True
        self._hold("blur")

    def on_app_focus(self) -> None:
        self._focus_reports = True
        self._release("blur")

    def _hold(self, reason: str) -> None:
        for screen in self.screen_stack:
            if isinstance(screen, ItemScreen):
                screen.hold(reason)

    def _release(self, reason: str) -> None:
        for screen in self.screen_stack:
            if isinstance(screen, ItemScreen):
                screen.release(reason)

    # Copying

    def action_copy(self) -> None:
        selected = self.screen.get_selected_text()
        if selected:
            self.copy(selected, "the selection")
        else:
            self._tell(f"nothing is {'selected to copy' if self.may_copy() else 'copied here'}; {QUITS}")

    def copy(self, text: str, what: str) -> None:
        """Copy a text to the terminal's clipboard and to a file, and say what became of it; never in a collection."""
        if not self.may_copy():
            self._tell(f"copying is off in a collection; {QUITS}")
            return
        self.keeper.note("copy", f"{len(text)} {what}")
        self._copying().copy(text, what)

    def _copying(self) -> Copying:
        # Loaded when first needed, to keep the first paint early.
        from tui.copying import Copying

        return Copying(self.copy_to_clipboard, deliver=self._deliver, later=self.set_timer, told=self._tell)

    def take_picture(self) -> None:
        """Keep a picture of the screen in a file; never in a collection."""
        if self.may_copy():
            self._copying().picture(self.export_screenshot(title="clew"), self.moments.now())

    def may_copy(self) -> bool:
        """Say whether text may leave the app: in practice only."""
        return self.session is not None and self.session.mode == "practice"

    def copy_to_clipboard(self, text: str) -> None:
        """Keep a text for pasting inside of the app, and hand it to the terminal unless this is a collection."""
        if self.may_copy():
            super().copy_to_clipboard(text)
        else:
            self._clipboard = text

    # Leaving

    def stop_here(self) -> None:
        """End for today: save everything, then leave."""
        self.keeper.note("stop")
        self._leaving = True
        self._save_all()

    def _save_all(self) -> None:
        self.before_end()
        self.clerk.ask(lambda desk: None, self._all_saved, self._not_saved)

    async def action_quit(self) -> None:
        """Quit once everything is saved; a second time, quit anyway."""
        items = [screen for screen in self.screen_stack if isinstance(screen, ItemScreen)]
        unsent = any(item.attempt.unsent() and not item.sending for item in items)
        if self._leaving:
            self.before_end()
            self.exit(return_code=0)
        elif unsent and not self._warned:
            self._warned = True
            self._tell("your answer is not sent; it is kept as a draft. ctrl+q again quits")
        else:
            self._leaving = True
            self._save_all()

    def _all_saved(self, _: None) -> None:
        if not self.trouble and self.keeper.waits:
            # Something was typed meanwhile.
            self._save_all()
        elif not self.trouble:
            self.exit(return_code=0)
        else:
            self.trouble = f"{self.trouble.split(' (')[0]} ({LEAVE_WITHOUT})"
            self._each_frame(self.repeat_trouble)

    async def settled(self, bound_s: float) -> None:
        end = self.moments.monotonic() + bound_s
        while not self.clerk.idle() and self.moments.monotonic() < end:
            await asyncio.sleep(POLL_S)

    def before_end(self) -> None:
        self.keeper.flush()

    def finish(self, bound_s: float) -> None:
        """After the loop: wait for the last save, at most so long, and remember what to say about it."""
        if not self.clerk.finish(bound_s):
            if self.session is not None:
                self._words.append(self.clerk.unfinished())
            return
        self.lost = self.keeper.unstored
        if self.lost:
            self._words.append(f"{self.trouble.split(' (')[0].rstrip('.') or 'not saved'}; what you wrote last is lost")
        if self.clerk.trouble is not None:
            self._words.append(self.record(self.clerk.trouble))

    def mode_name(self) -> str:
        return self.session.mode if self.session is not None else "unknown"
