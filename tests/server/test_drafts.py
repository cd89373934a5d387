"""Stored drafts, those of older versions included."""

from __future__ import annotations

import json

from tilerummy.rules.declarations import Declaration, parse_declaration
from tilerummy.rules.rows import Kind
from tilerummy.rules.tiles import Row
from tilerummy.server.protocol import drafts
from tilerummy.server.protocol.tiles import row_in, table_in

TABLE = [["r8.1", "J.1", "J.2"], ["b1.1", "C.1", "k3.1"]]


def test_a_draft_comes_back() -> None:
    table = table_in(TABLE)
    declared: dict[Row, Declaration] = {
        table[0]: parse_declaration(["r8", "b8", "k8"]),
        table[1]: parse_declaration(["b1", "C2", "k3"]),
    }
    assert drafts.decode(drafts.encode(table, declared)) == (table, declared)
    kinds: dict[Row, Declaration] = {table[0]: Kind.GROUP}
    assert drafts.decode(drafts.encode(table, kinds)) == (table, kinds)


def test_a_draft_of_an_older_version_is_read() -> None:
    data = json.dumps([TABLE, [[TABLE[0], "run"]]]).encode()
    assert drafts.decode(data) == (table_in(TABLE), {row_in(TABLE[0]): Kind.RUN})
