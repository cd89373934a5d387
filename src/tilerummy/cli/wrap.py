"""Breaking lines by the width they take on screen, in Latin and Chinese text alike.

Chinese has no blanks to break at: a line may end after any character, except that closing marks
stay with what they close and opening marks with what they open.
"""

from __future__ import annotations

import re

from rich.cells import cell_len

_NOT_FIRST = "，。、；：！？）」』”’》…·"
_NOT_LAST = "（「『“‘《"
_PIECE = re.compile(
    rf"[{_NOT_LAST}]*(?:[\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef]|[^\s\u2e80-\u9fff\uff00-\uffef]+)"
    rf"[{_NOT_FIRST}]*|\s+"
)


def wrap(text: str, width: int) -> list[str]:
    """The lines of a paragraph; a piece wider than a line stays whole."""
    lines, line = [], ""
    for piece in _PIECE.findall(text):
        if line and cell_len(line + piece.rstrip()) > width:
            lines.append(line.rstrip())
            line = ""
        if line or not piece.isspace():
            line += piece
    return [*lines, line.rstrip()] if line.strip() else lines
