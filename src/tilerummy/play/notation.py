"""The readable text of a record, one event a line.

    Tile Rummy record, schema 3
    edition classic
    option joker.reuse = "any"
    player 1 "Ann"
    player 2 "Ben"
    rounds 1
    holds 1 games, 57 events

    game 1, starter by draw
      commitment 9f86d0…
      secret 2c26b4…
      @0 commit 1 5e884898…
      @0 fixed own dealer
      @0 reveal 1 c0ffee…
      @0 drawn 1 r9.1, 2 J.1, 2 k3.2; seat 1 begins
      @0 rack 1 r1.1 b7.2 …
      @0 pool …
      @4200 1 plays r7.1 b7.1 k7.1 = r7.1 b7.1 k7.1 / o1.1 o2.1 o3.1
      @9000 2 draws k9.2
      @9900 1 passes
      @9900 ends out, winner 1, scores 24 -24

    end of record

`fixed` says where the seed of each seat comes from. A cancelled deal has the line `@9 cancelled,
withheld by 1 2`, with the dealer's next `commitment` and `secret` under it. Games of shuffle
version 1 say so in their first line and have `@0 seed 1 "a seed"` instead.

What is declared follows its table: ` ; run r8.1 J.1 J.2`, or ` ; r8.1 J.1 J.2 = r8 b8 k8` for named
jokers. Seats count from 1 here, as at a table. Everything a line holds is needed to load the record
again.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

from tilerummy.play.events import (
    RULES_VERSION,
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
from tilerummy.play.notation_parser import END, TITLE, Parser
from tilerummy.play.record import SCHEMA, Record, RecordError, from_jsonl, lines_of
from tilerummy.play.shuffle import SHUFFLE_VERSION
from tilerummy.rules.declarations import declaration_text
from tilerummy.rules.rows import Kind
from tilerummy.rules.tiles import Row, Table, tile_text


def to_text(record: Record) -> str:
    """A record as text for people. `load` reads it back."""
    return "\n".join(_lines(record)) + "\n"


def from_text(text: str) -> Record:
    """The record of a text. Raises RecordError that names the line."""
    return Parser(lines_of(text)).record()


def load(text: str) -> Record:
    """The record in a text that `to_text` or `to_jsonl` wrote.

    Raises RecordError, with the line if it is known.
    """
    start = text.lstrip("\ufeff \t\r\n")
    if start.startswith("{"):
        return from_jsonl(start)
    if start.startswith(TITLE.strip()):
        return from_text(start)
    raise RecordError(
        "this is not a record: it begins neither with '{title}' nor with a JSON object",
        key="error.record.unknown",
        title=TITLE.strip(),
    )


# Writing


def _lines(record: Record) -> Iterator[str]:
    yield f"{TITLE}{SCHEMA}"
    yield f"edition {record.edition}"
    for key, value in record.options.items():
        yield f"option {key} = {json.dumps(value)}"
    for seat, name in enumerate(record.players, 1):
        yield f"player {seat} {_quote(name)}"
    yield f"rounds {record.rounds}"
    yield f"holds {len(record.games)} games, {sum(map(len, record.games))} events"
    for game in record.games:
        yield ""
        for event in game:
            yield from event_lines(event)
    yield ""
    yield END


def event_lines(event: Event) -> Iterator[str]:
    """An event as the text format writes it."""
    at = f"  @{event.at}"
    match event:
        case Created():
            how = "by draw" if event.starter is None else f"seat {event.starter + 1}"
            version = event.rules_version
            rules = "" if version == RULES_VERSION else f", rules version {version}"
            version = event.shuffle_version
            rules += "" if version == SHUFFLE_VERSION else f", shuffle version {version}"
            yield f"game {event.game}, starter {how}{rules}, @{event.at}"
            yield f"  commitment {event.commitment}"
            yield f"  secret {event.secret}"
        case Seeded():
            yield f"{at} seed {event.seat + 1} {_quote(event.seed)}"
        case Committed():
            yield f"{at} commit {event.seat + 1} {event.commitment}"
        case Fixed():
            yield f"{at} fixed {' '.join(event.sources)}"
        case Revealed():
            yield f"{at} reveal {event.seat + 1} {event.seed}"
        case Cancelled():
            seats = " ".join(str(seat + 1) for seat in event.withheld)
            yield f"{at} cancelled, withheld by {seats}"
            yield f"  commitment {event.commitment}"
            yield f"  secret {event.secret}"
        case StarterDrawn():
            draws = ", ".join(f"{seat + 1} {tile_text(tile)}" for seat, tile in event.draws)
            yield f"{at} drawn {draws}; seat {event.starter + 1} begins"
        case Dealt():
            yield f"{at} deal{_unproven(event)}, seat {event.starter + 1} begins"
            for seat, rack in enumerate(event.racks, 1):
                yield f"    rack {seat} {_row(rack)}"
            yield f"    pool {_row(event.pool)}".rstrip()
        case Played():
            clock = " by clock" if event.by_clock else ""
            yield (
                f"{at} {event.seat + 1} plays{clock}{_unproven(event)} {_row(event.tiles)}"
                f" = {_table(event.table)}{_declared(event)}"
            )
        case Drew():
            tiles = _row(event.tiles) or "nothing"
            yield f"{at} {event.seat + 1} draws{_unproven(event)} {tiles}{_why(event)}"
        case Passed():
            yield f"{at} {event.seat + 1} passes{_unproven(event)}{_why(event)}"
        case Ended():
            how = event.end or ("blocked" if event.blocked else "out")
            winners = " ".join(str(seat + 1) for seat in event.winners) or "none"
            yield f"{at} ends {how}, winner {winners}, scores {' '.join(map(str, event.scores))}"


def _quote(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _row(row: Row) -> str:
    return " ".join(tile_text(tile) for tile in row)


def _table(table: Table) -> str:
    return " / ".join(_row(row) for row in table) or "empty"


def _declared(event: Played | Drew | Passed) -> str:
    """` ; run r8.1 J.1 J.2` for a kind, ` ; r8.1 J.1 J.2 = r8 b8 k8` for named jokers."""
    return "".join(
        f" ; {said} {_row(row)}"
        if isinstance(said, Kind)
        else f" ; {_row(row)} = {declaration_text(said)}"
        for row, said in event.declared.items()
    )


def _unproven(event: Dealt | Played | Drew | Passed) -> str:
    return " unproven" if event.unproven else ""


def _why(event: Drew | Passed) -> str:
    words = "" if event.why == "choice" else f" ({event.why})"
    if event.draft is None:
        return words
    return f"{words} draft {_table(event.draft)}{_declared(event)}"
