"""Commit–reveal: how the dealer and the seats agree on a shuffle that nobody can choose.

The dealer commits to a secret, then every seat commits to a seed. All commitments are fixed before
any seed is revealed, so nobody knows another seed while their own can still be changed, not even a
dealer who also plays. A seat that commits and does not reveal cancels the deal, by name, and all
commit again with a new secret of the dealer. A seat that does so too often, or does not commit,
plays with a public seed. `docs/fairness.md` explains the threat model and its limits.

    transcript   SHA-256 of everything that is public before the seats commit: the number of the
                 game, the dealer's commitment, and every cancelled deal of this game
    commitment   SHA-256 of the transcript, the seat and its seed: it fits no other seat and no
                 other deal, and it vouches for the cancelled deals before it

Every hash is over the JSON text of a list, without spaces.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import re
from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

from tilerummy.play.shuffle import DEFAULT_SEED, SeedError, secret_bytes

SeedSource: TypeAlias = Literal["own", "dealer", "default"]
"""Where the seed of a seat comes from: its own device; the dealer's secret, for bots and for seats
that share the dealer's device; or nowhere, so that the public default seed is used."""
SOURCES: tuple[SeedSource, ...] = get_args(SeedSource)

MOST_WITHHELD = 2
"""How many deals of a game a seat can cancel. After that it plays with the default seed."""
_COMMITMENT = re.compile(r"[0-9a-f]{64}", re.ASCII)
_SEED = re.compile(r"[0-9a-f]{32,64}", re.ASCII)


@dataclass(frozen=True, slots=True)
class CancelledDeal:
    """A deal that was not dealt, because some seats did not reveal their seeds."""

    secret: str
    commitment: str
    transcript: str
    commitments: tuple[str | None, ...]
    sources: tuple[SeedSource, ...]
    seeds: tuple[str | None, ...]

    @property
    def withheld(self) -> tuple[int, ...]:
        """The seats that did not reveal their seeds."""
        return missing_seats(self.sources, self.seeds)


def missing_seats(
    sources: tuple[SeedSource, ...], seeds: tuple[str | None, ...]
) -> tuple[int, ...]:
    """The seats that have committed to a seed and not revealed it."""
    return tuple(
        [seat for seat, source in enumerate(sources) if source == "own" and seeds[seat] is None]
    )


def check_commitment(commitment: str) -> str:
    """The commitment itself. Raises SeedError unless it is 64 lower-case hexadecimal digits."""
    if not _COMMITMENT.fullmatch(commitment):
        raise SeedError(
            "a commitment is 64 lower-case hexadecimal digits", key="error.seed.commitment"
        )
    return commitment


def check_own_seed(seed: str) -> str:
    """The seed itself. Raises SeedError unless it is 32 to 64 lower-case hexadecimal digits."""
    if not _SEED.fullmatch(seed):
        raise SeedError("a seed is 32 to 64 lower-case hexadecimal digits", key="error.seed.own")
    return seed


def first_transcript(game: int, commitment: str) -> str:
    """The transcript of the first deal of a game, from the dealer's commitment."""
    return _hash("tilerummy-deal-2", game, commitment)


def next_transcript(
    before: str,
    commitments: tuple[str | None, ...],
    seeds: tuple[str | None, ...],
    commitment: str,
) -> str:
    """The transcript of the deal after a cancelled one, from the dealer's new commitment."""
    return _hash("tilerummy-deal-2", before, list(commitments), list(seeds), commitment)


def seat_commitment(transcript: str, seat: int, seed: str) -> str:
    """What a seat sends before it reveals the seed. Raises SeedError for a bad seed."""
    return _hash("tilerummy-commit-2", transcript, seat, check_own_seed(seed))


def dealer_seed(secret: str, transcript: str, seat: int) -> str:
    """The seed of a bot, or of a seat that shares the dealer's device."""
    text = _json("tilerummy-seed-2", transcript, seat)
    return hmac.digest(secret_bytes(secret), text, "sha256").hex()


def all_seeds(
    secret: str, transcript: str, sources: tuple[SeedSource, ...], seeds: tuple[str | None, ...]
) -> tuple[str, ...]:
    """The seeds that the shuffle takes, once every seat with its own has revealed it."""
    return tuple(
        [
            dealer_seed(secret, transcript, seat)
            if source == "dealer"
            else seeds[seat] or DEFAULT_SEED
            for seat, source in enumerate(sources)
        ]
    )


def _hash(*items: object) -> str:
    return hashlib.sha256(_json(*items)).hexdigest()


def _json(*items: object) -> bytes:
    return json.dumps(items, separators=(",", ":")).encode("ascii")
