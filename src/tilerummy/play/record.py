"""Records: the complete event log of a match, for replay and verification.

A record is a header and the events of each game. Its formats are JSON Lines, for programs, and
text, for people (see `notation`); both load back to the same record.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from tilerummy.play import event_json, schema1
from tilerummy.play.events import Created, Event
from tilerummy.play.game import Game
from tilerummy.play.invariants import InvariantError
from tilerummy.play.match import Match
from tilerummy.rules.editions import Edition, edition
from tilerummy.rules.errors import TileRummyError

SCHEMA = 3
FORMAT = "tilerummy-record"


class RecordError(TileRummyError):
    """Text that is not a complete record. `line` is the line number, if known."""

    code = "bad-record"

    def __init__(
        self, message: str, line: int | None = None, *, key: str | None = None, **params: object
    ) -> None:
        if line is None:
            super().__init__(message, code=None, key=key, **params)
        else:
            what = TileRummyError(message, code=None, key=key, **params)
            super().__init__("line {line}: {what}", key="error.record.line", line=line, what=what)
        self.line = line


@dataclass(frozen=True, slots=True, repr=False)
class Record:
    """One match: its players, its rules, and the events of its games."""

    edition: str
    options: Mapping[str, object] = field(hash=False)
    players: tuple[str, ...]
    rounds: int = 1
    games: tuple[tuple[Event, ...], ...] = ()

    def __repr__(self) -> str:
        events = sum(len(game) for game in self.games)
        return (
            f"<Record {self.edition}, {', '.join(self.players)}, "
            f"{len(self.games)} games, {events} events>"
        )

    @classmethod
    def of(cls, match: Match) -> Record:
        """The record of a match before its first game."""
        base = match.edition
        return cls(base.name, base.changed_options(), match.players, match.rounds)

    def with_events(self, new: tuple[Event, ...]) -> Record:
        """The record after more events; a created event begins a game. Raises RecordError."""
        games = [list(game) for game in self.games[-1:]]
        done = self.games[:-1]
        for event in new:
            if isinstance(event, Created):
                games.append([])
            if not games:
                raise RecordError(
                    "a game begins with its created event", key="error.record.created"
                )
            games[-1].append(event)
        return replace(self, games=(*done, *map(tuple, games)))

    def rules(self) -> Edition:
        """The edition with its options."""
        return edition(self.edition, self.options)

    def match(self) -> Match:
        """The match with the results of its finished games. Raises RecordError."""
        match = Match(self.rules(), self.players, self.rounds)
        for number in range(len(self.games)):
            game = self.game(number)
            if game.result is not None:
                match = match.with_result(game.result, game.starter)
        return match

    def game(self, number: int) -> Game:
        """The game (counted from 0) that its events lead to. Raises RecordError."""
        try:
            return Game.fold(self.games[number])
        except (IndexError, ValueError, TypeError, InvariantError) as error:
            raise RecordError(
                "game {game} cannot be replayed: {what}",
                key="error.record.replay",
                game=number + 1,
                what=error,
            ) from error


def to_jsonl(record: Record) -> str:
    """A record as JSON Lines: a header, then one line per event. `load` reads it back."""
    header = {
        "format": FORMAT,
        "schema": SCHEMA,
        "edition": record.edition,
        "options": dict(record.options),
        "players": list(record.players),
        "rounds": record.rounds,
        "games": len(record.games),
        "events": sum(len(game) for game in record.games),
    }
    lines = [header, *(event_json.to_dict(event) for game in record.games for event in game)]
    return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)


def from_jsonl(text: str) -> Record:
    """Read JSON Lines. Raises RecordError with the line number."""
    if not text:
        raise RecordError("the file is empty", key="error.record.empty")
    lines = lines_of(text)
    header = _object(lines[0], 1)
    record = read_header(header)
    found: list[Event] = []
    for number, line in enumerate(lines[1:], 2):
        if not line.strip():
            continue
        try:
            found.append(event_json.from_dict(_object(line, number)))
        except TileRummyError as error:
            if isinstance(error, RecordError):
                raise
            raise RecordError("{what}", number, key="error.record.event", what=error) from error
    record = record.with_events(tuple(found))
    check_complete(record, header.get("games"), header.get("events"))
    return record


def lines_of(text: str) -> list[str]:
    """The lines of a record. Not `splitlines`: a name may hold other line separators."""
    return text.replace("\r\n", "\n").split("\n")


def read_header(header: Mapping[str, Any]) -> Record:
    """The record of a header, without games. Raises RecordError."""
    if header.get("format") != FORMAT:
        raise RecordError(
            "a record begins with a line of format '{format}'",
            1,
            key="error.record.format",
            format=FORMAT,
        )
    schema = header.get("schema")
    if not isinstance(schema, int) or isinstance(schema, bool) or schema < 1:
        raise RecordError("a record carries its schema", 1, key="error.record.no-schema")
    if schema > SCHEMA:
        raise RecordError(
            "this record has schema {schema}, this version of tilerummy reads up to {known}: "
            "update tilerummy",
            1,
            key="error.record.schema",
            schema=schema,
            known=SCHEMA,
        )
    players, rounds, options = header.get("players"), header.get("rounds"), header.get("options")
    if not isinstance(players, list) or not all(isinstance(name, str) for name in players):
        raise RecordError("players is a list of names", 1, key="error.record.players")
    if not isinstance(rounds, int) or isinstance(rounds, bool):
        raise RecordError("rounds is a whole number", 1, key="error.record.rounds")
    if not isinstance(options, dict):
        raise RecordError("options is an object", 1, key="error.record.options")
    if schema == 1:
        options = schema1.upgraded_options(header.get("edition"), options)
    try:
        rules = edition(header.get("edition"), options)
        Match(rules, tuple(players), rounds)
    except TileRummyError as error:
        raise RecordError("{what}", 1, what=error) from error
    return Record(rules.name, options, tuple(players), rounds)


def check_complete(record: Record, games: object, count: object) -> None:
    """Raise RecordError unless the record holds as much as its header says."""
    held = len(record.games), sum(len(game) for game in record.games)
    if (games, count) != held:
        raise RecordError(
            "the record is truncated or damaged: its header says {games} games with {events} "
            "events, but it has {held_games} with {held_events}",
            key="error.record.truncated",
            games=games,
            events=count,
            held_games=held[0],
            held_events=held[1],
        )


def _object(line: str, number: int) -> dict[str, Any]:
    try:
        value = json.loads(line, parse_constant=_no_constant)
    except (ValueError, RecursionError) as error:
        raise RecordError(
            "not JSON: {what}", number, key="error.record.json", what=error
        ) from error
    if not isinstance(value, dict):
        raise RecordError("each line is a JSON object", number, key="error.record.object")
    return value


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is not a number")
