"""A file of the requests that are no items of a pack: a line before each is sent, a line once it has ended.

    sent     {"request", "key", "sent": time}            on the disk before the request leaves
    ended    {"request", "key", "ended": how, "text"}    `text` where the question is settled by it, if only as empty

A settled question is never asked again: its text is given from the file. A request that was sent and has no end was cut
by a kill; whoever opens the file next marks it `interrupted`. Lines are only ever added, and one torn by a kill is
passed over.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Awaitable, Callable
from pathlib import Path
from types import TracebackType
from typing import Protocol

from engine.canonical import digest
from engine.errors import StoreError
from engine.models.solver import Question

INTERRUPTED = "interrupted"
MODE = 0o600
Ask = Callable[[Question], Awaitable[str]]


class RequestLog(Protocol):
    """Is told of each request for one question."""

    def sent(self, request: str, at: str) -> None:
        """A request is about to leave."""

    def ended(self, request: str, how: str, text: str | None) -> None:
        """A request has ended; with a text, the question is settled."""


class Unlogged:
    """Writes nothing down."""

    def sent(self, request: str, at: str) -> None:
        pass

    def ended(self, request: str, how: str, text: str | None) -> None:
        pass


class Journal:
    """An open journal; use it from one thread."""

    def __init__(self, path: Path) -> None:
        """Open the journal, made now if it is missing, and mark what a kill has cut.

        Raises:
            StoreError: it cannot be read or written, or another program has it open.
        """
        self.path = path
        self._texts: dict[str, str] = {}
        open_requests: dict[str, str] = {}
        try:
            self._file = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT, MODE)
            text = path.read_bytes()
        except OSError as error:
            raise StoreError(f"{path} cannot be written: {error.strerror}; requests are noted there") from error
        self._hold()
        for line in text.splitlines():
            self._read(line, open_requests)
        if text and not text.endswith(b"\n"):
            os.write(self._file, b"\n")
        self.interrupted = len(open_requests)
        for request, key in open_requests.items():
            self._add({"request": request, "key": key, "ended": INTERRUPTED})

    def _hold(self) -> None:
        """Keep others out until this program closes the file or ends: its open requests would look cut to them."""
        try:
            import fcntl
        except ImportError:  # Windows, where nothing here keeps two runs apart
            return
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            self.close()
            raise StoreError(f"{self.path} is in use by another run; wait until it has ended") from error

    def _read(self, line: bytes, open_requests: dict[str, str]) -> None:
        try:
            row = json.loads(line)
            request, key = str(row["request"]), str(row["key"])
        except (ValueError, TypeError, KeyError):
            return
        if "sent" in row:
            open_requests[request] = key
        else:
            open_requests.pop(request, None)
        if isinstance(row.get("text"), str):
            self._texts[key] = row["text"]

    def _add(self, row: dict[str, str]) -> None:
        os.write(self._file, json.dumps(row).encode() + b"\n")
        os.fsync(self._file)

    def asker(self, scope: str, ask: Callable[[Question, RequestLog], Awaitable[str]]) -> Ask:
        """Return what asks all questions of one piece of work, in their order.

        Args:
            scope: names the work and all that decides its answers, besides the questions.
            ask: asks, and tells a log of each request.
        """
        times: Counter[str] = Counter()

        async def asked(question: Question) -> str:
            said = digest([question.prompt_sha, question.mode, question.schema])
            times[said] += 1
            key = digest([scope, said, times[said]])
            kept = self._texts.get(key)
            return await ask(question, _Entry(self, key)) if kept is None else kept

        return asked

    def close(self) -> None:
        os.close(self._file)

    def __enter__(self) -> Journal:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class _Entry:
    """The requests for one question."""

    def __init__(self, journal: Journal, key: str) -> None:
        self._journal = journal
        self._key = key

    def sent(self, request: str, at: str) -> None:
        self._journal._add({"request": request, "key": self._key, "sent": at})

    def ended(self, request: str, how: str, text: str | None) -> None:
        settled = {} if text is None else {"text": text}
        self._journal._add({"request": request, "key": self._key, "ended": how, **settled})
