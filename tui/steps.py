"""A value with all its earlier and later states: undo and redo without a limit."""

from __future__ import annotations

from typing import Generic, TypeVar

Value = TypeVar("Value")


class Steps(Generic[Value]):
    """Holds a value that is replaced as a whole."""

    def __init__(self, value: Value) -> None:
        self.value = value
        self._before: list[Value] = []
        self._after: list[Value] = []

    def put(self, value: Value) -> bool:
        """Take a new value; return whether it is another one."""
        if value == self.value:
            return False
        self._before.append(self.value)
        self._after.clear()
        self.value = value
        return True

    def undo(self) -> bool:
        """Go one step back; return whether there was one."""
        return self._step(self._before, self._after)

    def redo(self) -> bool:
        """Go one step forward; return whether there was one."""
        return self._step(self._after, self._before)

    def _step(self, source: list[Value], target: list[Value]) -> bool:
        if not source:
            return False
        target.append(self.value)
        self.value = source.pop()
        return True
