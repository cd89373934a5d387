"""The stored form of drafts: a seat's unfinished table."""

from __future__ import annotations

import msgspec

from tilerummy.rules.declarations import Declaration, Declared, from_plain
from tilerummy.rules.tiles import Row, Table
from tilerummy.server.protocol.tiles import declared_out, row_in, table_in, table_out


def encode(table: Table, declared: Declared) -> bytes:
    return msgspec.json.encode((table_out(table), declared_out(declared)))


def decode(data: bytes) -> tuple[Table, dict[Row, Declaration]]:
    """Also reads drafts of older versions, in which only the kind of a set could be declared."""
    table, declared = msgspec.json.decode(data, type=tuple[list[list[str]], list[object]])
    return table_in(table), from_plain(declared, lambda row: row_in([str(tile) for tile in row]))
