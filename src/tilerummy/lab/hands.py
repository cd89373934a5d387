"""An exact count of the hands that go out at once, by dynamic programming.

Hands are built number by number. Hands that the same tiles complete are counted together.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from math import comb

from tilerummy.lab.prefixes import COLOURS, Prefix, Prefixes, Step
from tilerummy.rules.errors import OptionError

NUMBERS = 13
COPIES = 2

Progress = Callable[[float], None]
"""Called with the share that is done, from 0 to 1."""

Layer = dict[Prefix, tuple[int, int]]
"""For each prefix, how many distinct and how many physical beginnings of hands have it.

One integer packs the counts of all sizes: the count for n tiles is in field n from the right. So
one addition adds the counts of all sizes, and t more tiles shift them by t fields.
"""


@dataclass(frozen=True)
class HandCount:
    """The number of hands of `size` tiles that consist of groups and runs.

    `distinct` counts hands by their faces, `physical` by their tiles, so that the copies of a face
    differ; `total` is the number of all physical hands.
    """

    size: int
    distinct: int
    physical: int
    total: int

    @property
    def chance(self) -> Fraction:
        """The share of all physical hands."""
        return Fraction(self.physical, self.total)


def count_hands(
    size: int,
    copies: int = COPIES,
    numbers: int = NUMBERS,
    progress: Progress = lambda share: None,
) -> HandCount:
    """Count the hands of `size` tiles, without jokers, that go out at once.

    `copies` and `numbers` describe the box; `progress` is called with the work done so far.
    Raises OptionError for less than one tile, or more than the box has.
    """
    box = COLOURS * numbers * copies
    if not 1 <= size <= box:
        raise OptionError(
            "a hand of {size} tiles cannot be dealt: choose 1 to {most} tiles",
            key="error.lab.size",
            size=size,
            most=box,
        )
    field = box  # bits, since no field counts more than the subsets of the box
    prefixes = Prefixes(copies)
    steps: dict[Prefix, list[Step]] = {}
    layer: Layer = {prefixes.start: (1, 1)}
    for number in range(1, numbers + 1):
        most_to_come = COLOURS * copies * (numbers - number)
        following: Layer = {}
        for place, (prefix, (distinct, physical)) in enumerate(layer.items()):
            progress((number - 1 + place / len(layer)) / numbers)
            if prefix not in steps:
                steps[prefix] = prefixes.steps(prefix)
            for step in steps[prefix]:
                fewest = max(0, size - most_to_come - step.tiles)
                most = size - step.missing - step.tiles
                fitting = _fields(fewest, most, field)
                if distinct & fitting:
                    shift = field * step.tiles
                    old_distinct, old_physical = following.get(step.prefix, (0, 0))
                    following[step.prefix] = (
                        old_distinct + ((distinct & fitting) * step.distinct << shift),
                        old_physical + ((physical & fitting) * step.physical << shift),
                    )
        layer = following
    progress(1.0)
    # Only complete hands of this size fit the last number.
    distinct = sum(count for count, _ in layer.values()) >> field * size
    physical = sum(count for _, count in layer.values()) >> field * size
    return HandCount(size, distinct, physical, comb(box, size))


def _fields(first: int, last: int, field: int) -> int:
    """A mask of the fields from first to last."""
    return (1 << field * (last + 1)) - (1 << field * first) if first <= last else 0
