"""Backoff, the gate and Retry-After: what is waited, how long at most, and who goes first after an outage."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.models.backoff import LONGEST_S, backoff_s, ceiling_s
from engine.models.gate import LONGEST_PROBE_S, MOST_PROBES, Gate, GaveUpError
from engine.models.replies import retry_after, uncached_tokens
from engine.models.solver import Usage
from tests.engine.models.fault_server import FaultServer, VirtualTime, chat, steps

NOW = datetime(2031, 5, 6, 7, 8, 9, tzinfo=UTC)


@given(st.integers(1, 1000), st.text(max_size=20))
def test_backoff_lies_between_nothing_and_its_ceiling(failures: int, key: str) -> None:
    assert 0 <= backoff_s(failures, key) <= ceiling_s(failures) <= LONGEST_S
    assert backoff_s(failures, key) == backoff_s(failures, key)


def test_ceilings_double_up_to_the_longest_and_jitter_is_full() -> None:
    assert [ceiling_s(n) for n in (1, 2, 3, 7, 8, 99)] == [0.5, 1, 2, 30, 30, 30]
    waits = [backoff_s(10, nth) for nth in range(400)]
    assert min(waits) < 1 and max(waits) > 29 and 13 < sum(waits) / 400 < 17


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry-after": "2"}, 2), ({"retry-after": "120"}, 120), ({"retry-after": "0.5"}, 0.5), ({}, None),
        ({"retry-after": " 7 "}, 7), ({"retry-after": "soon"}, None), ({"retry-after": "-3"}, None),
        ({"retry-after": "Tue, 06 May 2031 07:10:09 GMT"}, 120), ({"retry-after": "Mon, 05 May 2031 07:10:09 GMT"}, 0),
        ({"retry-after-ms": "1500", "retry-after": "9"}, 1.5), ({"retry-after": "1" * 400}, None),
    ],
)  # fmt: skip
def test_retry_after_in_all_its_forms(headers: dict[str, str], seconds: float | None) -> None:
    assert retry_after(headers, NOW) == seconds


@given(st.none() | st.integers(0, 10**9), st.none() | st.integers(0, 10**9))
def test_uncached_tokens_are_never_negative_and_unknown_stays_unknown(prompt: int | None, cached: int | None) -> None:
    found = uncached_tokens(Usage(prompt=prompt, cached=cached))
    assert (found is None) == (prompt is None) and (found is None or 0 <= found <= (prompt or 0))
    assert uncached_tokens(None) is None


def clock() -> VirtualTime:
    return VirtualTime(FaultServer(steps(chat())))


def test_probes_come_after_5_10_20_40_60_seconds_and_one_success_opens() -> None:
    async def go() -> list[float]:
        time = clock()
        gate = Gate(time, window=2)
        waits = []
        for _ in range(2):
            assert await gate.pass_through() == 0
            gate.failed()
        for _ in range(6):
            assert gate.is_down
            waits.append(await gate.pass_through())
            gate.failed()
        await gate.pass_through()
        gate.succeeded()
        assert not gate.is_down and await gate.pass_through() == 0
        return waits

    assert asyncio.run(go()) == [5, 10, 20, 40, LONGEST_PROBE_S, LONGEST_PROBE_S]


def test_one_success_among_failures_keeps_the_gate_open() -> None:
    async def go() -> None:
        gate = Gate(clock(), window=3)
        for _ in range(10):
            gate.failed(), gate.failed(), gate.succeeded()
            assert not gate.is_down

    asyncio.run(go())


def test_only_one_goes_through_while_the_endpoint_is_down() -> None:
    async def go() -> tuple[int, int]:
        gate, through = Gate(clock(), window=1), []
        gate.failed()

        async def enter(nth: int) -> None:
            await gate.pass_through()
            through.append(nth)

        tasks = [asyncio.create_task(enter(nth)) for nth in range(5)]
        for _ in range(500):
            await asyncio.sleep(0)
        alone = len(through)
        gate.succeeded()
        await asyncio.gather(*tasks)
        return alone, len(through)

    assert asyncio.run(go()) == (1, 5)


def test_an_endpoint_that_stays_away_is_given_up() -> None:
    async def go() -> None:
        gate = Gate(clock(), window=1)
        gate.failed()
        for _ in range(MOST_PROBES):
            await gate.pass_through()
            gate.failed()
        with pytest.raises(GaveUpError, match=f"{MOST_PROBES} probes"):
            await gate.pass_through()

    asyncio.run(go())


def test_a_pause_holds_everybody_until_its_end() -> None:
    async def go() -> list[float]:
        time = clock()
        gate = Gate(time, window=1)
        gate.pause(30), gate.pause(10)
        return [await gate.pass_through(), await gate.pass_through(), time.now]

    assert asyncio.run(go()) == [30, 0, 1030]


def test_a_probe_that_is_cancelled_lets_another_go() -> None:
    async def go() -> None:
        gate = Gate(clock(), window=1)
        gate.failed()
        await gate.pass_through()
        gate.left()
        await asyncio.wait_for(gate.pass_through(), 5)

    asyncio.run(go())
