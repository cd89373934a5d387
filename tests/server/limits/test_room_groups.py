"""Rooms whose players all come from one address share capacity."""

from __future__ import annotations

from tilerummy.server.limits.room_groups import RoomGroups


def test_rooms_of_one_address_are_a_group() -> None:
    groups = RoomGroups()
    for room in ("a", "b"):
        groups.enter(room, "192.0.2.1")
    assert groups.group("a") == groups.group("b") == "192.0.2.1"
    groups.enter("b", "192.0.2.2")
    assert groups.group("b") == "b", "it belongs to nobody alone"
    groups.enter("b", "192.0.2.2")
    groups.leave("b", "192.0.2.2")
    assert groups.group("b") == "b", "one of two tabs was closed"
    groups.leave("b", "192.0.2.2")
    assert groups.group("b") == "192.0.2.1"


def test_rooms_that_everybody_has_left_are_a_group_too() -> None:
    groups = RoomGroups()
    groups.enter("a", "192.0.2.1")
    groups.leave("a", "192.0.2.1")
    assert groups.group("a") == groups.group("b") == ""
    assert RoomGroups(shared=True).group("a") == "a", "its players may be on another node"
