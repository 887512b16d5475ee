"""A plain Textual app of clew's kind, which `opening.py` measures clew against; it needs nothing of clew."""

from __future__ import annotations

from typing import ClassVar

from textual.app import App, ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.widgets import DataTable, Footer, Header, Markdown, TextArea

TEXT = "# all is here\n\nA pump that *sometimes* runs.\n\n- one line a trial\n"
COLUMNS = ("nr", "order", "heat", "size", "runs", "trials")


class Plain(App[None]):
    """One screen: a header, a table of a hundred rows, a text, a field to write in, a footer."""

    CSS = "DataTable, Vertical { width: 1fr; } Markdown, TextArea { height: 1fr; }"
    BINDINGS: ClassVar[list[BindingType]] = [("s", "sort", "sort")]
    up = False

    def compose(self) -> ComposeResult:
        yield Header()
        with Horizontal():
            yield DataTable(cursor_type="row")
            with Vertical():
                yield Markdown(TEXT)
                yield TextArea("a note")
        yield Footer()

    def on_mount(self) -> None:
        table = self.query_one(DataTable)
        for name in COLUMNS:
            table.add_column(name, key=name)
        for n in range(100):
            table.add_row(str(n), f"turn, press {n % 7}", str(n % 5), str(n % 3), str(n % 49), "48")
        table.focus()

    def action_sort(self) -> None:
        """Sort the rows by how many runs they tell of, the other way round each time."""
        self.up = not self.up
        self.query_one(DataTable).sort("runs", key=int, reverse=self.up)


if __name__ == "__main__":
    Plain().run()
