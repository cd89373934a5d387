"""A store that an older version wrote: its rooms load, and running games end as they began."""

from __future__ import annotations

import sqlite3
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tilerummy.play.commands import Pass
from tilerummy.play.refusals import Refused
from tilerummy.play.verification import verify
from tilerummy.rules.scores import Ending
from tilerummy.server.jobs.prover import Prover
from tilerummy.server.jobs.records import record_of
from tilerummy.server.live.bus import LocalBus
from tilerummy.server.live.keeper import Keeper
from tilerummy.server.rooms import matches
from tilerummy.server.rooms.room import Room, RoomPhase
from tilerummy.server.rooms.snapshot import freeze, thaw
from tilerummy.server.rooms.timers import Pace
from tilerummy.server.store import Store
from tilerummy.server.telemetry.metrics import Metrics
from tilerummy.solver.turns.best_turn import can_play

pytestmark = pytest.mark.anyio

DATA = Path(__file__).parent.parent / "data" / "schema1"
CLASSIC_RUNNING, TAIWAN_RUNNING, CLASSIC_OVER, LOBBY = "9E2CWA", "UJAH5B", "ZUK4TW", "WCKHNW"


@pytest.fixture
async def keeper(tmp_path: Path) -> AsyncIterator[Keeper]:
    path = tmp_path / "old.sqlite"
    with sqlite3.connect(path) as database:
        database.executescript((DATA / "store.sql").read_text("utf-8"))
    database.close()
    store = await Store.connect(f"sqlite:///{path}")
    keeper = Keeper(store, LocalBus(), Pace(), Metrics(), Prover(5.0))
    yield keeper
    keeper.close()
    await store.close()


async def room_of(keeper: Keeper, code: str) -> Room:
    found = await keeper.find(code)
    assert found is not None
    room = await keeper.look(found)
    assert room is not None
    return room


async def passes(keeper: Keeper, room: Room) -> Room:
    assert room.game is not None
    turn = matches.TakeTurn(Pass(room.game.current), room.game.turn)
    await keeper.apply(room.id, turn)
    return await room_of(keeper, room.code)


async def test_a_running_classic_game_ends_by_passes_of_players_who_could_play(
    keeper: Keeper,
) -> None:
    room = await room_of(keeper, CLASSIC_RUNNING)
    assert room.game is not None
    assert room.game.passes == 1
    assert can_play(room.game.position(room.game.current))
    room = await passes(keeper, room)
    assert room.phase is RoomPhase.BETWEEN
    assert room.game is not None
    assert room.game.result is not None
    assert room.game.result.end is Ending.ALL_PASSED


async def test_the_next_game_of_an_old_match_keeps_its_options(keeper: Keeper) -> None:
    room = await passes(keeper, await room_of(keeper, CLASSIC_RUNNING))
    await keeper.apply(room.id, matches.NextGame(1, "cd" * 32))
    game = (await room_of(keeper, room.code)).game
    assert game is not None
    assert (game.number, game.rules_version) == (2, 2)
    assert game.edition == room.edition
    assert game.edition.empty_pool_pass == "voluntary"
    assert game.edition.empty_pool_end == "all_pass"


async def test_a_running_final_round_goes_on(keeper: Keeper) -> None:
    room = await room_of(keeper, TAIWAN_RUNNING)
    assert room.game is not None
    assert (room.game.final_turns, room.game.rules_version) == (2, 1)
    with pytest.raises(Refused, match="you can play, so you must"):
        await passes(keeper, room)


async def test_the_record_of_an_old_match_holds(keeper: Keeper) -> None:
    room = await room_of(keeper, CLASSIC_OVER)
    record = record_of(await keeper.store.record_log(room.id, 1))
    assert verify(record, can_play) == []
    assert record.rules().empty_pool_end == "all_pass"


async def test_a_room_that_waits_keeps_the_rules_it_was_opened_with(keeper: Keeper) -> None:
    room = await room_of(keeper, LOBBY)
    assert room.edition.name == "twist"
    assert room.edition.empty_pool_end == "all_pass"
    assert room.edition.penalty_tiles == 1


@pytest.mark.parametrize("phase", [RoomPhase.PLAYING, RoomPhase.OVER])
async def test_an_old_snapshot_is_the_room_that_its_events_give(
    keeper: Keeper, phase: RoomPhase
) -> None:
    room = thaw((DATA / f"snapshot-{phase}.json").read_bytes())
    code = CLASSIC_RUNNING if phase is RoomPhase.PLAYING else CLASSIC_OVER
    assert room == await room_of(keeper, code)
    assert thaw(freeze(room)) == room
