"""What can be found out about the game by counting. Pure."""

from tilerummy.lab.hands import HandCount, count_hands

__all__ = ["HandCount", "count_hands"]
