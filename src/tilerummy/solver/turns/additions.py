"""Additions: what may become of a row of the table where no row may be taken apart."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from tilerummy.rules.editions import Edition
from tilerummy.rules.jokers import LaidRow
from tilerummy.rules.position import Position
from tilerummy.rules.rows import Faces, reader
from tilerummy.rules.ticks import Tick
from tilerummy.rules.tiles import Face, unidentified
from tilerummy.rules.turns import judge_turn
from tilerummy.solver.turns.locks import extensions


def list_additions(
    edition: Edition, table: Sequence[LaidRow], rack: Counter[Face], tick: Tick | None = None
) -> list[list[Faces]]:
    """Return for each row itself, and every longer row that tiles of the rack make of it."""
    rows = reader(edition)
    return [
        [
            longer
            for longer in extensions(rows, row.faces, rack, tick=tick)
            if longer == row.faces or _continues(edition, row, longer, tick)
        ]
        for row in table
    ]


def _continues(edition: Edition, row: LaidRow, longer: Faces, tick: Tick | None) -> bool:
    """Whether the referee takes the longer row for the same one, added to."""
    old = unidentified(row.faces)
    verdict = judge_turn(
        Position(
            edition,
            (old,),
            unidentified((Counter(longer) - Counter(row.faces)).elements()),
            opened=True,
            manipulation=False,
            declared={} if row.said is None else {old: row.said},
        ),
        (unidentified(longer),),
        tick=tick,
    )
    return verdict.legal
