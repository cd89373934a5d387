"""Datasets of games for learning: one row for each turn, or one for each game."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Literal, TypeAlias

from tilerummy.lab.bot_games import DealKey, play_bots
from tilerummy.lab.line_ups import LineUp, seatings
from tilerummy.lab.tournament import Task, Tournament
from tilerummy.play.event_json import to_dict
from tilerummy.play.events import Drew, Event, Passed, Played
from tilerummy.play.game import Game
from tilerummy.rules.tiles import tile_texts

RowKind: TypeAlias = Literal["turns", "games"]
"""What a row of a dataset is."""
Row: TypeAlias = dict[str, Any]

AS_TEXT = ("options", "events")
"""Columns that are JSON text in a Parquet file."""
BATCH = 5_000
"""Rows in one group of a Parquet file."""


def turn_rows(tournament: Tournament, task: Task) -> list[Row]:
    """The turns of all games of a task: what the player saw, what it did, and how it ended."""
    found: list[Row] = []
    for number, seating in enumerate(seatings(tournament.line_ups[task.table])):
        rows: list[Row] = []
        before: Game | None = None
        for game, events in _games(tournament, seating, task):
            if before is not None:
                head = _head(tournament, task, number)
                rows.append({**head, **_turn(before, events[0], seating)})
            before = game
        assert before is not None
        assert before.result is not None
        for row in rows:
            seat = row["seat"]
            row["won"] = seat in before.result.winners
            row["score"] = before.result.scores[seat]
        found += rows
    return found


def game_rows(tournament: Tournament, task: Task) -> list[Row]:
    """All games of a task, each with its events, from which `Game.fold` makes the game again."""
    found = []
    for number, seating in enumerate(seatings(tournament.line_ups[task.table])):
        events: list[Event] = []
        for game, more in _games(tournament, seating, task):
            events += more
            last = game
        assert last.result is not None
        found.append(
            {
                **_head(tournament, task, number),
                "bots": list(seating),
                "starter": last.starter,
                "turns": last.turn - 1,
                "winners": list(last.result.winners),
                "scores": list(last.result.scores),
                "end": str(last.result.end),
                "events": [to_dict(event) for event in events],
            }
        )
    return found


ROWS: Mapping[RowKind, Callable[[Tournament, Task], list[Row]]] = {
    "turns": turn_rows,
    "games": game_rows,
}
"""The function that makes each kind of row."""


def _games(
    tournament: Tournament, seating: LineUp, task: Task
) -> Iterator[tuple[Game, tuple[Event, ...]]]:
    key = DealKey(tournament.seed, task.deal)
    return play_bots(tournament.edition, seating, key, tournament.budget)


def _head(tournament: Tournament, task: Task, seating: int) -> Row:
    return {
        "edition": tournament.edition.name,
        "options": tournament.edition.changed_options(),
        "seed": tournament.seed,
        "deal": task.deal,
        "seating": seating,
    }


def _turn(game: Game, event: Event, seating: LineUp) -> Row:
    assert isinstance(event, Played | Drew | Passed)
    seat = game.current
    return {
        "turn": game.turn,
        "seat": seat,
        "bot": seating[seat],
        "rack": tile_texts(game.racks[seat]),
        "table": [tile_texts(row) for row in game.table],
        "rack_sizes": [len(rack) for rack in game.racks],
        "opened": list(game.opened),
        "pool": len(game.pool),
        "action": event.type,
        "tiles": [] if isinstance(event, Passed) else tile_texts(event.tiles),
        "table_after": [tile_texts(row) for row in event.table]
        if isinstance(event, Played)
        else None,
    }


def write_dataset(path: Path, kind: RowKind, rows: Iterable[Row]) -> int:
    """Write rows as Parquet if the name ends in .parquet, otherwise as JSON Lines.

    Returns how many. The file appears when it is complete. Raises OSError, and ImportError without
    PyArrow.
    """
    draft = path.with_name(f".{path.name}.tmp")
    try:
        if path.suffix == ".parquet":
            count = _write_parquet(draft, kind, rows)
        else:
            count = _write_json_lines(draft, rows)
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)
    return count


def _write_json_lines(path: Path, rows: Iterable[Row]) -> int:
    count = 0
    with path.open("w", encoding="utf-8", newline="\n") as file:
        for row in rows:
            file.write(json.dumps(row, ensure_ascii=False, separators=(",", ":")) + "\n")
            count += 1
    return count


def _write_parquet(path: Path, kind: RowKind, rows: Iterable[Row]) -> int:
    import pyarrow
    from pyarrow import parquet

    schema = _schema(kind)
    count = 0
    with parquet.ParquetWriter(path, schema) as writer:
        for batch in _batches(rows):
            writer.write_table(pyarrow.Table.from_pylist([*map(_flat, batch)], schema=schema))
            count += len(batch)
    return count


def _schema(kind: RowKind) -> Any:
    """The columns of a Parquet file."""
    import pyarrow as pa

    numbers, tiles = pa.list_(pa.int32()), pa.list_(pa.string())
    head = {
        "edition": pa.string(),
        "options": pa.string(),
        "seed": pa.int64(),
        "deal": pa.int32(),
        "seating": pa.int32(),
    }
    if kind == "games":
        columns = {
            "bots": tiles,
            "starter": pa.int32(),
            "turns": pa.int32(),
            "winners": numbers,
            "scores": numbers,
            "end": pa.string(),
            "events": pa.string(),
        }
    else:
        columns = {
            "turn": pa.int32(),
            "seat": pa.int32(),
            "bot": pa.string(),
            "rack": tiles,
            "table": pa.list_(tiles),
            "rack_sizes": numbers,
            "opened": pa.list_(pa.bool_()),
            "pool": pa.int32(),
            "action": pa.string(),
            "tiles": tiles,
            "table_after": pa.list_(tiles),
            "won": pa.bool_(),
            "score": pa.int32(),
        }
    return pa.schema([*head.items(), *columns.items()])


def _batches(rows: Iterable[Row]) -> Iterator[list[Row]]:
    batch: list[Row] = []
    for row in rows:
        batch.append(row)
        if len(batch) == BATCH:
            yield batch
            batch = []
    if batch:
        yield batch


def _flat(row: Row) -> Row:
    """Options and events as JSON text: each of them has its own fields."""
    return {key: json.dumps(row[key]) if key in AS_TEXT else row[key] for key in row}
