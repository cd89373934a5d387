"""Events as plain data: there and back, strictly, and upgraded from older schemas."""

from __future__ import annotations

import dataclasses
import json
import random
from typing import Any

import pytest
from hypothesis import given, settings

from tests.copies import by_id
from tests.play.wild import wild_game
from tests.rules.strategies import random_edition, randoms
from tilerummy.play import event_json, events
from tilerummy.play.event_json import EventError, from_dict, to_dict
from tilerummy.play.events import (
    TYPES,
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
from tilerummy.rules.rows import Kind
from tilerummy.rules.tiles import Tile

SAMPLES: list[Event] = [
    Created(1, "twist", {"jokers": "J2", "joker.max_per_set": None}, ("A", "B"), 1, "s", "c", 1),
    Created(1, "classic", {}, ("A", '"\n\u2028🀄'), 1, "s", "c"),
    Created(1, "classic", {}, ("A", "B"), 1, "s", "c", shuffle_version=1),
    Seeded(2, 0, "种子"),
    Committed(2, 0, "ab"),
    Fixed(2, ("own", "dealer", "default")),
    Revealed(2, 0, "cd"),
    Cancelled(2, (0, 1), "s", "c"),
    StarterDrawn(3, ((0, Tile(52)), (0, Tile(3)), (1, Tile(60))), 1),
    Dealt(4, (by_id(0, 1), by_id(2, 3)), by_id(4, 5), 0),
    Played(
        5,
        0,
        by_id(0, 1),
        (by_id(0, 1, 2), by_id(52, 3, 4)),
        {by_id(52, 3, 4): Kind.RUN},
        by_clock=True,
    ),
    Drew(6, 1, by_id(7)),
    Drew(6, 1, by_id(7, 8, 9), "penalty", (by_id(0, 1), ()), {by_id(0, 1): Kind.GROUP}),
    Passed(7, 0),
    Passed(7, 0, "illegal", (by_id(0),)),
    Ended(8, True, (0, 1), (3, 3, -6)),
    Ended(8, True, (), (0, 0)),
]


@pytest.mark.parametrize("event", SAMPLES, ids=lambda event: event.type)
def test_an_event_comes_back_from_its_data(event: Event) -> None:
    data = json.loads(json.dumps(to_dict(event)))
    assert data["schema"] == events.SCHEMA
    assert from_dict(data) == event
    assert type(from_dict(data)) is type(event)


@settings(max_examples=5)
@given(randoms)
def test_the_events_of_a_game_come_back_from_their_data(rng: random.Random) -> None:
    wild = wild_game(rng, random_edition(rng))
    for step in wild.steps():
        for event in step.events:
            assert from_dict(json.loads(json.dumps(to_dict(event)))) == event


def test_samples_cover_every_type_of_event() -> None:
    assert {event.type for event in SAMPLES} == set(TYPES)


FIELDS = [(event, item.name) for event in SAMPLES for item in dataclasses.fields(event)]
NULLABLE = {("created", "starter"), ("drew", "draft"), ("passed", "draft"), ("ended", "end")}
WRONG: list[object] = [
    3.5, True, "x", [], {}, [1], ["x"], [["x"]], [[1, 2]], {"a": 1}, [None], [["r1.1", 3]],
    [[0, "r1.1", 2]], [{}], -1.0, "r1.1", ["r1"], ["r1.0"], None, 10**30,
]  # fmt: skip


@pytest.mark.parametrize(("event", "name"), FIELDS, ids=lambda item: str(item)[:20])
def test_a_field_of_a_wrong_type_is_refused_or_means_something_else(
    event: Event, name: str
) -> None:
    """No value may slip through as something that is written down differently."""
    for wrong in WRONG:
        data = json.loads(json.dumps(to_dict(event))) | {name: wrong}
        try:
            read = from_dict(data)
        except EventError:
            continue
        assert json.loads(json.dumps(to_dict(read)))[name] == wrong
        assert wrong is not None or (event.type, name) in NULLABLE


@pytest.mark.parametrize(("event", "name"), FIELDS, ids=lambda item: str(item)[:20])
def test_a_missing_field_is_refused_unless_it_has_a_default(event: Event, name: str) -> None:
    data = to_dict(event)
    del data[name]
    (item,) = (item for item in dataclasses.fields(event) if item.name == name)
    if item.default is item.default_factory is dataclasses.MISSING:
        with pytest.raises(EventError, match=f"needs '{name}'"):
            from_dict(data)
    else:
        assert from_dict(data).type == event.type


def test_an_unknown_field_is_refused() -> None:
    with pytest.raises(EventError, match="a passed event has no 'colour'"):
        from_dict({**to_dict(Passed(1, 0)), "colour": 1})


@pytest.mark.parametrize("name", ["", "PLAYED", "unknown", None, 3, [], {}])
def test_an_unknown_type_is_refused_with_those_there_are(name: object) -> None:
    with pytest.raises(EventError, match="there are created, seeded"):
        from_dict({**to_dict(Passed(1, 0)), "type": name})


@pytest.mark.parametrize("schema", [None, 0, -1, "1", 1.0, True, []])
def test_an_event_without_a_schema_is_refused(schema: object) -> None:
    with pytest.raises(EventError, match="carries its schema"):
        from_dict({**to_dict(Passed(1, 0)), "schema": schema})
    data = to_dict(Passed(1, 0))
    del data["schema"]
    with pytest.raises(EventError, match="carries its schema"):
        from_dict(data)


def test_an_event_of_a_later_schema_asks_for_an_update() -> None:
    with pytest.raises(EventError, match="update tilerummy"):
        from_dict({**to_dict(Passed(1, 0)), "schema": events.SCHEMA + 1})


@pytest.mark.parametrize("data", [None, 3, "x", [], [("type", "passed")]])
def test_what_is_not_an_object_is_not_an_event(data: object) -> None:
    with pytest.raises(EventError, match="an event is an object"):
        from_dict(data)


def test_reading_leaves_the_data_as_it_was() -> None:
    data = to_dict(SAMPLES[5])
    before = json.dumps(data)
    from_dict(data)
    assert json.dumps(data) == before


def test_older_schemas_are_upgraded_step_by_step(monkeypatch: pytest.MonkeyPatch) -> None:
    def name_the_reason(data: dict[str, Any]) -> dict[str, Any]:
        return {**data, "why": "clock"} if data["type"] == "passed" else data

    def count_in_milliseconds(data: dict[str, Any]) -> dict[str, Any]:
        return {**data, "at": data["at"] * 1000}

    old = {"schema": 1, "type": "passed", "at": 7, "seat": 1}
    monkeypatch.setattr(event_json, "SCHEMA", 3)
    monkeypatch.setattr(event_json, "UPGRADES", {1: name_the_reason, 2: count_in_milliseconds})
    assert from_dict(old) == Passed(7000, 1, "clock")
    assert from_dict({**old, "schema": 2}) == Passed(7000, 1, "choice")
    assert from_dict({**old, "schema": 3}) == Passed(7, 1, "choice")
    assert to_dict(Passed(7, 1))["schema"] == 3
    with pytest.raises(EventError, match="reads up to 3"):
        from_dict({**old, "schema": 4})
