"""Records the messages of clients in random matches, with a snapshot after each message.

Everything that can happen in a room does: people join, leave, miss messages and are erased, bots
play for them, games pause, clocks run out, rematches start. The messages are those of a socket;
`web/tests/session/roomState.test.ts` folds them.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TextIO

from tests.play.wild import WildGame, as_seen, seed_of
from tilerummy.bots.roster import BOTS
from tilerummy.play import commands as moves
from tilerummy.play.commit_reveal import seat_commitment
from tilerummy.play.game import Game
from tilerummy.play.refusals import Refused
from tilerummy.rules.editions import EDITIONS
from tilerummy.server.live.update import Update, events_message, seats_of, snapshot_message
from tilerummy.server.protocol import outgoing as out
from tilerummy.server.rooms import chat, commands, events, matches, seating, votes
from tilerummy.server.rooms.chat import EMOTES
from tilerummy.server.rooms.commands import Command
from tilerummy.server.rooms.decide import decide
from tilerummy.server.rooms.fold import open_room
from tilerummy.server.rooms.room import RoomPhase, Transition, deal_step
from tilerummy.server.rooms.settings import Settings

MOST_COMMANDS = 1200
GUESTS = ("ann", "bo", "chen", "dora", "eli", "fay", "gus", "hana")
LONGEST_SLEEP = 25


class Follower:
    """A client with an open page: receives a snapshot, then events.

    One who is sleepy gets what happened meanwhile in one message, as after a lost line.
    """

    def __init__(self, guest: str | None, name: str, *, sleepy: bool, rng: random.Random) -> None:
        self.guest = guest
        self._name = name
        self._sleepy = sleepy
        self._rng = rng
        self._missed: list[Transition] = []
        self._sleeps = 0
        self._seat: int | None = None
        self._is_new = True

    def tell(self, transitions: tuple[Transition, ...], now: int, file: TextIO) -> None:
        self._missed += transitions
        if self._sleeps > 0:
            self._sleeps -= 1
            return
        room = transitions[-1].room
        seats = seats_of(self._missed, self.guest)
        snapshot = out.encode(snapshot_message(room, seats[-1], now)).decode()
        if self._is_new or self._must_begin_anew(seats):
            self._write(file, None, snapshot)
        elif len(self._missed) == len(transitions):
            sent = Update(transitions).events(self.guest).decode()
            self._write(file, sent, snapshot)
        else:
            sent = out.encode(events_message(self._missed, seats)).decode()
            self._write(file, sent, snapshot)
        self._is_new = False
        self._seat = seats[-1]
        self._missed.clear()
        if self._sleepy and self._rng.random() < 0.2:
            self._sleeps = self._rng.randint(1, LONGEST_SLEEP)

    def _must_begin_anew(self, seats: tuple[int | None, ...]) -> bool:
        """Like `Connection`: a client that takes a seat gets a snapshot, and so does one that
        reconnects after somebody was erased."""
        was_forgotten = any(isinstance(step.entry.event, events.Forgotten) for step in self._missed)
        sat_down = any(
            isinstance(step.entry.event, events.Seated) and step.entry.event.seat == seat
            for step, seat in zip(self._missed, seats, strict=True)
        )
        return sat_down or (was_forgotten and self._sleepy)

    def _write(self, file: TextIO, sent: str | None, snapshot: str) -> None:
        events = "" if sent is None else f'"events": {sent}, '
        file.write(f'{{"who": "{self._name}", {events}"snapshot": {snapshot}}}\n')


class Evening:
    """One room from its opening to its end."""

    def __init__(self, seed: str, edition: str) -> None:
        self.rng = random.Random(f"{seed} {edition}")
        rng = self.rng
        low, high = EDITIONS[edition].players_min, EDITIONS[edition].players_max
        options: dict[str, object] = {
            "match.games_per_round": rng.choice([1, 2, 3]),
            "timer.seconds": rng.choice([0, 30, 60]),
            "strict_submit": rng.random() < 0.5,
            "match.next_starter": rng.choice(["draw", "winner", "rotate"]),
            "direction": rng.choice(["cw", "ccw"]),
            "joker.declare": rng.choice(["position", "kind", "explicit"]),
        }
        if rng.random() < 0.5:
            options["empty_pool.end"] = "final_round"
            options["final_round.manipulation"] = rng.random() < 0.5
        settings = Settings(
            edition=edition,
            options=options,
            seats=rng.randint(max(2, low), high),
            stand_in=rng.random() < 0.8,
        )
        self.now = 1_000_000
        self.room, _ = open_room("room-1", "ABCDEF", settings, self.now)
        self.followers = [
            Follower(guest, f"{seed} {edition} {guest}{kind}", sleepy=kind != "", rng=rng)
            for guest in (*GUESTS[:2], None)
            for kind in ("", " sleepy")
        ]
        self.kinds: set[type] = set()
        self._matches = rng.randint(1, 2)
        self._eagerness = rng.choice([0.6, 0.9, 1.0])

    def play(self, file: TextIO) -> None:
        tried = 0
        while self.room.phase is not RoomPhase.CLOSED:
            tried += 1
            command = commands.Close("idle") if tried > MOST_COMMANDS else self._something()
            if command is not None:
                self._try(command, file)

    def _try(self, command: Command, file: TextIO) -> None:
        cause = self._cause(command)
        try:
            transitions = decide(self.room, command, self.now, cause, as_seen)
        except Refused:
            return
        if not transitions:
            return
        self.kinds |= {type(step.entry.event) for step in transitions}
        self.room = transitions[-1].room
        for follower in self.followers:
            follower.tell(transitions, self.now, file)

    def _cause(self, command: Command) -> events.Cause | None:
        seat = getattr(command, "seat", None)
        if not isinstance(command, (chat.Say, matches.Ask, chat.Mute)) or seat is None:
            return None
        return events.Cause(seat, f"c{self.rng.randrange(10**6)}")

    # What may happen

    def _something(self) -> Command | None:
        rng = self.rng
        self.now += rng.choice([0, 200, 1_000, 5_000])
        if rng.random() < 0.12:
            return self._aside()
        match self.room.phase:
            case RoomPhase.LOBBY:
                return self._in_lobby()
            case RoomPhase.DEALING:
                assert self.room.game is not None
                return self._before_the_deal(self.room.game)
            case RoomPhase.PLAYING:
                return self._in_game()
            case RoomPhase.BETWEEN:
                assert self.room.game is not None
                if rng.random() < 0.8:
                    return self._ask("more")
                return matches.NextGame(self.room.game.number, self._secret())
            case _:
                if self.room.matches < self._matches or rng.random() < 0.3:
                    return self._ask("more")
                return commands.Close("idle")

    def _before_the_deal(self, game: Game) -> Command:
        seat = self._seat()
        if game.shuffle_version == 1 and self.rng.random() < 0.7:
            return matches.Seed(seat, f"{self.rng.random()}")
        if self.rng.random() < 0.2:
            return matches.Deal(deal_step(game), self._secret())
        seed = seed_of(game, seat)
        if game.is_fixed:
            return matches.Reveal(seat, game.transcript, seed)
        made = seat_commitment(game.transcript, seat, seed)
        return matches.Commit(seat, game.transcript, made)

    def _in_lobby(self) -> Command | None:
        rng, room = self.rng, self.room
        if room.matches >= self._matches and rng.random() < 0.1:
            return commands.Close("idle")
        chance = rng.random()
        if chance < 0.5:
            return self._sit()
        if chance < 0.75:
            return seating.AddBot(room.host or 0, rng.choice([*BOTS]), self._maybe_seat())
        return matches.Begin(room.host or 0, self._secret())

    def _sit(self) -> Command:
        guest = self.rng.choice(GUESTS)
        return seating.Sit(guest, guest.title(), self._maybe_seat())

    def _in_game(self) -> Command | None:
        room, game, rng = self.room, self.room.game, self.rng
        assert game is not None
        if room.paused is not None:
            return matches.Ask(self._seat(), "pause", rng.random() < 0.3, self._secret())
        wild = WildGame(rng, game, as_seen, 0.0, self._eagerness, now=self.now - room.lost)
        command, at = wild.mistaken()
        if isinstance(command, moves.TimeOut):
            self.now = max(self.now, at + room.lost)
            return matches.TimeUp(command.turn, command.draft, command.declared)
        if game.deadline is not None and self.now - room.lost >= game.deadline:
            return matches.TimeUp(game.turn)
        assert isinstance(command, moves.Play | moves.Draw | moves.Pass)
        return matches.TakeTurn(command, game.turn)

    def _aside(self) -> Command | None:
        """What has nothing to do with the turn."""
        rng, room = self.rng, self.room
        often: list[Callable[[], Command | None]] = [
            lambda: chat.Say(self._seat(), rng.choice(["hello", "再見", "ok  ok", ""])),
            lambda: chat.Say(self._seat(), emote=rng.choice(EMOTES)),
            lambda: chat.Mute(self._seat(), self._seat(), rng.random() < 0.6),
            lambda: seating.Drop(self._seat()),
            lambda: seating.Return(self._seat()),
            lambda: seating.Return(self._seat()),
            self._stand_in,
            self._hold_clock,
            lambda: self._ask("pause"),
            self._vote,
        ]
        seldom: list[Callable[[], Command | None]] = [
            lambda: seating.Leave(self._seat()),
            lambda: seating.Remove(room.host or 0, self._seat()),
            lambda: seating.Erase(rng.choice(GUESTS), f"guest {rng.randrange(100)}"),
        ]
        return rng.choice(seldom if rng.random() < 0.06 else often)()

    def _vote(self) -> Command:
        """About the player to move, mostly: only they can be replaced."""
        rng, game = self.rng, self.room.game
        about = self._seat() if game is None or rng.random() < 0.3 else game.current
        if rng.random() < 0.3:
            self.now += votes.PATIENCE
        what = rng.choice(["remove", "stand-in", "stand-in"])
        return votes.CastVote(self._seat(), about, what, rng.random() < 0.9)

    def _hold_clock(self) -> Command | None:
        """Let the clock stand for the player to move, or go on again."""
        game = self.room.game
        if game is None:
            return None
        if self.rng.random() < 0.5:
            return matches.ReleaseClock(game.turn)
        return matches.HoldClock(game.current, game.turn, self.rng.choice([1_000, 20_000]))

    def _stand_in(self) -> Command | None:
        """For clients that were away for long."""
        away = [number for number, seat in enumerate(self.room.seats) if seat.away is not None]
        if not away:
            return None
        seat = self.rng.choice(away)
        since = self.room.seats[seat].away
        assert since is not None
        return seating.StandIn(seat, since)

    def _ask(self, what: str) -> Command:
        return matches.Ask(self._seat(), what, self.rng.random() < 0.7, self._secret())

    def _seat(self) -> int:
        return self.rng.randrange(len(self.room.seats))

    def _maybe_seat(self) -> int | None:
        return self.rng.choice([None, self._seat()])

    def _secret(self) -> str:
        return self.rng.randbytes(32).hex()


def write(path: Path, seeds: Iterable[str]) -> set[type]:
    """Evenings with all editions; gives the kinds of events that there were."""
    kinds: set[type] = set()
    with path.open("w", encoding="utf-8") as file:
        for seed in seeds:
            for edition in EDITIONS:
                evening = Evening(seed, edition)
                evening.play(file)
                kinds |= evening.kinds
    return kinds
