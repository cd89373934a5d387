"""Plays that are shown to those who must play, and what could still have been played."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from tests.server.edge.test_sockets import Table
from tests.server.emptied import EMPTY, held_up
from tests.server.live_server import (
    PATIENCE,
    LiveServer,
    answer_code,
    best_move,
    live_server,
    play_on,
)
from tilerummy.server.rooms.room import Hold

SETTINGS = {"TILERUMMY_PACE_SEEDS": "60s", "TILERUMMY_LIMIT_HINTS": "9000/s"}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    with live_server(tmp_path_factory.mktemp("advice"), SETTINGS) as server:
        warm_up(server)
        yield server
        assert server.complaints.lines == []


def warm_up(server: LiveServer) -> None:
    """Start the solver's process, which takes a while on a slow machine."""
    server.run(server.node.bot_pool._hints.run(PATIENCE, os.getpid))


def begun(server: LiveServer, stack: ExitStack, clock: int = 600, **settings: Any) -> Table:
    """Ann and Bo, dealt, with an empty pool, in a room without hints."""
    options = {**EMPTY, "timer.seconds": clock}
    table = Table(server, stack, "Ann", "Bo", edition="classic", options=options, **settings)
    table.begin()
    return table


def wait_for_hold(table: Table, *, stands: bool) -> Hold | None:
    until = time.monotonic() + PATIENCE
    while (table.server.room(table.code).hold is not None) is not stands:
        assert time.monotonic() < until
        time.sleep(0.01)
    return table.server.room(table.code).hold


@pytest.mark.parametrize("show", ["0ms", "10s"])
def test_a_player_who_must_play_is_shown_a_play_in_a_room_without_hints(
    tmp_path: Path, show: str
) -> None:
    settings = {**SETTINGS, "TILERUMMY_PACE_SHOW": show}
    with live_server(tmp_path, settings) as server, ExitStack() as stack:
        warm_up(server)
        table = begun(server, stack)
        line = table.current
        assert answer_code(table.waiting.ask("hint")) == "not-your-turn"
        asked = line.command("hint")
        hint = line.until(lambda m: m.get("re") == asked and m["type"] != "queued")
        assert hint["type"] == "hint"
        assert hint["tiles"] > 0
        assert line.ask("play", turn=hint["turn"], table=hint["table"])["type"] == "events"
        wait_for_hold(table, stands=False)
        assert server.complaints.lines == []


def test_one_play_is_shown_at_a_time_and_tabs_share_the_hold(server: LiveServer) -> None:
    with ExitStack() as stack:
        table = begun(server, stack)
        line = table.current
        token = table.tokens[table.lines.index(line)]
        tab = table.line(token)
        tab.settle()
        before = server.room(table.code)
        with held_up(server, server.node.bot_pool, "advise"):
            first = line.command("hint")
            hold = wait_for_hold(table, stands=True)
            assert answer_code(line.ask("hint")) == "busy"
            second = tab.command("hint")
            tab.close()  # the other tab still waits
            assert second != first
            line.settle()
            assert server.room(table.code).hold == hold
        line.until(lambda m: m.get("re") == first and m["type"] == "hint")
        wait_for_hold(table, stands=False)
        after = server.room(table.code)
        assert 0 <= after.lost - before.lost <= server.node.keeper.pace.show


def test_a_player_may_play_while_a_play_is_looked_for(server: LiveServer) -> None:
    with ExitStack() as stack:
        table = begun(server, stack)
        line = table.current
        with held_up(server, server.node.bot_pool, "advise"):
            asked = line.command("hint")
            wait_for_hold(table, stands=True)
            turn = line.known.turn
            assert line.ask(**best_move(line.known))["type"] == "events"
            assert server.room(table.code).hold is None
        late = line.until(lambda m: m.get("re") == asked and m["type"] == "hint")
        assert late["turn"] == turn
        play_on(table.lines, lambda known: known.phase == "over")


def test_the_clock_goes_on_when_the_player_who_waits_is_gone(server: LiveServer) -> None:
    with ExitStack() as stack:
        table = begun(server, stack)
        with held_up(server, server.node.bot_pool, "advise"):
            table.current.command("hint")
            wait_for_hold(table, stands=True)
            table.current.close()
            wait_for_hold(table, stands=False)


def test_what_was_missed_is_shown_after_the_end_to_those_who_have_seen_it(
    server: LiveServer,
) -> None:
    with ExitStack() as stack:
        table = begun(server, stack, spectator_delay=2)
        watcher = table.line(None)
        watcher.settle()
        assert answer_code(table.current.ask("missed")) == "wrong-moment"
        assert answer_code(watcher.ask("missed")) == "wrong-moment"
        play_on(table.lines, lambda known: known.phase == "over")
        room = server.room(table.code)
        answer = watcher.ask("missed")
        if server.node.store.now() < room.since + 2000:
            assert answer_code(answer) == "wrong-moment"
        first, again = (line.ask("missed") for line in table.lines)
        assert first["type"] == "missed"
        assert first["plays"] == again["plays"]
        while watcher.known.phase != "over":
            watcher.receive()
        assert watcher.ask("missed")["plays"] == first["plays"]
