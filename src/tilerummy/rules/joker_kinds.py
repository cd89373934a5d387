"""The kinds of jokers, as data: what each kind is and does.

`rules/tiles` turns the columns of `JOKER_KINDS` into lookup tables by face. Other modules ask these
tables for a property (`IS_WILD[face]`, `CHANGES_COLOUR[face]`) and never for a letter. The page
gets the same rows as generated data, and the compiled kernel checks them when it is imported.
"""

from __future__ import annotations

from typing import NamedTuple


class JokerKind(NamedTuple):
    """One kind of joker. Its names are the words `tile.<letter>` and `count.<letter>`."""

    letter: str
    """Its face in notation, in records and in the option `jokers`."""
    slots: int = 1
    """How many places of a row it takes."""
    wild: bool = True
    """Stands for tiles, one for each slot."""
    in_groups: bool = True
    """May lie in a group or in a mirror group."""
    changes_colour: bool = False
    """Stands for a number without a colour: a run goes on in another colour behind it."""
    mirrors: bool = False
    """Is the centre of a mirror row, and stands for nothing."""
    special: bool = True
    """Not the regular joker. `twist.special_exchange_ban` is about those that are wild too."""


JOKER_KINDS = (
    JokerKind("J", special=False),
    JokerKind("D", slots=2),
    JokerKind("C", in_groups=False, changes_colour=True),
    JokerKind("M", slots=0, wild=False, mirrors=True),
)
"""In the order of their faces. Tiles are numbered by it, so a new kind goes last."""
