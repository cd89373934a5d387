"""The heuristic bot: lays sets, adds single tiles to rows, and borrows a tile that a row can spare.

It plays like a beginner: it does not search.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import combinations

from tilerummy.bots.declaring import most_valuable_declarations
from tilerummy.bots.last_resort import last_resort
from tilerummy.bots.protocol import NO_LIMIT, Budget, StatelessBot
from tilerummy.play.commands import Play, Turn
from tilerummy.play.views import View
from tilerummy.rules.declarations import Declaration
from tilerummy.rules.editions import Edition
from tilerummy.rules.openings import rows_from
from tilerummy.rules.position import Position
from tilerummy.rules.rows import Faces, reader
from tilerummy.rules.ticks import Tick
from tilerummy.rules.tiles import (
    FACE_OF,
    IS_JOKER,
    NUMBER,
    Face,
    Row,
    Table,
    Tile,
    faces_of,
    sorted_tiles,
)
from tilerummy.rules.turns import judge_turn
from tilerummy.solver.cover.deadline import Deadline, TimeOverError

FEW_TILES = 6
"""With at most this many tiles on the rack the end is near, and an unused joker is expensive."""


class SimpleBot(StatelessBot):
    """Deterministic: the same view gives the same turn."""

    def choose(self, view: View, budget: Budget = NO_LIMIT) -> Turn:
        """Return the turn that a beginner finds. Only an empty pool needs a search."""
        position = view.position
        spend_jokers = not view.pool_size or len(view.rack) <= FEW_TILES
        deadline = Deadline.of(budget.seconds)
        tick = None if deadline is None else deadline.check
        try:
            found = find_play(position, spend_jokers=spend_jokers, tick=tick)
        except TimeOverError:
            found = None
        return last_resort(view, budget) if found is None else Play(view.current, *found)


def find_play(
    position: Position, *, spend_jokers: bool = True, tick: Tick | None = None
) -> tuple[Table, dict[Row, Declaration]] | None:
    """The table after the best turn that a beginner finds, with its declarations; None if none.

    The bot keeps a joker as long as something else can be played, and otherwise plays it only with
    `spend_jokers`.
    """
    edition, table, rack = position.edition, position.table, position.rack
    if position.opened:
        attempts = [_build(edition, table, rack, tick, jokers=0, borrow=position.manipulation)]
        if spend_jokers:
            attempts.append(_build(edition, table, rack, tick, jokers=2, borrow=False))
    else:
        attempts = [(*table, *_lay_sets(edition, rack, jokers, tick)) for jokers in range(3)]
    for attempt in attempts:
        verdict = judge_turn(position, attempt, {}, tick)
        declared = most_valuable_declarations(edition, verdict)
        if declared:
            verdict = judge_turn(position, attempt, declared, tick)
        if verdict.legal:
            return verdict.table, verdict.declared
    return None


def _lay_sets(
    edition: Edition, rack: Sequence[Tile], jokers: int, tick: Tick | None
) -> tuple[Row, ...]:
    """Disjoint sets from the rack with at most this many jokers, the most valuable first."""
    stock = _with_jokers(Counter(faces_of(rack)), jokers)
    chosen = []
    for _, row in sorted(rows_from(edition, stock, tick=tick), reverse=True):
        need = Counter(row)
        if need <= stock:
            stock -= need
            chosen.append(row)
    return _as_tiles(chosen, rack)


def _with_jokers(stock: Counter[Face], jokers: int) -> Counter[Face]:
    """The numbered tiles and at most `jokers` jokers, regular ones first."""
    allowed = Counter({face: count for face, count in stock.items() if not IS_JOKER[face]})
    held = [face for face in sorted(stock) if IS_JOKER[face] for _ in range(stock[face])]
    allowed.update(held[:jokers])
    return allowed


def _as_tiles(rows: Iterable[Faces], rack: Sequence[Tile]) -> tuple[Row, ...]:
    stock: dict[Face, list[Tile]] = {}
    for tile in rack:
        stock.setdefault(FACE_OF[tile], []).append(tile)
    return tuple(tuple(stock[face].pop() for face in row) for row in rows)


def _build(
    edition: Edition,
    table: Table,
    rack: Sequence[Tile],
    tick: Tick | None,
    *,
    jokers: int,
    borrow: bool,
) -> Table:
    """Lay sets, then add single tiles and borrow from rows until nothing fits any more."""
    rows = [*table, *_lay_sets(edition, rack, jokers, tick)]
    laid = {tile for row in rows for tile in row}
    left = [tile for tile in rack if tile not in laid]
    readings = reader(edition).readings

    def is_set(row: Row) -> bool:
        return bool(readings(faces_of(row)))

    def hang() -> bool:
        """Add one tile to an end of a row."""
        for tile in sorted(left, key=lambda tile: -NUMBER[FACE_OF[tile]]):
            if IS_JOKER[FACE_OF[tile]] and len(left) > 1 and not jokers:
                continue
            for number, row in enumerate(rows):
                for longer in ((*row, tile), (tile, *row)):
                    if is_set(longer):
                        rows[number] = longer
                        left.remove(tile)
                        return True
        return False

    def cut() -> bool:
        """Put a tile into the middle of a run, making two."""
        for tile in left:
            for number, row in enumerate(rows):
                for place in range(2, len(row) - 2):
                    ahead, behind = row[: place + 1], (tile, *row[place + 1 :])
                    if is_set(ahead) and is_set(behind):
                        rows[number] = ahead
                        rows.append(behind)
                        left.remove(tile)
                        return True
        return False

    def take() -> bool:
        """Make a set of two tiles of the rack and one that a row can spare."""
        for number, row in enumerate(rows):
            if len(row) < 4 or any(IS_JOKER[FACE_OF[tile]] for tile in row):
                continue
            for place, spare in enumerate(row):
                rest = row[:place] + row[place + 1 :]
                if not is_set(rest):
                    continue
                for pair in combinations([tile for tile in left if not IS_JOKER[FACE_OF[tile]]], 2):
                    new = sorted_tiles((*pair, spare))
                    if is_set(new):
                        rows[number] = rest
                        rows.append(new)
                        left[:] = [tile for tile in left if tile not in pair]
                        return True
        return False

    while hang() or (borrow and (cut() or take())):
        if tick is not None:
            tick()
    return tuple(rows)
