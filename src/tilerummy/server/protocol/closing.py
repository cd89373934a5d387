"""Why a socket is closed, by the code that its client gets."""

from __future__ import annotations

from enum import IntEnum


class Closing(IntEnum):
    """Codes below 4000 are those of the standard; ours say it as the status of a request would."""

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
    Closing.NORMAL: "it is over",
    Closing.BAD_TEXT: "a text was not UTF-8",
    Closing.POLICY: "the first message was no `hello`, or far too many came",
    Closing.TOO_LARGE: "a frame was far larger than a message may be",
    Closing.RESTART: "the server stops: come again, and say in `hello` what you know",
    Closing.LATER: "the store is away, or you read too slowly: come again after a moment",
    Closing.NO_SPECTATORS: "you have no seat, and this room is not to be watched (`no-spectators`)",
    Closing.NO_ROOM: "there is no such room (`no-room`)",
    Closing.TOO_MANY: "your address has too many sockets open (`too-many-connections`)",
}
