"""Frames: the fast path reads what the parser would, and knows when it must not look."""

from __future__ import annotations

import pytest

from tests.server.rude import client
from tilerummy.server.edge.frames import FrameTracker, text_of

TEXT, FIRST, LAST, PING, CLOSE = 0x81, 0x01, 0x80, 0x89, 0x88
MASK = b"\x0f\xf0\x55\xaa"


def frame(first: int, payload: bytes) -> bytes:
    return client.frame(first, payload, MASK)


@pytest.mark.parametrize("size", [0, 1, 5, 125, 126, 127, 2_000, 65_535])
def test_the_text_of_one_frame(size: int) -> None:
    text = ("漢a" * size)[:size]
    payload = text.encode()[:65_535].decode(errors="ignore")
    assert text_of(frame(TEXT, payload.encode())) == payload


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\x81",
        frame(TEXT, b"hello")[:-1],
        frame(TEXT, b"hello") + b"\x81",
        frame(TEXT, b"x" * 300)[:3],
        frame(TEXT, b"x" * 70_000),
        frame(FIRST, b"hello"),
        frame(PING, b"hello"),
        frame(0xC1, b"compressed"),
        frame(TEXT, b"\xff\xfe"),
        b"\x81\x05hello!",  # not masked
    ],
)
def test_anything_else_is_left_to_the_parser(data: bytes) -> None:
    assert text_of(data) is None


STREAMS = {
    "nothing": (b"", True),
    "whole frames": (frame(TEXT, b"one") + frame(PING, b"") + frame(TEXT, b"x" * 300), True),
    "a part of a header": (frame(TEXT, b"x" * 300)[:3], False),
    "a header alone": (frame(TEXT, b"one")[:6], False),
    "a part of a frame": (frame(TEXT, b"one") + frame(TEXT, b"two")[:-1], False),
    "a large frame": (frame(TEXT, b"x" * 70_000), True),
    "an open message": (frame(FIRST, b"one"), False),
    "a ping inside a message": (frame(FIRST, b"one") + frame(PING, b""), False),
    "a message of two frames": (frame(FIRST, b"one") + frame(LAST, b"two"), True),
    "a close": (frame(CLOSE, b"") + frame(TEXT, b"one"), False),
}


@pytest.mark.parametrize("name", STREAMS)
@pytest.mark.parametrize("step", [1, 2, 3, 7, 1_000_000])
def test_the_tracker_knows_where_a_message_begins(name: str, step: int) -> None:
    stream, is_at_message = STREAMS[name]
    tracker = FrameTracker()
    for start in range(0, len(stream), step):
        tracker.feed(stream[start : start + step])
    assert tracker.is_at_message() is is_at_message
