"""The best turn where rows of the table may be added to but not taken apart."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from tilerummy.rules.editions import Edition
from tilerummy.rules.jokers import LaidRow
from tilerummy.rules.rows import Faces, reader
from tilerummy.rules.tiles import FACES
from tilerummy.rules.turns import judge_turn
from tilerummy.solver.locks import extensions
from tilerummy.solver.objective import Prices
from tilerummy.solver.problem import Grammar, Problem
from tilerummy.solver.search import Answer, Budget, Counts, Rows, ask, counter, split_rack


class Additions:
    """All turns of one player who leaves every row of the table in one piece."""

    def __init__(
        self,
        edition: Edition,
        table: Sequence[LaidRow],
        rack: Counts,
        prices: Prices,
        budget: Budget | None = None,
    ) -> None:
        self.edition = edition
        self.table = list(table)
        self.rack = rack
        self.prices = prices
        self.budget = budget or Budget()
        self.exact = True
        self._grammar = Grammar.of(edition)
        self._rows = reader(edition)

    def best(
        self,
        *,
        kept: Rows = frozenset(),
        extended: Rows = frozenset(),
        forced: Counts | None = None,
        excluded: Counts | None = None,
        below: int | None = None,
    ) -> Answer | None:
        """The cheapest turn, or None; see `Turns`."""
        must, may, lost = split_rack(self.rack, self.prices, forced, excluded)
        forced_left = counter(must)
        stock = counter(may) + forced_left
        options = [
            [row.faces]
            if number in kept
            else [
                longer
                for longer in extensions(self._rows, row.faces, stock)
                if self._continues(row, longer)
            ]
            for number, row in enumerate(self.table)
        ]
        best: Answer | None = None

        def choose(number: int, rows: tuple[Faces, ...], left: Counter[int]) -> None:
            nonlocal best
            if best is not None and self.budget.over:
                self.exact = False
                return
            if number < len(options):
                own = Counter(self.table[number].faces)
                for longer in options[number]:
                    added = Counter(longer) - own
                    if all(left[face] >= count for face, count in added.items()):
                        choose(number + 1, (*rows, longer), left - added)
                return
            used = stock - left
            rest = forced_left - used
            if any(left[face] < count for face, count in rest.items()):
                return
            problem = Problem(self._grammar, _bytes(rest), _bytes(left - rest), self.prices.weights)
            found = ask(self, problem)
            if found is None:
                return
            loss = found.loss + lost
            if best is None or loss < best.loss:
                best = Answer(loss, rows + found.rows, ())

        choose(0, (), stock)
        if best is None or (below is not None and best.loss >= below):
            return None
        return Answer(best.loss, best.rows, (), self.exact)

    def _continues(self, row: LaidRow, longer: Faces) -> bool:
        """Whether the referee takes the longer row for the same one, added to."""
        if longer == row.faces:
            return True
        verdict = judge_turn(
            self.edition,
            opened=True,
            rack=list((Counter(longer) - Counter(row.faces)).elements()),
            before=[row.faces],
            after=[longer],
            manipulation=False,
        )
        return verdict.legal


def _bytes(counts: Counter[int]) -> bytes:
    return bytes([counts[face] for face in range(FACES)])
