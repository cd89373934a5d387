"""Runs at one number: open ones go on or end, new ones begin."""

from __future__ import annotations

from collections.abc import Iterator

from tilerummy.rules.tiles import (
    HIGHEST,
    IS_JOKER,
    JOKER_FACES,
    SLOTS,
    Face,
)
from tilerummy.rules.tiles import numbered as face_at
from tilerummy.solver.cover.general.open_rows import (
    BEYOND,
    BRIDGE,
    CHANGE_FOLLOWS,
    COLOURS,
    DONE,
    LED_TO,
    THREE,
    TILE_FOLLOWS,
    Grown,
    Run,
    Way,
    plus,
)
from tilerummy.solver.cover.general.step import Step
from tilerummy.solver.cover.mechanisms import CHANGE, DOUBLE, JOKER


class Runs(Step):
    """The part of a step that comes last."""

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
            closed = way._replace(closed=plus(way.closed, colour))
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
            taken = taken._replace(short_stood=plus(taken.short_stood, run.colour))
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
        """Whether lean mode can do without this joker: the tile that it stands for is there, or
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
