"""The match: rounds of games, their results and the standing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from unicodedata import category

from tilerummy.rules.editions import Edition
from tilerummy.rules.errors import TileRummyError, quoted
from tilerummy.rules.scores import Result, Standing, standing


class MatchError(TileRummyError):
    """A request that does not fit the state of the match, or invalid players or rounds."""

    code = "bad-match"


LONGEST_STORED_NAME = 40
MOST_ROUNDS = 1000
BAD_CATEGORIES = frozenset({"Cc", "Cs", "Zl", "Zp"})
BIDI_CONTROLS = frozenset("\u202a\u202b\u202d\u202e\u2066\u2067\u2068")
"""Bidirectional controls: they would also reverse the text after a name."""


def check_names(players: Sequence[str]) -> None:
    """Raise MatchError unless each name is short, not empty and safe to display.

    This is what records and stores may contain, whenever they were written. `names.chosen` judges
    the names that people choose now."""
    for name in players:
        if not 1 <= len(name) <= LONGEST_STORED_NAME:
            raise MatchError(
                "the name '{name}' has {length} characters: give it 1 to {most}",
                code="bad-name",
                key="error.match.name-length",
                name=quoted(name),
                length=len(name),
                most=LONGEST_STORED_NAME,
            )
        if BIDI_CONTROLS & set(name) or any(category(letter) in BAD_CATEGORIES for letter in name):
            raise MatchError(
                "the name '{name}' contains a control character, a line break or an incomplete "
                "character",
                code="bad-name",
                key="error.match.name-characters",
                name=quoted(name),
            )


@dataclass(frozen=True, slots=True, repr=False)
class Match:
    """A fixed number of rounds, each with as many games as the edition says.

    Immutable: `with_result` returns the match after one more game. Raises MatchError for invalid
    players or rounds.
    """

    edition: Edition
    players: tuple[str, ...]
    rounds: int = 1
    results: tuple[Result, ...] = ()
    last_starter: int | None = None
    """The seat that began the last finished game, if known."""

    def __repr__(self) -> str:
        return (
            f"<Match {self.edition.name}, {', '.join(self.players)}, "
            f"{len(self.results)} of {self.games_agreed} games>"
        )

    def __post_init__(self) -> None:
        low, high = self.edition.players_min, self.edition.players_max
        if not low <= len(self.players) <= high:
            raise MatchError(
                "{edition} is for {low} to {high} players, not {count}",
                code="bad-players",
                key="error.match.players",
                edition=self.edition.name,
                low=low,
                high=high,
                count=len(self.players),
            )
        check_names(self.players)
        if not 1 <= self.rounds <= MOST_ROUNDS:
            raise MatchError(
                "a match has 1 to {most} rounds, not {rounds}",
                key="error.match.rounds",
                rounds=self.rounds,
                most=MOST_ROUNDS,
            )

    @property
    def games_per_round(self) -> int:
        """How many games make a round."""
        agreed = self.edition.match_games_per_round
        return len(self.players) if isinstance(agreed, str) else agreed

    @property
    def games_agreed(self) -> int:
        """How many games make the match, without games that break a tie."""
        return self.rounds * self.games_per_round

    @property
    def is_over(self) -> bool:
        """Whether all games are played; `extra_game` adds games until one player leads alone."""
        if len(self.results) < self.games_agreed:
            return False
        return self.edition.match_final_tie == "shared" or len(self.standing.leaders) == 1

    @property
    def round_number(self) -> int:
        """The round of the next game, from 1."""
        return min(len(self.results) // self.games_per_round, self.rounds - 1) + 1

    @property
    def standing(self) -> Standing:
        """The totals, wins and leaders so far."""
        return standing(self.edition, len(self.players), self.results)

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats that have won the match; empty until it is over."""
        return self.standing.leaders if self.is_over else ()

    def with_result(self, result: Result, starter: int | None = None) -> Match:
        """The match after one more game. Raises MatchError."""
        if self.is_over:
            raise MatchError("the match is over", key="error.match.over")
        if len(result.scores) != len(self.players):
            raise MatchError(
                "{count} scores for {players} players",
                key="error.score.count",
                count=len(result.scores),
                players=len(self.players),
            )
        return replace(self, results=(*self.results, result), last_starter=starter)

    def next_starter(self) -> int | None:
        """The seat that begins the next game, or None if tiles are drawn for it."""
        rule = self.edition.match_next_starter
        if not self.results or rule == "draw":
            return None
        if rule == "winner":
            winners = self.results[-1].winners
            return winners[0] if winners else None
        if self.last_starter is None:
            return None
        return (self.last_starter + self.edition.step) % len(self.players)
