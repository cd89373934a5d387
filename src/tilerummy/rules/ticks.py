"""Cooperative cancellation: how a caller ends a long enumeration of the rules.

The rules have no clock. Where a question can take long, they call the `Tick` that they were given
at every step, and the caller raises from there what it wants to catch.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

T = TypeVar("T")

Tick = Callable[[], None]
"""Called at every step of a long search; it raises to end the search."""


def ticking(items: Iterable[T], tick: Tick | None) -> Iterable[T]:
    """The same items, with a tick before each of them."""
    return items if tick is None else _ticking(items, tick)


def _ticking(items: Iterable[T], tick: Tick) -> Iterator[T]:
    for item in items:
        tick()
        yield item
