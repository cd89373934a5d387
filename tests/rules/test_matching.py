"""Old tiles in new places, checked against trying every matching."""

from __future__ import annotations

import random
from collections import Counter
from itertools import permutations

from hypothesis import given

from tests.rules.strategies import randoms
from tilerummy.rules.matching import Alternative, Forbid, NeedsRack, Problem, Require
from tilerummy.rules.reasons import Reason
from tilerummy.rules.tiles import Face, parse_faces

RED, BLUE = parse_faces(["r1", "b1"])


def random_problem(rng: random.Random) -> Problem:
    places, sources = rng.randint(1, 5), rng.randint(1, 4)

    def some(low: int = 1) -> frozenset[int]:
        return frozenset(rng.sample(range(places), rng.randint(min(low, places), places)))

    problem = Problem({source: some() for source in range(sources)}, Counter({RED: 1, BLUE: 2}))
    for number in range(rng.randint(0, 3)):
        pattern = tuple((rng.randrange(sources), some()) for _ in range(rng.randint(1, 2)))
        problem.forbids.append(Forbid(Reason("gap", params={"forbid": number}), pattern))
    for number in range(rng.randint(0, 2)):
        ways = tuple(
            Alternative(
                tuple((rng.randrange(sources), some()) for _ in range(rng.randint(0, 2))),
                frozenset(rng.sample(range(places), rng.randint(0, 1))),
                tuple(rng.choices([RED, BLUE], k=rng.randint(0, 1))),
            )
            for _ in range(rng.randint(0, 3))
        )
        problem.requires.append(Require(Reason("locked-row", params={"require": number}), ways))
    if rng.random() < 0.3:
        need = NeedsRack(
            Reason("joker-needs-rack-tiles"),
            rng.randrange(sources),
            some(),
            some(),
            rng.randint(0, 2),
        )
        problem.needs_rack.append(need)
    return problem


def solvable_by_trying(problem: Problem) -> bool:
    sources = list(problem.domains)
    places = sorted(set().union(*problem.domains.values()))
    for choice in permutations(places, len(sources)):
        at = dict(zip(sources, choice, strict=True))
        if any(at[source] not in problem.domains[source] for source in sources):
            continue
        if any(all(at[s] in where for s, where in rule.pattern) for rule in problem.forbids):
            continue
        if any(_lacks(need, at) for need in problem.needs_rack):
            continue
        if _satisfied(problem.requires, at, problem.available):
            return True
    return False


def _lacks(need: NeedsRack, at: dict[int, int]) -> bool:
    new = len(need.row) - sum(place in need.row for place in at.values())
    return at[need.source] in need.here and new < need.minimum


def _satisfied(requires: list[Require], at: dict[int, int], left: Counter[Face]) -> bool:
    if not requires:
        return True
    for way in requires[0].alternatives:
        fits = all(at[source] in where for source, where in way.where)
        if fits and not way.new_at & set(at.values()) and Counter(way.uses) <= left:
            rest = left.copy()
            rest.subtract(way.uses)
            if _satisfied(requires[1:], at, rest):
                return True
    return False


@given(randoms)
def test_a_matching_is_found_exactly_where_there_is_one(rng: random.Random) -> None:
    problem = random_problem(rng)
    assert problem.solvable() is solvable_by_trying(problem)


@given(randoms)
def test_a_reason_is_given_exactly_where_there_is_no_matching(rng: random.Random) -> None:
    problem = random_problem(rng)
    if not problem.forbids and not problem.needs_rack and not problem.requires:
        return
    if problem.solvable():
        assert problem.broken() == []
    else:
        assert problem.broken()
