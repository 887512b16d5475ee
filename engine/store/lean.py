"""Loads sqlite-utils without what it needs for other things than clew does with it.

NumPy it imports only to know the types of arrays, and clew stores none: it would cost the app a quarter of its memory
and a tenth of a second. A parser of dates, which is for its own command line, would be another twentieth of a second;
it loads itself should anybody ask for it.
"""

from __future__ import annotations

import sys
from importlib import import_module
from threading import RLock
from types import ModuleType
from typing import Any

DATES = "dateutil.parser"
_LOADING = RLock()


class _Late(ModuleType):
    """Stands for a module in whoever imported it, and asks the real one for all that it is asked.

    Unlike `importlib.util.LazyLoader` it never turns into the module: the import system's own lock sees to it that two
    threads that ask at once load it once, and both wait until all of it is there.
    """

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):  # What the import system asks of every module; the stand-in has none.
            raise AttributeError(name)
        with _LOADING:  # Other threads wait until sqlite-utils is loaded; what it asks for itself is loaded at once.
            if sys.modules.get(self.__name__) is self:
                del sys.modules[self.__name__]
        return getattr(import_module(self.__name__), name)


def load_sqlite_utils() -> None:
    """Import sqlite-utils, keeping out what is not loaded already; from any thread.

    While it loads, an `import numpy` of another thread would fail: the app's other thread has none.
    """
    with _LOADING:
        if "sqlite_utils" in sys.modules:
            return
        standing_in: dict[str, ModuleType | None] = {}
        # None makes `import numpy` fail the way a missing package does, which sqlite-utils is made for.
        for name, instead in (("numpy", None), (DATES, _Late(DATES))):
            if name not in sys.modules:
                standing_in[name] = instead
        sys.modules.update(standing_in)  # type: ignore[arg-type]  # as said: no module
        try:
            import_module("sqlite_utils")
        finally:
            for name, stand_in in standing_in.items():
                if sys.modules.get(name) is stand_in:
                    sys.modules.pop(name, None)
