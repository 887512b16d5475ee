"""Secrets to look for in bytes, in every form in which they could have been written.

Forms: raw UTF-8, JSON-escaped, base64 at its three offsets, hex in both cases, UTF-16 in both orders. Not found:
what is compressed, split or rounded. A secret shorter than twelve bytes occurs by chance and is not looked for.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np

SHORTEST = 12
"""Bytes of a secret that is looked for in files of any kind; a token has 32."""
WINDOW = 8
"""Bytes by which candidates are found; every form is at least this long."""
FORMS = ("raw", "json", "base64", "hex", "HEX", "utf-16-le", "utf-16-be")


class Secret(NamedTuple):
    """A text that must not leave."""

    label: str
    """What it is, such as `salt`; names no puzzle."""
    text: str


class Found(NamedTuple):
    """A secret in some bytes."""

    label: str
    form: str


def forms(text: str) -> Iterator[tuple[str, bytes]]:
    """Yield the bytes of a secret in each form, with the form's name."""
    raw = text.encode()
    yield "raw", raw
    for escaped in {json.dumps(text)[1:-1], json.dumps(json.dumps(text))[3:-3]} - {text}:
        yield "json", escaped.encode()
    for shift in range(3):
        # Only what does not depend on the neighbours: whole groups of three bytes.
        whole = raw[(3 - shift) % 3 :]
        yield "base64", base64.b64encode(whole[: len(whole) // 3 * 3])
    yield "hex", raw.hex().encode()
    yield "HEX", raw.hex().upper().encode()
    yield "utf-16-le", text.encode("utf-16-le")
    yield "utf-16-be", text.encode("utf-16-be")


class Needles:
    """All forms of many secrets, found in one pass over the bytes."""

    def __init__(self, secrets: Iterable[Secret], *, shortest: int = SHORTEST) -> None:
        self._by_window: dict[int, list[tuple[bytes, Found]]] = {}
        self.count = 0
        for secret in secrets:
            if len(secret.text.encode()) < shortest:
                continue
            self.count += 1
            for form, needle in forms(secret.text):
                key = int.from_bytes(needle[:WINDOW], "little")
                self._by_window.setdefault(key, []).append((needle, Found(secret.label, form)))
        self._windows = np.array(sorted(self._by_window), dtype=np.uint64)

    def found(self, data: bytes) -> list[Found]:
        """Return each label and form that occurs in the bytes, once, sorted."""
        hits = set()
        for offset in range(WINDOW if len(self._windows) else 0):
            usable = (len(data) - offset) // WINDOW
            if usable <= 0:
                break
            words = np.frombuffer(data, dtype="<u8", count=usable, offset=offset)
            for at in np.flatnonzero(np.isin(words, self._windows)):
                start = offset + WINDOW * int(at)
                for needle, told in self._by_window[int(words[at])]:
                    if data.startswith(needle, start):
                        hits.add(told)
        return sorted(hits)


def every_file(folder: Path) -> Iterator[Path]:
    """Yield all regular files under a folder, hidden ones too, in the order of their names."""
    yield from sorted(path for path in folder.rglob("*") if path.is_file() and not path.is_symlink())
