"""Where jokers are named, the solver finds the best turn of all, and says what makes it legal."""

from __future__ import annotations

import os
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import product

import pytest

from tests import oracle
from tests.copies import Copies
from tests.solver import reference
from tests.solver.positions import draw, read
from tests.solver.reference import Goal, TooBigError
from tests.solver.test_agreement import goal_of
from tilerummy.rules.declarations import Declared, declaration_text, parse_declaration
from tilerummy.rules.editions import EDITIONS, edition
from tilerummy.rules.errors import OptionError
from tilerummy.rules.position import Position
from tilerummy.rules.rows import Faces, reader
from tilerummy.rules.tiles import (
    JOKER,
    NUMBERED_FACES,
    faces_of,
    parse_row,
    row_text,
    unidentified,
)
from tilerummy.rules.turns import TurnVerdict, judge_turn
from tilerummy.solver import Solution, solve

SOAK_CASES = int(os.environ.get("SOAK_CASES", "100"))
FAMILIES = ("locked", "reuse", "sabra-opening", "adversarial", "exchange", "twist", "six")
SLOW = {"exchange": 4, "twist": 4}
JOKERS_OFTEN: dict[str, dict[str, object]] = {
    "locked": {"joker.group3_needs_both": True},
}


def named_position(family: str, seed: int) -> Position | None:
    """A small position whose rows with several jokers are named, mostly."""
    rng = random.Random(f"named {family} {seed}")
    plain = read(draw(family, seed, small=True))
    options: dict[str, object] = {**plain.edition.changed_options(), "joker.declare": "explicit"}
    if rng.random() < 0.4:
        options |= JOKERS_OFTEN.get(family, {})
    options["set.order"] = "as_laid"
    try:
        rules = edition(plain.edition.name, options)
    except OptionError:
        return None
    if not reference.knows(replace(plain, edition=rules)):
        return None
    slow = oracle.rules_of(rules.name, reference._oracle_options(replace(plain, edition=rules)))
    declared = {}
    for row in plain.table:
        texts = row_text(row).split()
        jokers = sum(map(oracle.is_joker, texts))
        names = oracle.random_names(rng, texts, slow.row)
        if jokers and names and rng.random() < (0.95 if jokers > 1 else 0.3):
            declared[row] = parse_declaration(names)
    return replace(plain, edition=rules, declared=declared)


def statements(position: Position, rows: Sequence[Faces]) -> Iterator[dict[oracle.Row, list[str]]]:
    """Everything that could be said of the rows with jokers, by the slow reader."""
    rules = oracle.rules_of(position.edition.name, reference._oracle_options(position))
    said: list[list[tuple[oracle.Row, list[str] | None]]] = []
    for row in dict.fromkeys(rows):
        texts = tuple(row_text(row).split())
        if not any(map(oracle.is_joker, texts)):
            continue
        names: list[list[str]] = []
        for reading in oracle.readings(texts, rules.row):
            line = []
            for tile_, faces in zip(texts, reading.laying, strict=True):
                line += ["M"] if tile_ == "M" else [f"{c or 'C'}{n}" for n, c in faces]
            if line not in names:
                names.append(line)
        said.append([(texts, None), *((texts, line) for line in names)])
    for chosen in product(*said):
        yield {row: line for row, line in chosen if line is not None}


def legal_somehow(position: Position, new_rows: Sequence[Faces]) -> bool:
    """Whether the referee accepts the table with some declaration."""
    before = tuple([unidentified(faces_of(row)) for row in position.table])
    after = tuple([unidentified(row) for row in new_rows])
    if reference.is_plain_opening(position):
        after = before + after
    asked = replace(position, table=before)
    for said in statements(position, new_rows):
        declared = {parse_row(" ".join(row)): parse_declaration(line) for row, line in said.items()}
        if judge_turn(asked, after, declared).legal:
            return True
    return False


def legal_slowly(position: Position, new_rows: Sequence[Faces]) -> bool:
    """The same, asked of the transcription of the rules."""
    before = [row_text(row).split() for row in position.table]
    new = [row_text(row).split() for row in new_rows]
    said_before = {
        tuple(row_text(row).split()): declaration_text(said).split()
        for row, said in position.declared.items()
    }
    return any(
        oracle.turn_verdict(
            position.edition.name,
            reference._oracle_options(position),
            position.opened,
            row_text(position.rack).split(),
            before,
            [*before, *new] if reference.is_plain_opening(position) else new,
            said_before,
            said,
        )
        for said in statements(position, new_rows)
    )


def judged(position: Position, found: Solution) -> TurnVerdict:
    return judge_turn(position, found.table, found.declared)


def agree(position: Position, goal: Goal, referee: reference.Referee, most: int) -> None:
    best = reference.brute(position, goal, verdicts=most, tables=4000, referee=referee)
    for asked in (position, with_ids(position)):
        where = (reference.describe(asked, goal), position.declared)
        found = solve(asked, goal if isinstance(goal, str) else dict(enumerate(goal)))
        assert found.exact, where
        if found.tiles:
            verdict = judged(asked, found)
            assert verdict.legal, (verdict.reasons, found, where)
            if asked is not position:  # without ids it may be the other joker that is named so
                assert verdict.declared == dict(found.declared), where
        key = reference.key_of(goal, Counter(faces_of(found.played)), found.value)
        expected = best.key if best is not None else (0,) * len(key)
        assert (key if found.tiles else (0,) * len(key)) == expected, (found, best, where)


def with_ids(plain: Position) -> Position:
    """The same position in physical tiles."""
    return Copies().position(plain)


def compare(
    family: str, seeds: range, referee: reference.Referee = legal_somehow, most: int = 400
) -> int:
    compared = 0
    for seed in seeds:
        position = named_position(family, seed)
        if position is None:
            continue
        try:
            agree(position, goal_of(seed), referee, most)
        except TooBigError:
            continue
        compared += 1
    return compared


@pytest.mark.parametrize("family", FAMILIES)
def test_small_positions_with_named_jokers(family: str) -> None:
    assert compare(family, range(SLOW.get(family, 25)))


@pytest.mark.parametrize("family", FAMILIES)
def test_the_slow_judge_agrees_about_named_jokers(family: str) -> None:
    assert compare(family, range(500, 512), legal_slowly, 12)


@pytest.mark.soak
@pytest.mark.parametrize("family", FAMILIES)
def test_soak_named_jokers(family: str) -> None:
    assert compare(family, range(1000, 1000 + 4 * SOAK_CASES), most=4000)
    assert compare(family, range(9000, 9000 + SOAK_CASES), legal_slowly, 40)


def named(name: str, table: str, rack: str, said: Declared, **options: object) -> Position:
    rules = edition(name, {"joker.declare": "explicit", **options})
    rows = tuple(parse_row(row) for row in table.split("/"))
    return Position(rules, rows, parse_row(rack), opened=True, declared=said)


def test_a_joker_is_replaced_by_its_name_only() -> None:
    said = {parse_row("r8 J J"): parse_declaration(["r8", "b8", "k8"])}
    for rack, tiles in (("o8 o11 o12", 1), ("b8 o11 o12", 3), ("k8 o11 o12", 3)):
        asked = named("sabra", "r8 J J", rack, said)
        found = solve(asked)
        assert found.tiles == tiles, rack
        assert judged(asked, found).legal


def test_what_the_solver_lays_is_worth_what_it_says() -> None:
    """An opening is laid in the order that counts."""
    for rules in EDITIONS.values():
        asked = Position(rules, (), parse_row("J J r9"), opened=False)
        found = solve(asked)
        assert [row_text(row) for row in found.table] == ["r9 J J"], rules.name
        assert worth(asked, found) == 30
        asked = Position(rules, (parse_row("b1 b2 b3"),), parse_row("J r9 r10 k1"), opened=False)
        found = solve(asked)
        assert found.tiles == 3
        assert worth(asked, found) >= 30


def worth(position: Position, found: Solution) -> int:
    read_row = reader(position.edition).readings
    new = [row for row in found.table if row not in position.table]
    return sum(read_row(faces_of(row))[0].value for row in new)


@pytest.mark.parametrize("name", EDITIONS)
@pytest.mark.parametrize("declare", ["position", "kind", "explicit"])
def test_openings_with_jokers_are_worth_the_minimum(name: str, declare: str) -> None:
    rules = edition(name, {"joker.declare": declare})
    rng = random.Random(f"{name} {declare}")
    opened = 0
    for _ in range(12):
        rack = unidentified(sorted((*rng.sample(NUMBERED_FACES, 6), JOKER, JOKER)))
        asked = Position(rules, (), rack, opened=False)
        found = solve(asked, tidy=False)
        if found.plays:
            opened += 1
            assert worth(asked, found) >= 30, found
            assert judged(asked, found).legal
    assert opened
