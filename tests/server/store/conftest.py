"""Every test of the store runs on a SQLite file and on a PostgreSQL."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tilerummy.server.store import Store


@pytest.fixture
def sqlite_url(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path}/store.db"


@pytest.fixture(params=["sqlite_url", "postgres_url"])
def url(request: pytest.FixtureRequest) -> str:
    address: str = request.getfixturevalue(request.param)
    return address


@pytest.fixture
async def store(url: str) -> AsyncIterator[Store]:
    store = await Store.connect(url)
    yield store
    await store.close()
