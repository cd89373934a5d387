"""Friends open a link and play: whole matches over real sockets."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from pathlib import Path
from typing import Any

from tests.server.harness import ServerProcess, sqlite_url
from tilerummy.client.seat import DISCONNECTS, Seat, request
from tilerummy.play.notation import load
from tilerummy.play.verification import verify
from tilerummy.server.protocol import outgoing as out
from tilerummy.solver.turns.best_turn import can_play, solve

EXAMPLE = Path(__file__).parents[2] / "examples" / "client.py"


async def new_guest(server: str, name: str) -> str:
    answer = await request(server, "POST", "/api/guests", {"name": name, "bearer": True})
    return str(answer["token"])


async def new_room(server: str, token: str, bots: list[str], **settings: Any) -> str:
    body = {"settings": {"edition": "taiwan", **settings}, "bots": bots}
    return str((await request(server, "POST", "/api/rooms", body, token))["code"])


class Player:
    """Plays the solver's best turn until the match is over, even if the server restarts."""

    def __init__(self, server: str, code: str, token: str, *, host: bool = False) -> None:
        self.seat = Seat(server, code, token)
        self.host = host
        self.lost = 0
        self.refused: list[str] = []
        self.acknowledged: dict[str, int] = {}
        self._asked: tuple[int, int] | None = None
        self._id = 0
        self._pending: dict[str, Any] | None = None

    async def play(self, until: int = 1) -> None:
        """Until so many games have ended."""
        while self.seat.known.games_ended < until:
            try:
                await self.seat.connect()
                if self._pending is not None:  # perhaps it arrived, perhaps not
                    await self.seat.send(self._pending)
                while self.seat.known.games_ended < until:
                    await self._step(await self.seat.receive())
            except DISCONNECTS:
                self.lost += 1
                await asyncio.sleep(0.05)  # back off, as any client
        await self.seat.close()

    async def _step(self, message: out.Outgoing) -> None:
        known = self.seat.known
        if isinstance(message, (out.Refused, out.Error)):
            self.refused.append(message.code)
            self._settled(message.re)
        elif isinstance(message, (out.Events, out.Done)) and message.re is not None:
            self.acknowledged[message.re] = message.version
            self._settled(message.re)
        if self._pending is not None:
            return
        if known.phase == "lobby" and self.host:
            await self._ask({"type": "begin"})
        elif known.my_turn and self._asked != (known.games_ended, known.turn):
            self._asked = known.games_ended, known.turn
            await self._ask(self.seat.move(solve(known.position, tidy=False)))

    def _settled(self, re: str | None) -> None:
        if self._pending is not None and self._pending["id"] == re:
            self._pending = None

    async def _ask(self, message: dict[str, Any]) -> None:
        self._id += 1
        self._pending = {**message, "id": f"{id(self)}-{self._id}"}
        await self.seat.send(self._pending)


async def verified(server: str, code: str) -> None:
    """The record of the match holds, and says what the server says."""
    record = load(await request(server, "GET", f"/api/rooms/{code}/matches/1/record"))
    assert record.games
    assert verify(record, can_play) == []
    text = await request(server, "GET", f"/api/rooms/{code}/matches/1/record?format=text")
    assert load(text) == record
    verdict = await request(server, "GET", f"/api/rooms/{code}/matches/1/verify")
    assert verdict == {"holds": True, "problems": [], "unproven": [], "cancelled": 0}
    listed = await request(server, "GET", f"/api/rooms/{code}/games")
    assert len(listed["games"]) == len(record.games)


def test_two_people_and_two_bots_play_a_match_over_a_restart(tmp_path: Path) -> None:
    async def play(server: ServerProcess) -> None:
        ann, bo = await new_guest(server.url, "Ann"), await new_guest(server.url, "Bo")
        options = {"match.games_per_round": 2}
        code = await new_room(server.url, ann, ["solver", "simple"], options=options)
        await request(server.url, "POST", f"/api/rooms/{code}/seats", {}, bo)
        players = [
            Player(server.url, code, ann, host=True),
            Player(server.url, code, bo),
        ]
        playing = asyncio.gather(*[player.play(until=2) for player in players])
        while players[0].seat.known.turn < 5:
            await asyncio.sleep(0.01)
        await asyncio.to_thread(server.kill)
        await asyncio.to_thread(server.start)
        await asyncio.wait_for(playing, 90)
        assert all(player.lost for player in players)
        assert players[0].refused == players[1].refused == []
        await verified(server.url, code)
        me = await request(server.url, "GET", "/api/me", token=ann)
        assert me["statistics"]["total"]["games"] == 2

    with ServerProcess(sqlite_url(tmp_path)) as server:
        asyncio.run(play(server))
        assert server.stop() == 0, "a server that is asked to stop ends well"


def test_every_command_is_answered_to_its_sender_though_seats_change(tmp_path: Path) -> None:
    async def answer(seat: Seat, id_: str) -> out.Outgoing:
        while True:
            message = await asyncio.wait_for(seat.receive(), 60)
            if getattr(message, "re", None) == id_:
                return message

    async def play(url: str) -> None:
        ann, bo = await new_guest(url, "Ann"), await new_guest(url, "Bo")
        code = await new_room(url, ann, [])
        await request(url, "POST", f"/api/rooms/{code}/seats", {}, bo)
        seats = [Seat(url, code, token) for token in (ann, bo)]
        for seat in seats:
            await seat.connect()
        leaves = await seats[0].command("leave")
        assert isinstance(await answer(seats[0], leaves), out.Done)
        await answer(seats[1], await seats[1].command("bot", bot="simple", seat=2))
        for kind in (out.Events, out.Done):  # the second time it is done already
            await seats[1].command("begin", "again")
            assert isinstance(await answer(seats[1], "again"), kind)
        assert seats[1].known.you == 0, "the free seat before is gone"
        for seat in seats:
            await seat.close()

    with ServerProcess(sqlite_url(tmp_path)) as server:
        asyncio.run(play(server.url))


def test_the_example_client_takes_a_seat_and_plays(tmp_path: Path) -> None:
    async def play(server: ServerProcess) -> None:
        ann = await new_guest(server.url, "Ann")
        code = await new_room(server.url, ann, [], options={"match.games_per_round": 1})
        visitor = subprocess.Popen([sys.executable, str(EXAMPLE), server.url, code])
        try:
            while (await request(server.url, "GET", f"/api/rooms/{code}"))["seats"][1].get(
                "kind"
            ) != "person":
                await asyncio.sleep(0.05)
            await asyncio.wait_for(Player(server.url, code, ann, host=True).play(), 60)
            assert visitor.wait(20) == 0
        finally:
            visitor.kill()

    with ServerProcess(sqlite_url(tmp_path)) as server:
        asyncio.run(play(server))
