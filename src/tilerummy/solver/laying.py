"""From faces back to tiles: which physical tile lies where on the new table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations, product

from tilerummy.rules.editions import Edition
from tilerummy.rules.jokers import LaidRow, joker_problem, lay
from tilerummy.rules.openings import openings_from
from tilerummy.rules.position import Position
from tilerummy.rules.rows import Faces, Kind, is_ambiguous, reader
from tilerummy.rules.tiles import FACES, JOKER, Face, Row, Table, faces_of
from tilerummy.rules.turns import has_joker_rules, judge_turn
from tilerummy.solver.step import is_group

Laid = tuple[Table, Row, int]


def lay_tiles(
    position: Position,
    before: Sequence[LaidRow],
    rows: Sequence[Faces],
    opening: Sequence[Faces] = (),
) -> Laid:
    """The new table in tiles, the tiles played, and how many old rows were left alone.

    `before` is the table of the position as it was read, `opening` the rows laid first, if known.
    """
    if max(position.rack, default=0) < FACES and all(row.tiles == row.faces for row in before):
        return _lay_faces(position, *match_rows([row.faces for row in before], rows))
    if not position.manipulation:
        return _lay_added(position, before, rows)
    goes_on = not position.opened and position.edition.initial_same_turn_manipulation
    for opened_with in _openings(position, rows) if goes_on and not opening else [opening]:
        laid = _lay_after(position, before, rows, opened_with)
        if laid is not None and (not goes_on or not laid[1] or _is_legal(position, laid[0])):
            return laid
    raise AssertionError("the referee agreed to this table")


def _openings(position: Position, rows: Sequence[Faces]) -> Iterator[tuple[Faces, ...]]:
    """What may have been laid first where the turn then went on."""
    yield ()
    played = Counter(face for row in rows for face in row)
    played.subtract(tile % FACES for row in position.table for tile in row)
    for _, opening in openings_from(position.edition, +played):
        yield opening


def _by_face(tiles: Sequence[int]) -> dict[Face, list[int]]:
    """The tiles of each face, the first of them last: where they are taken from."""
    found: dict[Face, list[int]] = {}
    for tile in reversed(tiles):
        found.setdefault(tile % FACES, []).append(tile)
    return found


def _lay_added(position: Position, before: Sequence[LaidRow], rows: Sequence[Faces]) -> Laid:
    """As `lay_tiles` where rows are only added to: the first rows are the old ones, in order."""
    rack = _by_face(position.rack)
    table: list[Row] = []
    for number, row in enumerate(rows):
        old = position.table[number] if number < len(before) else ()
        if number < len(before) and row == before[number].faces:
            table.append(old)
            continue
        added = Counter(row) - Counter(tile % FACES for tile in old)
        new = [rack[face].pop() for face in added.elements()]
        table.append(_arranged(position.edition, old, row, new))
    played = sorted(
        {tile for row in table for tile in row} - {tile for row in position.table for tile in row},
        key=lambda tile: (tile % FACES, tile),
    )
    kept = (Counter(position.table) & Counter(table)).total()
    standing = set(position.table)
    return tuple(sorted(table, key=lambda row: row not in standing)), tuple(played), kept


def _arranged(edition: Edition, old: Row, row: Faces, new: list[int]) -> Row:
    """The tiles of a longer row, so that the old ones mean what they meant."""
    for places in combinations(range(len(row)), len(old)):
        for own in (old, old[::-1]):
            laid: list[int | None] = [None] * len(row)
            for place, tile in zip(places, own, strict=True):
                laid[place] = tile
            left = list(new)
            for place, face in enumerate(row):
                fitting = [tile for tile in left if tile % FACES == face]
                if laid[place] is None and fitting:
                    left.remove(fitting[0])
                    laid[place] = fitting[0]
            tiles = tuple([tile for tile in laid if tile is not None])
            if faces_of(tiles) == row and (not old or _only_added(edition, old, tiles)):
                return tiles
    raise AssertionError("the referee agreed to this row")


def _only_added(edition: Edition, old: Row, tiles: Row) -> bool:
    added = set(tiles) - set(old)
    return judge_turn(
        edition, opened=True, rack=added, before=[old], after=[tiles], manipulation=False
    ).legal


def _is_legal(position: Position, table: Table, declared: Mapping[Row, Kind] | None = None) -> bool:
    verdict = judge_turn(
        position.edition,
        opened=position.opened,
        rack=position.rack,
        before=position.table,
        after=table,
        declared_before=position.declared,
        declared=declared,
        manipulation=position.manipulation,
    )
    return verdict.legal


def _lay_after(
    position: Position,
    before: Sequence[LaidRow],
    rows: Sequence[Faces],
    opening: Sequence[Faces],
) -> Laid | None:
    """As `lay_tiles`, the opening known; None where the joker rules do not agree to it."""
    kept, new_rows = match_rows([row.faces for row in before], rows)
    rest = [row for number, row in enumerate(before) if number not in kept]
    places = _places(position.edition, rest, new_rows, opening)
    if places is None:  # equal tiles have to change places with those of rows left alone
        kept, new_rows, rest = [], list(rows), list(before)
        places = _places(position.edition, rest, new_rows, opening)
        if places is None:
            return None
    old_tiles = [tile for row in rest for tile in row.tiles]
    faces = [face for row in new_rows for face in row]
    laid: list[int | None] = [None] * len(faces)
    for source, place in places.items():
        if source < len(old_tiles):
            laid[place] = old_tiles[source]
    rack = _by_face(position.rack)
    played = []
    for place, face in enumerate(faces):
        if laid[place] is None:
            tile = rack[face].pop()
            laid[place] = tile
            played.append(tile)
    tiles = iter([tile for tile in laid if tile is not None])
    table = [position.table[number] for number in kept]
    table += [tuple([next(tiles) for _ in row]) for row in new_rows]
    standing = Counter(position.table) & Counter(table)
    table.sort(key=lambda row: row not in standing)  # rows left alone come first
    played.sort(key=lambda tile: (tile % FACES, tile))
    return tuple(table), tuple(played), standing.total()


def _lay_faces(position: Position, kept: list[int], new_rows: list[Faces]) -> Laid:
    """As `lay_tiles` where nobody knows which copy is which: any will do."""
    played = Counter(face for row in new_rows for face in row)
    for number, row in enumerate(position.table):
        if number not in kept:
            played.subtract(row)
    table = [position.table[number] for number in kept]
    return (*table, *new_rows), tuple(sorted(played.elements())), len(kept)


def match_rows(before: Sequence[Faces], after: Iterable[Faces]) -> tuple[list[int], list[Faces]]:
    """Old rows that lie on the new table as they were, by number, and the new rows without them."""
    standing: dict[Faces, list[int]] = {}
    for number in reversed(range(len(before))):
        standing.setdefault(_key(before[number]), []).append(number)
    kept, new_rows = [], []
    for row in after:
        numbers = standing.get(_key(row))
        if numbers:
            kept.append(numbers.pop())
        else:
            new_rows.append(row)
    return sorted(kept), new_rows


def _key(row: Faces) -> Faces:
    """Equal for rows that mean the same: order matters only around the jokers of a run."""
    return row if max(row) >= JOKER and not is_group(row) else tuple(sorted(row))


def _places(
    edition: Edition, before: Sequence[LaidRow], rows: Sequence[Faces], opening: Sequence[Faces]
) -> dict[int, int] | None:
    """For each tile of the old rows its place on the new table, as the joker rules allow."""
    read = reader(edition).readings
    old = lay([(row.faces, row.readings) for row in before] + [(row, read(row)) for row in opening])
    new = lay([(row, read(row)) for row in rows])
    together = _together(old, new)
    if not has_joker_rules(edition) or not any(row.jokers() for row in old):
        return together
    problem = joker_problem(edition, old, new, len(opening))
    wished = replace(problem, domains={tile: frozenset({at}) for tile, at in together.items()})
    return together if wished.solvable() else problem.matching()


def _together(old: Sequence[LaidRow], new: Sequence[LaidRow]) -> dict[int, int]:
    """Places such that tiles that lay side by side stay together where they can."""
    tiles = [Counter(row.faces) for row in old]
    free = [Counter(row.faces) for row in new]
    pairs = sorted(
        (-(tiles[a] & free[b]).total(), a, b) for a in range(len(old)) for b in range(len(new))
    )
    gone: dict[int, int] = {}
    taken: set[int] = set()
    for common, a, b in pairs:
        if not common:
            break
        for index, face in enumerate(old[a].faces):
            if old[a].at(index) in gone:
                continue
            for place in sorted(new[b].places(face) - taken):
                gone[old[a].at(index)] = place
                taken.add(place)
                break
    return gone


def declarations(position: Position, table: Table) -> dict[Row, Kind]:
    """What ambiguous rows of the new table shall mean, where the edition asks for it."""
    if position.edition.joker_declare != "explicit":
        return {}
    read = reader(position.edition).readings
    known = {row: kind for row, kind in position.declared.items() if row in table}
    asked = [
        (row, [reading.kind for reading in readings])
        for row in table
        if row not in known
        and is_ambiguous(faces := tuple([tile % FACES for tile in row]), readings := read(faces))
    ]
    for kinds in product(*(kinds for _, kinds in asked)):
        declared = known | {row: kind for (row, _), kind in zip(asked, kinds, strict=True)}
        if _is_legal(position, table, declared):
            return declared
    return known
