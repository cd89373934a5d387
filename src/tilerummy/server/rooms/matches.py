"""Decisions about the match: beginning, dealing, turns, the turn clock, pauses, the next game."""

from __future__ import annotations

from tilerummy.play import commands as moves
from tilerummy.play.game import Game
from tilerummy.server.rooms import commands
from tilerummy.server.rooms.decision import Decision
from tilerummy.server.rooms.events import (
    Asked,
    Began,
    ClockHeld,
    ClockReleased,
    Paused,
    Reopened,
    Resumed,
)
from tilerummy.server.rooms.refusals import RoomRefused
from tilerummy.server.rooms.room import RoomPhase


def begin(decision: Decision, command: commands.Begin) -> None:
    decision.check_host(command.by)
    room = decision.room
    if room.phase is not RoomPhase.LOBBY:
        raise RoomRefused("already-begun", "the match has already begun")
    taken = tuple([number for number, seat in enumerate(room.seats) if not seat.is_free])
    low, high = room.edition.players_min, room.edition.players_max
    if not low <= len(taken) <= high:
        raise RoomRefused(
            "bad-players", f"{len(taken)} players: {room.edition.name} takes {low} to {high}"
        )
    decision.record(Began(decision.now, taken))
    _create_game(decision, command.secret)


def _create_game(decision: Decision, secret: str) -> None:
    match = decision.room.match
    assert match is not None, "a match is on"
    game, events = Game.create(
        match.edition,
        match.players,
        secret=secret,
        now=decision.now,
        number=len(match.results) + 1,
        starter=match.next_starter(),
    )
    decision.record_all(events, game)
    settle(decision)


def give_seed(decision: Decision, command: commands.Seed) -> None:
    _check_dealing(decision)
    decision.apply_to_game(moves.GiveSeed(command.seat, command.seed))
    settle(decision)


def deal(decision: Decision, command: commands.Deal) -> None:
    _check_dealing(decision)
    decision.check_game(command.game)
    decision.apply_to_game(moves.Start())


def _check_dealing(decision: Decision) -> None:
    decision.check_phase(
        RoomPhase.DEALING, "already-started", "the tiles are not being dealt right now"
    )


def take_turn(decision: Decision, command: commands.TakeTurn) -> None:
    game = decision.check_playing()
    if command.turn != game.turn:
        raise RoomRefused("wrong-turn", f"turn {command.turn} is not the current turn {game.turn}")
    release_hold(decision, game.turn)
    decision.apply_to_game(command.move)


def time_up(decision: Decision, command: commands.TimeUp) -> None:
    decision.check_playing()
    release_hold(decision, command.turn)
    decision.apply_to_game(moves.TimeOut(command.turn, command.draft, command.declared))


def hold_clock(decision: Decision, command: commands.HoldClock) -> None:
    game, room = decision.check_playing(), decision.room
    is_their_turn = (game.current, game.turn) == (command.seat, command.turn)
    runs = room.deadline is not None and decision.now < room.deadline
    if is_their_turn and runs and room.held_turn != command.turn:
        decision.record(ClockHeld(decision.now, command.turn, command.most))


def release_hold(decision: Decision, turn: int) -> None:
    """Restart the clock of this turn, if it is stopped."""
    hold = decision.room.hold
    if hold is not None and hold.turn == turn:
        unused = max(0, hold.most - max(0, decision.now - hold.since))
        decision.record(ClockReleased(decision.now, turn, unused))


def next_game(decision: Decision, command: commands.NextGame) -> None:
    decision.check_phase(RoomPhase.BETWEEN, "wrong-moment", "no game has just ended")
    decision.check_game(command.game)
    _create_game(decision, command.secret)


def ask(decision: Decision, command: commands.Ask) -> None:
    """A vote for a pause, or for the next game or a rematch."""
    seat, room = decision.seat(command.seat), decision.room
    if command.what == "pause":
        decision.check_phase(RoomPhase.PLAYING, "wrong-moment", "there is no game to pause")
        # Somebody who was away when the others agreed on a pause may end it too.
        ends_pause = room.paused is not None and not command.want
        if seat.pause is not command.want or ends_pause:
            decision.record(Asked(decision.now, command.seat, "pause", command.want))
            settle(decision, command.secret)
    elif command.what == "more":
        if room.phase not in (RoomPhase.BETWEEN, RoomPhase.OVER):
            raise RoomRefused("wrong-moment", "the game is not over yet")
        if seat.more is not command.want:
            decision.record(Asked(decision.now, command.seat, "more", command.want))
            settle(decision, command.secret)
    else:
        raise RoomRefused("bad-wish", "ask for `pause` or for `more`")


def settle(decision: Decision, secret: str | None = None) -> None:
    """Do what everybody who is here has agreed on."""
    room = decision.room
    here = [seat for seat in room.seats if seat.is_here]
    if not here:
        return
    if room.phase is RoomPhase.DEALING and room.game is not None:
        people = [number for number, seat in enumerate(room.seats) if seat.is_here]
        if all(room.game.seeds[number] is not None for number in people):
            decision.apply_to_game(moves.Start())
    elif room.phase is RoomPhase.PLAYING:
        agreed = all(seat.pause for seat in here)
        if agreed and room.paused is None:
            pause(decision)
        elif not agreed and room.paused is not None:
            decision.record(Resumed(decision.now))
    elif all(seat.more for seat in here):
        if room.phase is RoomPhase.BETWEEN and secret is not None:
            _create_game(decision, secret)
        elif room.phase is RoomPhase.OVER:
            decision.record(Reopened(decision.now))


def pause(decision: Decision) -> None:
    """Stop the clock. A hold is released first, so that the same time does not count twice."""
    if decision.room.hold is not None:
        release_hold(decision, decision.room.hold.turn)
    decision.record(Paused(decision.now))
