"""Cooperative cancellation: how a caller ends a long enumeration of the rules.

The rules have no clock. Where a question can take long, they call the `Tick` that they were given
at every step, and the caller raises from there what it wants to catch.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from typing import Generic, TypeVar

T = TypeVar("T")
A = TypeVar("A", bound=Hashable)
B = TypeVar("B", bound=Hashable)

Tick = Callable[[], None]
"""Called at every step of a long search; it raises to end the search."""


def ticking(items: Iterable[T], tick: Tick | None) -> Iterable[T]:
    """The same items, with a tick before each of them."""
    return items if tick is None else _ticking(items, tick)


def every(count: int, tick: Tick | None) -> Tick | None:
    """A tick for steps that are much smaller than others: so many of them are one step."""
    if tick is None:
        return None
    done = 0

    def small() -> None:
        nonlocal done
        done += 1
        if done % count == 0:
            tick()

    return small


def spend(tick: Tick | None, steps: int) -> None:
    """Tick for work of that many steps, before it is done."""
    if tick is not None:
        for _ in range(steps):
            tick()


def _ticking(items: Iterable[T], tick: Tick) -> Iterator[T]:
    for item in items:
        tick()
        yield item


class TickedCache(Generic[A, B, T]):
    """A cache for a function of two arguments and a tick. The tick is not part of the key, and
    nothing is kept of a call that it ends. A full cache is emptied."""

    def __init__(self, function: Callable[[A, B, Tick | None], T], most: int) -> None:
        self._function = function
        self._most = most
        self._known: dict[tuple[A, B], T] = {}

    def __call__(self, a: A, b: B, tick: Tick | None) -> T:
        key = (a, b)
        try:
            return self._known[key]
        except KeyError:
            pass
        found = self._function(a, b, tick)
        if len(self._known) >= self._most:
            self._known.clear()
        self._known[key] = found
        return found

    def clear(self) -> None:
        """Forget everything."""
        self._known.clear()
