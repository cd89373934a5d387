"""A guest who wants to be forgotten is: on the seats, in the results, and by name."""

from __future__ import annotations

import pytest

from tests.server.rooms.desk import SECRET, THIRD, turn_of
from tilerummy.play.verification import verify
from tilerummy.server.jobs import erasure
from tilerummy.server.jobs.erasure import ANONYMOUS, erase
from tilerummy.server.jobs.prover import Prover
from tilerummy.server.jobs.records import record_of
from tilerummy.server.live.bus import LocalBus
from tilerummy.server.live.keeper import Keeper
from tilerummy.server.live.stored_log import room_of
from tilerummy.server.live.update import Update
from tilerummy.server.rooms import chat, commands, matches, seating
from tilerummy.server.rooms.room import RoomPhase
from tilerummy.server.rooms.settings import Settings
from tilerummy.server.rooms.timers import Pace
from tilerummy.server.store import Loaded, Store
from tilerummy.server.telemetry.metrics import Metrics
from tilerummy.solver.turns.best_turn import can_play

pytestmark = pytest.mark.anyio


async def test_a_name_leaves_closed_rooms_and_their_records(
    tmp_path: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(erasure, "BATCH", 7)
    store = await Store.connect(f"sqlite:///{tmp_path}/t.sqlite")
    keeper = Keeper(store, LocalBus(), Pace(), Metrics(), Prover(5.0))
    ann = await store.add_guest(b"a" * 32, "Ann")
    bo = await store.add_guest(b"b" * 32, "Bo")
    settings = Settings(edition="taiwan", options={"match.games_per_round": 1})
    room = (await keeper.open(settings)).id
    for guest in (ann, bo):
        await keeper.apply(room, seating.Sit(guest.id, guest.name))
    await keeper.apply(room, chat.Say(0, "my telephone number"))
    await keeper.apply(room, chat.Say(1, "hello Ann"))
    await keeper.apply(room, matches.Begin(0, SECRET))
    await keeper.apply(room, matches.Deal(100, THIRD))
    await play_on(keeper, room)
    await keeper.apply(room, commands.Close("idle"))
    assert (await store.statistics(ann.id)).total.games == 1

    await erase(keeper, ann.id)

    assert (await store.statistics(ann.id)).total.games == 0
    stored = b"".join([event.data for event in await store.events(room)])
    assert b"telephone" not in stored
    assert b'"Ann"' not in stored
    assert b'"Bo"' in stored
    record = record_of(await store.record_log(room, 1))
    assert record.players == (ANONYMOUS, "Bo")
    assert record.games[0]
    loaded = await store.load(room)
    assert loaded is not None
    assert loaded.snapshot is not None
    assert loaded.events == [], "a closed room is not folded from its first event each time"
    assert b'"Ann"' not in loaded.snapshot
    assert b"telephone" not in loaded.snapshot
    assert room_of(loaded) == room_of(Loaded(0, None, await store.events(room)))
    await store.close()


async def test_who_is_forgotten_gives_up_open_seats(tmp_path: object) -> None:
    store = await Store.connect(f"sqlite:///{tmp_path}/t.sqlite")
    keeper = Keeper(store, LocalBus(), Pace(), Metrics(), Prover(5.0))
    ann = await store.add_guest(b"a" * 32, "Ann")
    bo = await store.add_guest(b"b" * 32, "Bo")
    room = (await keeper.open(Settings())).id
    for guest in (ann, bo):
        await keeper.apply(room, seating.Sit(guest.id, guest.name))
    await erase(keeper, ann.id)
    left = await keeper.look(room)
    assert left is not None
    assert left.seat_of(ann.id) is None
    assert left.host == 1
    await store.close()


class Ear:
    """Records the messages to a client."""

    def __init__(self) -> None:
        self.texts = b""

    def notify(self, update: Update) -> None:
        self.texts += update.events(None)


@pytest.mark.parametrize("shared", [False, True], ids=["sqlite", "postgres"])
@pytest.mark.parametrize("has_left", [False, True])
async def test_an_open_room_forgets_at_once(
    tmp_path: object, postgres_url: str, shared: bool, has_left: bool
) -> None:
    url = postgres_url if shared else f"sqlite:///{tmp_path}/t.sqlite"
    store = await Store.connect(url)
    keeper = Keeper(store, LocalBus(), Pace(), Metrics(), Prover(5.0))
    guests = [await store.add_guest(bytes([i]) * 32, name) for i, name in enumerate(("Ann", "Bo"))]
    other = await store.add_guest(b"x" * 32, "Ann")
    settings = Settings(edition="taiwan", options={"match.games_per_round": 2})
    room = (await keeper.open(settings)).id
    await keeper.apply(room, seating.Sit(other.id, other.name))
    await keeper.apply(room, chat.Say(0, "I am another Ann"))
    held = await keeper.listen(room, ear := Ear())
    assert held is not None
    for guest in guests[1:]:
        await keeper.apply(room, seating.Sit(guest.id, guest.name))
    await keeper.apply(room, seating.Leave(0))
    await keeper.apply(room, seating.Sit(guests[0].id, "Ann"))
    await keeper.apply(room, chat.Say(0, "my telephone number"))
    await keeper.apply(room, matches.Begin(1, SECRET))
    await keeper.apply(room, matches.Deal(100, THIRD))
    await play_on(keeper, room)
    await keeper.apply(room, matches.NextGame(1, "cd" * 32))
    await keeper.apply(room, matches.Deal(200, THIRD))
    if has_left:
        await keeper.apply(room, seating.Leave(0))
    version = held.room.version
    ear.texts = b""

    await erase(keeper, guests[0].id)

    assert b'"forgotten"' in ear.texts
    assert b"Ann" not in ear.texts
    assert [seat.name for seat in held.room.seats] == [ANONYMOUS, "Bo"]
    assert held.room.chat == ()
    assert held.after(version) is None, "what happened before is not told again"
    stored = b"".join([event.data for event in await store.events(room)])
    assert b"telephone" not in stored
    assert stored.count(b'"Ann"') == 1, "of the other, who has asked for nothing"
    assert b"I am another Ann" in stored
    elsewhere = await Keeper(store, LocalBus(), Pace(), Metrics(), Prover(5.0)).look(room)
    assert elsewhere == held.room
    await play_on(keeper, room)
    record = record_of(await store.record_log(room, 1))
    assert len(record.games) == 2
    assert record.players == (ANONYMOUS, "Bo")
    assert verify(record, can_play) == []
    assert await store.guest_of(bytes([0]) * 32) is None
    await erase(keeper, other.id)
    assert b"Ann" not in b"".join([event.data for event in await store.events(room)])
    await store.close()


async def play_on(keeper: Keeper, room: str) -> None:
    """Until the match is over, by the simplest of players."""
    while (state := await keeper.look(room)) is not None and state.phase is RoomPhase.PLAYING:
        await keeper.apply(room, turn_of(state))
