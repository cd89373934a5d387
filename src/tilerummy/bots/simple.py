"""A beginner: lays sets from the rack and adds single tiles to rows, never rearranges."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from tilerummy.bots.protocol import Turn, idle_turn
from tilerummy.play.commands import Play
from tilerummy.play.view import View
from tilerummy.rules.editions import Edition
from tilerummy.rules.openings import rows_from
from tilerummy.rules.rows import Faces, Kind, is_ambiguous, reader
from tilerummy.rules.tiles import FACES, JOKER, NUMBER, Face, Row, Table, Tile, faces_of
from tilerummy.rules.turns import judge_turn


class SimpleBot:
    """Deterministic: the same view gives the same turn."""

    name = "simple"

    def choose(self, view: View) -> Turn:
        table = find_table(
            view.edition,
            view.table,
            view.rack,
            opened=view.opened[view.current],
            declared=view.declared,
            manipulation=view.manipulation,
        )
        if table is None:
            return idle_turn(view)
        return Play(view.current, table, _declarations(view, table))


def finds_play(edition: Edition, table: Table, rack: tuple[Tile, ...], opened: bool) -> bool:
    """Whether this beginner sees a play: yes is certain, no is only their opinion."""
    return find_table(edition, table, rack, opened=opened) is not None


def find_table(
    edition: Edition,
    table: Table,
    rack: Sequence[Tile],
    *,
    opened: bool,
    declared: object = None,
    manipulation: bool = True,
) -> Table | None:
    """The table after the best turn a beginner finds, or None."""
    new_rows = _lay_sets(edition, rack, 0 if opened else edition.initial_min)
    laid = {tile for row in new_rows for tile in row}
    rest = [tile for tile in rack if tile not in laid]
    attempts = [(*table, *new_rows)]
    if opened:
        attempts.insert(0, _add_tiles(edition, attempts[0], rest))
    for attempt in attempts:
        if sum(map(len, attempt)) == sum(map(len, table)):
            continue
        verdict = judge_turn(
            edition,
            opened=opened,
            rack=rack,
            before=table,
            after=attempt,
            manipulation=manipulation,
        )
        if verdict.legal:
            return verdict.table
    return None


def _lay_sets(edition: Edition, rack: Sequence[Tile], minimum: int) -> tuple[Row, ...]:
    """Sets from the rack without jokers, most tiles first; with jokers if the minimum asks."""
    stock = Counter(faces_of(rack))
    for jokers in (0, 1, 2):
        allowed = _with_jokers(stock, jokers)
        chosen, value = _pick(edition, allowed, most_points=minimum > 0)
        enough = value >= minimum or (minimum == 0)
        if enough and (chosen or jokers == 2):
            return _as_tiles(chosen, rack)
        if minimum == 0:
            break
    return ()


def _with_jokers(stock: Counter[Face], jokers: int) -> Counter[Face]:
    """The numbered tiles and a few of the jokers, regular ones first."""
    allowed = Counter({face: count for face, count in stock.items() if face < JOKER})
    held = [face for face in sorted(stock) if face >= JOKER for _ in range(stock[face])]
    allowed.update(held[:jokers])
    return allowed


def _pick(edition: Edition, stock: Counter[Face], *, most_points: bool) -> tuple[list[Faces], int]:
    rows = rows_from(edition, stock)
    rows.sort(key=lambda item: (item[0], item[1]) if most_points else (len(item[1]), *item))
    left, chosen, total = Counter(stock), list[Faces](), 0
    for value, row in reversed(rows):
        need = Counter(row)
        if need <= left:
            left -= need
            chosen.append(row)
            total += value
    return chosen, total


def _as_tiles(rows: Iterable[Faces], rack: Sequence[Tile]) -> tuple[Row, ...]:
    stock: dict[Face, list[Tile]] = {}
    for tile in rack:
        stock.setdefault(tile % FACES, []).append(tile)
    return tuple(tuple(stock[face].pop() for face in row) for row in rows)


def _add_tiles(edition: Edition, table: Table, rest: Sequence[Tile]) -> Table:
    """Hang single numbered tiles onto rows until none fits; jokers only to finish."""
    rows, left, moved = list(table), list(rest), True
    readings = reader(edition).readings
    while moved:
        moved = False
        for tile in sorted(left, key=lambda tile: -NUMBER[tile % FACES]):
            if tile % FACES >= JOKER and len(left) > 1:
                continue
            for number, row in enumerate(rows):
                longer = next(
                    (one for one in ((*row, tile), (tile, *row)) if readings(faces_of(one))), None
                )
                if longer is not None:
                    rows[number] = longer
                    left.remove(tile)
                    moved = True
                    break
    return tuple(rows)


def _declarations(view: View, table: Table) -> dict[Row, Kind]:
    """Name the most valuable reading of every ambiguous row that has not been named."""
    readings = reader(view.edition).readings
    return {
        row: view.declared.get(row, found[0].kind)
        for row in table
        if is_ambiguous(faces_of(row), found := readings(faces_of(row)))
    }
