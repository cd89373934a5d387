"""Guests: known by a token, with what they have played, and gone when they want to be."""

from __future__ import annotations

import pytest

from tests.server.store.tools import append, event, opened, result
from tilerummy.server.store import Store, StoreError, Tally

pytestmark = pytest.mark.anyio

HASH = b"\x00\xff" * 16


async def test_a_guest_is_known_by_their_token(store: Store) -> None:
    guest = await store.add_guest(HASH, "Ann 安")
    assert await store.guest_of(HASH) == guest
    assert guest.name == "Ann 安"
    assert guest.created_at == guest.seen_at
    assert abs(guest.seen_at - store.now()) < 10_000
    assert await store.guest_of(b"another") is None
    with pytest.raises(StoreError):
        await store.add_guest(HASH, "Bob")


async def test_a_guest_changes_name_and_is_seen(store: Store) -> None:
    guest = await store.add_guest(HASH, "Ann")
    other = await store.add_guest(b"other", "Bob")
    assert await store.rename_guest(guest.id, "Anna")
    assert not await store.rename_guest("nobody", "Anna")
    before = store.now()
    await store.touch_guest(guest.id)
    found = await store.guest_of(HASH)
    assert found is not None
    assert found.name == "Anna"
    assert before <= found.seen_at <= store.now()
    assert await store.guest_of(b"other") == other


async def test_rooms_of_a_guest(store: Store) -> None:
    ann, bob = [await store.add_guest(name.encode(), name) for name in ("Ann", "Bob")]
    for room in ("old", "new", "closed"):
        await opened(store, room)
        await store.append(append(room, 1, seated=[ann.id, bob.id, "a guest who is gone"]))
        await store.append(append(room, 2, seated=[ann.id]))
    listing = append("closed", 3).listing._replace(closed_at=3)
    await store.append(append("closed", 3, listing=listing))
    assert sorted(await store.rooms_of_guest(ann.id)) == ["closed", "new", "old"]
    assert await store.rooms_of_guest("nobody") == []


async def test_statistics_count_games_wins_and_points(store: Store) -> None:
    ann, bob = [await store.add_guest(name.encode(), name) for name in ("Ann", "Bob")]
    assert await store.statistics(ann.id) == (Tally(), {})
    await opened(store, "room")
    one = [result(ann.id, 1, 30), result(bob.id, 1, -30), result("nobody", 1, 0)]
    two = [result(ann.id, 2, -5), result(ann.id, 3, 8, "sabra")]
    await store.append(append("room", 1, results=one))
    await store.append(append("room", 2, results=two))
    statistics = await store.statistics(ann.id)
    assert statistics.total == Tally(games=3, wins=2, points=33)
    assert statistics.by_edition == {"classic": Tally(2, 1, 25), "sabra": Tally(1, 1, 8)}
    assert (await store.statistics(bob.id)).total == Tally(1, 0, -30)


async def test_a_deleted_guest_leaves_only_what_others_need(store: Store) -> None:
    ann, bob = [await store.add_guest(name.encode(), name) for name in ("Ann", "Bob")]
    await opened(store, "room")
    played = append("room", 1, seated=[ann.id, bob.id], results=[result(ann.id, 1, 3)])
    await store.append(played)
    assert await store.delete_guest(ann.id) == ["room"]
    assert await store.guest_of(b"Ann") is None
    assert await store.statistics(ann.id) == (Tally(), {})
    assert await store.rooms_of_guest(ann.id) == []
    assert await store.events("room") == [event(1), event(2)]
    assert await store.rooms_of_guest(bob.id) == ["room"]
    assert await store.delete_guest(ann.id) == []
    # The room goes on, and its appends may still speak of them.
    again = append("room", 2, seated=[ann.id], results=[result(ann.id, 2, 3)])
    assert await store.append(again)
    assert await store.statistics(ann.id) == (Tally(), {})
