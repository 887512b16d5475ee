"""The base of all values that hold a secret: printing one shows its type, and it cannot be copied or pickled away."""

from __future__ import annotations

from typing import NoReturn, SupportsIndex


class Private:
    """A value whose repr names its type only, so that no log or traceback line can spell a secret."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f"<{type(self).__name__}>"

    def __reduce_ex__(self, protocol: SupportsIndex) -> NoReturn:
        raise TypeError(f"{type(self).__name__} holds a secret; it is neither pickled nor copied")
