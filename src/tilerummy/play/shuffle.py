"""A verifiable shuffle: the order of the tiles from the dealer's secret and the seats' seeds.

`commit_reveal` is how the dealer and the seats agree on them, so that nobody can choose the order.
After the game the secret is revealed, and anyone can compute the same order again.

    block n  = HMAC-SHA256(secret, JSON ["tilerummy-shuffle-2", transcript, seeds, label, n])
    numbers  = 32-bit words of the blocks, big-endian; a word that would favour some numbers is
               skipped (rejection sampling)
    shuffle  = Fisher–Yates from the last place to the second

In version 1, that of schemas 1 and 2, seats sent their seeds without committing to them first, and
the number of the game stood in place of the transcript. A dealer who played could choose a seed
last and so choose the deal.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count

from tilerummy.rules.editions import Edition
from tilerummy.rules.errors import TileRummyError
from tilerummy.rules.tiles import FACE_OF, IS_JOKER, NUMBER, Tile, sorted_tiles

SHUFFLE_VERSION = 2
"""The version of the shuffle of a new game."""
DEFAULT_SEED = "-"
"""The public seed of a seat that gave none."""
LONGEST_SEED = 64
SECRET_BYTES = 32
_WORDS = struct.Struct(">8I")
"""A digest as 32-bit words."""


class SeedError(TileRummyError):
    """A secret or seed that is not of the agreed form."""

    code = "bad-seed"


def commitment(secret: str) -> str:
    """The SHA-256 of the secret, published before any seat commits. Raises SeedError."""
    return hashlib.sha256(secret_bytes(secret)).hexdigest()


def secret_bytes(secret: str) -> bytes:
    """The bytes of a secret. Raises SeedError unless it is 64 lower-case hexadecimal digits."""
    try:
        data = bytes.fromhex(secret)
    except ValueError:
        data = b""
    if len(data) != SECRET_BYTES or secret != data.hex():
        raise SeedError(
            "a secret is {digits} lower-case hexadecimal digits",
            key="error.seed.secret",
            digits=2 * SECRET_BYTES,
        )
    return data


def check_seed(seed: str) -> str:
    """A seed of version 1 itself. Raises SeedError unless it is short and printable."""
    if not 1 <= len(seed) <= LONGEST_SEED or not seed.isprintable():
        raise SeedError(
            "a seed is 1 to {most} printable characters", key="error.seed.seed", most=LONGEST_SEED
        )
    return seed


@dataclass(frozen=True, slots=True)
class Fairness:
    """The inputs of the shuffle: the order of the tiles depends on nothing else."""

    secret: str
    deal: int | str
    """The transcript of the deal; in version 1 the number of the game."""
    seeds: tuple[str, ...]
    version: int = SHUFFLE_VERSION

    def numbers(self, label: str) -> Numbers:
        """The random numbers for one purpose."""
        return Numbers(self._words(label))

    def _words(self, label: str) -> Iterator[int]:
        key = secret_bytes(self.secret)
        protocol = f"tilerummy-shuffle-{self.version}"
        base = json.dumps([protocol, self.deal, list(self.seeds), label], separators=(",", ":"))
        for block in count():
            text = f"{base[:-1]},{block}]"  # the list with one more item
            yield from _WORDS.unpack(hmac.digest(key, text.encode("ascii"), "sha256"))

    def shuffled(self, tiles: Sequence[Tile], label: str) -> list[Tile]:
        """The tiles in the order of a Fisher–Yates shuffle."""
        numbers, order = self.numbers(label), list(tiles)
        for last in range(len(order) - 1, 0, -1):
            other = numbers.below(last + 1)
            order[last], order[other] = order[other], order[last]
        return order


class Numbers:
    """Uniform whole numbers from a stream of 32-bit words."""

    def __init__(self, words: Iterator[int]) -> None:
        self._words = words

    def below(self, limit: int) -> int:
        """A number from 0 to `limit - 1`, without modulo bias."""
        fair = 2**32 - 2**32 % limit
        for word in self._words:
            if word < fair:
                return word % limit
        raise AssertionError("the stream has no end")


Draw = tuple[int, Tile]
"""A seat and the tile it drew."""


@dataclass(frozen=True, slots=True)
class StarterDraw:
    """The draw for the first turn: every tile in the order drawn, jokers and redraws included."""

    draws: tuple[Draw, ...]
    starter: int
    kept: tuple[Tile | None, ...]
    """For each seat the tile it keeps, if the edition says so."""


def draw_for_start(
    edition: Edition, tiles: Sequence[Tile], players: int, fair: Fairness
) -> StarterDraw:
    """Each seat draws a tile; the highest number begins.

    A joker goes back and its seat draws again. On a tie only the tied seats draw again, after the
    tiles went back; with `starter.keep_tile` each seat keeps the first number it drew.
    """
    numbers = fair.numbers("start")
    draws: list[Draw] = []
    first: dict[int, Tile] = {}
    table = list(sorted_tiles(tiles))
    contenders = list(range(players))
    while True:
        drawn: dict[int, Tile] = {}
        for seat in contenders:
            while True:
                tile = table[numbers.below(len(table))]
                draws.append((seat, tile))
                if not IS_JOKER[FACE_OF[tile]]:
                    break
            drawn[seat] = tile
            table.remove(tile)
        for seat, tile in drawn.items():
            kept = edition.starter_keep_tile and seat not in first
            first.setdefault(seat, tile)
            if not kept:
                table.append(tile)
        table = list(sorted_tiles(table))
        highest = max(NUMBER[FACE_OF[tile]] for tile in drawn.values())
        contenders = [seat for seat, tile in drawn.items() if NUMBER[FACE_OF[tile]] == highest]
        if len(contenders) == 1:
            break
    keeps = tuple(first[seat] if edition.starter_keep_tile else None for seat in range(players))
    return StarterDraw(tuple(draws), contenders[0], keeps)


@dataclass(frozen=True, slots=True)
class Deal:
    """The racks, and the pool behind them."""

    racks: tuple[tuple[Tile, ...], ...]
    pool: tuple[Tile, ...]
    """In the order of the shuffle; tiles are drawn from its end."""


def deal(
    edition: Edition, tiles: Sequence[Tile], kept: Sequence[Tile | None], fair: Fairness
) -> Deal:
    """Shuffle and deal; with `tournament.redeal_doubles` until no hand has that many pairs."""
    held = {tile for tile in kept if tile is not None}
    rest = [tile for tile in tiles if tile not in held]
    attempt = 0
    while True:
        pool = fair.shuffled(rest, f"deal:{attempt}")
        racks = []
        for own in kept:
            hand = [] if own is None else [own]
            while len(hand) < edition.hand_size:
                hand.append(pool.pop())
            racks.append(sorted_tiles(hand))
        limit = edition.tournament_redeal_doubles
        if limit == 0 or attempt == MOST_REDEALS or all(_pairs(hand) < limit for hand in racks):
            return Deal(tuple(racks), tuple(pool))
        attempt += 1


MOST_REDEALS = 999
"""With some options every hand holds pairs: then the game starts with the last deal."""


def _pairs(hand: Sequence[Tile]) -> int:
    faces = [FACE_OF[tile] for tile in hand]
    return sum(faces.count(face) // 2 for face in set(faces))
