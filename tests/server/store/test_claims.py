"""What is due: everybody may claim it, one has it, and it comes back when they do not do it."""

from __future__ import annotations

import asyncio
import random
from pathlib import Path

import asyncpg
import pytest

from tests.server.store.tools import append, opened
from tilerummy.server.store import Claimed, Store, StoreError, timer_changes

pytestmark = pytest.mark.anyio

LONG = 600_000


async def test_what_is_due_can_be_claimed_once(store: Store) -> None:
    now = store.now()
    due = [("turn", 7, now - 20), ("idle", 0, now - 30), ("next", 1, now + LONG)]
    await opened(store, "room", timers_set=due)
    assert await store.claim(10, LONG) == [
        ("room", "idle", 0, now - 30),
        ("room", "turn", 7, now - 20),
    ]
    assert await store.claim(10, LONG) == []


async def test_the_oldest_come_first_and_no_more_than_wanted(store: Store) -> None:
    now = store.now()
    for number in (3, 1, 2):
        await opened(store, f"room {number}", timers_set=[("turn", 1, now - 100 + number)])
    assert [claimed.room for claimed in await store.claim(2, LONG)] == ["room 1", "room 2"]
    assert [claimed.room for claimed in await store.claim(2, LONG)] == ["room 3"]


async def test_only_wanted_kinds_are_claimed(store: Store) -> None:
    await opened(store, "room", timers_set=[("turn", 1, 5), ("bot", 1, 4), ("idle", 0, 3)])
    claimed = await store.claim(10, LONG, ["turn", "idle"])
    assert [item.kind for item in claimed] == ["idle", "turn"]
    assert [item.kind for item in await store.claim(10, LONG)] == ["bot"]
    assert await store.claim(10, LONG, []) == []


async def test_a_claim_comes_back_after_its_lease(store: Store) -> None:
    await opened(store, "room", timers_set=[("turn", 1, 5)])
    assert await store.claim(1, LONG) == [("room", "turn", 1, 5)]
    assert await store.claim(1, LONG) == []
    await opened(store, "other", timers_set=[("turn", 1, 5)])
    assert await store.claim(1, 50) == [("other", "turn", 1, 5)]
    end = await store.next_timer()
    assert end is not None
    await asyncio.sleep(max(0, end - store.now() + 5) / 1_000)
    assert await store.claim(1, LONG) == [("other", "turn", 1, 5)]


async def test_claims_of_a_process_that_died_do_not_last_where_it_was_the_only_one(
    tmp_path: Path,
) -> None:
    url = f"sqlite:///{tmp_path}/store.db"
    store = await Store.connect(url)
    await opened(store, "room", timers_set=[("turn", 1, 5)])
    assert await store.claim(1, LONG) == [("room", "turn", 1, 5)]
    await store.close()
    store = await Store.connect(url)
    assert await store.claim(1, LONG) == [("room", "turn", 1, 5)]
    await store.close()


async def test_next_due_is_the_next_moment_or_the_end_of_a_lease(store: Store) -> None:
    assert await store.next_timer() is None
    now = store.now()
    await opened(store, "room", timers_set=[("turn", 1, now - 5), ("idle", 0, now + 2 * LONG)])
    assert await store.next_timer() == now - 5
    await store.claim(1, LONG)
    end = await store.next_timer()
    assert end is not None
    assert now + LONG - 1_000 < end < now + LONG + 10_000
    await store.append(append("room", 1, timers_removed=[("turn", 1)]))
    assert await store.next_timer() == now + 2 * LONG


async def test_an_append_removes_and_replaces_what_is_due(store: Store) -> None:
    await opened(store, "room", "other", timers_set=[("turn", 1, 5), ("idle", 0, 9)])
    await store.claim(10, LONG)
    changed = append(
        "room", 1, timers_removed=[("turn", 1)], timers_set=[("turn", 2, 6), ("idle", 0, 10)]
    )
    await store.append(changed)
    assert await store.claim(10, LONG) == [("room", "turn", 2, 6), ("room", "idle", 0, 10)]


async def test_the_changes_between_what_is_due_are_all_that_an_append_needs(store: Store) -> None:
    before = [("turn", 1, 5), ("idle", 0, 9), ("grace", 2, 8)]
    after = [("turn", 2, 6), ("idle", 0, 12), ("grace", 2, 8)]
    changed, gone = timer_changes(before, after)
    assert changed == [("idle", 0, 12), ("turn", 2, 6)]
    assert gone == [("turn", 1)]
    await opened(store, "room", timers_set=before)
    await store.append(append("room", 1, timers_set=changed, timers_removed=gone))
    claimed = await store.claim(10, LONG)
    assert [(item.kind, item.key, item.at) for item in claimed] == sorted(after, key=lambda d: d[2])


async def test_nothing_is_set_and_removed_at_once(store: Store) -> None:
    await opened(store, "room", timers_set=[("turn", 1, 5)])
    with pytest.raises(StoreError, match="not both"):
        await store.append(
            append("room", 1, timers_set=[("turn", 1, 6)], timers_removed=[("turn", 1)])
        )


async def test_one_who_knows_what_is_due_claims_just_that(store: Store) -> None:
    await opened(store, "room", timers_set=[("turn", 1, 5), ("turn", 2, 5)])
    assert await store.claim_one("room", "turn", 1, LONG)
    assert not await store.claim_one("room", "turn", 1, LONG)
    assert not await store.claim_one("room", "turn", 3, LONG)
    assert not await store.claim_one("nobody", "turn", 1, LONG)
    assert [item.key for item in await store.claim(10, LONG)] == [2]
    assert not await store.claim_one("room", "turn", 2, LONG)


async def test_one_whose_clock_is_ahead_may_claim_too(store: Store) -> None:
    soon = store.now() + LONG
    await opened(store, "room", timers_set=[("turn", 1, soon)])
    assert await store.claim_one("room", "turn", 1, 2 * LONG)
    assert not await store.claim_one("room", "turn", 1, LONG)


async def test_claims_of_one_moment_are_written_together(store: Store) -> None:
    keys = range(30)
    await opened(store, "room", timers_set=[("turn", key, 5) for key in keys])
    done = await asyncio.gather(
        *(store.claim_one("room", "turn", key, LONG) for key in [*keys, *keys])
    )
    assert done == [True] * 30 + [False] * 30
    assert store.grouped_claims.batches == 2


async def test_nothing_is_claimed_twice(url: str, store: Store) -> None:
    """Many claim at once; on PostgreSQL, two processes."""
    now = store.now()
    rooms = [f"room {number}" for number in range(40)]
    for room in rooms:
        await opened(store, room, timers_set=[("turn", key, now - key) for key in range(5)])
    is_postgres = url.startswith("postgresql")
    stores = [store, await Store.connect(url)] if is_postgres else [store]
    taken: list[tuple[str, int]] = []

    async def take(own: Store) -> None:
        while claimed := await own.claim(7, LONG):
            taken.extend((item.room, item.key) for item in claimed)

    async def take_known(own: Store) -> None:
        for room in rooms:
            if await own.claim_one(room, "turn", 3, LONG):
                taken.append((room, 3))

    await asyncio.gather(*(job(own) for own in stores for job in (take, take, take_known)))
    assert sorted(taken) == sorted((room, key) for room in rooms for key in range(5))
    for other in stores[1:]:
        await other.close()


async def test_a_moment_can_be_put_off_without_an_event(store: Store) -> None:
    now = store.now()
    await opened(store, "room", timers_set=[("here", 1, now - 5)])
    await store.postpone([Claimed("room", "here", 1, now + LONG)])
    assert await store.claim(10, LONG) == []
    await store.postpone([Claimed("room", "here", 1, now - 1), Claimed("room", "here", 2, now - 2)])
    assert await store.claim(10, LONG) == [("room", "here", 1, now - 1)], "and nothing else"
    await store.postpone([])


async def test_putting_off_waits_for_nobody_and_lets_nobody_wait_for_ever(
    postgres_url: str,
) -> None:
    """An append has what is due in one room, and wants that of another, which is being put off."""
    store = await Store.connect(postgres_url)
    now = store.now()
    await opened(store, "one", "two", timers_set=[("here", 0, now + 1)])
    append_ = await asyncpg.connect(postgres_url)
    async with append_.transaction(), asyncio.timeout(60):
        await append_.execute("UPDATE due SET at = 7, free_at = 7 WHERE room = 'two'")
        moments = [Claimed(room, "here", 0, now + LONG) for room in ("one", "two")]
        putting_off = asyncio.create_task(store.postpone(moments))
        await asyncio.wait([putting_off], timeout=1)
        await append_.execute("UPDATE due SET at = 8, free_at = 8 WHERE room = 'one'")
        await putting_off
    claimed = await store.claim(10, LONG)
    assert [item.at for item in claimed] == [7, 8], "who appends knows better"
    await append_.close()
    await store.close()


async def test_two_nodes_put_off_what_they_append_to_in_any_order(postgres_url: str) -> None:
    stores = [await Store.connect(postgres_url) for _ in range(2)]
    now = stores[0].now()
    rooms = [f"room {number}" for number in range(30)]
    keys = range(4)
    await opened(stores[0], *rooms, timers_set=[("here", key, now + LONG) for key in keys])
    rng = random.Random(3)

    async def put_off(store: Store) -> None:
        for _ in range(25):
            moments = [Claimed(room, "here", key, now + LONG) for room in rooms for key in keys]
            rng.shuffle(moments)
            await store.postpone(moments)

    async def change(store: Store) -> None:
        for version in range(1, 26):
            here = rng.sample(keys, 2)
            gone = [("here", key) for key in keys if key not in here]
            due = [("here", key, now + LONG) for key in here]
            some = rng.sample(rooms, len(rooms))
            await asyncio.gather(
                *[
                    store.append(append(room, version, timers_set=due, timers_removed=gone))
                    for room in some
                ]
            )

    async with asyncio.timeout(60):
        await asyncio.gather(change(stores[0]), *map(put_off, stores))
    for store in stores:
        await store.close()


async def test_what_somebody_is_just_claiming_is_left_to_them(postgres_url: str) -> None:
    stores = [await Store.connect(postgres_url, timeout=30) for _ in range(2)]
    await opened(stores[0], "room", timers_set=[("turn", 1, 5)])
    other = await asyncpg.connect(postgres_url)
    async with other.transaction():
        await other.execute("SELECT * FROM due FOR UPDATE")
        for store in stores:
            assert await store.claim(1, LONG) == []
            assert not await store.claim_one("room", "turn", 1, LONG)
    await other.close()
    claimed = await asyncio.gather(*(store.claim(1, LONG) for store in stores))
    assert sum(map(len, claimed)) == 1
    for store in stores:
        await store.close()
