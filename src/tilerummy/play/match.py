"""A match: rounds of games, and who has won."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from tilerummy.rules.editions import Edition
from tilerummy.rules.errors import TileRummyError
from tilerummy.rules.scores import Result, Standing, standing


class MatchError(TileRummyError):
    """Something that does not fit the state of the match."""

    code = "bad-match"


@dataclass(frozen=True, slots=True)
class Match:
    """Rounds agreed beforehand, each of as many games as the edition says.

    Immutable: `with_result` gives the match after one more game.
    """

    edition: Edition
    players: tuple[str, ...]
    rounds: int = 1
    results: tuple[Result, ...] = ()
    starters: tuple[int, ...] = field(default=())
    """Who began each finished game, where known."""

    def __post_init__(self) -> None:
        low, high = self.edition.players_min, self.edition.players_max
        if not low <= len(self.players) <= high:
            raise MatchError(
                f"{len(self.players)} players: {self.edition.name} takes {low} to {high}",
                code="bad-players",
            )
        if not 1 <= self.rounds <= 1000:
            raise MatchError(f"{self.rounds} rounds: play 1 to 1000")

    @property
    def games_per_round(self) -> int:
        agreed = self.edition.match_games_per_round
        return len(self.players) if isinstance(agreed, str) else agreed

    @property
    def games_agreed(self) -> int:
        return self.rounds * self.games_per_round

    @property
    def is_over(self) -> bool:
        """All games are played; with `extra_game` a shared first place goes on game by game."""
        if len(self.results) < self.games_agreed:
            return False
        return self.edition.match_final_tie == "shared" or len(self.standing.leaders) == 1

    @property
    def round_number(self) -> int:
        """The round of the next game, from 1."""
        return min(len(self.results) // self.games_per_round, self.rounds - 1) + 1

    @property
    def standing(self) -> Standing:
        return standing(self.edition, len(self.players), self.results)

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats that have won the match; empty while it goes on."""
        return self.standing.leaders if self.is_over else ()

    def with_result(self, result: Result, starter: int | None = None) -> Match:
        if self.is_over:
            raise MatchError("the match is over")
        if len(result.scores) != len(self.players):
            raise MatchError(f"{len(result.scores)} scores for {len(self.players)} players")
        starters = self.starters if starter is None else (*self.starters, starter)
        return replace(self, results=(*self.results, result), starters=starters)

    def without_last_result(self) -> Match:
        """Take the last game back, for a score entered wrongly."""
        if not self.results:
            raise MatchError("no game has been entered yet")
        kept = len(self.results) - 1
        return replace(self, results=self.results[:kept], starters=self.starters[:kept])

    def next_starter(self) -> int | None:
        """The seat that begins the next game, or None where tiles are drawn for it."""
        rule = self.edition.match_next_starter
        if not self.results or rule == "draw":
            return None
        if rule == "winner":
            winners = self.results[-1].winners
            return winners[0] if winners else None
        if not self.starters:
            return None
        step = 1 if self.edition.direction == "cw" else -1
        return (self.starters[-1] + step) % len(self.players)
