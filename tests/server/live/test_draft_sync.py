"""Two tabs of one seat on two nodes, with a PostgreSQL and a Redis between them."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest

from tests.server.live_server import PATIENCE, Line, LiveServer
from tests.services import Redis
from tilerummy.rules.tiles import tile_text
from tilerummy.server.live.bus import SeatRef
from tilerummy.server.live.redis_bus import RedisBus

OPTIONS = {"timer.seconds": 0}


class Pair:
    """Ann has a tab on each of two nodes, Bo one on the second; it is Ann's turn."""

    def __init__(self, nodes: list[LiveServer], stack: ExitStack) -> None:
        self.nodes = nodes
        self._stack = stack
        one, two = nodes
        self.token = one.guest("Ann")
        self.other = one.guest("Bo")
        self.code = one.open(self.token, seats=2, options=OPTIONS)
        one.sit(self.code, self.other)
        self.tab, self.far = self.line(one, self.token), self.line(two, self.token)
        self.bo = self.line(two, self.other)
        assert self.tab.ask("begin")["type"] == "events"
        for line in self.lines:
            while line.known.phase != "playing":
                line.receive()
        if self.bo.known.my_turn:
            self.bo.ask("draw", turn=self.bo.known.turn)
            for line in self.lines:
                while line.known.current != 0:
                    line.receive()

    @property
    def lines(self) -> tuple[Line, Line, Line]:
        return self.tab, self.far, self.bo

    def line(self, node: LiveServer, token: str) -> Line:
        return self._stack.enter_context(Line(node, self.code, token, hello={}))

    def drafts(self, number: int) -> dict[str, object]:
        tiles = [tile_text(tile) for tile in self.tab.known.rack[: number + 1]]
        draft = {"turn": self.tab.known.turn, "table": [tiles]}
        self.tab.send({"type": "draft", **draft})
        self.tab.settle()
        return draft


@pytest.fixture
def pair(postgres_url: str, redis: Redis) -> Iterator[Pair]:
    with ExitStack() as stack:
        settings = {"TILERUMMY_BUS": redis.url}
        nodes = [stack.enter_context(LiveServer(postgres_url, settings)) for _ in range(2)]
        until(lambda: all(node.node.bus.health.up for node in nodes))
        yield Pair(nodes, stack)


def until(true: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE
    while not true():
        assert time.monotonic() < end
        time.sleep(0.01)


def test_a_draft_shows_in_the_tab_on_the_other_node_and_to_nobody_else(
    pair: Pair, monkeypatch: pytest.MonkeyPatch
) -> None:
    overheard = [overhear(node, monkeypatch) for node in pair.nodes]
    for number in range(3):
        draft = pair.drafts(number)
        assert pair.far.receive() == {"type": "draft", "draft": draft}
    assert pair.bo.settle() == []
    assert pair.tab.settle() == []
    draft = {"turn": pair.tab.known.turn, "table": []}
    pair.far.send({"type": "draft", **draft})
    assert pair.tab.receive() == {"type": "draft", "draft": draft}, "and the other way round"
    said = b"".join([data for heard in overheard for data in heard])
    assert pair.nodes[0].room(pair.code).id.encode() in said
    for tile in pair.tab.known.rack:
        assert tile_text(tile).encode() not in said, "what is in it stays in the store"


def overhear(node: LiveServer, monkeypatch: pytest.MonkeyPatch) -> list[bytes]:
    """What comes to a node over the bus."""
    bus = node.node.bus
    assert isinstance(bus, RedisBus)
    heard: list[bytes] = []
    receive = bus._receive

    def both(data: bytes) -> None:
        heard.append(data)
        receive(data)

    monkeypatch.setattr(bus, "_receive", both)
    return heard


def test_a_draft_whose_message_was_lost_shows_after_a_reload(pair: Pair, redis: Redis) -> None:
    redis.kill()
    until(lambda: not any(node.node.bus.health.up for node in pair.nodes))
    draft = pair.drafts(0)
    assert pair.line(pair.nodes[1], pair.token).receive()["room"]["draft"] == draft
    redis.start()
    until(lambda: all(node.node.bus.health.up for node in pair.nodes))
    draft = pair.drafts(1)
    assert pair.far.receive() == {"type": "draft", "draft": draft}, "the first that comes"


def test_a_draft_that_arrives_before_its_turn_brings_the_turn_along(
    pair: Pair, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The node has missed that it is Ann's turn again."""

    async def none(_: object) -> dict[str, int]:
        return {}

    two = pair.nodes[1].node
    two.keeper._catch_up._unsubscribe()
    monkeypatch.setattr(two.store, "versions", none)
    bo = pair.line(pair.nodes[0], pair.other)
    assert pair.tab.ask("draw", turn=pair.tab.known.turn)["type"] == "events"
    bo.settle()
    assert bo.ask("draw", turn=bo.known.turn)["type"] == "events"
    pair.tab.settle()
    assert pair.tab.known.my_turn
    draft = pair.drafts(0)
    pair.far.until(lambda message: message.get("draft") == draft)
    assert pair.far.known.turn == pair.tab.known.turn


def test_only_nodes_with_a_tab_of_the_seat_ask_the_store(
    pair: Pair, monkeypatch: pytest.MonkeyPatch
) -> None:
    two = pair.nodes[1].node
    heard = overhear(pair.nodes[1], monkeypatch)
    asked: list[str] = []
    all_heard = threading.Event()
    drafts = two.store.drafts

    async def counted(room: str) -> list[object]:
        asked.append(room)
        await asyncio.to_thread(all_heard.wait, PATIENCE)
        return list(await drafts(room))

    monkeypatch.setattr(two.store, "drafts", counted)
    pair.nodes[1].run(heed(two.draft_sync.on_drafts, SeatRef("elsewhere", 0)))
    pair.nodes[1].run(heed(two.draft_sync.on_drafts, SeatRef(pair.tab.known.room.room, 3)))  # type: ignore[union-attr]
    assert asked == []
    pair.drafts(0)
    until(lambda: len(asked) == 1)
    for number in range(1, 10):
        draft = pair.drafts(number)
    pair.nodes[0].run(pair.nodes[0].node.bus.publish("after all of them", 1))
    until(lambda: any(b"after all of them" in data for data in heard))
    all_heard.set()
    pair.far.until(lambda message: message.get("draft") == draft)
    until(lambda: not two.draft_sync._reading)
    assert len(asked) == 2, "those that come while one is read are read together"


async def heed(notify: Callable[[list[SeatRef]], None], place: SeatRef) -> None:
    notify([place])
