"""Who may play: a link for each participant, used once, and the cookie that it is swapped for.

Secrets are 128 random bits. They are given out once and only their digests are kept, so that neither a log nor an
error could tell one.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from hashlib import sha256

SECRET_BYTES = 16


class Links:
    """Tokens not yet used, and cookies in force, of the participants of one run of the server."""

    def __init__(self, names: Iterable[str]) -> None:
        """Draw a token for each participant; `tokens` hands them out."""
        self._tokens: dict[bytes, str] = {}
        self._cookies: dict[bytes, str] = {}
        self._names = tuple(names)

    def tokens(self) -> dict[str, str]:
        """Return a fresh token for each participant, by name; those of an earlier call are void."""
        drawn = {name: secrets.token_urlsafe(SECRET_BYTES) for name in self._names}
        self._tokens = {_digest(token): name for name, token in drawn.items()}
        return drawn

    def swap(self, token: str) -> str | None:
        """Return a cookie for a token, which is used by that; None for one that is unknown or used."""
        name = self._tokens.pop(_digest(token), None)
        if name is None:
            return None
        cookie = secrets.token_urlsafe(SECRET_BYTES)
        self._cookies[_digest(cookie)] = name
        return cookie

    def holder(self, cookie: str | None) -> str | None:
        """Return the participant whom a cookie was given to."""
        return self._cookies.get(_digest(cookie)) if cookie else None


def _digest(secret: str) -> bytes:
    return sha256(secret.encode("utf-8", "replace")).digest()
