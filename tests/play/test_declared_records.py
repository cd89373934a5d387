"""What is declared comes back from every format, and from the older ones."""

from __future__ import annotations

import pytest

from tilerummy.play.event_json import from_dict, to_dict
from tilerummy.play.events import Passed, Played
from tilerummy.play.notation import event_lines
from tilerummy.play.notation_parser import _parse_declared
from tilerummy.rules.declarations import Declaration, parse_declaration
from tilerummy.rules.rows import Kind
from tilerummy.rules.tiles import Row, parse_tile

ROW = tuple(map(parse_tile, ["r8.1", "J.1", "J.2"]))
OTHER = tuple(map(parse_tile, ["r5.1", "C.1", "J.1"]))
SAID: tuple[dict[Row, Declaration], ...] = (
    {},
    {ROW: Kind.RUN},
    {ROW: parse_declaration(["r8", "b8", "k8"])},
    {ROW: Kind.GROUP, OTHER: parse_declaration(["r5", "C6", "k7"])},
    {ROW: parse_declaration(["r8", "J", "k8"])},
)


@pytest.mark.parametrize("declared", SAID, ids=range(len(SAID)))
def test_events_and_text_keep_what_is_declared(declared: dict[Row, Declaration]) -> None:
    played = Played(1, 0, ROW, (ROW, OTHER), declared)
    assert from_dict(to_dict(played)) == played
    passed = Passed(1, 0, "penalty", (ROW,), declared)
    assert from_dict(to_dict(passed)) == passed
    (line,) = event_lines(played)
    table = line.split(" = ", 1)[1]
    assert _parse_declared(table) == ((ROW, OTHER), declared)


def test_an_event_of_the_first_schema_is_read() -> None:
    data = to_dict(Played(1, 0, ROW, (ROW,)))
    data |= {"schema": 1, "declared": [[["r8.1", "J.1", "J.2"], "group"]]}
    event = from_dict(data)
    assert isinstance(event, Played)
    assert event.declared == {ROW: Kind.GROUP}
