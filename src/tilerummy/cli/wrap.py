"""Breaking lines by the width they take on screen, in Latin and Chinese text alike.

Chinese has no blanks to break at: a line may end after any character, except that closing marks
stay with what they close and opening marks with what they open. A row of tiles stays together
where a line has room for it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from rich.cells import cell_len

_NOT_FIRST = "，。、；：！？）」』”’》…·"
_NOT_LAST = "（「『“‘《"
_LATIN = r"[^\s\u2e80-\u9fff\uff00-\uffef]"
_TILE = r"(?:[rbko](?:1[0-3]|[1-9])|[JDCM])"
_ROW = rf"(?<![A-Za-z0-9]){_TILE}(?: {_TILE})+(?![A-Za-z0-9]){_LATIN}*"
_PIECE = re.compile(
    rf"(?:{_ROW}|[{_NOT_LAST}]*(?:[\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef]|{_LATIN}+))"
    rf"[{_NOT_FIRST}]*|\s+"
)


def wrap(text: str, width: int) -> list[str]:
    """The lines of a paragraph; a piece wider than a line stays whole."""
    lines, line = [], ""
    for piece in _pieces(text, width):
        if line and cell_len(line + piece.rstrip()) > width:
            lines.append(line.rstrip())
            line = ""
        if line or not piece.isspace():
            line += piece
    return [*lines, line.rstrip()] if line.strip() else lines


def _pieces(text: str, width: int) -> Iterator[str]:
    for piece in _PIECE.findall(text):
        if cell_len(piece) > width:  # a row that no line has room for
            yield from re.findall(r"\S+|\s+", piece)
        else:
            yield piece
