"""The parser of the text format of records (see `notation` for the format)."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

from tilerummy.play.event_json import read_source, read_why
from tilerummy.play.events import (
    RULES_VERSION,
    WHYS,
    Cancelled,
    Committed,
    Created,
    Dealt,
    Drew,
    Ended,
    Event,
    Fixed,
    Passed,
    Played,
    Revealed,
    Seeded,
    StarterDrawn,
)
from tilerummy.play.record import (
    FORMAT,
    SCHEMA,
    Record,
    RecordError,
    check_complete,
    read_header,
)
from tilerummy.play.shuffle import SHUFFLE_VERSION
from tilerummy.rules.declarations import Declaration, parse_declaration
from tilerummy.rules.errors import TileRummyError, quoted
from tilerummy.rules.scores import Ending
from tilerummy.rules.tiles import Row, Table, parse_tile

TITLE = "Tile Rummy record, schema "
END = "end of record"

_AT = r"  @(-?\d+) "
_UNPROVEN = r"( unproven)?"
_WHY = rf"(?: \(({'|'.join(WHYS)})\))?(?: draft (.+))?"
_PATTERNS = {
    name: re.compile(pattern, re.ASCII)
    for name, pattern in {
        "created": r"game (\d+), starter (?:by draw|seat (\d+))"
        r"(?:, rules version (\d{1,9}))?(?:, shuffle version (\d{1,9}))?, @(-?\d+)",
        "commitment": r"  commitment ([0-9a-f]{64})",
        "secret": r"  secret ([0-9a-f]{64})",
        "seeded": _AT + r'seed (\d+) (".*")',
        "committed": _AT + r"commit (\d+) ([0-9a-f]{64})",
        "fixed": _AT + r"fixed ([a-z ]+)",
        "revealed": _AT + r"reveal (\d+) ([0-9a-f]+)",
        "cancelled": _AT + r"cancelled, withheld by ([\d ]+)",
        "drawn": _AT + r"drawn (.+); seat (\d+) begins",
        "dealt": _AT + "deal" + _UNPROVEN + r", seat (\d+) begins",
        "rack": r"    rack (\d+)(?: (.+))?",
        "pool": r"    pool(?: (.+))?",
        "played": _AT + r"(\d+) plays( by clock)?" + _UNPROVEN + r" (.+?) = (.+)",
        "drew": _AT + r"(\d+) draws" + _UNPROVEN + r" (nothing|[^(]+?)" + _WHY,
        "passed": _AT + r"(\d+) passes" + _UNPROVEN + _WHY,
        "ended": _AT
        + rf"ends (blocked|{'|'.join(Ending)}), winner (none|[\d ]+), scores ([-\d ]+)",
    }.items()
}


class Parser:
    """Reads the lines of one record. Errors name the line."""

    def __init__(self, lines: list[str]) -> None:
        self.lines = lines
        self.number = 0  # of the line read last, from 1
        self.schema = SCHEMA
        self.version = RULES_VERSION  # of the game that is being read

    def record(self) -> Record:
        """The record of all lines. Raises RecordError."""
        header, holds = self._header()
        record = read_header(header)
        found: list[Event] = []
        rest = self._skip_blank()
        while rest != END:
            if rest is None:
                raise RecordError(
                    "the record is truncated: '{end}' is missing",
                    self.number,
                    key="error.record.no-end",
                    end=END,
                )
            try:
                found.append(self._event(rest, record))
            except (TileRummyError, ValueError) as error:
                if isinstance(error, RecordError):
                    raise
                raise RecordError("{what}", self.number, what=error) from error
            rest = self._skip_blank()
        rest = self._skip_blank()
        if rest is not None:
            raise RecordError(
                "nothing comes after '{end}'", self.number, key="error.record.after-end", end=END
            )
        record = record.with_events(tuple(found))
        check_complete(record, *holds)
        return record

    def _next(self) -> str | None:
        if self.number == len(self.lines):
            return None
        self.number += 1
        return self.lines[self.number - 1]

    def _skip_blank(self) -> str | None:
        line = self._next()
        while line is not None and not line.strip():
            line = self._next()
        return line

    def _header(self) -> tuple[dict[str, object], tuple[int, int]]:
        options: dict[str, object] = {}
        players: list[str] = []
        header: dict[str, object] = {"format": FORMAT, "options": options, "players": players}
        line = self._next() or ""
        header["schema"] = self.schema = self._int(line.removeprefix(TITLE))
        while line := self._next() or "":
            word, _, rest = line.partition(" ")
            if word == "edition":
                header["edition"] = rest
            elif word == "option":
                key, _, value = rest.partition(" = ")
                options[key] = self._json(value)
            elif word == "player":
                seat, _, name = rest.partition(" ")
                if seat != str(len(players) + 1):
                    raise RecordError(
                        "expected player {player}",
                        self.number,
                        key="error.record.next-player",
                        player=len(players) + 1,
                    )
                players.append(self._name(name))
            elif word == "rounds":
                header["rounds"] = self._int(rest)
            elif found := re.fullmatch(r"holds (\d+) games, (\d+) events", line):
                return header, (self._int(found[1]), self._int(found[2]))
            else:
                raise self._unreadable(line)
        raise RecordError(
            "the header ends before it says what the record holds",
            self.number,
            key="error.record.header",
        )

    def _event(self, line: str, record: Record) -> Event:
        readers: dict[str, Callable[[re.Match[str], Record], Event]] = {
            "created": self._created,
            "seeded": self._seeded,
            "committed": self._committed,
            "fixed": self._fixed,
            "revealed": self._revealed,
            "cancelled": self._cancelled,
            "drawn": self._drawn,
            "dealt": self._dealt,
            "played": self._played,
            "drew": self._drew,
            "passed": self._passed,
            "ended": self._ended,
        }
        for name, read in readers.items():
            found = _PATTERNS[name].fullmatch(line.rstrip())
            if found:
                return read(found, record)
        raise self._unreadable(line)

    def _created(self, found: re.Match[str], record: Record) -> Event:
        commitment = self._expect("commitment")[1]
        secret = self._expect("secret")[1]
        starter = None if found[2] is None else int(found[2]) - 1
        latest = 1 if self.schema == 1 else RULES_VERSION
        self.version = latest if found[3] is None else int(found[3])
        if not 1 <= self.version <= latest:
            raise RecordError(
                "unknown rules version {version}: there are 1 to {latest}",
                self.number,
                key="error.record.rules-version",
                version=self.version,
                latest=latest,
            )
        return Created(
            int(found[5]),
            record.edition,
            dict(record.options),
            record.players,
            int(found[1]),
            secret,
            commitment,
            starter,
            self.version,
            self._shuffle_version(found[4]),
        )

    def _shuffle_version(self, text: str | None) -> int:
        latest = 1 if self.schema < 3 else SHUFFLE_VERSION
        version = latest if text is None else int(text)
        if not 1 <= version <= latest:
            raise RecordError(
                "unknown shuffle version {version}: there are 1 to {latest}",
                self.number,
                key="error.record.shuffle-version",
                version=version,
                latest=latest,
            )
        return version

    def _seeded(self, found: re.Match[str], _: Record) -> Event:
        return Seeded(int(found[1]), int(found[2]) - 1, self._name(found[3]))

    def _committed(self, found: re.Match[str], _: Record) -> Event:
        return Committed(int(found[1]), int(found[2]) - 1, found[3])

    def _fixed(self, found: re.Match[str], _: Record) -> Event:
        return Fixed(int(found[1]), tuple(read_source(word) for word in found[2].split()))

    def _revealed(self, found: re.Match[str], _: Record) -> Event:
        return Revealed(int(found[1]), int(found[2]) - 1, found[3])

    def _cancelled(self, found: re.Match[str], _: Record) -> Event:
        withheld = tuple(self._int(seat) - 1 for seat in found[2].split())
        commitment = self._expect("commitment")[1]
        return Cancelled(int(found[1]), withheld, self._expect("secret")[1], commitment)

    def _drawn(self, found: re.Match[str], _: Record) -> Event:
        draws = []
        for part in found[2].split(", "):
            seat, _blank, tile = part.partition(" ")
            draws.append((self._int(seat) - 1, parse_tile(tile)))
        return StarterDrawn(int(found[1]), tuple(draws), int(found[3]) - 1)

    def _dealt(self, found: re.Match[str], record: Record) -> Event:
        racks = []
        for seat in range(1, len(record.players) + 1):
            rack = self._expect("rack")
            if int(rack[1]) != seat:
                raise RecordError(
                    "expected the rack of player {player}",
                    self.number,
                    key="error.record.next-rack",
                    player=seat,
                )
            racks.append(_parse_row(rack[2] or ""))
        pool = self._expect("pool")
        starter, unproven = int(found[3]) - 1, found[2] is not None
        return Dealt(int(found[1]), tuple(racks), _parse_row(pool[1] or ""), starter, unproven)

    def _played(self, found: re.Match[str], _: Record) -> Event:
        table, declared = _parse_declared(found[6])
        return Played(
            int(found[1]),
            int(found[2]) - 1,
            _parse_row(found[5]),
            table,
            declared,
            found[3] is not None,
            found[4] is not None,
        )

    def _drew(self, found: re.Match[str], _: Record) -> Event:
        tiles = () if found[4] == "nothing" else _parse_row(found[4])
        why, draft = read_why(found[5] or "choice"), _parse_draft(found[6])
        return Drew(int(found[1]), int(found[2]) - 1, tiles, why, *draft, found[3] is not None)

    def _passed(self, found: re.Match[str], _: Record) -> Event:
        why, draft = read_why(found[4] or "choice"), _parse_draft(found[5])
        return Passed(int(found[1]), int(found[2]) - 1, why, *draft, found[3] is not None)

    def _ended(self, found: re.Match[str], _: Record) -> Event:
        winners = [] if found[3] == "none" else [self._int(seat) - 1 for seat in found[3].split()]
        scores = tuple(self._int(score) for score in found[4].split())
        said = None if self.version == 1 else Ending(found[2])
        blocked = found[2] != Ending.OUT
        return Ended(int(found[1]), blocked, tuple(winners), scores, said)

    def _expect(self, name: str) -> re.Match[str]:
        line = self._next()
        found = _PATTERNS[name].fullmatch((line or "").rstrip())
        if found is None:
            raise RecordError(
                "expected a line with '{name}', not '{line_}'",
                self.number,
                key="error.record.next-line",
                name=name,
                line_=quoted(line or ""),
            )
        return found

    def _int(self, text: str) -> int:
        if not re.fullmatch(r"-?\d{1,18}", text, re.ASCII):
            raise RecordError(
                "expected a whole number, not '{text}'",
                self.number,
                key="error.record.number",
                text=quoted(text),
            )
        return int(text)

    def _name(self, text: str) -> str:
        name = self._json(text)
        if not isinstance(name, str):
            raise RecordError(
                "expected a quoted text, not '{text}'",
                self.number,
                key="error.record.text",
                text=quoted(text),
            )
        return name

    def _json(self, text: str) -> object:
        try:
            return json.loads(text)
        except (ValueError, RecursionError) as error:
            raise self._unreadable(text) from error

    def _unreadable(self, text: str) -> RecordError:
        return RecordError(
            "cannot read '{text}'", self.number, key="error.record.unreadable", text=quoted(text)
        )


def _parse_row(text: str) -> Row:
    return tuple(parse_tile(tile) for tile in text.split())


def _parse_table(text: str) -> Table:
    return () if text == "empty" else tuple(_parse_row(row) for row in text.split(" / "))


def _parse_declared(text: str) -> tuple[Table, dict[Row, Declaration]]:
    """A table and the declarations of its rows."""
    table, *statements = text.split(" ; ")
    declared: dict[Row, Declaration] = {}
    for statement in statements:
        row, sign, names = statement.partition(" = ")
        if sign:
            declared[_parse_row(row)] = parse_declaration(names.split())
        else:
            kind, _, row = statement.partition(" ")
            declared[_parse_row(row)] = parse_declaration(kind)
    return _parse_table(table), declared


def _parse_draft(text: str | None) -> tuple[Table | None, dict[Row, Declaration]]:
    return (None, {}) if text is None else _parse_declared(text)
