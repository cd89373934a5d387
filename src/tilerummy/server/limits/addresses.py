"""Where a request comes from, and who counts as one visitor."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import NamedTuple, TypeAlias

Address: TypeAlias = IPv4Address | IPv6Address
Network: TypeAlias = IPv4Network | IPv6Network
Headers: TypeAlias = Iterable[tuple[bytes, bytes]]
"""As ASGI has them: names in small letters."""

UNKNOWN = "unknown"
"""The address of whoever has none."""
HOME = 64
"""Bits of an IPv6 address that one household has to itself."""


class Proxies(NamedTuple):
    """Whose word on the address of a client is taken."""

    networks: tuple[Network, ...] = ()
    socket: bool = False
    """Whether to trust whoever comes through a socket of the file system, which has no address."""

    @classmethod
    def parse(cls, words: Iterable[str]) -> Proxies:
        """Out of addresses, networks and the word `unix`. Raises ValueError."""
        words = tuple(words)
        networks = tuple(ip_network(word) for word in words if word != "unix")
        return cls(networks, "unix" in words)

    def trust(self, address: Address | None) -> bool:
        if address is None:
            return self.socket
        return any(address in network for network in self.networks)


def client_address(peer: str | None, headers: Headers, proxies: Proxies) -> str:
    """The address of the client: the nearest one in the chain that is no trusted proxy.

    What a client writes into `X-Forwarded-For` by itself comes before what the proxies add, and is
    never reached.
    """
    address = _parsed(peer) if peer else None
    if peer and address is None:
        return peer[:64]  # the name that a test client gives itself
    chain = _forwarded(headers)
    while chain and proxies.trust(address):
        nearer = _parsed(chain.pop())
        if nearer is None:
            break
        address = nearer
    return str(address) if address else UNKNOWN


@lru_cache(maxsize=4096)
def visitor(address: str) -> str:
    """What an address is counted as: itself, or the network of a household with IPv6."""
    parsed = _parsed(address)
    if isinstance(parsed, IPv6Address):
        return str(ip_network((parsed, HOME), strict=False))
    return str(parsed or address)


def _forwarded(headers: Headers) -> list[str]:
    lines = [value.decode("latin-1") for name, value in headers if name == b"x-forwarded-for"]
    return [word.strip() for word in ",".join(lines).split(",")] if lines else []


def _parsed(text: str) -> Address | None:
    """An address that may have a port behind it, or brackets around it."""
    if text.startswith("["):
        text = text[1:].partition("]")[0]
    elif text.count(":") == 1:
        text = text.partition(":")[0]
    try:
        address = ip_address(text.partition("%")[0])
    except ValueError:
        return None
    mapped = address.ipv4_mapped if isinstance(address, IPv6Address) else None
    return mapped or address
