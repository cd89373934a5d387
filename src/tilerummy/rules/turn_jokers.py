"""The joker rules applied to a turn: why they forbid it, if they do.

`jokers` states the rules; here they meet the rows of both tables.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence

from tilerummy.rules.editions import Edition
from tilerummy.rules.jokers import NO_PINS, has_joker_rules, joker_problem
from tilerummy.rules.matching import Place, Source
from tilerummy.rules.reasons import Reason
from tilerummy.rules.table_changes import unmatched
from tilerummy.rules.ticks import Tick
from tilerummy.rules.turn_rows import ReadRow, laid_rows


def joker_reasons(
    edition: Edition,
    before: list[ReadRow],
    after: list[ReadRow],
    opening: Sequence[ReadRow] = (),
    pins: Mapping[Source, Place] = NO_PINS,
    tick: Tick | None = None,
) -> list[Reason]:
    """Return the objections of the joker rules. Every row has to be a set.

    `opening` rows were laid in this same turn, as faces. `pins` says where named jokers lie.
    """
    if not _rules_apply(edition, [*before, *opening]):
        return []
    count = len(opening)
    if not pins:
        old, new = _changed(before, after)
        if not opening and not _has_joker(old):
            return []  # the rules concern the jokers of rows that changed
        first = [*old, *opening]
        if joker_problem(edition, laid_rows(first), laid_rows(new), count, tick=tick).solvable():
            return []
    # Equal tiles without ids may also change places with those of rows that look unchanged.
    old_rows, new_rows = laid_rows([*before, *opening]), laid_rows(after)
    return joker_problem(edition, old_rows, new_rows, count, pins, tick).broken()


def _changed(before: list[ReadRow], after: list[ReadRow]) -> tuple[list[ReadRow], list[ReadRow]]:
    """Both tables without the rows that are on both with the same meaning."""
    old, new = [_meaning(row) for row in before], [_meaning(row) for row in after]
    return [before[i] for i in unmatched(old, new)], [after[i] for i in unmatched(new, old)]


def _meaning(row: ReadRow) -> Hashable:
    """The tiles with their readings. Without jokers the tiles are enough, and quicker to hash."""
    return row[:2] if row.readings[0].stands else row.tiles


def _rules_apply(edition: Edition, before: Iterable[ReadRow]) -> bool:
    return has_joker_rules(edition) and _has_joker(before)


def _has_joker(rows: Iterable[ReadRow]) -> bool:
    # A reading lists what each joker of its row stands for: nothing in a row without jokers.
    return any(row.readings[0].stands for row in rows)
