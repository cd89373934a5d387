"""The Python client of a server, and the load generator. It needs the packages of the server.

    seat = Seat("http://127.0.0.1:8000", code, token)
    await seat.connect()
    while True:
        await seat.receive()
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

__all__ = [
    "DISCONNECTS",
    "ClientState",
    "GapError",
    "RequestError",
    "Seat",
    "UnreachableError",
    "request",
]
