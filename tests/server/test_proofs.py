"""Proofs that players can play, over real sockets: missing, slow, or with their process killed."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any

import pytest

from tests.server.edge.test_sockets import Table
from tests.server.emptied import EMPTY, POOL, held_up
from tests.server.live_server import (
    PATIENCE,
    LiveServer,
    answer_code,
    best_move,
    live_server,
    play_on,
)
from tilerummy.play.refusals import Refused
from tilerummy.play.verification import Report, examine
from tilerummy.server.jobs.records import record_of
from tilerummy.server.rooms.matches import TimeUp
from tilerummy.solver.turns.best_turn import can_play

SETTINGS = {"TILERUMMY_PACE_SEEDS": "60s", "TILERUMMY_PACE_PROOF": "60s"}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    with live_server(tmp_path_factory.mktemp("proofs"), SETTINGS) as server:
        yield server
        assert server.complaints.lines == []


def begun(server: LiveServer, stack: ExitStack, **options: Any) -> Table:
    """Ann and Bo, dealt, with an empty pool."""
    table = Table(server, stack, "Ann", "Bo", edition="classic", options={**EMPTY, **options})
    table.begin()
    assert table.current.known.pool == 0
    return table


def report(server: LiveServer, code: str) -> Report:
    """What checking the record of the first match finds, proofs included."""
    log = server.run(server.node.store.record_log(server.room(code).id, 1))
    return examine(record_of(log), can_play)


def test_a_player_who_can_play_must_and_the_record_holds(server: LiveServer) -> None:
    with ExitStack() as stack:
        table = begun(server, stack)
        line = table.current
        assert answer_code(line.ask("pass", turn=line.known.turn)) == "must-play"
        play_on(table.lines, lambda known: known.phase == "over")
        assert report(server, table.code) == Report((), ())


def test_without_time_for_proofs_passes_are_accepted_and_the_match_ends(tmp_path: Path) -> None:
    settings = {**SETTINGS, "TILERUMMY_PACE_PROOF": "0ms"}
    with live_server(tmp_path, settings) as server, ExitStack() as stack:
        table = begun(server, stack)
        for _ in range(2):
            line = table.current
            assert line.ask("pass", turn=line.known.turn)["type"] == "events"
            for other in table.lines:
                other.settle()
        assert table.lines[0].known.phase == "over"
        found = report(server, table.code)
        assert found.problems == ()
        assert [turn.holds for turn in found.unproven] == [True, False, False]  # both could play
        assert server.complaints.lines == []


def test_a_proof_that_takes_long_holds_up_no_other_room(server: LiveServer) -> None:
    with ExitStack() as stack:
        slow = begun(server, stack)
        quick = Table(server, stack, "Cy", "Di", options=POOL)
        quick.begin()
        prover = server.node.prover
        with held_up(server, prover, "_ask"):
            line = slow.current
            asked = line.command("pass", turn=line.known.turn)
            for _ in range(6):
                quick.draw()
            slow.waiting.settle()
            assert line.is_silent
        answer = line.until(lambda message: message.get("re") == asked)
        assert answer_code(answer) == "must-play"


def test_the_clock_waits_for_a_proof_and_then_ends_the_turn_once(
    server: LiveServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    with ExitStack() as stack:
        table = begun(server, stack, **{"timer.seconds": 600})
        line, keeper = table.current, server.node.keeper
        room = server.room(table.code)
        assert room.game is not None
        with held_up(server, server.node.prover, "_ask") as asked:
            refused = line.command("pass", turn=line.known.turn)
            assert asked.wait(PATIENCE)
            monkeypatch.setattr(keeper.store, "now", lambda: room.deadline)
            time_up = server.begin(keeper.apply(room.id, TimeUp(line.known.turn)))
            table.waiting.settle()
            assert line.is_silent
        answer = line.until(lambda message: message.get("re") == refused)
        assert answer_code(answer) == "must-play"
        with suppress(Refused):  # the server's own clock may have come first
            time_up.result(PATIENCE)
        assert line.event("passed")["why"] == "clock"
        after = server.room(table.code)
        assert after.game is not None
        assert after.game.turn == room.game.turn + 1


def test_a_killed_prover_is_followed_by_another(
    server: LiveServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    with ExitStack() as stack:
        table = begun(server, stack)
        pool = server.node.prover._quick
        run = pool.run
        killed: list[object] = []

        async def dies_once(seconds: float, *work: Any, **how: Any) -> Any:
            if killed:
                return await run(seconds, *work, **how)
            killed.append(work)
            return await run(seconds, os._exit, 1, **how)

        monkeypatch.setattr(pool, "run", dies_once)
        line = table.current
        assert line.ask("pass", turn=line.known.turn)["type"] == "events"
        for other in table.lines:
            other.settle()
        line = table.current
        assert answer_code(line.ask("pass", turn=line.known.turn)) == "must-play"
        assert line.ask(**best_move(line.known))["type"] == "events"
        play_on(table.lines, lambda known: known.phase == "over")
        found = report(server, table.code)
        assert found.problems == ()
        assert len(found.unproven) == 1
        assert all("answer failed" in said for said in server.complaints.lines)
        server.complaints.lines.clear()
