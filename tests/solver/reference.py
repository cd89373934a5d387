"""Two exact methods to hold the solver against. Neither uses any of its code.

`brute` lists every final table and asks the referee, best first; it is for small positions.
`model` is a row-template model in integers for positions of any size. Joker rules enter it in two
ways: some necessary conditions beforehand, and a cut for each table that the referee refuses, until
the best table left is legal. Why this proves the optimum:

* The best table of the model is never worse than the best legal turn: every template that a legal
  turn could need is there, and every condition and cut holds for all legal turns.
* What the joker rules say depends on the rows with a joker and on how many tiles of each face lie
  on the table, not on how the rest is laid out. (Each rule speaks of places in rows with jokers,
  and of new tiles by number.) So rows without a joker need not be longer than necessary, and one
  refusal speaks for all tables with the same joker rows.
* More tiles from the rack never hurt: a player who may lay the joker rows R with some tiles played
  may lay them with more. So if R is refused although the whole rack is out, R is refused always;
  else R may come back only with more tiles of some face.
"""

from __future__ import annotations

import importlib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, product
from typing import Any

from tests import oracle
from tests.solver.templates import (
    Cut,
    Faces,
    Grammar,
    JokerCut,
    NoCut,
    Stock,
    ordered_rows,
    rows,
    whole_rows,
)
from tilerummy.rules.editions import Edition
from tilerummy.rules.jokers import joker_problem, lay, treatments
from tilerummy.rules.position import Position
from tilerummy.rules.rows import Kind, Reading, reader
from tilerummy.rules.tiles import (
    FACE_OF,
    FACES,
    JOKER,
    NUMBER,
    NUMBERED_FACES,
    Face,
    faces_of,
    row_text,
    table_text,
    unidentified,
)
from tilerummy.rules.turns import judge_turn, read_table

Goal = str | tuple[int, ...]
"""`tiles`, `value`, `out`, or a weight for every face."""
Key = tuple[int, ...]
Referee = Callable[[Position, Sequence[Faces]], bool]
MAJOR = 1 << 16


class TooBigError(Exception):
    """The position is too large for this method."""


@dataclass(frozen=True)
class Best:
    """The best turn: `key` orders turns by the goal.

    `refused` counts the tables that the model proposed in vain because of a joker rule.
    """

    key: Key
    tiles: int
    value: int
    rows: tuple[Faces, ...]
    refused: int = 0


def points(edition: Edition, face: Face) -> int:
    return NUMBER[face] or edition.joker_rack_penalty


def is_plain_opening(position: Position) -> bool:
    return not position.opened and not position.edition.initial_same_turn_manipulation


def key_of(goal: Goal, played: Stock, value: int) -> Key:
    if isinstance(goal, tuple):
        return (sum(goal[face] * count for face, count in played.items()),)
    tiles = played.total()
    return (value, tiles) if goal == "value" else (tiles, value)


def describe(position: Position, goal: Goal = "tiles") -> str:
    """One line from which `positions.read` makes the position again."""
    return repr(
        {
            "edition": position.edition.name,
            "options": position.edition.changed_options(),
            "opened": position.opened,
            "rack": row_text(position.rack).split(),
            "table": [row_text(row).split() for row in position.table],
            "goal": goal,
        }
    )


# ---------------------------------------------------------------------------------------------
# Every table
# ---------------------------------------------------------------------------------------------


def brute(
    position: Position,
    goal: Goal = "tiles",
    *,
    tables: int = 60_000,
    verdicts: int = 8_000,
    referee: Referee | None = None,
) -> Best | None:
    """Try all tables. Raises TooBigError when there are more of them, or of verdicts."""
    edition = position.edition
    legal = referee or is_legal
    must = Counter(faces_of(tile for row in position.table for tile in row))
    may = Counter(faces_of(position.rack))
    if is_plain_opening(position):
        must = Counter()
    by_tiles: dict[Faces, list[tuple[Faces, int]]] = {}
    for row, worth in rows(Grammar.of(edition), must + may).items():
        by_tiles.setdefault(tuple(sorted(row)), []).append((row, worth))
    found = []
    for number, parts in enumerate(_partitions(sorted(by_tiles), must, may)):
        if number > tables:
            raise TooBigError(f"more than {tables} tables")
        played = Counter(face for part in parts for face in part)
        played.subtract(must)
        played = +played
        if not played or (goal == "out" and played != may):
            continue
        if is_plain_opening(position):
            worth = sum(max(value for _, value in by_tiles[part]) for part in parts)
        else:
            worth = sum(points(edition, face) * count for face, count in played.items())
        found.append((key_of(goal, played, worth), played.total(), worth, parts))
    found.sort(key=lambda item: item[0], reverse=True)
    asked = 0
    for key, tiles, worth, parts in found:
        if is_plain_opening(position):  # order matters to the value only: the best
            choices = [[max(by_tiles[part], key=lambda item: item[1])] for part in parts]
        else:
            choices = [by_tiles[part] for part in parts]
        for laid in product(*choices):
            asked += 1
            if asked > verdicts:
                raise TooBigError(f"more than {verdicts} verdicts")
            new = tuple(row for row, _ in laid)
            if legal(position, new):
                return Best(key, tiles, worth, new)
    return None


def is_legal(position: Position, new_rows: Sequence[Faces]) -> bool:
    """The referee's word. For a plain opening the rows are those laid beside the table."""
    before = tuple([unidentified(faces_of(row)) for row in position.table])
    after = tuple([unidentified(row) for row in new_rows])
    if is_plain_opening(position):
        after = before + after
    rack = unidentified(faces_of(position.rack))
    return judge_turn(replace(position, table=before, rack=rack, declared={}), after).legal


def knows(position: Position) -> bool:
    """Whether the slow judge knows all options that matter here."""
    options = _oracle_options(position)
    return options.keys() <= oracle.DEFAULTS.keys()


def is_legal_slowly(position: Position, new_rows: Sequence[Faces]) -> bool:
    """The word of the slow judge, which shares no code with the referee."""
    before = [row_text(row).split() for row in position.table]
    new = [row_text(row).split() for row in new_rows]
    return oracle.turn_verdict(
        position.edition.name,
        _oracle_options(position),
        position.opened,
        row_text(position.rack).split(),
        before,
        [*before, *new] if is_plain_opening(position) else new,
    )


def _oracle_options(position: Position) -> dict[str, object]:
    """Without options that do not matter, or say what the slow judge takes for granted."""
    edition = position.edition
    options = edition.changed_options()
    if edition.joker_replace_from == "rack" or not edition.joker_locked_sets:
        options.pop("joker.replace_from", None)
    ours = {"copies", "jokers", "joker.replace_from", "twist.mirror_number"}
    return {key: value for key, value in options.items() if key in ours | oracle.DEFAULTS.keys()}


def _partitions(templates: Sequence[Faces], must: Stock, may: Stock) -> Iterator[tuple[Faces, ...]]:
    """All collections of rows that hold every tile of `must` and any of `may`, each once."""
    needs = [_packed(Counter(row)) for row in templates]
    having: dict[Face, list[int]] = {}
    for number, row in enumerate(templates):
        for face in set(row):
            having.setdefault(face, []).append(number)
    seen: set[tuple[int, ...]] = set()

    def cover(left: int, lacking: Stock, chosen: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        if not lacking:
            if (key := tuple(sorted(chosen))) not in seen:
                seen.add(key)
                yield from add(left, chosen, 0)
            return
        for number in having.get(min(lacking), ()):
            if (left - needs[number]) & _GUARDS == _GUARDS:
                rest = lacking - Counter(templates[number])
                yield from cover(left - needs[number], rest, (*chosen, number))

    def add(left: int, chosen: tuple[int, ...], start: int) -> Iterator[tuple[int, ...]]:
        yield chosen
        for number in range(start, len(needs)):
            if (left - needs[number]) & _GUARDS == _GUARDS:
                yield from add(left - needs[number], (*chosen, number), number)

    found: set[tuple[int, ...]] = set()
    for chosen in cover(_packed(must + may) | _GUARDS, +must, ()):
        key = tuple(sorted(chosen))
        if key not in found:
            found.add(key)
            yield tuple(templates[number] for number in key)


# Four bits for each face, the highest of them set while there is no less than nothing.
_GUARDS = sum(8 << 4 * face for face in range(FACES))


def _packed(stock: Stock) -> int:
    if any(count > 7 for count in stock.values()):
        raise TooBigError("too many copies")
    return sum(count << 4 * face for face, count in stock.items())


# ---------------------------------------------------------------------------------------------
# Row templates in integers
# ---------------------------------------------------------------------------------------------


def best_cover(
    edition: Edition, must: Counter[Face], may: Counter[Face], weights: Sequence[int]
) -> tuple[int, list[Faces]] | None:
    """The least weight of `may` that stays behind while all of `must` lies in rows, and the rows.

    None where `must` cannot be covered at all.
    """
    model = Model(must, may, whole_rows(Grammar.of(edition), must + may))
    model.maximise({face: weights[face] for face in may})
    if not model.solve():
        return None
    played = model.played()
    loss = sum(weights[face] * (count - played[face]) for face, count in may.items())
    return loss, model.laid()


class Model:
    """Rows as integer variables; every tile of `must` and any of `may` lies in one of them."""

    def __init__(self, must: Stock, may: Stock, templates: Mapping[Faces, int]) -> None:
        cp: Any = importlib.import_module("ortools.sat.python.cp_model")
        self.cp, self.model = cp, cp.CpModel()
        self.must, self.may = +must, +may
        stock = self.must + self.may
        self.templates = dict(templates)
        self.rows: dict[Faces, Any] = {}
        self.out: dict[Face, Any] = {}  # how many of each face leave the rack
        terms: dict[Face, list[Any]] = {face: [] for face in stock}
        for row in self.templates:
            need = Counter(row)
            most = min(stock[face] // count for face, count in need.items())
            variable = self.rows[row] = self.model.new_int_var(0, most, "")
            for face, count in need.items():
                terms[face].append(variable * count if count > 1 else variable)
        for face, laid in terms.items():
            out = self.out[face] = self.model.new_int_var(0, self.may[face], "")
            self.model.add(cp.LinearExpr.sum(laid) == out + self.must[face])
        self.solver: Any = None
        self._flags: dict[tuple[str, object, int], Any] = {}

    def maximise(self, weights: Mapping[Face, int], row_points: int = 0) -> None:
        """Weights of the tiles that leave the rack, and of each point of the rows laid."""
        total = self.cp.LinearExpr.sum([weights[face] * self.out[face] for face in self.may])
        if row_points:
            worth = [value * self.rows[row] for row, value in self.templates.items()]
            total += row_points * self.cp.LinearExpr.sum(worth)
        self.model.maximize(total)

    def solve(self) -> bool:
        solver = self.solver = self.cp.CpSolver()
        solver.parameters.num_workers = 1
        solver.parameters.linearization_level = 2
        solver.parameters.symmetry_level = 0
        solver.parameters.cp_model_probing_level = 0
        solver.parameters.random_seed = 1
        status = solver.solve(self.model)
        if status == self.cp.INFEASIBLE:
            return False
        if status != self.cp.OPTIMAL:
            raise RuntimeError(f"the model ended as {solver.status_name(status)}")
        return True

    def played(self) -> Stock:
        return +Counter({face: self.solver.value(out) for face, out in self.out.items()})

    def laid(self) -> list[Faces]:
        return [
            row for row, variable in self.rows.items() for _ in range(self.solver.value(variable))
        ]

    def at_least(self, kind: str, item: object, count: int) -> Any:
        """A truth value: `count` rows of this template ("row"), or tiles played ("out")."""
        flag = self._flags.get((kind, item, count))
        if flag is None:
            variables: Mapping[Any, Any] = self.rows if kind == "row" else self.out
            flag = self._flags[kind, item, count] = self.model.new_bool_var("")
            self.model.add(variables[item] >= count).only_enforce_if(flag)
            self.model.add(variables[item] < count).only_enforce_if(flag.negated())
        return flag


def model(position: Position, goal: Goal = "tiles", *, rounds: int = 400) -> Best | None:
    """The best turn by the template model. Raises TooBigError after too many refusals."""
    if not position.manipulation:
        raise NotImplementedError("the model rearranges")
    if is_plain_opening(position):
        return _opening(position, goal)
    edition = position.edition
    grammar = Grammar.of(edition)
    must = Counter(faces_of(tile for row in position.table for tile in row))
    may = Counter(faces_of(position.rack))
    if not may:
        return None
    binding = _rules_may_bind(position)
    if binding:
        # First as if no joker rule bound: often the referee has nothing against that.
        free = Model(must, may, whole_rows(grammar, must + may))
        _prepare(free, position, goal)
        if not free.solve():
            return None
        if is_legal(position, free.laid()):
            return _best(position, goal, free)
        templates = ordered_rows(grammar, must + may, _cut_for(position, grammar))
    else:
        templates = whole_rows(grammar, must + may)
    main = Model(must, may, templates)
    _prepare(main, position, goal)
    if edition.joker_locked_sets:
        _respect_locks(main, position)
    for number in range(rounds):
        if not main.solve():
            return None
        if is_legal(position, main.laid()):
            return replace(_best(position, goal, main), refused=number + binding)
        _refuse(main, position)
    raise TooBigError(f"more than {rounds} refusals")


def bites(position: Position, goal: Goal = "tiles") -> bool:
    """Whether the referee refuses the best table that leaves the joker rules out."""
    must = Counter(faces_of(tile for row in position.table for tile in row))
    may = Counter(faces_of(position.rack))
    if is_plain_opening(position) or not may or not _rules_may_bind(position):
        return False
    free = Model(must, may, whole_rows(Grammar.of(position.edition), must + may))
    _prepare(free, position, goal)
    return free.solve() and not is_legal(position, free.laid())


def _best(position: Position, goal: Goal, found: Model) -> Best:
    played = found.played()
    worth = sum(points(position.edition, face) * count for face, count in played.items())
    return Best(key_of(goal, played, worth), played.total(), worth, tuple(found.laid()))


def _prepare(main: Model, position: Position, goal: Goal) -> None:
    edition = position.edition
    if isinstance(goal, tuple):
        main.maximise({face: goal[face] for face in main.may})
    elif goal == "value":
        main.maximise({face: MAJOR * points(edition, face) + 1 for face in main.may})
    else:
        main.maximise({face: MAJOR + points(edition, face) for face in main.may})
    if goal == "out":
        for face, count in main.may.items():
            main.model.add(main.out[face] == count)
    main.model.add(main.cp.LinearExpr.sum(list(main.out.values())) >= 1)
    if not position.opened:
        _demand_opening(main, position)


def _rules_may_bind(position: Position) -> bool:
    edition = position.edition
    strict = (
        edition.joker_reuse != "any"
        or edition.joker_locked_sets
        or (edition.has_specials and edition.twist_special_exchange_ban)
    )
    tiles = [tile for row in position.table for tile in row]
    if not position.opened:
        tiles += position.rack
    return strict and any(FACE_OF[tile] >= JOKER for tile in tiles)


def _cut_for(position: Position, grammar: Grammar) -> Cut:
    """What may be taken apart in rows with jokers.

    Not where rows must survive whole (locks) or must hold two new tiles, nor after an opening in
    the same turn, whose rows are not known beforehand.
    """
    edition = position.edition
    if edition.joker_locked_sets or edition.joker_reuse == "new_set_rack2" or not position.opened:
        return NoCut(grammar)
    rests = [
        (face, row.faces[:place] + row.faces[place + 1 :])
        for row in read_table(edition, position.table)
        for place, face in enumerate(row.faces)
        if face >= JOKER
    ]
    return JokerCut(grammar, rests)


# --- openings


def _opening(position: Position, goal: Goal) -> Best | None:
    """Rows from the rack alone that reach the minimum."""
    edition = position.edition
    may = Counter(faces_of(position.rack))
    if not edition.initial_jokers:
        if goal == "out" and any(face >= JOKER for face in may):
            return None
        may = Counter({face: count for face, count in may.items() if face < JOKER})
    if not may:
        return None
    # The parts of a row are worth no less together, but one row alone may have to reach the sum.
    listed = rows if edition.initial_single_set else whole_rows
    main = Model(Counter(), may, listed(Grammar.of(edition), may))
    if isinstance(goal, tuple):
        main.maximise({face: goal[face] for face in may})
    elif goal == "value":
        main.maximise(dict.fromkeys(may, 1), MAJOR)
    else:
        main.maximise(dict.fromkeys(may, MAJOR), 1)
    if goal == "out":
        for face, count in may.items():
            main.model.add(main.out[face] == count)
    main.model.add(main.cp.LinearExpr.sum(list(main.out.values())) >= 1)
    _reach(main, edition, main.templates, main.rows)
    if not main.solve():
        return None
    laid, played = main.laid(), main.played()
    if not is_legal(position, laid):
        raise AssertionError(f"the referee refuses the opening {table_text(laid)}")
    worth = sum(main.templates[row] for row in laid)
    return Best(key_of(goal, played, worth), played.total(), worth, tuple(laid))


def _reach(
    main: Model, edition: Edition, templates: Mapping[Faces, int], laid: Mapping[Faces, Any]
) -> None:
    if edition.initial_single_set:
        if edition.initial_min:
            enough = [laid[row] for row, value in templates.items() if value >= edition.initial_min]
            main.model.add(main.cp.LinearExpr.sum(enough) >= 1)
    else:
        worth = [value * laid[row] for row, value in templates.items()]
        main.model.add(main.cp.LinearExpr.sum(worth) >= edition.initial_min)


def _demand_opening(main: Model, position: Position) -> None:
    """Some rows of the tiles played reach the minimum; they need not lie on the final table."""
    edition = position.edition
    may = main.may
    if not edition.initial_jokers:
        may = Counter({face: count for face, count in may.items() if face < JOKER})
    listed = rows if edition.initial_single_set else whole_rows
    templates = listed(Grammar.of(edition), may)
    laid = {}
    used: dict[Face, list[Any]] = {}
    for row in templates:
        need = Counter(row)
        most = min(may[face] // count for face, count in need.items())
        laid[row] = main.model.new_int_var(0, most, "")
        for face, count in need.items():
            used.setdefault(face, []).append(count * laid[row])
    for face, terms in used.items():
        main.model.add(main.cp.LinearExpr.sum(terms) <= main.out[face])
    _reach(main, edition, templates, laid)


# --- joker rules


def _respect_locks(main: Model, position: Position) -> None:
    """Every locked row survives in a row that is laid, or tiles that free it leave the rack."""
    edition = position.edition
    read = reader(edition)
    old = read_table(edition, position.table)
    lent: Stock = Counter()
    if edition.joker_replace_from == "any":
        lent = Counter(face for row in old if not row.jokers() for face in row.faces)
    offered = main.may + lent
    paid: dict[Face, list[Any]] = {}
    for row in old:
        if not row.jokers():
            continue
        ways = []
        shown = Counter(face for face in row.faces if face < JOKER)
        seen: set[Faces] = set()
        for _, alternative in treatments(edition, row, [], offered):
            if not Counter(alternative.uses) <= offered:
                continue
            if not alternative.where and alternative.uses not in seen:
                seen.add(alternative.uses)
                ways.append(_way(main, paid, None, alternative.uses))
        for template in main.rows:
            if max(template) < JOKER or not shown <= Counter(template):
                continue
            target = lay([(unidentified(template), read.readings(template))])
            seen = set()
            for _, alternative in treatments(edition, row, target, offered):
                if not Counter(alternative.uses) <= offered:
                    continue
                if alternative.where and alternative.uses not in seen:
                    seen.add(alternative.uses)
                    ways.append(_way(main, paid, template, alternative.uses))
        main.model.add_bool_or(ways)
    for face, terms in paid.items():
        main.model.add(main.cp.LinearExpr.sum(terms) <= main.out[face] + lent[face])


def _way(main: Model, paid: dict[Face, list[Any]], row: Faces | None, uses: Faces) -> Any:
    taken = main.model.new_bool_var("")
    if row is not None:
        main.model.add(main.rows[row] >= 1).only_enforce_if(taken)
    for face, count in Counter(uses).items():
        paid.setdefault(face, []).append(count * taken)
    return taken


def _refuse(main: Model, position: Position) -> None:
    """Rule out the joker rows that lie there, or the few of them that are to blame."""
    laid = main.laid()
    joker_rows = [row for row in laid if max(row) >= JOKER]
    played = main.played()
    everything = main.must + main.may
    jokers_out = Counter({f: n for f, n in played.items() if f >= JOKER})

    for size in range(1, len(joker_rows)):
        for part in sorted({tuple(sorted(c)) for c in combinations(joker_rows, size)}):
            if not _possible(position, part, everything, permissive=True):
                main.model.add_bool_or(
                    main.at_least("row", row, count).negated()
                    for row, count in Counter(part).items()
                )
                return
    escapes = [
        main.at_least("row", row, count).negated() for row, count in Counter(joker_rows).items()
    ]
    tiles = main.must + jokers_out
    tiles += Counter({f: n for f, n in main.may.items() if f < JOKER})
    always = not _possible(position, tuple(joker_rows), tiles, permissive=False)
    for face, count in main.may.items():
        if played[face] < count and (face >= JOKER or not always):
            escapes.append(main.at_least("out", face, played[face] + 1))
    main.model.add_bool_or(escapes)


def _possible(
    position: Position, joker_rows: tuple[Faces, ...], tiles: Stock, *, permissive: bool
) -> bool:
    """Whether the joker rules alone would let an opened player lay these rows.

    All other `tiles` lie beside them in no order. If `permissive`, so do jokers that are not in
    the rows, each of them beyond all reproach, and locks do not matter. An opening that comes
    first only adds conditions, so what is impossible without one is impossible.
    """
    edition = position.edition
    if permissive:
        edition = replace(edition, joker_locked_sets=False)
    read = reader(edition)
    rest = tiles - Counter(face for row in joker_rows for face in row)
    anything = frozenset(NUMBERED_FACES)
    after: list[tuple[Faces, tuple[Reading, ...]]] = [
        (row, read.readings(row)) for row in joker_rows
    ]
    for face, count in sorted(rest.items()):
        if face >= JOKER:
            blameless = Reading(Kind.RUN, 0, ((0, anything),))
            after += [((face,), (blameless,))] * count
    after.append((tuple(face for face in rest.elements() if face < JOKER), ()))
    before = read_table(edition, position.table)
    return joker_problem(
        edition, before, lay([(unidentified(row), readings) for row, readings in after])
    ).solvable()
