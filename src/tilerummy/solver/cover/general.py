"""The general kernel in plain Python: every kind of joker, every option, openings.

`kernel/general.c` does the same much faster and tells at length how: numbers are dealt with from 1
to 13, a state holds the rows that may still grow, and an A* search on the loss explores successors
as soon as they are made. The lean mode places only the jokers that rows cannot do without and adds
the others afterwards; the full mode, which decides where that fails, places them all.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from functools import cache
from itertools import pairwise, product
from typing import NamedTuple

from tilerummy.rules.rows import Faces
from tilerummy.rules.tiles import (
    CHANGE,
    COLOUR,
    DOUBLE,
    FACES,
    HIGHEST,
    IS_JOKER,
    JOKER,
    JOKER_FACES,
    MIRROR,
    NUMBERED_FACES,
    RUN_FROM,
    SLOTS,
    Face,
    all_jokers,
)
from tilerummy.rules.tiles import numbered as face_at
from tilerummy.solver.cover.limit import Limit, StoppedError
from tilerummy.solver.cover.problem import Cover, CoverProblem

Four = tuple[int, int, int, int]
"""One number for each colour, or for each of J D C M."""

COLOURS = range(4)
NOTHING: Four = (0, 0, 0, 0)
LED_TO = HIGHEST - 1
"""A run that a joker begins goes on at least to here: else the joker could go to its end."""

ONE, TWO, THREE, BRIDGE, BEYOND, DONE = range(1, 7)
"""How far a run is. Beyond THREE only in lean mode, where a joker after a complete run must be a
bridge to one or two more tiles."""
TILE_FOLLOWS, CHANGE_FOLLOWS = 1, 2
"""C goes last among jokers that lie together: what follows it."""


class Run(NamedTuple):
    colour: int
    stage: int = 0
    covered: bool = False
    change: int = 0
    naturals: int = 0
    jokers: int = 0
    led: bool = False


class Half(NamedTuple):
    colour: int
    covered: bool = False
    tiles: int = 0
    natural: bool = False
    after_change: bool = False


class Pair(NamedTuple):
    """The halves of a mirror run, which grow together."""

    one: Half
    two: Half
    slots: int = 0
    naturals: int = 0
    jokers: int = 0
    ends: bool = False


Open = Run | Pair


class Grown(NamedTuple):
    """What became of a row at one number: from which row, and what each side took."""

    row: Open
    source: int | None
    tile: Face | None
    other: Face | None = None
    turned: bool = False


class Way(NamedTuple):
    """One way to deal with a number, as far as it is decided."""

    used: Four
    extra: int
    value: int
    quota: Four = NOTHING
    busy: Four = NOTHING
    taken: Four = NOTHING
    closed: Four = NOTHING
    short_stood: Four = NOTHING
    out: tuple[Grown, ...] = ()
    groups: tuple[Faces, ...] = ()


class State(NamedTuple):
    number: int
    rows: tuple[Open, ...]
    used: Four
    loss: int
    value: int
    parent: State | None
    way: Way | None
    kept: tuple[int, ...]
    """Which of the rows of `way` are the open rows, in their order."""


def _plus(four: Four, index: int, amount: int = 1) -> Four:
    changed = list(four)
    changed[index] += amount
    return (changed[0], changed[1], changed[2], changed[3])


def _order(row: Open) -> tuple[bool, Open]:
    return isinstance(row, Run), row


def general_cover(problem: CoverProblem) -> Cover | None:
    """The cheapest rows, or None; a loss of -1 where a limit was reached without any answer."""
    grammar = problem.grammar
    counts = [must + may for must, may in zip(problem.must, problem.may, strict=True)]
    usual = (
        grammar.min_natural == 1
        and grammar.max_jokers >= sum(counts[JOKER:])
        and grammar.mirror_min_side == 1
        and grammar.adjacent_c
        and not problem.stand
    )
    nodes = 0
    # The mode that comes first is cheap, the last one decides.
    for lean, valued in ((usual, False), (False, problem.floor > 0)):
        search = _Search(problem, lean, valued, nodes)
        try:
            answer = search.answer()
        except StoppedError:
            answer = 0, None
        nodes = search.limit.nodes
        if answer is None:
            return None
        loss, rows = answer
        if rows is not None:
            return Cover(loss, rows, nodes, search.exact)
    return Cover(-1, (), nodes, False)


class _Search:
    def __init__(self, problem: CoverProblem, lean: bool, valued: bool, nodes: int) -> None:
        grammar = problem.grammar
        self.problem = problem
        self.grammar = grammar
        self.lean = lean
        self.valued = valued
        self.limit = Limit(problem, nodes)
        self.proven = 0
        self.exact = True
        self.total = [a + b for a, b in zip(problem.must, problem.may, strict=True)]
        jokers = self.total[JOKER:FACES]
        self.jokers: Four = (jokers[0], jokers[1], jokers[2], jokers[3])
        self.count_jokers = grammar.max_jokers < sum(jokers)
        self.group_ways = _group_ways(grammar.min_natural, min(grammar.max_jokers, 99))
        self.heap: list[tuple[int, int, State, int]] = []
        self.known: dict[tuple[object, ...], list[State]] = {}
        self.dropped: set[int] = set()
        self.pushes = 0
        self.bound = [0] * (HIGHEST + 2)

    # The search

    def answer(self) -> tuple[int, tuple[Faces, ...] | None] | None:
        """Loss and rows; no rows where this mode cannot tell; None if nothing can be laid."""
        base = self._remove_hopeless()
        if base is None:
            return None
        self._bound_losses()
        goal = self._search()
        if goal is None:
            return None
        self.exact = goal.loss <= self.proven
        layout = _Layout(goal)
        if self.lean and not layout.place_left_over(self, goal):
            return 0, None
        if not self.valued and layout.value < self.problem.floor:
            return 0, None
        return base + goal.loss, tuple(laid.faces() for laid in layout.rows)

    def _search(self) -> State | None:
        start = State(1, (), NOTHING, 0, 0, None, None, ())
        self._is_new(start)
        self.proven = self.bound[1]
        goal = self._explore(start, self.proven)
        while goal is None and self.heap:
            self.proven, _, state, made = heapq.heappop(self.heap)
            if id(state) not in self.dropped:
                goal = self._explore(state, self.proven, made)
        return goal

    def _explore(self, state: State, least_loss: int, made: int = -1) -> State | None:
        """Expand a state as far as the whole loss may be `least_loss`; the goal if it is met.

        Successors of at most the additional loss `made` were made before.
        """
        if state.number > HIGHEST:
            return state
        self.limit.count(self.proven)
        least_loss = max(least_loss, self.limit.willing)
        after = state.loss + self.bound[state.number + 1]
        level = least_loss - after
        step = _Step(self, state, level, made)
        for successor in step.successors():
            if self._is_new(successor):
                goal = self._explore(successor, least_loss)
                if goal is not None:
                    return goal
        if step.next is not None:
            self.pushes += 1  # last in, first out among equals
            heapq.heappush(self.heap, (after + step.next, -self.pushes, state, level))
        return None

    def _is_new(self, state: State) -> bool:
        """Whether no known state is as good; worse ones are dropped."""
        key = (state.number, state.rows, state.used[3] if self.lean else state.used)
        chain = self.known.setdefault(key, [])
        if any(_no_worse(other, state) for other in chain):
            return False
        worse = [other for other in chain if _no_worse(state, other)]
        self.dropped.update(map(id, worse))
        chain.append(state)  # the dropped ones stay here, so that no other state takes their id
        return True

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

    def _remove_hopeless(self) -> int | None:
        """Take away tiles that no row can hold, and tell their cost; None if one must be laid."""
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

    def _bound_losses(self) -> None:
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

    def stock(self, colour: int, number: int) -> int:
        return self.total[face_at(colour, number)] if number <= HIGHEST else 0

    def run_complete(self, run: Run) -> bool:
        return (
            run.stage in (THREE, BEYOND)
            and not run.covered
            and not run.led
            and not (self.grammar.adjacent_c and run.change)
            and run.naturals >= self.grammar.min_natural
        )

    def pair_complete(self, pair: Pair) -> bool:
        return (
            not pair.one.covered
            and not pair.two.covered
            and pair.slots >= self.grammar.mirror_min_side
            and pair.naturals >= self.grammar.min_natural
        )


def _no_worse(a: State, b: State) -> bool:
    """Whether a serves as well as b, which has the same open rows."""
    return (
        a.loss <= b.loss
        and a.value >= b.value
        and all(one <= two for one, two in zip(a.used, b.used, strict=True))
    )


class _Step:
    """All ways to deal with one number, for a given additional loss."""

    def __init__(self, search: _Search, state: State, level: int, made: int) -> None:
        self.search = search
        self.problem = search.problem
        self.state = state
        self.number = state.number
        self.level = level
        self.made = made
        self.next: int | None = None
        self.pairs = [row for row in state.rows if isinstance(row, Pair)]
        self.runs = [row for row in state.rows if isinstance(row, Run)]

    def successors(self) -> Iterator[State]:
        for way in self._ways():
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

    def _left(self, way: Way, kind: int) -> int:
        return self.search.jokers[kind] - way.used[kind]

    def _singles(self, way: Way) -> int:
        return sum(self.search.jokers[:3]) - sum(way.used[:3])

    def _too_dear(self, extra: int) -> bool:
        if extra <= self.level:
            return False
        if self.next is None or extra < self.next:
            self.next = extra
        return True

    # Groups

    def _share_out(
        self, colour: int, way: Way, quota: tuple[int, ...], groups: tuple[int, ...]
    ) -> Iterator[tuple[Way, Four]]:
        """How many tiles of each colour go to runs, to groups, and stay on the rack."""
        search = self.search
        if colour == 4:
            paid = not self.problem.stand and self.number < HIGHEST
            if not paid or way.extra > self.made:
                quotas: Four = (quota[0], quota[1], quota[2], quota[3])
                yield way._replace(quota=quotas), (groups[0], groups[1], groups[2], groups[3])
            return
        face = face_at(colour, self.number)
        total = search.total[face]
        runs = [run for run in self.runs if run.colour == colour and not run.covered]
        # A mirror of one slot may be a group only, and its tile not to be replaced.
        mirrored = self.number > search.grammar.mirror_last and self._left(way, 3)
        for stay in range(total - self.problem.must[face] + 1):
            extra = way.extra + stay * self.problem.weights[face]
            if self._too_dear(extra):
                break
            rest = total - stay
            usual = min(rest, len(runs))
            for part in [*range(usual, -1, -1), *range(usual + 1, rest + 1)]:
                away = stay or (rest > part and not mirrored)
                busy = _plus(way.busy, colour, int(bool(away)))
                if not self._quota_fits(colour, part, runs, way):
                    continue
                shared = way._replace(extra=extra, busy=busy)
                yield from self._share_out(
                    colour + 1, shared, (*quota, part), (*groups, rest - part)
                )

    def _quota_fits(self, colour: int, quota: int, runs: list[Run], way: Way) -> bool:
        """Whether runs can do with so many tiles: those that must go on without one need jokers,
        and tiles that no open row can take begin runs, which need two more."""
        search, singles = self.search, self._singles(way)
        shorts = sum(not search.run_complete(run) for run in runs)
        if shorts - quota > singles:
            return False
        begins = quota - len(runs) - 2 * (len(self.pairs) + self._left(way, 3))
        if begins <= 0:
            return True
        if self.number > HIGHEST - 2 or begins > search.stock(colour, self.number + 1) + singles:
            return False
        later = search.stock(colour, self.number + 2) + singles + self._left(way, 1)
        return self._left(way, 2) > 0 or begins <= later

    def _groups(self, way: Way, tiles: Four) -> Iterator[Way]:
        """Groups of exactly these tiles; in lean mode with no more jokers than needed."""
        number, least = self.number, self._left(way, 0) + 1
        for d in range(self._left(way, 1) + 1):
            for j in range(self._left(way, 0) + 1):
                if self.search.lean and j >= least:
                    break
                ways = self.search.group_ways(tiles, j, d)
                if ways is None:
                    continue
                least = j
                extra = way.extra + self.problem.stand * (j + 2 * d) * (HIGHEST - number)
                if self._too_dear(extra):
                    continue
                rows = [
                    (
                        *(face_at(colour, number) for colour in colours),
                        *[JOKER] * jokers,
                        *[DOUBLE] * doubles,
                    )
                    for colours, jokers, doubles in ways
                ]
                yield way._replace(
                    used=_plus(_plus(way.used, 0, j), 1, d),
                    extra=extra,
                    value=way.value + (sum(tiles) + j + 2 * d) * number,
                    groups=way.groups + tuple(rows),
                )

    def _mirror_groups(self, way: Way, tiles: Four, floor: tuple[int, ...]) -> Iterator[Way]:
        """Mirror groups with some of these tiles, then groups with the rest."""
        yield from self._groups(way, tiles)
        if not self._left(way, 3) or sum(tiles) < self.search.grammar.min_natural:
            return
        # 0 = the colour is not shown, 1 = on both sides, 2 = on the right, 3 = on the left
        for hows in product(*(((0,), (0, 2, 3), (0, 1, 2, 3))[min(n, 2)] for n in tiles)):
            if hows >= floor:
                rest = [n - (0, 2, 1, 1)[how] for n, how in zip(tiles, hows, strict=True)]
                after: Four = (rest[0], rest[1], rest[2], rest[3])
                for wider in self._mirror_group(way, hows):
                    yield from self._mirror_groups(wider, after, hows)

    def _mirror_group(self, way: Way, hows: tuple[int, ...]) -> Iterator[Way]:
        number, grammar = self.number, self.search.grammar
        both, right, left = (
            [face_at(colour, number) for colour in COLOURS if hows[colour] == how]
            for how in (1, 2, 3)
        )
        shown = len(both) + len(left) + len(right)
        naturals = shown + len(both)
        # One slot is a mirror run as well, and made there.
        side = max(grammar.mirror_min_side, 1 if number > grammar.mirror_last else 2)
        if len(left) > len(right) or naturals < grammar.min_natural:
            return
        for zero in range(max(0, side - shown), 5 - shown):
            if self.search.lean and zero:
                break
            ours, theirs = len(right) + zero, len(left) + zero  # joker slots on both sides
            for dl in range(ours // 2 + 1):
                for dr in range(theirs // 2 + 1):
                    d, j = dl + dr, ours + theirs - 2 * (dl + dr)
                    if d > self._left(way, 1) or j > self._left(way, 0):
                        continue
                    extra = way.extra + self.problem.stand * (ours + theirs) * (HIGHEST - number)
                    if j + d + 1 > grammar.max_jokers or self._too_dear(extra):
                        continue
                    one = [*both, *[DOUBLE] * dl, *[JOKER] * (ours - 2 * dl), *left]
                    two = [*both, *right, *[DOUBLE] * dr, *[JOKER] * (theirs - 2 * dr)]
                    yield way._replace(
                        used=_plus(_plus(_plus(way.used, 0, j), 1, d), 3),
                        extra=extra,
                        value=way.value + (naturals + ours + theirs) * number,
                        groups=(*way.groups, (*one, MIRROR, *reversed(two))),
                    )

    # Tiles for rows

    def _take(self, way: Way, tile: Face | None, last: int = HIGHEST) -> Way | None:
        """With one more tile in a row; None if there is none, or it costs too much."""
        if tile is None:
            return way
        if not IS_JOKER[tile]:
            colour = COLOUR[tile]
            if way.taken[colour] >= way.quota[colour]:
                return None
            return way._replace(
                taken=_plus(way.taken, colour), value=way.value + tile % HIGHEST + 1
            )
        slots = SLOTS[tile]
        if not self._left(way, tile - JOKER) or self.number + slots - 1 > last:
            return None
        points = sum(range(self.number, self.number + slots))
        extra = way.extra + self.problem.stand * (HIGHEST * slots - points)
        if self._too_dear(extra):
            return None
        return way._replace(
            used=_plus(way.used, tile - JOKER), extra=extra, value=way.value + points
        )

    # Runs

    def _deal_with_runs(self, at: int, colour: int, way: Way, floor: int) -> Iterator[Way]:
        """The open runs of a colour, then new ones with what is left of its quota."""
        search = self.search
        if colour == 4:
            yield from self._open_joker_runs(way, 0)
            return
        if at < len(self.runs) and self.runs[at].colour == colour:
            yield from self._deal_with_run(at, way, floor)
            return
        begins = way.quota[colour] - way.taken[colour]
        joined = way.closed[colour] and not search.count_jokers
        if begins and (self.number > HIGHEST - 2 or joined):
            return
        tile = face_at(colour, self.number)
        begun = self._grow(Run(colour), tile)
        for _ in range(begins):
            taken = self._take(way, tile)
            assert taken is not None
            assert begun is not None
            way = taken._replace(out=(*taken.out, Grown(begun, None, tile)))
        yield from self._deal_with_runs(at, colour + 1, way, 0)

    def _deal_with_run(self, at: int, way: Way, floor: int) -> Iterator[Way]:
        """Every tile the run may take, in the order that equal runs must keep; or its end."""
        search, run = self.search, self.runs[at]
        colour, source = run.colour, len(self.pairs) + at
        same = at + 1 < len(self.runs) and self.runs[at + 1] == run
        if run.covered:
            passed = way._replace(out=(*way.out, Grown(run._replace(covered=False), source, None)))
            yield from self._deal_with_runs(at + 1, colour, passed, 0)
            return
        complete = search.run_complete(run)
        tiles = [face_at(colour, self.number), JOKER, DOUBLE, CHANGE]
        for choice, tile in enumerate(tiles[floor:], floor):
            # A J and a tile for two runs of one colour: the shorter one takes the tile.
            barred = way.short_stood[colour] and complete and not search.count_jokers
            if choice == 0 and barred:
                continue
            for grown in self._extend(run, source, tile, way):
                yield from self._deal_with_runs(at + 1, colour, grown, choice if same else 0)
        if complete:
            closed = way._replace(closed=_plus(way.closed, colour))
            yield from self._deal_with_runs(at + 1, colour, closed, 4 if same else 0)

    def _grow(self, run: Run, tile: Face) -> Run | None:
        """The run with one more tile; None where lean mode does without."""
        search, grammar = self.search, self.search.grammar
        joker, covered = IS_JOKER[tile], tile == DOUBLE
        led = run.led and self.number + covered < LED_TO
        naturals = min(run.naturals + (not joker), grammar.min_natural)
        jokers = run.jokers + (joker and search.count_jokers)
        if jokers > grammar.max_jokers:
            return None
        stage = min(run.stage + 1, THREE)
        if search.lean:
            if run.stage == THREE:
                stage = BRIDGE if joker else THREE
            elif run.stage == BRIDGE:
                stage = BRIDGE if joker else BEYOND
            elif run.stage == BEYOND:
                if joker:
                    return None
                stage = DONE
            elif stage == THREE and not naturals:
                return None
        change = TILE_FOLLOWS if tile == CHANGE else 0
        return Run(run.colour, stage, covered, change, naturals, jokers, led)

    def _extend(self, run: Run, source: int | None, tile: Face, way: Way) -> Iterator[Way]:
        search = self.search
        if run.change:
            if search.grammar.adjacent_c:
                if tile in (JOKER, DOUBLE) or (not IS_JOKER[tile] and run.change == CHANGE_FOLLOWS):
                    return
            elif tile == CHANGE:
                return
        grown = self._grow(run, tile)
        taken = self._take(way, tile)
        if grown is None or taken is None:
            return
        if search.lean and IS_JOKER[tile] and self._idle_joker(run, grown, tile, way):
            return
        if tile == JOKER and run.stage < THREE:
            taken = taken._replace(short_stood=_plus(taken.short_stood, run.colour))
        for row in self._change(run, grown, way) if tile == CHANGE else (grown,):
            yield taken._replace(out=(*taken.out, Grown(row, source, tile)))

    def _change(self, run: Run, grown: Run, way: Way) -> Iterator[Run]:
        """A run after C: the colour of what follows, another C, or the end."""
        search = self.search
        ordered = search.grammar.adjacent_c
        any_colour = run.stage == 0 or run.change == CHANGE_FOLLOWS
        for colour in COLOURS:
            if (any_colour or colour != run.colour) and (
                not ordered or search.stock(colour, self.number + 1)
            ):
                yield grown._replace(colour=colour)
        if ordered:
            if self._left(way, 2) >= 2 and self.number < HIGHEST:
                yield grown._replace(change=CHANGE_FOLLOWS)
            if search.run_complete(grown._replace(change=0)):
                yield grown._replace(change=0, stage=DONE)

    def _idle_joker(self, run: Run, grown: Run, tile: Face, way: Way) -> bool:
        """Whether lean mode can do without this joker: the tile it stands for is to be had, or
        it is a bridge to nowhere."""
        colour = run.colour
        if tile == JOKER and (way.busy[colour] or way.taken[colour] < way.quota[colour]):
            return True
        if grown.stage != BRIDGE or tile == CHANGE:
            return False
        return not self.search.stock(colour, self.number + SLOTS[tile]) and self._singles(way) < 2

    def _open_joker_runs(self, way: Way, floor: int) -> Iterator[Way]:
        """Runs that begin with J, D or C, and the colour of what follows."""
        search = self.search
        yield way
        for choice in range(floor, 9):
            kind, colour = divmod(choice, 4)  # C picks the colour itself
            if search.lean and self.number < (8 if kind == 1 else 10):
                continue
            run = Run(colour)
            if not search.lean and (kind != 2 or search.grammar.adjacent_c):
                if not self._can_lead(way, colour):
                    continue
                run = run._replace(led=True)
            for grown in self._extend(run, None, JOKER_FACES[kind], way):
                yield from self._open_joker_runs(grown, choice)

    def _can_lead(self, way: Way, colour: int) -> bool:
        """Whether a run that a joker begins can go on to the end of the board."""
        if self._left(way, 2):
            return True
        gaps = sum(
            not self.search.stock(colour, number) for number in range(self.number + 1, LED_TO + 1)
        )
        return gaps < self._singles(way) + self._left(way, 1)

    # Mirror runs

    def _deal_with_pairs(self, at: int, way: Way) -> Iterator[Way]:
        if at == len(self.pairs):
            yield from self._open_pairs(way, 0)
            return
        pair = self.pairs[at]
        for grown in self._extend_pair(pair, at, way):
            yield from self._deal_with_pairs(at + 1, grown)
        if self.search.pair_complete(pair):
            yield from self._deal_with_pairs(at + 1, way)

    def _open_pairs(self, way: Way, floor: int) -> Iterator[Way]:
        search = self.search
        yield way
        if not self._left(way, 3) or self.number > search.grammar.mirror_last:
            return
        if search.grammar.max_jokers < 1:
            return
        opened = way._replace(used=_plus(way.used, 3))
        for colour in range(floor, 4):
            half = Half(colour)
            pair = Pair(half, half, jokers=int(search.count_jokers))
            for grown in self._extend_pair(pair, None, opened):
                yield from self._open_pairs(grown, colour)

    def _moves(self, half: Half, first: bool) -> list[tuple[Face | None, int]]:
        """What half a mirror may take, and its colour afterwards."""
        if half.covered:
            return [(None, half.colour)]
        moves: list[tuple[Face | None, int]] = [
            (tile, half.colour) for tile in (face_at(half.colour, self.number), JOKER, DOUBLE)
        ]
        if not half.after_change:
            moves += [(CHANGE, c) for c in COLOURS if first or c != half.colour]
        return moves

    def _extend_pair(self, pair: Pair, source: int | None, way: Way) -> Iterator[Way]:
        search, grammar = self.search, self.search.grammar
        opening, splits = source is None, self._can_split(pair)
        if splits and search.lean:
            return
        for one, one_colour in self._moves(pair.one, opening):
            ours = self._take(way, one, grammar.mirror_last)
            if ours is None:
                continue
            for two, two_colour in self._moves(pair.two, opening):
                changes = (one == CHANGE) + (two == CHANGE)
                natural = any(tile is not None and not IS_JOKER[tile] for tile in (one, two))
                if pair.one == pair.two and (_rank(two), two_colour) < (_rank(one), one_colour):
                    continue  # the same with changed sides
                if not changes and pair.one.colour != pair.two.colour:
                    continue
                if grammar.mirror_c_needs_c and changes == 1:
                    continue
                if splits and natural:
                    continue
                if opening and changes == 2 and pair.one.colour:
                    continue  # it has no colour yet: once is enough
                if opening and search.lean and not natural and (one == DOUBLE) == (two == DOUBLE):
                    continue  # an outermost slot of jokers can be taken away
                taken = self._take(ours, two, grammar.mirror_last)
                if taken is None:
                    continue
                grown = self._grow_pair(pair, (one, one_colour), (two, two_colour))
                if search.lean:
                    needed = self._lean_pair(pair, grown, one, two, taken)
                    if needed is None:
                        continue
                    grown = needed
                if grown.jokers > grammar.max_jokers:
                    continue
                turned = grown.two < grown.one
                if turned:
                    grown = grown._replace(one=grown.two, two=grown.one)
                yield taken._replace(out=(*taken.out, Grown(grown, source, one, two, turned)))

    def _grow_pair(
        self, pair: Pair, one: tuple[Face | None, int], two: tuple[Face | None, int]
    ) -> Pair:
        grammar = self.search.grammar
        tiles = [tile for tile, _ in (one, two) if tile is not None]
        naturals = sum(not IS_JOKER[tile] for tile in tiles)
        jokers = len(tiles) - naturals
        return Pair(
            self._grow_half(pair.one, *one),
            self._grow_half(pair.two, *two),
            min(pair.slots + 1, grammar.mirror_min_side),
            min(pair.naturals + naturals, grammar.min_natural),
            pair.jokers + jokers if self.search.count_jokers else 0,
        )

    def _grow_half(self, half: Half, tile: Face | None, colour: int) -> Half:
        if tile is None:
            return half._replace(covered=False)
        after_change = tile == CHANGE and not self.search.grammar.adjacent_c
        natural = half.natural or not IS_JOKER[tile]
        return Half(colour, tile == DOUBLE, min(half.tiles + 1, 3), natural, after_change)

    def _can_split(self, pair: Pair) -> bool:
        """Whether both halves are runs by themselves: what more tiles there are would do as a
        mirror of their own."""
        grammar = self.search.grammar
        if grammar.mirror_min_side > 1 or grammar.min_natural > 1:
            return False
        return all(
            not half.covered and half.tiles == 3 and half.natural >= grammar.min_natural
            for half in (pair.one, pair.two)
        )

    def _lean_pair(
        self, pair: Pair, grown: Pair, one: Face | None, two: Face | None, way: Way
    ) -> Pair | None:
        """The pair, if lean mode needs this slot: a C on one side is followed by another or is
        the last, a slot of jokers is followed by more."""
        natural = any(tile is None or not IS_JOKER[tile] for tile in (one, two))
        covered = grown.one.covered or grown.two.covered
        if grown.one.colour != grown.two.colour and not self._left(way, 2):
            if covered or not natural or not grown.naturals:
                return None
            for tile, before, after in ((one, pair.one, grown.one), (two, pair.two, grown.two)):
                if tile == CHANGE and after.colour != (before.colour == 0):
                    return None  # one colour for all that end here
            return grown._replace(ends=True)
        if covered or natural or self._singles(way):
            return grown
        return grown if self.search.stock(grown.one.colour, self.number + 1) else None

    # What comes of it

    def _tidy(self, way: Way) -> tuple[int, ...] | None:
        """The rows that stay open; None if one of them cannot be completed."""
        search, following = self.search, self.number + 1
        singles, missing = self._singles(way), 0
        slots = singles + self._left(way, 1)
        due, one, full = [0] * 4, [0] * 4, [0] * 4
        kept = []
        for index in sorted(range(len(way.out)), key=lambda i: _order(way.out[i].row)):
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


def _rank(tile: Face | None) -> int:
    """Tiles by kind: two numbered ones that may face each other are equal."""
    return FACES if tile is None else 0 if not IS_JOKER[tile] else tile


@cache
def _group_ways(min_natural: int, max_jokers: int) -> _GroupWays:
    return _GroupWays(min_natural, max_jokers)


GroupParts = tuple[tuple[tuple[int, ...], int, int], ...]


class _GroupWays:
    """How exactly these tiles are laid in groups: colours, J and D of each; None if not at all."""

    def __init__(self, min_natural: int, max_jokers: int) -> None:
        self.min_natural = min_natural
        self.max_jokers = max_jokers
        self.memo: dict[tuple[Four, int, int], GroupParts | None] = {(NOTHING, 0, 0): ()}

    def __call__(self, tiles: Four, jokers: int, doubles: int) -> GroupParts | None:
        key = (tiles, jokers, doubles)
        if key not in self.memo:
            self.memo[key] = self._find(tiles, jokers, doubles)
        return self.memo[key]

    def _find(self, tiles: Four, jokers: int, doubles: int) -> GroupParts | None:
        if sum(tiles) + jokers + doubles < 3:
            return None
        first = tiles.index(max(tiles))  # some group holds a tile of this colour
        for mask in range(15, -1, -1):
            colours = tuple(colour for colour in COLOURS if mask >> colour & 1)
            naturals = len(colours)
            if (tiles[first] and first not in colours) or naturals < self.min_natural:
                continue
            if not all(tiles[colour] for colour in colours):
                continue
            rest = tiles
            for colour in colours:
                rest = _plus(rest, colour, -1)
            for d in range(min(doubles, 1) + 1):
                for j in range(max(0, 3 - naturals - d), min(jokers, 4 - naturals - 2 * d) + 1):
                    if j + d <= self.max_jokers:
                        others = self(rest, jokers - j, doubles - d)
                        if others is not None:
                            return ((colours, j, d), *others)
        return None


# From states to rows


class _Laid:
    """A row on the table; the second side only of a mirror."""

    def __init__(self, kind: str, first: int, faces: Faces = ()) -> None:
        self.kind = kind
        self.first = first
        self.one = list(faces)
        self.two: list[Face] = []

    def faces(self) -> Faces:
        if self.kind == "mirror":
            return (*self.one, MIRROR, *reversed(self.two))
        return tuple(self.one)

    @property
    def slots(self) -> int:
        return sum(SLOTS[face] for face in self.one)

    @property
    def free_after(self) -> int:
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


class _Layout:
    """The rows of a way to the goal, with their value."""

    def __init__(self, goal: State) -> None:
        self.rows: list[_Laid] = []
        self.value = 0
        path = [goal]
        while path[-1].parent is not None:
            path.append(path[-1].parent)
        path.reverse()
        still_open: list[_Laid] = []
        for before, state in pairwise(path):
            assert state.way is not None
            self.value += state.way.value - before.value
            grown = [self._grow(item, still_open, before.number) for item in state.way.out]
            went_on = {item.source for item in state.way.out}
            self.rows += [laid for i, laid in enumerate(still_open) if i not in went_on]
            self.rows += [laid for i, laid in enumerate(grown) if i not in state.kept]
            for faces in state.way.groups:
                group = _Laid("group", before.number, faces)
                if MIRROR in faces:
                    centre = faces.index(MIRROR)
                    group.kind = "mirror"
                    group.one, group.two = list(faces[:centre]), list(faces[:centre:-1])
                self.rows.append(group)
            still_open = [grown[i] for i in state.kept]

    @staticmethod
    def _grow(item: Grown, still_open: list[_Laid], number: int) -> _Laid:
        if item.source is None:
            laid = _Laid("mirror" if isinstance(item.row, Pair) else "run", number)
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

    def place_left_over(self, search: _Search, goal: State) -> bool:
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

    def _cut(self, runs: list[_Laid], tile: Face) -> bool:
        """Cut a run in two, one of which takes the joker."""
        for laid in runs:
            for cut in range(2, len(laid.one) - 1):
                low, high = _Laid("run", laid.first), _Laid("run", laid.first)
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
                        run = _Laid("run", low.first, pair)
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
