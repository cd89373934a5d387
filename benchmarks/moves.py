"""Processor time of one move by layer, without sockets: what a server does with it, step by step.

Games of four greedy players are recorded first, deterministically. Then each layer processes all
moves again, alone, in this process. The best of several rounds counts, as other processes of the
machine only add to it. What `benchmarks.server` measures beyond the sum is the event loop, the
sockets and the system.

    python -m benchmarks.moves [--games 20] [--rounds 7] [--profile LAYER] [--json]
"""

from __future__ import annotations

import argparse
import asyncio
import cProfile
import json
import pstats
import random
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from tilerummy.play.commit_reveal import seat_commitment
from tilerummy.rules.declarations import Declared, plain
from tilerummy.rules.position import Position
from tilerummy.rules.tiles import Table
from tilerummy.rules.turns import TurnVerdict, judge_turn
from tilerummy.server.jobs.prover import MOST_STEPS, steps
from tilerummy.server.limits.garbage import collect_seldom
from tilerummy.server.live.appending import append_of
from tilerummy.server.live.update import updates_of
from tilerummy.server.protocol import incoming
from tilerummy.server.protocol.tiles import row_out, table_out
from tilerummy.server.rooms.commands import Command
from tilerummy.server.rooms.decide import decide
from tilerummy.server.rooms.events import Cause, LogEntry
from tilerummy.server.rooms.fold import open_room
from tilerummy.server.rooms.matches import Begin, Commit, Reveal
from tilerummy.server.rooms.room import Room, RoomPhase, Transition
from tilerummy.server.rooms.seating import Sit
from tilerummy.server.rooms.settings import Settings
from tilerummy.server.rooms.timers import Pace, timers_of
from tilerummy.server.store import Append, Store
from tilerummy.solver import solve
from tilerummy.solver.turns.best_turn import can_play

SEATS = 4
PACE = Pace()
TOGETHER = 20
"""Appends that share a transaction, as they do on a busy server."""


class Recorded(NamedTuple):
    """A command of a recorded game. `data` is its message; None for what is not a move."""

    before: Room
    command: Command
    cause: Cause
    now: int
    transitions: tuple[Transition, ...]
    data: bytes | None


class Layers:
    """The steps of a move, each over all recorded moves."""

    def __init__(self, recorded: Sequence[Recorded], folder: Path) -> None:
        self.all = recorded
        self.moves = [each for each in recorded if each.data is not None]
        self._folder = folder

    def decode(self) -> None:
        """Bytes of a client to a command."""
        for move in self.moves:
            assert move.data is not None
            message = incoming.decode(move.data)
            message.command(move.cause[0])  # type: ignore[union-attr]

    def judge(self) -> None:
        """A command to events: the rules, the game and the room."""
        for before, command, cause, now, _, _ in self.moves:
            decide(before, command, now, cause, can_play, _judge)

    def append(self) -> None:
        """Events to what the store writes."""
        for move in self.moves:
            _append(move)

    def update(self) -> None:
        """Events to the bytes that each of the four seats gets."""
        for move in self.moves:
            for update in updates_of([move.transitions]):
                for seat in update.room.seats:
                    update.events(seat.guest)

    def store(self) -> float:
        """The appends of all commands: group commit on SQLite. Returns the seconds of set-up."""
        began = time.process_time()
        appends = [(each.before.id, _append(each)) for each in self.all]
        return time.process_time() - began + asyncio.run(self._store(appends))

    async def _store(self, appends: list[tuple[str, Append]]) -> float:
        began = time.process_time()
        with tempfile.TemporaryDirectory(dir=self._folder) as folder:
            store = await Store.connect(f"sqlite:///{folder}/store.sqlite")
            queues: dict[str, list[Append]] = {}
            for room, append in appends:
                queues.setdefault(room, []).append(append)
            for number, queue in enumerate(queues.values()):
                first = queue.pop(0)
                await store.create(f"{number:06}", first, edition="sabra", public=False)
            set_up = time.process_time() - began
            waiting = [*queues.values()]
            while waiting := [queue for queue in waiting if queue]:
                now, waiting = waiting[:TOGETHER], [*waiting[TOGETHER:], *waiting[:TOGETHER]]
                stored = await asyncio.gather(*[store.append(queue.pop(0)) for queue in now])
                assert all(stored)
            await store.close()
        return set_up


def _judge(position: Position, table: Table, declared: Declared) -> TurnVerdict:
    """As in the event loop: with a limited number of steps."""
    return judge_turn(position, table, declared, steps(MOST_STEPS))


def _append(each: Recorded) -> Append:
    before = timers_of(each.before, PACE)
    after = timers_of(each.transitions[-1].room, PACE)
    expected = each.before.version if each.transitions[0].entry.seq > 1 else 0
    return append_of(each.transitions, expected, before, after)


# Games


def record(games: int) -> list[Recorded]:
    """All commands of some games, each in a room of its own."""
    rng = random.Random(1)
    return [each for number in range(games) for each in _record_game(number, rng)]


def _record_game(number: int, rng: random.Random) -> list[Recorded]:
    room, event = open_room(f"{number:032}", f"{number:06}", Settings(), 1_000)
    found: list[Recorded] = []
    now = 1_000

    def apply(command: Command, seat: int, data: bytes | None = None) -> Room:
        nonlocal now
        now += 50
        cause = Cause(seat, f"c{len(found)}")
        transitions = decide(room, command, now, cause, can_play)
        found.append(Recorded(room, command, cause, now, transitions, data))
        return transitions[-1].room

    found.append(
        Recorded(room, None, Cause(0, ""), now, (Transition(LogEntry(1, event), room),), None)  # type: ignore[arg-type]
    )
    for seat in range(SEATS):
        room = apply(Sit(f"guest {seat}", f"Player {seat + 1}"), seat)
    room = apply(Begin(0, f"{rng.getrandbits(256):064x}"), 0)
    assert room.game is not None
    transcript = room.game.transcript
    seeds = [f"{rng.getrandbits(128):032x}" for _ in range(SEATS)]
    for seat, seed in enumerate(seeds):
        room = apply(Commit(seat, transcript, seat_commitment(transcript, seat, seed)), seat)
    for seat, seed in enumerate(seeds):
        room = apply(Reveal(seat, transcript, seed), seat)
    while room.phase is RoomPhase.PLAYING:
        assert room.game is not None
        seat = room.game.current
        data = _message(room, seat)
        message = incoming.decode(data)
        room = apply(message.command(seat), seat, data)  # type: ignore[union-attr]
    return found


def _message(room: Room, seat: int) -> bytes:
    """The best turn, as a client sends it."""
    game = room.game
    assert game is not None
    turn = solve(game.position(seat), tidy=False)
    message: dict[str, Any] = {"type": "draw" if game.pool else "pass"}
    if turn.plays:
        message = {
            "type": "play",
            "table": table_out(turn.table),
            "declared": plain(turn.declared, row_out),
        }
    return msgspec.json.encode({**message, "turn": game.turn, "id": f"c{game.turn}"})


# The table


def measure(layers: Layers, rounds: int) -> dict[str, float]:
    """Milliseconds of processor time per move, of each layer."""
    names = ("decode", "judge", "append", "update", "store")
    best = dict.fromkeys(names, float("inf"))
    for _ in range(rounds):
        for name in names:
            best[name] = min(best[name], _time(getattr(layers, name)))
    return {name: 1000 * seconds / len(layers.moves) for name, seconds in best.items()}


def _time(do: Callable[[], float | None]) -> float:
    began = time.process_time()
    set_up = do() or 0.0
    return time.process_time() - began - set_up


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--games", type=int, default=20, help="each in a room of its own")
    parser.add_argument("--rounds", type=int, default=7, help="of which the best counts")
    parser.add_argument("--profile", metavar="LAYER", help="profile one layer instead")
    parser.add_argument("--json", action="store_true", help="the figures as JSON, in one line")
    given = parser.parse_args(arguments)
    layers = Layers(record(given.games), Path(tempfile.gettempdir()))
    collect_seldom()
    if given.profile:
        profile = cProfile.Profile()
        profile.runcall(getattr(layers, given.profile))
        pstats.Stats(profile).sort_stats("tottime").print_stats(40)
        return
    found = measure(layers, given.rounds)
    if given.json:
        print(json.dumps({"moves": len(layers.moves), "cpu_ms": found}))
        return
    print(f"{len(layers.moves):,} moves of {given.games} games; CPU time per move")
    for name, spent in found.items():
        about = (getattr(Layers, name).__doc__ or "").strip()
        print(f"  {name:<10} {1000 * spent:>7.1f} µs  {about}")
    print(f"  {'sum':<10} {1000 * sum(found.values()):>7.1f} µs")


if __name__ == "__main__":
    main()
