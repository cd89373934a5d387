"""A budget of bytes that all connections of a node share."""

from __future__ import annotations


class ByteBudget:
    def __init__(self, most: int) -> None:
        self.most = most
        self.used = 0

    def take(self, size: int) -> bool:
        """Reserve bytes. Returns False, and reserves nothing, if there are not enough."""
        if self.used + size > self.most:
            return False
        self.used += size
        return True

    def give_back(self, size: int) -> None:
        self.used -= size
