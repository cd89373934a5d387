"""Declared jokers: every naming of a row, its declarations, and what a joker keeps."""

from __future__ import annotations

import random

import pytest
from hypothesis import given

from tests.rules.strategies import random_row, randoms
from tilerummy.rules.declarations import (
    DeclarationError,
    Declared,
    declaration_text,
    distinct,
    from_plain,
    is_open,
    parse_declaration,
    parse_statement,
    plain,
    readings_of,
    written,
)
from tilerummy.rules.editions import EDITIONS, Edition, edition
from tilerummy.rules.errors import PositionError, TileError
from tilerummy.rules.namings import declared_ways, ways
from tilerummy.rules.position import Position
from tilerummy.rules.rows import Kind, reader
from tilerummy.rules.tiles import (
    faces_of,
    parse_row,
    parse_table,
    parse_tile,
    parse_tiles,
    row_text,
    tile_texts,
)
from tilerummy.rules.turns import TurnVerdict, judge_turn

EXPLICIT = {name: edition(name, {"joker.declare": "explicit"}) for name in EDITIONS}
SABRA, CLASSIC, TWIST = EXPLICIT["sabra"], EXPLICIT["classic"], EXPLICIT["twist"]


def named(*statements: str) -> Declared:
    return dict(parse_statement(statement) for statement in statements)


def judge(
    rules: Edition,
    rack: str,
    before: str,
    after: str,
    *,
    was: Declared | None = None,
    said: Declared | None = None,
    opened: bool = True,
) -> TurnVerdict:
    position = Position(rules, parse_table(before), parse_row(rack), opened, declared=was or {})
    return judge_turn(position, parse_table(after), said or {})


def codes(verdict: TurnVerdict) -> list[str]:
    return [reason.code for reason in verdict.reasons]


def texts(declared: Declared) -> dict[str, str]:
    return {row_text(row): declaration_text(said) for row, said in declared.items()}


# Namings


@given(randoms)
def test_the_namings_of_a_row_are_its_readings(rng: random.Random) -> None:
    rules = rng.choice([*EDITIONS.values(), edition("twist", {"set.min_natural": 0})])
    row = random_row(rng, rules)
    assert readings_of(row, ways(rules, row)) == reader(rules).readings(row)


@given(randoms)
def test_a_naming_means_itself(rng: random.Random) -> None:
    rules = rng.choice(list(EDITIONS.values()))
    row = random_row(rng, rules)
    for way in ways(rules, row):
        left = declared_ways(rules, row, way.names)
        assert way in left
        assert not is_open(row, left)
        assert parse_declaration(declaration_text(written(row, way)).split()) == way.names


@pytest.mark.parametrize(
    ("row", "namings"),
    [
        ("r8 J J", 7),
        ("r5 J J r8", 1),
        ("r7 b7 J", 2),
        ("r7 b7 J J", 2),
        ("b3 D J", 4),
        ("r5 C J", 3),
        ("r7 M J", 1),
        ("b3 D M r3 k3 b3", 1),
        ("r6 C C b9", 1),
    ],
)
def test_how_many_things_a_row_can_mean(row: str, namings: int) -> None:
    faces = faces_of(parse_row(row))
    assert len(distinct(faces, ways(TWIST, faces))) == namings


def test_the_first_naming_is_worth_most_and_takes_the_first_colours() -> None:
    assert declaration_text(ways(SABRA, faces_of(parse_row("r8 J J")))[0].names) == "r8 r9 r10"
    assert declaration_text(ways(SABRA, faces_of(parse_row("J J k8")))[0].names) == "r8 b8 k8"


@pytest.mark.parametrize(
    ("row", "said", "possible"),
    [
        ("r8 J J", "r8 b8 k8", True),
        ("r8 J J", "r8 r9 r10", True),
        ("r8 J J", "r8 J k8", True),
        ("r8 J J", "r8 J J", True),
        ("r8 J J", "r8 k8 k8", False),
        ("r8 J J", "r8 b9 b10", False),
        ("r8 J J", "b8 r8 k8", False),
        ("r8 J J", "r8 b8", False),
        ("r2 D r5", "r2 r3 r4 r5", True),
        ("r2 D r5", "r2 D D r5", True),
        ("r2 D r5", "r2 r3 r5 r5", False),
        ("r5 C b7", "r5 C6 b7", True),
        ("r5 C b7", "r5 C5 b7", False),
        ("r5 C b7", "r5 r6 b7", False),
        ("r6 r7 M D", "r6 r7 M r7 r6", True),
        ("r6 r7 M D", "r6 r7 r7 r6", False),
    ],
)
def test_what_can_be_said_of_a_row(row: str, said: str, possible: bool) -> None:
    left = declared_ways(TWIST, faces_of(parse_row(row)), parse_declaration(said.split()))
    assert bool(left) is possible


# Text


@pytest.mark.parametrize("text", ["r8 J J", "= r8", "r8 J J =", "r8 J J = flush"])
def test_what_no_declaration_looks_like(text: str) -> None:
    with pytest.raises((DeclarationError, TileError)):
        parse_statement(text)


@pytest.mark.parametrize("name", ["C0", "C14", "C04", "C", "x1", "", "C²"])
def test_a_colour_change_is_named_by_a_number(name: str) -> None:
    if name == "C":
        assert parse_declaration([name])  # left open
        return
    with pytest.raises(TileError):
        parse_declaration([name])


def test_plain_values_and_back() -> None:
    row = tuple(map(parse_tile, ["r8.1", "J.1", "J.2"]))
    for said in ("run", ["r8", "b8", "k8"]):
        declared = {row: parse_declaration(said)}
        value = plain(declared, tile_texts)
        assert value == [{"set": ["r8.1", "J.1", "J.2"], "as": said}]
        assert from_plain(value, lambda texts: tuple(parse_tile(str(t)) for t in texts)) == declared
    old = [[["r8", "J", "J"], "run"]]
    assert from_plain(old, parse_tiles) == {parse_row("r8 J J"): Kind.RUN}


@pytest.mark.parametrize("value", [{}, "run", [1], [{"set": ["r8"]}], [[["r8"]]], [["r8", "run"]]])
def test_plain_values_that_say_nothing(value: object) -> None:
    with pytest.raises(DeclarationError):
        from_plain(value, parse_tiles)


# Turns


def test_several_jokers_of_a_set_are_named() -> None:
    silent = judge(SABRA, "r8 J J", "", "r8 J J")
    assert codes(silent) == ["undeclared"]
    assert silent.reasons[0].params["readings"] == "r8 r9 r10 / r8 b8 k8 / r8 b8 o8 / …"
    said = judge(SABRA, "r8 J J", "", "r8 J J", said=named("r8 J J = r8 b8 k8"))
    assert said.legal
    assert texts(said.declared) == {"r8 J J": "r8 b8 k8"}


def test_the_place_names_the_jokers_of_a_run() -> None:
    verdict = judge(SABRA, "r5 J J r8", "", "r5 J J r8")
    assert verdict.legal
    assert texts(verdict.declared) == {"r5 J J r8": "r5 r6 r7 r8"}
    run = judge(SABRA, "r8 J J", "", "r8 J J", said={parse_row("r8 J J"): Kind.RUN})
    assert texts(run.declared) == {"r8 J J": "r8 r9 r10"}
    group = judge(SABRA, "r8 J J", "", "r8 J J", said={parse_row("r8 J J"): Kind.GROUP})
    assert codes(group) == ["undeclared"]


def test_one_joker_need_not_be_named_but_may() -> None:
    assert judge(SABRA, "r7 b7 J", "", "r7 b7 J").declared == {}
    said = named("r7 b7 J = r7 b7 o7")
    assert texts(judge(SABRA, "r7 b7 J", "", "r7 b7 J", said=said).declared) == {
        "r7 b7 J": "r7 b7 o7"
    }


@pytest.mark.parametrize(
    "statement", ["r8 J J = r8 b8 b8", "r8 J J = r8 r10 r9", "r8 J J = mirror-run"]
)
def test_what_a_row_cannot_be_is_refused(statement: str) -> None:
    verdict = judge(SABRA, "r8 J J", "", "r8 J J", said=named(statement))
    assert codes(verdict) == ["bad-declaration"]


def test_a_table_that_cannot_be_what_was_said_is_impossible() -> None:
    with pytest.raises(PositionError, match="cannot be"):
        judge(SABRA, "r7", "r8 J J", "r8 J J", was=named("r8 J J = r8 b8 b8"))


def test_an_opening_counts_what_was_named() -> None:
    for statement, value in (("r10 J J = r10 b10 k10", 30), ("r10 J J = r10 r11 r12", 33)):
        verdict = judge(CLASSIC, "r10 J J", "", "r10 J J", said=named(statement), opened=False)
        assert (verdict.legal, verdict.value) == (True, value)
    low = judge(SABRA, "r9 J J", "", "r9 J J", said=named("r9 J J = r9 b9 k9"), opened=False)
    assert codes(low) == ["below-minimum"]


WAS = named("r8 J J = r8 b8 k8")


@pytest.mark.parametrize(("tile", "legal"), [("b8", True), ("k8", True), ("o8", False)])
def test_only_the_named_tile_replaces_a_joker(tile: str, legal: bool) -> None:
    after = f"r8 {tile} J / o11 o12 J"
    verdict = judge(SABRA, f"{tile} o11 o12", "r8 J J", after, was=WAS)
    assert verdict.legal is legal
    if legal:
        other = "k8" if tile == "b8" else "b8"
        assert texts(verdict.declared) == {f"r8 {tile} J": f"r8 {tile} {other}"}


def test_a_joker_that_is_left_alone_keeps_its_name() -> None:
    was = named("r8 b8 J = r8 b8 k8")
    assert judge(SABRA, "k8 o11 o12", "r8 b8 J", "r8 b8 k8 / o11 o12 J", was=was).legal
    other = judge(SABRA, "o8 o11 o12", "r8 b8 J", "r8 b8 o8 / o11 o12 J", was=was)
    assert codes(other) == ["locked-row"]
    assert judge(SABRA, "o8", "r8 b8 J", "r8 b8 J o8", was=was).legal
    replaced = judge(SABRA, "k8", "r8 b8 J", "r8 b8 J k8", was=was)  # and laid again, as orange
    assert replaced.legal
    assert replaced.declared == {}


def test_a_name_goes_with_its_joker_into_another_row() -> None:
    """Split from a run, it stays the red 6 that it was, also among other sixes."""
    was = named("r5 J J r8 = r5 r6 r7 r8")
    turn = judge(CLASSIC, "b6 k6 r4 r6 r9", "r5 J J r8", "b6 k6 J / r4 r5 r6 / J r8 r9", was=was)
    assert turn.legal
    assert texts(turn.declared) == {"b6 k6 J": "b6 k6 r6", "J r8 r9": "r7 r8 r9"}


def test_a_name_that_does_not_fit_any_more_is_gone() -> None:
    was = named("b6 k6 J = b6 k6 r6")
    full = judge(CLASSIC, "r6", "b6 k6 J", "b6 k6 J r6", was=was)
    assert codes(full) == ["joker-not-in-new-set"]
    assert judge(EXPLICIT["taiwan"], "r6", "b6 k6 J", "b6 k6 J r6", was=was).declared == {}


def test_another_name_makes_another_joker() -> None:
    said = named("r8 J J = r8 b8 o8")
    turn = ("r1 b1 k1", "r8 J J", "r8 J J / r1 b1 k1")
    assert codes(judge(SABRA, *turn, was=WAS, said=said)) == ["locked-row"]
    verdict = judge(EXPLICIT["taiwan"], *turn, was=WAS, said=said)
    assert texts(verdict.declared) == {"r8 J J": "r8 b8 o8"}


def test_jokers_with_ids_are_told_apart() -> None:
    row = tuple(map(parse_tile, ["r8.1", "J.1", "J.2"]))
    played = tuple(map(parse_tile, ["b8.1", "o11.1", "o12.1"]))
    was = {row: parse_declaration(["r8", "b8", "k8"])}

    def freed(joker: str, stays: str) -> TurnVerdict:
        after = [["r8.1", "b8.1", stays], ["o11.1", "o12.1", joker]]
        return judge_turn(
            Position(CLASSIC, (row,), played, opened=True, declared=was),
            tuple([tuple(map(parse_tile, line)) for line in after]),
            {},
        )

    assert texts(freed("J.1", "J.2").declared) == {"r8 b8 J": "r8 b8 k8"}
    assert freed("J.1", "J.2").legal
    wrong = freed("J.2", "J.1")  # J.1 was the blue 8, which now lies beside it
    assert wrong.legal  # red 8 and two jokers are no row to speak of: anything made of it is new
    assert wrong.declared == {}


def test_a_double_joker_names_two_tiles_and_a_colour_change_its_number() -> None:
    said = named("b3 D J = b3 k3 o3 r3")
    verdict = judge(TWIST, "b3 D J", "", "b3 D J", said=said)
    assert verdict.legal
    assert texts(verdict.declared) == {"b3 D J": "b3 k3 o3 r3"}
    open_colour = judge(TWIST, "r5 C J", "", "r5 C J")
    assert codes(open_colour) == ["undeclared"]
    said = named("r5 C J = r5 C6 k7")
    assert texts(judge(TWIST, "r5 C J", "", "r5 C J", said=said).declared) == {"r5 C J": "r5 C6 k7"}


def test_names_of_a_row_out_of_order_put_it_in_order() -> None:
    verdict = judge(SABRA, "r9 r8 J J", "", "J r9 J r8", said=named("J r9 J r8 = r10 r9 r7 r8"))
    assert verdict.legal
    assert texts(verdict.declared) == {"J r8 r9 J": "r7 r8 r9 r10"}


def test_a_row_that_lay_there_unnamed_may_stay() -> None:
    verdict = judge(SABRA, "r1 b1 k1", "r8 J J", "r8 J J / r1 b1 k1")
    assert verdict.legal
    assert verdict.declared == {}


@pytest.mark.parametrize("opened", [True, False])
def test_a_row_that_lay_there_without_a_kind_may_stay(opened: bool) -> None:
    rules = edition("classic", {"joker.declare": "kind", "initial.min": 3})
    verdict = judge(rules, "r1 b1 k1", "r8 J J", "r8 J J / r1 b1 k1", opened=opened)
    assert verdict.legal
    assert verdict.declared == {}


def test_a_row_that_changes_needs_a_kind() -> None:
    rules = edition("classic", {"joker.declare": "kind"})
    verdict = judge(rules, "r1 b1 k1", "r8 J J", "J r8 J / r1 b1 k1")
    assert codes(verdict) == ["undeclared"]


def test_both_colours_and_a_name() -> None:
    rules = edition("sabra", {"joker.declare": "explicit", "joker.group3_needs_both": True})
    was = named("r8 b8 J = r8 b8 k8")
    one = judge(rules, "k8 o11 o12", "r8 b8 J", "r8 b8 k8 / o11 o12 J", was=was)
    assert codes(one) == ["locked-row"]
    both = "r8 b8 k8 o8 / o11 o12 J"
    assert judge(rules, "k8 o8 o11 o12", "r8 b8 J", both, was=was).legal


def test_names_bind_wherever_they_are_said() -> None:
    position = edition("sabra")
    was = named("r3 k3 J = r3 k3 b3")
    turn = ("o3 b11 b12", "r3 k3 J", "r3 k3 o3 / b11 b12 J")
    assert judge(position, *turn).legal
    assert codes(judge(position, *turn, was=was)) == ["locked-row"]
