"""The race of candidates: playouts over common worlds, the weaker half of the arms drops out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import ceil, inf, log2, sqrt
from typing import Generic, TypeVar

from tilerummy.solver.cover.deadline import Deadline, TimeOverError

_T = TypeVar("_T")

SURE = 4.0
"""Standard errors of a difference after which the race is decided."""
DOUBT = 1.5
"""Standard errors by which another arm must beat the first one to be chosen."""
UNSEEN = 0.5
"""Added to the squares of a difference: a few worlds that agree prove little."""


@dataclass
class Arm(Generic[_T]):
    """A choice and its values, one for each world."""

    choice: _T
    values: list[float] = field(default_factory=list)

    @property
    def mean(self) -> float:
        return sum(self.values) / len(self.values) if self.values else -inf


class Race(Generic[_T]):
    """Successive halving with common random numbers.

    `value(choice, world)` plays one sample; if it raises TimeOverError, the world counts for no
    arm. `samples` is the budget of all arms together; at the `deadline` the race ends as it
    stands. The first choice is the default: a tie goes to it.
    """

    def __init__(
        self,
        choices: Sequence[_T],
        value: Callable[[_T, int], float],
        samples: int,
        deadline: Deadline | None = None,
    ) -> None:
        self.arms = [Arm(choice) for choice in choices]
        self.spent = 0
        self._value, self._samples, self._deadline = value, samples, deadline

    def winner(self) -> _T:
        """The choice that wins; the default unless another one is better beyond doubt."""
        default, arms = self.arms[0], self.arms
        rounds = ceil(log2(len(arms)))
        for number in range(rounds):
            each = (self._samples - self.spent) // ((rounds - number) * len(arms))
            if not self._play(arms, len(arms[0].values) + each):
                break
            ranked = sorted(arms, key=lambda arm: -arm.mean)
            if self._is_decided(ranked):
                break
            arms = ranked[: max(2, (len(arms) + 1) // 2)]
            if default not in arms:
                arms.append(default)
        best = max(arms, key=lambda arm: (len(arm.values), arm.mean))
        gain, error = _difference(best, default)
        return best.choice if gain > DOUBT * error else default.choice

    def winner_in_one_world(self) -> _T:
        """The choice that wins where nothing is hidden, as far as time and budget go."""
        if self._samples < len(self.arms):
            self.arms = self.arms[: max(1, self._samples)]
        for arm in self.arms:
            self._play([arm], 1)
        return max(self.arms, key=lambda arm: arm.mean).choice

    def _play(self, arms: list[Arm[_T]], worlds: int) -> bool:
        """Play the arms up to this number of worlds; False if the time is over."""
        for world in range(len(arms[0].values), worlds):
            if self._deadline is not None and self._deadline.over:
                return False
            try:
                values = [self._value(arm.choice, world) for arm in arms]
            except TimeOverError:
                return False
            for arm, value in zip(arms, values, strict=True):
                arm.values.append(value)
            self.spent += len(arms)
        return True

    def _is_decided(self, ranked: list[Arm[_T]]) -> bool:
        for other in ranked[1:]:
            gain, error = _difference(ranked[0], other)
            if gain <= SURE * error:
                return False
        return True


def _difference(one: Arm[_T], other: Arm[_T]) -> tuple[float, float]:
    """The mean gain of an arm over another in the same worlds, and its standard error."""
    gains = [a - b for a, b in zip(one.values, other.values, strict=False)]
    if len(gains) < 2:
        return 0.0, inf
    mean = sum(gains) / len(gains)
    spread = (sum((gain - mean) ** 2 for gain in gains) + UNSEEN) / len(gains)
    return mean, sqrt(spread / len(gains))
