"""The game driver: one loop that plays a game, and the driver of a whole match.

Every part that plays games uses this loop: matches of bots, the terminal, the lab and the tests.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TypeAlias

from tilerummy.play.commands import (
    Command,
    Commit,
    FixCommitments,
    GiveSeed,
    Reveal,
    Start,
    Turn,
)
from tilerummy.play.commit_reveal import seat_commitment
from tilerummy.play.endings import CanPlay
from tilerummy.play.events import Event
from tilerummy.play.game import Game, Phase
from tilerummy.play.match import Match, MatchError
from tilerummy.play.record import Record
from tilerummy.play.refusals import GameRefused
from tilerummy.play.shuffle import SHUFFLE_VERSION, SeedError
from tilerummy.play.views import View, view

Choose: TypeAlias = Callable[[Game], Turn]
"""Returns the turn of the seat that is to move."""


def play_turns(
    game: Game,
    choose: Choose,
    can_play: CanPlay,
    *,
    now: int = 0,
    turn_time: int = 0,
    trusted: bool = False,
) -> Iterator[tuple[Game, tuple[Event, ...]]]:
    """Play a game to its end; yields the game after each turn, and the events of the turn.

    The first turn ends at `now + turn_time`, each later one `turn_time` milliseconds after the
    one before. `trusted` is that of `Game.apply`. Raises Refused for a turn that is not allowed.
    """
    while game.phase is Phase.PLAYING:
        now += turn_time
        game, events = game.apply(choose(game), now, can_play, trusted=trusted)
        yield game, events


class MatchDriver:
    """One match at one table: deals its games, applies commands and keeps the record.

    Not thread-safe. The caller supplies the time and the secrets of the dealer.
    """

    def __init__(self, match: Match, can_play: CanPlay) -> None:
        self.match = match
        self.record = Record.of(match)
        self.game: Game | None = None
        self._can_play = can_play

    def new_game(
        self,
        secret: str,
        now: int,
        seeds: Mapping[int, str] | None = None,
        shuffle_version: int = SHUFFLE_VERSION,
    ) -> Game:
        """Deal the next game of the match.

        `seeds` are those of seats with their own; all others share the dealer's device. Raises
        MatchError while a game is on or when the match is over, and Refused for a bad seed.
        """
        if self.game is not None and self.game.phase is not Phase.OVER:
            raise MatchError("the game is not over yet", key="error.match.not-over")
        if self.match.is_over:
            raise MatchError("the match is over", key="error.match.over")
        if self.game is not None and self.game.last is not None:
            now = max(now, self.game.last.at)
        game, events = Game.create(
            self.match.edition,
            self.match.players,
            secret=secret,
            now=now,
            number=len(self.match.results) + 1,
            starter=self.match.next_starter(),
            shuffle_version=shuffle_version,
        )
        for command in _setup(game, seeds or {}):
            game, more = game.apply(command, now, self._can_play)
            events += more
        self._keep(game, events)
        return game

    def apply(self, command: Command, now: int) -> Game:
        """Apply a command to the current game. Raises Refused, and changes nothing then."""
        game, events = self._current().apply(command, now, self._can_play)
        self._keep(game, events)
        return game

    def turns(self, choose: Choose, *, now: int = 0, turn_time: int = 0) -> Iterator[Game]:
        """Play the current game to its end; yields the game after each turn."""
        start = self._current()
        for game, events in play_turns(start, choose, self._can_play, now=now, turn_time=turn_time):
            self._keep(game, events)
            yield game

    def view(self, seat: int | None) -> View:
        """What a seat, or a spectator, may know. Raises MatchError before the first game."""
        return view(self._current(), seat)

    def _current(self) -> Game:
        if self.game is None:
            raise MatchError("no game has been dealt yet", key="error.match.no-game")
        return self.game

    def _keep(self, game: Game, events: tuple[Event, ...]) -> None:
        self.game = game
        self.record = self.record.with_events(events)
        if game.phase is Phase.OVER and game.result is not None:
            self.match = self.match.with_result(game.result, game.starter)


def _setup(game: Game, seeds: Mapping[int, str]) -> list[Command]:
    """The commands that deal a game with these seeds. Raises Refused for a bad seed."""
    if game.shuffle_version == 1:
        return [*(GiveSeed(seat, seed) for seat, seed in seeds.items()), Start()]
    try:
        commits = [
            Commit(seat, seat_commitment(game.transcript, seat, seed))
            for seat, seed in seeds.items()
        ]
    except SeedError as error:
        raise GameRefused("bad-seed", str(error)) from error
    reveals = [Reveal(seat, seed) for seat, seed in seeds.items()]
    local = tuple([seat for seat in range(len(game.players)) if seat not in seeds])
    return [*commits, FixCommitments(local), *reveals, Start()]
