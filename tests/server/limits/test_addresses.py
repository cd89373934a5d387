"""Whose word on an address is taken."""

import pytest

from tests.server.edge.safety.asgi import raw
from tilerummy.server.edge.safety import UNKNOWN, Proxies, client_address, visitor

ANONYMOUS = Proxies()
PROXIES = Proxies.parse(["10.0.0.0/8", "2001:db8::1"])
CLIENT = "192.0.2.7"


def address(peer: str | None, *forwarded: str, proxies: Proxies = PROXIES) -> str:
    return client_address(peer, raw([("x-forwarded-for", line) for line in forwarded]), proxies)


def test_nobody_is_believed_unless_the_settings_say_so() -> None:
    assert address("10.0.0.1", CLIENT, proxies=ANONYMOUS) == "10.0.0.1"


def test_a_client_cannot_give_itself_an_address() -> None:
    assert address(CLIENT, "198.51.100.1") == CLIENT


@pytest.mark.parametrize(
    ("forwarded", "expected"),
    [
        ((), "10.0.0.1"),
        (("192.0.2.7",), CLIENT),
        (("198.51.100.1, 192.0.2.7",), CLIENT),  # the first is what the client wrote
        (("198.51.100.1", "192.0.2.7, 10.9.9.9"), CLIENT),
        (("192.0.2.7:4321",), CLIENT),
        (("::ffff:192.0.2.7",), CLIENT),
        (("[2001:db8::7]:4321",), "2001:db8::7"),
        (("192.0.2.7, 2001:db8::1",), CLIENT),
        (("10.0.0.2, 10.0.0.3",), "10.0.0.2"),
        (("192.0.2.7, nonsense",), "10.0.0.1"),
        (("nonsense, 10.0.0.3",), "10.0.0.3"),
        (("",), "10.0.0.1"),
    ],
)
def test_the_nearest_address_that_is_not_our_proxy(
    forwarded: tuple[str, ...], expected: str
) -> None:
    assert address("10.0.0.1", *forwarded) == expected


def test_a_socket_of_the_file_system_has_no_address() -> None:
    assert address(None) == UNKNOWN
    assert address(None, CLIENT) == UNKNOWN
    assert address(None, CLIENT, proxies=Proxies.parse(["unix"])) == CLIENT


def test_a_peer_may_be_a_name() -> None:
    assert address("testclient", CLIENT) == "testclient"


@pytest.mark.parametrize("word", ["10.0.0.1/8", "example.org", ""])
def test_proxies_are_addresses_or_networks(word: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        Proxies.parse([word])


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("testclient", "testclient"),
    ],
)
def test_who_counts_as_one_visitor(given: str, expected: str) -> None:
    assert visitor(given) == expected
