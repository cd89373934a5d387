"""Seats from a list of names: people, and every bot of the roster."""

from __future__ import annotations

import pytest

from tilerummy.bots import BOTS, STAND_IN
from tilerummy.cli.plan import PlanError, Seat, parse_seats


def seats(*words: str) -> tuple[Seat, ...]:
    return parse_seats(words, lambda number: f"Bot {number}")


def test_a_word_that_starts_with_bot_is_a_bot() -> None:
    assert seats("Ann", "bot", "Botticelli") == (
        Seat("Ann", human=True),
        Seat("Bot 1", human=False, bot=STAND_IN),
        Seat("Botticelli", human=False, bot=STAND_IN),
    )


@pytest.mark.parametrize("bot", BOTS)
def test_every_bot_of_the_roster_can_be_seated(bot: str) -> None:
    assert seats("bot", f"Bot:{bot}")[1] == Seat("Bot 2", human=False, bot=bot)


@pytest.mark.parametrize("word", ["bot:?", "bot:"])
def test_an_unknown_bot_is_refused_with_a_list_of_all(word: str) -> None:
    with pytest.raises(PlanError, match="bot:simple, bot:solver"):
        seats("Ann", word)
