"""Consistency checks: the log of a room in the store against the messages that clients received."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

import msgspec

from tests.server.witness import Drafted, Witness
from tilerummy.play import events as play
from tilerummy.play.record import Record
from tilerummy.play.verification import verify
from tilerummy.rules.tiles import Table
from tilerummy.server.protocol import outgoing as out
from tilerummy.server.protocol.infos import seen_room
from tilerummy.server.protocol.projection import seen_event
from tilerummy.server.rooms import events
from tilerummy.server.rooms.events import Cause, LogEntry, LogEvent, decode
from tilerummy.server.rooms.fold import evolve, fold
from tilerummy.server.rooms.room import GAME_EVENTS, Room, Transition
from tilerummy.server.rooms.snapshot import freeze, thaw
from tilerummy.server.store import Store
from tilerummy.solver.turns.best_turn import can_play

LEADS_TO: dict[str, tuple[type, ...]] = {
    "begin": (events.Began,),
    "commit": (play.Committed,),
    "reveal": (play.Revealed,),
    "play": (play.Played,),
    "draw": (play.Drew,),
    "pass": (play.Passed,),
    "ask": (events.Asked,),
    "say": (events.Said,),
}
"""What each command does, once."""
TURN = (play.Played, play.Drew, play.Passed)


class Evidence:
    """The log of a room, and the room after each of its events."""

    def __init__(self, log: Sequence[LogEntry]) -> None:
        self.log = log
        self.steps: list[Transition] = []
        room = fold(log[:1])
        self.steps.append(Transition(log[0], room))
        for entry in log[1:]:
            room = evolve(room, entry)
            self.steps.append(Transition(entry, room))

    @property
    def room(self) -> Room:
        return self.steps[-1].room

    # The log alone

    def check_log(self) -> None:
        assert [entry.seq for entry in self.log] == [*range(1, len(self.log) + 1)]
        for step in self.steps:
            if step.room.game is not None:
                step.room.game.check()

    def check_record(self) -> int:
        """Replays all games; returns how many have ended."""
        match = self.room.match
        assert match is not None
        turns = [entry.event for entry in self.log if isinstance(entry.event, GAME_EVENTS)]
        record = Record.of(match).with_events(tuple(turns))
        problems = verify(record, can_play)
        assert problems == [], problems
        return sum(isinstance(event, play.Ended) for event in turns)

    # The log against the clients

    def check_witness(self, witness: Witness) -> None:
        self._check_acknowledged(witness)
        self._check_told(witness)
        self._check_known(witness)
        for draft in witness.drafted:
            self._check_draft(witness, draft)

    def check_causes(self, witnesses: Sequence[Witness]) -> None:
        """Every action is a command of a client, and no refused command was executed."""
        for place, entry in enumerate(self.log):
            if entry.cause is not None:
                seat, id_, _ = entry.cause
                before = self.steps[place - 1].room
                (sender,) = [each for each in witnesses if id_ in each.sent]
                assert before.seats[seat].name == sender.name
                assert id_ not in sender.refused, f"{id_} was refused and is done"
                assert id_ in sender.acknowledged, f"{id_} was never answered"

    def _check_acknowledged(self, witness: Witness) -> None:
        done: dict[str, list[LogEntry]] = defaultdict(list)
        for entry in self.log:
            if entry.cause is not None:
                done[entry.cause[1]].append(entry)
        for id_, (kind, version, first) in witness.acknowledged.items():
            mine = done[id_]
            if kind == "ask" and not mine:
                continue  # idempotent: it was so already
            times = sum(isinstance(entry.event, LEADS_TO[kind]) for entry in mine)
            assert times == 1, f"{kind} {id_} of version {version} was done {times} times"
            if first is None:
                assert mine[-1].seq == version, f"{id_}: {version} is not the version of {mine}"
            else:
                told = f"{id_}: {mine} was told with {first} to {version}"
                assert first <= mine[0].seq <= mine[-1].seq <= version, told
            assert mine[-1].seq - mine[0].seq == len(mine) - 1, f"{id_} was done in pieces: {mine}"

    def _check_told(self, witness: Witness) -> None:
        for version, told in witness.told.items():
            step = self.steps[version - 1]
            seat = self._seat_of(witness, step.room)
            assert told == seen_event(step, seat), f"{witness.name} was told another {version}"

    def _check_known(self, witness: Witness) -> None:
        """The state that a client built from events and snapshots equals the store's."""
        known = witness.known
        room = self.steps[known.version - 1].room
        assert known.you == self._seat_of(witness, room)
        assert known.phase == room.phase
        game = room.game
        if game is not None and game.racks and known.you is not None:
            assert sorted(known.rack) == sorted(game.racks[known.you])
            assert known.table == game.table
            assert known.pool == len(game.pool)
            assert (known.current, known.turn) == (game.current, game.turn)
            assert tuple(known.opened) == game.opened

    def _check_draft(self, witness: Witness, draft: Drafted) -> None:
        """Where the clock ended a turn, the last confirmed draft decided it."""
        event = self.end_of(draft.game, draft.turn)
        if isinstance(event, play.Played):
            if event.by_clock:
                assert draft.legal, f"{witness.name}: {draft} became {event}"
                assert _laid(event.table) == _laid(draft.table)
        elif isinstance(event, (play.Drew, play.Passed)) and event.why != "choice":
            assert not draft.legal, f"{witness.name}: {draft} was forgotten: {event}"
            assert event.why == "penalty", f"{witness.name}: {draft} was forgotten: {event}"

    def end_of(self, game: int, turn: int) -> LogEvent | None:
        for place, entry in enumerate(self.log):
            before = self.steps[place - 1].room.game
            if before is None or not isinstance(entry.event, TURN):
                continue
            if (before.number, before.turn) == (game, turn):
                return entry.event
        return None

    def check_snapshot(self, witness: Witness, snapshot: out.Snapshot) -> None:
        room = self.steps[snapshot.version - 1].room
        seen = seen_room(room, self._seat_of(witness, room))
        assert msgspec.structs.replace(snapshot.room, draft=None) == seen

    def _seat_of(self, witness: Witness, room: Room) -> int | None:
        names = [seat.name for seat in room.seats]
        return names.index(witness.name) if witness.name in names else None


def _laid(table: Table) -> set[frozenset[int]]:
    return {frozenset(row) for row in table}


async def read_evidence(store: Store, room: str) -> Evidence:
    """The log of a room; derived tables must agree with it."""
    log = []
    for seq, _, cause, data in await store.events(room):
        seat, _, command = (cause or "").partition(":")
        id_, _, digest = command.partition(" ")
        log.append(LogEntry(seq, decode(data), Cause(int(seat), id_, digest) if cause else None))
    evidence = Evidence(log)
    await _check_beside(store, evidence)
    return evidence


async def _check_beside(store: Store, evidence: Evidence) -> None:
    """The version, the snapshot and the statistics."""
    room = evidence.room
    assert await store.versions([room.id]) == {room.id: room.version}
    loaded = await store.load(room.id)
    assert loaded is not None
    if loaded.snapshot is not None:
        thawed = thaw(loaded.snapshot)
        assert freeze(thawed) == freeze(evidence.steps[thawed.version - 1].room)
    ended = [step for step in evidence.steps if isinstance(step.entry.event, play.Ended)]
    for seat in room.seats:
        if seat.guest is not None:
            played = (await store.statistics(seat.guest)).total.games
            assert played == len(ended), "every game counts once"
