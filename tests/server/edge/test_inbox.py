"""The inbox of a connection: in order, one consumer, and a consumer that is cancelled."""

from __future__ import annotations

import asyncio

import pytest

from tilerummy.server.edge.inbox import Inbox


@pytest.mark.anyio
async def test_events_come_in_order() -> None:
    inbox = Inbox(asyncio.get_running_loop())
    first = asyncio.ensure_future(inbox.get())
    await asyncio.sleep(0)
    for number in range(3):
        inbox.put_nowait(number)
    assert inbox.qsize() == 3
    assert [await first, await inbox.get(), await inbox.get()] == [0, 1, 2]
    assert inbox.empty()


@pytest.mark.anyio
async def test_a_cancelled_reader_loses_nothing() -> None:
    inbox = Inbox(asyncio.get_running_loop())
    reader = asyncio.ensure_future(inbox.get())
    await asyncio.sleep(0)
    reader.cancel()
    inbox.put_nowait("event")
    with pytest.raises(asyncio.CancelledError):
        await reader
    assert await inbox.get() == "event"
