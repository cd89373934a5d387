"""What all tests share.

How hard property tests try: `quick` by default, `soak` for `make soak`. Which tests are marked
`slow`, and so left out of `make quick`: `tests/slow.py`.

Real services, started when the first test asks for one: every worker has a PostgreSQL of its own
and every test a new database in it; Redis starts so fast that every test has its own.
"""

from __future__ import annotations

import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings
from hypothesis.internal.conjecture import providers

from tests.services import Postgres, Redis
from tests.slow import SLOW

# A shell that starts tests in the background has SIGINT ignored, and so would all that they start.
signal.signal(signal.SIGINT, signal.default_int_handler)

# No deadline: how long one example takes says more about the machine than about the code.
# The quick examples are always the same, so that a build never fails by the luck of the draw; the
# long run looks for new ones.
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
    """What is left out as a whole is not even imported."""
    if "not slow" not in config.getoption("-m"):
        return None
    name = collection_path.relative_to(config.rootpath).as_posix()
    is_slow = (name + "/" if collection_path.is_dir() else name).startswith(SLOW)
    return True if is_slow else None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.nodeid.startswith(SLOW):
            item.add_marker("slow")


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
    """An empty database of its own."""
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
    """What runs the tests marked `anyio`."""
    return "asyncio"
