"""Pruning by joker rules, for a search that knows only a part of the new table.

`jokers` judges a whole turn. A search that builds the new table row by row asks earlier: which
rows can never be part of a legal turn, which tiles have to stay together, and which tiles free a
locked row. These answers follow from the rules of `jokers` and change with them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from tilerummy.rules.bonds import Bond
from tilerummy.rules.editions import Edition
from tilerummy.rules.jokers import NEW_SET_RACK_TILES, LaidRow
from tilerummy.rules.rows import Faces, reader, stands_for
from tilerummy.rules.tiles import IS_JOKER, IS_WILD, ByFace, Face, has_joker


def is_locked(edition: Edition, faces: Faces) -> bool:
    """Whether a row of the table is locked (`joker.locked_sets`): it holds a joker."""
    return edition.joker_locked_sets and has_joker(faces)


def free_replacements(edition: Edition, before: Sequence[LaidRow]) -> Counter[Face]:
    """The tiles of the table that may replace a joker (`joker.replace_from`)."""
    if edition.joker_replace_from != "any":
        return Counter()
    return Counter(face for row in before if not row.jokers() for face in row.faces)


def wants_whole_rows(edition: Edition) -> bool:
    """Whether a rule can prefer a row to the two rows into which it can be cut.

    `joker.reuse=new_set_rack2` asks for tiles of the rack in the same row.
    """
    return edition.joker_reuse == "new_set_rack2"


def exchange_bonds(edition: Edition, before: Sequence[LaidRow]) -> list[Bond]:
    """Tiles that the exchange ban keeps together: each joker of a row with the rest of the row."""
    if not edition.has_specials or not edition.twist_special_exchange_ban:
        return []
    return [
        Bond(Counter(row.faces) - Counter([joker]), joker)
        for row in before
        for joker in {face for face in row.faces if IS_WILD[face]}
    ]


def reuse_forbids(
    edition: Edition,
    row: Faces,
    before: Sequence[LaidRow],
    rack: ByFace[int],
    copies: Counter[Face],
) -> bool:
    """Whether `joker.reuse` forbids a new row, for every possible rest of the new table.

    `rack` counts the tiles of the rack, `copies` those of table and rack together. True is certain;
    False says nothing.
    """
    if edition.joker_reuse == "any":
        return False
    readings = reader(edition).readings(row)
    for place, joker in enumerate(row):
        if not IS_WILD[joker] or rack[joker]:
            continue
        stands = stands_for(readings, place)
        if any(
            old.faces[index] == joker and old.stands(index) & stands
            for old in before
            for index in old.jokers()
        ):
            continue  # it may have stayed what it was
        if edition.joker_reuse == "new_set_rack2":
            new = sum(min(count, rack[face]) for face, count in Counter(row).items())
            if new < NEW_SET_RACK_TILES:
                return True
        if edition.joker_reuse != "other_set" and any(
            _holds_remainder(row, old, copies) for old in before
        ):
            return True
    return False


def _holds_remainder(row: Faces, old: LaidRow, copies: Counter[Face]) -> bool:
    """Whether a row holds all numbered tiles of an old one, and no other copies can be meant."""
    numbered = [face for face in old.faces if not IS_JOKER[face]]
    return len(numbered) >= 2 and all(face in row and copies[face] == 1 for face in numbered)
