"""The rule book is complete, true for every edition, and the same in every language."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TypeVar

import pytest
from hypothesis import given

from tests.locales.editions import house_rules, with_one_change
from tilerummy.locales import LANGUAGES, value_text
from tilerummy.locales.rulebook import (
    Paragraph,
    RowExample,
    ScoreExample,
    Section,
    TurnExample,
    Variations,
    book_words,
    claim_holds,
    claimed_sections,
    rulebook,
    structure,
)
from tilerummy.rules.editions import CLASSIC, EDITIONS, SABRA, TWIST, Edition, edition
from tilerummy.rules.faults import judge_row
from tilerummy.rules.orders import best_order
from tilerummy.rules.position import Position
from tilerummy.rules.tiles import faces_of
from tilerummy.rules.turns import judge_turn

ALL = list(EDITIONS.values())
T = TypeVar("T", RowExample, TurnExample, ScoreExample)
LIMITS_ON_SETS = {"joker.max_per_set", "set.min_natural", "twist.mirror_min_side"}
"""Options that can forbid the very sets that an example is about."""
CHINESE = {"sets.terms"}
"""What only the Chinese books have to say."""


def text_of(edition: Edition, lang: str = "en") -> str:
    sections = rulebook(edition, lang)
    return "\n".join(
        block.text if isinstance(block, Paragraph) else block.caption
        for section in sections
        for block in section.blocks
    )


def section(edition: Edition, name: str) -> Section:
    return next(section for section in rulebook(edition, "en") if section.id == name)


def examples(edition: Edition, kind: type[T]) -> list[T]:
    """What the structure claims, whether or not it is true."""
    blocks = [block for part in claimed_sections(edition, "en") for block in part.blocks]
    return [block for block in blocks if isinstance(block, kind)]


@pytest.mark.parametrize("edition", ALL, ids=lambda edition: edition.name)
class TestExamples:
    """Every example of every edition, as the judge sees it."""

    def test_rows_are_what_the_book_says(self, edition: Edition) -> None:
        for example in examples(edition, RowExample):
            verdict = judge_row(edition, faces_of(example.row))
            assert verdict.valid == example.valid, example
            assert (verdict.kind, verdict.value) == (example.kind, example.value), example
            if example.reason:
                assert example.reason in {reason.code for reason in verdict.reasons}, example

    def test_invalid_rows_are_invalid_in_any_order_where_order_is_free(
        self, edition: Edition
    ) -> None:
        if edition.set_order == "normalise":
            for example in examples(edition, RowExample):
                assert example.valid or best_order(edition, faces_of(example.row)) is None, example

    def test_turns_are_what_the_book_says(self, edition: Edition) -> None:
        for example in examples(edition, TurnExample):
            verdict = judge_turn(
                Position(edition, example.before, example.rack, example.opened), example.after
            )
            assert verdict.legal == example.legal, example
            if example.reason:
                assert example.reason in {reason.code for reason in verdict.reasons}, example

    def test_scores_sum_to_zero(self, edition: Edition) -> None:
        found = list(examples(edition, ScoreExample))
        assert found
        assert all(sum(example.scores) == 0 for example in found)

    def test_none_is_left_out(self, edition: Edition) -> None:
        assert rulebook(edition, "en") == claimed_sections(edition, "en")


def test_every_block_of_the_structure_is_shown_to_somebody() -> None:
    """No condition is impossible, no example false at every table."""
    editions = [*ALL, *(changed for _, changed in with_one_change())]
    editions.append(edition("sabra", {"joker.replace_from": "any", "joker.reuse": "other_set"}))
    editions.append(edition("taiwan", {"final_round.manipulation": False}))
    editions.append(edition("taiwan", {"empty_pool.pass": "voluntary"}))
    editions.append(edition("twist", {"joker.declare": "explicit"}))
    editions.append(edition("classic", {"strict_submit": True, "penalty.mode": "leftover_count"}))
    shown: set[str] = set()
    for one in editions:
        for part in rulebook(one, "zh-Hant"):
            for block in part.blocks:
                shown.add(block.id)
                if isinstance(block, Variations):
                    shown.update(item.id for item in block.items)
    assert [each for each in _block_ids() if each not in shown] == []


def _block_ids() -> Iterator[str]:
    for entry in structure():
        for item in entry["blocks"]:
            name = f"{entry['id']}.{item.get('text') or item['id']}"
            yield name
            yield from (f"{name}.{variation['id']}" for variation in item.get("variations", ()))


def test_every_word_of_the_book_is_used() -> None:
    used = {"title.house", "text.house.option", "text.house.choice"}
    for part in structure():
        used.add(f"title.{part['id']}")
        for block in part["blocks"]:
            kind = "text" if "text" in block else "caption"
            name = f"{part['id']}.{block.get('text') or block['id']}"
            used.add(f"{kind}.{name}")
            used |= {f"variation.{name}.{item['id']}" for item in block.get("variations", ())}
    others = ("docs.", "sheet.", "term.")
    words = {key for key in book_words("en").messages if not key.startswith(others)}
    assert words == used


def test_one_changed_option_leaves_out_an_example_only_where_it_limits_sets() -> None:
    for key, changed in with_one_change():
        if key not in LIMITS_ON_SETS:
            left_out = [
                block
                for part in claimed_sections(changed, "en")
                for block in part.blocks
                if not isinstance(block, Paragraph) and not claim_holds(block, changed)
            ]
            assert not left_out, (key, changed.changed_options())


@given(house_rules())
def test_any_house_rules_give_a_book_in_every_language(edition: Edition) -> None:
    books = [rulebook(edition, language) for language in LANGUAGES]
    shapes = [
        [(part.id, [block.id for block in part.blocks if block.id not in CHINESE]) for part in book]
        for book in books
    ]
    assert shapes[0] == shapes[1] == shapes[2]
    for book in books:
        for part in book:
            for block in part.blocks:
                text = block.text if isinstance(block, Paragraph) else block.caption
                assert text
                assert "{" not in text
                assert isinstance(block, Paragraph) or claim_holds(block, edition)


@given(house_rules())
def test_house_rules_are_listed_exactly_where_there_are_any(edition: Edition) -> None:
    listed = [part for part in rulebook(edition, "en") if part.id == "house"]
    usual = EDITIONS[edition.name].options()
    changed = [key for key, value in edition.options().items() if value != usual[key]]
    assert bool(listed) == bool(changed)
    for part in listed:
        for key, block in zip(changed, part.blocks, strict=True):
            assert isinstance(block, Paragraph)
            value = value_text(edition.options()[key])
            assert block.text.endswith(f" {key} = {value} (usually {value_text(usual[key])}).")


def test_numbers_come_from_the_edition() -> None:
    house = edition("classic", {"initial.min": 42, "hand_size": 11, "joker.rack_penalty": 25})
    text = text_of(house)
    assert "worth at least 42 points" in text
    assert "takes 11 tiles" in text
    assert "counts 25 there" in text
    assert "30 points" not in text


def test_the_box_is_described() -> None:
    assert "160 tiles: 156 number tiles, plus 4 jokers" in text_of(EDITIONS["sixplayer"])
    assert "106 tiles" in text_of(EDITIONS["sixplayer"])
    assert "2 regular jokers, 2 double jokers" in text_of(TWIST)
    assert "no jokers" in text_of(edition("classic", {"jokers": "J0"}))


def test_twist_speaks_of_yellow_and_the_others_of_orange() -> None:
    assert "orange" not in text_of(TWIST)
    assert "yellow" not in text_of(CLASSIC)


def test_a_box_without_jokers_has_no_section_about_them() -> None:
    plain = edition("classic", {"jokers": "J0"})
    ids = {part.id for part in rulebook(plain, "en")}
    assert not ids & {"jokers", "retrieval", "double", "change", "mirror"}
    rules = text_of(plain).partition("jokers = J0")[0]
    assert rules.count("joker") == rules.count("no jokers") == 1


@pytest.mark.parametrize("name", EDITIONS)
def test_special_jokers_are_explained_where_the_box_has_them(name: str) -> None:
    ids = {part.id for part in rulebook(EDITIONS[name], "en")}
    assert ({"double", "change", "mirror"} <= ids) == (name == "twist")


def test_a_penalty_of_one_tile_is_not_called_tiles() -> None:
    text = text_of(edition("classic", {"penalty.tiles": 1}))
    assert "The penalty is one tile" in text


def test_sabra_locks_sets_and_goes_on_in_the_opening_turn() -> None:
    assert "is locked" in text_of(SABRA)
    assert "You can go on in the same turn" in text_of(SABRA)
    assert "is locked" not in text_of(CLASSIC)


def test_a_caption_that_begins_with_a_tile_begins_with_a_capital() -> None:
    captions = [
        block.caption
        for one in ALL
        for part in rulebook(one, "en")
        for block in part.blocks
        if not isinstance(block, Paragraph)
    ]
    assert all(caption[0].isupper() or caption[0].isdigit() for caption in captions)


@pytest.mark.parametrize("language", LANGUAGES)
def test_captions_name_tiles_as_people_do(language: str) -> None:
    """The letters of the terminal are explained there alone; in a browser nobody knows them."""
    captions = [
        form
        for key, message in book_words(language).messages.items()
        if key.startswith("caption.")
        for form in message.forms.values()
    ]
    assert captions
    assert not [each for each in captions if re.search(r"(?<!\{)\b[rbko]\d", each)]


def test_the_worked_score_follows_the_joker_penalty() -> None:
    example = next(
        block
        for block in section(edition("sabra", {"joker.rack_penalty": 25}), "scoring").blocks
        if isinstance(block, ScoreExample)
    )
    assert example.scores == (43, -16, -27)
