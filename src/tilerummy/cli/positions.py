"""Positions that a person typed."""

from __future__ import annotations

from tilerummy.locales import error_text
from tilerummy.queries import reason_text
from tilerummy.rules.editions import Edition
from tilerummy.rules.errors import PositionError
from tilerummy.rules.faults import judge_row
from tilerummy.rules.orders import best_order
from tilerummy.rules.tiles import Row, Table, faces_of
from tilerummy.rules.turns import check_position


def check_typed_position(rules: Edition, rack: Row, table: Table, language: str) -> None:
    """Raise PositionError, with everything that is wrong with the rows of the table."""
    try:
        check_position(rules, rack, table)
    except PositionError as error:
        reasons = [
            reason_text(reason, language, rules)
            for row in map(faces_of, table)
            if best_order(rules, row) is None
            for reason in judge_row(rules, row).reasons
        ]
        text = "\n  ".join([error_text(error, language), *reasons])
        raise PositionError(text, code=error.code) from error
