"""The joker rules applied to a turn: why they forbid it, if they do.

`jokers` states the rules; here they meet the rows of both tables.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence

from tilerummy.rules.editions import Edition
from tilerummy.rules.jokers import (
    NEW_SET_RACK_TILES,
    NO_PINS,
    LaidRow,
    has_joker_rules,
    has_only_reuse_rule,
    joker_problem,
)
from tilerummy.rules.matching import Place, Source
from tilerummy.rules.quick_jokers import QuickJokers, only_locks_bind, survives_at
from tilerummy.rules.reasons import Reason
from tilerummy.rules.rows import reader, stands_for
from tilerummy.rules.table_changes import unmatched
from tilerummy.rules.ticks import Tick
from tilerummy.rules.tiles import IS_JOKER, Table, are_unidentified, face_of, faces_of
from tilerummy.rules.turn_rows import ReadRow, laid_rows


def joker_reasons(
    edition: Edition,
    before: list[ReadRow],
    after: list[ReadRow],
    opening: Sequence[ReadRow] = (),
    pins: Mapping[Source, Place] = NO_PINS,
    tick: Tick | None = None,
) -> list[Reason]:
    """Return the objections of the joker rules. Every row has to be a set.

    `opening` rows were laid in this same turn, as faces. `pins` says where named jokers lie.
    """
    if not _rules_apply(edition, [*before, *opening]):
        return []
    count = len(opening)
    if not pins:
        old, new = _changed(before, after)
        if not opening and _obviously_obeys(edition, old, new):
            return []
        if _obviously_keeps_locks(edition, old, new, opening):
            return []
        first = [*old, *opening]
        if joker_problem(edition, laid_rows(first), laid_rows(new), count, tick=tick).solvable():
            return []
    # Equal tiles without ids may also change places with those of rows that look unchanged.
    old_rows, new_rows = laid_rows([*before, *opening]), laid_rows(after)
    return joker_problem(edition, old_rows, new_rows, count, pins, tick).broken()


def keeps_joker_rules(edition: Edition, before: Table, after: Table) -> bool:
    """Whether the joker rules allow a turn of an opened player, with every tile where it lies.

    True is certain, for rows that have no declarations. False says little.
    """
    read = reader(edition).readings_of_tiles
    standing = {*before} & {*after}
    if len({*before}) < len(before) or len({*after}) < len(after):
        standing = set()  # equal rows without ids
    old = [ReadRow(row, read(row)) for row in before if row not in standing]
    new = [ReadRow(row, read(row)) for row in after if row not in standing]
    if not all(row.readings for row in (*old, *new)):
        return False
    if has_only_reuse_rule(edition):
        return _obviously_obeys(edition, old, new)
    return joker_problem(edition, laid_rows(old), laid_rows(new)).solvable()


def _obviously_obeys(edition: Edition, old: list[ReadRow], new: list[ReadRow]) -> bool:
    """Whether the rows that changed obey the joker rules, without a search for identities.

    With ids each tile has one place, so the rule on re-use needs no search. False means only that
    this is not obvious: equal tiles without ids, other rules, or a rule that is broken.
    """
    joker_rows = [row for row in old if row.readings[0].stands]
    if not joker_rows:
        return True
    tiles = [tile for row in old for tile in row.tiles]
    row_of = {tile: row for row in new for tile in row.tiles}
    one_each = {*tiles}
    if not has_only_reuse_rule(edition) or len(one_each) < len(tiles):
        return False
    if len(row_of) < sum([len(row.tiles) for row in new]) or not one_each <= row_of.keys():
        return False
    for row in joker_rows:
        sources = [row] if edition.joker_reuse == "other_set" else old
        for place, _ in row.readings[0].stands:
            joker = row.tiles[place]
            target = row_of[joker]
            there = stands_for(target.readings, target.tiles.index(joker))
            if not stands_for(row.readings, place).isdisjoint(there):
                continue  # it still stands for a tile that it may have been
            if any(_moved_whole(source, target) for source in sources):
                return False
            if edition.joker_reuse == "new_set_rack2":
                new_tiles = sum([tile not in one_each for tile in target.tiles])
                if new_tiles < NEW_SET_RACK_TILES:
                    return False
    return True


def _obviously_keeps_locks(
    edition: Edition, old: list[ReadRow], new: list[ReadRow], opening: Sequence[ReadRow]
) -> bool:
    """Whether every locked row that changed lies whole in a new one or is freed, at a glance.

    False means only that this is not obvious, or that there are other rules.
    """
    if not only_locks_bind(edition) or edition.joker_declare != "position":
        return False
    if any(row.said is not None for row in (*old, *new)):
        return False
    before = laid_rows([*old, *opening])
    quick, rows = QuickJokers(edition, before), [faces_of(row.tiles) for row in new]
    laid = [tile for row in new for tile in row.tiles]
    if are_unidentified(laid):
        return quick.verdict(rows, 0) is True
    if len({*laid}) < len(laid) or _has_joker(opening):
        return False
    changed = [number for number, row in enumerate(old) if row.readings[0].stands]
    gone = [n for n in changed if not any(_lies_whole(before[n], target) for target in new)]
    return quick.frees(gone, rows)


def _lies_whole(row: LaidRow, target: ReadRow) -> bool:
    """Whether the tiles of an old row lie in a new one, so that its jokers stay what they were."""
    tiles = target.tiles
    if not {*row.tiles} <= {*tiles}:
        return False
    return survives_at(row.faces, faces_of(tiles), [tiles.index(tile) for tile in row.tiles])


def _moved_whole(source: ReadRow, target: ReadRow) -> bool:
    """Whether the numbered tiles of an old row, if at least two, all lie in this new one."""
    numbered = [tile for tile in source.tiles if not IS_JOKER[face_of(tile)]]
    return len(numbered) >= 2 and all(tile in target.tiles for tile in numbered)


def _changed(before: list[ReadRow], after: list[ReadRow]) -> tuple[list[ReadRow], list[ReadRow]]:
    """Both tables without the rows that are on both with the same meaning."""
    old, new = [_meaning(row) for row in before], [_meaning(row) for row in after]
    return [before[i] for i in unmatched(old, new)], [after[i] for i in unmatched(new, old)]


def _meaning(row: ReadRow) -> Hashable:
    """The tiles with their readings. Without jokers the tiles are enough, and quicker to hash."""
    return row[:2] if row.readings[0].stands else row.tiles


def _rules_apply(edition: Edition, before: Iterable[ReadRow]) -> bool:
    return has_joker_rules(edition) and _has_joker(before)


def _has_joker(rows: Iterable[ReadRow]) -> bool:
    # A reading lists what each joker of its row stands for: nothing in a row without jokers.
    return any(row.readings[0].stands for row in rows)
