"""Tournaments of bots on paired deals: every deal is played in all seatings of every line-up."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from tilerummy import __version__
from tilerummy.bots.protocol import Budget
from tilerummy.bots.roster import BOTS
from tilerummy.bots.spec import Style
from tilerummy.lab.bot_games import DEFAULT_NODES, DEFAULT_SAMPLES, DealKey, play_bots
from tilerummy.lab.errors import LabError
from tilerummy.lab.fingerprints import fingerprint
from tilerummy.lab.game_summary import GameSummary, summarise
from tilerummy.lab.line_ups import LineUp, check_line_up, seatings
from tilerummy.play.events import Event
from tilerummy.rules.editions import Edition, edition


class Task(NamedTuple):
    """One deal at one table: the smallest piece of a tournament."""

    deal: int
    table: int
    """The number of the line-up."""


class DealResult(NamedTuple):
    """The games of one task, one for each seating."""

    deal: int
    table: int
    games: tuple[GameSummary, ...]


@dataclass(frozen=True, slots=True)
class Tournament:
    """Everything that decides the games of a tournament, except how many deals are played.

    The same tournament gives the same games on any machine and any number of workers. Raises
    LabError for an unknown bot or a wrong number of players.
    """

    edition: Edition
    line_ups: tuple[LineUp, ...]
    pairs: bool = False
    """Whether the line-ups are those of a cross table: one bot against another."""
    seed: int = 1
    nodes: int = DEFAULT_NODES
    samples: int = DEFAULT_SAMPLES
    search_every: int = 1
    """Line-ups with a bot that searches play one deal in so many: a search is dear."""

    def __post_init__(self) -> None:
        if not self.line_ups:
            raise LabError("name the bots that play", key="error.lab.no-bots")
        for line_up in self.line_ups:
            check_line_up(self.edition, line_up)

    @property
    def bots(self) -> tuple[str, ...]:
        """The different bots, in the order given."""
        return tuple(dict.fromkeys(bot for line_up in self.line_ups for bot in line_up))

    @property
    def budget(self) -> Budget:
        """What one decision may cost; without seconds, so that it is the same everywhere."""
        return Budget(nodes=self.nodes, samples=self.samples)

    @property
    def players(self) -> int:
        """The number of seats at a table."""
        return len(self.line_ups[0])

    def deals_for(self, games: int) -> int:
        """The number of deals that give each line-up at least so many games, if it plays all."""
        fewest = min(len(seatings(line_up)) for line_up in self.line_ups)
        return -(-games // fewest)

    def tasks(self, deals: int) -> Iterator[Task]:
        """All tasks in their order: deal by deal, each at every table that plays it."""
        searching = [any(map(searches, line_up)) for line_up in self.line_ups]
        for deal in range(deals):
            for table, is_dear in enumerate(searching):
                if not is_dear or deal % self.search_every == 0:
                    yield Task(deal, table)

    def play(self, task: Task) -> DealResult:
        """Play one deal at one table, in every seating."""
        key = DealKey(self.seed, task.deal)
        games = [self._game(seating, key) for seating in seatings(self.line_ups[task.table])]
        return DealResult(task.deal, task.table, tuple(games))

    def _game(self, seating: LineUp, key: DealKey) -> GameSummary:
        events: list[Event] = []
        for _, more in play_bots(self.edition, seating, key, self.budget):
            events += more
        summary = summarise(seating, events, self.edition.step)
        assert summary is not None, "the driver plays to the end"
        return summary

    def to_json(self) -> dict[str, Any]:
        """As a dictionary, ready for JSON, with the version of everything that plays."""
        return {
            "version": __version__,
            "edition": self.edition.name,
            "options": self.edition.changed_options(),
            "line_ups": [list(line_up) for line_up in self.line_ups],
            "pairs": self.pairs,
            "seed": self.seed,
            "nodes": self.nodes,
            "samples": self.samples,
            "search_every": self.search_every,
            "bots": {bot: fingerprint(bot, self.edition, self.budget) for bot in self.bots},
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Tournament:
        """The tournament of `to_json`. Raises LabError, or KeyError for missing fields."""
        return cls(
            edition(data["edition"], data["options"]),
            tuple(map(tuple, data["line_ups"])),
            data["pairs"],
            data["seed"],
            data["nodes"],
            data["samples"],
            data.get("search_every", 1),
        )


def searches(bot: str) -> bool:
    """Whether a bot plays games out before each turn: its games take far longer."""
    return BOTS[bot].style is Style.SEARCHES
