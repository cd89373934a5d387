"""The send queue of a client that does not read."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from tilerummy.server.edge import outbox
from tilerummy.server.edge.outbox import MOST_BYTES, MOST_WAITING, Outbox
from tilerummy.server.limits.byte_budget import ByteBudget
from tilerummy.server.protocol.closing import Closing

pytestmark = pytest.mark.anyio


class SlowSocket:
    """Reads nothing until it is released."""

    def __init__(self) -> None:
        self.released = asyncio.Event()
        self.sent: list[str] = []
        self.closed: int | None = None

    async def send_text(self, text: str) -> None:
        await self.released.wait()
        self.sent.append(text)

    async def close(self, code: int) -> None:
        self.closed = code


def outbox_of(budget: ByteBudget) -> tuple[Outbox, Any]:
    socket: Any = SlowSocket()
    return Outbox(socket, budget, lambda: None), socket


async def test_a_slow_client_is_bounded_in_bytes() -> None:
    budget = ByteBudget(1 << 30)
    box, _ = outbox_of(budget)
    for _ in range(MOST_BYTES // 10_000):
        box.put(b"x" * 10_000)
    assert not box.is_closing()
    assert 0 < budget.used <= MOST_BYTES
    box.put(b"x" * 10_000)
    assert box.is_closing()
    assert budget.used == 0, "a closed connection holds nothing"


async def test_a_slow_client_is_bounded_in_messages() -> None:
    box, _ = outbox_of(ByteBudget(1 << 30))
    for _ in range(MOST_WAITING):
        box.put(b"x")
    assert not box.is_closing()
    box.put(b"x")
    assert box.is_closing()


async def test_one_message_may_be_larger_than_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outbox, "MOST_BYTES", 10)
    box, _ = outbox_of(ByteBudget(1 << 30))
    box.put(b"x" * 11)
    assert not box.is_closing()


async def test_of_waiting_snapshots_only_the_newest_is_sent() -> None:
    budget = ByteBudget(1 << 30)
    box, socket = outbox_of(budget)
    sending = asyncio.create_task(box.run())
    box.put(b"first")
    await asyncio.sleep(0)  # it is being sent
    for number in range(5000):
        box.put(b"snapshot %d" % number, replaceable=True)
        if number == 4000:
            box.put(b"answer")
    assert not box.is_closing()
    assert budget.used < 100
    socket.released.set()
    box.close(Closing.NORMAL)
    await sending
    assert socket.sent == ["first", "answer", "snapshot 4999"]
    assert budget.used == 0


async def test_all_clients_of_a_node_share_a_budget() -> None:
    budget = ByteBudget(100)
    one, _ = outbox_of(budget)
    two, _ = outbox_of(budget)
    one.put(b"x" * 90)
    two.put(b"x" * 20)
    assert not one.is_closing()
    assert two.is_closing()
    one.clear()
    assert budget.used == 0


async def test_what_comes_after_the_end_is_not_kept() -> None:
    """A task of the connection may answer after it is gone; nobody would give the bytes back."""
    budget = ByteBudget(100)
    box, _ = outbox_of(budget)
    box.put(b"x" * 50)
    box.end()
    box.put(b"x" * 50)
    assert budget.used == 0
