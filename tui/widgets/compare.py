"""Pinned rows side by side: the share and range of each on one axis, then what is the same and what differs."""

from __future__ import annotations

from collections.abc import Iterator

from rich.cells import cell_len, set_cell_size
from textual.app import RenderResult
from textual.content import Content
from textual.geometry import Size
from textual.widget import Widget

from tui.attempt import Attempt
from tui.comparing import axis, comparison
from tui.wording import share_text
from tui.wrapping import wrapped

AXIS = 14
"""Cells of the axis where room is short."""
WIDEST_AXIS = 41
NUMBER, AROUND, LEAST_STEPS = 5, 14, 8
"""Cells of a row's number, of all that stands around steps and axis, and fewest for the steps."""
TITLE = " compare "


class ComparePane(Widget):
    """Up to three rows; which ones, the attempt knows."""

    ALLOW_SELECT = False

    def __init__(self, attempt: Attempt, *, id: str) -> None:
        super().__init__(id=id)
        self._attempt = attempt
        self.border_title = "compare (up to 3 on one 0..1 axis)"

    def on_mount(self) -> None:
        self.show()

    def show(self) -> None:
        """Draw what is pinned now."""
        self.set_class(not self._attempt.board.pins, "-empty")
        self.refresh(layout=True)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        return max(len(list(self._lines(width))), 1)

    def render(self) -> RenderResult:
        return Content("\n").join(list(self._lines(self.size.width)))

    def _lines(self, width: int) -> Iterator[Content]:
        rows, words = self._attempt.pinned(), self._attempt.words
        boxed = bool(self.styles.border_top[0])
        if not rows:
            yield Content.styled(f"{'' if boxed else TITLE} space pins a row", "$muted")
            return
        margin = 0 if boxed else len(TITLE)
        most = max(width - margin - AROUND - AXIS, LEAST_STEPS)
        told = [words.steps(row) for row in rows]
        if max(map(cell_len, told)) > most:
            told = [words.short_steps(row) for row in rows]
        steps = min(max(map(cell_len, told)), most)
        room = width - steps - AROUND - margin
        for nth, row in enumerate(rows):
            number = set_cell_size("" if boxed or nth else TITLE, margin)
            yield Content.assemble(
                (number, "$muted"), (f"{row.nth:>4} ", "bold"),
                Content(told[nth]).truncate(steps, ellipsis=True, pad=True),
                f"  {share_text(row.present / row.trials):>3} ",
                (axis(row, min(max(room, AXIS), WIDEST_AXIS)), "$primary"),
            )  # fmt: skip
        said = "; ".join(comparison(rows, words)) or "pin another row to compare"
        for line in wrapped(said, width - margin - NUMBER):
            yield Content.styled(" " * (margin + NUMBER) + line, "$muted")
