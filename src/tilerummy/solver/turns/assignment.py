"""Assignment: from faces back to tiles, which physical tile lies where on the new table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain, combinations

from tilerummy.rules.declarations import NOTHING_DECLARED, Declaration
from tilerummy.rules.editions import Edition
from tilerummy.rules.jokers import LaidRow, has_joker_rules, joker_problem, lay
from tilerummy.rules.namings import ways
from tilerummy.rules.openings import Opening, openings_from
from tilerummy.rules.orders import best_order
from tilerummy.rules.position import Position
from tilerummy.rules.quick_jokers import QuickJokers, survives_at
from tilerummy.rules.rows import Faces, reader
from tilerummy.rules.ticks import Tick, ticking
from tilerummy.rules.tiles import (
    FACE_OF,
    Face,
    Row,
    Table,
    Tile,
    are_unidentified,
    faces_of,
    has_joker,
    sorted_tiles,
    unidentified,
)
from tilerummy.rules.turns import judge_turn
from tilerummy.solver.turns.meanings import Meaning, all_meanings, asks, statements
from tilerummy.solver.turns.row_matching import match_rows

LaidTable = tuple[Table, Row, int]
"""The new table, the tiles played, and how many old rows were left alone."""


def lay_tiles(
    position: Position,
    before: Sequence[LaidRow],
    rows: Sequence[Faces],
    opening: Opening = (),
    tick: Tick | None = None,
) -> tuple[LaidTable, dict[Row, Declaration]]:
    """Return the new table in tiles, and what has to be declared of it.

    `before` is the table of the position as it was read, `opening` the rows laid first, if known.
    Raises what `tick` raises.
    """
    goes_on = not position.opened and position.edition.initial_same_turn_manipulation
    if goes_on:
        # Only the minimum counts for the referee, but a player counts the rows that lie there.
        richest = _richest(position.edition, before, rows)
        found = None if richest == list(rows) else _lay(position, before, richest, opening, tick)
        if found is not None:
            return found
    found = _lay(position, before, rows, opening, tick)
    if found is None:
        raise AssertionError("the referee agreed to this table")
    return found


def lay_beside(
    position: Position, before: Sequence[LaidRow], rows: Sequence[Faces], tick: Tick | None = None
) -> tuple[LaidTable, dict[Row, Declaration]] | None:
    """As `lay_tiles` where the table stays as it is, which is quick; None where it does not.

    Rows that only come to lie beside the table are judged on an empty one: nothing that was there
    before can speak against them.
    """
    kept, new_rows = match_rows([row.faces for row in before], rows)
    if len(kept) < len(before):
        return None
    rack = _by_face(position.rack)
    new = tuple([tuple([rack[face].pop() for face in row]) for row in new_rows])
    played = sorted_tiles(tile for row in new for tile in row)
    alone = replace(position, table=(), declared={})
    found = _declared(alone, (new, played, 0), tick)
    if found is None:
        return None
    return (position.table + new, played, len(kept)), {**position.declared, **found[1]}


def _richest(edition: Edition, before: Sequence[LaidRow], rows: Sequence[Faces]) -> list[Faces]:
    """The rows, those with jokers that are new in the order in which they are worth most."""
    _, new_rows = match_rows([row.faces for row in before], rows)
    new = Counter(row for row in new_rows if has_joker(row))
    found = []
    for row in rows:
        order = best_order(edition, row) if new[row] else None
        new[row] -= order is not None
        found.append(row if order is None else order)
    return found


def _lay(
    position: Position,
    before: Sequence[LaidRow],
    rows: Sequence[Faces],
    opening: Opening,
    tick: Tick | None,
) -> tuple[LaidTable, dict[Row, Declaration]] | None:
    """As `lay_tiles`; None where no laying of these rows is legal."""
    said = asks(position.edition, before)
    goes_on = not position.opened and position.edition.initial_same_turn_manipulation
    if are_unidentified([*position.rack, *chain.from_iterable(position.table)]):
        laid = _lay_faces(position, *match_rows([row.faces for row in before], rows))
        return _declared(position, laid, tick) if said or goes_on else (laid, {})
    if not position.manipulation:
        return _declared(position, _lay_added(position, before, rows, tick), tick)
    for opened_with in _openings(position, rows, tick) if goes_on and not opening else [opening]:
        for laid, statements_ in _lay_after(position, before, rows, opened_with, tick):
            if not laid[1] or not (said or goes_on):
                return laid, {}
            found = _declared(position, laid, tick, statements_)
            if found is not None:
                return found
    return None


def _declared(
    position: Position,
    laid: LaidTable,
    tick: Tick | None,
    first: Mapping[Row, Declaration] = NOTHING_DECLARED,
) -> tuple[LaidTable, dict[Row, Declaration]] | None:
    """The laid table with what has to be declared of it; None where nothing makes it legal.

    `first` is what the search assumed when it laid the tiles.
    """
    table = laid[0]
    if not laid[1]:
        return laid, {}
    asked = [row for row in table if row not in {*position.table}]
    for declared in ticking(_ways_to_tell(position, table, first, asked, tick), tick):
        verdict = judge_turn(position, table, declared, tick)
        if verdict.legal:
            return laid, verdict.declared
    return None


def _ways_to_tell(
    position: Position,
    table: Table,
    first: Mapping[Row, Declaration],
    asked: Sequence[Row],
    tick: Tick | None,
) -> Iterator[dict[Row, Declaration]]:
    """What may be declared of the asked rows, what was assumed of them first."""
    yield dict(first)
    yield _filled(position, table, first, tick)
    yield from statements(position.edition, asked, tick)


def _filled(
    position: Position, table: Table, first: Mapping[Row, Declaration], tick: Tick | None
) -> dict[Row, Declaration]:
    """What was said, and of every row that is still open its most valuable meaning."""
    verdict = judge_turn(position, table, first, tick)
    declared = dict(first)
    for reason in verdict.reasons:
        if reason.code == "undeclared":
            faces = faces_of(reason.tiles)
            best = ways(position.edition, faces)[0]
            explicit = position.edition.joker_declare == "explicit"
            declared[reason.tiles] = best.names if explicit else best.kind
    return declared


def _openings(position: Position, rows: Sequence[Faces], tick: Tick | None) -> Iterator[Opening]:
    """What may have been laid first where the turn then went on."""
    yield ()
    played = Counter(face for row in rows for face in row)
    played.subtract(FACE_OF[tile] for row in position.table for tile in row)
    for _, opening in openings_from(position.edition, +played, tick):
        yield opening


def _by_face(tiles: Sequence[Tile]) -> dict[Face, list[Tile]]:
    """The tiles of each face, the first of them last: where they are taken from."""
    found: dict[Face, list[Tile]] = {}
    for tile in reversed(tiles):
        found.setdefault(FACE_OF[tile], []).append(tile)
    return found


def _lay_added(
    position: Position, before: Sequence[LaidRow], rows: Sequence[Faces], tick: Tick | None
) -> LaidTable:
    """As `lay_tiles` where rows are only added to: the first rows are the old ones, in order."""
    rack = _by_face(position.rack)
    table: list[Row] = []
    for number, row in enumerate(rows):
        old = position.table[number] if number < len(before) else ()
        if number < len(before) and row == before[number].faces:
            table.append(old)
            continue
        added = Counter(row) - Counter(FACE_OF[tile] for tile in old)
        new = [rack[face].pop() for face in added.elements()]
        table.append(_arranged(position, old, row, new, tick))
    played = sorted(
        {tile for row in table for tile in row} - {tile for row in position.table for tile in row},
        key=lambda tile: (FACE_OF[tile], tile),
    )
    kept = (Counter(position.table) & Counter(table)).total()
    standing = set(position.table)
    return tuple(sorted(table, key=lambda row: row not in standing)), tuple(played), kept


def _arranged(position: Position, old: Row, row: Faces, new: list[Tile], tick: Tick | None) -> Row:
    """The tiles of a longer row, so that the old ones mean what they meant."""
    for places in ticking(combinations(range(len(row)), len(old)), tick):
        for own in (old, old[::-1]):
            laid: list[Tile | None] = [None] * len(row)
            for place, tile in zip(places, own, strict=True):
                laid[place] = tile
            left = list(new)
            for place, face in enumerate(row):
                fitting = [tile for tile in left if FACE_OF[tile] == face]
                if laid[place] is None and fitting:
                    left.remove(fitting[0])
                    laid[place] = fitting[0]
            tiles = tuple([tile for tile in laid if tile is not None])
            if faces_of(tiles) == row and (not old or _only_added(position, old, tiles, tick)):
                return tiles
    raise AssertionError("the referee agreed to this row")


def _only_added(position: Position, old: Row, tiles: Row, tick: Tick | None) -> bool:
    added = tuple(set(tiles) - set(old))
    alone = replace(position, table=(old,), rack=added, opened=True, manipulation=False)
    return judge_turn(alone, (tiles,), tick=tick).legal


def _lay_after(
    position: Position,
    before: Sequence[LaidRow],
    rows: Sequence[Faces],
    opening: Opening,
    tick: Tick | None,
) -> Iterator[tuple[LaidTable, dict[Row, Declaration]]]:
    """As `lay_tiles`, the opening known: every laying to which the joker rules agree.

    Mostly the first will do. Equal tiles may have to change places with those of rows left alone:
    of one such row if that is enough, else of any.
    """
    kept, new_rows = match_rows([row.faces for row in before], rows)
    found = False
    for released in chain([()], combinations(kept, 1)):
        standing = [number for number in kept if number not in released]
        rest = [row for number, row in enumerate(before) if number not in standing]
        laid_rows = [*new_rows, *[before[number].faces for number in released]]
        for places, chosen in _places(position.edition, rest, laid_rows, opening, tick):
            found = True
            yield _laid(position, standing, rest, laid_rows, places, chosen)
        if found:
            break
    if not found or asks(position.edition, before):
        whole = list(rows)
        for places, chosen in _places(position.edition, before, whole, opening, tick):
            yield _laid(position, [], before, whole, places, chosen)


def _laid(
    position: Position,
    kept: Sequence[int],
    rest: Sequence[LaidRow],
    new_rows: Sequence[Faces],
    places: Mapping[int, int],
    chosen: Sequence[Meaning],
) -> tuple[LaidTable, dict[Row, Declaration]]:
    """The tiles in their places, those of the rack in the places that are left."""
    old_tiles = [tile for row in rest for tile in row.tiles]
    faces = [face for row in new_rows for face in row]
    laid: list[Tile | None] = [None] * len(faces)
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
    new = [tuple([next(tiles) for _ in row]) for row in new_rows]
    said = {row: meant.said for row, meant in zip(new, chosen, strict=True) if meant.said}
    table += new
    standing = Counter(position.table) & Counter(table)
    table.sort(key=lambda row: row not in standing)  # rows left alone come first
    played.sort(key=lambda tile: (FACE_OF[tile], tile))
    return (tuple(table), tuple(played), standing.total()), said


def _lay_faces(position: Position, kept: list[int], new_rows: list[Faces]) -> LaidTable:
    """As `lay_tiles` for unidentified tiles: any copy will do."""
    laid = [unidentified(row) for row in new_rows]
    played = Counter(tile for row in laid for tile in row)
    for number, row in enumerate(position.table):
        if number not in kept:
            played.subtract(row)
    table = [position.table[number] for number in kept]
    return (*table, *laid), tuple(sorted(played.elements())), len(kept)


def _places(
    edition: Edition,
    before: Sequence[LaidRow],
    rows: Sequence[Faces],
    opening: Opening,
    tick: Tick | None,
) -> Iterator[tuple[dict[int, int], tuple[Meaning, ...]]]:
    """For each tile of the old rows its place on the new table, as the joker rules allow.

    One answer for each meaning of the new rows that allows any.
    """
    old = lay(
        [(unidentified(row.faces), row.readings) for row in before]
        + [(unidentified(row.row), row.readings) for row in opening]
    )
    read = reader(edition).readings
    silent = tuple([Meaning(read(row)) for row in rows])
    new = lay([(unidentified(row), read(row)) for row in rows])
    together = _together(old, new)
    if not has_joker_rules(edition) or not any(row.jokers() for row in old):
        yield together, silent
        return
    if not asks(edition, before) and _is_quickly_legal(edition, old, new, together):
        yield together, silent
        return
    marked = [*before, *old[len(before) :]]
    wish = {tile: frozenset({at}) for tile, at in together.items()}
    spoken = all_meanings(edition, rows, marked, tick) if asks(edition, before) else [silent]
    for chosen in spoken:
        new = lay(
            [(unidentified(row), meant.readings) for row, meant in zip(rows, chosen, strict=True)]
        )
        problem = joker_problem(edition, old, new, len(opening), tick=tick)
        if replace(problem, domains=wish).solvable():
            yield together, chosen
        else:
            places = problem.matching()
            if places is not None:
                yield places, chosen


def _is_quickly_legal(
    edition: Edition, old: Sequence[LaidRow], new: Sequence[LaidRow], places: Mapping[int, int]
) -> bool:
    """Whether the joker rules certainly allow these places of the tiles."""
    gone = [
        number
        for number, row in enumerate(old)
        if has_joker(row.faces) and not _lies_whole(row, new, places)
    ]
    if not gone:
        return True
    quick, rows = QuickJokers(edition, old), [row.faces for row in new]
    return quick.frees(gone, rows) or quick.allows_anywhere(rows)


def _lies_whole(row: LaidRow, new: Sequence[LaidRow], places: Mapping[int, int]) -> bool:
    """Whether a row lies whole in a new one, by these places of its tiles."""
    at = [places[source] for source in row.span if source in places]
    target = next((other for other in new if at and at[0] in other.span), None)
    if target is None or len(at) < len(row.faces):
        return False
    inside = all(place in target.span for place in at)
    return inside and survives_at(row.faces, target.faces, at)


def _together(old: Sequence[LaidRow], new: Sequence[LaidRow]) -> dict[int, int]:
    """Places such that tiles that lay side by side stay together where they can."""
    pairs = sorted(
        [
            (-_common(one.faces, other.faces), a, b)
            for a, one in enumerate(old)
            for b, other in enumerate(new)
        ]
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


def _common(one: Faces, other: Faces) -> int:
    """How many tiles two rows have in common."""
    shared = {*one} & {*other}
    if not shared:
        return 0
    return sum([min(one.count(face), other.count(face)) for face in shared])
