"""What the referee says of thousands of rows and turns, as JSON for the tests of the page.

The page reads rows and drafts by itself so that a player sees at once what they are; it must say
what the referee says. Everything comes from one seed, so a file can be made again.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterable, Iterator
from itertools import product
from pathlib import Path
from typing import Any

from tests import oracle
from tests.page.turns import Turn, turns_of
from tests.rules.examples import examples, positions
from tests.rules.strategies import random_edition, random_row
from tilerummy.rules.declarations import Declared, plain
from tilerummy.rules.editions import EDITIONS, TWIST, Edition, edition
from tilerummy.rules.faults import judge_row
from tilerummy.rules.orders import best_order, settled
from tilerummy.rules.position import Position
from tilerummy.rules.reasons import Reason
from tilerummy.rules.rows import Faces, Reading, is_ambiguous
from tilerummy.rules.tiles import (
    ALL_FACES,
    FACE_TEXT,
    JOKER_FACES,
    Face,
    face_text,
    faces_of,
    parse_faces,
    parse_row,
    row_text,
    tile_texts,
    unidentified,
)
from tilerummy.rules.turns import TurnVerdict, judge_turn

ROW_OPTIONS: tuple[tuple[str, dict[str, object]], ...] = (
    ("classic", {"set.order": "as_laid"}),
    ("classic", {"set.min_natural": 2, "joker.max_per_set": 1}),
    ("classic", {"set.min_natural": 0, "jokers": "J4"}),
    ("sixplayer", {"set.min_natural": 4}),
    ("taiwan", {"copies": 1, "players.max": 2, "joker.max_per_set": 0}),
    ("twist", {"set.order": "normalise"}),
    ("twist", {"set.order": "normalise", "jokers": "J4 D4 C4 M4", "set.min_natural": 0}),
    ("twist", {"jokers": "J4 D4 C4 M4", "twist.adjacent_c": False}),
    ("twist", {"twist.mirror_min_side": 2, "twist.mirror_number": "next"}),
    ("twist", {"twist.mirror_c_needs_c": True, "set.order": "normalise"}),
    ("twist", {"twist.mirror_number": "next", "set.min_natural": 0}),
    ("twist", {"joker.max_per_set": 2, "twist.mirror_min_side": 3, "set.order": "normalise"}),
)


def write(path: Path, seed: str, rows: int, turns: int) -> tuple[int, int]:
    """About so many, one edition with its cases on each line; returns how many there are."""
    rng = random.Random(seed)
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = [*_row_lines(rng, rows), *_turn_lines(rng, turns)]
    path.write_text("\n".join(json.dumps(line) for line in lines), encoding="utf-8")
    return _total(lines, "rows"), _total(lines, "turns")


def _total(lines: list[dict[str, Any]], key: str) -> int:
    return sum(len(line.get(key, ())) for line in lines)


# Rows


def _row_lines(rng: random.Random, count: int) -> Iterator[dict[str, Any]]:
    known, small = sorted(_known_rows()), _small_rows()
    variants = [*EDITIONS.values(), *(edition(name, options) for name, options in ROW_OPTIONS)]
    variants = list(dict.fromkeys([*variants, *(random_edition(rng) for _ in range(10))]))
    fair_share = (count - len(small)) // (len(variants) - 1)
    for rules in variants:
        rows = {
            *(known if rules in EDITIONS.values() else rng.sample(known, 50)),
            *(small if rules is TWIST else rng.sample(small, 150)),
        }
        while len(rows) < fair_share:
            rows.add(_some_row(rng, rules))
        yield {"options": rules.options(), "rows": [_row_case(rules, row) for row in sorted(rows)]}


def _known_rows() -> set[Faces]:
    """All rows of the rule books."""
    tables = [
        *([case["set"]] for case in examples()),
        *(case[table] for case in positions("turn") for table in ("table_before", "table_after")),
    ]
    return {parse_faces(row) for table in tables for row in table}


def _small_rows() -> list[Faces]:
    """Every row of up to three tiles out of some, and every row of four out of a few."""
    some = faces_of(parse_row("r1 r2 r3 r12 r13 b2 b13 J D C M"))
    few = faces_of(parse_row("r5 r6 J D C M"))
    lengths = [product(some, repeat=length) for length in range(4)]
    return [*(row for rows in lengths for row in rows), *product(few, repeat=4)]


def _some_row(rng: random.Random, rules: Edition) -> Faces:
    what = rng.random()
    if what < 0.1:
        return tuple(rng.choice(ALL_FACES) for _ in range(rng.choice([2, 3, 4, 5, 9, 27, 28, 30])))
    if what < 0.5:
        name = "twist" if rules.has_specials else "classic"
        return parse_faces(oracle.random_set_case(rng, name)["row"])
    row = list(random_row(rng, TWIST if rng.random() < 0.2 else rules))
    for _ in range(rng.choice([0, 0, 1, 1, 2])):
        _mutate(rng, row)
    return tuple(row)


def _mutate(rng: random.Random, row: list[Face]) -> None:
    what, place = rng.randrange(6), rng.randrange(len(row))
    if what == 0:
        rng.shuffle(row)
    elif what == 1 and len(row) > 1:
        row.pop(place)
    elif what == 2:
        row[place] = rng.choice(ALL_FACES)
    elif what == 3:
        row.insert(place, rng.choice([*row, rng.choice(ALL_FACES)]))
    elif what == 4:
        row.reverse()
    else:
        row[place] = rng.choice(JOKER_FACES)


def _row_case(rules: Edition, row: Faces) -> dict[str, Any]:
    """The row as it lies, the best order of its tiles, and the order in which it counts."""
    laid, order = judge_row(rules, row), best_order(rules, row)
    counting = settled(rules, unidentified(row))
    counts = None if counting is None else faces_of(counting)
    case: dict[str, Any] = {"row": row_text(row)}
    if laid.valid:
        case["kind"] = laid.kind
        case["readings"] = _readings(laid.readings)
        case["ambiguous"] = is_ambiguous(row, laid.readings)
    else:
        case["faults"] = _reasons(laid.reasons)
    if order is not None:
        case["order"] = row_text(order)
    if counts is not None and counts != row:
        ordered = judge_row(rules, counts)
        case["counts"] = row_text(counts)
        case["kind"] = ordered.kind
        case["readings"] = _readings(ordered.readings)
        case["ambiguous"] = is_ambiguous(counts, ordered.readings)
    return case


def _readings(readings: Iterable[Reading]) -> list[Any]:
    return [
        [
            reading.kind,
            reading.value,
            [[at, [FACE_TEXT[face] for face in sorted(faces)]] for at, faces in reading.stands],
        ]
        for reading in readings
    ]


def _reasons(reasons: Iterable[Reason]) -> list[Any]:
    return [
        [reason.code, [face_text(tile) for tile in reason.tiles], dict(reason.params)]
        for reason in reasons
    ]


# Turns


def _turn_lines(rng: random.Random, count: int) -> Iterator[dict[str, Any]]:
    found: dict[Edition, list[Turn]] = {}
    for rules, turn in turns_of(rng, count):
        found.setdefault(rules, []).append(turn)
    for rules, turns in found.items():
        yield {"options": rules.options(), "turns": [_turn_case(rules, turn) for turn in turns]}


def _turn_case(rules: Edition, turn: Turn) -> dict[str, Any]:
    verdict = judge_turn(
        Position(
            rules,
            turn.before,
            turn.rack,
            turn.opened,
            manipulation=turn.manipulation,
            declared=turn.declared_before,
        ),
        turn.after,
        turn.declared,
    )
    return {
        "position": {
            "opened": turn.opened,
            "manipulation": turn.manipulation,
            "table": [tile_texts(row) for row in turn.before],
            "rack": tile_texts(turn.rack),
            "declared": _declared(turn.declared_before),
        },
        "table": [tile_texts(row) for row in turn.after],
        "declared": _declared(turn.declared),
        "verdict": _verdict(verdict),
    }


def _declared(declared: Declared) -> list[dict[str, object]]:
    return plain(declared, tile_texts)


def _verdict(verdict: TurnVerdict) -> dict[str, Any]:
    return {
        "legal": verdict.legal,
        "reasons": _reasons(verdict.reasons),
        "played": tile_texts(verdict.played),
        "value": verdict.value,
        "table": [tile_texts(row) for row in verdict.table],
    }
