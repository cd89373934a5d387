"""Obligations: what a turn has to begin with, the opening and then the jokers of locked rows.

Only the new table is known. So this module looks for an opening that explains it, and for each
locked row a treatment: it survives, or tiles take the places of its jokers. After these steps the
rest may come in any order, as long as rows that hold jokers are only added to.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, islice, product

from tilerummy.rules.declarations import Declared
from tilerummy.rules.editions import Edition
from tilerummy.rules.jokers import LaidRow, joker_problem, lay, treatments, with_replacements
from tilerummy.rules.matching import Alternative, Require
from tilerummy.rules.openings import Opening, OpeningRow, openings_from
from tilerummy.rules.position import Position
from tilerummy.rules.reasons import Reason
from tilerummy.rules.rows import Faces
from tilerummy.rules.table_changes import unmatched
from tilerummy.rules.ticks import Tick, ticking
from tilerummy.rules.tiles import FACE_OF, IS_JOKER, Face, Row, Table, Tile, faces_of, unidentified
from tilerummy.rules.turns import read_table
from tilerummy.solver.steps.step import Step, StepKind, holds

MOST_TREATMENTS = 2000
"""How many ways to treat all locked rows are tried for one opening."""
MOST_RANKED = 400
"""How many openings are compared before the first is tried."""

Filled = Mapping[int, Faces]
"""What replaces the jokers of a row, by their places."""
Block = Sequence[tuple[int | None, Face]]
"""A row after replacing: each face with its old place, None where it is new."""


@dataclass(frozen=True, slots=True)
class HeldRow:
    """A row of the table that may only be added to, and where in a new row each tile belongs."""

    row: int
    target: int
    places: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class FirstSteps:
    """The first steps, and what they leave: the table, the tiles in the hand, the rows held."""

    steps: tuple[Step, ...]
    table: Table
    hand: Row = ()
    held: tuple[HeldRow, ...] = ()


def first_steps(
    position: Position, table: Table, declared: Declared, tick: Tick | None = None
) -> Iterator[FirstSteps]:
    """Yield beginnings that explain a turn, likely short ones first; there may be none.

    Raises what `tick` raises.
    """
    edition = position.edition
    goes_on = not position.opened and edition.initial_same_turn_manipulation
    if not goes_on and not edition.joker_locked_sets:
        yield FirstSteps((), position.table)
        return
    before = read_table(edition, position.table, position.declared)
    after = read_table(edition, table, declared)
    played = tuple(sorted(_played(position.table, table).elements()))
    for opening in _openings(edition, before, after, played, tick) if goes_on else [()]:
        for whole in (False, True):
            turn = _Turn.between(edition, before, after, opening, tick, whole=whole)
            found = False
            for treatment in turn.treatments():
                first = _Beginning(position, played, turn, treatment).first()
                if first is not None:
                    found = True
                    yield first
            if found:  # otherwise tiles change places with equal ones of rows that stay
                break


def _played(before: Table, after: Table) -> Counter[Tile]:
    played = Counter(chain.from_iterable(after))
    played.subtract(chain.from_iterable(before))
    return +played


# The opening


def _openings(
    edition: Edition,
    before: Sequence[LaidRow],
    after: Sequence[LaidRow],
    played: Row,
    tick: Tick | None,
) -> Iterator[Opening]:
    """What may have been laid first, likely ones first."""
    if not edition.initial_min:
        yield ()
        return
    obvious = _obvious(edition, before, after, played)
    if obvious is not None:
        yield obvious
    found = (rows for _, rows in openings_from(edition, Counter(faces_of(played)), tick))
    new = [unidentified(row.faces) for row in after]
    yield from sorted(islice(found, MOST_RANKED), key=lambda rows: -_kept_tiles(rows, new))
    yield from found


def _obvious(
    edition: Edition, before: Sequence[LaidRow], after: Sequence[LaidRow], played: Row
) -> Opening | None:
    """The new rows that come from the rack alone, the most valuable first, if they open."""
    rest = Counter(played)
    laid: list[LaidRow] = []
    for index in unmatched([row.tiles for row in after], [row.tiles for row in before]):
        row = after[index]
        if Counter(row.tiles) <= rest and (edition.initial_jokers or not row.jokers()):
            rest -= Counter(row.tiles)
            laid.append(row)
    values = [row.readings[0].value for row in laid]
    reached = max(values, default=0) if edition.initial_single_set else sum(values)
    if reached < edition.initial_min:
        return None
    rows = [OpeningRow(row.readings[0].value, row.faces, row.readings) for row in laid]
    return tuple(sorted(rows, key=lambda row: -row.value))


def _kept_tiles(opening: Opening, new: Sequence[Row]) -> int:
    """How many tiles of an opening may stay where they were laid."""
    return sum(
        len(row.row) for row in opening if any(holds(other, unidentified(row.row)) for other in new)
    )


# The treatment of locked rows


@dataclass(frozen=True, slots=True)
class _Treatment:
    """For each old row with a joker what replaces its jokers; and where every old tile lies."""

    filled: Mapping[int, Filled]
    places: Mapping[int, int]


@dataclass(frozen=True, slots=True)
class _Turn:
    """The rows that a turn touches, by their numbers and as they are read.

    The opening lies behind the old rows of the table.
    """

    edition: Edition
    numbers: list[int]
    old: list[LaidRow]
    new_numbers: list[int]
    new: list[LaidRow]
    opening: int
    tick: Tick | None

    @classmethod
    def between(
        cls,
        edition: Edition,
        before: Sequence[LaidRow],
        after: Sequence[LaidRow],
        opening: Opening,
        tick: Tick | None,
        *,
        whole: bool,
    ) -> _Turn:
        numbers, new_numbers = [*range(len(before))], [*range(len(after))]
        if not whole:
            old_marks, new_marks = [*map(_mark, before)], [*map(_mark, after)]
            numbers = unmatched(old_marks, new_marks)
            new_numbers = unmatched(new_marks, old_marks)
        laid = [(before[number].tiles, before[number].readings) for number in numbers]
        laid += [(unidentified(row.row), row.readings) for row in opening]
        numbers += range(len(before), len(before) + len(opening))
        new = lay([(after[number].tiles, after[number].readings) for number in new_numbers])
        return cls(edition, numbers, lay(laid), new_numbers, new, len(opening), tick)

    def treatments(self) -> Iterator[_Treatment]:
        """The ways to treat all locked rows, those with fewest replacements first."""
        problem = joker_problem(self.edition, self.old, self.new, self.opening, tick=self.tick)
        locked: list[int] = []
        if self.edition.joker_locked_sets:
            locked = [number for number, row in enumerate(self.old) if row.jokers()]
        choices = [self._choices(self.old[number], +problem.available) for number in locked]
        for ways in ticking(islice(product(*choices), MOST_TREATMENTS), self.tick):
            requires = [Require(_LOCKED, (alternative,)) for _, alternative in ways]
            places = replace(problem, requires=requires).matching()
            if places is not None:
                filled = [way for way, _ in ways]
                yield _Treatment(dict(zip(locked, filled, strict=True)), places)

    def _choices(
        self, row: LaidRow, available: Counter[Face]
    ) -> list[tuple[dict[int, Faces], Alternative]]:
        found = treatments(self.edition, row, self.new, available, self.tick)
        different = {(tuple(filled.items()), way): (filled, way) for filled, way in found}
        return sorted(different.values(), key=lambda choice: len(choice[0]))


_LOCKED = Reason("locked-row")


def _mark(row: LaidRow) -> Hashable:
    return row.tiles, row.readings


# The steps


@dataclass
class _Beginning:
    """Carries out an opening and the treatment of locked rows."""

    position: Position
    played: Row
    turn: _Turn
    treatment: _Treatment
    rows: list[Row] = field(init=False)
    done: list[Step] = field(init=False, default_factory=list)
    hand: list[Tile] = field(init=False, default_factory=list)
    held: list[HeldRow] = field(init=False, default_factory=list)

    def __post_init__(self) -> None:
        self.rows = list(self.position.table)
        self.rack = Counter(self.played)
        self.laid = list(chain.from_iterable(row.tiles for row in self.turn.new))

    def first(self) -> FirstSteps | None:
        """None where a tile that should replace a joker cannot be had."""
        self._lay_opening()
        treated = sorted(self.treatment.filled.items(), key=lambda item: self._is_free(*item))
        for number, filled in treated:  # rows that survive are particular about their tiles
            if not self._treat(number, filled):
                return None
        left = [number for number, row in enumerate(self.rows) if row]
        return FirstSteps(
            tuple(self.done),
            tuple([self.rows[number] for number in left]),
            tuple(self.hand),
            tuple([replace(bond, row=left.index(bond.row)) for bond in self.held]),
        )

    def _lay_opening(self) -> None:
        for row in self.turn.old[len(self.turn.old) - self.turn.opening :]:
            tiles = self._tiles(row)
            self.rack.subtract(tiles)
            self.rows.append(tiles)
            self.done.append(Step(StepKind.LAY, tiles, result=(tiles,), played=tiles))

    def _tiles(self, row: LaidRow) -> Row:
        """The tiles of an old row; for an opening the copies that the new table shows."""
        return tuple([self.laid[self.treatment.places[place]] for place in row.span])

    def _is_free(self, number: int, filled: Filled) -> bool:
        return len(filled) == len(self.turn.old[number].jokers())

    def _treat(self, number: int, filled: Filled) -> bool:
        row, here = self.turn.old[number], self.turn.numbers[number]
        block = with_replacements(row, dict(filled))
        places = None
        if not self._is_free(number, filled):
            places = self._places(row, block)
            if places is None:
                return False
        if filled and not self._swap(here, row, block, places):
            return False
        if places is not None and len(places) == len(self.rows[here]):
            self._hold(here, places)
        return True

    def _places(self, row: LaidRow, block: Block) -> list[int] | None:
        """Where the tiles of a row that survives lie on the new table; None if one does not."""
        old = {
            index: self.treatment.places[row.at(index)] for index, _ in block if index is not None
        }
        taken = set(old.values())
        span = next(new.span for new in self.turn.new if min(taken) in new.span)
        places = []
        for index, face in block:
            if index is None:
                free = [place for place in span if FACE_OF[self.laid[place]] == face]
                unused = [place for place in free if place not in taken]
                if not unused:
                    return None
                place = unused[0]
                taken.add(place)
            else:
                place = old[index]
            places.append(place)
        return places

    def _swap(self, here: int, row: LaidRow, block: Block, places: Sequence[int] | None) -> bool:
        """Tiles take the places of jokers, which go into the hand."""
        own = self._tiles(row)
        result = [
            self._wanted(face, at, places) if index is None else own[index]
            for at, (index, face) in enumerate(block)
        ]
        arriving = [tile for tile, (index, _) in zip(result, block, strict=True) if index is None]
        played = self._gathered(arriving)
        if played is None:
            return False
        staying = {index for index, _ in block}
        freed = tuple([tile for index, tile in enumerate(own) if index not in staying])
        target, self.rows[here] = self.rows[here], tuple(result)
        self.hand += freed
        self.done.append(
            Step(
                StepKind.SWAP,
                tuple(arriving),
                target=target,
                result=(tuple(result),),
                played=played,
                freed=freed,
            )
        )
        return True

    def _wanted(self, face: Face, at: int, places: Sequence[int] | None) -> Tile:
        """The tile that replaces a joker: that of its place, or any, best from the rack."""
        if places is not None:
            return self.laid[places[at]]
        lying = [tile for row in self.rows if _gives(row) for tile in row]
        fitting = (tile for tile in chain(+self.rack, lying) if FACE_OF[tile] == face)
        return next(fitting, unidentified([face])[0])

    def _gathered(self, tiles: Sequence[Tile]) -> Row | None:
        """Take up what is not on the rack, and return what is; None if a tile is out of reach."""
        played = Counter(tiles) & self.rack
        missing = Counter(tiles) - played
        if missing and self.position.edition.joker_replace_from != "any":
            return None
        self.rack -= played
        for number in sorted(range(len(self.rows)), key=lambda number: -len(self.rows[number])):
            row = self.rows[number]
            taken = Counter(row) & missing
            if taken and _gives(row):
                missing -= taken
                rest = tuple((Counter(row) - taken).elements())
                self.rows[number] = rest
                left = (rest,) if rest else ()
                self.done.append(Step(StepKind.TAKE, tuple(taken), source=row, left=left))
        return None if missing else tuple([tile for tile in tiles if tile in played])

    def _hold(self, here: int, places: Sequence[int]) -> None:
        new = next(number for number, row in enumerate(self.turn.new) if places[0] in row.span)
        first = self.turn.new[new].first
        inside = tuple([place - first for place in places])
        self.held.append(HeldRow(here, self.turn.new_numbers[new], inside))


def _gives(row: Row) -> bool:
    """Whether tiles of a row may take the places of jokers."""
    return all(not IS_JOKER[FACE_OF[tile]] for tile in row)
