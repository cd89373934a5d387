"""Games as text."""

from __future__ import annotations

import pytest

from tests.env.agents import random_decisions
from tilerummy.env import raw_env
from tilerummy.env.drafts import RIGHT, TAKE
from tilerummy.rules.tiles import FACE_OF, face_text, row_text, table_text


def test_a_game_is_shown_with_the_draft_of_the_player_to_move() -> None:
    game = raw_env("classic", 2, actions="tiles", render_mode="ansi")
    game.reset(seed=1)
    rack = game.game.racks[game.game.current]
    shown = str(game.render())
    assert "table empty" in shown
    assert f"> {game.agent_selection} (not opened) {row_text(rack)}" in shown
    game.step(TAKE + FACE_OF[rack[0]])
    assert f"in hand {face_text(rack[0])}" in str(game.render())
    game.step(RIGHT)
    assert f"table {face_text(rack[0])}\n" in str(game.render())


def test_human_mode_prints_every_state(capsys: pytest.CaptureFixture[str]) -> None:
    game = raw_env("taiwan", 2, candidates=6, render_mode="human")
    turns = len([*random_decisions(game, seed=1)])
    said = capsys.readouterr().out
    assert said.count("turn ") == turns + 1
    assert f"table {table_text(game.game.table)}" in said
    assert "over: " in said
