"""The solver obeys every option that concerns turns, in any combination with others.

For each such option, positions under random editions that change it: the referee accepts every
answer, and on tiny positions no table that it accepts is better. Both would notice a solver that
does not know the option. `make soak` draws more positions, as SOAK_CASES says.
"""

from __future__ import annotations

import dataclasses
import os
import random
from collections import Counter
from collections.abc import Callable
from functools import cache
from typing import Any

import pytest

from tests import oracle
from tests.faces import CHANGE, MIRROR
from tests.rules.strategies import option_values, random_edition
from tests.solver import reference
from tests.solver.positions import Maker, _opening_rack, _tempt_exchange, _tempt_reuse, read
from tests.solver.reference import Best, TooBigError
from tilerummy.rules.editions import SPECS, Edition, edition, option_value
from tilerummy.rules.errors import OptionError
from tilerummy.rules.position import Position
from tilerummy.rules.tiles import HIGHEST, JOKER, faces_of, numbered
from tilerummy.rules.turns import judge_turn
from tilerummy.solver import solve
from tilerummy.solver.turns.objectives import ObjectiveName

SOAK_CASES = int(os.environ.get("SOAK_CASES", "100"))
CASES = 40
TABLES, VERDICTS = 400, 100
"""Of a tiny position. On larger ones the referee alone judges."""

OF_TURNS = (
    "initial.min",
    "initial.single_set",
    "initial.jokers",
    "initial.same_turn_manipulation",
    "joker.reuse",
    "joker.locked_sets",
    "joker.replace_from",
    "joker.group3_needs_both",
    "joker.max_per_set",
    "joker.declare",
    "joker.rack_penalty",
    "set.min_natural",
    "twist.special_exchange_ban",
    "twist.mirror_min_side",
    "twist.mirror_c_needs_c",
    "twist.mirror_number",
    "twist.adjacent_c",
)
"""The options that decide which turns are legal, or what they are worth."""

NOT_OF_TURNS = {
    "copies": "a position has the tiles that it has",
    "jokers": "a position has the tiles that it has",
    "reduced_box": "a position has the tiles that it has",
    "set.order": "the solver lays rows in order",
    "final_round.manipulation": "a position says whether rows may be taken apart",
    "empty_pool.pass": "of the game",
    "empty_pool.end": "of the game",
    "hand_size": "of the deal",
    "starter.keep_tile": "of the deal",
    "tournament.redeal_doubles": "of the deal",
}
"""Other options of the same groups, and why they do not concern the solver."""

NEEDS: dict[str, dict[str, object]] = {
    "joker.replace_from": {"joker.locked_sets": True},
    "joker.group3_needs_both": {"joker.locked_sets": True},
    "initial.single_set": {"initial.min": 20},
}
"""Options without which others have no effect."""


def test_every_option_is_assigned() -> None:
    groups = {"box", "opening", "pool", "joker"}
    listed = {*OF_TURNS, *NOT_OF_TURNS}
    assert listed == {key for key, spec in SPECS.items() if spec.group in groups}


def _tempt_replacement(maker: Maker) -> None:
    """A joker, the tile that it stands for at the end of another row, and a use for the joker."""
    rng = maker.rng
    colour, number = rng.randrange(4), rng.randint(4, 10)
    group = [numbered(each, number) for each in range(4) if each != colour]
    run = [numbered(colour, each) for each in range(number - 3, number + 1)]
    for row in ([*group[:2], JOKER], run):
        if maker.is_row(tuple(row)) and maker.take(row):
            maker.table.append(tuple(row))
    other = rng.randint(1, HIGHEST - 1)
    for face in rng.sample([numbered(each, other) for each in range(4)], 2):
        maker.give(face)


def _tempt_group(maker: Maker) -> None:
    """A group of three with a joker, one tile that it may stand for, and a use for the joker."""
    rng = maker.rng
    number, colours = rng.randint(1, HIGHEST), rng.sample(range(4), 3)
    row = (numbered(colours[0], number), numbered(colours[1], number), JOKER)
    if maker.is_row(row) and maker.take(row):
        maker.table.append(row)
    maker.give(numbered(colours[2], number))
    for place in (0, 1):
        maker.give(numbered(colours[0], 1 + (number + place) % HIGHEST))


def _tempt_opening(maker: Maker) -> None:
    """Two groups on the rack that are worth 20 points together, but not each."""
    for number in maker.rng.sample(range(4, 7), 2):
        for colour in maker.rng.sample(range(4), 3):
            maker.give(numbered(colour, number))


TEMPTATIONS: dict[str, Callable[[Maker], None]] = {
    "initial.single_set": _tempt_opening,
    "joker.replace_from": _tempt_replacement,
    "joker.group3_needs_both": _tempt_group,
    "twist.special_exchange_ban": _tempt_exchange,
}
"""Tables and racks in which these options matter more often."""


SPECIALS = {
    "twist.mirror_min_side": (MIRROR,),
    "twist.mirror_c_needs_c": (MIRROR, CHANGE),
    "twist.mirror_number": (MIRROR,),
    "twist.adjacent_c": (CHANGE,),
}
"""The jokers that these options are about."""


def rules_with(rng: random.Random, key: str) -> Edition:
    """A random edition in which the option has not the value that it has by default."""
    usual = option_value(Edition(), key)
    values = [value for value in option_values(SPECS[key]) if value != usual]
    while True:
        name = "twist" if key.startswith("twist.") else None
        changes: dict[str, object] = {}
        for options in (oracle.JOKER_OPTIONS, oracle.OPENING_OPTIONS):
            if rng.random() < 0.3:
                changes.update(rng.choice(options))
        changes.update(NEEDS.get(key, {}))
        changes[key] = rng.choice(values)
        try:
            rules = random_edition(rng, name, changes=3).with_options(changes)
            return edition(rules.name, rules.changed_options())
        except OptionError:
            continue


def position_for(key: str, seed: int) -> tuple[Position, ObjectiveName]:
    """A small position in which the option may matter."""
    rng = random.Random(f"option {key} {seed}")
    rules = rules_with(rng, key)
    first = 10 if key == "twist.mirror_number" else rng.randint(1, 10)
    maker = Maker(rng, rules, range(first, first + 4))
    opened = not key.startswith("initial.") and (key in TEMPTATIONS or rng.random() < 0.8)
    if key in TEMPTATIONS or rng.random() < 0.4:
        TEMPTATIONS.get(key, _tempt_reuse)(maker)
    if key not in TEMPTATIONS or rng.random() < 0.5:
        kinds = "JDCM" if key.startswith("twist.") else "J"
        if key in SPECIALS:
            maker.give(rng.choice(SPECIALS[key]))
        maker.lay(rng.choice([0, 1, 1, 2]) or 1 - len(maker.table), 0.6, kinds, 5)
        if opened:
            maker.give_some(len(maker.rack) + rng.randint(1, 4), jokers=0.2)
        else:
            _opening_rack(maker, rng.randint(4, 7), 0.3)
    position = read(maker.item(opened=opened))
    if rng.random() < 0.1:
        position = dataclasses.replace(position, manipulation=False)
    return position, rng.choice(["tiles", "tiles", "value"])


@cache
def best_of(key: str, seed: int) -> Best | None:
    """The best of all tables. Raises TooBigError."""
    position, goal = position_for(key, seed)
    return reference.brute(position, goal, tables=TABLES, verdicts=VERDICTS)


def flaw(key: str, seed: int, known: Edition | None = None) -> str | None:
    """What is wrong with the solver's answer, if anything is.

    `known` are the rules as the solver is told them, if these are not the rules.
    """
    position, goal = position_for(key, seed)
    asked = dataclasses.replace(position, edition=known or position.edition)
    found = solve(asked, goal)
    if found.tiles:
        verdict = judge_turn(position, found.table, found.declared)
        if not verdict.legal:
            return f"refused: {', '.join(map(str, verdict.reasons))}"
        if verdict.value != found.value and position.opened:
            return f"worth {verdict.value}, not {found.value}"
    try:
        best = best_of(key, seed)
    except TooBigError:
        return None
    expected = best.key if best is not None else (0, 0)
    played = Counter(faces_of(found.played))
    given = reference.key_of(goal, played, found.value) if found.tiles else (0, 0)
    return None if given == expected else f"{given}, but {expected} is the best"


@pytest.mark.parametrize("key", OF_TURNS)
def test_the_solver_obeys(key: str) -> None:
    for seed in range(CASES):
        problem = flaw(key, seed)
        position, goal = position_for(key, seed)
        assert problem is None, f"{problem}: {reference.describe(position, goal)}"


def usual_value(key: str) -> dict[str, Any]:
    """The field of an option, with its value by default."""
    fields = dataclasses.fields(Edition)
    return {item.name: item.default for item in fields if _is_option(item, key)}


def _is_option(field: dataclasses.Field[Any], key: str) -> bool:
    return "spec" in field.metadata and field.metadata["spec"].key == key


def is_noticed(key: str, seed: int) -> bool:
    """Whether the position shows that the option is ignored."""
    position, _ = position_for(key, seed)
    ignoring = dataclasses.replace(position.edition, **usual_value(key))
    try:
        return flaw(key, seed, ignoring) is not None
    except (AssertionError, ValueError):  # the table itself is impossible for that solver
        return True


@pytest.mark.parametrize("key", OF_TURNS)
def test_a_solver_that_ignores_the_option_is_noticed(key: str) -> None:
    assert any(is_noticed(key, seed) for seed in range(CASES))


@pytest.mark.soak
@pytest.mark.parametrize("key", OF_TURNS)
def test_soak_the_solver_obeys(key: str) -> None:
    for seed in range(CASES, CASES + 4 * SOAK_CASES):
        problem = flaw(key, seed)
        position, goal = position_for(key, seed)
        assert problem is None, f"{problem}: {reference.describe(position, goal)}"
