"""A guest who wants to be forgotten is: on the seats, in the results, and by name."""

from __future__ import annotations

import pytest

from tests.server.rooms.desk import SECRET, turn_of
from tilerummy.server.bus import LocalBus
from tilerummy.server.forgetting import NOBODY, forget
from tilerummy.server.keeper import Keeper
from tilerummy.server.metrics import Metrics
from tilerummy.server.records import record_of
from tilerummy.server.rooms import commands
from tilerummy.server.rooms.due import Pace
from tilerummy.server.rooms.room import Phase
from tilerummy.server.rooms.settings import Settings
from tilerummy.server.store import Store

pytestmark = pytest.mark.anyio


async def test_a_name_leaves_closed_rooms_and_their_records(tmp_path: object) -> None:
    store = await Store.connect(f"sqlite:///{tmp_path}/t.sqlite")
    keeper = Keeper(store, LocalBus(), Pace(), Metrics())
    ann = await store.add_guest(b"a" * 32, "Ann")
    bo = await store.add_guest(b"b" * 32, "Bo")
    settings = Settings(edition="taiwan", options={"match.games_per_round": 1})
    room = (await keeper.open(settings)).id
    for guest in (ann, bo):
        await keeper.apply(room, commands.Sit(guest.id, guest.name))
    await keeper.apply(room, commands.Say(0, "my telephone number"))
    await keeper.apply(room, commands.Say(1, "hello Ann"))
    await keeper.apply(room, commands.Begin(0, SECRET))
    await keeper.apply(room, commands.Deal(1))
    await play_on(keeper, room)
    await keeper.apply(room, commands.Close("done"))
    assert (await store.statistics(ann.id)).total.games == 1

    await forget(keeper, ann.id)

    assert (await store.statistics(ann.id)).total.games == 0
    stored = b"".join([event.data for event in await store.events(room)])
    assert b"telephone" not in stored
    assert b'"Ann"' not in stored
    assert b'"Bo"' in stored
    record = record_of(await store.record_log(room, 1))
    assert record.players == (NOBODY, "Bo")
    assert record.games[0]
    await store.close()


async def test_who_is_forgotten_gives_up_open_seats(tmp_path: object) -> None:
    store = await Store.connect(f"sqlite:///{tmp_path}/t.sqlite")
    keeper = Keeper(store, LocalBus(), Pace(), Metrics())
    ann = await store.add_guest(b"a" * 32, "Ann")
    bo = await store.add_guest(b"b" * 32, "Bo")
    room = (await keeper.open(Settings())).id
    for guest in (ann, bo):
        await keeper.apply(room, commands.Sit(guest.id, guest.name))
    await forget(keeper, ann.id)
    left = await keeper.look(room)
    assert left is not None
    assert left.seat_of(ann.id) is None
    assert left.host == 1
    await store.close()


async def play_on(keeper: Keeper, room: str) -> None:
    """Until the match is over, by the simplest of players."""
    while (state := await keeper.look(room)) is not None and state.phase is Phase.PLAYING:
        await keeper.apply(room, turn_of(state))
