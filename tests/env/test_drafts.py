"""Drafts: tiles move one by one, and only the judge ends a turn."""

from __future__ import annotations

import random
from collections import Counter

import numpy as np
import pytest

from tests.copies import Copies
from tilerummy.env.drafts import END, IDLE, RIGHT, TAKE, UNDO, Draft
from tilerummy.env.layout import Layout
from tilerummy.rules.editions import EDITIONS, Edition, edition
from tilerummy.rules.position import Position
from tilerummy.rules.tiles import FACES, faces_of, parse_face, parse_row, parse_table, table_text
from tilerummy.rules.turns import judge_turn


def draft_of(
    rack: str, table: str = "", *, rules: Edition = EDITIONS["classic"], steps: int = 40
) -> Draft:
    plain = Position(rules, parse_table(table), parse_row(rack), opened=True)
    layout = Layout.of(rules, 2, "tiles", candidates=2, steps=steps)
    return Draft.of(Copies().position(plain), layout)


def take(face: str) -> int:
    return TAKE + parse_face(face)


def done(draft: Draft, *actions: int) -> Draft:
    """The draft after actions, each of which the mask allows."""
    for action in actions:
        assert draft.mask()[action], action
        draft = draft.after(action)
    return draft


def test_a_set_from_the_rack() -> None:
    draft = draft_of("r7 b7 k7 o1")
    draft = done(draft, take("r7"), RIGHT, take("b7"), RIGHT)
    assert not draft.mask()[END]
    draft = done(draft, take("k7"), RIGHT)
    assert draft.mask()[END]
    move = draft.move()
    assert move is not None
    assert table_text(move.table) == "r7 b7 k7"


def test_a_row_is_taken_apart() -> None:
    draft = draft_of("r4 k3", "r3 b3 o3 / r5 r6 r7")
    draft = done(draft, RIGHT, take("r3"), RIGHT + 1, take("r4"), RIGHT + 1)
    assert table_text(draft.table) == "b3 o3 / r5 r6 r7 r3 r4"
    assert not draft.mask()[END]
    draft = done(draft, take("k3"), RIGHT)
    move = draft.move()
    assert move is not None
    assert table_text(move.table) == "b3 o3 k3 / r3 r4 r5 r6 r7", "in the order of the judge"


def test_a_row_that_is_emptied_keeps_its_number() -> None:
    draft = draft_of("r8", "r5 r6 r7 / k1 k2 k3")
    for face in ("r5", "r6", "r7"):
        draft = done(draft, RIGHT, take(face), RIGHT + 1)
    assert draft.slots[0] == ()
    assert not draft.mask()[RIGHT], "an empty row is no source"
    assert done(draft, take("r8")).mask()[RIGHT], "but a place for a new row"


def test_undo_takes_everything_back_and_costs_a_step() -> None:
    start = draft_of("r7 b7", "k1 k2 k3", steps=10)
    draft = done(start, take("r7"), RIGHT + 1, RIGHT, take("k1"), UNDO)
    assert (draft.slots, draft.rack, draft.hand) == (start.slots, start.rack, None)
    assert draft.steps_left == 5
    assert not start.mask()[UNDO], "there is nothing to undo"


def test_choosing_a_source_again_returns_to_the_rack() -> None:
    draft = draft_of("r7", "k1 k2 k3")
    chosen = done(draft, RIGHT)
    assert chosen.mask()[take("k2")]
    assert not chosen.mask()[take("r7")]
    assert done(chosen, RIGHT).mask()[take("r7")]


def test_a_turn_ends_when_its_steps_are_used_up() -> None:
    draft = done(
        draft_of("r7 b7 k7", steps=6),
        *(action for face in ("r7", "b7", "k7") for action in (take(face), RIGHT)),
    )
    assert [*np.flatnonzero(draft.mask())] == [IDLE, END]
    held = done(draft_of("r7 b7 k7", steps=2), take("r7"), RIGHT)
    assert [*np.flatnonzero(held.mask())] == [IDLE]


def test_the_side_counts_where_rows_are_read_as_laid() -> None:
    left = RIGHT + Layout.of(EDITIONS["twist"], 2, "tiles", candidates=2, steps=2).rows
    draft = done(draft_of("r4", "r5 r6 r7", rules=EDITIONS["twist"]), take("r4"))
    assert done(draft, left).mask()[END]
    assert not done(draft, RIGHT).mask()[END]
    assert done(draft_of("r4", "r5 r6 r7"), take("r4"), RIGHT).mask()[END]


@pytest.mark.parametrize("declare", ["kind", "explicit"])
def test_jokers_are_declared_where_the_rules_ask(declare: str) -> None:
    rules = edition("classic", {"joker.declare": declare})
    draft = draft_of("r8 J J", rules=rules)
    draft = done(draft, take("r8"), RIGHT, take("J"), RIGHT, take("J"), RIGHT)
    move = draft.move()
    assert move is not None
    assert move.declared
    assert judge_turn(draft.position, move.table, move.declared).legal


@pytest.mark.parametrize("name", EDITIONS)
def test_no_step_loses_a_tile(name: str) -> None:
    rng = random.Random(3)
    jokers = "J D C M" if name == "twist" else "J J"
    rack, table = f"r1 r4 b4 k8 o13 {jokers}", "r5 r6 r7 / k4 o4 r4 / b8 b9 b10 b11"
    draft = draft_of(rack, table, rules=EDITIONS[name], steps=200)
    box = Counter(tile for row in (*draft.slots, draft.rack) for tile in row)
    while draft.steps_left:
        mask = draft.mask()
        assert mask[IDLE]
        action = rng.choice([int(one) for one in np.flatnonzero(mask) if one > END])
        draft = draft.after(action)
        hand = [] if draft.hand is None else [draft.hand]
        assert Counter([*hand, *draft.rack, *(t for row in draft.slots for t in row)]) == box
        assert len(draft.mask()) == RIGHT + 2 * draft.layout.rows
        assert draft.mask()[TAKE : TAKE + FACES].sum() <= len({*faces_of(box)})
