"""The shuffle: fixed by secret and seeds, fair, and checkable by anybody."""

from __future__ import annotations

import hashlib
import hmac
from collections import Counter
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.rules.examples import positions
from tilerummy.play import shuffle
from tilerummy.play.shuffle import Fairness, Numbers, SeedError
from tilerummy.rules.editions import CLASSIC, EDITIONS, SABRA, TWIST, Edition, edition
from tilerummy.rules.tiles import (
    ALL_TILES,
    FACE_OF,
    JOKER,
    NUMBER,
    Row,
    Tile,
    parse_tile,
    tile_text,
)

SECRET = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"
FAIR = Fairness(SECRET, 1, ("-", "种子"), 1)
TILES = CLASSIC.box().tiles()

KNOWN_ORDER = ["b3.2", "o2.2", "k7.1", "k8.1", "b9.1", "o6.2", "b8.2", "r8.1"]
KNOWN_RACK = [
    "r3.2",
    "r9.1",
    "r12.2",
    "b6.1",
    "b7.1",
    "b9.2",
    "b10.1",
    "b10.2",
    "b12.1",
    "k1.1",
    "k10.2",
    "k11.1",
    "k13.1",
    "o12.1",
]
KNOWN_NEXT = "r7.1"


def fair(number: int, *seeds: str) -> Fairness:
    return Fairness(hashlib.sha256(str(number).encode()).hexdigest(), 1, seeds or ("-", "-"))


# Commitment


def test_the_commitment_is_the_hash_of_the_secret() -> None:
    assert shuffle.commitment(SECRET) == hashlib.sha256(bytes(range(32))).hexdigest()
    assert shuffle.commitment(SECRET) == (
        "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd"
    )


@pytest.mark.parametrize(
    "secret", ["", "00", SECRET.upper(), SECRET[:-2], SECRET + "00", "zz" * 32, " " + SECRET]
)
def test_a_secret_is_64_small_hexadecimal_digits(secret: str) -> None:
    with pytest.raises(SeedError, match="64 lower-case hexadecimal digits"):
        shuffle.commitment(secret)


@pytest.mark.parametrize("seed", ["", "x" * 65, "a\nb", "\x00", "\u2028", "\ud800"])
def test_a_seed_is_short_and_printable(seed: str) -> None:
    with pytest.raises(SeedError, match="1 to 64 printable"):
        shuffle.check_seed(seed)


@pytest.mark.parametrize("seed", ["-", "x" * 64, "种子", "🎲 = / ;", '"'])
def test_a_seed_may_be_in_any_script(seed: str) -> None:
    assert shuffle.check_seed(seed) == seed


# Known answers


def test_the_stream_is_hmac_sha256_over_the_documented_text() -> None:
    key = bytes(range(32))
    text = b'["tilerummy-shuffle-1",1,["-","\\u79cd\\u5b50"],"deal:0",0]'
    block = hmac.new(key, text, "sha256").digest()
    words = [int.from_bytes(block[n : n + 4], "big") for n in range(0, 32, 4)]
    numbers = FAIR.numbers("deal:0")
    assert [numbers.below(2**32) for _ in range(8)] == words
    second = hmac.new(key, text.replace(b",0]", b",1]"), "sha256").digest()
    assert numbers.below(2**32) == int.from_bytes(second[:4], "big")


def test_a_known_shuffle() -> None:
    order = [tile_text(tile) for tile in FAIR.shuffled(TILES, "deal:0")]
    assert sorted(order) == sorted(map(tile_text, TILES))
    assert order[:8] == KNOWN_ORDER


def test_a_known_deal() -> None:
    dealt = shuffle.deal(CLASSIC, TILES, (None, None), FAIR)
    assert [tile_text(tile) for tile in dealt.racks[0]] == KNOWN_RACK
    assert dealt.pool[-1] == parse_tile(KNOWN_NEXT)


def test_everything_the_order_depends_on_changes_it() -> None:
    orders = {
        tuple(one.shuffled(TILES, label))
        for one in (
            FAIR,
            Fairness(SECRET, 1, FAIR.seeds),
            Fairness(SECRET, 2, FAIR.seeds, 1),
            Fairness(SECRET[::-1], 1, FAIR.seeds, 1),
            Fairness(SECRET, 1, ("-", "x"), 1),
            Fairness(SECRET, 1, ("种子", "-"), 1),
            Fairness(SECRET, 1, ("-",), 1),
            Fairness(SECRET, 1, ('-","种子',), 1),
        )
        for label in ("deal:0", "deal:1")
    }
    assert len(orders) == 16


# Fairness


def test_numbers_below_a_limit_skip_the_words_that_would_favour_some() -> None:
    def words() -> Iterator[int]:
        yield from (2**32 - 1, 2**32 - 2, 5)

    assert 2**32 % 6 == 4
    assert Numbers(words()).below(6) == 5


@given(st.integers(1, 2**32), st.lists(st.integers(0, 2**32 - 1), min_size=1))
def test_numbers_are_below_their_limit(limit: int, words: list[int]) -> None:
    numbers = Numbers(iter([*words, 0]))
    assert 0 <= numbers.below(limit) < limit


def test_every_tile_comes_to_every_place_equally_often() -> None:
    """Chi-square over 20 tiles and places; the seed is fixed, so it never fails by chance."""
    size, rounds = 20, 2000
    counts: Counter[tuple[int, int]] = Counter()
    for number in range(rounds):
        for place, item in enumerate(fair(number).shuffled(ALL_TILES[:size], "deal:0")):
            counts[place, item] += 1
    expected = rounds / size
    cells = [counts[place, item] for place in range(size) for item in range(size)]
    chi_square = sum((cell - expected) ** 2 / expected for cell in cells)
    freedom = (size - 1) ** 2
    assert abs(chi_square - freedom) < 4 * (2 * freedom) ** 0.5


# The draw for the first turn


@pytest.mark.parametrize("rules", EDITIONS.values(), ids=EDITIONS.keys())
@pytest.mark.parametrize("players", [2, 4])
def test_the_highest_number_begins(rules: Edition, players: int) -> None:
    tiles = rules.box(players).tiles()
    jokers = ties = 0
    for number in range(150):
        drawn = shuffle.draw_for_start(rules, tiles, players, fair(number))
        last: dict[int, Tile] = {}
        contenders = list(range(players))
        queue = list(drawn.draws)
        while True:
            round_: dict[int, Tile] = {}
            for seat in contenders:
                drawer, tile = queue.pop(0)
                while FACE_OF[tile] >= JOKER:  # P74: a joker goes back, the same seat draws again
                    assert drawer == seat
                    jokers += 1
                    drawer, tile = queue.pop(0)
                assert drawer == seat
                round_[seat] = tile
            assert len(set(round_.values())) == len(contenders)
            for seat, tile in round_.items():
                last.setdefault(seat, tile)
            top = max(NUMBER[FACE_OF[tile]] for tile in round_.values())
            contenders = [s for s, tile in round_.items() if NUMBER[FACE_OF[tile]] == top]
            if len(contenders) == 1:
                break
            ties += 1  # P75: only the tied seats draw again
        assert not queue
        assert drawn.starter == contenders[0]
        kept = tuple(last[seat] for seat in range(players))
        assert drawn.kept == (kept if rules.starter_keep_tile else (None,) * players)
    assert jokers
    assert ties


def draws_by_hand(rules: Edition, players: int, number: int) -> list[tuple[int, str]]:
    """The draw as the notation document tells it, with nothing of ours but the text of tiles."""
    names = [f"{colour}{n}.{copy}" for colour in "rbko" for n in range(1, 14) for copy in (1, 2)]
    names += [f"{joker}.{copy}" for joker, count in zip("JDCM", rules.jokers, strict=True)
              for copy in range(1, count + 1)]  # fmt: skip
    key = hashlib.sha256(str(number).encode()).digest()

    def words() -> Iterator[int]:
        block = 0
        while True:
            text = f'["tilerummy-shuffle-2",1,["-","-"],"start",{block}]'
            digest = hmac.new(key, text.encode(), "sha256").digest()
            for start in range(0, 32, 4):
                yield int.from_bytes(digest[start : start + 4], "big")
            block += 1

    stream = words()

    def below(limit: int) -> int:
        word = next(stream)
        while word >= 2**32 - 2**32 % limit:
            word = next(stream)
        return word % limit

    draws: list[tuple[int, str]] = []
    kept: dict[int, str] = {}
    seats = list(range(players))
    while len(seats) > 1:
        drawn: dict[int, str] = {}
        for seat in seats:
            while seat not in drawn:
                lying = [n for n in names if n not in drawn.values() and n not in kept.values()]
                name = lying[below(len(lying))]
                draws.append((seat, name))
                if name[0] not in "JDCM":
                    drawn[seat] = name
        if rules.starter_keep_tile:
            kept = {**drawn, **kept}
        numbers = {seat: int(name[1:].partition(".")[0]) for seat, name in drawn.items()}
        seats = [seat for seat in seats if numbers[seat] == max(numbers.values())]
    return draws


@pytest.mark.parametrize("rules", [CLASSIC, TWIST, SABRA], ids=lambda rules: rules.name)
def test_the_draw_can_be_checked_by_hand(rules: Edition) -> None:
    for number in range(150):
        drawn = shuffle.draw_for_start(rules, rules.box().tiles(), 4, fair(number))
        recorded = [(seat, tile_text(tile)) for seat, tile in drawn.draws]
        assert recorded == draws_by_hand(rules, 4, number)


def test_the_draw_of_the_rules_is_the_one_tested_above() -> None:
    titles = [case["title"] for case in positions("procedure") if "drawn" in case]
    assert titles == ["First player: joker drawn", "First player: tie for the highest number"]


def test_a_kept_tile_is_the_first_of_the_hand() -> None:
    for number in range(20):
        tiles = SABRA.box().tiles()
        drawn = shuffle.draw_for_start(SABRA, tiles, 3, fair(number))
        dealt = shuffle.deal(SABRA, tiles, drawn.kept, fair(number))
        for seat, tile in enumerate(drawn.kept):
            assert tile in dealt.racks[seat]
            assert len(dealt.racks[seat]) == 14
        laid = [tile for rack in dealt.racks for tile in rack]
        assert sorted([*laid, *dealt.pool]) == sorted(tiles)


# The deal


def deal_cases() -> list[tuple[str, int, int]]:
    (case,) = (case for case in positions("procedure") if "deals" in case)
    return [(deal["edition"], deal["players"], deal["pool"]) for deal in case["deals"]]


@pytest.mark.parametrize(("name", "players", "pool"), deal_cases())
def test_deal_sizes_of_the_rules(name: str, players: int, pool: int) -> None:
    rules = EDITIONS[name]
    tiles = rules.box(players).tiles()
    dealt = shuffle.deal(rules, tiles, (None,) * players, FAIR)
    assert len(dealt.pool) == pool
    assert [len(rack) for rack in dealt.racks] == [14] * players


def _pairs(rack: Row) -> int:
    return sum(count // 2 for count in Counter(FACE_OF[tile] for tile in rack).values())


@pytest.mark.parametrize("limit", [1, 2, 3])
def test_hands_with_too_many_pairs_are_dealt_again(limit: int) -> None:
    rules = edition("classic", {"tournament.redeal_doubles": limit})
    dealt_again = 0
    for number in range(30):
        dealt = shuffle.deal(rules, TILES, (None,) * 3, fair(number))
        assert all(_pairs(rack) < limit for rack in dealt.racks)
        dealt_again += dealt != shuffle.deal(CLASSIC, TILES, (None,) * 3, fair(number))
    assert dealt_again or limit == 3


def test_where_every_hand_holds_pairs_the_deal_comes_to_an_end() -> None:
    rules = edition("twist", {"tournament.redeal_doubles": 1, "hand_size": 28})
    tiles = TWIST.box().tiles()
    dealt = shuffle.deal(rules, tiles, (None,) * 4, FAIR)
    assert sorted(tile for rack in dealt.racks for tile in rack) == sorted(tiles)
