"""Rude clients against a server with default limits: honest players are served, and nothing stays.

Nothing here looks at a clock. `make soak` runs the same attacks for an hour, and measures.
"""

from __future__ import annotations

import asyncio
import os
import re
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.server.harness import QUICK
from tests.server.live_server import PATIENCE, Line, LiveServer, best_move, live_server
from tests.server.rude.arena import Arena
from tests.server.rude.attacks import ATTACKS, SOLVER
from tests.server.rude.run import run

OPTIONS = {"match.games_per_round": 100, "initial.min": 0, "timer.seconds": 0}
DEFAULTS = {name: "" for name in QUICK if "LIMIT" in name}
SETTINGS = {
    **DEFAULTS,
    "TILERUMMY_LIMIT_HTTP": "5/s burst 400",  # a slow machine would not reach the default
    "TILERUMMY_LIMIT_COMMANDS": "10/s burst 320",  # as many as all tests together need
    "TILERUMMY_PACE_GRACE": "1h",  # no bot plays for the honest players between two tests
}
"""Limits as players have them, but for these."""
ROUNDS = {"hints": 30, "health": 1, "page": 1, "room list": 1}
"""How often each client of an attack does it, where that is not twice."""
TURNS = 6
"""Turns that the honest players take beside each attack."""
LIMITED = {
    "pings": "frames",
    "pings with payload": "frames",
    "pongs": "frames",
    "empty texts": "frames",
    "interleaved fragments": "frames",
    "binary": "messages",
    "broken JSON": "messages",
    "creations": "joins",
    "room list": "requests",
    "health": "http",
    "page": "http",
    "rules": "records",
    "hints": "hints",
}
"""The limit that counts an attack."""
MINUTES = float(os.environ.get("RUDE_MINUTES", "60"))
_COUNT = re.compile(r'tilerummy_limited_total\{what="(\w+)"\} ([0-9.]+)')


class Table:
    """A server, and two honest players in a room that goes on from test to test."""

    def __init__(self, server: LiveServer) -> None:
        self.server = server
        self.tokens = [server.guest("Ann"), server.guest("Bo")]
        self.code = server.open(self.tokens[0], seats=2, options=OPTIONS)
        server.sit(self.code, self.tokens[1])

    def take_turns(self) -> None:
        """Every command of an honest player is answered with what it did."""
        with self._line(0) as one, self._line(1) as two:
            if one.receive()["room"]["phase"] == "lobby":
                assert one.ask("begin")["type"] == "events"
            two.receive()
            for _ in range(TURNS):
                line = self._mover(one, two)
                answer = line.ask(**best_move(line.known))
                assert answer["type"] == "events", answer

    def _line(self, number: int) -> Line:
        return Line(self.server, self.code, self.tokens[number], hello={})

    def _mover(self, one: Line, two: Line) -> Line:
        """Whose turn it is, once both know the same; between two games nobody's."""
        while True:
            one.settle()
            two.settle()
            if one.known.version == two.known.version:
                for line in (one, two):
                    if line.known.my_turn:
                        return line
                one.receive()

    def wait(self, is_so: Callable[[], bool]) -> None:
        """Until something is so, in the thread of the server."""

        async def until() -> None:
            async with asyncio.timeout(PATIENCE):
                while not is_so():
                    await asyncio.sleep(0.01)

        self.server.run(until())

    @property
    def connections(self) -> int:
        return len(self.server._server.server_state.connections)

    def limited(self, what: str) -> float:
        found = dict(_COUNT.findall(self.server.node.metrics.text().decode()))
        return float(found.get(what, 0))


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Table]:
    with live_server(tmp_path_factory.mktemp("rude"), SETTINGS) as server:
        yield Table(server)


@pytest.mark.parametrize("name", ATTACKS)
def test_honest_players_are_served_beside_a_rude_client(table: Table, name: str) -> None:
    server, budget = table.server, table.server.node.send_budget
    address = f"127.0.1.{1 + [*ATTACKS].index(name)}"
    arena = Arena(server.url, address, seconds=PATIENCE, rounds=ROUNDS.get(name, 2))
    what = LIMITED.get(name, "")
    connections, count = table.connections, table.limited(what)
    errors: list[BaseException] = []

    def attack() -> None:
        try:
            asyncio.run(asyncio.wait_for(ATTACKS[name](arena), 2 * PATIENCE))
        except BaseException as error:
            errors.append(error)

    attacking = threading.Thread(target=attack, name="rude")
    attacking.start()
    try:
        table.take_turns()
    finally:
        attacking.join()
    assert errors == []
    assert arena.messages
    table.wait(lambda: table.connections <= connections)
    if what:
        table.wait(lambda: table.limited(what) > count)
    table.wait(lambda: budget.used == 0)  # everything that waited is given back
    table.take_turns()
    assert server.complaints.lines == []


def test_all_tabs_of_a_seat_share_a_limit_of_commands(tmp_path: Path) -> None:
    with live_server(tmp_path, {"TILERUMMY_LIMIT_COMMANDS": "1/h burst 4"}) as server:
        token = server.guest("Ann")
        code = server.open(token, seats=3)
        with (
            Line(server, code, token, hello={}) as one,
            Line(server, code, token, hello={}) as two,
        ):
            for line in (one, two):
                assert line.ask("bot", bot="simple")["type"] == "events"
                assert line.ask("remove", seat=1)["type"] == "events"
            for line in (one, two):
                assert line.ask("bot", bot="simple")["code"] == "too-fast"
                line.send({"type": "draft", "turn": 0, "table": []})
                assert line.until(lambda message: "code" in message)["code"] == "too-fast"
        assert 'limited_total{what="commands"} 4.0' in server.node.metrics.text().decode()
        assert server.complaints.lines == []


@pytest.mark.soak
def test_soak_honest_players_hardly_notice_rude_clients(tmp_path: Path) -> None:
    """RUDE_MINUTES says how long all attacks take together."""
    names = [*ATTACKS, *SOLVER]
    seconds = 60 * MINUTES / (len(names) + 2)
    rows = asyncio.run(run(tmp_path, names, seconds, verbose=False))
    assert [str(row) for row in rows if not row.holds] == []
