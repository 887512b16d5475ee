"""The app: a router between screens, with the clerk and the keeper. It computes nothing and opens no file of a pack.

All data come through the desk of `engine.public`, in the clerk's thread; nothing is asked of the desk before the
first paint. Texts of others reach widgets only as `Content` or `Text`, and every line passes the gate.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import ClassVar, TypeVar

from textual import events
from textual.app import SystemCommand
from textual.binding import Binding, BindingType
from textual.screen import Screen

from engine.errors import ClewError
from engine.public import Desk, Past, Session
from tui import crash
from tui.attempt import Attempt, Opened
from tui.clerk import Clerk
from tui.errands import Home, Sent, Told, ToldTask, fetch_home, fetch_puzzle, fetch_task, fetch_told, send
from tui.keeper import Keeper
from tui.keys import keys_on
from tui.messages import GoHome, OpenPast, OpenPuzzle, OpenTask
from tui.moments import Moments
from tui.screens.covers import LEAST_HEIGHT, LEAST_WIDTH, PauseScreen, SmallScreen
from tui.screens.frame import Framed
from tui.screens.home import HomeScreen
from tui.screens.item import ItemScreen
from tui.screens.puzzle import PuzzleScreen
from tui.shell import Shell
from tui.wording import length_name
from tui.writing import OpenedTask, Writing

Result = TypeVar("Result")
SLOW_S, HELD_S = 0.4, 1.5
"""After so long a banner says that the disk is slow; after so long, that another program may hold the file."""
WATCH_S = 0.25


LEAVE_WITHOUT = "ctrl+q again quits without it"


class ClewApp(Shell):
    """Routes; screens decide."""

    CSS_PATH = Path(__file__).with_name("app.tcss")
    TITLE = "clew"
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (110, "-wide")]  # noqa: RUF012  # Textual declares no class variable
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("question_mark", "help", "help", key_display="?", tooltip="what every key does"),
        Binding("f1", "help", "help", show=False, tooltip="what every key does, also while writing"),
        Binding("ctrl+c", "copy", "Copy", show=False, tooltip="copy the selected text; never quits"),
        Binding("ctrl+z", "suspend_process", "Suspend", show=False, tooltip="stop until the shell's fg"),
        Binding("ctrl+q", "quit", "Quit", show=False, priority=True, tooltip="quit; drafts are kept"),
    ]

    def __init__(
        self,
        desk: Desk,
        *,
        resume: bool = False,
        mono: bool = False,
        listens: bool = False,
        moments: Moments | None = None,
    ) -> None:
        super().__init__(mono=mono, listens=listens, moments=moments or Moments())
        monotonic = self.moments.monotonic
        self.clerk = Clerk(desk, deliver=self._deliver, asked=self._on_asked, monotonic=monotonic)
        self.keeper = Keeper(
            self.clerk, monotonic=monotonic, later=self.set_timer, failed=self._not_saved, kept=self._saved
        )
        self.session: Session | None = None
        self.trouble = ""
        """What could not be saved, for as long as that lasts."""
        self._goes_on = resume
        self._ui_loop: asyncio.AbstractEventLoop | None = None
        self._watching = self._opening = self._leaving = self._warned = False
        self._doing = "saving"

    def get_default_screen(self) -> Screen[None]:
        return HomeScreen()

    # Start

    def on_mount(self) -> None:
        self._ui_loop = asyncio.get_running_loop()
        self.app_suspend_signal.subscribe(self, lambda _: self._hold("suspend"))
        self.app_resume_signal.subscribe(self, lambda _: self._release("suspend"))
        self.call_after_refresh(self.refresh_home)

    def refresh_home(self) -> None:
        """Fetch what the home screen tells; the first time this opens the files."""
        self.clerk.ask(fetch_home, self._home_came, self._home_failed)

    def _home_came(self, home: Home) -> None:
        first, self.session = self.session is None, home.session
        for screen in self.screen_stack:
            if isinstance(screen, HomeScreen):
                screen.show_home(home)
        if first and self._goes_on and home.draft is not None:
            self.post_message(OpenPuzzle(puzzle_id=home.draft.puzzle_id))

    def _home_failed(self, error: Exception) -> None:
        if self.session is not None:
            self._refused(error)
        elif isinstance(error, ClewError):
            self._words = [crash.message(error)]
            self.exit(return_code=error.exit_code)
        else:
            self._handle_exception(error)

    # Routes

    def on_open_puzzle(self, message: OpenPuzzle) -> None:
        if self._opening or self.session is None:
            return
        self._begin_opening()
        work = partial(fetch_puzzle, complexity=message.complexity, puzzle_id=message.puzzle_id)
        of = "puzzle of this pack" if message.complexity is None else f"puzzle of {length_name(message.complexity)}"
        self.clerk.ask(work, partial(self._item_came, of), self._refused)

    def on_open_task(self, message: OpenTask) -> None:
        if not self._opening and self.session is not None:
            self._begin_opening()
            self.clerk.ask(fetch_task, partial(self._item_came, "writing task of this pack"), self._refused)

    def _begin_opening(self) -> None:
        self._opening, self._doing = True, "opening"

    def _end_opening(self) -> None:
        self._opening, self._doing = False, "saving"

    def _item_came(self, of: str, opened: Opened | OpenedTask | None) -> None:
        self._end_opening()
        if opened is None or self.session is None:
            self._tell(f"all done: every {of} is answered; pick another line")
            return
        screen = self._item_screen(opened, self.session)
        self.keeper.begin(screen.attempt.puzzle_id, screen.attempt.draft)
        self._above_home(screen)
        self.keeper.touch()

    def _item_screen(self, opened: Opened | OpenedTask, session: Session) -> ItemScreen:
        if isinstance(opened, Opened):
            return PuzzleScreen(Attempt(opened, session, self.moments))
        # All but home and puzzle is loaded when first needed, to keep the first paint early.
        from tui.screens.writing import WritingScreen

        return WritingScreen(Writing(opened, session, self.moments))

    def send_answer(self, screen: ItemScreen) -> None:
        """Have the answer committed; the screen stays, with its draft, until it is."""
        self.keeper.flush()
        work = partial(send, answer=screen.attempt.seal())
        self.clerk.ask(work, partial(self._sent, screen), partial(self._not_sent, screen))

    def _sent(self, screen: ItemScreen, sent: Sent) -> None:
        self.keeper.end()
        self._saved()
        self._above_home(screen.outcome(sent))
        if sent.receipt.notice:
            self._tell(sent.receipt.notice)

    def _not_sent(self, screen: ItemScreen, error: Exception) -> None:
        screen.sending = False
        self._not_saved(error, screen.RETRY)

    def on_open_past(self, message: OpenPast) -> None:
        if not self._opening:
            self._begin_opening()
            self.clerk.ask(partial(fetch_told, past=message.past), self._told_came, self._refused)

    def _told_came(self, told: Told | ToldTask) -> None:
        self._end_opening()
        if isinstance(told, ToldTask):
            from tui.screens.verdict import VerdictScreen

            self.push_screen(VerdictScreen(told, self.mode_name()))
        else:
            from tui.screens.feedback import FeedbackScreen

            self.push_screen(FeedbackScreen(told, self.mode_name()))

    def open_history(self) -> None:
        """Show this player's answers."""
        if not self._opening:
            self._begin_opening()
            self.clerk.ask(lambda desk: desk.history(), self._history_came, self._refused)

    def _history_came(self, history: tuple[Past, ...]) -> None:
        from tui.screens.history import HistoryScreen

        self._end_opening()
        self.push_screen(HistoryScreen(history))

    def on_go_home(self, message: GoHome) -> None:
        self.keeper.flush()
        self.keeper.end()
        self._above_home(None)

    def _above_home(self, screen: Screen[None] | None) -> None:
        """Put a screen right above home, instead of all that was there; a cover stays on top."""
        covers = [one for one in self.screen_stack[1:] if isinstance(one, SmallScreen)]
        while len(self.screen_stack) > 1:
            self.pop_screen()
        if screen is not None:
            self.push_screen(screen)
        if covers:
            self.push_screen(SmallScreen())

    # Saving

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
        if waiting >= HELD_S:
            self._tell(f"{self._doing} ... another program holds the file; still trying, nothing is lost", busy=True)
        elif waiting >= SLOW_S:
            self._tell(f"{self._doing} ...", busy=True)
        self.set_timer(WATCH_S, self._watch)

    def _not_saved(self, error: Exception, what_next: str = "tried again by itself") -> None:
        said = self._said(error).removeprefix("Not saved: ")
        # Whoever is leaving must keep seeing how, however often the saving is tried again meanwhile.
        self.trouble = f"not saved: {said} ({LEAVE_WITHOUT if self._leaving else what_next})"
        self._each_frame(self.repeat_trouble)

    def _saved(self) -> None:
        self.trouble = ""
        self._each_frame(lambda screen: screen.silence("trouble"))

    def _refused(self, error: Exception) -> None:
        """Say that something could not be fetched; everything stays as it is."""
        self._end_opening()
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

    def _tell(self, text: str, *, busy: bool = False) -> None:
        self._each_frame(lambda screen: screen.tell(text, "busy" if busy else "hint"))

    def _each_frame(self, act: Callable[[Framed], None]) -> None:
        for screen in self.screen_stack:
            if isinstance(screen, Framed):
                act(screen)

    # What is in sight

    def pause(self) -> None:
        self.push_screen(PauseScreen())

    def on_resize(self, event: events.Resize) -> None:
        small = event.size.width < LEAST_WIDTH or event.size.height < LEAST_HEIGHT
        if small and not isinstance(self.screen, SmallScreen):
            self.push_screen(SmallScreen())
        elif not small and isinstance(self.screen, SmallScreen):
            self.pop_screen()

    def on_app_blur(self) -> None:
        self._hold("blur")

    def on_app_focus(self) -> None:
        self._release("blur")

    def _hold(self, reason: str) -> None:
        for screen in self.screen_stack:
            if isinstance(screen, ItemScreen):
                screen.hold(reason)

    def _release(self, reason: str) -> None:
        for screen in self.screen_stack:
            if isinstance(screen, ItemScreen):
                screen.release(reason)

    # Keys of every screen

    def on_key(self, event: events.Key) -> None:
        if isinstance(self.screen, ItemScreen):
            self.screen.take_late(event)

    def on_paste(self, event: events.Paste) -> None:
        if isinstance(self.screen, ItemScreen):
            self.screen.take_late(event)

    def action_help(self) -> None:
        from tui.screens.help import HelpScreen

        if isinstance(self.screen, Framed) and not isinstance(self.screen, HelpScreen):
            self.push_screen(HelpScreen(list(keys_on(self.screen))))

    def action_copy(self) -> None:
        self._tell("nothing is selected to copy; ctrl+q quits, and keeps your draft")

    def get_system_commands(self, screen: Screen[object]) -> Iterable[SystemCommand]:
        """Yield every action of the screen: palette and keys cannot differ."""
        seen: set[str] = set()
        for key in keys_on(screen):
            binding = key.binding
            if binding.action not in seen and binding.description:
                seen.add(binding.action)
                run = partial(self.run_action, binding.action, default_namespace=key.node)
                yield SystemCommand(binding.description.capitalize(), binding.tooltip, run)
        yield SystemCommand("Theme", "change the colours", self.action_change_theme)

    # Ends

    async def action_quit(self) -> None:
        """Quit once everything is saved; a second time, quit anyway."""
        unsent = any(isinstance(screen, ItemScreen) and screen.attempt.unsent() for screen in self.screen_stack)
        if self._leaving:
            if self.trouble:
                self._words.append(f"{self.trouble.split(' (')[0]}; what you wrote last is lost")
            self.exit(return_code=0)
        elif unsent and not self._warned:
            self._warned = True
            self._tell("your answer is not sent; it is kept as a draft. ctrl+q again quits")
        else:
            self._leaving = True
            self.before_end()
            self.clerk.ask(lambda desk: None, self._all_saved, self._not_saved)

    def _all_saved(self, _: None) -> None:
        if not self.trouble:
            self.exit(return_code=0)
        else:
            self.trouble = f"{self.trouble.split(' (')[0]} ({LEAVE_WITHOUT})"
            self._each_frame(self.repeat_trouble)

    def before_end(self) -> None:
        self.keeper.flush()

    def finish(self, bound_s: float) -> None:
        """After the loop: wait for the last save, at most so long, and remember what to say about it."""
        if not self.clerk.finish(bound_s):
            self._words.append("the last save was not finished: the file is held by another program")
        elif self.clerk.trouble is not None:
            self._words.append(self.record(self.clerk.trouble))

    def mode_name(self) -> str:
        return self.session.mode if self.session is not None else "unknown"
