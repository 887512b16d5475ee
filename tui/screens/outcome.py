"""What the screens share that tell what became of an item: its code, by which others can play it too."""

from __future__ import annotations

from abc import abstractmethod

from textual.binding import Binding

from tui.screens.frame import Pausing

SHARE = Binding("y", "share", "share", tooltip="copy the code by which others can play this one too")
"""For the end of a screen's own bindings."""


class OutcomeScreen(Pausing):
    """A screen about one item that was answered."""

    @property
    @abstractmethod
    def puzzle_id(self) -> str:
        """The item."""

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Offer sharing only where the players' part is."""
        return self.clew.aside.open_to_players if action == "share" else True

    def action_share(self) -> None:
        self.clew.aside.share(self.puzzle_id)
