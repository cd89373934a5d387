"""Which pages may act in the name of their visitors."""

import pytest

from tests.server.edge.safety.asgi import Echo, ask, raw
from tilerummy.server.edge.safety import OriginCheck, Origins, new_token, origin_of

BEARER = ("authorization", f"Bearer {new_token()}")
HOST = ("host", "game.example")


@pytest.mark.parametrize(
    ("url", "origin"),
    [
        ("https://Game.Example:443/room/1?x#y", "https://game.example"),
        ("http://localhost:8000", "http://localhost:8000"),
        ("http://localhost:80/", "http://localhost"),
        ("https://[2001:DB8::1]:8443", "https://[2001:db8::1]:8443"),
    ],
)
def test_origins_are_compared_in_one_form(url: str, origin: str) -> None:
    assert origin_of(url) == origin


@pytest.mark.parametrize(
    "url",
    ["null", "", "game.example", "ftp://game.example", "https://", "http://a:b", "http://a@b"],
)
def test_what_is_not_an_origin(url: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        origin_of(url)


@pytest.mark.parametrize(
    ("origin", "host", "allowed"),
    [
        ("http://game.example", "game.example", True),
        ("https://game.example", "game.example", True),
        ("https://game.example", "Game.Example:443", True),
        ("http://game.example:8000", "game.example:8000", True),
        ("http://game.example:8000", "game.example", False),
        ("http://game.example:8000", "game.example:9000", False),
        ("http://evil.example", "game.example", False),
        ("http://game.example.evil.example", "game.example", False),
        ("http://sub.game.example", "game.example", False),
        ("null", "game.example", False),
        ("", "game.example", False),
        ("http://game.example", "", False),
        ("http://game.example", "evil.example@game.example", False),
    ],
)
def test_the_same_origin_by_the_host_of_the_request(origin: str, host: str, allowed: bool) -> None:
    assert Origins().allow(raw([("origin", origin), ("host", host)])) is allowed


def test_behind_tls_a_page_without_it_is_foreign() -> None:
    origins = Origins(tls=True)
    assert origins.allow(raw([("origin", "https://game.example"), HOST]))
    assert not origins.allow(raw([("origin", "http://game.example"), HOST]))


def test_where_the_server_is_known_the_request_is_not_asked() -> None:
    """A page of somebody else, under a name of theirs that leads here, is still theirs."""
    origins = Origins(own="https://game.example")
    lured = raw([("origin", "https://evil.example"), ("host", "evil.example")])
    assert not origins.allow(lured)
    assert Origins().allow(lured)
    assert origins.allow(raw([("origin", "https://game.example"), ("host", "127.0.0.1:8000")]))


def test_other_origins_by_the_settings() -> None:
    origins = Origins(others=frozenset(["https://club.example"]))
    assert origins.allow(raw([("origin", "https://club.example"), HOST]))
    assert origins.allow(raw([("origin", "https://game.example"), HOST]))
    assert not origins.allow(raw([("origin", "http://club.example"), HOST]))


def test_without_an_origin_only_with_a_token() -> None:
    assert Origins().allow(raw([HOST, BEARER]))
    assert not Origins().allow(raw([HOST]))
    assert not Origins().allow(raw([HOST, ("cookie", "guest=1")]))


def test_a_token_does_not_excuse_a_foreign_origin() -> None:
    assert not Origins().allow(raw([HOST, BEARER, ("origin", "https://evil.example")]))


def test_two_origins_or_two_hosts_are_none() -> None:
    ours = ("origin", "https://game.example")
    assert not Origins().allow(raw([ours, ours, HOST]))
    assert not Origins().allow(raw([ours, HOST, HOST]))


FOREIGN = [HOST, ("origin", "https://evil.example")]


@pytest.mark.anyio
@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE", "post", "ODD"])
async def test_a_foreign_page_changes_nothing(method: str) -> None:
    app = Echo()
    answer = await ask(OriginCheck(app, Origins()), method=method, headers=FOREIGN)
    assert answer.status == 403
    assert answer.error["type"] == "error"
    assert answer.error["code"] == "foreign-origin"
    assert not app.called


@pytest.mark.anyio
@pytest.mark.parametrize("method", ["GET", "HEAD", "OPTIONS"])
async def test_reading_is_free(method: str) -> None:
    assert (await ask(OriginCheck(Echo(), Origins()), method=method, headers=FOREIGN)).status == 200


@pytest.mark.anyio
async def test_a_socket_of_a_foreign_page_is_not_opened() -> None:
    app = OriginCheck(Echo(), Origins())
    assert (await ask(app, "websocket", headers=FOREIGN)).types == ["websocket.close"]
    assert (await ask(app, "websocket", headers=[HOST])).types == ["websocket.close"]
    ours = [HOST, ("origin", "http://game.example")]
    assert (await ask(app, "websocket", headers=ours)).types == ["websocket.accept"]


@pytest.mark.anyio
async def test_a_program_without_a_token_gets_one_where_that_is_free() -> None:
    app = OriginCheck(Echo(), Origins(), free=["/guests"])
    assert (await ask(app, path="/guests", headers=[HOST])).status == 200
    assert (await ask(app, path="/rooms", headers=[HOST])).status == 403
    assert (await ask(app, path="/guests", headers=FOREIGN)).status == 403


@pytest.mark.anyio
async def test_the_lifespan_of_the_server_passes() -> None:
    app = Echo()
    await ask(OriginCheck(app, Origins()), "lifespan")
    assert app.called
