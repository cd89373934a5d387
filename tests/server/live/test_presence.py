"""Who counts as being here."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.server.harness import sqlite_url
from tilerummy.server.jobs.prover import Prover
from tilerummy.server.live.bus import LocalBus
from tilerummy.server.live.keeper import Keeper
from tilerummy.server.live.presence import Presence
from tilerummy.server.rooms import seating
from tilerummy.server.rooms.settings import Settings
from tilerummy.server.rooms.timers import Pace
from tilerummy.server.store import Store, Unavailable
from tilerummy.server.telemetry.metrics import Metrics

pytestmark = pytest.mark.anyio


@pytest.fixture
async def keeper(tmp_path: Path) -> AsyncIterator[Keeper]:
    store = await Store.connect(sqlite_url(tmp_path))
    yield Keeper(store, LocalBus(), Pace(), Metrics(), Prover(5.0))
    await store.close()


async def is_here(keeper: Keeper, room: str) -> bool:
    state = await keeper.look(room)
    assert state is not None
    return state.seats[0].is_here


async def test_who_came_while_the_store_was_away_is_here_when_it_is_back(
    keeper: Keeper, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fail(*_: object) -> None:
        raise Unavailable("it does not answer")

    presence = Presence(keeper)
    room = (await keeper.open(Settings())).id
    await keeper.apply(room, seating.Sit("ann", "Ann"))
    await keeper.apply(room, seating.Drop(0))
    monkeypatch.setattr(keeper.store, "append", fail)
    await presence.arrive(room, "ann")
    assert not await is_here(keeper, room)
    monkeypatch.undo()
    await presence._renew([*presence._connections])
    assert await is_here(keeper, room)


async def test_who_went_meanwhile_is_not_said_to_have_returned(keeper: Keeper) -> None:
    presence = Presence(keeper)
    room = (await keeper.open(Settings())).id
    await keeper.apply(room, seating.Sit("ann", "Ann"))
    await keeper.apply(room, seating.Drop(0))
    await presence._renew([(room, "ann")])
    assert not await is_here(keeper, room)
