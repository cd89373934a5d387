"""A person at the table who carries out steps one by one and refuses what may not be done yet.

What rows mean comes from the oracle, which shares no code with the solver.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations

from tests import oracle
from tilerummy.rules.position import Position
from tilerummy.rules.tiles import FACE_OF, FACE_TEXT, JOKER_LETTERS, Table, Tile
from tilerummy.rules.tiles import Row as Tiles
from tilerummy.solver.steps.step import Step, StepKind

Row = oracle.Row


class RefusedError(Exception):
    """A step that comes too early, or that may never come."""


class Player:
    """Knows the table, the tiles in the hand and what has been laid to open."""

    def __init__(self, position: Position) -> None:
        edition = position.edition
        self.edition = edition
        self.rows = list(position.table)
        self.rack, self.hand = Counter(position.rack), Counter[Tile]()
        self.opened = position.opened or not edition.initial_min
        self.values: list[int] = []
        letters = zip(JOKER_LETTERS, edition.box().jokers, strict=True)
        options = {"joker.group3_needs_both": edition.joker_group3_needs_both}
        self.rules = oracle.rules_of("sabra", options)._replace(
            row=oracle.RowRules(
                copies=edition.copies,
                jokers="".join(letter * count for letter, count in letters),
                min_natural=edition.set_min_natural,
                max_jokers=edition.joker_max_per_set,
                mirror_min_side=edition.twist_mirror_min_side,
                mirror_c_needs_c=edition.twist_mirror_c_needs_c,
                adjacent_c=edition.twist_adjacent_c,
            )
        )

    def carry_out(self, way: tuple[Step, ...]) -> Table:
        for step in way:
            self.do(step)
        if self.hand.total():
            raise RefusedError("tiles are left in the hand")
        return tuple(self.rows)

    def do(self, step: Step) -> None:
        if not self.opened:
            self._open(step)
        elif self.edition.joker_locked_sets:
            self._respect_locks(step)
        self._move(step)

    def _move(self, step: Step) -> None:
        there, now = Counter[Tile](), Counter[Tile]()
        for row in (step.source, step.target):
            there.update(row)
            if row:
                self.rows.remove(row)
        for row in (*step.left, *step.result):
            now.update(row)
            self.rows.append(row)
        played = Counter(step.played)
        from_hand = now - there - played
        if not played <= self.rack or not from_hand <= self.hand:
            raise RefusedError("tiles come from nowhere")
        self.rack -= played
        self.hand = self.hand - from_hand + (there - now)

    # The opening

    def _open(self, step: Step) -> None:
        """Before the opening is complete, only rows from the rack may be laid."""
        if step.kind is not StepKind.LAY or Counter(step.played) != Counter(step.tiles):
            raise RefusedError("the opening is not complete")
        row = text(step.tiles)
        if not oracle.readings(row, self.rules.row):
            raise RefusedError("no set opens")
        if not self.edition.initial_jokers and any(map(oracle.is_joker, row)):
            raise RefusedError("no joker may open")
        self.values.append(oracle.value_of(row, self.rules.row))
        reached = max(self.values) if self.edition.initial_single_set else sum(self.values)
        self.opened = reached >= self.edition.initial_min

    # Locked rows

    def _respect_locks(self, step: Step) -> None:
        if locked(step.source) and (step.left or step.kind is not StepKind.JOIN):
            raise RefusedError("tiles leave a locked row")
        for row in (step.source, step.target):
            if not locked(row):
                continue
            if len(step.result) != 1:
                raise RefusedError("a locked row is split")
            if step.kind is StepKind.SWAP:
                self._unlock(step)
            elif not self._is_addition(text(row), text(step.result[0])):
                raise RefusedError("a locked row is rearranged")

    def _unlock(self, step: Step) -> None:
        if self.edition.joker_replace_from == "rack" and step.played != step.tiles:
            raise RefusedError("only tiles of the rack replace a joker")
        row, result = text(step.target), text(step.result[0])
        for is_group, replaced in self._replaced(row, Counter(text(step.freed))):
            if replaced == result or (is_group and Counter(replaced) == Counter(result)):
                return
        raise RefusedError("a joker does not stand for these tiles")

    def _replaced(self, row: Row, freed: Counter[str]) -> Iterator[tuple[bool, Row]]:
        """The row after replacing jokers with what they stand for, and whether it is a group."""
        jokers = [place for place, tile in enumerate(row) if oracle.is_joker(tile)]
        for places in combinations(jokers, freed.total()):
            if Counter(row[place] for place in places) != freed:
                continue
            for reading in oracle.readings(row, self.rules.row):
                for items in oracle._replacements(row, reading, places, self.rules):
                    tiles = [item if isinstance(item, str) else row[item] for item in items]
                    yield reading.is_group, tuple(tiles)

    def _is_addition(self, old: Row, new: Row) -> bool:
        """Whether the old row lies in the new one as it was, and can mean what it meant."""
        before, after = (oracle.readings(row, self.rules.row) for row in (old, new))
        grouped = [any(reading.is_group for reading in found) for found in (before, after)]
        if all(grouped) and not Counter(old) - Counter(new):
            return True
        for start in range(len(new) - len(old) + 1):
            block = slice(start, start + len(old))
            for turn in (1, -1) if "M" in new else (1,):
                if new[block] == old[::turn] and (
                    not before
                    or not after
                    or any(
                        [sorted(faces) for faces in one.laying[::turn]]
                        == [sorted(faces) for faces in other.laying[block]]
                        for one in before
                        for other in after
                    )
                ):
                    return True
        return False


def locked(row: Tiles) -> bool:
    return any(map(oracle.is_joker, text(row)))


def text(row: Tiles) -> Row:
    return tuple(FACE_TEXT[FACE_OF[tile]] for tile in row)
