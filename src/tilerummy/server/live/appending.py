"""Builds an append: everything that the store writes together with the events of a room."""

from __future__ import annotations

from collections.abc import Sequence

from tilerummy.play import events as play
from tilerummy.play.game import Game
from tilerummy.rules.scores import rack_left
from tilerummy.server.live.stored_log import stored_event
from tilerummy.server.rooms import events
from tilerummy.server.rooms.room import Room, RoomPhase, Transition
from tilerummy.server.rooms.seats import Seat
from tilerummy.server.rooms.settings import MOST_SEATS
from tilerummy.server.rooms.snapshot import freeze
from tilerummy.server.rooms.timers import Timer, presence_leases
from tilerummy.server.store import Append, FinishedGame, Listing, Result, timer_changes

SNAPSHOT_EVENTS = 256
"""Loading a room folds at most about this many events, in any phase."""
PRESENCE_EVENTS = {
    events.Seated,
    events.Left,
    events.Began,
    events.Reopened,
    events.Dropped,
    events.Returned,
    events.Closed,
}
"""Events that change who is here, or on which seat."""
RARE_EVENTS = {events.Seated, events.Left, play.Ended}
"""Events with rows besides the log: who sits where, finished games, results."""


def append_of(
    transitions: Sequence[Transition],
    expected: int,
    before: Sequence[Timer],
    after: Sequence[Timer],
) -> Append:
    """The append of these transitions to version `expected`, with the timers before and after."""
    room = transitions[-1].room
    kinds = {type(step.entry.event) for step in transitions}
    timers_set, timers_removed = timer_changes(before, after) if before != after else ([], [])
    if not PRESENCE_EVENTS.isdisjoint(kinds):
        leases = presence_leases(room, transitions[-1].at)
        timers_set += leases
        gone = {*range(MOST_SEATS)} - {lease.key for lease in leases}
        timers_removed += [("here", seat) for seat in sorted(gone)]
    append = Append(
        room.id,
        expected,
        [stored_event(step) for step in transitions],
        _listing(room),
        timers_set=timers_set,
        timers_removed=timers_removed,
        drafts_cleared=_obsolete_drafts(transitions),
        snapshot=freeze(room) if _is_snapshot_due(expected, room.version) else None,
    )
    return append if RARE_EVENTS.isdisjoint(kinds) else _with_more(append, transitions)


def _with_more(append: Append, transitions: Sequence[Transition]) -> Append:
    """With the rows of new guests and finished games."""
    ended = [step for step in transitions if isinstance(step.entry.event, play.Ended)]
    return append._replace(
        seated=[
            step.entry.event.guest
            for step in transitions
            if isinstance(step.entry.event, events.Seated) and step.entry.event.guest
        ],
        games=[_finished(step) for step in ended],
        results=[
            *[result for step in ended for result in _results(step)],
            *[_forfeit(step) for step in transitions if _leaves_match(step)],
        ],
    )


def _listing(room: Room) -> Listing:
    is_closed = room.phase is RoomPhase.CLOSED
    people, free, here = _counts(room.seats)
    return Listing(
        phase=room.phase,
        people=people,
        free=free,
        here=here,
        host=None if room.host is None or is_closed else room.seats[room.host].guest,
        active_at=room.active,
        closed_at=room.since if is_closed else None,
    )


def _counts(seats: Sequence[Seat]) -> tuple[int, int, int]:
    """People, free seats, and people who are here."""
    people = free = here = 0
    for seat in seats:
        if seat.guest is not None:
            people += 1
            here += seat.away is None
        elif seat.bot is None:
            free += 1
    return people, free, here


def _is_snapshot_due(before: int, after: int) -> bool:
    """Whether these versions cross a multiple of `SNAPSHOT_EVENTS`."""
    return after // SNAPSHOT_EVENTS > before // SNAPSHOT_EVENTS


def _obsolete_drafts(transitions: Sequence[Transition]) -> list[int]:
    """The seats whose turn is over; all seats when a game begins, as its turns restart at 1."""
    if any(isinstance(step.entry.event, play.Created) for step in transitions):
        return [*range(MOST_SEATS)]
    return [
        step.entry.event.seat
        for step in transitions
        if isinstance(step.entry.event, (play.Played, play.Drew, play.Passed))
    ]


def _finished(step: Transition) -> FinishedGame:
    room = step.room
    assert room.match is not None, "a match is on"
    assert room.game is not None, "its game has ended"
    return FinishedGame(
        match=room.matches,
        game=room.game.number,
        first_seq=room.game_first,
        last_seq=step.entry.seq,
        edition=room.edition.name,
        options=room.edition.changed_options(),
        players=room.match.players,
        rounds=room.match.rounds,
        finished_at=room.since,
    )


def _results(step: Transition) -> list[Result]:
    """The result of each guest who was seated at the end of the game."""
    room, game = step.room, step.room.game
    assert game is not None, "a game has ended"
    assert game.result is not None, "it has a result"
    return [
        Result(
            guest=seat.guest,
            match=room.matches,
            game=game.number,
            edition=room.edition.name,
            score=game.result.scores[number],
            won=number in game.result.winners,
            players=len(room.seats),
            at=room.since,
        )
        for number, seat in enumerate(room.seats)
        if seat.guest is not None
    ]


def _leaves_match(step: Transition) -> bool:
    """Whether a guest gives up a seat for good during a match."""
    event = step.entry.event
    return isinstance(event, events.Left) and event.bot is not None


def _forfeit(step: Transition) -> Result:
    """The game counts as lost for a guest who leaves it, by the tiles on their rack. Who leaves
    between two games loses the next one. The others play on with a bot."""
    room, event = step.room, step.entry.event
    assert isinstance(event, events.Left), "somebody leaves"
    game, left = room.game, room.seats[event.seat].left
    assert game is not None, "a match has a game"
    assert left is not None, "it was the seat of a guest"
    is_on = room.phase is RoomPhase.PLAYING
    return Result(
        guest=left,
        match=room.matches,
        game=game.number + (room.phase is RoomPhase.BETWEEN),
        edition=room.edition.name,
        score=-_rack_points(game, event.seat) if is_on else 0,
        won=False,
        players=len(room.seats),
        at=event.at,
    )


def _rack_points(game: Game, seat: int) -> int:
    return rack_left(game.edition, game.racks[seat], opened=game.opened[seat]).points
