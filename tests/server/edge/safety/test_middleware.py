"""Security headers for browsers, and limits on request size."""

import pytest

from tests.server.edge.safety.asgi import Echo, ask
from tilerummy.server.edge.safety import BodyLimit, SafeHeaders

pytestmark = pytest.mark.anyio
HOST = ("host", "game.example:8000")


async def test_every_answer_has_the_headers() -> None:
    headers = (await ask(SafeHeaders(Echo()), headers=[HOST])).headers
    policy = [part.strip() for part in headers.pop("content-security-policy").split(";")]
    assert policy == [
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "font-src 'self'",
        "img-src 'self' data:",
        "manifest-src 'self'",
        "connect-src 'self' ws://game.example:8000",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    ]
    assert headers.pop("permissions-policy").startswith("camera=(), geolocation=(),")
    assert headers == {
        "x-content-type-options": "nosniff",
        "referrer-policy": "no-referrer",
        "cross-origin-opener-policy": "same-origin",
        "cross-origin-resource-policy": "same-origin",
        "x-frame-options": "DENY",
    }


async def test_behind_tls_browsers_stay_there() -> None:
    headers = (await ask(SafeHeaders(Echo(), tls=True), headers=[HOST])).headers
    assert headers["strict-transport-security"] == "max-age=31536000"
    assert "wss://game.example:8000" in headers["content-security-policy"]


async def test_the_policy_names_the_public_url_and_not_the_host_of_the_client() -> None:
    app = SafeHeaders(Echo(), tls=True, public_url="https://game.example")
    headers = (await ask(app, headers=[("host", "evil.example")])).headers
    assert "connect-src 'self' wss://game.example;" in headers["content-security-policy"]


@pytest.mark.parametrize("host", ["", "a; script-src *", "a b", "a\r\nx: y", "*", "[::1", "a'b"])
async def test_a_strange_host_gets_nowhere(host: str) -> None:
    headers = (await ask(SafeHeaders(Echo()), headers=[("host", host)])).headers
    assert "connect-src 'self';" in headers["content-security-policy"]


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1:80", "[::1]:8000", "xn--a.example"])
async def test_usual_hosts(host: str) -> None:
    headers = (await ask(SafeHeaders(Echo()), headers=[("host", host)])).headers
    assert f"connect-src 'self' ws://{host};" in headers["content-security-policy"]


async def test_what_the_application_sets_itself_stays() -> None:
    app = SafeHeaders(Echo([("Referrer-Policy", "same-origin")]))
    answer = await ask(app)
    names = [name.lower() for name, _ in answer.sent[0]["headers"]]
    assert names.count(b"referrer-policy") == 1
    assert answer.headers["Referrer-Policy"] == "same-origin"


async def test_sockets_pass_both() -> None:
    app = SafeHeaders(BodyLimit(Echo()))
    assert (await ask(app, "websocket")).types == ["websocket.accept"]


# Bodies


async def test_a_body_arrives_whole() -> None:
    answer = await ask(BodyLimit(Echo(), largest=10), parts=[b"abc", b"", b"defg", b"hij"])
    assert (answer.status, answer.body) == (200, b"abcdefghij")


async def test_a_body_that_says_it_is_too_large_is_not_read() -> None:
    app = Echo()
    for length in ("11", "9" * 5000, "-1", "x"):
        answer = await ask(BodyLimit(app, largest=10), headers=[("content-length", length)])
        assert answer.status == 413
        assert answer.error == {
            "type": "error",
            "code": "too-large",
            "message": "a request may have up to 10 bytes",
        }
        assert answer.headers["connection"] == "close"
    assert not app.called


async def test_a_body_that_turns_out_too_large_is_refused_too() -> None:
    app = Echo()
    answer = await ask(
        BodyLimit(app, largest=10), headers=[("content-length", "5")], parts=[b"abcdef"] * 1000
    )
    assert answer.status == 413
    assert not app.called


async def test_a_client_that_goes_gets_no_answer() -> None:
    app = Echo()
    assert (await ask(BodyLimit(app), parts=None)).sent == []
    assert not app.called
