"""A bot of your own in forty lines: it takes a seat in a room and plays the solver's best turns.

python examples/client.py http://127.0.0.1:8000 CODE
"""

import asyncio
import itertools
import json
import sys
import urllib.request

from websockets.asyncio.client import connect

from tilerummy.rules import edition
from tilerummy.rules.tiles import parse_tile, tile_text
from tilerummy.solver import Position, solve


def post(address: str, body: object, **headers: str) -> dict[str, str]:
    data = json.dumps(body).encode()
    with urllib.request.urlopen(urllib.request.Request(address, data, headers)) as answer:
        return dict(json.load(answer))


async def play(server: str, code: str, name: str = "Visitor") -> None:
    token = post(f"{server}/api/guests", {"name": name, "bearer": True})["token"]
    headers = {"Authorization": f"Bearer {token}"}
    post(f"{server}/api/rooms/{code}/seats", {}, **headers)
    ids = map(str, itertools.count(1))
    address = f"{server.replace('http', 'ws', 1)}/api/rooms/{code}/socket"
    async with connect(address, additional_headers=headers) as socket:
        await socket.send(json.dumps({"type": "hello", "whole": True}))
        async for text in socket:
            message = json.loads(text)
            if message["type"] != "snapshot":
                print(message)
                continue
            room, you, game = message["room"], message["you"], message["room"].get("game", {})
            if room["phase"] in ("over", "closed"):
                return
            if room["phase"] == "playing" and game.get("current", 0) == you:
                rules = edition(room["settings"]["edition"], room["settings"]["options"])
                table = tuple(tuple(map(parse_tile, row)) for row in game.get("table", []))
                rack = tuple(map(parse_tile, game["rack"]))
                best = solve(Position(rules, table, rack, game["opened"][you]))
                move: dict[str, object] = {"type": "draw" if game.get("pool") else "pass"}
                if best.plays:
                    move = {"type": "play", "table": [list(map(tile_text, r)) for r in best.table]}
                await socket.send(json.dumps({**move, "id": next(ids), "turn": game["turn"]}))


if __name__ == "__main__":
    asyncio.run(play(*sys.argv[1:]))
