"""The joker mechanisms that the kernels implement: one slot, two slots, a colour change, a mirror.

The searches count jokers by mechanism and name the faces here; `kernel/problem.h` names the same
ones for C, and `abi` compares the two. A kind of joker with a mechanism of its own needs a search
that knows it: this module fails when it is imported, so that nobody forgets.
"""

from __future__ import annotations

from tilerummy.rules.joker_kinds import JOKER_KINDS, JokerKind
from tilerummy.rules.tiles import JOKER_FACES, Face


def _mechanism(kind: JokerKind) -> JokerKind:
    """What a kind does in a row, without its letter and what only other rules ask for."""
    return kind._replace(letter="", special=False)


_SINGLE = JokerKind("", special=False)
_DOUBLE = _SINGLE._replace(slots=2)
_CHANGE = _SINGLE._replace(in_groups=False, changes_colour=True)
_MIRROR = _SINGLE._replace(slots=0, wild=False, mirrors=True)
_FACE = {_mechanism(kind): face for kind, face in zip(JOKER_KINDS, JOKER_FACES, strict=True)}

if [*_FACE] != [_SINGLE, _DOUBLE, _CHANGE, _MIRROR] or len(_FACE) != len(JOKER_KINDS):
    raise NotImplementedError(
        "the kernels know one kind of joker for each mechanism, in the order single, double, "
        "colour change, mirror: teach them what is new in JOKER_KINDS"
    )

JOKER: Face = _FACE[_SINGLE]
DOUBLE: Face = _FACE[_DOUBLE]
CHANGE: Face = _FACE[_CHANGE]
MIRROR: Face = _FACE[_MIRROR]
