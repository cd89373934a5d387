"""Group commit: requests that wait at the same time share one transaction."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Hashable
from typing import Generic, TypeVar

from tilerummy.server.store.errors import StoreError, Unavailable

Item = TypeVar("Item")
Answer = TypeVar("Answer")

LARGEST = 500


class _Waiting(Generic[Item, Answer]):
    __slots__ = ("answer", "item")

    def __init__(self, item: Item, answer: asyncio.Future[Answer]) -> None:
        self.item = item
        self.answer = answer


class Group(Generic[Item, Answer]):
    """Writes items in batches, one batch at a time; while one is written, the next one fills.

    `write` returns the answers to a batch in order, or raises StoreError and writes none of it.
    With a `key`, a batch has at most one item per key: later ones wait for the next batch.
    """

    def __init__(
        self,
        write: Callable[[list[Item]], Awaitable[list[Answer]]],
        key: Callable[[Item], Hashable] | None = None,
        largest: int = LARGEST,
    ) -> None:
        self._write = write
        self._key = key
        self._largest = largest
        self._queue: list[_Waiting[Item, Answer]] = []
        self._task: asyncio.Task[None] | None = None
        self.items = 0
        """Items written so far."""
        self.batches = 0
        """Batches written so far."""

    def add(self, item: Item) -> asyncio.Future[Answer]:
        """The answer once the item is written. It raises StoreError."""
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[Answer] = loop.create_future()
        self._queue.append(_Waiting(item, answer))
        if self._task is None:
            self._task = loop.create_task(self._run())
        return answer

    async def drain(self) -> None:
        """Wait until the queue is empty."""
        while self._task is not None:
            await asyncio.wait([self._task])

    async def _run(self) -> None:
        try:
            while batch := self._take():
                await self._hand_over(batch)
        finally:
            self._task = None
            for waiting in self._queue:  # not empty only if this task was cancelled
                waiting.answer.cancel()

    def _take(self) -> list[_Waiting[Item, Answer]]:
        """The next batch, first in first out: each key once, without cancelled requests."""
        batch: dict[Hashable, _Waiting[Item, Answer]] = {}
        later: list[_Waiting[Item, Answer]] = []
        for waiting in self._queue:
            if waiting.answer.done():
                continue
            key = len(batch) if self._key is None else self._key(waiting.item)
            if key in batch or len(batch) == self._largest:
                later.append(waiting)
            else:
                batch[key] = waiting
        self._queue = later
        return list(batch.values())

    async def _hand_over(self, batch: list[_Waiting[Item, Answer]]) -> None:
        self.items += len(batch)
        self.batches += 1
        try:
            answers = await self._write([waiting.item for waiting in batch])
        except Exception as error:
            if isinstance(error, Unavailable) or len(batch) == 1:
                _fail(batch, error)
                return
            # One item is at fault. Write each alone, so that only that one fails.
            for waiting in batch:
                await self._hand_over([waiting])
        except BaseException:
            for waiting in batch:
                waiting.answer.cancel()
            raise
        else:
            for waiting, answer in zip(batch, answers, strict=True):
                if not waiting.answer.done():
                    waiting.answer.set_result(answer)


def _fail(batch: list[_Waiting[Item, Answer]], error: Exception) -> None:
    for waiting in batch:
        if not waiting.answer.done():
            # Tasks must not share one exception instance.
            own = (
                type(error)(str(error)) if isinstance(error, StoreError) else StoreError(str(error))
            )
            own.__cause__ = error
            waiting.answer.set_exception(own)
