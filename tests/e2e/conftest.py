"""Fixtures of the end-to-end tests: a server with the page, and browsers. A browser error fails the
test, and a failed test leaves screenshots and traces."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.e2e.visitors import DESKTOP, PATIENCE, PHONE, Visitors, launch
from tests.server.harness import ServerProcess, sqlite_url
from tools import page as tools_page

VISITORS = pytest.StashKey[Visitors]()


# Not for the session: Playwright keeps an event loop running, and no second one can start.
@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    expect.set_options(timeout=PATIENCE)
    with sync_playwright() as playwright, launch(playwright) as browser:
        yield browser


@pytest.fixture(scope="session")
def built_page() -> None:
    """Builds the page from the current sources."""
    tools_page.build()


@pytest.fixture(scope="session")
def seed_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The seed of the deal."""
    return tmp_path_factory.mktemp("seed") / "seed"


@pytest.fixture(scope="package")
def one_server(
    built_page: None, seed_file: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[ServerProcess]:
    settings = {
        "TILERUMMY_PACE_SEEDS": "60s",  # the deal waits for the seed of every player
        "TILERUMMY_PACE_REVEAL": "60s",
        "TILERUMMY_PACE_LOOK": "60s",
        "TILERUMMY_PACE_BOT": "40ms",
        "TILERUMMY_PACE_PROOF": "60s",
        "TILERUMMY_PACE_SHOW": "60s",
    }
    store = sqlite_url(tmp_path_factory.mktemp("store"))
    with ServerProcess(store, settings=settings, seed=f"@{seed_file}") as server:
        yield server


@pytest.fixture
def server(
    one_server: ServerProcess, seed_file: Path, request: pytest.FixtureRequest
) -> ServerProcess:
    """`tilerummy serve`; it can be killed and started again. The name of the test decides which
    tiles it deals."""
    seed_file.write_text(request.node.name)
    if not one_server.is_running:
        one_server.start()
    return one_server


@pytest.fixture
def film(request: pytest.FixtureRequest) -> Path | None:
    """The folder for films and screenshots, if one is given."""
    folder: Path | None = request.config.getoption("--film")
    return folder


@pytest.fixture
def visitors(
    browser: Browser,
    server: ServerProcess,
    tmp_path: Path,
    film: Path | None,
    request: pytest.FixtureRequest,
) -> Iterator[Visitors]:
    """`visitors.come("/join", PHONE, locale="zh-TW")` is a new visitor with a browser."""
    visitors = Visitors(browser, server.url, tmp_path, film)
    request.node.stash[VISITORS] = visitors
    yield visitors
    try:
        assert visitors.unexpected() == [], "what the browsers complained about"
    finally:
        visitors.leave()


@pytest.fixture
def desktop(visitors: Visitors) -> Page:
    """The start page on a large screen."""
    return visitors.come("/", DESKTOP)


@pytest.fixture
def phone(visitors: Visitors) -> Page:
    """The start page on a phone."""
    return visitors.come("/", PHONE)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    visitors = item.stash.get(VISITORS, None)
    if visitors is not None and call.when == "call" and (report.failed or visitors.unexpected()):
        kept = "\n".join(map(str, visitors.keep_evidence()))
        report.sections.append(("what the browsers showed", kept))
    return report
