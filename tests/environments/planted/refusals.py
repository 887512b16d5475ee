"""Arguments that must be refused, and what is said about them."""

from __future__ import annotations

from collections.abc import Callable

ILLEGAL = (
    {"mode": "nope"}, {"K": 2}, {"K": 17}, {"burial_depth": 4}, {"split": "dev"}, {"num_examples": 0},
    {"seed": -1}, {"k": 5},
)  # fmt: skip


def refusals(load: Callable[..., object]) -> list[tuple[str, object, str]]:
    """Return name, value and message for every illegal argument; the message is empty if it was accepted."""
    told = []
    for arguments in ILLEGAL:
        ((name, value),) = arguments.items()
        try:
            load(**arguments)
        except Exception as error:
            told.append((name, value, str(error)))
        else:
            told.append((name, value, ""))
    return told
