"""Branching: the smaller questions into which an objection of the referee splits a branch.

Each branching covers all turns of its parent but the ones in which rows fall into smaller rows, so
nothing is missed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from tilerummy.rules.candidates import all_rows
from tilerummy.rules.joker_limits import (
    exchange_bonds,
    free_replacements,
    is_locked,
    wants_whole_rows,
)
from tilerummy.rules.matching import Forbid, NeedsRack, Problem
from tilerummy.rules.openings import Opening, openings_from
from tilerummy.rules.rows import Faces, reader
from tilerummy.rules.tiles import (
    ALL_FACES,
    COLOUR,
    IS_JOKER,
    NUMBER,
    NUMBERED_FACES,
    Face,
    has_joker,
)
from tilerummy.solver.turns.branch import Branch, Parts
from tilerummy.solver.turns.budget import EFFORT_TO_LIST, Budget
from tilerummy.solver.turns.counts import Counts, counter
from tilerummy.solver.turns.locks import extensions, lock_treatments
from tilerummy.solver.turns.objectives import Prices
from tilerummy.solver.turns.referee import SPECIAL_EXCHANGE, Referee


class Branching:
    """Splits the branches of one position.

    `additions` lists for each row of the table what may become of it, where no row may be taken
    apart; otherwise it is None.
    """

    def __init__(
        self,
        referee: Referee,
        rack: Counts,
        prices: Prices,
        budget: Budget,
        additions: list[list[Faces]] | None = None,
    ) -> None:
        self.edition = referee.edition
        self.table = referee.table
        self._referee = referee
        self._rack = rack
        self._prices = prices
        self._budget = budget
        self._additions = additions
        self._copies = Counter(face for row in self.table for face in row.faces)
        self._copies.update(counter(rack))
        self._rows = reader(self.edition)

    def children(
        self, branch: Branch, found: tuple[Faces, ...], objection: Problem
    ) -> Iterator[Branch | Parts]:
        """Yield the parts of a branch for whose rows `found` there was an objection."""
        if branch.opening is None:
            yield from self._choose_opening(branch)
        elif branch.extended:
            yield from self._extend(branch)
        elif branch.locks:
            yield from self._treat_lock(branch)
        else:
            yield from self._settle(branch, found, objection)

    def hints(self, branch: Branch, objection: Problem) -> list[Branch]:
        """Return the branch with a row left alone that was robbed of its joker."""
        if branch.opening is None or branch.locks or branch.extended:
            return []
        old_rows = self._referee.old_rows(branch)
        row_of = [number for number, row in enumerate(old_rows) for _ in row.faces]
        robbed = {
            row_of[rule.pattern[0][0]]
            for rule in objection.broken_rules()
            if isinstance(rule, Forbid) and rule.reason.code == SPECIAL_EXCHANGE
        }
        children = [branch.with_row(old_rows[number].faces) for number in sorted(robbed)]
        return [child for child in children if child is not None]

    def is_hopeless(self, branch: Branch) -> bool:
        """Whether the rules forbid the row settled last, whatever the rest is."""
        if branch.last is None:
            return False
        quick = self._referee.quick(branch)
        return quick.forbids(branch.last[1], self._rack, self._copies)

    # The opening, and rows that survive

    def _choose_opening(self, branch: Branch) -> Iterator[Branch]:
        stock = counter(branch.may) + counter(branch.given)
        seen = set()
        for _, opening in openings_from(self.edition, stock, self._budget.tick):
            rows = tuple([row.row for row in opening])
            key = _what_matters(opening)
            if key in seen:
                continue
            seen.add(key)
            child = branch.with_tiles([face for row in rows for face in row])
            first = len(self.table)
            locks = [first + n for n, row in enumerate(rows) if is_locked(self.edition, row)]
            yield child._replace(opening=opening, locks=(*branch.locks, *locks))

    def _extend(self, branch: Branch) -> Iterator[Branch]:
        number, *rest = branch.extended
        others = branch._replace(extended=tuple(rest))
        for longer in self._longer(branch, number):
            child = others.with_row(longer)
            if child is not None:
                yield child

    def _longer(self, branch: Branch, number: int) -> Iterable[Faces]:
        """What may become of a row of the table, itself included."""
        if self._additions is not None:
            return self._additions[number]
        row = self.table[number].faces
        stock = _open_tiles(branch, row)
        return extensions(self._rows, row, stock, mirrored=False, tick=self._budget.tick)

    def _treat_lock(self, branch: Branch) -> Iterator[Branch]:
        number, *rest = branch.locks
        before = self._referee.old_rows(branch)
        row = before[number]
        stock = _open_tiles(branch, row.faces)
        free_table = free_replacements(self.edition, before)
        rack = counter(branch.may)
        if any(branch.given):
            rack += counter(branch.given)
        tick = self._budget.tick
        others = branch._replace(locks=tuple(rest))
        for way in lock_treatments(self.edition, row, stock, rack, free_table, tick):
            child = others.with_tiles(way.from_rack) if way.from_rack else others
            settled = child if way.row is None else child.with_row(way.row)
            if settled is not None:
                yield settled

    # The rows around one face

    def _settle(
        self, branch: Branch, found: tuple[Faces, ...], objection: Problem
    ) -> Iterator[Branch | Parts]:
        """Settle the rows that hold some face, chosen so that an objection must yield or stay."""
        rows = branch.settled + found
        row_of = [number for number, row in enumerate(rows) for _ in row]
        faces = [face for row in rows for face in row]
        settled = len(branch.settled)
        old_faces = [face for row in self._referee.old_rows(branch) for face in row.faces]
        rules: list[Forbid | NeedsRack] = [*objection.forbids, *objection.needs_rack]
        broken = objection.broken_rules()
        rules = broken + [rule for rule in rules if rule not in broken]
        open_rules = [rule for rule in rules if row_of[_target(rule)] >= settled]
        if open_rules:
            pivot = self._pivot(open_rules[0], old_faces, branch)
            yield from self._settle_face(branch, pivot)
            return
        concerned: set[Face] = set()
        for rule in rules:
            if isinstance(rule, Forbid):
                concerned.update(old_faces[source] for source, _ in rule.pattern)
            else:
                concerned.update(faces[place] for place in rule.row)
        for require in objection.requires:
            for way in require.alternatives:
                concerned.update(old_faces[source] for source, _ in way.where)
                concerned.update(way.uses)
        face = next((face for face in sorted(concerned) if branch.may[face]), None)
        if face is not None:
            yield branch.with_copy(face)
            yield branch.without_face(face, self._prices)

    def _pivot(self, rule: Forbid | NeedsRack, old_faces: list[Face], branch: Branch) -> Face:
        """The face whose rows are settled next.

        A joker in a wrong place could go to any other wrong place, so its own row is settled. A
        row robbed of its joker is settled by a numbered tile of it: few rows hold that.
        """
        if isinstance(rule, NeedsRack):
            return old_faces[rule.source]
        if rule.reason.code != SPECIAL_EXCHANGE:
            return old_faces[rule.pattern[0][0]]
        faces = {old_faces[source] for source, _ in rule.pattern[1:]}
        return min(faces, key=lambda face: (IS_JOKER[face], _company(branch, face), face))

    def _settle_face(self, branch: Branch, face: Face) -> Iterator[Branch | Parts]:
        """Every row that may hold the face next, or none if no more of it has to be laid."""
        stock = counter(branch.must) + counter(branch.may)
        last = branch.last
        known = {row.faces for row in self.table}
        bonds = exchange_bonds(self.edition, self._referee.old_rows(branch))
        whole = wants_whole_rows(self.edition)
        tick = self._budget.tick
        rows = all_rows(self.edition, stock, face, whole=whole, bonds=bonds, tick=tick)
        self._budget.effort += EFFORT_TO_LIST * len(rows)
        rows.sort(key=lambda row: (row in known, row))
        if last is not None and last[0] == face:  # others are the same rows in another order
            rows = [row for row in rows if row >= last[1]]
        if rows:
            yield Parts(branch, face, rows)  # the last is tried first
        if not branch.must[face]:
            yield branch.without_face(face, self._prices)


def _open_tiles(branch: Branch, row: Faces) -> Counter[Face]:
    """The tiles of a branch that are not settled, without those of a row: the table's come first.

    A sum of counters would do; a search asks for every locked row of every branch.
    """
    must, may = branch.must, branch.may
    left = {face: must[face] + may[face] for face in ALL_FACES if must[face]}
    left |= {face: may[face] for face in ALL_FACES if may[face] and not must[face]}
    for face in row:  # another settled row may have taken it
        left[face] = left.get(face, 0) - 1
    return Counter({face: count for face, count in left.items() if count > 0})


def _what_matters(opening: Opening) -> tuple[object, ...]:
    """Equal for openings after which the same turns are possible."""
    free = sorted(face for row in opening if not has_joker(row.row) for face in row.row)
    bound = Counter((row.row, row.readings) for row in opening if has_joker(row.row))
    return tuple(free), frozenset(bound.items())


def _company(branch: Branch, face: Face) -> tuple[int, int]:
    """How many tiles there are of a face, and how many that could lie close to it."""
    open_tiles = [must + may for must, may in zip(branch.must, branch.may, strict=True)]
    if IS_JOKER[face]:
        return open_tiles[face], 0
    number = NUMBER[face]
    close = [
        other
        for other in NUMBERED_FACES
        if NUMBER[other] == number
        or (COLOUR[other] == COLOUR[face] and abs(NUMBER[other] - number) <= 2)
    ]
    return open_tiles[face], sum(open_tiles[other] for other in close)


def _target(rule: Forbid | NeedsRack) -> int:
    """A place of the new row that a rule speaks of."""
    places = rule.row if isinstance(rule, NeedsRack) else rule.pattern[-1][1]
    return min(places)
