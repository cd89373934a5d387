"""Editions as data: the boxes, every option, and what is refused."""

from __future__ import annotations

import contextlib
import pickle
import random
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.rules.strategies import any_editions, option_values, random_edition, randoms
from tilerummy.rules.editions import (
    CLASSIC,
    EDITIONS,
    SABRA,
    SIXPLAYER,
    SPECS,
    TAIWAN,
    TWIST,
    Edition,
    edition,
    find_spec,
    option_value,
    parse_option,
)
from tilerummy.rules.errors import OptionError
from tilerummy.rules.options import OptionGroup, Spec, jokers_text
from tilerummy.rules.tiles import ALL_FACES, face_of


@pytest.mark.parametrize(
    ("name", "players", "size"),
    [
        ("classic", 4, 106), ("taiwan", 4, 106), ("twist", 4, 112), ("sabra", 4, 106),
        ("sixplayer", 4, 106), ("sixplayer", 5, 160), ("sixplayer", 6, 160),
    ],
)  # fmt: skip
def test_the_box_of_an_edition(name: str, players: int, size: int) -> None:
    box = edition(name).box(players)
    assert len(box) == len(box.tiles()) == len(set(box.tiles())) == size
    for face in ALL_FACES:
        assert sum(face_of(tile) == face for tile in box.tiles()) == box.count(face)


def test_the_large_box_may_be_asked_for_with_few_players() -> None:
    assert len(edition("sixplayer", {"reduced_box": False}).box(2)) == 160


@pytest.mark.parametrize(
    ("key", "classic", "taiwan", "sixplayer", "twist", "sabra"),
    [
        ("copies", 2, 2, 3, 2, 2),
        ("jokers", "J2", "J2", "J4", "J2 D2 C2 M2", "J2"),
        ("players.min", 2, 2, 2, 2, 2),
        ("players.max", 4, 4, 6, 4, 4),
        ("hand_size", 14, 14, 14, 14, 14),
        ("starter.keep_tile", False, False, False, False, True),
        ("direction", "cw", "cw", "cw", "cw", "cw"),
        ("initial.min", 30, 30, 30, 30, 30),
        ("initial.single_set", False, False, False, False, False),
        ("initial.jokers", True, True, True, True, True),
        ("initial.same_turn_manipulation", False, False, False, False, True),
        ("draw.mode", "one", "one", "one", "one", "one"),
        ("timer.seconds", 60, 60, 60, 60, 120),
        ("timer.legal_draft", "commit", "commit", "commit", "commit", "commit"),
        ("penalty.tiles", 3, 3, 3, 3, 3),
        ("penalty.mode", "fixed", "fixed", "fixed", "fixed", "fixed"),
        ("strict_submit", False, False, False, False, False),
        ("empty_pool.pass", "forced_if_able", "forced_if_able", "forced_if_able",
         "forced_if_able", "voluntary"),
        ("empty_pool.end", "nobody_can", "final_round", "final_round", "nobody_can", "all_pass"),
        ("joker.reuse", "new_set", "any", "any", "any", "any"),
        ("joker.locked_sets", False, False, False, False, True),
        ("joker.replace_from", "any", "any", "any", "any", "rack"),
        ("joker.group3_needs_both", False, False, False, False, False),
        ("joker.max_per_set", None, None, None, None, None),
        ("joker.declare", "position", "position", "position", "position", "position"),
        ("joker.rack_penalty", 30, 30, 30, 30, 30),
        ("set.min_natural", 1, 1, 1, 1, 1),
        ("set.order", "normalise", "normalise", "normalise", "as_laid", "normalise"),
        ("blocked_tie", "split", "split", "split", "split", "split"),
        ("match.games_per_round", "players", "players", "players", "players", 1),
        ("match.winner", "games", "games", "games", "games", "games"),
        ("match.final_tie", "shared", "shared", "shared", "shared", "shared"),
    ],
)  # fmt: skip
def test_defaults_are_those_of_the_rules(
    key: str, classic: object, taiwan: object, sixplayer: object, twist: object, sabra: object
) -> None:
    expected = {"classic": classic, "taiwan": taiwan, "sixplayer": sixplayer}
    expected |= {"twist": twist, "sabra": sabra}
    assert {name: option_value(rules, key) for name, rules in EDITIONS.items()} == expected


def test_twist_defaults_are_those_of_the_rules() -> None:
    options = TWIST.options()
    assert options["twist.special_exchange_ban"] is True
    assert options["twist.mirror_min_side"] == 1
    assert options["twist.mirror_c_needs_c"] is False
    assert options["twist.adjacent_c"] is True
    assert options["twist.mirror_number"] == "none"


def test_tournament_extras_are_off_everywhere() -> None:
    for rules in EDITIONS.values():
        assert rules.tournament_redeal_doubles == 0
        assert rules.tournament_unopened_penalty == 0


# Options


@pytest.mark.parametrize("spec", SPECS.values(), ids=SPECS.keys())
def test_every_value_of_an_option_is_taken_and_given_back(spec: Spec) -> None:
    base = TWIST.with_options({"empty_pool.end": "final_round"})
    for value in option_values(spec):
        options: dict[str, object] = {spec.key: value}
        if spec.key == "players.max":
            options["hand_size"] = 5
        if spec.key == "reduced_box":
            options |= {"copies": 3, "jokers": "J4 D1"}
        if spec.key == "hand_size":
            options["copies"] = 3
        if spec.key == "jokers":
            options["hand_size"] = 5
        if spec.key == "copies":
            options["hand_size"] = 5
        rules = base.with_options(options)
        assert option_value(rules, spec.key) == value
        assert rules.options()[spec.key] == value
        again = edition("twist", rules.changed_options())
        assert again == rules
        assert hash(again) == hash(rules)


@given(randoms)
def test_changed_options_give_the_same_edition_again(rng: random.Random) -> None:
    rules = random_edition(rng, changes=8)
    assert edition(rules.name, rules.changed_options()) == rules


def test_an_implied_option_may_be_set_otherwise() -> None:
    large = edition("sixplayer", {"copies": 4})
    assert not large.reduced_box
    both = edition("sixplayer", {"copies": 4, "reduced_box": True})
    assert edition("sixplayer", both.changed_options()) == both
    locked = edition("classic", {"joker.locked_sets": True, "joker.replace_from": "any"})
    assert edition("classic", locked.changed_options()) == locked


def test_options_taken_back_leave_no_trace_that_cannot_be_loaded() -> None:
    plain = TWIST.with_options({"twist.adjacent_c": False})
    with pytest.raises(OptionError, match="special jokers"):
        plain.with_options({"jokers": "J2"})
    final = TAIWAN.with_options({"final_round.manipulation": False})
    with pytest.raises(OptionError, match="final round"):
        final.with_options({"empty_pool.end": "all_pass"})


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"nonsense": 1}, "unknown option 'nonsense'"),
        ({"joker.rack_penality": 25}, "joker.rack_penalty"),
        ({"copies": 0}, "a whole number from 1 to 4"),
        ({"copies": 5}, "a whole number from 1 to 4"),
        ({"copies": "2"}, "a whole number from 1 to 4"),
        ({"copies": 2.0}, "a whole number from 1 to 4"),
        ({"copies": True}, "a whole number from 1 to 4"),
        ({"copies": None}, "a whole number from 1 to 4"),
        ({"direction": "left"}, "cw or ccw"),
        ({"direction": 1}, "cw or ccw"),
        ({"joker.reuse": "never"}, "any or other_set or new_set or new_set_rack2"),
        ({"starter.keep_tile": 1}, "true or false"),
        ({"starter.keep_tile": "true"}, "true or false"),
        ({"joker.max_per_set": 17}, "a whole number from 0 to 16 or null"),
        ({"match.games_per_round": 0}, "players or a whole number from 1 to 100"),
        ({"match.games_per_round": "all"}, "players or a whole number from 1 to 100"),
        ({"jokers": "J5"}, "as in J2 or J2 D2 C2 M2"),
        ({"jokers": "X2"}, "as in J2"),
        ({"jokers": "J2 J2"}, "as in J2"),
        ({"jokers": ""}, "as in J2"),
        ({"jokers": "J"}, "as in J2"),
        ({"jokers": "J-1"}, "as in J2"),
        ({"jokers": "J" + "9" * 5000}, "as in J2"),
        ({"jokers": 2}, "as in J2"),
        ({"jokers": {"J": "2"}}, "as in J2"),
        ({"jokers": {2: 2}}, "as in J2"),
        ({"players.min": 4, "players.max": 3}, "players.min=4 is more than players.max=3"),
        ({"hand_size": 27}, "at most hand_size=26"),
        ({"players.max": 6, "hand_size": 20}, "fewer players"),
        ({"twist.adjacent_c": False}, "jokers=J2 D2 C2 M2"),
        ({"twist.special_exchange_ban": True}, "take the edition twist"),
        ({"final_round.manipulation": False}, "empty_pool.end=final_round"),
        ({"reduced_box": True}, "out of a larger box"),
        ({"reduced_box": True, "copies": 1, "jokers": "J4", "hand_size": 9}, "out of a larger box"),
        ({"reduced_box": True, "jokers": "D1"}, "out of a larger box"),
    ],
)  # fmt: skip
def test_impossible_options_are_refused_with_what_is_possible(
    options: dict[str, object], said: str
) -> None:
    with pytest.raises(OptionError) as refused:
        edition("classic", options)
    assert said in str(refused.value)
    assert refused.value.code == "bad-option"
    assert len(str(refused.value)) < 1500


@pytest.mark.parametrize("name", ["Classic", "", None, 3, ["classic"], "klassik"])
def test_an_unknown_edition_is_refused_with_those_there_are(name: object) -> None:
    with pytest.raises(OptionError, match="there are classic, taiwan") as refused:
        edition(name)
    assert refused.value.code == "bad-edition"


def test_the_spellings_of_the_rules_are_taken() -> None:
    assert edition("classic", {"set.order": "as laid"}).set_order == "as_laid"
    assert edition("classic", {"match.winner": "games, score"}) == CLASSIC


@pytest.mark.parametrize(
    ("text", "key", "value"),
    [
        ("joker.rack_penalty=25", "joker.rack_penalty", 25),
        (" joker.rack_penalty = 25 ", "joker.rack_penalty", 25),
        ("timer.seconds=000000000000060", "timer.seconds", 60),
        ("joker.max_per_set=null", "joker.max_per_set", None),
        ("joker.max_per_set=None", "joker.max_per_set", None),
        ("strict_submit=yes", "strict_submit", True),
        ("strict_submit=off", "strict_submit", False),
        ("strict_submit=TRUE", "strict_submit", True),
        ("direction=ccw", "direction", "ccw"),
        ("match.games_per_round=players", "match.games_per_round", "players"),
        ("match.games_per_round=3", "match.games_per_round", 3),
        ("jokers=J2 D2", "jokers", "J2 D2"),
        ("set.order=as laid", "set.order", "as laid"),
    ],
)
def test_an_option_is_read_from_text(text: str, key: str, value: object) -> None:
    assert parse_option(text) == (key, value)
    edition("classic", dict([parse_option(text)]))


@pytest.mark.parametrize(
    "text",
    ["", "=", "nonsense=1", "copies", "copies=", "copies==2", "copies=--2", "copies=-2",
     "copies=two", "copies=2.0", "copies=²", "copies=99999999999999999999", "strict_submit=maybe",
     "strict_submit=1", "direction=CW", "jokers=many", "copies=null", "copies=" + "1" * 5000,
     "copies=" + "0" * 5000],
)  # fmt: skip
def test_option_text_that_cannot_be_is_refused(text: str) -> None:
    with pytest.raises(OptionError):
        edition("classic", dict([parse_option(text)]))


@given(st.sampled_from(list(SPECS)), st.text(max_size=30))
def test_any_option_text_is_an_option_or_an_option_error(key: str, value: str) -> None:
    with contextlib.suppress(OptionError):
        edition("twist", dict([parse_option(f"{key}={value}")]))


@given(st.tuples(*[st.integers(0, 4)] * 4))
def test_jokers_read_back_from_their_text(jokers: Any) -> None:
    text = jokers_text(jokers)
    assert edition("classic", {"jokers": text}).jokers == jokers
    named = dict(zip("JDCM", jokers, strict=True))
    assert edition("classic", {"jokers": named}).jokers == jokers


def test_possible_values_are_given_in_words() -> None:
    assert find_spec("direction").possible() == "cw or ccw"
    assert find_spec("joker.max_per_set").possible() == "a whole number from 0 to 16 or null"
    for spec in SPECS.values():
        assert spec.possible()


def test_six_player_hands_must_fit_the_reduced_box_too() -> None:
    assert SIXPLAYER.with_options({"hand_size": 26}).hand_size == 26
    with pytest.raises(OptionError, match="at most hand_size=26"):
        SIXPLAYER.with_options({"hand_size": 27})
    fits = SIXPLAYER.with_options({"hand_size": 26, "players.max": 4})
    assert fits.hand_size == 26


@given(any_editions)
def test_an_edition_survives_pickling_without_its_kept_hash(rules: Edition) -> None:
    hash(rules)
    data = pickle.dumps(rules)
    assert b"_hash" not in data
    again = pickle.loads(data)
    assert again == rules
    assert hash(again) == hash(rules)


def test_editions_differ_where_the_rules_do() -> None:
    assert len(set(EDITIONS.values())) == 5
    assert SABRA.with_options({"timer.seconds": 60}) != SABRA
    assert CLASSIC.with_options({"timer.seconds": 60}) == CLASSIC
    assert CLASSIC.changed_options() == {}
    assert CLASSIC.with_options({"timer.seconds": 30}).changed_options() == {"timer.seconds": 30}


def test_options_of_the_box_change_the_box() -> None:
    sizes = {copies: len(edition("classic", {"copies": copies, "hand_size": 5}).box())
             for copies in (1, 2, 3, 4)}  # fmt: skip
    assert sizes == {1: 54, 2: 106, 3: 158, 4: 210}
    assert len(edition("classic", {"jokers": "J0"}).box()) == 104
    assert len(edition("classic", {"jokers": "J4 D4 C4 M4"}).box()) == 120
    assert edition("classic", {"jokers": "J2 D1"}).has_specials
    assert not CLASSIC.has_specials
    reduced = {"copies": 3, "jokers": "J4", "reduced_box": True}
    assert len(edition("classic", reduced).box(4)) == 106
    assert len(edition("classic", {**reduced, "reduced_box": False}).box(4)) == 160


def test_every_option_has_a_group_of_the_vocabulary() -> None:
    assert {spec.group for spec in SPECS.values()} == {*get_args(OptionGroup)}
