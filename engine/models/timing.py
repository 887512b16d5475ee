"""Time as the runner sees it: passed in, so that tests let an hour go by at once."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable
from typing import Protocol, TypeVar

Result = TypeVar("Result")


class Time(Protocol):
    """A clock that can be waited on."""

    def monotonic(self) -> float:
        """Return seconds since some moment."""

    def utc(self) -> str:
        """Return the time of now in UTC, ISO 8601 with milliseconds and Z."""

    def local(self, seconds_from_now: float) -> str:
        """Return the time of day after some seconds as a person reads it, such as `14:05`."""

    async def sleep(self, seconds: float) -> None:
        """Wait."""

    async def within(self, work: Awaitable[Result], seconds: float) -> Result:
        """Return what the work returns, or cancel it.

        Raises:
            TimeoutError: it took longer.
        """


class RealTime:
    """The time of this machine."""

    def monotonic(self) -> float:
        return time.monotonic()

    def utc(self) -> str:
        moment = time.time()
        whole = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(moment))
        return f"{whole}.{int(moment % 1 * 1000):03d}Z"

    def local(self, seconds_from_now: float) -> str:
        return time.strftime("%H:%M", time.localtime(time.time() + seconds_from_now))

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)

    async def within(self, work: Awaitable[Result], seconds: float) -> Result:
        return await asyncio.wait_for(work, seconds)
