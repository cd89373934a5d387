"""The best turn where joker rules bind, by branching on the rows they speak of.

The kernels know what a row is, not where its tiles came from. So a first answer leaves the joker
rules out: nothing can be better. If the referee objects, its objection names what to decide next,
and each decision is a smaller question of the same kind:

- how a locked row survives, or which tiles of the rack set it free (`locks`);
- which rows open the game, where the turn goes on after the opening;
- what is added to a row, where none may be taken apart (`adding`);
- which row holds a joker that was taken to a wrong place, or a tile whose row was robbed;
- whether one more copy of a tile leaves the rack, where copies can be told apart.

Questions wait in a queue, the most promising first. The first answer without an objection is the
best turn: every other question promises no more. Each branching covers all turns of its parent
but the ones in which rows fall into smaller rows, so nothing is missed.
"""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from time import monotonic
from typing import Protocol

from tilerummy.rules.candidates import Bond, rows_with
from tilerummy.rules.editions import Edition
from tilerummy.rules.jokers import NEW_SET_RACK_TILES, LaidRow, joker_problem, lay
from tilerummy.rules.matching import Forbid, NeedsRack
from tilerummy.rules.matching import Problem as JokerProblem
from tilerummy.rules.openings import Opening, openings_from
from tilerummy.rules.rows import Faces, reader, stands_for
from tilerummy.rules.tiles import (
    ALL_FACES,
    COLOUR,
    FACES,
    IS_JOKER,
    MIRROR,
    NUMBER,
    NUMBERED_FACES,
    Face,
    has_joker,
    unidentified,
)
from tilerummy.rules.turns import has_joker_rules, judge_turn
from tilerummy.solver.cover.kernels import find_cover
from tilerummy.solver.cover.problem import Cover, Grammar, Problem
from tilerummy.solver.turns.additions import additions
from tilerummy.solver.turns.locks import extensions, ways_past_lock
from tilerummy.solver.turns.meanings import asks, meanings, statements
from tilerummy.solver.turns.objective import Prices

Counts = bytes
"""How many there are of each face."""
SPECIAL_EXCHANGE = "special-exchange"
Rows = frozenset[int]
"""Rows of the table before the turn, by their place."""


@dataclass(slots=True)
class Budget:
    """What a search may still spend; None = anything.

    `nodes` limits the states that the kernels expand, `deadline` is a time on the monotonic clock.
    `effort` also counts what is done around the kernels, in units of about one such state.
    """

    nodes: int | None = None
    deadline: float | None = None
    spent: int = 0
    most_effort: int | None = None
    effort: int = 0

    @property
    def over(self) -> bool:
        return (
            (self.nodes is not None and self.spent >= self.nodes)
            or (self.most_effort is not None and self.effort >= self.most_effort)
            or (self.deadline is not None and monotonic() >= self.deadline)
        )

    def limit(self, problem: Problem) -> Problem:
        """The problem with what is left as its limits."""
        if self.nodes is None and self.deadline is None:
            return problem
        nodes = 0 if self.nodes is None else max(1, self.nodes - self.spent)
        return replace(problem, node_limit=nodes, deadline=self.deadline)

    def renew(self) -> None:
        """Grant as many nodes again; time that is over stays over."""
        if self.nodes is not None:
            self.nodes += self.spent

    def spend(self, nodes: int) -> None:
        self.spent += nodes
        self.effort += nodes + EFFORT_TO_ASK


EFFORT_TO_ASK = 40
EFFORT_TO_LIST = 4  # each row


@dataclass(frozen=True, slots=True)
class Question:
    """One part of all turns: some rows of the new table are settled, the rest is open.

    `must` and `may` count what is left of table and rack. `lost` is the price of rack tiles that
    are not to be played. `locks` are locked rows whose treatment is open, by their place among
    the old rows; `extended` are rows that have to survive, but nobody knows how yet. `opening` are
    rows that were laid first in this turn, None while that is open. `given` counts tiles that must
    leave the rack and have not been called upon to open or to replace a joker.
    """

    must: Counts
    may: Counts
    settled: tuple[Faces, ...] = ()
    lost: int = 0
    locks: tuple[int, ...] = ()
    extended: tuple[int, ...] = ()
    opening: Opening | None = ()
    last: tuple[Face, Faces] | None = None
    given: Counts = bytes(FACES)


@dataclass(frozen=True, slots=True)
class Answer:
    """A whole new table in faces; `opening` are its rows that had to be laid first."""

    loss: int
    rows: tuple[Faces, ...]
    opening: Opening
    exact: bool = True


class Turns(Protocol):
    """All turns of a position.

    `best` gives the cheapest turn, or None. Rows of the table named in `kept` stay as they are,
    those in `extended` are at most added to, `forced` tiles leave the rack and `excluded` ones do
    not; only turns that cost less than `below` are looked for.
    """

    exact: bool
    budget: Budget
    rack: Counts

    def best(
        self,
        *,
        kept: Rows = ...,
        extended: Rows = ...,
        forced: Counts | None = ...,
        excluded: Counts | None = ...,
        below: int | None = ...,
    ) -> Answer | None: ...


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
        self.table = [replace(row, tiles=unidentified(row.faces)) for row in table]
        self._said = asks(edition, table)
        self._declared = {row.tiles: row.said for row in self.table if row.said is not None}
        self.rack = rack
        self.prices = prices
        self.opened = opened
        self.budget = budget or Budget()
        self.exact = True
        self._copies = Counter(face for row in self.table for face in row.faces)
        self._copies.update(counter(rack))
        self._grammar = Grammar.of(edition)
        self._rows = reader(edition)
        self._has_rules = has_joker_rules(edition)
        self._whole = edition.joker_reuse == "new_set_rack2"
        self._additions: list[list[Faces]] | None = None
        if not manipulation:
            self._additions = additions(edition, self.table, counter(rack))

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
        if self._additions is None:
            return self._best(kept, extended, forced, excluded, below)
        fixed = [n for n, longer in enumerate(self._additions) if len(longer) == 1]
        kept = kept.union(fixed)
        extended = frozenset(range(len(self.table))) - kept
        answer = self._best(kept, extended, forced, excluded, below)
        return answer and self._in_table_order(answer, [*sorted(kept), *sorted(extended)])

    def _in_table_order(self, answer: Answer, order: list[int]) -> Answer:
        """The answer with the old rows, which stand first, in the order of the table."""
        old = dict(zip(order, answer.rows, strict=False))
        rows = tuple([old[number] for number in range(len(order))])
        return replace(answer, rows=rows + answer.rows[len(order) :])

    def _best(
        self,
        kept: Rows,
        extended: Rows,
        forced: Counts | None,
        excluded: Counts | None,
        below: int | None,
    ) -> Answer | None:
        root = self._root(kept, extended, forced, excluded)
        first = self._ask(root)
        if first is None or (below is not None and first.loss >= below):
            return None
        if self._objection(root, first) is None:
            return self._answer(root, first)
        hint = None if extended else self._untouched_jokers(root, kept)
        return self._better(root, first, hint, below)

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
        if self._objection(root, first) is None:
            return self._answer(root, first)
        return self._better(root, first, hint, None)

    def _better(
        self, root: Question, first: Cover, hint: Answer | None, below: int | None
    ) -> Answer | None:
        """The best turn of a question whose first answer met an objection."""
        if hint is not None and (below is None or hint.loss < below):
            below = hint.loss
        else:
            hint = None
        found = self._search(root, first, below)
        return found or (hint and replace(hint, exact=self.exact))

    def _search(self, root: Question, first: Cover, below: int | None) -> Answer | None:
        """Best first. A question waits with what its parent promised until its turn comes."""
        number = 0
        queue: list[tuple[int, int, Question, Cover | None, bool]] = []
        heapq.heappush(queue, (first.loss, 0, root, first, False))
        while queue:
            promised, _, question, found, hinted = heapq.heappop(queue)
            if below is not None and promised >= below:
                return None
            if self.budget.over:
                self.exact = False
                return None
            if found is None:
                found = None if self._hopeless(question) else self._ask(question)
                if found is None:
                    continue
            number -= 1  # among equals the newest goes first: it is nearest to an answer
            if found.loss > promised:
                heapq.heappush(queue, (found.loss, number, question, found, False))
                continue
            objection = self._objection(question, found)
            if objection is None:
                return self._answer(question, found)
            hints = [] if hinted else self._hints(question, objection)
            if hints:  # a part of the question that may answer it; the whole waits behind
                heapq.heappush(queue, (promised, number, question, found, True))
                children: Iterable[Question] = hints
            else:
                children = self._branch(question, found, objection)
            for child in children:
                number -= 1
                heapq.heappush(queue, (max(promised, child.lost), number, child, None, False))
        return None

    def _hints(self, question: Question, objection: JokerProblem) -> list[Question]:
        """The question with a row left alone that was robbed of its joker."""
        if question.opening is None or question.locks or question.extended:
            return []
        old_rows = self._old_rows(question)
        row_of = [number for number, row in enumerate(old_rows) for _ in row.faces]
        robbed = {
            row_of[rule.pattern[0][0]]
            for rule in objection.broken_rules()
            if isinstance(rule, Forbid) and rule.reason.code == SPECIAL_EXCHANGE
        }
        children = [self._settled(question, old_rows[number].faces) for number in sorted(robbed)]
        return [child for child in children if child is not None]

    # Questions

    def _root(
        self, kept: Rows, extended: Rows, forced: Counts | None, excluded: Counts | None
    ) -> Question:
        must, may, lost = split_rack(self.rack, self.prices, forced, excluded)
        for number, row in enumerate(self.table):
            if number not in kept:
                for face in row.faces:
                    must[face] += 1
        locks = tuple(
            number
            for number, row in enumerate(self.table)
            if number not in kept | extended and row.jokers() and self.edition.joker_locked_sets
        )
        settled = tuple(self.table[number].faces for number in sorted(kept))
        opening = () if self.opened else None
        return Question(
            bytes(must),
            bytes(may),
            settled,
            lost,
            locks,
            tuple(sorted(extended)),
            opening,
            given=forced or bytes(FACES),
        )

    def _ask(self, question: Question) -> Cover | None:
        """The cheapest rows for what is open, the joker rules left out."""
        found = ask(self, Problem(self._grammar, question.must, question.may, self.prices.weights))
        if found is None or not question.lost:
            return found
        return found._replace(loss=found.loss + question.lost)

    def _answer(self, question: Question, found: Cover) -> Answer:
        return Answer(found.loss, question.settled + found.rows, question.opening or (), self.exact)

    def _untouched_jokers(self, root: Question, kept: Rows) -> Answer | None:
        """The best turn that leaves every row with a joker alone: nothing can object to it."""
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
        question = replace(root, must=bytes(must), settled=tuple(settled), locks=())
        found = self._ask(question)
        if found is None or self._objection(question, found) is not None:
            return None
        return self._answer(question, found)

    # Objections of the referee

    def _objection(self, question: Question, found: Cover) -> JokerProblem | None:
        """What the joker rules ask of this new table, where it does not satisfy them."""
        rows = question.settled + found.rows
        if question.extended or (question.opening is None and not self._explained(rows)):
            return JokerProblem({})
        if question.opening is None:
            return None
        if not self._has_rules:
            return None
        before = self._old_rows(question)
        if not any(row.jokers() for row in before):
            return None
        if self._touched_only(before, rows, len(question.opening)):
            return None
        objection: JokerProblem | None = None
        for after in self._meanings(rows, before):
            problem = joker_problem(self.edition, before, after, len(question.opening))
            if problem.solvable():
                return None
            if objection is None:
                objection = problem
            else:
                objection.forbids += problem.forbids
                objection.needs_rack += problem.needs_rack
                objection.requires += problem.requires
        return objection

    def _touched_only(self, before: list[LaidRow], rows: tuple[Faces, ...], opening: int) -> bool:
        """Whether the rules agree when rows that look the same are taken to be the same.

        A quick yes. A no says little: equal tiles may have to change places with those rows.
        """
        if self._said:
            return False
        standing = Counter(row.faces for row in before[: len(before) - opening]) & Counter(rows)
        kept, old = Counter(standing), []
        for row in before:
            if kept[row.faces]:
                kept[row.faces] -= 1
            else:
                old.append((row.tiles, row.readings))
        kept, new = Counter(standing), []
        for faces in rows:
            if kept[faces]:
                kept[faces] -= 1
            else:
                new.append((unidentified(faces), self._rows.readings(faces)))
        return joker_problem(self.edition, lay(old), lay(new), opening).solvable()

    def _meanings(self, rows: tuple[Faces, ...], before: list[LaidRow]) -> Iterator[list[LaidRow]]:
        """The new table with its readings; where the player has to choose, each choice."""
        for chosen in meanings(self.edition, rows, before):
            readings = [meaning.readings for meaning in chosen]
            yield lay(list(zip(map(unidentified, rows), readings, strict=True)))

    def _old_rows(self, question: Question) -> list[LaidRow]:
        if not question.opening:
            return self.table
        laid = [(row.tiles, row.readings) for row in self.table]
        laid += [(unidentified(row.row), row.readings) for row in question.opening]
        return [*self.table, *lay(laid)[len(self.table) :]]

    def _explained(self, rows: tuple[Faces, ...]) -> bool:
        """Whether some opening explains the new table (for turns that go on after it)."""
        rack = unidentified([face for face in ALL_FACES for _ in range(self.rack[face])])
        table = tuple(map(unidentified, rows))
        return any(
            judge_turn(
                self.edition,
                opened=False,
                rack=rack,
                before=[row.tiles for row in self.table],
                after=table,
                declared_before=self._declared,
                declared=declared,
            ).legal
            for declared in (statements(self.edition, table) if self._said else [None])
        )

    # Branching

    def _branch(
        self, question: Question, found: Cover, objection: JokerProblem
    ) -> Iterator[Question]:
        if question.opening is None:
            yield from self._choose_opening(question)
        elif question.extended:
            yield from self._extend(question)
        elif question.locks:
            yield from self._treat_lock(question)
        else:
            yield from self._settle(question, found, objection)

    def _choose_opening(self, question: Question) -> Iterator[Question]:
        stock = counter(question.may) + counter(question.given)
        seen = set()
        for _, opening in openings_from(self.edition, stock):
            rows = tuple([row.row for row in opening])
            key = self._what_matters(opening)
            if key in seen:
                continue
            seen.add(key)
            child = self._from_rack(question, [face for row in rows for face in row])
            locks = question.locks
            if self.edition.joker_locked_sets:
                first = len(self.table)
                locks += tuple(first + n for n, row in enumerate(rows) if has_joker(row))
            yield replace(child, opening=opening, locks=locks)

    def _what_matters(self, opening: Opening) -> tuple[object, ...]:
        """Equal for openings after which the same turns are possible."""
        free = sorted(face for row in opening if not has_joker(row.row) for face in row.row)
        bound = Counter((row.row, row.readings) for row in opening if has_joker(row.row))
        return tuple(free), frozenset(bound.items())

    def _extend(self, question: Question) -> Iterator[Question]:
        number, *rest = question.extended
        for longer in self._longer(question, number):
            child = self._settled(replace(question, extended=tuple(rest)), longer)
            if child is not None:
                yield child

    def _longer(self, question: Question, number: int) -> Iterable[Faces]:
        """What may become of a row of the table, itself included."""
        if self._additions is not None:
            return self._additions[number]
        row = self.table[number]
        stock = counter(question.must) + counter(question.may)
        stock.subtract(row.faces)
        return extensions(self._rows, row.faces, +stock, mirrored=False)

    def _treat_lock(self, question: Question) -> Iterator[Question]:
        number, *rest = question.locks
        row = self._old_rows(question)[number]
        stock = counter(question.must) + counter(question.may)
        stock.subtract(row.faces)
        free_table: Counter[Face] = Counter()
        if self.edition.joker_replace_from == "any":
            free_table.update(
                face
                for other in self._old_rows(question)
                if not other.jokers()
                for face in other.faces
            )
        rack = counter(question.may) + counter(question.given)
        for way in ways_past_lock(self.edition, row, +stock, rack, free_table):
            child = replace(self._from_rack(question, way.from_rack), locks=tuple(rest))
            settled = child if way.row is None else self._settled(child, way.row)
            if settled is not None:
                yield settled

    def _from_rack(self, question: Question, faces: Sequence[Face]) -> Question:
        """The question in which the rack gives these tiles, each for a purpose of its own."""
        must, may = bytearray(question.must), bytearray(question.may)
        given = bytearray(question.given)
        for face in faces:
            if given[face]:
                given[face] -= 1
            else:
                may[face] -= 1
                must[face] += 1
        return replace(question, must=bytes(must), may=bytes(may), given=bytes(given))

    def _settle(
        self, question: Question, found: Cover, objection: JokerProblem
    ) -> Iterator[Question]:
        """Settle the rows that hold some face, chosen so that an objection must yield or stay."""
        rows = question.settled + found.rows
        row_of = [number for number, row in enumerate(rows) for _ in row]
        faces = [face for row in rows for face in row]
        settled = len(question.settled)
        old_faces = [face for row in self._old_rows(question) for face in row.faces]
        rules: list[Forbid | NeedsRack] = [*objection.forbids, *objection.needs_rack]
        broken = objection.broken_rules()
        rules = broken + [rule for rule in rules if rule not in broken]
        open_rules = [rule for rule in rules if row_of[_target(rule)] >= settled]
        if open_rules:
            pivot = self._pivot(open_rules[0], old_faces, question)
            yield from self._settle_face(question, pivot)
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
        face = next((face for face in sorted(concerned) if question.may[face]), None)
        if face is not None:
            yield from self._decide_copy(question, face)

    def _pivot(self, rule: Forbid | NeedsRack, old_faces: list[Face], question: Question) -> Face:
        """The face whose rows are settled next.

        A joker in a wrong place could go to any other wrong place, so its own row is settled. A
        row robbed of its joker is settled by a numbered tile of it: few rows hold that.
        """
        if isinstance(rule, NeedsRack):
            return old_faces[rule.source]
        if rule.reason.code != SPECIAL_EXCHANGE:
            return old_faces[rule.pattern[0][0]]
        faces = {old_faces[source] for source, _ in rule.pattern[1:]}
        return min(faces, key=lambda face: (IS_JOKER[face], self._company(question, face), face))

    def _company(self, question: Question, face: Face) -> tuple[int, int]:
        """How many tiles there are of a face, and how many that could lie close to it."""
        open_tiles = [must + may for must, may in zip(question.must, question.may, strict=True)]
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

    def _settle_face(self, question: Question, face: Face) -> Iterator[Question]:
        """Every row that may hold the face next, or none if no more of it has to be laid."""
        stock = counter(question.must) + counter(question.may)
        last = question.last
        known = {row.faces for row in self.table}
        bonds = self._bonds(question)
        rows = rows_with(self.edition, face, stock, whole=self._whole, bonds=bonds)
        self.budget.effort += EFFORT_TO_LIST * len(rows)
        for row in sorted(rows, key=lambda row: (row in known, row)):  # the last is tried first
            if last is not None and last[0] == face and row < last[1]:
                continue  # the same rows in another order
            child = self._settled(question, row)
            if child is not None:
                yield replace(child, last=(face, row))
        if not question.must[face]:
            may = bytearray(question.may)
            lost = question.lost + may[face] * self.prices.weights[face]
            may[face] = 0
            yield replace(question, may=bytes(may), lost=lost)

    def _bonds(self, question: Question) -> list[Bond]:
        """What the exchange ban keeps together."""
        if not self.edition.has_specials or not self.edition.twist_special_exchange_ban:
            return []
        return [
            Bond(Counter(row.faces) - Counter([joker]), joker)
            for row in self._old_rows(question)
            for joker in {row.faces[index] for index in row.jokers()} - {MIRROR}
        ]

    def _hopeless(self, question: Question) -> bool:
        """Whether a rule about re-use forbids the row settled last, whatever the rest is."""
        reuse = self.edition.joker_reuse
        if reuse == "any" or question.last is None:
            return False
        row = question.last[1]
        old_rows = self._old_rows(question)
        readings = self._rows.readings(row)
        for place, joker in enumerate(row):
            if not IS_JOKER[joker] or joker == MIRROR or self.rack[joker]:
                continue
            stands = stands_for(readings, place)
            if any(
                old.faces[index] == joker and old.stands(index) & stands
                for old in old_rows
                for index in old.jokers()
            ):
                continue  # it may have stayed what it was
            if reuse == "new_set_rack2":
                new = sum(min(count, self.rack[face]) for face, count in Counter(row).items())
                if new < NEW_SET_RACK_TILES:
                    return True
            if reuse != "other_set" and any(self._held_together(old, row) for old in old_rows):
                return True
        return False

    def _held_together(self, old: LaidRow, row: Faces) -> bool:
        """Whether the row holds all numbered tiles of an old one, and no copies could be meant."""
        numbered = [face for face in old.faces if not IS_JOKER[face]]
        return len(numbered) >= 2 and all(
            face in row and self._copies[face] == 1 for face in numbered
        )

    def _decide_copy(self, question: Question, face: Face) -> Iterator[Question]:
        must, may = bytearray(question.must), bytearray(question.may)
        may[face] -= 1
        must[face] += 1
        yield replace(question, must=bytes(must), may=bytes(may))
        lost = question.lost + question.may[face] * self.prices.weights[face]
        may[face] = 0
        yield replace(question, may=bytes(may), lost=lost)

    def _settled(self, question: Question, row: Faces) -> Question | None:
        """The question with one more row settled."""
        rest = without(question.must, question.may, row)
        if rest is None:
            return None
        must, may = rest
        return replace(question, must=must, may=may, settled=(*question.settled, row))


def ask(turns: Turns, problem: Problem) -> Cover | None:
    """The kernel's answer, within the budget of a search and at its expense; None if there is none.

    The search is no longer exact when the kernel had to hurry.
    """
    found = find_cover(turns.budget.limit(problem))
    if found is None:
        return None
    turns.budget.spend(found.nodes)
    if not found.exact:
        turns.exact = False
    return found if found.loss >= 0 else None


def without(must: Counts, may: Counts, row: Faces) -> tuple[Counts, Counts] | None:
    """What is left when a row is laid, its tiles taken from the table first; None if one lacks."""
    table, rack = bytearray(must), bytearray(may)
    for face in row:
        if table[face]:
            table[face] -= 1
        elif rack[face]:
            rack[face] -= 1
        else:
            return None
    return bytes(table), bytes(rack)


def split_rack(
    rack: Counts, prices: Prices, forced: Counts | None, excluded: Counts | None
) -> tuple[bytearray, bytearray, int]:
    """What must leave the rack, what may, and the price of what shall not."""
    must, may = bytearray(forced) if forced else bytearray(FACES), bytearray(rack)
    lost = 0
    if forced is None and excluded is None:
        return must, may, lost
    for face in ALL_FACES:
        out = excluded[face] if excluded is not None else 0
        may[face] -= must[face] + out
        lost += out * prices.weights[face]
    return must, may, lost


def counter(counts: Counts | bytearray) -> Counter[Face]:
    return Counter({face: count for face, count in zip(ALL_FACES, counts, strict=True) if count})


def _target(rule: Forbid | NeedsRack) -> int:
    """A place of the new row that a rule speaks of."""
    places = rule.row if isinstance(rule, NeedsRack) else rule.pattern[-1][1]
    return min(places)
