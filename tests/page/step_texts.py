"""The sentences of the terminal for the steps of many turns, as JSON for the tests of the page.

The page fills its own names of tiles into the sentence that comes with each step. Everything comes
from one seed, so a file can be reproduced.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from tests.copies import Copies
from tests.rules.strategies import random_row
from tests.solver.positions import FAMILIES, draw, read
from tests.solver.steps.test_planner import mixed_up
from tilerummy.locales import LANGUAGES, Named, Sentence
from tilerummy.queries import PlannedStep, step_sentence, step_text
from tilerummy.rules.editions import EDITIONS, TWIST, Edition
from tilerummy.rules.tiles import (
    ALL_FACES,
    FACE_OF,
    MOST_COPIES,
    Table,
    is_joker,
    parse_table,
    unidentified,
)
from tilerummy.server.jobs.bot_pool import advise
from tilerummy.server.protocol import outgoing as out
from tilerummy.server.protocol.hints import step_info
from tilerummy.server.protocol.tiles import table_out
from tilerummy.solver.steps.planner import plan_steps, walk
from tilerummy.solver.steps.step import Step

RARE = (
    ("r7 / b7 k7 o7", "r7 b7 k7 o7"),
    ("r7 b7 / k7 J o7", "r7 b7 k7 J o7"),
    ("r7 / b7 k7 o7 / r7 b7 D", "r7 b7 k7 o7 / r7 b7 D"),
    ("r1 r2 / r3 r4 r5 r6", "r1 r2 r3 r4 r5 r6"),
    ("r1 r6 / r2 r3 r4 r5", "r1 r2 r3 r4 r5 r6"),
    ("r3 / r1 r2 r4 r5", "r1 r2 r3 r4 r5"),
    ("D r5 r6", "D r5 r6 J"),
    ("J J r5", "J J r5 r6"),
    ("r12 r13 / b1", "r12 r13 b1"),
    ("r12 r13 J / b1 b2 b3", "r12 r13 J b1 b2 b3"),
    ("r7 b7 C / k7 o7 M", "r7 b7 C k7 / o7 M"),
    ("r13 b13 k13 / r13 b13 o13", "r13 b13 k13 o13 / r13 b13 o13"),
)
"""Step sequences that random tables rarely produce."""

Way = Sequence[tuple[Step, Table]]
"""Steps, each with the table after it."""


def write(path: Path, seed: str, positions: int, mixtures: int) -> list[dict[str, Any]]:
    """Write the given number of positions per family and mixtures per edition, one per line."""
    rng = random.Random(seed)
    cases = [
        _case(rules, before, way)
        for rules, before, way in (
            *_rare(),
            *_solved(rng, positions),
            *_mixed(rng, mixtures),
        )
    ]
    path.write_text("\n".join(map(json.dumps, cases)), encoding="utf-8")
    return cases


def _rare() -> Iterator[tuple[Edition, Table, Way]]:
    for before, after in RARE:
        yield _way(TWIST, parse_table(before), parse_table(after))


def _way(rules: Edition, before: Table, after: Table) -> tuple[Edition, Table, Way]:
    way = plan_steps(before, after)
    return rules, before, [*zip(way, walk(before, way), strict=True)]


def _solved(rng: random.Random, count: int) -> Iterator[tuple[Edition, Table, Way]]:
    """Best turns of positions, as hints describe them."""
    first = rng.randrange(10**9)
    for family in FAMILIES:
        for number in range(first, first + count):
            position = Copies(MOST_COPIES).position(
                read(draw(family, number, small=number % 4 > 0))
            )
            steps = advise(position).steps or ()
            way = [(planned.step, planned.table) for planned in steps]
            yield position.edition, position.table, way


def _mixed(rng: random.Random, count: int) -> Iterator[tuple[Edition, Table, Way]]:
    """Ways from any table to any other, whose rows need not be sets."""
    for rules in EDITIONS.values():
        for _ in range(count):
            rows = [random_row(rng, rules) for _ in range(rng.randint(0, 5))]
            if rows and rng.random() < 0.3:
                rows.append(rng.choice(rows))
            before = Copies(MOST_COPIES).table(rows)
            played = [*unidentified([rng.choice(ALL_FACES) for _ in range(rng.randint(1, 4))])]
            yield _way(rules, before, mixed_up(rng, before, played, wild=rng.random() < 0.3))


def _case(rules: Edition, before: Table, way: Way) -> dict[str, Any]:
    found, described = before, []
    for step, after in way:
        planned = PlannedStep(step, after, step_sentence(step, found))
        described.append({"step": json.loads(out.encode(step_info(planned)))})
        if _is_same_text(planned.sentence):
            described[-1]["texts"] = {
                lang: step_text(step, lang, rules, found) for lang in LANGUAGES
            }
        found = after
    return {"edition": rules.name, "table": table_out(before), "steps": described}


def _is_same_text(sentence: Sentence) -> bool:
    """Whether the terminal uses no letter for a tile; the page has names for all of them."""
    return not any(
        param.how in ("row", "group-told")
        or (
            param.how in ("numbers", "run", "rest", "rest-numbers")
            and any(is_joker(FACE_OF[item]) for item in param.tiles)
        )
        for param in sentence.params.values()
        if isinstance(param, Named)
    )
