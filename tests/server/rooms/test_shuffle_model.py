"""Model check of the shuffle protocol: every order of messages, drop-outs and deadlines.

The explored machine is the real room: every reachable state is computed by `decide` from every
command that a client, a timer or a crash can lead to. The adversary is an operator who plays: it
reads everything that is stored, the dealer's secret included, and sits on the last seat. Seat 0 is
honest: it sends what `client.seeds` sends. All other seats may do anything.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from hashlib import sha256
from typing import NamedTuple

import pytest

from tests.server.rooms.desk import SECRET
from tilerummy.play import event_json
from tilerummy.play import events as play
from tilerummy.play.commit_reveal import MOST_WITHHELD, seat_commitment
from tilerummy.play.game import Game
from tilerummy.play.record import Record
from tilerummy.play.refusals import Refused
from tilerummy.play.verification import verify
from tilerummy.server.rooms import matches, seating
from tilerummy.server.rooms.commands import Command
from tilerummy.server.rooms.decide import decide
from tilerummy.server.rooms.events import LogEvent, encode
from tilerummy.server.rooms.fold import open_room
from tilerummy.server.rooms.room import GAME_EVENTS, Room, RoomPhase, deal_step
from tilerummy.server.rooms.settings import Settings
from tilerummy.server.rooms.snapshot import freeze, thaw

HONEST = 0


def seed_of(transcript: str, seat: int, choice: int) -> str:
    """The seeds that a seat can think of for one deal."""
    return sha256(f"{transcript} {seat} {choice}".encode()).hexdigest()


def next_secret(game: Game) -> str:
    return sha256(f"{game.secret} again".encode()).hexdigest()


class Path(NamedTuple):
    """A room, and the events since its game was created."""

    room: Room
    log: tuple[LogEvent, ...]

    @property
    def game(self) -> Game:
        assert self.room.game is not None
        return self.room.game


def game_events(path: Path) -> tuple[play.Event, ...]:
    return tuple([event for event in path.log if isinstance(event, GAME_EVENTS)])


def opened(people: int, bots: int) -> Path:
    room, _ = open_room("room-1", "ABCDEF", Settings(seats=people + bots), 0)
    log: list[LogEvent] = []
    commands: list[Command] = [seating.Sit(f"g{n}", f"P{n}") for n in range(people)]
    commands += [seating.AddBot(0, "simple") for _ in range(bots)]
    for command in (*commands, matches.Begin(0, SECRET)):
        for entry, after in decide(room, command, 0):
            room = after
            log.append(entry.event)
    start = next(n for n, event in enumerate(log) if isinstance(event, play.Created))
    return Path(room, tuple(log[start:]))


def honest_commands(game: Game) -> Iterator[Command]:
    """What an honest client sends: its seed only after the commitments are fixed."""
    transcript, seed = game.transcript, seed_of(game.transcript, HONEST, 0)
    if not game.is_fixed:
        made = seat_commitment(transcript, HONEST, seed)
        yield matches.Commit(HONEST, transcript, made)
    elif game.commitments[HONEST] is not None:
        yield matches.Reveal(HONEST, transcript, seed)


def adversary_commands(game: Game, seat: int) -> Iterator[Command]:
    """Right, wrong, early, late, repeated, stale and copied commitments and openings."""
    transcript = game.transcript
    for choice in (0, 1):
        seed = seed_of(transcript, seat, choice)
        yield matches.Commit(seat, transcript, seat_commitment(transcript, seat, seed))
        yield matches.Reveal(seat, transcript, seed)
    copied = game.commitments[HONEST]
    if copied is not None:
        yield matches.Commit(seat, transcript, copied)
    known = game.seeds[HONEST]
    if known is not None:
        yield matches.Reveal(seat, transcript, known)
    for deal in game.cancelled[-1:]:
        yield matches.Commit(seat, deal.transcript, "ab" * 32)
        yield matches.Reveal(seat, deal.transcript, seed_of(deal.transcript, seat, 0))
    yield seating.Drop(seat)
    yield seating.Return(seat)


def commands_of(path: Path, people: int) -> Iterator[Command]:
    game = path.game
    yield from honest_commands(game)
    yield seating.Drop(HONEST)
    yield seating.Return(HONEST)
    for seat in range(1, people):
        yield from adversary_commands(game, seat)
    # The last seat also leaves for good, and a timer of an earlier step arrives late.
    yield seating.Leave(people - 1)
    yield matches.Deal(deal_step(game), next_secret(game))
    yield matches.Deal(deal_step(game) - 1, next_secret(game))


def after(path: Path, command: Command) -> Path | None:
    try:
        transitions = decide(path.room, command, 0)
    except Refused:
        return None
    if not transitions:
        return None
    added = tuple([step.entry.event for step in transitions])
    return Path(transitions[-1].room, (*path.log, *added))


@dataclass(frozen=True)
class Key:
    """What distinguishes two states before the deal.

    Hashes are replaced by what they stand for: which of its seeds a seat has committed to. The
    room only compares hashes, so that states with the same key go on alike.
    """

    withheld: tuple[int, ...]
    chosen: tuple[str, ...]
    sources: tuple[str, ...]
    revealed: tuple[bool, ...]
    seats: tuple[tuple[bool, bool], ...]


def key_of(path: Path) -> Key:
    game = path.game
    numbers = range(len(game.players))
    return Key(
        tuple([sum(seat in deal.withheld for deal in game.cancelled) for seat in numbers]),
        tuple([_chosen(game, seat) for seat in numbers]),
        game.sources,
        tuple([seed is not None for seed in game.seeds]),
        tuple([(seat.is_here, seat.guest is None) for seat in path.room.seats]),
    )


def _chosen(game: Game, seat: int) -> str:
    made = game.commitments[seat]
    for choice in (0, 1):
        seed = seed_of(game.transcript, seat, choice)
        if made == seat_commitment(game.transcript, seat, seed):
            return str(choice)
    return "nothing" if made is None else "copied"


@cache
def explored(people: int, bots: int) -> tuple[list[Path], list[tuple[Path, Path]]]:
    """Every reachable state before a deal, and every transition, those that deal included."""
    start = opened(people, bots)
    found: dict[Key, Path] = {key_of(start): start}
    waiting, transitions = [start], []
    while waiting:
        path = waiting.pop()
        for command in commands_of(path, people):
            next_path = after(path, command)
            if next_path is None or next_path.room.phase is RoomPhase.CLOSED:
                continue
            transitions.append((path, next_path))
            if next_path.room.phase is not RoomPhase.DEALING:
                continue
            if key_of(next_path) in found:
                continue
            found[key_of(next_path)] = next_path
            waiting.append(next_path)
    return [*found.values()], transitions


TABLES = [(1, 1), (2, 0), (2, 1)]
tables = pytest.mark.parametrize(("people", "bots"), TABLES)


@tables
def test_no_seed_is_stored_before_all_commitments_are_fixed(people: int, bots: int) -> None:
    paths, _ = explored(people, bots)
    assert len(paths) > 5
    for path in paths:
        game = path.game
        if not game.is_fixed:
            stored = b"".join(map(encode, path.log)) + freeze(path.room)
            for seat in range(people):
                for choice in (0, 1):
                    assert seed_of(game.transcript, seat, choice).encode() not in stored
            assert game.seeds == (None,) * len(game.seeds)


@tables
def test_fixed_commitments_lead_to_one_deal_or_to_a_cancelled_one(people: int, bots: int) -> None:
    """Whatever anybody does after that point: the only deal of a transcript and its commitments."""
    _, transitions = explored(people, bots)
    deals: dict[tuple[object, ...], set[object]] = {}
    for before, path in transitions:
        game = before.game
        if not game.is_fixed:
            continue
        kept = path.game.cancelled == game.cancelled
        if kept:
            assert path.game.transcript == game.transcript
            assert path.game.commitments == game.commitments
            assert path.game.sources == game.sources
        if path.room.phase is RoomPhase.PLAYING:
            fixed = (path.game.transcript, path.game.commitments, path.game.sources)
            deals.setdefault(fixed, set()).add((path.game.racks, path.game.pool))
    assert deals
    assert all(len(found) == 1 for found in deals.values())


@tables
def test_the_honest_seat_has_a_say_in_every_deal_it_commits_to(people: int, bots: int) -> None:
    """Its seed is unknown when everybody else is bound, and another seed is another deal."""
    _, transitions = explored(people, bots)
    dealt = 0
    for _, path in transitions:
        game = path.game
        if path.room.phase is not RoomPhase.PLAYING or game.sources[HONEST] != "own":
            continue
        dealt += 1
        own = seed_of(game.transcript, HONEST, 0)
        assert game.seeds[HONEST] == own
        fixed = max(n for n, event in enumerate(path.log) if isinstance(event, play.Fixed))
        assert own.encode() not in b"".join(map(encode, path.log[: fixed + 1]))
        fair = game.fairness()
        other = replace(fair, seeds=("ab" * 32, *fair.seeds[1:]))
        assert fair.numbers("deal:0").below(2**32) != other.numbers("deal:0").below(2**32)
    assert dealt


@tables
def test_every_cancelled_deal_is_stored_and_names_who_withheld(people: int, bots: int) -> None:
    _, transitions = explored(people, bots)
    cancelled = 0
    for before, path in transitions:
        events = [event for event in path.log if isinstance(event, play.Cancelled)]
        assert [event.withheld for event in events] == [
            deal.withheld for deal in path.game.cancelled
        ]
        if len(path.game.cancelled) > len(before.game.cancelled):
            cancelled += 1
            assert events[-1].withheld == before.game.missing_seeds != ()
            assert path.game.secret != before.game.secret
            assert path.game.transcript != before.game.transcript
        for seat in range(people):
            withheld = sum(seat in event.withheld for event in events)
            assert withheld <= MOST_WITHHELD, "then it plays with the default seed"
    assert cancelled


@tables
def test_records_of_all_paths_hold_and_hide_nothing(people: int, bots: int) -> None:
    """A record without one of its cancelled deals does not hold, if anybody honest revealed."""
    _, transitions = explored(people, bots)
    seen: set[object] = set()
    for _, path in transitions:
        game = path.game
        if path.room.phase is not RoomPhase.PLAYING or game.transcript in seen:
            continue
        seen.add(game.transcript)
        events = game_events(path)
        record = Record.of(path.room.match).with_events(events)  # type: ignore[arg-type]
        assert verify(record) == []
        cuts = [n for n, event in enumerate(events) if isinstance(event, play.Cancelled)]
        if cuts and game.sources[HONEST] == "own":
            first, again = events[0], events[cuts[0]]
            assert isinstance(first, play.Created)
            assert isinstance(again, play.Cancelled)
            start = replace(first, secret=again.secret, commitment=again.commitment)
            hidden = replace(record, games=((start, *events[cuts[0] + 1 :]),))
            assert verify(hidden) != []


@tables
def test_a_crash_at_any_moment_changes_nothing(people: int, bots: int) -> None:
    paths, _ = explored(people, bots)
    for path in paths:
        assert thaw(freeze(path.room)) == path.room
        log = game_events(path)
        again = [event_json.from_dict(event_json.to_dict(event)) for event in log]
        assert Game.fold(again) == path.game


@tables
def test_every_state_leads_to_a_deal_by_deadlines_alone(people: int, bots: int) -> None:
    """The delay is bounded, whoever is silent."""
    paths, _ = explored(people, bots)
    for path in paths:
        room, steps = path.room, 0
        while room.phase is RoomPhase.DEALING:
            assert room.game is not None
            step = matches.Deal(deal_step(room.game), next_secret(room.game))
            room = decide(room, step, 0)[-1].room
            steps += 1
        assert room.phase is RoomPhase.PLAYING
        assert steps <= 3, "those who are silent do not commit again"
