"""The services that the tests of the server stand on: real, of their own, and gone afterwards."""

from __future__ import annotations

import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import asyncpg
import pytest
from redis import asyncio as aioredis
from redis.exceptions import ConnectionError as RedisConnectionError

from tests.services import Postgres, Redis, Service, ServiceError

PATIENCE = 30.0

pytestmark = pytest.mark.anyio

OWNER = """
import time
from tests.services import Postgres, Redis
for service in (Postgres(), Redis()):
    print(service.port, service.directory, flush=True)
time.sleep(600)
"""


def answers(port: int) -> bool:
    with socket.socket() as client:
        return client.connect_ex(("127.0.0.1", port)) == 0


async def tables(url: str) -> list[str]:
    connection = await asyncpg.connect(url)
    try:
        query = "select tablename from pg_tables where schemaname = 'public'"
        return [row["tablename"] for row in await connection.fetch(query)]
    finally:
        await connection.close()


async def execute(url: str, statement: str) -> None:
    connection = await asyncpg.connect(url)
    try:
        await connection.execute(statement)
    finally:
        await connection.close()


@pytest.mark.parametrize("_", range(2))
async def test_every_test_has_an_empty_database(postgres_url: str, _: int) -> None:
    assert await tables(postgres_url) == []
    await execute(postgres_url, "create table games (id integer)")
    assert await tables(postgres_url) == ["games"]


async def test_databases_are_apart(postgres: Postgres, postgres_url: str) -> None:
    other = postgres.database()
    await execute(other, "create table games (id integer)")
    assert await tables(postgres_url) == []
    postgres.drop(other)
    with pytest.raises(asyncpg.InvalidCatalogNameError):
        await asyncpg.connect(other)


@pytest.mark.parametrize("end", [Postgres.stop, Postgres.kill])
async def test_postgres_keeps_its_data(
    postgres: Postgres, postgres_url: str, end: Callable[[Service], None]
) -> None:
    await execute(postgres_url, "create table games (id integer)")
    end(postgres)
    with pytest.raises(ConnectionRefusedError):
        await asyncpg.connect(postgres_url)
    postgres.start()
    assert await tables(postgres_url) == ["games"]


async def test_postgres_writes_through(postgres_url: str) -> None:
    connection = await asyncpg.connect(postgres_url)
    assert await connection.fetchval("show fsync") == "on"
    await connection.close()


async def test_postgres_runs_again_after_a_test_that_left_it_stopped(
    postgres: Postgres, postgres_url: str
) -> None:
    postgres.stop()


@pytest.mark.parametrize("_", range(2))
async def test_every_test_has_an_empty_redis(redis_url: str, _: int) -> None:
    async with aioredis.from_url(redis_url) as client:
        assert await client.dbsize() == 0
        await client.set("key", "value")
        assert await client.get("key") == b"value"


async def test_redis_ends_and_starts_anew(redis: Redis) -> None:
    for end in (redis.stop, redis.kill):
        async with aioredis.from_url(redis.url) as client:
            await client.set("key", "value")
        end()
        async with aioredis.from_url(redis.url, retry=None) as client:
            with pytest.raises(RedisConnectionError):
                await client.ping()
        redis.start()
        async with aioredis.from_url(redis.url) as client:
            assert await client.dbsize() == 0


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL])
def test_nothing_is_left_when_the_owner_is_ended(how: signal.Signals) -> None:
    with subprocess.Popen([sys.executable, "-c", OWNER], stdout=subprocess.PIPE, text=True) as run:
        assert run.stdout
        lines = [run.stdout.readline().split() for _ in range(2)]
        run.send_signal(how)
    services = [(int(port), Path(directory)) for port, directory in lines]
    assert len(services) == 2
    deadline = time.monotonic() + PATIENCE
    while any(answers(port) or path.exists() for port, path in services):
        assert time.monotonic() < deadline, services
        time.sleep(0.05)


def test_service_that_is_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(ServiceError, match="run tools/services"):
        Redis.command(object.__new__(Redis))


def test_service_that_does_not_start_says_why(
    redis: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tests.services.free_port", lambda: redis.port)
    with pytest.raises(ServiceError, match="in use"):
        Redis()
