"""The exact sentences for the end of a game, in every language."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.play.states import arranged
from tilerummy.bots.missed import missed_plays
from tilerummy.cli.endtext import end_text, endings_text
from tilerummy.locales import LANGUAGES
from tilerummy.play.game import Game, Phase
from tilerummy.rules.editions import TAIWAN, edition
from tilerummy.rules.scores import Ending, Result
from tilerummy.rules.tiles import row_text


def ended(end: Ending | None, game: Game | None = None, winners: tuple[int, ...] = (1,)) -> Game:
    game = game or arranged(racks=["r1", "r2"], table="b4 b5 b6")
    result = Result((0, 0), winners, end is not Ending.OUT, end)
    return replace(game, phase=Phase.OVER, result=result)


@pytest.mark.parametrize(
    ("end", "said"),
    [
        (Ending.OUT, "“I'm out!” Ben played the last tile and wins."),
        (Ending.NOBODY_CAN, "Nobody can play any more. Fewest points left: Ben."),
        (Ending.ALL_PASSED, "Nobody played for a whole round. Fewest points left: Ben."),
        (None, "Nobody went out. Fewest points left: Ben."),
    ],
)
def test_an_ending_in_english(end: Ending | None, said: str) -> None:
    assert end_text(ended(end), "en") == said


def test_the_player_who_could_not_play_is_named() -> None:
    game = arranged(TAIWAN, racks=["r1", "r2"], table="b4 b5 b6", pool=0, final_turns=1)
    stopped = end_text(ended(Ending.FINAL_ROUND, game), "en")
    assert stopped.startswith("Ann can't play, so the final round is over.")
    over = end_text(ended(Ending.FINAL_ROUND, replace(game, final_turns=0)), "en")
    assert over.startswith("The final round is over.")
    rules = edition("taiwan", {"empty_pool.end": "first_unable"})
    game = arranged(rules, racks=["r1", "r2"], table="b4 b5 b6", pool=0)
    assert end_text(ended(Ending.FIRST_UNABLE, game), "en").startswith("Ann can't play")


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_ending_has_words_of_its_own(lang: str) -> None:
    texts = {end_text(ended(end), lang) for end in (*Ending, None)}
    assert len(texts) == len(Ending) + 1
    assert all(texts)


def test_nobody_could_go_on_is_said_only_where_it_was_proven() -> None:
    for end in Ending:
        assert ("Nobody can" in end_text(ended(end), "en")) is (end is Ending.NOBODY_CAN)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_endings_are_counted(lang: str) -> None:
    results = [Result((0, 0), (0,), end is not Ending.OUT, end) for end in (*Ending, Ending.OUT)]
    text = endings_text(results, lang)
    assert "2" in text
    assert endings_text([], lang) == ""


def test_what_could_still_have_been_played() -> None:
    game = arranged(racks=["b7 r1", "r2 k9"], table="b4 b5 b6", pool=0, filler=0)
    found = missed_plays(game)
    assert 0 in found
    alone = arranged(racks=["b7 r1", "r2 k9"], table="b4 b5 b6")
    missed = missed_plays(alone)
    assert {seat: row_text(play.played) for seat, play in missed.items()} == {0: "b7"}
    out = arranged(racks=["", "b7"], table="b4 b5 b6")
    assert missed_plays(out) == {}
