"""Quick verdicts of the joker rules, certain where they are given.

`jokers` states the rules as a matching problem, which finds out where every tile may lie. Mostly a
look at the faces of the rows is enough: only a new row that holds certain tiles can break a rule,
and no rule objects to a row with jokers that lies whole in a new row. What is said here follows
from the rules in `jokers` and changes with them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from tilerummy.rules.editions import Edition
from tilerummy.rules.joker_limits import is_locked
from tilerummy.rules.jokers import NEW_SET_RACK_TILES, LaidRow, lay, replacements
from tilerummy.rules.rows import Faces, RowReader, reader, stands_for
from tilerummy.rules.tiles import (
    ALL_FACES,
    CHANGES_COLOUR,
    IS_JOKER,
    IS_WILD,
    NUMBER,
    NUMBERED_FACES,
    SPECIAL_WILDS,
    ByFace,
    Face,
    Row,
    all_jokers,
    faces_of,
    has_joker,
    has_mirror,
    unidentified,
)

FaceSet = int
"""A set of faces, one bit for each."""
CACHED_SETS = 1 << 14


def face_set(faces: Iterable[Face]) -> FaceSet:
    """Return the set of these faces."""
    found = 0
    for face in faces:
        found |= 1 << face
    return found


@lru_cache(CACHED_SETS)
def row_set(row: Faces) -> FaceSet:
    """As `face_set`, for rows of which many are asked for again and again."""
    return face_set(row)


class _OldRow(NamedTuple):
    """What the rules can ask of a row of the table before the turn."""

    faces: Faces
    is_locked: bool
    has_joker: bool
    all: FaceSet
    remainder: FaceSet
    """Its numbered tiles, if there are two of them: what makes a new row the same set."""
    rests: tuple[tuple[Face, FaceSet], ...]
    """Each joker with the other tiles of the row."""
    jokers: tuple[tuple[Face, frozenset[Face]], ...]
    """Each wild joker with what it stands for."""
    stand_ins: FaceSet
    """The tiles that may take the place of one of its jokers."""

    @staticmethod
    def of(edition: Edition, row: LaidRow) -> _OldRow:
        faces = row.faces
        if not has_joker(faces):
            return _plain_row(faces)
        numbered = [face for face in faces if not IS_JOKER[face]]
        remainder = face_set(numbered) if len(numbered) >= 2 else 0
        places = row.jokers()
        return _OldRow(
            faces,
            is_locked(edition, faces),
            True,
            row_set(faces),
            remainder,
            tuple([(faces[n], face_set(faces[:n] + faces[n + 1 :])) for n in places]),
            tuple([(faces[n], row.stands(n)) for n in places if IS_WILD[faces[n]]]),
            face_set(face for n in places for face in row.stands(n)),
        )


@lru_cache(CACHED_SETS)
def _plain_row(faces: Faces) -> _OldRow:
    return _OldRow(faces, False, False, face_set(faces), face_set(faces), (), (), 0)


class QuickJokers:
    """Quick verdicts on tables that follow one table, and on their rows."""

    def __init__(self, edition: Edition, before: Sequence[LaidRow]) -> None:
        self._edition = edition
        self._old = [_OldRow.of(edition, row) for row in before]
        self._readings = reader(edition).readings
        self._bans_exchange = bans_exchange(edition)
        self._only_locks = only_locks_bind(edition)
        self._stands: dict[Face, list[frozenset[Face]]] = {}
        for row in self._old:
            for joker, stands in row.jokers:
                self._stands.setdefault(joker, []).append(stands)

    # Whole tables

    def verdict(self, rows: Sequence[Faces], rack: FaceSet) -> bool | None:
        """Whether the rules allow a new table, equal rows being the same row of both tables.

        `rack` are the tiles of the rack that may have been played. None says nothing.
        """
        old, new = self._changed(rows)
        moved = [row for row in old if row.has_joker]
        gone = _not_whole(moved, new)
        if not gone or self._never_objects(moved, old, new, rows):
            return True
        if self._only_locks and self._are_freed(gone, rows):
            return True
        return False if self._is_lock_broken(moved, rows, rack) else None

    def allows_anywhere(self, rows: Sequence[Faces]) -> bool:
        """Whether the rules allow a new table, wherever equal tiles of changed rows lie.

        True is certain; False says nothing.
        """
        old, new = self._changed(rows)
        return self._never_objects([row for row in old if row.has_joker], old, new, rows)

    def frees(self, numbers: Iterable[int], rows: Sequence[Faces]) -> bool:
        """Whether these old rows, by number, are locked rows that a new table frees, and no other
        rule can be broken.

        Then the rules allow the table if the other rows with jokers lie whole in new ones. True is
        certain; False says nothing.
        """
        return self._only_locks and self._are_freed([self._old[n] for n in numbers], rows)

    def _changed(self, rows: Sequence[Faces]) -> tuple[list[_OldRow], list[Faces]]:
        """The rows of both tables, without those that are the same."""
        new = list(rows)
        old = []
        for row in self._old:
            if row.faces in new:
                new.remove(row.faces)
            else:
                old.append(row)
        return old, new

    def _never_objects(
        self,
        moved: Sequence[_OldRow],
        old: Sequence[_OldRow],
        new: Sequence[Faces],
        rows: Sequence[Faces],
    ) -> bool:
        """Whether no rule can be broken by the new rows, after the old ones and those of them
        with jokers; `rows` is the whole new table."""
        locked = [row for row in moved if row.is_locked]
        if locked and not self._are_freed(locked, rows):
            return False
        return not moved or not any(
            self._may_break_reuse(row, moved, old) or self._may_break_ban(row, moved)
            for row in new
            if has_joker(row)
        )

    def _are_freed(self, locked: Sequence[_OldRow], rows: Sequence[Faces]) -> bool:
        """Whether tiles of the rack have taken the places of all jokers of these rows."""
        if self._edition.joker_replace_from != "rack":
            return False
        played: dict[Face, int] = {}
        for row in rows:
            for face in row:
                played[face] = played.get(face, 0) + 1
        for old in self._old:
            for face in old.faces:
                played[face] -= 1
        reader_ = reader(self._edition)
        return _each_has_its_own([freeing(reader_, row.faces) for row in locked], played)

    def _is_lock_broken(
        self, moved: Sequence[_OldRow], rows: Sequence[Faces], rack: FaceSet
    ) -> bool:
        """Whether a locked row neither survives in a new table nor is freed by what is played."""
        if self._edition.joker_replace_from != "rack":
            return False
        for row in moved:
            if not row.is_locked or any(not row.all & ~row_set(other) for other in rows):
                continue
            usable = row.stand_ins & rack
            if not any(usable >> face & 1 and self._is_played(face, rows) for face in ALL_FACES):
                return True
        return False

    def _is_played(self, face: Face, rows: Sequence[Faces]) -> bool:
        """Whether more tiles of a face lie on a new table than before."""
        before = sum([row.faces.count(face) for row in self._old])
        return sum([row.count(face) for row in rows]) > before

    def _may_break_reuse(
        self, row: Faces, moved: Sequence[_OldRow], old: Sequence[_OldRow]
    ) -> bool:
        """Whether a retrieved joker in this row could break `joker.reuse`."""
        reuse = self._edition.joker_reuse
        if reuse == "any" or not self._may_be_retrieved(row, moved):
            return False
        if reuse == "new_set_rack2":
            return True
        faces = row_set(row)
        same_sets = moved if reuse == "other_set" else old
        return any(other.remainder and not other.remainder & ~faces for other in same_sets)

    def _may_be_retrieved(self, row: Faces, moved: Sequence[_OldRow]) -> bool:
        """Whether a joker of this row could be one that stood for something else."""
        readings = self._readings(row)
        for place, face in enumerate(row):
            if not IS_WILD[face]:
                continue
            stands = stands_for(readings, place)
            for other in moved:
                for joker, stood_for in other.jokers:
                    if joker == face and not stood_for & stands:
                        return True
        return False

    def _may_break_ban(self, row: Faces, moved: Sequence[_OldRow]) -> bool:
        """Whether a special joker of this row could lie in the place of another joker."""
        if not self._bans_exchange or not any(face in SPECIAL_WILDS for face in row):
            return False
        faces = row_set(row)
        return any(not rest & ~faces for other in moved for _, rest in other.rests)

    # Rows

    def forbids(self, row: Faces, rack: ByFace[int], copies: Counter[Face]) -> bool:
        """Whether `joker.reuse` forbids a new row, for every possible rest of the new table.

        `rack` counts the tiles of the rack, `copies` those of table and rack together. True is
        certain; False says nothing.
        """
        reuse = self._edition.joker_reuse
        if reuse == "any":
            return False
        readings = self._readings(row)
        for place, joker in enumerate(row):
            if not IS_WILD[joker] or rack[joker]:
                continue
            stands = stands_for(readings, place)
            if any(stood_for & stands for stood_for in self._stands.get(joker, ())):
                continue  # it may have stayed what it was
            if reuse == "new_set_rack2":
                new = sum(min(count, rack[face]) for face, count in Counter(row).items())
                if new < NEW_SET_RACK_TILES:
                    return True
            if reuse != "other_set" and self._holds_remainder(row, copies):
                return True
        return False

    def _holds_remainder(self, row: Faces, copies: Counter[Face]) -> bool:
        """Whether a row holds all numbered tiles of an old one, of which there are no more."""
        single = face_set(face for face in row if copies[face] == 1)
        return any(old.remainder and not old.remainder & ~single for old in self._old)


class Watch:
    """Which sets of faces may break a rule, for the compiled kernel.

    A call with a row of the table returns sets for it. If rows change, and no new row with a joker
    holds all faces of a set of one of them, then no rule objects, wherever equal tiles lie. None
    means that this cannot be said of the row. The answers are kept.
    """

    def __init__(self, edition: Edition) -> None:
        self._edition = edition
        self._known: dict[Row, tuple[FaceSet, ...] | None] = {}

    def __call__(self, row: Row) -> tuple[FaceSet, ...] | None:
        try:
            return self._known[row]
        except KeyError:
            pass
        if len(self._known) >= CACHED_SETS:
            self._known.clear()
        found = self._known[row] = self._watched(row)
        return found

    def _watched(self, row: Row) -> tuple[FaceSet, ...] | None:
        edition = self._edition
        old = _OldRow.of(edition, lay([(row, reader(edition).readings(faces_of(row)))])[0])
        if old.is_locked or (old.has_joker and edition.joker_reuse == "new_set_rack2"):
            return None
        sets = [rest for _, rest in old.rests] if bans_exchange(edition) else []
        if edition.joker_reuse != "any" and old.remainder:
            sets.append(old.remainder)
        return tuple(sets)


def bans_exchange(edition: Edition) -> bool:
    """Return whether a special joker may not take the place of another one."""
    return edition.has_specials and edition.twist_special_exchange_ban


def survives(old: Faces, new: Faces) -> bool:
    """Return whether an old row lies whole in a new one, so that its jokers stay what they were.

    True is certain; False says nothing.
    """
    return old == new or survives_as_block(old, new) or survives_as_group(old, new)


def survives_at(old: Faces, new: Faces, at: Sequence[int]) -> bool:
    """As `survives`, of a row whose tiles lie at these places of the new one, in their order."""
    side_by_side = [*at] == [*range(at[0], at[0] + len(at))]
    return survives_as_block(old, new) if side_by_side else survives_as_group(old, new)


def survives_as_block(old: Faces, new: Faces) -> bool:
    """Return whether an old row lies side by side in a new one; a mirror turns rows round."""
    if has_mirror(old) or has_mirror(new):
        return False
    return any(new[at : at + len(old)] == old for at in range(len(new) - len(old) + 1))


def survives_as_group(old: Faces, new: Faces) -> bool:
    """Return whether an old row is certainly a group, and part of a new one in any order."""
    if has_mirror(old) or has_mirror(new) or any(CHANGES_COLOUR[face] for face in old):
        return False
    numbers = [NUMBER[face] for face in old if not IS_JOKER[face]]
    if len(numbers) < 2 or len(set(numbers)) > 1:
        return False
    return all(new.count(face) >= old.count(face) for face in set(old))


def _not_whole(old: Iterable[_OldRow], new: Sequence[Faces]) -> list[_OldRow]:
    """The rows that do not lie whole in a new row of their own, as far as one can see."""
    left, found = list(new), []
    for row in old:
        holding = [other for other in left if not row.all & ~row_set(other)]
        longer = next((other for other in holding if survives(row.faces, other)), None)
        if longer is None:
            found.append(row)
        else:
            left.remove(longer)
    return found


@lru_cache(CACHED_SETS)
def freeing(rows: RowReader, row: Faces) -> tuple[Faces, ...]:
    """Return the ways to free a locked row: tiles of the rack that take the places of its jokers.

    Each way is certain to free it. A row of jokers alone has none here, as there are too many.
    """
    if all_jokers(row):
        return ()
    (old,) = lay([(unidentified(row), rows.readings(row))])
    jokers, numbered_tiles = old.jokers(), Counter(NUMBERED_FACES)
    found = [
        tuple([face for faces in filled.values() for face in faces])
        for _, filled in replacements(rows.edition, old, numbered_tiles)
        if len(filled) == len(jokers)
    ]
    return tuple(dict.fromkeys(found))


def _each_has_its_own(ways: Sequence[tuple[Faces, ...]], tiles: Mapping[Face, int]) -> bool:
    """Whether these tiles are enough for a way of each row."""
    if not ways:
        return True
    first, *rest = ways
    for way in first:
        left = dict(tiles)
        for face in way:
            left[face] = left.get(face, 0) - 1
        if all(left[face] >= 0 for face in way) and _each_has_its_own(rest, left):
            return True
    return False


def only_locks_bind(edition: Edition) -> bool:
    """Return whether `joker.locked_sets` is the only rule about the jokers of a table."""
    return edition.joker_locked_sets and edition.joker_reuse == "any" and not bans_exchange(edition)
