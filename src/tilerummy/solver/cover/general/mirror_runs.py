"""Mirror runs at one number: pairs of halves that grow together."""

from __future__ import annotations

from collections.abc import Iterator

from tilerummy.rules.tiles import (
    FACES,
    IS_JOKER,
    Face,
)
from tilerummy.rules.tiles import numbered as face_at
from tilerummy.solver.cover.general.open_rows import (
    COLOURS,
    Grown,
    Half,
    Pair,
    Way,
    plus,
)
from tilerummy.solver.cover.general.step import Step
from tilerummy.solver.cover.mechanisms import CHANGE, DOUBLE, JOKER


class MirrorRuns(Step):
    """The part of a step between groups and runs."""

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
        opened = way._replace(used=plus(way.used, 3))
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


def _rank(tile: Face | None) -> int:
    """Tiles by kind: two numbered ones that may face each other are equal."""
    return FACES if tile is None else 0 if not IS_JOKER[tile] else tile
