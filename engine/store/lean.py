"""Loads sqlite-utils without NumPy, which it imports only to know the types of arrays; clew stores none.

NumPy would cost the app a quarter of its memory and a tenth of a second. Generation, which needs it, loads it later.
"""

from __future__ import annotations

import sys
from importlib import import_module


def load_sqlite_utils() -> None:
    """Import sqlite-utils, keeping NumPy out unless it is loaded already. Call it from one thread only."""
    if "numpy" in sys.modules or "sqlite_utils" in sys.modules:
        import_module("sqlite_utils")
        return
    # None makes `import numpy` fail the way a missing package does, which sqlite-utils is made for.
    sys.modules["numpy"] = None  # type: ignore[assignment]  # as said: no module
    try:
        import_module("sqlite_utils")
    finally:
        del sys.modules["numpy"]
