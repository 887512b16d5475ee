"""Parts of an object that are made on first use and kept."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar

_T = TypeVar("_T")


class kept(Generic[_T]):
    """A part that is made on first use and kept.

    `functools.cached_property` takes a lock in Python 3.11, which costs more than most parts do.
    """

    def __init__(self, make: Callable[[Any], _T]) -> None:
        self._make = make
        self.__doc__ = make.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    def __get__(self, instance: Any, owner: type | None = None) -> _T:
        made = instance.__dict__[self._name] = self._make(instance)
        return made
