"""Worlds: hidden tiles dealt so that they fit what was seen.

A deal at random is repaired: what an opponent could have played in its last turn, by its style, it
does not hold, so those tiles change places with others. That takes a few questions to the kernel,
where rejecting deals as a whole would throw nearly all of them away.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from tilerummy.bots.master.belief import GREEDY, Belief, Opponent
from tilerummy.play.views import View
from tilerummy.rules.editions import Edition
from tilerummy.rules.position import Position
from tilerummy.rules.tiles import Row, Tile
from tilerummy.solver.cover.deadline import Deadline
from tilerummy.solver.turns.best_turn import solve

REPAIRS = 6
"""Times that the rack of an opponent is repaired. What is left then is near enough."""
OVERLOOKED = 0.1
"""How often a greedy player is taken to have overlooked what it could play."""
SOLVER_NODES = 2_000


@dataclass(frozen=True, slots=True)
class World:
    """One way in which the hidden tiles may lie, and how the opponents may play."""

    racks: tuple[Row, ...]
    pool: Row
    least: tuple[int, ...]
    """The policy of each seat; that of the own seat is replaced."""


class Worlds:
    """Samples worlds for one decision. The same view, belief and luck give the same worlds."""

    def __init__(
        self,
        view: View,
        belief: Belief,
        edition: Edition,
        luck: Random,
        deadline: Deadline | None = None,
    ) -> None:
        assert view.seat is not None
        self._deadline = deadline
        self._view, self._belief, self._edition, self._luck = view, belief, edition, luck
        self._seat: int = view.seat
        seen = {*view.rack, *(tile for row in view.table for tile in row)}
        box = edition.box(len(view.players)).tiles()
        self._hidden = [tile for tile in box if tile not in seen]
        self._known: list[World] = []

    @property
    def is_certain(self) -> bool:
        """Whether there is only one world: all hidden tiles are those of the only opponent."""
        return not self._view.pool_size and len(self._view.players) == 2

    def __getitem__(self, number: int) -> World:
        while len(self._known) <= number:
            self._known.append(self._sample())
        return self._known[number]

    def _sample(self) -> World:
        view, luck = self._view, self._luck
        tiles = [*self._hidden]
        luck.shuffle(tiles)
        least = []
        spans = {}
        dealt = 0
        for seat, size in enumerate(view.rack_sizes):
            opponent = self._belief.opponents[seat]
            least.append(opponent.draw_style(luck))
            if seat != self._seat:
                spans[seat] = range(dealt, dealt + size)
                dealt += size
        for seat, span in spans.items():
            self._repair(tiles, span, self._belief.opponents[seat], least[seat])
        racks = [
            tuple([tiles[place] for place in spans[seat]]) if seat in spans else view.rack
            for seat in range(len(view.players))
        ]
        return World(tuple(racks), tuple(tiles[dealt:]), tuple(least))

    def _repair(self, tiles: list[Tile], span: range, opponent: Opponent, least: int) -> None:
        """Exchange the tiles that the opponent would have played in its last turn."""
        if opponent.table is None:
            return
        if least == GREEDY and self._luck.random() < OVERLOOKED:
            return
        # The tiles drawn since are the last ones of the span: they may fit anywhere.
        kept = span[: max(0, len(span) - opponent.drawn)]
        others = [*range(span.start), *range(span.stop, len(tiles))]
        for _ in range(REPAIRS):
            wrong = self._playable(tiles, kept, opponent, least)
            if not wrong or not others:
                return
            places = [place for place in kept if tiles[place] in wrong]
            for place in places:
                other = others[self._luck.randrange(len(others))]
                tiles[place], tiles[other] = tiles[other], tiles[place]

    def _playable(
        self, tiles: Sequence[Tile], kept: Sequence[int], opponent: Opponent, least: int
    ) -> frozenset[Tile]:
        """The tiles of its best turn on the table as it was, if it would have played that turn."""
        assert opponent.table is not None
        rack = tuple([tiles[place] for place in kept])
        position = Position(self._edition, opponent.table, rack, opponent.opened)
        found = solve(position, tidy=False, node_limit=SOLVER_NODES, time_limit=self._deadline)
        enough = min(least, len(rack)) if opponent.opened else 1
        if not found.plays or found.tiles < enough:
            return frozenset()
        return frozenset(found.played)
