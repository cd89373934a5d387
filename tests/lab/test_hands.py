"""The count of hands, against hands built and taken apart the slow way."""

from __future__ import annotations

import random
from collections import Counter
from math import comb

import pytest

from tests.lab.brute import COLOURS, Hands, Tile, goes_out, short_sets
from tilerummy.lab import HandCount, count_hands
from tilerummy.lab.hands import COPIES, NUMBERS
from tilerummy.lab.prefixes import Prefixes
from tilerummy.rules.errors import OptionError

BOX = [(number, colour) for number in range(NUMBERS) for colour in range(COLOURS)] * COPIES


def test_three_tiles_are_one_set() -> None:
    groups, runs = 13 * 4, 4 * 11
    assert count_hands(3) == HandCount(
        size=3, distinct=groups + runs, physical=(groups + runs) * 2**3, total=comb(104, 3)
    )


@pytest.mark.parametrize("size", [1, 2])
def test_no_set_is_shorter_than_three(size: int) -> None:
    count = count_hands(size)
    assert (count.distinct, count.physical) == (0, 0)
    assert count.chance == 0


def test_the_hand_of_the_deal() -> None:
    count = count_hands(14)
    assert (count.distinct, count.physical) == (10_232_524, 68_006_854_852)
    assert round(1 / count.chance) == 1_169_227


@pytest.mark.parametrize("size", [101, 103, 104])
def test_the_box_goes_out_without_any_three_of_its_tiles(size: int) -> None:
    assert count_hands(size).chance == 1


@pytest.mark.parametrize("size", range(1, 10))
def test_small_hands_of_the_whole_box(size: int, whole_box: Hands) -> None:
    assert_same_hands(size, whole_box, NUMBERS, COPIES)


@pytest.mark.parametrize(
    ("numbers", "copies"),
    [(1, 2), (2, 2), (4, 1), (5, 1), pytest.param(3, 2, marks=pytest.mark.soak)],
)
def test_all_hands_of_a_small_box(numbers: int, copies: int) -> None:
    hands = Hands(numbers, copies)
    for size in range(1, COLOURS * numbers * copies + 1):
        assert_same_hands(size, hands, numbers, copies)


@pytest.fixture(scope="module")
def whole_box() -> Hands:
    return Hands(NUMBERS, COPIES)


def assert_same_hands(size: int, hands: Hands, numbers: int, copies: int) -> None:
    found, count = hands.of_size(size), count_hands(size, copies, numbers)
    assert count.distinct == len(found)
    assert count.physical == sum(map(hands.weight, found))


@pytest.mark.soak
@pytest.mark.parametrize("size", [10, 11, 12, 13, 14])
def test_every_hand_up_to_that_of_the_deal(size: int, whole_box: Hands) -> None:
    distinct = physical = 0
    parts = 3  # of the hands at a time, to spare memory
    for part in range(parts):
        found = {hand for hand in whole_box.built(size) if hand % parts == part}
        distinct += len(found)
        physical += sum(map(whole_box.weight, found))
    count = count_hands(size)
    assert (count.distinct, count.physical) == (distinct, physical)


@pytest.mark.parametrize("size", [14, 40, 60])
def test_a_hand_goes_out_as_its_prefix_says(size: int) -> None:
    prefixes, draw, outcomes = Prefixes(COPIES), random.Random(size), Counter[bool]()
    for _ in range(100):
        hand = random_hand(draw, size)
        prefix = prefixes.start
        for number in range(NUMBERS):
            counts = tuple(hand[number, colour] for colour in range(COLOURS))
            prefix = prefixes.extend(prefix, counts) if prefix else prefix
        expected = goes_out(hand)
        outcomes[expected] += 1
        assert (bool(prefix) and prefixes.missing(prefix) == 0) == expected
    assert min(outcomes[True], outcomes[False]) >= 10


def random_hand(draw: random.Random, size: int) -> Counter[Tile]:
    """Sets thrown together, filled up with and partly exchanged for tiles of the box."""
    hand, sets = Counter[Tile](), short_sets(NUMBERS)
    for _ in range(20 * size):
        tiles = draw.choice(sets)
        if hand.total() + len(tiles) <= size and all(hand[tile] < COPIES for tile in tiles):
            hand.update(tiles)
    left = list((Counter(BOX) - hand).elements())
    draw.shuffle(left)
    for _ in range(size - hand.total()):
        hand[left.pop()] += 1
    for _ in range(draw.choice([0, 1, 2])):
        hand[draw.choice(list(hand.elements()))] -= 1
        hand[left.pop()] += 1
    return hand


def test_progress_rises_to_one() -> None:
    shares: list[float] = []
    count_hands(6, progress=shares.append)
    assert shares == sorted(shares)
    assert (shares[0], shares[-1]) == (0, 1)


@pytest.mark.parametrize("size", [-1, 0, 105])
def test_a_hand_that_cannot_be_dealt_is_refused(size: int) -> None:
    with pytest.raises(OptionError, match=f"a hand of {size} tiles .* choose 1 to 104"):
        count_hands(size)
