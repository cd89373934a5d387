"""Experiments: exact counts of hands, and many simulated games. Pure."""

from tilerummy.lab.greedy import Outcome, Watch, deal_tiles, greedy_games, play_greedily
from tilerummy.lab.hands import HandCount, count_hands

__all__ = [
    "HandCount",
    "Outcome",
    "Watch",
    "count_hands",
    "deal_tiles",
    "greedy_games",
    "play_greedily",
]
