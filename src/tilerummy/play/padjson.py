"""The JSON format of score pads, with a schema version.

Reading is strict. A field nobody knows would be lost at the next writing, so it is refused.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from tilerummy.play.scorepad import (
    Counted,
    Entry,
    Left,
    PadError,
    ScorePad,
    Written,
    pad_of,
    stored_names,
)
from tilerummy.rules.editions import edition
from tilerummy.rules.errors import TileRummyError

KIND = "score pad"
SCHEMA = 1
LARGEST = 1_000_000_000
"""No number of a pad is larger. Python writes no number of some thousand digits into an error."""

_FIELDS = frozenset(("tilerummy", "schema", "edition", "options", "players", "rounds", "games"))
_GAME_FIELDS = {
    "out": frozenset(("end", "out", "left")),
    "blocked": frozenset(("end", "left")),
    "scores": frozenset(("end", "scores")),
}
_MAY_LACK = {
    "out": frozenset(("first", "unopened")),
    "blocked": frozenset(("first", "unopened")),
    "scores": frozenset(("first", "winners")),
}


def pad_to_json(pad: ScorePad) -> dict[str, object]:
    return {
        "tilerummy": KIND,
        "schema": SCHEMA,
        "edition": pad.edition.name,
        "options": pad.edition.changed_options(),
        "players": list(pad.players),
        "rounds": pad.rounds,
        "games": [entry_to_json(entry) for entry in pad.entries],
    }


def entry_to_json(entry: Entry) -> dict[str, object]:
    """One game as JSON. Seats count from 0; unknown values are left out."""
    game: dict[str, object]
    if isinstance(entry, Written):
        game = {"end": "scores", "scores": list(entry.scores)}
        if entry.winners is not None:
            game["winners"] = list(entry.winners)
    else:
        game = {"end": "blocked"} if entry.out is None else {"end": "out", "out": entry.out}
        game["left"] = [str(left) for left in entry.left]
        if entry.unopened:
            game["unopened"] = list(entry.unopened)
    if entry.first is not None:
        game["first"] = entry.first
    return game


def pad_to_text(pad: ScorePad) -> str:
    """The text of a pad file: one game per line, so that people can read it too."""
    document = pad_to_json(pad)
    del document["games"]
    games = [json.dumps(entry_to_json(entry)) for entry in pad.entries]
    head = [f"{json.dumps(k)}: {json.dumps(v, ensure_ascii=False)}," for k, v in document.items()]
    body = ",".join(f"\n    {game}" for game in games)
    tail = f'"games": [{body}\n  ]' if games else '"games": []'
    return "{\n  " + "\n  ".join([*head, tail]) + "\n}\n"


def pad_from_text(data: bytes) -> ScorePad:
    """Read a pad. Raises PadError `not-a-pad`, `newer-schema` or `damaged`."""
    try:
        document = json.loads(data.decode("utf-8-sig"))
    except (ValueError, RecursionError):
        raise PadError("not-a-pad") from None
    return pad_from_json(document)


def pad_from_json(document: object) -> ScorePad:
    """Read a pad. Raises PadError `not-a-pad`, `newer-schema` or `damaged`."""
    if not isinstance(document, dict) or document.get("tilerummy") != KIND:
        raise PadError("not-a-pad")
    schema = document.get("schema")
    with _blaming("schema"):
        if _int(schema) > SCHEMA:
            raise PadError("newer-schema", schema=schema, known=SCHEMA)
        _check(_int(schema) >= 1)
    with _blaming(", ".join(map(repr, sorted(_FIELDS.symmetric_difference(document))))):
        _check(document.keys() == _FIELDS)
    with _blaming("edition, options"):
        rules = edition(document["edition"], _mapping(document["options"]))
    with _blaming("players, rounds"):
        pad = pad_of(stored_names(_strings(document["players"])), rules, _int(document["rounds"]))
    entries = []
    with _blaming("games"):
        games = _list(document["games"])
    for number, game in enumerate(games, start=1):
        with _blaming(f"games: {number}"):
            entries.append(entry_from_json(game))
            pad.result(entries[-1])
    return ScorePad(rules, pad.players, pad.rounds, tuple(entries))


def entry_from_json(value: object) -> Entry:
    """One game. Raises PadError `damaged`. The pad checks whether the game is possible."""
    with _blaming("game"):
        game = _mapping(value)
        end = _string(game.get("end"))
        _check(end in _GAME_FIELDS)
        _check(_GAME_FIELDS[end] <= game.keys() <= _GAME_FIELDS[end] | _MAY_LACK[end])
        first = _int(game["first"]) if "first" in game else None
        if end == "scores":
            winners = _ints(game["winners"]) if "winners" in game else None
            return Written(_ints(game["scores"]), winners, first)
        left = tuple(Left.parse(text) for text in _strings(game["left"]))
        out = _int(game["out"]) if end == "out" else None
        return Counted(left, out, first, _ints(game.get("unopened", [])))


@contextmanager
def _blaming(where: str) -> Iterator[None]:
    """Turn errors of the block into PadError `damaged` at this place of the file."""
    try:
        yield
    except TileRummyError as error:
        if error.code == "newer-schema":
            raise
        raise PadError("damaged", where=where) from error


def _check(holds: bool) -> None:
    if not holds:
        raise PadError("damaged")


def _int(value: object) -> int:
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) <= LARGEST:
        return value
    raise PadError("damaged")


def _string(value: object) -> str:
    if isinstance(value, str):
        return value
    raise PadError("damaged")


def _list(value: object) -> list[object]:
    if isinstance(value, list):
        return value
    raise PadError("damaged")


def _mapping(value: object) -> Mapping[str, object]:
    if isinstance(value, dict):
        return value
    raise PadError("damaged")


def _ints(value: object) -> tuple[int, ...]:
    return tuple(_int(item) for item in _list(value))


def _strings(value: object) -> tuple[str, ...]:
    return tuple(_string(item) for item in _list(value))
