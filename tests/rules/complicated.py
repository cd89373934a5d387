"""Turns that take many steps to judge, each for another reason, and simple ones beside them."""

from __future__ import annotations

from typing import Any, TypeAlias

from tests.copies import Copies
from tilerummy.rules import namings, orders
from tilerummy.rules.declarations import Declared
from tilerummy.rules.editions import edition
from tilerummy.rules.position import Position
from tilerummy.rules.rows import Kind
from tilerummy.rules.tiles import Table, parse_table

Turn: TypeAlias = tuple[Position, Table, Declared]

MANY_JOKERS = {"copies": 4, "jokers": "J4 D4 C4 M4", "set.min_natural": 0}


def forget() -> None:
    """Empty the caches, as what was judged before takes fewer steps."""
    orders._known_orders.clear()
    namings._known_ways.clear()


def turn(
    name: str,
    options: dict[str, Any],
    after: str,
    *,
    before: str = "",
    opened: bool = True,
    declared: Kind | None = None,
) -> Turn:
    """All tiles of the new table that are not on the old one come from the rack."""
    old, table = Copies().table(parse_table(before)), Copies().table(parse_table(after))
    standing = {tile for row in old for tile in row}
    rack = tuple([tile for row in table for tile in row if tile not in standing])
    said = {} if declared is None else dict.fromkeys(table, declared)
    return Position(edition(name, options), old, rack, opened), table, said


SIMPLE = [
    turn("classic", {}, "r1 r2 r3 / b4 b5 b6 / r10 b10 J", before="r1 r2 r3"),
    turn("classic", {}, "r1 r2 r3", opened=False),
    turn("sabra", {}, "b4 J b6 / k10 k11 k12 / r10 b10 o10", before="b4 J b6", opened=False),
    turn("twist", {}, "r1 r2 C b4 M b4 C r2 r1 / D k3 k4 / o9 o10 J"),
    turn("twist", {"joker.declare": "kind"}, "r8 J J / b1 b2 b3", declared=Kind.RUN),
]
COMPLICATED = {
    "namings": turn("twist", MANY_JOKERS, "J C J C J C J C", declared=Kind.RUN),
    "order": turn(
        "twist", {**MANY_JOKERS, "set.order": "normalise"}, "C J C D C D J r3 b8 r3 r7 b6 M"
    ),
    "mirrors": turn("twist", MANY_JOKERS, "C C D M C C D / J C J M C J C / C J C M C J C"),
    "opening": turn(
        "sabra",
        {"hand_size": 25, "initial.min": 50},
        "r1 r2 r3 r4 r5 r6 r7 J / b1 b2 b3 b4 b5 b6 / k1 k2 k3 k4 k5 k6 / o1 o2 o3 o4 o5",
        before="k5 J o5 / r1 r2 r3",
        opened=False,
    ),
}
