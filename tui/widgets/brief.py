"""The brief of a writing task: its exact text, wrapped."""

from __future__ import annotations

from tui.widgets.story import StoryPane


class BriefPane(StoryPane):
    """A story without rows to follow."""

    def __init__(self, text: str, *, id: str) -> None:
        super().__init__(text, (), id=id)
        self.border_title = " brief "
