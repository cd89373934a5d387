"""Pruning by joker rules, for a search that knows only a part of the new table.

`jokers` judges a whole turn. A search that builds the new table row by row asks earlier: which
tiles have to stay together, and which tiles free a locked row; `quick_jokers` says which rows can
never be part of a legal turn. These answers follow from the rules of `jokers` and change with them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from tilerummy.rules.bonds import Bond
from tilerummy.rules.editions import Edition
from tilerummy.rules.jokers import LaidRow
from tilerummy.rules.rows import Faces
from tilerummy.rules.tiles import IS_WILD, Face, has_joker


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
