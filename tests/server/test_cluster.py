"""Two nodes on one PostgreSQL and one Redis: the players of a room sit wherever they like."""

from __future__ import annotations

import asyncio
from contextlib import ExitStack

import pytest

from tests.server.harness import ServerProcess
from tests.server.test_match import Player, new_guest, new_room, verified
from tests.services import Redis
from tilerummy.server.client import request


def driver(url: str) -> str:
    return url.replace("postgresql://", "postgresql+asyncpg://", 1)


@pytest.mark.parametrize("with_redis", [True, False], ids=["redis", "no-messages"])
def test_four_people_on_two_nodes_finish_a_game_while_nodes_die(
    postgres_url: str, redis: Redis, with_redis: bool
) -> None:
    """Without Redis the nodes of a room find each other's changes in the store alone."""
    bus = redis.url if with_redis else None

    async def play(nodes: list[ServerProcess]) -> None:
        one, two = nodes
        tokens = [await new_guest(one.url, name) for name in ("Ann", "Bo", "Cy", "Di")]
        code = await new_room(two.url, tokens[0], [], options={"match.games_per_round": 1})
        for token in tokens[1:]:
            await request(one.url, "POST", f"/api/rooms/{code}/seats", {}, token)
        players = [
            Player(nodes[number % 2].url, code, token, host=not number)
            for number, token in enumerate(tokens)
        ]
        playing = asyncio.gather(*[player.play() for player in players])
        for turn, node in ((4, one), (8, two), (11, one)):
            while max(player.seat.known.turn for player in players) < turn:
                await asyncio.sleep(0.01)
                if playing.done():
                    break
            await asyncio.to_thread(node.kill)
            if with_redis and node is two:
                await asyncio.to_thread(redis.kill)
                await asyncio.to_thread(redis.start)
            await asyncio.to_thread(node.start)
        await asyncio.wait_for(playing, 120)
        versions = {player.seat.known.version for player in players}
        assert len(versions) == 1, "all four saw the same end"
        assert [code for player in players for code in player.refused] == []
        await verified(two.url, code)

    with ExitStack() as stack:
        nodes = [stack.enter_context(ServerProcess(driver(postgres_url), bus)) for _ in range(2)]
        asyncio.run(play(nodes))
