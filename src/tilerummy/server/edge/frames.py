"""WebSocket frames: the text of the most common frame, and the boundaries of frames in a stream."""

from __future__ import annotations

try:
    from websockets.speedups import apply_mask
except ImportError:  # a platform without the compiled part of websockets
    from websockets.utils import apply_mask

_TEXT = 0x81
"""The first byte of an unfragmented text frame."""
_MASKED = 0x80
_TWO_BYTES, _EIGHT_BYTES = 126, 127
"""Sizes that stand for a longer size behind the first two bytes."""
_CLOSE = 8


def text_of(data: bytes) -> str | None:
    """The text, if `data` is exactly one unfragmented, masked text frame below 64 KiB in UTF-8."""
    if len(data) < 6 or data[0] != _TEXT:
        return None
    size, start = data[1] - _MASKED, 2
    if size == _TWO_BYTES:
        size, start = data[2] << 8 | data[3], 4
    elif size > _TWO_BYTES or size < 0:
        return None
    if len(data) != start + 4 + size:
        return None
    mask = data[start : start + 4]
    try:
        return str(apply_mask(data[start + 4 :], mask), "utf-8")
    except UnicodeDecodeError:
        return None


def head_of(size: int) -> bytes:
    """The header of an unmasked text frame of this many bytes."""
    if size < _TWO_BYTES:
        return bytes((_TEXT, size))
    if size < 1 << 16:
        return bytes((_TEXT, _TWO_BYTES)) + size.to_bytes(2, "big")
    return bytes((_TEXT, _EIGHT_BYTES)) + size.to_bytes(8, "big")


class FrameTracker:
    """Follows the boundaries of frames in what a client sends, without looking into them."""

    def __init__(self) -> None:
        self._head = b""
        """The beginning of a frame whose header is incomplete."""
        self._left = 0
        """Bytes of the current frame that are still to come."""
        self._is_fragmented = False
        self._is_closed = False

    def is_at_message(self) -> bool:
        """Whether the next byte begins a message of an open connection."""
        return not (self._head or self._left or self._is_fragmented or self._is_closed)

    def feed(self, data: bytes) -> None:
        data, self._head = self._head + data, b""
        at = self._left
        while at < len(data):
            head = data[at : at + 10]
            size = _size_of(head)
            if size is None:
                self._head, self._left = head, 0
                return
            self._begin(head[0])
            at += size
        self._left = at - len(data)

    def _begin(self, first: int) -> None:
        kind, is_last = first & 0x0F, bool(first & 0x80)
        if kind < _CLOSE:
            self._is_fragmented = not is_last
        elif kind == _CLOSE:
            self._is_closed = True


def _size_of(head: bytes) -> int | None:
    """Bytes of a whole frame with its header, None if there is too little of the header."""
    if len(head) < 2:
        return None
    size, length = head[1] & 0x7F, 2
    if size >= _TWO_BYTES:
        length = 4 if size == _TWO_BYTES else 10
        if len(head) < length:
            return None
        size = int.from_bytes(head[2:length], "big")
    return length + (4 if head[1] & _MASKED else 0) + size
