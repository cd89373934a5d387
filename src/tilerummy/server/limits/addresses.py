"""Client addresses: trusted proxies, `X-Forwarded-For`, and which addresses count as one client."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import NamedTuple, TypeAlias

Address: TypeAlias = IPv4Address | IPv6Address
Network: TypeAlias = IPv4Network | IPv6Network
Headers: TypeAlias = Iterable[tuple[bytes, bytes]]
"""As in ASGI: names in lower case."""

UNKNOWN = "unknown"
"""Stands for a client without an address."""
HOME = 64
"""Prefix length of the IPv6 network of one household."""


class Proxies(NamedTuple):
    """The proxies whose `X-Forwarded-For` is trusted."""

    networks: tuple[Network, ...] = ()
    socket: bool = False
    """Whether to trust peers on a Unix domain socket, which have no address."""

    @classmethod
    def parse(cls, words: Iterable[str]) -> Proxies:
        """From addresses, networks and the word `unix`. Raises ValueError."""
        words = tuple(words)
        networks = tuple(ip_network(word) for word in words if word != "unix")
        return cls(networks, "unix" in words)

    def trust(self, address: Address | None) -> bool:
        if address is None:
            return self.socket
        return any(address in network for network in self.networks)


def client_address(peer: str | None, headers: Headers, proxies: Proxies) -> str:
    """The address of the client: the nearest one in the chain that is not a trusted proxy.

    Entries that a client forges come before those that the proxies append, and are never reached.
    """
    address = parse_address(peer) if peer else None
    if peer and address is None:
        return peer[:64]  # a test client's own name
    chain = _forwarded(headers)
    while chain and proxies.trust(address):
        nearer = parse_address(chain.pop())
        if nearer is None:
            break
        address = nearer
    return str(address) if address else UNKNOWN


@lru_cache(maxsize=4096)
def visitor(address: str) -> str:
    """The key under which an address is limited: itself, or its `/64` network for IPv6."""
    parsed = parse_address(address)
    if isinstance(parsed, IPv6Address):
        return str(ip_network((parsed, HOME), strict=False))
    return str(parsed or address)


def _forwarded(headers: Headers) -> list[str]:
    lines = [value.decode("latin-1") for name, value in headers if name == b"x-forwarded-for"]
    return [word.strip() for word in ",".join(lines).split(",")] if lines else []


def parse_address(text: str) -> Address | None:
    """Parse an address with an optional port or brackets; None if it is not an address."""
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
