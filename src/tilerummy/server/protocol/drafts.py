"""Drafts as they are stored: a seat's unfinished table."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from tilerummy.rules.rows import Kind
from tilerummy.rules.tiles import Row, Table
from tilerummy.server.protocol.tiles import declared_out, row_in, table_in, table_out


def encode(table: Table, declared: Mapping[Row, Kind]) -> bytes:
    return msgspec.json.encode((table_out(table), declared_out(declared)))


def decode(data: bytes) -> tuple[Table, dict[Row, Kind]]:
    table, declared = msgspec.json.decode(
        data, type=tuple[list[list[str]], list[tuple[list[str], Kind]]]
    )
    return table_in(table), {row_in(row): kind for row, kind in declared}
