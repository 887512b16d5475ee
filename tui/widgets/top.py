"""The top line, where one is, and the banner below it, which is there only when there is something to say."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal, NamedTuple

from textual import events
from textual.content import Content
from textual.style import Style
from textual.timer import Timer
from textual.widgets import Static

from tui.shown import shown_cell
from tui.widgets.saying import Saying


class Link(NamedTuple):
    """An action that can be clicked in the top line."""

    key: str
    name: str
    action: str


Kind = Literal["hint", "busy", "trouble"]
HINT_S = 4.0
_MARKS: dict[Kind, str] = {"hint": "-", "busy": "~", "trouble": "!"}


class TopLine(Static):
    """Names the app, the place in it, the clock, and at its right end what is always at hand on the screen."""

    ALLOW_SELECT = False

    def __init__(self, links: Sequence[Link] = (), *, badge: Callable[[], str] = str) -> None:
        """Make it; `badge` says what stands before the place on every screen."""
        super().__init__(markup=False)
        self._badge = badge
        self._right = ""
        self._ways: tuple[str, ...] = ("",)
        self._links = tuple(links)
        self._said: Content | None = None
        self._timer: Timer | None = None

    def show(self, place: str, right: str = "", *, extra: str = "", shorter: tuple[str, ...] = ()) -> None:
        """Show where one is; texts are already fit for a line.

        Args:
            extra: said besides where all of that has room.
            shorter: ways to say the place, each shorter than the one before, of which the first that fits is taken.
        """
        ways = (*([f"{place}  {extra}"] if extra else []), place, *shorter)
        if (ways, right) != (self._ways, self._right):
            self._ways, self._right = ways, right
            self._write()

    def say(self, text: Content, seconds: float) -> bool:
        """Say something in the place's stead for so long, and return whether it has room; nothing below it moves."""
        fits = text.cell_length <= self._room(self._end())
        if fits:
            self.hush()
            self._said, self._timer = text, self.set_timer(seconds, self.hush)
            self._write()
        return fits

    def hush(self) -> None:
        """Show the place again."""
        if self._timer is not None:
            self._timer.stop()
            self._said = self._timer = None
            self._write()

    def on_resize(self) -> None:
        self._write()

    def _end(self) -> Content:
        links = Content("  ").join(
            [
                Content.assemble((link.key, "bold $footer-key-foreground"), " ", link.name).stylize(
                    Style.from_meta({"link": link.action})
                )
                for link in self._links
            ]
        )
        return Content.assemble((self._right, "$muted"), " ", links, " ") if self._links else Content(self._right)

    def _room(self, end: Content) -> int:
        return max(self.size.width - 8 - end.cell_length, 0)

    def _write(self) -> None:
        end = self._end()
        room = self._room(end)
        badge = self._badge()
        ways = [self._said] if self._said else [Content(f"{badge}  {way}" if badge else way) for way in self._ways]
        place = next((way for way in ways if way.cell_length <= room), ways[-1]).truncate(room, ellipsis=True, pad=True)
        self.update(Content.assemble((" clew ", "bold $primary"), " ", place, end), layout=False)

    async def on_click(self, event: events.Click) -> None:
        if isinstance(action := event.style.meta.get("link"), str):
            await self.screen.run_action(action)


class Banner(Saying):
    """Says what cannot wait: a hint, a slow disk, a failed save.

    A hint with room in the top line is said there: to come and to go, a line of its own moves all that one may be about
    to click.
    """

    def __init__(self, top: TopLine) -> None:
        super().__init__()
        self._top = top
        self.kind: Kind | None = None
        self._timer: Timer | None = None

    def tell(self, text: str, kind: Kind, seconds: float = HINT_S) -> None:
        """Say something; a hint goes by itself after a while, trouble stays over all else."""
        said = Content(f"{_MARKS[kind]} {shown_cell(text)}")
        if kind == "hint" and self._top.say(said, seconds):
            return
        # What waits is said over and over, so that it comes back by itself.
        if (kind != "trouble" and self.kind == "trouble") or (kind == "busy" and self.kind == "hint"):
            return
        self._stop_timer()
        self.kind = kind
        self.update(Content.assemble(" ", said))
        self.set_classes(f"-{kind}")
        if kind == "hint":
            self._timer = self.set_timer(seconds, self.silence)

    def silence(self, kind: Kind | None = None) -> None:
        """Say nothing any more; with a kind, only if that is what is being said."""
        if kind in (None, "hint"):
            self._top.hush()
        if kind is None or kind == self.kind:
            self._stop_timer()
            self.kind = None
            self.set_classes("")

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.stop()
            self._timer = None
