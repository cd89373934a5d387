"""Servers are killed in the middle of games: nothing that was acknowledged is lost, nor done twice.

`make soak` kills a thousand times; SOAK_KILLS says how often.
"""

from __future__ import annotations

import asyncio
import random
import time
from pathlib import Path

import pytest

from tests.server.crash import SETTINGS, Trial
from tests.server.evidence import read_evidence
from tests.server.harness import ServerProcess, sqlite_url
from tests.server.kills import ONE_NODE, SOAK_KILLS, kill_one_node
from tests.server.test_match import new_guest, new_room
from tests.server.witness import CLOCK_SKEW
from tilerummy.client.seat import Seat
from tilerummy.play.events import Drew, Played
from tilerummy.server.protocol import outgoing as out
from tilerummy.server.rooms.events import LogEvent
from tilerummy.server.store import Store
from tilerummy.solver.turns.best_turn import solve


async def siege(store: str, kills: int, seed: int) -> Trial:
    server = ServerProcess(store, settings=SETTINGS)
    with server:
        async with Trial([server], store, ONE_NODE, random.Random(seed)) as trial:
            for _ in range(kills):
                await trial.strike()
        snapshots = {witness: await witness.look() for witness in trial.witnesses}
    for party, evidence in zip(trial.parties, await trial.check(), strict=True):
        for witness in party.witnesses:
            evidence.check_snapshot(witness, snapshots[witness])
    assert sum(trial.struck.values()) >= kills
    assert all(witness.lost for witness in trial.witnesses)
    return trial


def test_a_server_is_killed_in_the_middle_of_games(tmp_path: Path) -> None:
    asyncio.run(siege(sqlite_url(tmp_path), kills=5, seed=1))


class Drafter:
    """Shows a draft when it is her turn, and leaves the rest to the clock."""

    def __init__(self, seat: Seat) -> None:
        self._seat = seat
        self._deadline: int | None = None

    async def draft(self, *, legal: bool) -> int:
        """Until the server has confirmed a draft in time; returns its turn."""
        known, shown = self._seat.known, -1
        await self._seat.connect()
        while True:
            message = await asyncio.wait_for(self._seat.receive(), 60)
            self._note(message)
            if isinstance(message, out.Pong):
                if self._deadline is not None and message.now < self._deadline - CLOCK_SKEW:
                    return shown
            elif known.phase == "lobby":
                await self._seat.command("begin", "begin")
            elif known.my_turn and known.turn != shown:
                move = self._seat.move(solve(known.position, tidy=False))
                if move["type"] == "play":
                    shown = known.turn
                    table = (
                        move["table"]
                        if legal
                        else [[tile] for row in move["table"] for tile in row]
                    )
                    draft = {"type": "draft", "turn": shown, "table": table}
                    await self._seat.send({**draft, "declared": move["declared"] if legal else []})
                    await self._seat.command("ping")

    async def wait_for_deadline(self) -> None:
        """Until the turn is over by the clock of this machine, which is also the server's."""
        assert self._deadline is not None
        await asyncio.sleep(max(0.0, self._deadline / 1_000 - time.time()))

    async def wait_after(self, turn: int) -> None:
        await self._seat.connect()
        while self._seat.known.turn <= turn:
            await asyncio.wait_for(self._seat.receive(), 60)
        await self._seat.close()

    def _note(self, message: out.Outgoing) -> None:
        if isinstance(message, out.Snapshot) and message.room.game is not None:
            self._deadline = message.room.game.deadline
        elif isinstance(message, out.Events):
            for event in message.events:
                self._deadline = getattr(event, "deadline", self._deadline)


def test_a_draft_is_judged_when_its_turn_ends_while_the_server_is_down(tmp_path: Path) -> None:
    store = sqlite_url(tmp_path)
    seconds = 3  # in which a draft arrives also where the machine is busy
    options = {"timer.seconds": seconds, "initial.min": 0, "hand_size": 26}  # there is much to play

    async def play(server: ServerProcess) -> tuple[str, list[int]]:
        token = await new_guest(server.url, "Ann")
        code = await new_room(server.url, token, ["simple"], seats=2, options=options)
        turns = []
        for legal in (True, False):
            seat = Seat(server.url, code, token)
            drafter = Drafter(seat)
            turns.append(await drafter.draft(legal=legal))
            await asyncio.to_thread(server.kill_alone)
            await drafter.wait_for_deadline()
            await asyncio.to_thread(server.start)
            await seat.close()
            await Drafter(Seat(server.url, code, token)).wait_after(turns[-1])
        return code, turns

    async def judged(code: str, turns: list[int]) -> list[LogEvent | None]:
        opened = await Store.connect(store)
        evidence = await read_evidence(opened, str(await opened.room_of(code)))
        await opened.close()
        return [evidence.end_of(1, turn) for turn in turns]

    with ServerProcess(store) as server:
        code, turns = asyncio.run(play(server))
    played, drew = asyncio.run(judged(code, turns))
    assert isinstance(played, Played)
    assert played.by_clock
    assert isinstance(drew, Drew)
    assert drew.why == "penalty"


@pytest.mark.soak
def test_soak_a_server_is_killed_a_thousand_times(tmp_path: Path) -> None:
    tally = kill_one_node(sqlite_url(tmp_path), SOAK_KILLS, seed=100, echo=True)
    assert tally.failures == []
    assert tally.struck.total() >= SOAK_KILLS
