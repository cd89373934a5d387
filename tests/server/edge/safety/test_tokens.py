"""Tokens, and the cookies that carry them."""

from hashlib import sha256

import pytest

from tests.server.edge.safety.asgi import raw
from tilerummy.server.edge.safety import (
    bearer,
    clear_cookie,
    cookie_name,
    new_token,
    read_cookie,
    same_token,
    set_cookie,
    token_hash,
)


def test_tokens_cannot_be_guessed() -> None:
    tokens = {new_token() for _ in range(1000)}
    assert len(tokens) == 1000
    assert {len(token) for token in tokens} == {43}  # 32 bytes


def test_the_store_keeps_a_hash() -> None:
    token = new_token()
    assert token_hash(token) == sha256(token.encode()).digest()
    assert same_token(token, token_hash(token))
    assert not same_token(new_token(), token_hash(token))
    assert not same_token(token, token.encode())
    assert not same_token(token, b"")


def test_programs_show_their_token_in_a_header() -> None:
    token = new_token()
    assert bearer(raw([("authorization", f"Bearer {token}")])) == token
    assert bearer(raw([("authorization", f"bearer  {token} ")])) == token


@pytest.mark.parametrize("line", ["", "Bearer", "Bearer ", "Bearer x", "Basic " + "a" * 43])
def test_what_is_not_a_token(line: str) -> None:
    assert bearer(raw([("authorization", line)])) is None
    assert bearer(raw([("authorization", f"Bearer {new_token()}")] * 2)) is None
    assert bearer([]) is None


def test_a_cookie_behind_tls() -> None:
    assert set_cookie("guest", "abc", secure=True) == (
        "__Host-guest=abc; Path=/; Max-Age=31536000; HttpOnly; SameSite=Lax; Secure"
    )


def test_a_cookie_without_tls() -> None:
    assert set_cookie("guest", "abc", secure=False, max_age=60, same_site="Strict") == (
        "guest=abc; Path=/; Max-Age=60; HttpOnly; SameSite=Strict"
    )


def test_a_cookie_is_forgotten() -> None:
    assert clear_cookie("guest", secure=True).startswith("__Host-guest=; Path=/; Max-Age=0;")


@pytest.mark.parametrize(
    ("name", "value"), [("guest", "a;b"), ("gu est", "a"), ("guest", "a\r\nb")]
)
def test_a_cookie_has_no_odd_letters(name: str, value: str) -> None:
    with pytest.raises(ValueError, match="letters, digits"):
        set_cookie(name, value, secure=True)


@pytest.mark.parametrize("secure", [True, False])
def test_a_cookie_comes_back(secure: bool) -> None:
    name = cookie_name("guest", secure=secure)
    lines = raw([("cookie", f"a=b; {name}=abc; other"), ("cookie", "x=y")])
    assert read_cookie(lines, "guest", secure=secure) == "abc"
    assert read_cookie(raw([("cookie", "a=b")]), "guest", secure=secure) is None
    assert read_cookie([], "guest", secure=secure) is None


def test_behind_tls_a_cookie_without_the_prefix_is_not_ours() -> None:
    assert read_cookie(raw([("cookie", "guest=abc")]), "guest", secure=True) is None


def test_two_different_cookies_of_one_name_are_none() -> None:
    assert read_cookie(raw([("cookie", "guest=abc; guest=def")]), "guest", secure=False) is None
