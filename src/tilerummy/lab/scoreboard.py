"""The scoreboard of a tournament: win rates, points, ratings, and the cross table of all pairs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import NamedTuple, TypeAlias

from tilerummy.lab.estimates import DIGITS, Estimate, mean_of, share_of
from tilerummy.lab.game_summary import GameSummary
from tilerummy.lab.ratings import Rating, rate
from tilerummy.lab.stats import GameStats, stats_of
from tilerummy.lab.tournament import DealResult, Tournament

Measure: TypeAlias = Callable[[GameSummary, int], float]
"""What a player at a place got out of a game."""


class Standing(NamedTuple):
    """One bot of a tournament."""

    bot: str
    games: int
    """Games it was measured in; one in which it has several seats counts once."""
    wins: Estimate
    points: Estimate
    """Points per game and seat."""
    rating: Rating


class Cell(NamedTuple):
    """How one bot does against another."""

    bot: str
    against: str
    games: int
    share: Estimate


@dataclass(frozen=True, slots=True)
class Scoreboard:
    """The result of a tournament after some deals."""

    tournament: Tournament
    deals: int
    games: int
    standings: tuple[Standing, ...]
    """From strong to weak, by the share of wins."""
    cells: tuple[Cell, ...]
    """Every pair of different bots, in both directions.

    In a cross table: the share of wins of a bot alone against the other one. Otherwise: the share
    of games in which it scores more than the other one at the same table, ties counted half.
    """
    stats: GameStats
    running: tuple[tuple[str, tuple[float, ...]], ...]
    """For each bot the share of wins after more and more deals."""

    @property
    def fair_share(self) -> float:
        """What a bot wins among equals."""
        return 1 / self.tournament.players

    def cell(self, bot: str, against: str) -> Cell | None:
        """How a bot does against another; None for itself."""
        return next((c for c in self.cells if (c.bot, c.against) == (bot, against)), None)

    def worst_case(self, bot: str) -> Cell | None:
        """The opponent against whom a bot does worst; None without opponents."""
        own = [cell for cell in self.cells if cell.bot == bot]
        return min(own, key=lambda cell: cell.share.mean, default=None)

    def to_json(self) -> dict[str, object]:
        """As a dictionary, ready for JSON. The same tournament and deals give the same bytes."""
        return {
            "tournament": self.tournament.to_json(),
            "deals": self.deals,
            "games": self.games,
            "fair_share": round(self.fair_share, DIGITS),
            "standings": [
                {
                    "bot": row.bot,
                    "games": row.games,
                    "wins": row.wins.to_json(),
                    "points": row.points.to_json(),
                    "rating": {
                        "mu": round(row.rating.mu, 3),
                        "sigma": round(row.rating.sigma, 3),
                        "cautious": round(row.rating.cautious, 3),
                    },
                    "worst_case": None
                    if (worst := self.worst_case(row.bot)) is None
                    else worst.against,
                }
                for row in self.standings
            ],
            "pairs": [
                {
                    "bot": cell.bot,
                    "against": cell.against,
                    "games": cell.games,
                    "share": cell.share.to_json(),
                }
                for cell in self.cells
            ],
            "stats": self.stats.to_json(),
        }


def scoreboard_of(tournament: Tournament, results: Sequence[DealResult]) -> Scoreboard:
    """The scoreboard of the results.

    Raises ValueError without any result, and ImportError without OpenSkill.
    """
    deals = _by_deal(results)
    games = [game for result in results for game in result.games]
    ratings = rate(tournament.bots, games)
    standings = []
    running = []
    for bot in tournament.bots:
        measured = [
            [g for result in deal for g in _measured(tournament, result, bot)] for deal in deals
        ]
        wins = _per_deal(measured, bot, GameSummary.win_share)
        points = _per_deal(measured, bot, lambda game, place: game.scores[place])
        count = sum(map(len, measured))
        standings.append(Standing(bot, count, share_of(wins), mean_of(points), ratings[bot]))
        running.append((bot, _running(wins)))
    standings.sort(key=lambda row: (-row.wins.mean, -row.points.mean))
    order = {row.bot: number for number, row in enumerate(standings)}
    return Scoreboard(
        tournament,
        len(deals),
        len(games),
        tuple(standings),
        tuple(_cells(tournament, deals, [row.bot for row in standings])),
        stats_of([[game for result in deal for game in result.games] for deal in deals]),
        tuple(sorted(running, key=lambda item: order[item[0]])),
    )


def _by_deal(results: Sequence[DealResult]) -> list[list[DealResult]]:
    found: dict[int, list[DealResult]] = {}
    for result in results:
        found.setdefault(result.deal, []).append(result)
    return list(found.values())


def _measured(tournament: Tournament, result: DealResult, bot: str) -> tuple[GameSummary, ...]:
    """The games that tell the strength of a bot: in a cross table those that it plays alone."""
    line_up = tournament.line_ups[result.table]
    seats = line_up.count(bot)
    return result.games if seats == 1 or (seats and not tournament.pairs) else ()


def _per_deal(deals: Sequence[Sequence[GameSummary]], bot: str, measure: Measure) -> list[float]:
    """The mean over all seats of a bot, for each deal in which it was measured."""
    found = []
    for games in deals:
        values = [measure(game, place) for game in games for place in _places(game, bot)]
        if values:
            found.append(fmean(values))
    return found


def _places(game: GameSummary, bot: str) -> list[int]:
    return [place for place, player in enumerate(game.players) if player == bot]


def _running(values: Sequence[float], points: int = 200) -> tuple[float, ...]:
    """The mean of the first deals, of more deals, … of all deals, in at most so many steps."""
    total, sums = 0.0, []
    for number, value in enumerate(values, 1):
        total += value
        sums.append(total / number)
    steps = min(points, len(sums))
    return tuple(sums[len(sums) * step // steps - 1] for step in range(1, steps + 1))


def _cells(
    tournament: Tournament, deals: Sequence[Sequence[DealResult]], bots: Sequence[str]
) -> Iterator[Cell]:
    for bot in bots:
        for other in bots:
            if other != bot:
                yield _cell(tournament, deals, bot, other)


def _cell(
    tournament: Tournament, deals: Sequence[Sequence[DealResult]], bot: str, other: str
) -> Cell:
    met = [
        [
            game
            for result in deal
            if other in tournament.line_ups[result.table]
            for game in _measured(tournament, result, bot)
        ]
        for deal in deals
    ]
    measure = GameSummary.win_share if tournament.pairs else _ahead_of(other)
    return Cell(bot, other, sum(map(len, met)), share_of(_per_deal(met, bot, measure)))


def _ahead_of(other: str) -> Measure:
    def measure(game: GameSummary, place: int) -> float:
        """The share of the seats of the other bot that score less, ties counted half."""
        own = game.scores[place]
        rivals = [game.scores[rival] for rival in _places(game, other)]
        return fmean([(own > score) + (own == score) / 2 for score in rivals])

    return measure
