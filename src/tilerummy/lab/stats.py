"""Statistics of games: how long they last, when players open, who has the better seat, the end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean, median
from typing import NamedTuple

from tilerummy.lab.estimates import DIGITS, Estimate, share_of
from tilerummy.lab.game_summary import GameSummary
from tilerummy.rules.scores import Ending

MOST_NAMES = 12
"""With more different players, nobody can read who sits behind whom."""


class Spread(NamedTuple):
    """The distribution of a count, in a few figures."""

    mean: float
    least: int
    tenth: int
    median: float
    ninetieth: int
    most: int

    @classmethod
    def of(cls, counts: Mapping[int, int]) -> Spread | None:
        """The spread of a histogram; None if it is empty."""
        values = sorted(Counter(counts).elements())
        if not values:
            return None
        last = len(values) - 1
        tenth, ninetieth = values[round(last / 10)], values[round(9 * last / 10)]
        return cls(fmean(values), values[0], tenth, median(values), ninetieth, values[-1])

    def to_json(self) -> dict[str, float]:
        """As a dictionary, ready for JSON."""
        return {name: round(value, DIGITS) for name, value in self._asdict().items()}


class Behind(NamedTuple):
    """How often a player wins when another one moves just before it."""

    player: str
    before: str
    games: int
    wins: Estimate


@dataclass(frozen=True, slots=True)
class GameStats:
    """What some games have in common."""

    games: int
    turns: Mapping[int, int]
    """How many games took so many turns of all players."""
    opened: Mapping[int, int]
    """How many players opened in this turn of their own."""
    never_opened: int
    ends: Mapping[Ending, int]
    places: Mapping[int, tuple[Estimate, ...]]
    """By the number of players: the share of wins of each place in the order of play."""
    behind: tuple[Behind, ...]

    def to_json(self) -> dict[str, object]:
        """As a dictionary, ready for JSON."""
        turns, opened = Spread.of(self.turns), Spread.of(self.opened)
        return {
            "games": self.games,
            "turns": None if turns is None else turns.to_json(),
            "turns_histogram": {str(turn): self.turns[turn] for turn in sorted(self.turns)},
            "opened": None if opened is None else opened.to_json(),
            "opened_histogram": {str(turn): self.opened[turn] for turn in sorted(self.opened)},
            "never_opened": self.never_opened,
            "ends": {end.value: self.ends[end] for end in Ending if end in self.ends},
            "places": {
                str(players): [share.to_json() for share in shares]
                for players, shares in sorted(self.places.items())
            },
            "behind": [
                {
                    "player": item.player,
                    "before": item.before,
                    "games": item.games,
                    "wins": item.wins.to_json(),
                }
                for item in self.behind
            ],
        }


def stats_of(deals: Iterable[Sequence[GameSummary]]) -> GameStats:
    """The statistics of these games. Games of one deal stand together, for honest intervals."""
    groups = [group for group in deals if group]
    known = [game for group in groups for game in group]
    opened = Counter(turn for game in known for turn in game.opened)
    never = opened.pop(None, 0)
    return GameStats(
        games=len(known),
        turns=Counter(game.turns for game in known),
        opened={turn: count for turn, count in opened.items() if turn is not None},
        never_opened=never,
        ends=Counter(game.end for game in known),
        places=_places(groups),
        behind=_behind(groups),
    )


def _places(groups: Sequence[Sequence[GameSummary]]) -> dict[int, tuple[Estimate, ...]]:
    shares: dict[int, list[list[float]]] = {}
    for group in groups:
        for players in {len(game.players) for game in group}:
            same = [game for game in group if len(game.players) == players]
            places = shares.setdefault(players, [[] for _ in range(players)])
            for place, values in enumerate(places):
                values.append(fmean([game.win_share(place) for game in same]))
    return {players: tuple(map(share_of, places)) for players, places in sorted(shares.items())}


def _behind(groups: Sequence[Sequence[GameSummary]]) -> tuple[Behind, ...]:
    """Who wins how often behind whom, for tables of three or more: with two there is no choice."""
    means: dict[tuple[str, str], list[float]] = {}
    games: Counter[tuple[str, str]] = Counter()
    for group in groups:
        shares: dict[tuple[str, str], list[float]] = {}
        for game in group:
            if len(game.players) > 2:
                for place, player in enumerate(game.players):
                    pair = (player, game.players[place - 1])
                    shares.setdefault(pair, []).append(game.win_share(place))
        for pair, values in shares.items():
            means.setdefault(pair, []).append(fmean(values))
            games[pair] += len(values)
    if len({player for player, _ in means}) > MOST_NAMES:
        return ()
    return tuple(
        Behind(player, before, games[player, before], share_of(values))
        for (player, before), values in sorted(means.items())
    )
