"""The data of one search: the question as the walk needs it, and what is lost in any case."""

from __future__ import annotations

from tilerummy.rules.ticks import Tick
from tilerummy.rules.tiles import (
    FACES,
    HIGHEST,
    JOKER,
    NUMBERED_FACES,
    Face,
)
from tilerummy.rules.tiles import numbered as face_at
from tilerummy.solver.cover.general.groups import group_ways_of
from tilerummy.solver.cover.general.open_rows import (
    BEYOND,
    COLOURS,
    THREE,
    Four,
    Pair,
    Run,
)
from tilerummy.solver.cover.problem import CoverProblem


class Search:
    """A question in one mode: `lean` leaves jokers for later, `valued` counts the value."""

    def __init__(self, problem: CoverProblem, lean: bool, valued: bool) -> None:
        grammar = problem.grammar
        self.problem = problem
        self.grammar = grammar
        self.lean = lean
        self.tick: Tick | None = None
        self.valued = valued
        self.total = [a + b for a, b in zip(problem.must, problem.may, strict=True)]
        jokers = self.total[JOKER:FACES]
        self.jokers: Four = (jokers[0], jokers[1], jokers[2], jokers[3])
        self.count_jokers = grammar.max_jokers < sum(jokers)
        self.group_ways = group_ways_of(grammar.min_natural, min(grammar.max_jokers, 99))
        self.bound = [0] * (HIGHEST + 2)

    def stock(self, colour: int, number: int) -> int:
        """Return how many tiles of a colour and number there are; none beyond 13."""
        return self.total[face_at(colour, number)] if number <= HIGHEST else 0

    def run_complete(self, run: Run) -> bool:
        """Return whether a run may end."""
        return (
            run.stage in (THREE, BEYOND)
            and not run.covered
            and not run.led
            and not (self.grammar.adjacent_c and run.change)
            and run.naturals >= self.grammar.min_natural
        )

    def pair_complete(self, pair: Pair) -> bool:
        """Return whether a mirror run may end."""
        return (
            not pair.one.covered
            and not pair.two.covered
            and pair.slots >= self.grammar.mirror_min_side
            and pair.naturals >= self.grammar.min_natural
        )

    # What is lost in any case

    def _least_jokers(self, face: Face) -> int:
        """How many jokers a row needs at least that holds this tile: 0, 1, or 2 for more."""
        colour, number = divmod(face, HIGHEST)

        def there(other: int, step: int) -> bool:
            inside = 0 <= number + step < HIGHEST
            return inside and self.total[HIGHEST * other + number + step] > 0

        near = {step: there(colour, step) for step in range(-3, 4)}
        colours = sum(there(other, 0) for other in COLOURS)
        if colours >= 3:
            return 0
        if (near[-2] and near[-1]) or (near[-1] and near[1]) or (near[1] and near[2]):
            return 0
        beside = near[-1] or near[1]
        j, d, c, m = self.jokers
        if j and (colours >= 2 or beside or near[-2] or near[2]):
            return 1
        if d and (colours >= 2 or beside or near[-3] or near[3]):
            return 1
        if c and (beside or any(there(other, step) for other in COLOURS for step in (-2, 2))):
            return 1
        return 1 if m and self.total[face] >= 2 else 2

    def remove_hopeless(self) -> int | None:
        """Remove tiles that no row can hold, and return their cost; None if one must be laid."""
        jokers, base = sum(self.jokers), 0
        if jokers >= 2 or self.grammar.min_natural < 1:
            return 0
        again = True
        while again:
            again = False
            for face in NUMBERED_FACES:
                if self.total[face] and self._least_jokers(face) > jokers:
                    if self.problem.must[face]:
                        return None
                    base += self.total[face] * self.problem.weights[face]
                    self.total[face] = 0
                    again = True
        return base

    def bound_losses(self) -> None:
        """Tiles that need two jokers each, but for as many of them as there are jokers."""
        weights: list[int] = []
        served = sum(self.jokers) // 2 * 2
        for number in range(HIGHEST, 0, -1):
            for face in (face_at(colour, number) for colour in COLOURS):
                if self.total[face] and self._least_jokers(face) >= 2:
                    spare = self.total[face] - self.problem.must[face]
                    weights += [self.problem.weights[face]] * spare
            weights.sort(reverse=True)
            self.bound[number] = sum(weights[served:])
