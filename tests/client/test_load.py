"""The players who put a server under load."""

from __future__ import annotations

import random

import msgspec
import pytest

from tilerummy.client.load import SEATS, Load, LoadRoom
from tilerummy.server.protocol import outgoing as out


def test_nobody_goes_on_before_all_know_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    gone_on: list[int] = []
    monkeypatch.setattr(LoadRoom, "_go_on", lambda room: gone_on.append(1))
    room = LoadRoom(Load(["http://127.0.0.1:1"], 1), "ABCDEF", random.Random(1))
    readers = [room._reader(seat) for seat in range(SEATS)]
    messages = [
        msgspec.json.encode(out.Events(version, [out.Said(at=0, seat=0, text="hello")]))
        for version in (1, 2)
    ]
    *early, late = readers
    for read in early:
        for message in messages:
            read(message)
    late(messages[0])
    assert not gone_on, "the last seat is one behind the others"
    late(messages[1])
    assert gone_on == [1]
