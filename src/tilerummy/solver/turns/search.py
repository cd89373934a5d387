"""The best turn where joker rules bind, by branch and bound.

The kernels know what a row is, not where its tiles came from. So a first answer leaves the joker
rules out: nothing can be better. If the referee objects, its objection names what to decide next
(`branching`), and each decision is a smaller question of the same kind:

- how a locked row survives, or which tiles of the rack set it free (`locks`);
- which rows open the game, where the turn goes on after the opening;
- what is added to a row, where no row may be taken apart (`additions`);
- which row holds a joker that was taken to a wrong place, or a tile whose row was robbed;
- whether one more copy of a tile leaves the rack, where copies differ.

Branches wait in a queue, the most promising first. The first answer without an objection is the
best turn: every other branch promises no more.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from tilerummy.rules.editions import Edition
from tilerummy.rules.joker_limits import is_locked
from tilerummy.rules.jokers import LaidRow, has_joker_rules
from tilerummy.rules.matching import Problem
from tilerummy.rules.rows import Faces
from tilerummy.rules.tiles import FACES
from tilerummy.solver.cover.deadline import TimeOverError
from tilerummy.solver.cover.kernels import find_parts
from tilerummy.solver.cover.problem import Cover, CoverProblem, Grammar
from tilerummy.solver.turns.additions import list_additions
from tilerummy.solver.turns.answers import Answer, Rows, ask
from tilerummy.solver.turns.branch import Branch, Parts
from tilerummy.solver.turns.branch_queue import BranchQueue, Waiting
from tilerummy.solver.turns.branching import Branching
from tilerummy.solver.turns.budget import Budget
from tilerummy.solver.turns.counts import Counts, counter, split_rack
from tilerummy.solver.turns.objectives import Prices
from tilerummy.solver.turns.referee import Referee


class TurnSearch:
    """All turns of one player on one table, under all joker rules of the edition."""

    def __init__(
        self,
        edition: Edition,
        table: Sequence[LaidRow],
        rack: Counts,
        prices: Prices,
        *,
        opened: bool = True,
        manipulation: bool = True,
        budget: Budget | None = None,
    ) -> None:
        self.edition = edition
        self.rack = rack
        self.prices = prices
        self.opened = opened
        self.budget = budget or Budget()
        self.exact = True
        self._referee = Referee(edition, table, rack, self.budget)
        self.table = self._referee.table
        self._grammar = Grammar.of(edition)
        self._additions: list[list[Faces]] | None = None
        if not manipulation:
            self._additions = self._list_additions()
        self._branching = Branching(self._referee, rack, prices, self.budget, self._additions)
        self._joker_rows = frozenset(n for n, row in enumerate(self.table) if row.jokers())

    @property
    def only_adds(self) -> bool:
        """Whether no row of the table may be taken apart."""
        return self._additions is not None

    @property
    def has_rules(self) -> bool:
        """Whether any rule binds the jokers of the table, or a turn that opens."""
        return not self.opened or (has_joker_rules(self.edition) and bool(self._joker_rows))

    def is_free(self, kept: Rows) -> bool:
        """Whether no rule can object to a turn that keeps these rows."""
        return not self.has_rules or (self.opened and self._joker_rows <= kept)

    def _list_additions(self) -> list[list[Faces]]:
        """What may become of each row; rows for which time runs out stay as they are."""
        found: list[list[Faces]] = []
        rack = counter(self.rack)
        try:
            for row in self.table:
                found += list_additions(self.edition, [row], rack, self.budget.tick)
        except TimeOverError:
            self.exact = False
            found += [[row.faces] for row in self.table[len(found) :]]
        return found

    def best(
        self,
        *,
        kept: Rows = frozenset(),
        extended: Rows = frozenset(),
        forced: Counts | None = None,
        excluded: Counts | None = None,
        below: int | None = None,
    ) -> Answer | None:
        """Return the cheapest turn, or None; see `Turns`."""
        if self._additions is None:
            return self._best(kept, extended, forced, excluded, below)
        fixed = [n for n, longer in enumerate(self._additions) if len(longer) == 1]
        kept = kept.union(fixed)
        extended = frozenset(range(len(self.table))) - kept
        answer = self._best(kept, extended, forced, excluded, below)
        return answer and _in_table_order(answer, [*sorted(kept), *sorted(extended, reverse=True)])

    def best_from(self, first: Cover, around: Cover | None) -> Answer | None:
        """As `best`, where the kernel has given two covers already.

        `first` leaves the joker rules out, `around` leaves the rows with jokers alone.
        """
        root = self._root(frozenset(), frozenset(), None, None)
        self.budget.spent += first.nodes + (around.nodes if around is not None else 0)
        self.exact = first.exact
        hint = None
        if around is not None and around.loss >= 0:
            self.exact = self.exact and around.exact
            hint = Answer(around.loss, around.rows, (), self.exact)
            if around.loss <= first.loss:
                return hint
        try:
            objection = self._referee.objection(root, root.settled + first.rows)
        except TimeOverError:
            self.exact = False
            return hint and replace(hint, exact=False)
        if objection is None:
            return self._answer(root, first)
        return self._better(root, first, objection, hint, None)

    def _best(
        self,
        kept: Rows,
        extended: Rows,
        forced: Counts | None,
        excluded: Counts | None,
        below: int | None,
    ) -> Answer | None:
        root = self._root(kept, extended, forced, excluded)
        first = self._ask(root, below)
        if first is None or (below is not None and first.loss >= below):
            return None
        if not extended and self.is_free(kept):
            return self._answer(root, first)
        objection: Problem | None = None
        try:
            objection = self._referee.objection(root, root.settled + first.rows)
            if objection is None:
                return self._answer(root, first)
        except TimeOverError:
            self.exact = False
        hint = None if extended else self._untouched_jokers(root, kept, below)
        return self._better(root, first, objection, hint, below)

    def _better(
        self,
        root: Branch,
        first: Cover,
        objection: Problem | None,
        hint: Answer | None,
        below: int | None,
    ) -> Answer | None:
        """The best turn of a branch whose first answer met an objection, None if time was over."""
        if hint is not None and (below is None or hint.loss < below):
            below = hint.loss
        else:
            hint = None
        try:
            found = self._search(root, first, objection, below)
        except TimeOverError:
            self.exact = False
            found = None
        return found or (hint and replace(hint, exact=self.exact))

    def _search(
        self, root: Branch, first: Cover, objection: Problem | None, below: int | None
    ) -> Answer | None:
        """Best first. A branch waits with what its parent promised until its turn comes."""
        queue = BranchQueue()
        queue.put(Waiting(first.loss, 0, root, first, objection))
        while queue:
            waiting = queue.pop()
            promised, _, branch, found, objection, hinted = waiting
            if below is not None and promised >= below:
                return None
            if self.budget.over:
                self.exact = False
                return None
            if isinstance(branch, Parts):
                self._ask_parts(branch, waiting, below, queue)
                continue
            if found is None:
                found = self._ask(branch, below)
                if found is None or self._branching.is_hopeless(branch):
                    continue
            if found.loss > promised:
                queue.add(found.loss, branch, found)
                continue
            if objection is None:
                objection = self._referee.objection(branch, branch.settled + found.rows)
            if objection is None:
                return self._answer(branch, found)
            hints = [] if hinted else self._branching.hints(branch, objection)
            if hints:  # a part of the branch that may answer it; the whole waits behind
                queue.add(promised, branch, found, objection, hinted=True)
                children: Iterable[Branch | Parts] = hints
            else:
                children = self._branching.children(branch, found.rows, objection)
            for child in children:
                queue.add(max(promised, child.lost), child)
        return None

    def _ask_parts(
        self, parts: Parts, waiting: Waiting, below: int | None, queue: BranchQueue
    ) -> None:
        """Ask for parts of a branch, from the last on, up to one that keeps the promise.

        To say what a part costs takes much longer than whether it keeps the promise, and mostly one
        does. So the others are asked for their cost only when their turn comes. All have the places
        in the queue that they have under a limit, where one is asked after another.
        """
        number, rows = waiting.number, parts.rows
        if parts.tried:
            for at, found in self._find_parts(parts, -1, below)[1]:
                self._put_part(queue, parts.part(at), found, number + at)
            return
        if self.budget.is_free:
            left, kept = self._keeping(parts, waiting.promised, below, queue)
        else:
            left = len(rows) - 1
            kept = parts.branch.with_row(rows[left], parts.face)
        if left:
            rest = parts._replace(rows=rows[:left])
            queue.put(Waiting(waiting.promised, number + len(rows) - left, rest))
        answer = None if kept is None else self._ask(kept, below)
        if kept is not None and answer is not None:
            self._put_part(queue, kept, answer, queue.number())

    def _keeping(
        self, parts: Parts, promised: int, below: int | None, queue: BranchQueue
    ) -> tuple[int, Branch | None]:
        """Return a part that keeps the promise, and how many are left to be asked.

        Those that do not keep it wait for more.
        """
        dearer = promised + 1
        left, found = self._find_parts(
            parts, promised, dearer if below is None else min(below, dearer)
        )
        failed = parts.rows[left + 1 :] if found else parts.rows
        if failed:
            queue.add(dearer, parts._replace(rows=failed, tried=True))
        return (left, parts.part(left)) if found else (0, None)

    def _put_part(self, queue: BranchQueue, part: Branch, found: Cover, number: int) -> None:
        if not self._branching.is_hopeless(part):
            queue.put(Waiting(found.loss, number, part, found))

    def _find_parts(
        self, parts: Parts, promised: int, below: int | None
    ) -> tuple[int, list[tuple[int, Cover]]]:
        """As `find_parts`, within the budget and with all that the branch loses."""
        lost = parts.lost
        left, found = find_parts(self._problem(parts.branch, below), parts.rows, promised - lost)
        for _, cover in found:
            self.budget.spend(cover.nodes)
        return left, [(at, cover._replace(loss=cover.loss + lost)) for at, cover in found]

    def _root(
        self, kept: Rows, extended: Rows, forced: Counts | None, excluded: Counts | None
    ) -> Branch:
        """All turns with these rows kept or extended, and these tiles forced or excluded."""
        must, may, lost = split_rack(self.rack, self.prices, forced, excluded)
        for number, row in enumerate(self.table):
            if number not in kept:
                for face in row.faces:
                    must[face] += 1
        locks = tuple(
            number
            for number, row in enumerate(self.table)
            if number not in kept | extended and is_locked(self.edition, row.faces)
        )
        settled = tuple(self.table[number].faces for number in sorted(kept))
        opening = () if self.opened else None
        return Branch(
            bytes(must),
            bytes(may),
            settled,
            lost,
            locks,
            tuple(sorted(extended, reverse=True)),
            opening,
            given=forced or bytes(FACES),
        )

    def _ask(self, branch: Branch, below: int | None) -> Cover | None:
        """The cheapest rows for what is open, the joker rules left out, if less than `below`."""
        found = ask(self, self._problem(branch, below))
        if found is None or not branch.lost:
            return found
        return found._replace(loss=found.loss + branch.lost)

    def _problem(self, branch: Branch, below: int | None) -> CoverProblem:
        return CoverProblem(
            self._grammar,
            branch.must,
            branch.may,
            self.prices.weights,
            below=None if below is None else below - branch.lost,
        )

    def _answer(self, branch: Branch, found: Cover) -> Answer:
        return Answer(found.loss, branch.settled + found.rows, branch.opening or (), self.exact)

    def _untouched_jokers(self, root: Branch, kept: Rows, below: int | None) -> Answer | None:
        """The best turn that leaves every row with a joker alone: no rule can object to it."""
        if not self.opened:
            return None
        must = bytearray(root.must)
        settled = list(root.settled)
        for number, row in enumerate(self.table):
            if row.jokers() and number not in kept:
                settled.append(row.faces)
                for face in row.faces:
                    if not must[face]:
                        return None
                    must[face] -= 1
        branch = root._replace(must=bytes(must), settled=tuple(settled), locks=())
        found = self._ask(branch, below)
        return None if found is None else self._answer(branch, found)


def _in_table_order(answer: Answer, order: list[int]) -> Answer:
    """The answer with the old rows, which stand first, in the order of the table."""
    old = dict(zip(order, answer.rows, strict=False))
    rows = tuple([old[number] for number in range(len(order))])
    return replace(answer, rows=rows + answer.rows[len(order) :])
