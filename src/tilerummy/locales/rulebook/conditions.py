"""Conditions on an edition, as data: `{"joker.reuse" = "any", "box.D" = {ge = 1}}`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tilerummy.rules.editions import Edition, option_value
from tilerummy.rules.tiles import IS_SPECIAL, JOKER_LETTERS


def holds(when: Mapping[str, Any] | Sequence[Mapping[str, Any]], edition: Edition) -> bool:
    """All entries of a table hold together; a list of tables asks for one of them."""
    if isinstance(when, Mapping):
        return all(_fits(fact(edition, key), wanted) for key, wanted in when.items())
    return any(holds(alternative, edition) for alternative in when)


def fact(edition: Edition, key: str) -> object:
    """The value of an option, the name of the edition, or how many jokers the box holds.

    An option without a value is `null`.
    """
    if key == "edition":
        return edition.name
    if not key.startswith("box."):
        value = option_value(edition, key)
        return "null" if value is None else value
    name = key.removeprefix("box.")
    if name == "jokers":
        return sum(edition.jokers)
    if name == "specials":
        return sum(edition.jokers_where(IS_SPECIAL))
    return edition.jokers[JOKER_LETTERS.index(name)]


def _fits(value: object, wanted: object) -> bool:
    if isinstance(wanted, Mapping):
        compare = {"ge": int.__ge__, "le": int.__le__}
        return isinstance(value, int) and all(
            compare[name](value, bound) for name, bound in wanted.items()
        )
    if isinstance(wanted, list):
        return any(_fits(value, one) for one in wanted)
    # True == 1 in Python, but not in a rule book.
    return type(value) is type(wanted) and value == wanted
