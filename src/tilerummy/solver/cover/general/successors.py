"""The successors of a state: one for each way to deal with its number."""

from __future__ import annotations

from collections.abc import Iterator

from tilerummy.rules.ticks import ticking
from tilerummy.rules.tiles import (
    HIGHEST,
    JOKER,
)
from tilerummy.solver.cover.general.mirror_runs import MirrorRuns
from tilerummy.solver.cover.general.open_rows import (
    BEYOND,
    COLOURS,
    DONE,
    ONE,
    THREE,
    Pair,
    State,
    Way,
    order,
)
from tilerummy.solver.cover.general.runs import Runs
from tilerummy.solver.cover.general.sharing import Sharing


class Successors(Sharing, MirrorRuns, Runs):
    """A whole step: tiles are shared out, then mirror runs and runs take theirs."""

    def successors(self) -> Iterator[State]:
        """Yield every successor of the state."""
        for way in ticking(self._ways(), self.search.tick):
            kept = self._tidy(way)
            if kept is not None:
                successor = self._successor(way, kept)
                if successor is not None:
                    yield successor

    def _ways(self) -> Iterator[Way]:
        state = self.state
        for shared in self._share_out(0, Way(state.used, 0, state.value), (), ()):
            for grouped in self._mirror_groups(*shared, ()):
                for paired in self._deal_with_pairs(0, grouped):
                    yield from self._deal_with_runs(0, 0, paired, 0)

    def _tidy(self, way: Way) -> tuple[int, ...] | None:
        """The rows that stay open; None if one of them cannot be completed."""
        search, following = self.search, self.number + 1
        singles, missing = self._singles(way), 0
        slots = singles + self._left(way, 1)
        due, one, full = [0] * 4, [0] * 4, [0] * 4
        kept = []
        for index in sorted(range(len(way.out)), key=lambda i: order(way.out[i].row)):
            row = way.out[index].row
            if isinstance(row, Pair):
                complete = search.pair_complete(row)
                if row.ends:
                    continue
                if following > search.grammar.mirror_last:
                    if not complete:
                        return None
                    continue
                alone = row.one.colour != row.two.colour
                stock = search.stock(row.one.colour, following)
                if complete and not singles and (alone or stock < 2):
                    continue
            else:
                colour = row.colour
                if row.stage == DONE:
                    continue
                if search.run_complete(row):
                    stock = search.stock(colour, following)
                    if following > HIGHEST or (row.stage == BEYOND and not stock):
                        continue
                    if not search.count_jokers and full[colour] >= stock + singles:
                        continue
                    full[colour] += 1
                else:
                    reach = following + row.covered
                    if reach > HIGHEST:
                        ends = row.stage == THREE and row.covered and following == HIGHEST
                        if not ends or row.naturals < search.grammar.min_natural:
                            return None
                    elif row.stage == ONE and reach >= HIGHEST:
                        return None
                    if not row.covered:
                        due[colour] += 1
                        one[colour] += row.stage == ONE
            kept.append(index)
        for colour in COLOURS:
            missing += max(0, due[colour] - search.stock(colour, following))
            if not self._left(way, 2):
                missing += max(0, one[colour] - search.stock(colour, following + 1))
        return tuple(kept) if missing <= slots else None

    def _successor(self, way: Way, kept: tuple[int, ...]) -> State | None:
        search, problem, number = self.search, self.problem, self.number
        value, extra = 0, way.extra
        if search.valued:
            possible = sum(
                count * (face % HIGHEST + 1)
                for face, count in enumerate(search.total[:JOKER])
                if face % HIGHEST >= number
            )
            possible += HIGHEST * (self._singles(way) + self._left(way, 1))
            if way.value + possible < problem.floor:
                return None
            value = min(way.value, problem.floor)
        if number == HIGHEST:
            for kind in (3,) if search.lean else range(4):
                left = self._left(way, kind)
                if left > problem.may[JOKER + kind]:
                    return None
                extra += left * problem.weights[JOKER + kind]
            if search.valued and way.value < problem.floor:
                return None
        if self._too_dear(extra) or extra <= self.made:
            return None
        rows = tuple(way.out[index].row for index in kept)
        loss = self.state.loss + extra
        return State(number + 1, rows, way.used, loss, value, self.state, way, kept)
