"""The Python client of a server, and the load generator. It needs the packages of the server.

    seat = Seat("http://127.0.0.1:8000", code, token)
    await seat.connect()
    seeds = Seeds()
    while True:
        await seat.receive()
        message = seeds.message(seat.known)  # its part in the shuffle
        if message is not None:
            await seat.command(message.pop("type"), **message)
        if seat.known.my_turn:
            await seat.send({**seat.move(solve(seat.known.position)), "id": "1"})

`docs/protocol.md` describes the messages, `examples/client.py` is a complete program.
"""

from tilerummy.client.seat import (
    DISCONNECTS,
    ClientState,
    GapError,
    RequestError,
    Seat,
    UnreachableError,
    request,
)
from tilerummy.client.seeds import Seeds

__all__ = [
    "DISCONNECTS",
    "ClientState",
    "GapError",
    "RequestError",
    "Seat",
    "Seeds",
    "UnreachableError",
    "request",
]
