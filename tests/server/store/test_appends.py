"""Appending: each version of a room has one successor, and what was acknowledged is there."""

from __future__ import annotations

import asyncio
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from tests.server.store.tools import LISTING, append, event, opened, places, until_ready
from tests.services import Postgres
from tilerummy.server.store import (
    Append,
    CodeTaken,
    ListedRoom,
    Loaded,
    Store,
    StoreError,
    Unavailable,
    Unknown,
)
from tilerummy.server.store.database import Database
from tilerummy.server.store.opening import open_database

pytestmark = pytest.mark.anyio


async def test_a_new_room_is_found_and_loaded(store: Store) -> None:
    await store.create("CODE", append("room", 0, 3), edition="classic", public=False)
    assert await store.room_of("CODE") == "room"
    assert await store.room_of("code") is None
    loaded = await store.load("room")
    assert loaded == Loaded(0, None, [event(1), event(2), event(3)])
    assert loaded.version == 3
    assert await store.load("other") is None


async def test_a_code_names_one_room(store: Store) -> None:
    await store.create("CODE", append("room", 0), edition="classic", public=False)
    with pytest.raises(CodeTaken, match="CODE"):
        await store.create("CODE", append("other", 0), edition="classic", public=False)
    assert await store.load("other") is None
    with pytest.raises(StoreError):
        await store.create("OTHER", append("room", 0), edition="classic", public=False)
    assert await store.room_of("OTHER") is None


async def test_events_follow_each_other(store: Store) -> None:
    await opened(store, "room", "other")
    assert await store.append(append("room", 1, 2))
    assert await store.append(append("room", 3))
    assert await store.events("room") == [event(seq) for seq in (1, 2, 3, 4)]
    assert places(await store.events("room", 2)) == [3, 4]
    assert places(await store.events("room", 1, 3)) == [2, 3]
    assert await store.events("other") == [event(1)]
    assert await store.versions(["room", "other", "nobody"]) == {"room": 4, "other": 1}


async def test_news_of_many_rooms_is_read_at_once(store: Store) -> None:
    await opened(store, "room", "other")
    await store.append(append("room", 1, 3))
    wanted = [("room", 2), ("other", 0), ("nobody", 0), ("room", 3), ("other", 1)]
    found = await asyncio.gather(*[store.news(*each) for each in wanted])
    assert found == [[event(3), event(4)], [event(1)], [], [event(4)], []]


async def test_many_versions_are_asked_for_at_once(store: Store) -> None:
    await opened(store, "room")
    wanted = [f"room {number}" for number in range(2_500)] + ["room"]
    assert await store.versions(wanted) == {"room": 1}
    assert await store.versions([]) == {}


async def test_an_append_to_another_version_stores_nothing(store: Store) -> None:
    await opened(store, "room", timers_set=[("idle", 0, 10)])
    late = append("room", 0, timers_set=[("turn", 1, 5)], snapshot=b"wrong")
    assert not await store.append(late)
    early = append("room", 2, timers_removed=[("idle", 0)])
    assert not await store.append(early)
    assert not await store.append(append("nobody", 0))
    assert await store.load("room") == (0, None, [event(1)])
    assert await store.next_timer() == 10


@pytest.mark.parametrize("seqs", [[], [1], [3], [2, 4], [3, 2]])
async def test_events_have_the_places_after_the_version(seqs: list[int], store: Store) -> None:
    await opened(store, "room")
    with pytest.raises(StoreError, match="numbered from 2"):
        await store.append(Append("room", 1, [event(seq) for seq in seqs], LISTING))
    assert await store.versions(["room"]) == {"room": 1}


async def test_a_snapshot_stands_for_the_events_before_it(store: Store) -> None:
    await opened(store, "room")
    await store.append(append("room", 1, 2, snapshot=b"after three"))
    await store.append(append("room", 3))
    assert await store.load("room") == (3, b"after three", [event(4)])
    await store.append(append("room", 4, snapshot=b"after five"))
    loaded = await store.load("room")
    assert loaded == Loaded(5, b"after five", [])
    assert loaded.version == 5
    assert places(await store.events("room")) == [1, 2, 3, 4, 5]


async def test_listed_rooms_are_public_and_open(store: Store) -> None:
    await opened(store, "old", "new", "busy", "closed")
    await store.create("secret", append("secret", 0), edition="classic", public=False)
    await store.append(append("busy", 1, listing=LISTING._replace(phase="playing", free=0)))
    await store.append(append("closed", 1, listing=LISTING._replace(closed_at=2_000)))
    listed = await store.public_rooms(10)
    assert {room.id for room in listed} == {"old", "new", "busy"}
    assert listed[2] == ListedRoom("busy", "busy", "playing", 1, 0, 1, "classic", 1_001, 1_000)
    assert len(await store.public_rooms(2)) == 2


async def test_the_list_has_one_room_per_host_with_somebody_here(store: Store) -> None:
    await opened(store, "empty", "pair", "crowd", "again", "other")
    for room, here, host in [
        ("empty", 0, "ann"),
        ("pair", 2, "bo"),
        ("crowd", 3, "cy"),
        ("again", 1, "cy"),
        ("other", 1, "di"),
    ]:
        await store.append(append(room, 1, listing=LISTING._replace(here=here, host=host)))
    assert [room.id for room in await store.public_rooms(10)] == ["crowd", "pair", "other"]
    assert [room.here for room in await store.public_rooms(10)] == [3, 2, 1]
    assert await store.hosted_rooms("cy") == 2
    assert await store.hosted_rooms("nobody") == 0
    await store.append(append("again", 2, listing=LISTING._replace(closed_at=2_000, host=None)))
    assert await store.hosted_rooms("cy") == 1


async def test_appends_that_wait_at_the_same_moment_share_a_transaction(store: Store) -> None:
    rooms = [f"room {number}" for number in range(50)]
    await opened(store, *rooms)
    for version in (1, 2, 3):
        done = await asyncio.gather(*(store.append(append(room, version)) for room in rooms))
        assert done == [True] * 50
    assert (store.grouped_appends.items, store.grouped_appends.batches) == (150, 3)


async def test_while_a_batch_is_written_the_next_gathers(store: Store) -> None:
    rooms = [f"room {number}" for number in range(50)]
    await opened(store, *rooms)
    first = asyncio.create_task(store.append(append(rooms[0], 1)))
    await asyncio.sleep(0)
    done = await asyncio.gather(first, *(store.append(append(room, 1)) for room in rooms[1:]))
    assert done == [True] * 50
    assert store.grouped_appends.batches == 2


async def test_appends_to_one_room_at_the_same_moment_are_taken_in_turn(store: Store) -> None:
    await opened(store, "room")
    done = await asyncio.gather(
        store.append(append("room", 1, text="first")),
        store.append(append("room", 1, text="second")),
        store.append(append("room", 2, text="third")),
    )
    assert list(done) == [True, False, True]
    assert await store.events("room", 1) == [event(2, "first"), event(3, "third")]


@pytest.mark.parametrize(
    "bad",
    [
        {"cause": "\ud800"},
        {"at": 2**80},
        {"data": None},
        {"cause": object()},
    ],
    ids=["no text", "no moment", "nothing", "no value"],
)
async def test_garbage_in_a_batch_hurts_only_itself(bad: dict[str, object], store: Store) -> None:
    rooms = [f"room {number}" for number in range(10)]
    await opened(store, *rooms)
    garbage = Append("room 5", 1, [event(2)._replace(**bad)], LISTING)  # type: ignore[arg-type]
    good = [append(room, 1) for room in rooms if room != "room 5"]
    *done, failed = await asyncio.gather(
        *map(store.append, [*good, garbage]), return_exceptions=True
    )
    assert done == [True] * 9
    assert isinstance(failed, StoreError)
    versions = await store.versions(rooms)
    assert versions.pop("room 5") == 1
    assert set(versions.values()) == {2}
    assert await store.append(append("room 5", 1))


async def test_a_caller_that_goes_away_before_the_write_leaves_nothing(store: Store) -> None:
    await opened(store, "room", "other")
    first = asyncio.create_task(store.append(append("other", 1)))
    await asyncio.sleep(0)  # the first batch is on its way
    second = asyncio.create_task(store.append(append("room", 1)))
    await asyncio.sleep(0)
    second.cancel()
    assert await first
    assert await store.append(append("room", 1, text="again"))
    assert await store.events("room", 1) == [event(2, "again")]


async def test_closing_lets_what_waits_be_written(url: str) -> None:
    store = await Store.connect(url)
    await opened(store, "room", "other")
    waiting = [asyncio.create_task(store.append(append(room, 1))) for room in ("room", "other")]
    await asyncio.sleep(0)
    await store.close()
    assert await asyncio.gather(*waiting) == [True, True]
    store = await Store.connect(url)
    assert await store.versions(["room", "other"]) == {"room": 2, "other": 2}
    await store.close()


async def test_of_two_processes_one_wins_each_version(postgres_url: str) -> None:
    """Both always try the same versions of the same rooms, in opposite orders."""
    one, two = [await Store.connect(postgres_url) for _ in range(2)]
    rooms = [f"room {number}" for number in range(20)]
    await opened(one, *rooms)
    for version in range(1, 11):
        first, second = await asyncio.gather(
            asyncio.gather(*(one.append(append(room, version, text="one")) for room in rooms)),
            asyncio.gather(
                *(two.append(append(room, version, text="two")) for room in reversed(rooms))
            ),
        )
        for room, by_one, by_two in zip(rooms, first, reversed(second), strict=True):
            assert by_one != by_two
            text = "one" if by_one else "two"
            assert await one.events(room, version) == [event(version + 1, text)]
    for store in (one, two):
        # More would mean that they had to be torn apart, and tried one by one.
        assert store.grouped_appends.batches == 10
        await store.close()


async def test_both_processes_win_where_their_rooms_differ(postgres_url: str) -> None:
    stores = [await Store.connect(postgres_url) for _ in range(2)]
    rooms = [f"room {number}" for number in range(40)]
    await opened(stores[0], *rooms)
    for version in (1, 2, 3):
        done = await asyncio.gather(
            *(stores[number % 2].append(append(room, version)) for number, room in enumerate(rooms))
        )
        assert done == [True] * 40
    for store in stores:
        await store.close()


WRITER = """
import asyncio, sys
from tests.server.store.tools import append, opened
from tilerummy.server.store import Store

async def play(store, room):
    for version in range(1, 1_000_000):
        assert await store.append(append(room, version, timers_set=[("turn", version, version)]))
        print(room, version + 1, flush=True)

async def main():
    store = await Store.connect(sys.argv[1])
    rooms = [f"room-{number}" for number in range(20)]
    await opened(store, *rooms)
    await asyncio.gather(*(play(store, room) for room in rooms))

asyncio.run(main())
"""


async def test_what_was_acknowledged_outlives_a_killed_process(url: str) -> None:
    """A child appends and reports what is stored, until it is killed."""
    acknowledged: dict[str, int] = {}
    with subprocess.Popen(
        [sys.executable, "-c", WRITER, url],
        stdout=subprocess.PIPE,
        text=True,
        cwd=Path(__file__).parents[3],
    ) as writer:
        assert writer.stdout is not None
        for number, line in enumerate(writer.stdout):
            if number == 1_000:
                writer.send_signal(signal.SIGKILL)
            if line.endswith("\n"):  # the last one may be cut off
                room, version = line.split()
                acknowledged[room] = int(version)
    assert len(acknowledged) == 20
    store = await Store.connect(url)
    for room, least in acknowledged.items():
        stored = places(await store.events(room))
        assert len(stored) >= least
        assert stored == list(range(1, len(stored) + 1))
        assert await store.versions([room]) == {room: len(stored)}
    await store.close()


async def test_without_its_database_nothing_is_said_to_be_stored(
    postgres: Postgres, postgres_url: str
) -> None:
    store = await Store.connect(postgres_url)
    rooms = [f"room {number}" for number in range(10)]
    await opened(store, *rooms)
    postgres.stop()
    await until_ready(store, False)
    done = await asyncio.gather(
        *(store.append(append(room, 1)) for room in rooms), return_exceptions=True
    )
    assert [type(answer) for answer in done] == [Unknown] * 10
    postgres.start()
    await until_ready(store)
    assert set((await store.versions(rooms)).values()) == {1}
    assert await asyncio.gather(*(store.append(append(room, 1)) for room in rooms)) == [True] * 10
    await store.close()


async def test_a_restart_of_the_database_between_appends_is_not_noticed(
    postgres: Postgres, postgres_url: str
) -> None:
    store = await Store.connect(postgres_url)
    await opened(store, "room")
    assert await store.append(append("room", 1, snapshot=b"with more"))
    postgres.kill()
    postgres.start()
    assert await store.append(append("room", 2))
    assert await store.load("room") == (2, b"with more", [event(3)])
    await store.close()


class Line:
    """Loses the connection a given number of times, after an append is written."""

    def __init__(self, database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
        self.cuts = 0
        monkeypatch.setattr(database, "append", self.cut(database.append))
        monkeypatch.setattr(database, "append_at_once", self.cut(database.append_at_once))

    def cut(self, run: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[Any]]:
        async def running(*args: Any) -> Any:
            answer = await run(*args)
            if self.cuts and answer is not None:  # a fast path that is not there writes nothing
                self.cuts -= 1
                raise Unavailable("the line is cut")
            return answer

        return running


@pytest.fixture
async def database(url: str) -> AsyncIterator[Database]:
    database = await open_database(url)
    yield database
    await database.close()


async def test_an_append_whose_answer_was_lost_is_found_again(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = Store(database)
    await opened(store, "room", "other", "late")
    await store.append(append("late", 1, text="of another process"))
    line = Line(database, monkeypatch)
    line.cuts = 1
    done = await asyncio.gather(
        store.append(append("room", 1, 2, snapshot=b"too")),
        store.append(append("other", 1)),
        store.append(append("late", 1)),
    )
    assert list(done) == [True, True, False]
    assert await store.load("room") == (3, b"too", [])
    assert await store.events("late", 1) == [event(2, "of another process")]


async def test_where_the_answer_stays_away_nothing_is_claimed_to_be_known(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = Store(database)
    await opened(store, "room", "other")
    line = Line(database, monkeypatch)
    line.cuts = 2
    done = await asyncio.gather(
        *(store.append(append(room, 1)) for room in ("room", "other")), return_exceptions=True
    )
    assert [type(answer) for answer in done] == [Unknown, Unknown]
    assert await store.versions(["room", "other"]) == {"room": 2, "other": 2}
