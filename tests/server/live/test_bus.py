"""The bus: a wake-up that may get lost, and that must never be in the way."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from typing import Any

import pytest
from redis.asyncio import Redis as Client

from tests.server.buses import DroppingBus
from tests.services import Redis
from tilerummy.server.live import redis_bus as redisbus
from tilerummy.server.live.bus import Bus, Changes, LocalBus, SeatRef, bus_of
from tilerummy.server.live.redis_bus import CHANNEL, RedisBus

pytestmark = pytest.mark.anyio


class Ear:
    """Records the messages of a bus."""

    def __init__(self, bus: Bus) -> None:
        self.heard: list[Changes] = []
        self.end = bus.subscribe(self.heard.append)

    @property
    def rooms(self) -> dict[str, int]:
        return {room: version for heard in self.heard if heard for room, version in heard.items()}

    @property
    def anything(self) -> int:
        """How often anything may have changed."""
        return self.heard.count(None)


PATIENCE = 60.0


async def until(true: Callable[[], bool]) -> None:
    async with asyncio.timeout(PATIENCE):
        while not true():
            await asyncio.sleep(0.005)


def ends_at_once(work: Coroutine[Any, Any, None]) -> bool:
    """Run a coroutine up to its first wait, and say whether it needed none."""
    try:
        work.send(None)
    except StopIteration:
        return True
    work.close()
    return False


@asynccontextmanager
async def running(*buses: Bus) -> AsyncIterator[None]:
    for bus in buses:
        await bus.start()
    try:
        await until(lambda: all(bus.health.up for bus in buses))
        yield
    finally:
        for bus in buses:
            await bus.close()


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Everything that takes time takes less of it."""
    monkeypatch.setattr(redisbus, "HEARTBEAT", 0.1)
    monkeypatch.setattr(redisbus, "SILENCE", 0.5)
    monkeypatch.setattr(redisbus, "PATIENCE", 0.5)
    monkeypatch.setattr(redisbus, "LONGEST_DELAY", 0.1)


# In one process


async def test_nodes_on_a_line_wake_each_other_but_not_themselves() -> None:
    one = LocalBus()
    two = LocalBus(one)
    alone = LocalBus()
    ears = [Ear(bus) for bus in (one, two, alone)]
    async with running(one, two, alone):
        await one.publish("room", 7)
        await asyncio.sleep(0)
    assert [ear.heard for ear in ears] == [[], [{"room": 7}], []]
    assert (one.health.published, two.health.received) == (1, 1)


async def test_a_closed_node_hears_nothing_and_a_listener_that_left_neither() -> None:
    one = LocalBus()
    two = LocalBus(one)
    three = LocalBus(two)
    gone, ear = Ear(two), Ear(three)
    async with running(one, two, three):
        gone.end()
        gone.end()  # again does nothing
        await three.close()
        await one.publish("room", 7)
        await asyncio.sleep(0)
    assert gone.heard == ear.heard == []


async def test_a_listener_that_fails_does_not_stop_the_others(
    caplog: pytest.LogCaptureFixture,
) -> None:
    one = LocalBus()
    two = LocalBus(one)

    def fail(changes: Changes) -> None:
        raise RuntimeError("not today")

    two.subscribe(fail)
    ear = Ear(two)
    async with running(one, two):
        await one.publish("room", 7)
        await asyncio.sleep(0)
    assert ear.rooms == {"room": 7}
    assert "not today" in caplog.text


async def test_the_url_chooses_the_bus() -> None:
    assert isinstance(bus_of(None), LocalBus)
    assert isinstance(bus_of("rediss://example.org"), RedisBus)


@pytest.mark.parametrize("url", ["amqp://user:hidden@example.org", "user:hidden", "/var/redis"])
async def test_an_unknown_url_is_refused_without_repeating_its_secrets(url: str) -> None:
    with pytest.raises(ValueError, match="give the URL of a Redis") as refusal:
        bus_of(url)
    assert "hidden" not in str(refusal.value)


async def test_the_dropping_bus_of_the_tests_is_a_bus() -> None:
    bus: Bus = DroppingBus()
    ear = Ear(bus)
    await bus.publish("room", 1)
    await asyncio.sleep(0)
    assert ear.heard == []
    assert bus.health.dropped == 1


async def test_nodes_on_a_line_tell_each_other_of_drafts() -> None:
    one = LocalBus()
    two = LocalBus(one)
    heard: list[list[SeatRef]] = []
    for bus in (one, two):
        bus.subscribe_drafts(heard.append)
    async with running(one, two):
        await one.publish_draft(SeatRef("room", 2))
        await asyncio.sleep(0)
    assert heard == [[("room", 2)]]


# Through Redis


async def test_nodes_tell_each_other_of_drafts_through_redis(redis: Redis) -> None:
    one, two = RedisBus(redis.url), RedisBus(redis.url)
    heard: list[list[SeatRef]] = []
    for bus in (one, two):
        bus.subscribe_drafts(heard.append)
    async with running(one, two):
        for _ in range(50):
            await one.publish_draft(SeatRef("room", 2))
        await until(lambda: bool(heard))
        await one.publish_draft(SeatRef("room", 3))
        await one.publish("room", 7)
        await until(lambda: len(heard) == 2)
        assert heard == [[("room", 2)], [("room", 3)]]
        for room in range(2000):
            await one.publish_draft(SeatRef(f"room {room}", 0))
        await until(lambda: len(heard) == 3)
        assert len(heard[2]) == redisbus.LARGEST_BATCH, "the others are dropped"
        assert one.health.dropped == 0


async def test_drafts_wait_for_no_redis(quick: None) -> None:
    bus = RedisBus("redis://127.0.0.1:1/0")
    await bus.start()
    for seat in range(1000):
        await bus.publish_draft(SeatRef("room", seat))
    await until(lambda: not bus._drafts)
    assert bus.health.dropped == 0, "nobody has to look for them"
    await bus.close()


async def test_nodes_wake_each_other_through_redis(redis: Redis) -> None:
    one, two = RedisBus(redis.url), RedisBus(redis.url)
    ears = [Ear(one), Ear(two)]
    async with running(one, two):
        await one.publish("room", 7)
        await until(lambda: bool(ears[1].rooms))
        await two.publish("other", 9)
        await until(lambda: bool(ears[0].rooms))
    assert [ear.rooms for ear in ears] == [{"other": 9}, {"room": 7}]


async def test_a_node_that_joins_looks_at_once(redis: Redis) -> None:
    bus = RedisBus(redis.url)
    ear = Ear(bus)
    async with running(bus):
        assert ear.heard == [None]


async def test_a_node_measures_the_lag_by_its_own_messages(redis: Redis) -> None:
    bus = RedisBus(redis.url)
    async with running(bus):
        await bus.publish("room", 1)
        await until(lambda: bus.health.lag > 0)
        assert bus.health.lag < 5
        assert bus.health.received == 0


async def test_many_changes_become_few_messages(redis: Redis) -> None:
    one, two = RedisBus(redis.url), RedisBus(redis.url)
    ear = Ear(two)
    async with running(one, two):
        for version in range(1, 101):
            for room in range(100):
                await one.publish(f"room {room}", version)
        await until(lambda: len(ear.rooms) == 100)
    assert ear.rooms == {f"room {room}": 100 for room in range(100)}
    assert len(ear.heard) < 10


async def test_a_crowd_of_rooms_is_sent_in_portions(redis: Redis) -> None:
    one, two = RedisBus(redis.url), RedisBus(redis.url)
    ear = Ear(two)
    async with running(one, two):
        for room in range(2000):
            await one.publish(f"room {room}", 1)
        await until(lambda: len(ear.rooms) == 2000)
    assert max(len(heard) for heard in ear.heard if heard) == redisbus.LARGEST_BATCH


async def test_an_older_version_never_replaces_a_newer_one(redis: Redis) -> None:
    one, two = RedisBus(redis.url), RedisBus(redis.url)
    ear = Ear(two)
    async with running(one, two):
        await one.publish("room", 9)
        await one.publish("room", 8)
        await until(lambda: bool(ear.rooms))
    assert ear.rooms == {"room": 9}


async def test_what_waits_is_sent_before_the_end(redis: Redis) -> None:
    one, two = RedisBus(redis.url), RedisBus(redis.url)
    ear = Ear(two)
    async with running(two):
        async with running(one):
            await one.publish("room", 7)
        await until(lambda: ear.rooms == {"room": 7})


async def test_strange_messages_are_ignored(redis: Redis) -> None:
    one, two = RedisBus(redis.url), RedisBus(redis.url)
    ear = Ear(two)
    async with running(one, two), Client.from_url(redis.url) as stranger:
        for junk in (b"", b"\xff", b"hello", b"\x93\x01\x02\x03"):
            await stranger.publish(CHANNEL, junk)
        await one.publish("room", 7)
        await until(lambda: bool(ear.rooms))
    assert ear.rooms == {"room": 7}


async def test_publishing_without_redis_neither_raises_nor_waits(quick: None) -> None:
    bus = RedisBus("redis://127.0.0.1:1/0")
    await bus.start()
    for version in range(1000):
        assert ends_at_once(bus.publish("room", version))
    await until(lambda: bus.health.dropped > 0)
    assert not bus.health.up
    assert bus.health.published == 0
    await bus.close()
    await bus.close()  # again does nothing


async def test_what_is_too_much_is_dropped_and_everybody_is_asked_to_look(
    redis: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(redisbus, "MOST_WAITING", 10)
    one, two = RedisBus(redis.url), RedisBus(redis.url)
    ear = Ear(two)
    async with running(one, two):
        for room in range(25):
            await one.publish(f"room {room}", 1)
        assert one.health.waiting == 10
        assert one.health.dropped == 15
        await until(lambda: ear.anything == 2)


async def test_a_restart_in_mid_stream(redis: Redis, quick: None) -> None:
    one, two = RedisBus(redis.url), RedisBus(redis.url)
    ears = [Ear(one), Ear(two)]
    async with running(one, two):
        version = 0

        async def stream() -> None:
            nonlocal version
            while True:
                version += 1
                await one.publish("room", version)
                await asyncio.sleep(0.002)

        streaming = asyncio.create_task(stream())
        await until(lambda: bool(ears[1].rooms))
        for end in (redis.kill, redis.stop):
            before = [ear.anything for ear in ears]
            await asyncio.to_thread(end)
            await until(lambda: not one.health.up and not two.health.up)
            lag = one.health.lag
            await until(lambda lag=lag: one.health.lag > lag)  # type: ignore[misc]
            await asyncio.to_thread(redis.start)
            await until(lambda: one.health.up and two.health.up)
            assert all(ear.anything > was for ear, was in zip(ears, before, strict=True))
            known = version
            await until(lambda known=known: ears[1].rooms["room"] > known)  # type: ignore[misc]
        assert not streaming.done()
        streaming.cancel()
        last = version
        await until(lambda: ears[1].rooms["room"] == last)
        assert one.health.dropped > 0


async def test_messages_that_were_lost_make_the_others_look(redis: Redis, quick: None) -> None:
    """Even those who were connected again before the message was lost."""
    one, two = RedisBus(redis.url), RedisBus(redis.url)
    ear = Ear(two)
    async with running(one, two):
        known = ear.anything
        one._drop(1)
        await until(lambda: ear.anything == known + 1)


async def test_a_redis_that_hangs_counts_as_down(redis: Redis, quick: None) -> None:
    bus = RedisBus(redis.url)
    ear = Ear(bus)
    async with running(bus):
        assert redis.process
        os.kill(redis.process.pid, signal.SIGSTOP)
        try:
            assert ends_at_once(bus.publish("room", 1))
            await until(lambda: not bus.health.up)
        finally:
            os.kill(redis.process.pid, signal.SIGCONT)
        await until(lambda: bus.health.up)
        assert ear.anything == 2


async def test_the_log_tells_once_that_the_bus_is_down(
    redis: Redis, quick: None, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    caplog.set_level(logging.INFO, "tilerummy")
    bus = RedisBus(redis.url)
    failed = 0
    pause = bus._pause

    async def counted(delay: float) -> float:
        nonlocal failed
        failed += 1
        return await pause(delay)

    monkeypatch.setattr(bus, "_pause", counted)
    async with running(bus):
        await asyncio.to_thread(redis.kill)
        await until(lambda: not bus.health.up and failed >= 3)
        await asyncio.to_thread(redis.start)
        await until(lambda: bus.health.up)
    levels = [record.levelname for record in caplog.records if "the bus is" in record.message]
    assert levels == ["INFO", "WARNING", "INFO"]
    assert redis.secret not in caplog.text
