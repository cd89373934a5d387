"""Drafts: the latest of each seat, until an append clears it."""

from __future__ import annotations

import asyncio

import pytest

from tests.server.store.tools import append, opened
from tilerummy.server.store import Store

pytestmark = pytest.mark.anyio


async def test_the_latest_draft_of_a_seat_is_kept(store: Store) -> None:
    await opened(store, "room", "other")
    await store.save_draft("room", 1, 4, b"first")
    await store.save_draft("room", 0, 4, b"of another seat")
    await store.save_draft("room", 1, 5, b"second")
    assert await store.drafts("room") == [(0, 4, b"of another seat"), (1, 5, b"second")]
    assert await store.drafts("other") == []


async def test_of_drafts_that_wait_together_the_latest_wins(store: Store) -> None:
    await opened(store, "room")
    await asyncio.gather(*(store.save_draft("room", 0, turn, b"x") for turn in range(20)))
    assert await store.drafts("room") == [(0, 19, b"x")]
    assert store.grouped_drafts.batches <= 2


async def test_an_append_clears_drafts(store: Store) -> None:
    await opened(store, "room", "other")
    for room in ("room", "other"):
        for seat in (0, 1, 2):
            await store.save_draft(room, seat, 1, b"x")
    await store.append(append("room", 1, drafts_cleared=[0, 2, 3]))
    assert [draft.seat for draft in await store.drafts("room")] == [1]
    assert len(await store.drafts("other")) == 3


async def test_a_draft_for_no_room_is_dropped(store: Store) -> None:
    await opened(store, "room")
    await asyncio.gather(
        store.save_draft("nobody", 0, 1, b"x"), store.save_draft("room", 0, 1, b"y")
    )
    assert await store.drafts("nobody") == []
    assert await store.drafts("room") == [(0, 1, b"y")]
