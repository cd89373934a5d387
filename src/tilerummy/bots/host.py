"""Keeping a match going: deals game after game, applies turns, and writes everything down."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from tilerummy.bots.protocol import Bot
from tilerummy.play.commands import Command, GiveSeed, Start
from tilerummy.play.endings import CanPlay
from tilerummy.play.game import Game, Phase
from tilerummy.play.match import Match, MatchError
from tilerummy.play.record import Record
from tilerummy.play.views import View, view


class Host:
    """One match at one table. Not thread-safe; the caller brings the clock and the secrets."""

    def __init__(self, match: Match, can_play: CanPlay) -> None:
        self.match = match
        self.record = Record.of(match)
        self.game: Game | None = None
        self._can_play = can_play

    def new_game(self, secret: str, now: int, seeds: Mapping[int, str] | None = None) -> Game:
        """Deal the next game of the match."""
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
        )
        setup: list[Command] = [GiveSeed(seat, seed) for seat, seed in (seeds or {}).items()]
        for command in (*setup, Start()):
            game, more = game.apply(command, now, self._can_play)
            events += more
        self.game = game
        self.record = self.record.with_events(events)
        return game

    def apply(self, command: Command, now: int) -> Game:
        """Apply a command to the game that is on. Raises Refused, and changes nothing then."""
        if self.game is None:
            raise MatchError("no game has been dealt yet", key="error.match.no-game")
        self.game, events = self.game.apply(command, now, self._can_play)
        self.record = self.record.with_events(events)
        if self.game.phase is Phase.OVER and self.game.result is not None:
            self.match = self.match.with_result(self.game.result, self.game.starter)
        return self.game

    def view(self, seat: int | None) -> View:
        if self.game is None:
            raise MatchError("no game has been dealt yet", key="error.match.no-game")
        return view(self.game, seat)


def play_match(
    host: Host,
    bots: list[Bot],
    secrets: Callable[[], str],
    *,
    turn_time: int = 1000,
    on_game: Callable[[Host], None] | None = None,
) -> None:
    """Let bots play a whole match, a fixed time a turn."""
    now = 0
    while not host.match.is_over:
        game = host.new_game(secrets(), now)
        for seat, bot in enumerate(bots):
            bot.start(host.view(seat))
        while game.phase is Phase.PLAYING:
            now += turn_time
            turn = bots[game.current].choose(host.view(game.current))
            game = host.apply(turn, now)
            for seat, bot in enumerate(bots):
                bot.see(host.view(seat))
        if on_game is not None:
            on_game(host)
