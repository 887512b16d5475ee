"""The app: a router between screens, with the clerk and the keeper. It computes nothing and opens no file of a pack.

All data come through the desk of `engine.public`, in the clerk's thread; nothing is asked of the desk before the
first paint. Texts of others reach widgets only as `Content` or `Text`, and every line passes the gate.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from typing import ClassVar, TypeVar

from textual import events
from textual.app import SystemCommand
from textual.binding import Binding, BindingType
from textual.screen import Screen

from engine.errors import ClewError, ConflictError
from engine.public import Answer, Desk, Past, Session
from tui import crash
from tui.aside import Aside
from tui.attempt import Attempt, Opened
from tui.config import Config
from tui.courses import Course
from tui.errands import (
    Home,
    Left,
    Sent,
    Told,
    ToldTask,
    fetch_done,
    fetch_home,
    fetch_left,
    fetch_puzzle,
    fetch_task,
    fetch_told,
    send,
)
from tui.keys import Key, key_names, keys_on
from tui.leading import Leading
from tui.messages import GoHome, OpenPast, OpenPuzzle, OpenTask
from tui.moments import Moments
from tui.screens.home import HomeScreen
from tui.screens.item import LONG_S, ItemScreen
from tui.screens.puzzle import PuzzleScreen
from tui.stack import Cover, Stack
from tui.wording import length_name
from tui.writing import OpenedTask, Writing

Result = TypeVar("Result")
ELSEWHERE = "this one was answered in another window meanwhile: that answer stays, yours is not stored; pick the next"


class ClewApp(Stack):
    """Routes; screens decide."""

    CSS_PATH = Path(__file__).with_name("app.tcss")
    TITLE = "clew"
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (110, "-wide")]  # noqa: RUF012  # Textual declares no class variable
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("question_mark", "help", "help", key_display="?", tooltip="what every key does"),
        Binding("f1", "help", "help", show=False, tooltip="what every key does, also while writing"),
        Binding("ctrl+g", "tip", "next hint", show=False, tooltip="show the next hint of a first item"),
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
        config: Config | None = None,
        code: str = "",
    ) -> None:
        self.config = config or Config()
        super().__init__(desk, mono=mono, listens=listens, moments=moments or Moments(), theme=self.config.theme)
        self.aside = Aside(self)
        self.leading = Leading(self)
        self._goes_on, self._code = resume, code
        self._opening = resume
        self._held: list[events.Event] = []
        """What was typed while a screen was opening; it is meant for that screen."""

    def get_default_screen(self) -> Screen[None]:
        return HomeScreen(passed=self._goes_on)

    # Start

    def on_mount(self) -> None:
        self.call_after_refresh(self._begin)

    def _begin(self) -> None:
        """Go on with what was left, or else show home; the first errand opens the files."""
        if self._goes_on:
            self._begin_opening()
            self.clerk.ask(fetch_left, self._left_came, self._left_failed)
        else:
            self.refresh_home()

    def _left_came(self, left: Left) -> None:
        if left.item is None:
            self._end_opening()
            self.refresh_home()
        else:
            self.session = left.session
            self._item_came("item of this pack", left.item)

    def _left_failed(self, error: Exception) -> None:
        """Show home instead; where not even that can be opened, its own errand ends the app."""
        self.refresh_home()
        self._refused(error)

    def refresh_home(self) -> None:
        """Fetch what the home screen tells."""
        self.clerk.ask(partial(fetch_home, players=self.config.players), self._home_came, self._home_failed)

    def _home_came(self, home: Home) -> None:
        first, self.session = self.session is None, home.session
        for screen in self.screen_stack:
            if isinstance(screen, HomeScreen):
                screen.show_home(home)
        if self.leading.leads:
            if first:
                self.leading.lead()
        elif first and self._code:
            self.aside.code(self._code)

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
        if self.leading.leads:
            self.leading.lead()
            return
        if self.aside.climbing and message.puzzle_id is None:
            self.aside.ladder()
            return
        self._begin_opening()
        work = partial(fetch_puzzle, complexity=message.complexity, puzzle_id=message.puzzle_id)
        of = "puzzle of this pack" if message.complexity is None else f"puzzle of {length_name(message.complexity)}"
        self.clerk.ask(work, partial(self._item_came, of), self._refused)

    def on_open_task(self, message: OpenTask) -> None:
        if self.leading.leads:
            self.leading.lead()
        elif not self._opening and self.session is not None:
            self._begin_opening()
            work = partial(fetch_task, kind=message.kind)
            self.clerk.ask(work, partial(self._item_came, "writing task of this pack"), self._refused)

    def _begin_opening(self) -> None:
        self._opening, self._doing = True, "opening"

    def _end_opening(self) -> None:
        self._opening, self._doing = False, "saving"
        if self._held:
            self.call_after_refresh(self._type_held)

    def _item_came(self, of: str, opened: Opened | OpenedTask | None) -> None:
        self._end_opening()
        if self.session is None:
            return
        if opened is None:
            self.clerk.ask(fetch_done, partial(self._done_came, of), self._refused)
            return
        screen = self._item_screen(opened, self.session)
        self.keep(screen.attempt)
        self.put_above_home(screen)
        self.keeper.touch()

    def _done_came(self, of: str, courses: tuple[Course, ...]) -> None:
        from tui.screens.done import DoneScreen

        if self.session is not None:
            self.put_above_home(DoneScreen(of, courses, self.session))

    def _item_screen(self, opened: Opened | OpenedTask, session: Session) -> ItemScreen:
        if isinstance(opened, Opened):
            return self._screen_of(Attempt(opened, session, self.moments))
        return self._screen_of(Writing(opened, session, self.moments))

    def _screen_of(self, attempt: Attempt | Writing) -> ItemScreen:
        if isinstance(attempt, Attempt):
            return PuzzleScreen(attempt)
        # All but home and puzzle is loaded when first needed, to keep the first paint early.
        from tui.screens.writing import WritingScreen

        return WritingScreen(attempt)

    def send_answer(self, screen: ItemScreen, answer: Answer) -> None:
        """Have an answer committed; the screen stays, with its draft, until it is."""
        screen.attempt.sent = answer
        self.keeper.note("answer", f"{answer.answer or 'text'} {answer.confidence or answer.reason or ''}".strip())
        self.keeper.note("focus_reports", "yes" if self._focus_reports else "no")
        self.keeper.flush()
        self.clerk.ask(partial(send, answer=answer), partial(self._sent, screen), partial(self._not_sent, screen))

    def _sent(self, screen: ItemScreen, sent: Sent) -> None:
        self.keeper.end(answered=True)
        self._saved()
        outcome = screen.outcome(sent)
        if isinstance(outcome, ItemScreen):
            self.keep(outcome.attempt)
        self.put_above_home(outcome)
        if sent.receipt.notice:
            self._tell(sent.receipt.notice)

    def _not_sent(self, screen: ItemScreen, error: Exception) -> None:
        screen.sending = False
        if isinstance(error, ConflictError):
            self._answered_elsewhere(screen)
        else:
            self._not_saved(error, screen.RETRY)

    def _answered_elsewhere(self, screen: ItemScreen) -> None:
        """Go on after another window has answered this item: that answer stands, and sending again changes nothing."""
        sent = screen.attempt.sent
        self.keeper.note("not_taken", "" if sent is None else sent.raw or f"{sent.answer} {sent.confidence}")
        self.keeper.end(answered=True)
        self._saved()
        self.put_above_home(None)
        if self.leading.leads:
            self.leading.lead()
        self.refresh_home()
        self._tell(ELSEWHERE, seconds=LONG_S)

    def revise(self, attempt: Attempt | Writing) -> None:
        """Open an item again whose answer was just stored, to give it another one."""
        attempt.revise()
        self.keep(attempt)
        self.put_above_home(self._screen_of(attempt))

    def _refused(self, error: Exception) -> None:
        """Say that something could not be fetched; everything stays as it is."""
        self._held.clear()
        self._end_opening()
        self.not_possible(error)

    def on_open_past(self, message: OpenPast) -> None:
        if not self._opening:
            self._begin_opening()
            self.clerk.ask(partial(fetch_told, past=message.past), self._told_came, self._refused)

    def _told_came(self, told: Told | ToldTask) -> None:
        self._end_opening()
        if isinstance(told, ToldTask):
            from tui.screens.verdict import VerdictScreen

            self.put_on_top(VerdictScreen(told, self.mode_name()))
        else:
            from tui.screens.feedback import FeedbackScreen

            self.put_on_top(FeedbackScreen(told, self.mode_name()))

    def open_history(self) -> None:
        """Show this player's answers."""
        if not self._opening:
            self._begin_opening()
            self.clerk.ask(lambda desk: desk.history(), self._history_came, self._refused)

    def _history_came(self, history: tuple[Past, ...]) -> None:
        from tui.screens.history import HistoryScreen

        self._end_opening()
        self.put_on_top(HistoryScreen(history))

    def fetch(self, work: Callable[[Desk], Result], came: Callable[[Result], None]) -> None:
        """Have something fetched that opens a screen; one at a time."""

        def arrived(result: Result) -> None:
            self._end_opening()
            came(result)

        if not self._opening and self.session is not None:
            self._begin_opening()
            self.clerk.ask(work, arrived, self._refused)

    def show_found(self, of: str, found: Opened | OpenedTask | Told | ToldTask | None) -> None:
        """Show an item to work on, or what became of it; `of` names what there is none of."""
        if isinstance(found, Told | ToldTask):
            self._told_came(found)
        else:
            self._item_came(of, found)

    def families(self) -> tuple[str, ...]:
        """Return the families that home shows, as the introduction names them."""
        homes = [screen for screen in self.screen_stack if isinstance(screen, HomeScreen)]
        return homes[0].families() if homes else ()

    def on_go_home(self, message: GoHome) -> None:
        self.aside.climbing = False
        self.keeper.flush()
        self.keeper.end()
        self.put_above_home(None)
        if self.leading.leads:
            self.leading.rest()

    def above_home(self, screen: Screen[None]) -> None:
        """Put a screen right above home, with nothing unsent left behind."""
        self.keeper.flush()
        self.keeper.end()
        self.put_above_home(screen)

    # Keys of every screen

    async def on_event(self, event: events.Event) -> None:
        typed = isinstance(event, events.Paste) or (isinstance(event, events.Key) and event.is_printable)
        if self._opening and typed and not event.is_forwarded:
            self._held.append(event)
        else:
            await super().on_event(event)

    def _type_held(self) -> None:
        """Give the screen that came what was typed before it was there."""
        held, self._held = self._held, []
        for event in held:
            self.post_message(event)

    def on_key(self, event: events.Key) -> None:
        if isinstance(self.screen, ItemScreen):
            self.screen.take_late(event)

    def on_paste(self, event: events.Paste) -> None:
        if isinstance(self.screen, ItemScreen):
            self.screen.take_late(event)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Offer hints only where there are some."""
        return self.aside.guides if action == "tip" else super().check_action(action, parameters)

    def action_tip(self) -> None:
        self.aside.tip()

    def action_help(self) -> None:
        from tui.screens.help import HelpScreen

        if not isinstance(self.screen, HelpScreen | Cover):
            self.push_screen(HelpScreen(list(keys_on(self.screen))))

    def get_system_commands(self, screen: Screen[object]) -> Iterable[SystemCommand]:
        """Yield every action of the screen: palette and keys cannot differ."""
        alike: dict[tuple[str, str], list[Key]] = {}
        for key in keys_on(screen):
            binding = key.binding
            if binding.description and (binding.action != "copy" or self.may_copy()):
                alike.setdefault((binding.action, binding.description), []).append(key)
        for (action, description), keys in alike.items():
            names = " ".join(dict.fromkeys(key_names(key, self) for key in keys))
            run = partial(self.run_action, action, default_namespace=keys[0].node)
            yield SystemCommand(description.capitalize(), f"{names}: {keys[0].binding.tooltip}", run)
        if self.may_copy():
            # Once the palette, from which it is asked for, is gone.
            take = partial(self.call_after_refresh, self.take_picture)
            yield SystemCommand("Picture", "keep what is shown as a picture in a file", take)
        yield SystemCommand("Theme", "change the colours", self.action_change_theme)
