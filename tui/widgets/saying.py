"""A text that changes: what `Static` is, except that its height is always that of the text it has now."""

from __future__ import annotations

from textual.visual import VisualType
from textual.widgets import Static


class Saying(Static):
    """Shows what is told, without markup of its own.

    Textual counts changes to know which heights it may keep, but counts none while a layout is waiting: a text that
    changes after that layout has measured it, and before the widget hears of it, would keep the height of the one
    before.
    """

    def __init__(self, content: VisualType = "", *, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(content, markup=False, id=id, classes=classes)

    def update(self, content: VisualType = "", *, layout: bool = True) -> None:
        if layout:
            self._layout_updates += 1
        super().update(content, layout=layout)
