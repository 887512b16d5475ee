"""The gate before an endpoint: closed while it asks us to wait, and while it is down.

    pause      a Retry-After: nobody sends before its end
    breaker    every request of a window failed by connection or server error: one probe after 5, 10, 20 ... 60 s, and
               all go on when a probe succeeds. Without it, an outage of seconds uses up the tries of every item.

Waiting at the gate costs an item nothing of its own deadline.
"""

from __future__ import annotations

import asyncio

from engine.models.timing import Time

FIRST_PROBE_S, LONGEST_PROBE_S = 5.0, 60.0
MOST_PROBES = 20
"""Probes in a row that may fail before the run gives up; about a quarter of an hour."""


class GaveUpError(Exception):
    """The endpoint stayed away for too long."""


class Gate:
    """Lets requests through to one endpoint."""

    def __init__(self, time: Time, window: int) -> None:
        """Make an open gate.

        Args:
            window: how many requests in a row must fail to close it: as many as are in flight at once.
        """
        self._time = time
        self._window = window
        self._failures = 0
        self._paused_until = 0.0
        self._probes = 0
        """Failed probes since the breaker opened; the next one waits twice as long."""
        self._probing = False
        self._changed = asyncio.Event()

    @property
    def is_down(self) -> bool:
        """Whether the breaker is open: the endpoint is taken to be down."""
        return self._failures >= self._window

    @property
    def probe_delay_s(self) -> float:
        """Seconds to wait before the next probe."""
        return float(min(LONGEST_PROBE_S, FIRST_PROBE_S * 2**self._probes))

    def pause(self, seconds: float) -> None:
        """Keep everybody back for some time from now on."""
        self._paused_until = max(self._paused_until, self._time.monotonic() + seconds)

    async def pass_through(self) -> float:
        """Wait until a request may be sent; return how long that took in seconds.

        Raises:
            GaveUpError: too many probes failed.
        """
        since = self._time.monotonic()
        while True:
            if (left := self._paused_until - self._time.monotonic()) > 0:
                await self._time.sleep(left)  # until the time that the endpoint named
            elif not self.is_down:
                break
            elif self._probing:
                await self._changed.wait()
            else:
                await self._become_probe()
                break
        return self._time.monotonic() - since

    async def _become_probe(self) -> None:
        if self._probes >= MOST_PROBES:
            raise GaveUpError(f"the endpoint was down for {self._probes} probes in a row")
        self._probing = True
        try:
            await self._time.sleep(self.probe_delay_s)  # a downed endpoint is asked once in so long
        except BaseException:
            self._end_probe()
            raise

    def succeeded(self) -> None:
        """Take note that the endpoint answered, be it with an error of the request."""
        self._failures = self._probes = 0
        self._end_probe()

    def failed(self) -> None:
        """Take note of a connection error or a server error."""
        self._failures += 1
        if self._probing:
            self._probes += 1
        self._end_probe()

    def left(self) -> None:
        """Take note that a request ended without saying anything about the endpoint, as a cancelled one does."""
        self._end_probe()

    def _end_probe(self) -> None:
        self._probing = False
        self._changed.set()
        self._changed = asyncio.Event()
