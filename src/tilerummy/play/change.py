"""Values that never change, and how to get one that is a little different."""

from __future__ import annotations

from typing import Any, TypeVar, cast

T = TypeVar("T")


def changed(value: T, /, **changes: Any) -> T:
    """As `dataclasses.replace` for frozen classes with slots, but quicker: nothing is checked."""
    kind = type(value)
    new = object.__new__(kind)
    put = object.__setattr__
    for name in cast(Any, kind).__slots__:
        put(new, name, changes[name] if name in changes else getattr(value, name))
    return new


def put(items: tuple[T, ...], index: int, item: T) -> tuple[T, ...]:
    """The same items but one."""
    return (*items[:index], item, *items[index + 1 :])
