"""The layout: the rows of the way to the goal, and the jokers left over in lean mode."""

from __future__ import annotations

from itertools import pairwise

from tilerummy.rules.rows import Faces
from tilerummy.rules.tiles import (
    HIGHEST,
    IS_JOKER,
    RUN_FROM,
    SLOTS,
    Face,
    all_jokers,
)
from tilerummy.solver.cover.general.open_rows import (
    Grown,
    Pair,
    State,
)
from tilerummy.solver.cover.general.search import Search
from tilerummy.solver.cover.mechanisms import CHANGE, DOUBLE, JOKER, MIRROR


class LaidRow:
    """A row on the table; the second side only of a mirror."""

    def __init__(self, kind: str, first: int, faces: Faces = ()) -> None:
        self.kind = kind
        self.first = first
        self.one = list(faces)
        self.two: list[Face] = []

    def faces(self) -> Faces:
        """Return the row as it lies."""
        if self.kind == "mirror":
            return (*self.one, MIRROR, *reversed(self.two))
        return tuple(self.one)

    @property
    def slots(self) -> int:
        """How many slots its first side takes."""
        return sum(SLOTS[face] for face in self.one)

    @property
    def free_after(self) -> int:
        """How many numbers are free behind it."""
        return HIGHEST + 1 - self.first - self.slots

    def add(self, tile: Face) -> bool:
        """Put a joker at the end of a run, or else in front."""
        if self.free_after >= SLOTS[tile]:
            self.one.append(tile)
        elif self.first - 1 >= SLOTS[tile]:
            self.one.insert(0, tile)
            self.first -= SLOTS[tile]
        else:
            return False
        return True


class Layout:
    """The rows of a way to the goal, with their value."""

    def __init__(self, goal: State) -> None:
        self.rows: list[LaidRow] = []
        self.value = 0
        path = [goal]
        while path[-1].parent is not None:
            path.append(path[-1].parent)
        path.reverse()
        still_open: list[LaidRow] = []
        for before, state in pairwise(path):
            assert state.way is not None
            self.value += state.way.value - before.value
            grown = [self._grow(item, still_open, before.number) for item in state.way.out]
            went_on = {item.source for item in state.way.out}
            self.rows += [laid for i, laid in enumerate(still_open) if i not in went_on]
            self.rows += [laid for i, laid in enumerate(grown) if i not in state.kept]
            for faces in state.way.groups:
                group = LaidRow("group", before.number, faces)
                if MIRROR in faces:
                    centre = faces.index(MIRROR)
                    group.kind = "mirror"
                    group.one, group.two = list(faces[:centre]), list(faces[:centre:-1])
                self.rows.append(group)
            still_open = [grown[i] for i in state.kept]

    @staticmethod
    def _grow(item: Grown, still_open: list[LaidRow], number: int) -> LaidRow:
        if item.source is None:
            laid = LaidRow("mirror" if isinstance(item.row, Pair) else "run", number)
        else:
            laid = still_open[item.source]
        if item.tile is not None:
            laid.one.append(item.tile)
        if item.other is not None:
            laid.two.append(item.other)
        if item.turned:
            laid.one, laid.two = laid.two, laid.one
        return laid

    # Jokers left over in lean mode

    def place_left_over(self, search: Search, goal: State) -> bool:
        """Lay the jokers that lean mode left; return whether all found a place."""
        problem = search.problem
        left = [total - used for total, used in zip(search.jokers, goal.used, strict=True)]
        for kind in range(3):
            if not problem.weights[JOKER + kind]:
                left[kind] -= problem.may[JOKER + kind]
        for _ in range(left[1]):
            if not self._add(DOUBLE):
                if not self._trade_in_group():
                    return False
                left[0] += 1
        return all(self._add(CHANGE) for _ in range(left[2])) and all(
            self._add_to_group() or self._add(JOKER) for _ in range(left[0])
        )

    def _add(self, tile: Face) -> bool:
        runs = [laid for laid in self.rows if laid.kind == "run"]
        roomy = sorted(runs, key=lambda laid: -max(laid.free_after, laid.first - 1))
        return any(laid.add(tile) for laid in roomy) or self._cut(runs, tile) or self._borrow(tile)

    def _cut(self, runs: list[LaidRow], tile: Face) -> bool:
        """Cut a run in two, one of which takes the joker."""
        for laid in runs:
            for cut in range(2, len(laid.one) - 1):
                low, high = LaidRow("run", laid.first), LaidRow("run", laid.first)
                low.one, high.one = laid.one[:cut], laid.one[cut:]
                high.first += low.slots
                if all_jokers(low.one) or all_jokers(high.one):
                    continue
                shorter, longer = sorted((low, high), key=lambda part: len(part.one))
                if len(longer.one) >= 3 and shorter.add(tile):
                    laid.one, laid.first = low.one, low.first
                    self.rows.append(high)
                    return True
        return False

    def _borrow(self, tile: Face) -> bool:
        """Two neighbours from groups of four make a run with the joker."""
        fours = [
            laid
            for laid in self.rows
            if laid.kind == "group"
            and len(laid.one) == 4
            and sum(not IS_JOKER[face] for face in laid.one) >= 2
        ]
        for low in fours:
            for high in fours:
                for face in low.one:
                    pair = RUN_FROM[face][:2]
                    if high.first == low.first + 1 and len(pair) == 2 and pair[1] in high.one:
                        run = LaidRow("run", low.first, pair)
                        if run.add(tile):
                            low.one.remove(face)
                            high.one.remove(pair[1])
                            self.rows.append(run)
                            return True
        return False

    def _add_to_group(self) -> bool:
        for laid in self.rows:
            if laid.kind == "group" and laid.slots == 3:
                laid.one.append(JOKER)
                return True
        return False

    def _trade_in_group(self) -> bool:
        """`x y J` becomes `x y D`: the J is free again."""
        for laid in self.rows:
            if laid.kind == "group" and laid.slots == 3 and laid.one[2] == JOKER:
                laid.one[2] = DOUBLE
                return True
        return False
