"""Close codes of sockets, and their meaning."""

from __future__ import annotations

from enum import IntEnum


class Closing(IntEnum):
    """Codes below 4000 are standard; ours are 4000 plus an HTTP status."""

    NORMAL = 1000
    BAD_TEXT = 1007
    POLICY = 1008
    TOO_LARGE = 1009
    RESTART = 1012
    LATER = 1013
    NO_SPECTATORS = 4403
    NO_ROOM = 4404
    TOO_MANY = 4429

    @property
    def about(self) -> str:
        return _ABOUT[self]


_ABOUT = {
    Closing.NORMAL: "normal closure",
    Closing.BAD_TEXT: "a text frame was not UTF-8",
    Closing.POLICY: "the first message was not a `hello`, or there were far too many messages",
    Closing.TOO_LARGE: "a frame was far larger than a message may be",
    Closing.RESTART: "the server is stopping: reconnect, and say in `hello` which version you know",
    Closing.LATER: "the store is unavailable, or you read too slowly: reconnect after a moment",
    Closing.NO_SPECTATORS: (
        "you have no seat, and this room does not allow spectators (`no-spectators`)"
    ),
    Closing.NO_ROOM: "there is no such room (`no-room`)",
    Closing.TOO_MANY: "too many sockets are open from your address (`too-many-connections`)",
}
