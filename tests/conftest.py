"""Fixtures and options for all tests.

Hypothesis profiles: `quick` by default, `soak` for `make soak`. `tests/slow.py` lists the tests
that are marked `slow` and that `make quick` skips, and those that start first.

Real services start when the first test asks for one. Every worker has its own PostgreSQL, and
every test a new database in it. Redis starts fast enough for one per test.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import pytest
from hypothesis import settings
from hypothesis.internal.conjecture import providers

from tests.services import Postgres, Redis
from tests.slow import FIRST, SLOW

# A shell that starts tests in the background makes them and their children ignore SIGINT.
signal.signal(signal.SIGINT, signal.default_int_handler)

# No deadline: how long one example takes says more about the machine than about the code.
# The quick examples are deterministic, so that no build fails by chance; the long run looks for
# new ones.
settings.register_profile("quick", deadline=None, print_blob=True, derandomize=True)
settings.register_profile("soak", deadline=None, print_blob=True, max_examples=20_000)
settings.load_profile("quick")
# Hypothesis also tries numbers and texts that it finds in our modules, in those that are imported
# by then: the examples of a test would depend on the tests before it.
providers._get_local_constants = lambda: providers._local_constants


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--film",
        metavar="FOLDER",
        type=Path,
        help="play slowly in the browsers of tests/e2e, and keep there what they show, picture by "
        "picture",
    )


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Files that are skipped as a whole are not even imported."""
    if "not slow" not in config.getoption("-m"):
        return None
    name = collection_path.relative_to(config.rootpath).as_posix()
    is_slow = (name + "/" if collection_path.is_dir() else name).startswith(SLOW)
    return True if is_slow else None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.nodeid.startswith(SLOW):
            item.add_marker("slow")
    items[:] = long_first(items, int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1")))


def long_first(items: list[pytest.Item], workers: int) -> list[pytest.Item]:
    """The tests in an order in which the shares of the first workers begin with long tests.

    `--dist worksteal` cuts the list into equal shares. A worker that has done its own takes over
    the end of another one.
    """
    long: list[dict[pytest.Item, None]] = [
        {item: None for name in names for item in items if item.nodeid.startswith(name)}
        for names in FIRST
    ]
    others = iter([item for item in items if not any(item in share for share in long)])
    ordered: list[pytest.Item] = []
    for share in long:
        ordered += [*share, *islice(others, max(0, len(items) // workers - len(share)))]
    return [*ordered, *others]


@pytest.fixture(scope="session")
def postgres_of_worker() -> Iterator[Postgres]:
    with Postgres() as postgres:
        yield postgres


@pytest.fixture
def postgres(postgres_of_worker: Postgres) -> Iterator[Postgres]:
    """The server behind `postgres_url`, to stop, kill and start; it runs again after the test."""
    yield postgres_of_worker
    postgres_of_worker.start()


@pytest.fixture
def postgres_url(postgres: Postgres) -> Iterator[str]:
    """An empty database for this test."""
    url = postgres.database()
    yield url
    postgres.start()
    postgres.drop(url)


@pytest.fixture
def redis() -> Iterator[Redis]:
    """The server behind `redis_url`, to stop, kill and start."""
    with Redis() as server:
        yield server


@pytest.fixture
def redis_url(redis: Redis) -> str:
    return redis.url


@pytest.fixture
def anyio_backend() -> str:
    """The event loop of the tests marked `anyio`."""
    return "asyncio"
