"""Named jokers in a turn: the names they keep, and what the player still has to declare.

A joker that was named on the old table keeps its name where that fits its new row.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from tilerummy.rules.declarations import (
    Way,
    carried_ways,
    declaration_text,
    distinct,
    is_open,
    several_jokers,
)
from tilerummy.rules.editions import Edition
from tilerummy.rules.matching import Place, Source
from tilerummy.rules.reasons import Reason
from tilerummy.rules.rows import is_ambiguous, reader
from tilerummy.rules.tiles import IS_WILD, Row, Tile, faces_of
from tilerummy.rules.turn_rows import DeclaredRow, ReadRow, name_jokers

MOST_NAMINGS = 3
"""The most possible namings of a row that a reason lists."""


def joker_pins(before: list[ReadRow], after: list[Row]) -> Iterator[dict[Source, Place]]:
    """Yield every assignment of the named jokers to places on the new table.

    There is only one where tiles have ids.
    """
    sources = []
    first = 0
    for row in before:
        sources += [(first + index, row.tiles[index]) for index in row.named]
        first += len(row.tiles)
    places: dict[Tile, list[Place]] = {}
    for place, tile in enumerate([tile for row in after for tile in row]):
        places.setdefault(tile, []).append(place)

    def choose(
        left: list[tuple[Source, Tile]], taken: dict[Source, Place]
    ) -> Iterator[dict[Source, Place]]:
        if not left:
            yield dict(taken)
            return
        (source, tile), *rest = left
        free = [place for place in places.get(tile, ()) if place not in taken.values()]
        if not free:  # the joker has left the table, which is a reason of its own
            yield from choose(rest, taken)
        for place in free:
            yield from choose(rest, {**taken, source: place})

    yield from choose(sources, {})


def carry_names(
    edition: Edition,
    before: list[ReadRow],
    declared: list[DeclaredRow],
    pins: Mapping[Source, Place],
    *,
    asked: bool,
) -> tuple[list[ReadRow], list[Reason]]:
    """Read the rows of the new table; jokers keep their names where these fit.

    With `asked`, a row that lacks a declaration is a reason against the turn.
    """
    names = {}
    first = 0
    for row in before:
        names.update({first + index: name for index, name in row.named.items()})
        first += len(row.tiles)
    brought = {place: names[source] for source, place in pins.items()}
    undeclared = Counter(row.tiles for row in before if _lacks_declaration(edition, row))
    found: list[ReadRow] = []
    reasons: list[Reason] = []
    first = 0
    for new in declared:
        span = range(first, first + len(new.tiles))
        first += len(new.tiles)
        faces = faces_of(new.tiles)
        if new.ways is None:
            found.append(ReadRow(new.tiles, reader(edition).readings(faces)))
            continue
        own = {place - span.start: brought[place] for place in span if place in brought}
        left = carried_ways(faces, new.ways, own)
        found.append(name_jokers(edition, new, left, own))
        if asked and not new.faults:
            if undeclared[new.as_laid] and new.said is None and left == new.ways:
                undeclared[new.as_laid] -= 1  # unchanged, so it needs no declaration now
            else:
                reasons += _undeclared(edition, new, left)
    return found, reasons


def _undeclared(edition: Edition, row: DeclaredRow, left: tuple[Way, ...]) -> list[Reason]:
    """The reason against a row whose declaration leaves more than one meaning, if it does."""
    faces = faces_of(row.tiles)
    kinds = dict.fromkeys(way.kind for way in left)
    if edition.joker_declare == "kind" and len(kinds) > 1:
        if is_ambiguous(faces, reader(edition).readings(faces)):
            return [Reason("undeclared", row.as_laid, {"readings": " / ".join(kinds)})]
    elif edition.joker_declare == "explicit" and several_jokers(faces) and is_open(faces, left):
        options = [declaration_text(way.names) for way in distinct(faces, left)]
        more = ["…"] if len(options) > MOST_NAMINGS else []
        shown = " / ".join([*options[:MOST_NAMINGS], *more])
        return [Reason("undeclared", row.as_laid, {"readings": shown})]
    return []


def _lacks_declaration(edition: Edition, row: ReadRow) -> bool:
    """Whether a row of the old table needs a kind, or names of its jokers, and has none."""
    faces = faces_of(row.tiles)
    if edition.joker_declare == "kind":
        return row.said is None and is_ambiguous(faces, row.readings)
    if edition.joker_declare != "explicit" or not several_jokers(faces):
        return False
    return len(row.named) < sum(IS_WILD[face] for face in faces)
