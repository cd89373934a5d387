"""The rules: tiles, editions, rows, turns and scores. Pure functions, standard library only.

This package exports the names that most programs need; the modules hold the rest.
"""

from tilerummy.rules.box import Box
from tilerummy.rules.editions import EDITIONS, Edition, edition
from tilerummy.rules.errors import OptionError, PositionError, TileError, TileRummyError
from tilerummy.rules.faults import RowVerdict, judge_row
from tilerummy.rules.orders import best_order, normalise
from tilerummy.rules.position import Position
from tilerummy.rules.reasons import Reason
from tilerummy.rules.rows import Kind, Reading
from tilerummy.rules.scores import (
    Rack,
    Result,
    ScoreError,
    Standing,
    rack_points,
    score_blocked,
    score_out,
    standing,
)
from tilerummy.rules.tiles import (
    parse_row,
    parse_table,
    parse_tile,
    row_text,
    table_text,
    tile_text,
)
from tilerummy.rules.turns import TurnVerdict, check_position, judge_turn

__all__ = [
    "EDITIONS",
    "Box",
    "Edition",
    "Kind",
    "OptionError",
    "Position",
    "PositionError",
    "Rack",
    "Reading",
    "Reason",
    "Result",
    "RowVerdict",
    "ScoreError",
    "Standing",
    "TileError",
    "TileRummyError",
    "TurnVerdict",
    "best_order",
    "check_position",
    "edition",
    "judge_row",
    "judge_turn",
    "normalise",
    "parse_row",
    "parse_table",
    "parse_tile",
    "rack_points",
    "row_text",
    "score_blocked",
    "score_out",
    "standing",
    "table_text",
    "tile_text",
]
