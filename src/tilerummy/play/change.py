"""Values that never change, and how to get one that is a little different."""

from __future__ import annotations

from typing import Any, TypeVar

T = TypeVar("T")


def changed(value: T, /, **changes: Any) -> T:
    """As `dataclasses.replace` for classes without slots, but quicker: nothing is checked."""
    new = object.__new__(type(value))
    new.__dict__.update(value.__dict__, **changes)
    return new


def put(items: tuple[T, ...], index: int, item: T) -> tuple[T, ...]:
    """The same items but one."""
    return (*items[:index], item, *items[index + 1 :])
