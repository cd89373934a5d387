"""Turns that are too complicated for the event loop, over real sockets."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from tests.rules.complicated import COMPLICATED, MANY_JOKERS, forget
from tests.server.edge.test_sockets import Table
from tests.server.emptied import POOL, held_up
from tests.server.live_server import PATIENCE, LiveServer, answer_code, live_server
from tilerummy.play.commands import Play, Turn
from tilerummy.play.events import Drew
from tilerummy.rules.turns import judge_turn
from tilerummy.server.protocol.tiles import table_out

SETTINGS = {"TILERUMMY_PACE_SEEDS": "60s", "TILERUMMY_PACE_PROOF": "60s"}
WITHOUT_TIME = {**SETTINGS, "TILERUMMY_PACE_PROOF": "0ms"}
OPTIONS: dict[str, Any] = {**MANY_JOKERS, "set.order": "normalise", "timer.seconds": 0}
ROWS = COMPLICATED["order"][1]
"""Nobody needs to have these tiles: what is wrong with the row is said all the same."""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    with live_server(tmp_path_factory.mktemp("complicated"), SETTINGS) as server:
        yield server
        assert server.complaints.lines == []


@pytest.fixture(autouse=True)
def _forget() -> None:
    forget()


def begun(server: LiveServer, stack: ExitStack) -> Table:
    table = Table(server, stack, "Ann", "Bo", edition="twist", options=OPTIONS)
    table.begin()
    return table


def test_it_is_judged_elsewhere_and_holds_up_no_other_room(server: LiveServer) -> None:
    with ExitStack() as stack:
        slow = begun(server, stack)
        quick = Table(server, stack, "Cy", "Di", options=POOL)
        quick.begin()
        game = server.room(slow.code).game
        assert game is not None
        line = slow.current
        with held_up(server, server.node.prover, "_ask") as asked:
            played = line.command("play", turn=line.known.turn, table=table_out(ROWS))
            assert asked.wait(PATIENCE)
            for _ in range(6):
                quick.draw()
            assert line.is_silent
        answer = line.until(lambda message: message.get("re") == played)
        assert answer_code(answer) == "illegal-play"
        expected = judge_turn(game.position(game.current), ROWS, {}).reasons
        assert [reason["code"] for reason in answer["reasons"]] == [each.code for each in expected]
        slow.draw()


def test_without_a_verdict_in_time_it_is_refused_and_nothing_is_lost(tmp_path: Path) -> None:
    with live_server(tmp_path, WITHOUT_TIME) as server, ExitStack() as stack:
        table = begun(server, stack)
        line, before = table.current, server.room(table.code)
        message = {"turn": line.known.turn, "table": table_out(ROWS)}
        for _ in range(2):
            assert answer_code(line.ask("play", **message)) == "too-complicated"
        assert server.room(table.code) == before
        table.draw()
        assert server.room(table.code).version == before.version + 1


def test_a_bot_whose_turn_is_refused_does_not_play(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with live_server(tmp_path, WITHOUT_TIME) as server, ExitStack() as stack:

        async def chosen(bot: str, view: Any, *_: Any) -> Turn:
            return Play(view.current, ROWS)

        monkeypatch.setattr(server.node.bot_pool, "choose", chosen)
        table = Table(server, stack, "Ann", edition="twist", options=OPTIONS, bots=("simple",))
        line = table.lines[0]
        table.begin()
        if line.known.current == 0 and line.known.turn == 1:
            table.draw()
        while line.known.current:
            line.receive()
        game = server.room(table.code).game
        assert game is not None
        assert isinstance(game.last, Drew)
        assert game.last.seat == 1
