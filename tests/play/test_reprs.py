"""Short reprs: one line that says what a value is, and no secrets."""

from __future__ import annotations

from tests.play.states import SECRET, dealt
from tilerummy.play.match import Match
from tilerummy.play.record import Record
from tilerummy.play.views import view
from tilerummy.rules.editions import CLASSIC


def test_games_and_views_say_where_they_are() -> None:
    game = dealt(CLASSIC, 2)
    assert repr(game) == (
        f"<Game 1 classic playing, turn 1, seat {game.current}, racks 14+14, table 0, pool 78>"
    )
    assert repr(view(game, 0)) == (
        f"<View of game 1 classic playing for seat 0, turn 1 of seat {game.current}, "
        "rack 14, table 0, pool 78>"
    )
    assert "for spectator" in repr(view(game, None))
    assert SECRET not in repr(game)


def test_matches_and_records_say_how_far_they_are() -> None:
    match = Match(CLASSIC, ("Ann", "Ben"))
    assert repr(match) == "<Match classic, Ann, Ben, 0 of 2 games>"
    assert repr(Record.of(match)) == "<Record classic, Ann, Ben, 0 games, 0 events>"
