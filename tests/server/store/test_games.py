"""Finished games: listed, read from the log, and freed from names."""

from __future__ import annotations

import pytest

from tests.server.store.tools import append, event, finished, opened, places
from tilerummy.server.store import Loaded, Snapshot, Store

pytestmark = pytest.mark.anyio


async def played(store: Store) -> None:
    """A room with two games of a first match and one of a second."""
    await opened(store, "room", "other")
    await store.append(append("room", 1, 3, games=[finished(1, 2, 4)]))
    await store.append(append("room", 4, 4, games=[finished(2, 6, 8)], snapshot=b"of Ann"))
    await store.append(append("room", 8, 2, games=[finished(1, 9, 10, match=2)]))


async def test_finished_games_are_listed(store: Store) -> None:
    await played(store)
    games = [finished(1, 2, 4), finished(2, 6, 8), finished(1, 9, 10, match=2)]
    assert await store.games("room") == games
    assert await store.games("other") == []


async def test_the_log_of_a_match_is_that_of_its_games(store: Store) -> None:
    await played(store)
    log = await store.record_log("room", 1)
    assert [(game.game, places(events)) for game, events in log] == [(1, [2, 3, 4]), (2, [6, 7, 8])]
    assert [places(events) for _, events in await store.record_log("room", 2)] == [[9, 10]]
    assert await store.record_log("room", 3) == []
    assert await store.record_bytes("room", 2) == len(event(9).data) + len(event(10).data)
    assert await store.record_bytes("room", 3) == 0
    whole = await store.games("room")
    assert await store.games("room", 2) == whole[-2:], "the last ones"


async def test_names_can_be_taken_out_of_a_room(store: Store) -> None:
    await played(store)
    players = {(1, 2): ["Guest", "Bob"], (2, 1): ["Ann", "Guest"], (7, 7): ["Guest", "Guest"]}
    await store.redact("room", {1: b"nobody", 4: b"nobody either"}, players)
    loaded = await store.load("room")
    assert loaded is not None
    assert loaded.snapshot is None
    changed = {1: event(1)._replace(data=b"nobody"), 4: event(4)._replace(data=b"nobody either")}
    assert loaded.events == [changed.get(seq, event(seq)) for seq in range(1, 11)]
    named = [game.players for game in await store.games("room")]
    assert named == [["Ann", "Bob"], ["Guest", "Bob"], ["Ann", "Guest"]]
    assert await store.events("other") == [event(1)]
    await store.redact("room", {}, {}, Snapshot(9, b"nobody"))
    loaded = await store.load("room")
    assert loaded == Loaded(9, b"nobody", [event(10)])
