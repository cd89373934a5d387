"""Commands about the match: beginning, dealing, turns, the turn clock, pauses, the next game."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias

from tilerummy.play import commands as moves
from tilerummy.play.game import Game
from tilerummy.rules.declarations import Declared
from tilerummy.rules.tiles import Table
from tilerummy.server.rooms.decision import MOST_TALK, Decision
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
from tilerummy.server.rooms.room import RoomPhase, deal_step

Move: TypeAlias = moves.Play | moves.Draw | moves.Pass


@dataclass(frozen=True, slots=True)
class Begin:
    """The host begins the match. `secret` is the dealer's secret for the first game."""

    by: int
    secret: str

    def decide(self, decision: Decision) -> None:
        decision.check_host(self.by)
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
        _create_game(decision, self.secret)


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


@dataclass(frozen=True, slots=True)
class Commit:
    """A seat commits to a seed for the deal with this transcript."""

    seat: int
    transcript: str
    commitment: str

    def decide(self, decision: Decision) -> None:
        _check_transcript(decision, self.transcript)
        decision.apply_to_game(moves.Commit(self.seat, self.commitment))
        settle(decision)


@dataclass(frozen=True, slots=True)
class Reveal:
    """A seat reveals the seed that it has committed to."""

    seat: int
    transcript: str
    seed: str

    def decide(self, decision: Decision) -> None:
        _check_transcript(decision, self.transcript)
        decision.apply_to_game(moves.Reveal(self.seat, self.seed))
        settle(decision)


def _check_transcript(decision: Decision, transcript: str) -> None:
    _check_dealing(decision)
    game = decision.room.game
    if game is None or game.transcript != transcript:
        raise RoomRefused("wrong-game", "this is about another deal: look at the newest one")


@dataclass(frozen=True, slots=True)
class Seed:
    """A seat contributes its own randomness to the coming deal, in shuffle version 1."""

    seat: int
    seed: str

    def decide(self, decision: Decision) -> None:
        _check_dealing(decision)
        decision.apply_to_game(moves.GiveSeed(self.seat, self.seed))
        settle(decision)


@dataclass(frozen=True, slots=True)
class Deal:
    """The time to commit, or to reveal, is over: go on without those who have not.

    `step` is the `deal_step` of the game that this is about; `secret` is the dealer's secret for
    the next deal, where this one is cancelled.
    """

    step: int
    secret: str

    def decide(self, decision: Decision) -> None:
        _check_dealing(decision)
        game = decision.room.game
        if game is None or deal_step(game) != self.step:
            raise RoomRefused("wrong-game", "this is about an earlier step of the deal")
        if game.shuffle_version > 1 and not game.is_fixed:
            _fix(decision)
        elif game.missing_seeds:
            decision.apply_to_game(moves.CancelDeal(self.secret))
            settle(decision)
            return
        _deal_if_ready(decision)


def _fix(decision: Decision) -> None:
    """Fix the commitments. Bots sit on this server: their seeds come from the dealer's secret."""
    seats = enumerate(decision.room.seats)
    local = tuple([number for number, seat in seats if seat.guest is None])
    decision.apply_to_game(moves.FixCommitments(local))


def _deal_if_ready(decision: Decision) -> None:
    game = decision.room.game
    if game is not None and not game.missing_seeds:
        decision.apply_to_game(moves.Start())


def _check_dealing(decision: Decision) -> None:
    decision.check_phase(
        RoomPhase.DEALING, "already-started", "the tiles are not being dealt right now"
    )


@dataclass(frozen=True, slots=True)
class TakeTurn:
    """A move for the turn that the player saw."""

    move: Move
    turn: int

    def decide(self, decision: Decision) -> None:
        game = decision.check_playing()
        if self.turn != game.turn:
            raise RoomRefused("wrong-turn", f"turn {self.turn} is not the current turn {game.turn}")
        release_hold(decision, game.turn)
        decision.apply_to_game(self.move)


@dataclass(frozen=True, slots=True)
class TimeUp:
    """The clock of a turn ran out; `draft` is the table that the player had laid by then."""

    turn: int
    draft: Table | None = None
    declared: Declared = field(default_factory=dict, hash=False)

    def decide(self, decision: Decision) -> None:
        decision.check_playing()
        release_hold(decision, self.turn)
        decision.apply_to_game(moves.TimeOut(self.turn, self.draft, self.declared))


@dataclass(frozen=True, slots=True)
class HoldClock:
    """Stop the clock for a player who must play and waits for a hint: for at most this many
    milliseconds, and once per turn."""

    seat: int
    turn: int
    most: int

    def decide(self, decision: Decision) -> None:
        game, room = decision.check_playing(), decision.room
        is_their_turn = (game.current, game.turn) == (self.seat, self.turn)
        runs = room.deadline is not None and decision.now < room.deadline
        if is_their_turn and runs and room.held_turn != self.turn:
            decision.record(ClockHeld(decision.now, self.turn, self.most))


@dataclass(frozen=True, slots=True)
class ReleaseClock:
    """The hint was shown, or there is none: the clock of the turn runs again."""

    turn: int

    def decide(self, decision: Decision) -> None:
        release_hold(decision, self.turn)


def release_hold(decision: Decision, turn: int) -> None:
    """Restart the clock of this turn, if it is stopped."""
    hold = decision.room.hold
    if hold is not None and hold.turn == turn:
        unused = max(0, hold.most - max(0, decision.now - hold.since))
        decision.record(ClockReleased(decision.now, turn, unused))


@dataclass(frozen=True, slots=True)
class NextGame:
    """The time to look at the result is over. `secret` is the dealer's secret."""

    game: int
    secret: str

    def decide(self, decision: Decision) -> None:
        decision.check_phase(RoomPhase.BETWEEN, "wrong-moment", "no game has just ended")
        decision.check_game(self.game)
        _create_game(decision, self.secret)


@dataclass(frozen=True, slots=True)
class Ask:
    """A seat votes for a wish or withdraws its vote. `what` comes from a client and is checked by
    the room; `secret` is the dealer's secret for the next game."""

    seat: int
    what: str
    want: bool
    secret: str

    def decide(self, decision: Decision) -> None:
        """A vote for a pause, or for the next game or a rematch."""
        seat, room = decision.seat(self.seat), decision.room
        if self.what == "pause":
            decision.check_phase(RoomPhase.PLAYING, "wrong-moment", "there is no game to pause")
            # Somebody who was away when the others agreed on a pause may end it too.
            ends_pause = room.paused is not None and not self.want
            if seat.pause is not self.want or ends_pause:
                decision.check_talk(2 * MOST_TALK)
                decision.record(Asked(decision.now, self.seat, "pause", self.want))
                settle(decision, self.secret)
        elif self.what == "more":
            if room.phase not in (RoomPhase.BETWEEN, RoomPhase.OVER):
                raise RoomRefused("wrong-moment", "the game is not over yet")
            if seat.more is not self.want:
                decision.check_talk(2 * MOST_TALK)
                decision.record(Asked(decision.now, self.seat, "more", self.want))
                settle(decision, self.secret)
        else:
            raise RoomRefused("bad-wish", "ask for `pause` or for `more`")


def settle(decision: Decision, secret: str | None = None) -> None:
    """Do what everybody who is here has agreed on."""
    room = decision.room
    here = [seat for seat in room.seats if seat.is_here]
    if not here:
        return
    if room.phase is RoomPhase.DEALING and room.game is not None:
        _settle_deal(decision, room.game)
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


def _settle_deal(decision: Decision, game: Game) -> None:
    """Fix the commitments once everybody who is here has committed; deal once all have revealed."""
    people = [number for number, seat in enumerate(decision.room.seats) if seat.is_here]
    if game.shuffle_version == 1:
        if all(game.seeds[number] is not None for number in people):
            decision.apply_to_game(moves.Start())
        return
    if not game.is_fixed:
        awaited = [number for number in people if game.may_commit(number)]
        if any(game.commitments[number] is None for number in awaited):
            return
        _fix(decision)
    _deal_if_ready(decision)


def pause(decision: Decision) -> None:
    """Stop the clock. A hold is released first, so that the same time does not count twice."""
    if decision.room.hold is not None:
        release_hold(decision, decision.room.hold.turn)
    decision.record(Paused(decision.now))
