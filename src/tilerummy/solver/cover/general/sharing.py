"""Sharing out the tiles of a number: to groups, to mirror groups, to runs, or to the rack."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from tilerummy.rules.tiles import (
    HIGHEST,
)
from tilerummy.rules.tiles import numbered as face_at
from tilerummy.solver.cover.general.open_rows import (
    COLOURS,
    Four,
    Run,
    Way,
    plus,
)
from tilerummy.solver.cover.general.step import Step
from tilerummy.solver.cover.mechanisms import DOUBLE, JOKER, MIRROR


class Sharing(Step):
    """The part of a step that comes first."""

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
                busy = plus(way.busy, colour, int(bool(away)))
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
                    used=plus(plus(way.used, 0, j), 1, d),
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
                        used=plus(plus(plus(way.used, 0, j), 1, d), 3),
                        extra=extra,
                        value=way.value + (naturals + ours + theirs) * number,
                        groups=(*way.groups, (*one, MIRROR, *reversed(two))),
                    )
