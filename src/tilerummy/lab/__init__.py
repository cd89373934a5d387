"""Experiments: exact counts of hands, and many games: tournaments, statistics, datasets.

from tilerummy import edition
from tilerummy.lab import Tournament, scoreboard_of

tournament = Tournament(edition("classic"), (("solver", "simple"),), seed=1)
results = [tournament.play(task) for task in tournament.tasks(deals=100)]
board = scoreboard_of(tournament, results)
"""

from tilerummy.lab.errors import LabError
from tilerummy.lab.estimates import Estimate
from tilerummy.lab.game_summary import GameSummary, summaries_of
from tilerummy.lab.greedy import Outcome, Watch, deal_tiles, greedy_games, play_greedily
from tilerummy.lab.hands import HandCount, count_hands
from tilerummy.lab.line_ups import pair_line_ups, seatings
from tilerummy.lab.scoreboard import Scoreboard, scoreboard_of
from tilerummy.lab.stats import GameStats, stats_of
from tilerummy.lab.tournament import DealResult, Task, Tournament

__all__ = [
    "DealResult",
    "Estimate",
    "GameStats",
    "GameSummary",
    "HandCount",
    "LabError",
    "Outcome",
    "Scoreboard",
    "Task",
    "Tournament",
    "Watch",
    "count_hands",
    "deal_tiles",
    "greedy_games",
    "pair_line_ups",
    "play_greedily",
    "scoreboard_of",
    "seatings",
    "stats_of",
    "summaries_of",
]
