"""Scores of a game and the standing of a match. Every game sums to zero."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from tilerummy.rules.editions import Edition
from tilerummy.rules.errors import TileRummyError
from tilerummy.rules.tiles import NUMBER, Tile, faces_of


class ScoreError(TileRummyError):
    """Scores that cannot come from a game."""

    code = "bad-score"


class Ending(StrEnum):
    """Which rule ended a game. Where several apply, the first one counts."""

    OUT = "out"  # a player laid the last tile
    NOBODY_CAN = "nobody_can"  # proven: no player at the table can play
    FIRST_UNABLE = "first_unable"  # proven: the player to move cannot play
    FINAL_ROUND = "final_round"  # its turns are used up, or a player in it cannot play
    ALL_PASSED = "all_passed"  # a full round without a play


@dataclass(frozen=True, slots=True)
class Result:
    """The result of a game: a score for each seat, and the seats credited with a win.

    Raises ScoreError if the scores do not sum to zero.
    """

    scores: tuple[int, ...]
    winners: tuple[int, ...]
    blocked: bool
    end: Ending | None = None
    """None where it is not known, as on a score pad."""

    def __post_init__(self) -> None:
        if sum(self.scores) != 0:
            raise ScoreError(
                "the scores of a game sum to zero, but {scores} sum to {total}",
                key="error.score.sum",
                scores=self.scores,
                total=sum(self.scores),
            )


@dataclass(frozen=True, slots=True)
class Rack:
    """The rack of a player at the end of a game, reduced to what the score depends on."""

    points: int
    tiles: int


def rack_points(edition: Edition, tiles: Iterable[Tile]) -> int:
    """The points of a rack: the sum of its numbers, and `joker.rack_penalty` for each joker."""
    return sum([NUMBER[face] or edition.joker_rack_penalty for face in faces_of(tiles)])


def rack_left(edition: Edition, tiles: Sequence[Tile], *, opened: bool = True) -> Rack:
    """The rack at the end of a game; `tournament.unopened_penalty` weighs on the unopened."""
    extra = 0 if opened else edition.tournament_unopened_penalty
    return Rack(rack_points(edition, tiles) + extra, len(tiles))


def score_out(racks: Sequence[Rack], winner: int) -> Result:
    """The result when `winner` went out: the other seats lose the points of their racks to it.

    `racks` are those at the end, by seat. Raises ScoreError if `winner` is not one of the seats.
    """
    if not 0 <= winner < len(racks):
        raise ScoreError(
            "there is no seat {seat} among {players} players",
            key="error.score.seat",
            seat=winner,
            players=len(racks),
        )
    scores = [-rack.points for rack in racks]
    scores[winner] = 0
    scores[winner] = -sum(scores)
    return Result(tuple(scores), (winner,), blocked=False, end=Ending.OUT)


def score_blocked(
    edition: Edition, racks: Sequence[Rack], starter: int = 0, end: Ending | None = None
) -> Result:
    """The result when nobody went out: the lowest rack wins, the others lose the difference.

    With several lowest racks `blocked_tie` decides: they split the pot, odd points going around
    the table from `starter`; or the one with the fewest tiles wins; or nobody scores. `end` is the
    rule that ended the game. Raises ValueError without racks.
    """
    lowest = min(rack.points for rack in racks)
    tied = [seat for seat, rack in enumerate(racks) if rack.points == lowest]
    if len(tied) > 1 and edition.blocked_tie == "no_score":
        return Result((0,) * len(racks), (), blocked=True, end=end)
    winners = tied
    if edition.blocked_tie == "fewest_tiles":
        fewest = min(racks[seat].tiles for seat in tied)
        winners = [seat for seat in tied if racks[seat].tiles == fewest]
    scores = [lowest - rack.points for rack in racks]
    share, odd = divmod(-sum(scores), len(winners))
    around = [(starter + edition.step * n) % len(racks) for n in range(len(racks))]
    for seat in around:
        if seat in winners:
            scores[seat] += share + (odd > 0)
            odd -= odd > 0
    return Result(tuple(scores), tuple(sorted(winners)), blocked=True, end=end)


def score_end(edition: Edition, racks: Sequence[Rack], starter: int, end: Ending) -> Result:
    """The result of a game that ended by this rule. Who went out is who has no tiles left."""
    if end is Ending.OUT:
        return score_out(racks, [rack.tiles for rack in racks].index(0))
    return score_blocked(edition, racks, starter, end)


@dataclass(frozen=True, slots=True)
class Standing:
    """The standing of all seats after some games."""

    totals: tuple[int, ...]
    wins: tuple[int, ...]
    ranking: tuple[tuple[int, ...], ...]
    """Seats from first to last place; seats that share a place stand together."""

    @property
    def leaders(self) -> tuple[int, ...]:
        """The seats in first place."""
        return self.ranking[0]


def standing(edition: Edition, players: int, results: Iterable[Result]) -> Standing:
    """The standing of `players` seats after these results.

    Most games won comes first, then the higher total (`match.winner` may swap the two).
    Raises ScoreError for a result of another number of seats.
    """
    totals, wins = [0] * players, [0] * players
    for result in results:
        if len(result.scores) != players:
            raise ScoreError(
                "{count} scores for {players} players",
                key="error.score.count",
                count=len(result.scores),
                players=players,
            )
        for seat, score in enumerate(result.scores):
            totals[seat] += score
            wins[seat] += seat in result.winners
    merit = [
        (wins[seat], totals[seat])
        if edition.match_winner == "games"
        else (totals[seat], wins[seat])
        for seat in range(players)
    ]
    places = sorted(set(merit), reverse=True)
    ranking = tuple(
        tuple(seat for seat in range(players) if merit[seat] == place) for place in places
    )
    return Standing(tuple(totals), tuple(wins), ranking)
