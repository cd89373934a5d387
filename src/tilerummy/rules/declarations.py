"""Declared jokers: which tile each joker of a row stands for, as the player declared it.

A declaration belongs to an ordered row. It is either a `Kind`, the weaker statement that the row
is a run or a group, or the names of its slots from left to right: `r8 J J` is declared as
`r8 b8 k8`. A colour change is named by its number (`C4`), a mirror is `M`, and the letter of a
joker leaves it open.

`namings` lists every complete naming of a row. All questions are answered by filtering that list:
what a statement leaves (`declared_ways`), what a joker brings along from its old row
(`carried_ways`), whether anything is left open (`is_open`), and what the row then reads as
(`readings_of`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple, TypeAlias

from tilerummy.rules.errors import TileRummyError, quoted
from tilerummy.rules.rows import (
    Faces,
    Kind,
    Reading,
)
from tilerummy.rules.tiles import (
    ALL_FACES,
    CHANGES_COLOUR,
    COLOUR_CHANGES,
    COLOURS,
    FACE_TEXT,
    FACES,
    HIGHEST,
    IS_JOKER,
    IS_WILD,
    NUMBER,
    NUMBERED_FACES,
    SLOTS,
    WILD_FACES,
    Face,
    Row,
    faces_of,
    numbered,
    parse_face,
    parse_row,
)

Entry: TypeAlias = int
"""The name of one slot: a numbered face, `CHANGED` plus the number of a colour change, the face of
a mirror, or the face of a joker that is left open."""
Names: TypeAlias = tuple[Entry, ...]
"""One entry a slot (for D that is left open, twice the same)."""
Name: TypeAlias = tuple[Entry, ...]
"""The entries of one joker, in ascending order."""
Declaration: TypeAlias = Kind | Names
Declared: TypeAlias = Mapping[Row, Declaration]

CHANGED = FACES
"""A colour change with the number 4 is the entry `CHANGED + 4`, written `C4`."""
_CHANGED_TEXT = FACE_TEXT[COLOUR_CHANGES[0]]
NOTHING_DECLARED: Declared = MappingProxyType({})
_OPEN = frozenset(WILD_FACES)
_NUMBERED = frozenset(NUMBERED_FACES)
_COLOURS = range(len(COLOURS))
_NUMBERS = range(1, HIGHEST + 1)
_ENTRY_NUMBER: tuple[int, ...] = (*NUMBER, 0, *_NUMBERS)
_ENTRY_TEXT: tuple[str, ...] = (
    *FACE_TEXT,
    _CHANGED_TEXT,
    *[f"{_CHANGED_TEXT}{number}" for number in _NUMBERS],
)
_CHANGED_OF_TEXT = {_ENTRY_TEXT[CHANGED + number]: CHANGED + number for number in _NUMBERS}


class DeclarationError(TileRummyError):
    """A declaration that cannot be read."""

    code = "bad-declaration"


class Way(NamedTuple):
    """One complete meaning of a row: its kind and the name of every slot."""

    kind: Kind
    names: Names

    @property
    def value(self) -> int:
        return sum([number_of(name) for name in self.names])


def number_of(name: Entry) -> int:
    """The number of a slot by its name; 0 for M and for an open slot."""
    return _ENTRY_NUMBER[name]


# Names and tiles


def split(row: Faces, names: Names) -> list[Names]:
    """The entries of each tile of the row."""
    found, first = [], 0
    for face in row:
        width = SLOTS[face] or 1
        found.append(names[first : first + width])
        first += width
    return found


def joker_name(row: Faces, names: Names, index: int) -> Name | None:
    """The name declared for the joker at that place; None if it is open."""
    name = split(row, names)[index]
    return None if name[0] in _OPEN else tuple(sorted(name))


def named_jokers(row: Faces, names: Names) -> dict[int, Name]:
    """The jokers that are named, by their place. A mirror has no name."""
    return {
        index: tuple(sorted(name))
        for index, (face, name) in enumerate(zip(row, split(row, names), strict=True))
        if IS_WILD[face] and name[0] not in _OPEN
    }


def identity(row: Faces, way: Way) -> tuple[Name, ...]:
    """Equal for namings in which every joker is the same."""
    return tuple(
        [
            tuple(sorted(name))
            for face, name in zip(row, split(row, way.names), strict=True)
            if IS_JOKER[face]
        ]
    )


def stands_of(face: Face, name: Sequence[Entry]) -> frozenset[Face]:
    """The numbered faces that a joker with this name is."""
    if CHANGES_COLOUR[face]:
        return frozenset(
            [numbered(colour, number_of(entry)) for entry in name for colour in _COLOURS]
        )
    return frozenset([ALL_FACES[entry] for entry in name if entry in _NUMBERED])


# What a row means


def carried_ways(
    row: Faces, options: Sequence[Way], brought: Mapping[int, Name]
) -> tuple[Way, ...]:
    """The namings in which jokers keep the names they bring along, as far as these fit the row.

    Where names fit one by one but not together, none of them stays.
    """

    def keeps(way: Way, names: Iterable[tuple[int, Name]]) -> bool:
        return all(joker_name(row, way.names, index) == name for index, name in names)

    fitting = [item for item in brought.items() if any(keeps(way, [item]) for way in options)]
    return tuple([way for way in options if keeps(way, fitting)]) or tuple(options)


def distinct(row: Faces, options: Iterable[Way]) -> list[Way]:
    """One naming for each identity of the jokers, the most valuable first."""
    found: dict[tuple[Name, ...], Way] = {}
    for way in options:
        found.setdefault(identity(row, way), way)
    return list(found.values())


def is_open(row: Faces, options: Iterable[Way]) -> bool:
    """Whether some joker can still stand for more than one tile."""
    return len(distinct(row, options)) > 1


def several_jokers(row: Faces) -> bool:
    """Whether a row has enough jokers for `joker.declare=explicit` to require a declaration."""
    return sum([IS_JOKER[face] for face in row]) >= 2


def readings_of(row: Faces, options: Iterable[Way]) -> tuple[Reading, ...]:
    """The readings of a row that these namings leave, the most valuable first."""
    by_kind: dict[Kind, list[Way]] = {}
    for way in options:
        by_kind.setdefault(way.kind, []).append(way)
    found = []
    for kind in (kind for kind in _KIND_ORDER if kind in by_kind):
        chosen = by_kind[kind]
        parts = [split(row, way.names) for way in chosen]
        stands = tuple(
            [
                (index, frozenset().union(*(stands_of(face, part[index]) for part in parts)))
                for index, face in enumerate(row)
                if IS_JOKER[face]
            ]
        )
        found.append(Reading(kind, max(way.value for way in chosen), stands))
    found.sort(key=lambda reading: -reading.value)
    return tuple(found)


_KIND_ORDER = (Kind.GROUP, Kind.RUN, Kind.MIRROR_GROUP, Kind.MIRROR_RUN)


def written(row: Faces, way: Way, named: Iterable[int] | None = None) -> Names:
    """The declaration of a row in which these jokers are named (all, by default)."""
    chosen = {*range(len(row))} if named is None else {*named}
    return tuple(
        [
            name if not IS_WILD[face] or index in chosen else face
            for index, (face, entry) in enumerate(zip(row, split(row, way.names), strict=True))
            for name in entry
        ]
    )


def relaid(names: Names, row: Row, order: Row) -> Names:
    """The names of a row for the same tiles in another order."""
    left = [*zip(row, split(faces_of(row), names), strict=True)]
    found: list[Entry] = []
    for tile in order:
        entry = next(entry for entry in left if entry[0] == tile)
        left.remove(entry)
        found += entry[1]
    return tuple(found)


# Text


def name_text(name: Entry) -> str:
    return _ENTRY_TEXT[name]


def names_texts(names: Names) -> list[str]:
    return [name_text(name) for name in names]


def declaration_text(said: Declaration) -> str:
    """`run`, or `r8 b8 k8`."""
    return str(said) if isinstance(said, Kind) else " ".join(names_texts(said))


def parse_name(text: object) -> Entry:
    """`b8`, `C4`, or the letter of a joker."""
    changed = _CHANGED_OF_TEXT.get(text) if isinstance(text, str) else None
    return parse_face(text) if changed is None else changed


def parse_declaration(value: object) -> Declaration:
    """`"run"`, or a list of names such as `["r8", "b8", "k8"]`."""
    if isinstance(value, str):
        if value not in {str(kind) for kind in Kind}:
            raise DeclarationError(
                "unknown kind of row '{given}': there are {kinds}",
                key="error.declared.kind",
                given=quoted(value),
                kinds=tuple(str(kind) for kind in Kind),
            )
        return Kind(value)
    if not isinstance(value, (list, tuple)):
        raise DeclarationError(
            'a declaration is a kind such as "run" or a list of tiles such as ["r8", "b8", "k8"]',
            key="error.declared.value",
        )
    return tuple([parse_name(item) for item in value])


def parse_statement(text: str) -> tuple[Row, Declaration]:
    """`r8 J J = r8 b8 k8` or `r8 J J = run`, of unidentified tiles."""
    row, sign, said = text.replace(",", " ").partition("=")
    words = said.split()
    if not sign or not row.split() or not words:
        raise DeclarationError(
            "cannot read '{given}': a declaration is written 'r8 J J = r8 b8 k8' or 'r8 J J = run'",
            key="error.declared.text",
            given=quoted(text),
        )
    kind = len(words) == 1 and words[0] in {str(kind) for kind in Kind}
    return parse_row(row), parse_declaration(words[0] if kind else words)


def plain(declared: Declared, texts: Callable[[Row], list[str]]) -> list[dict[str, object]]:
    """The JSON form: `[{"set": ["r8", "J", "J"], "as": ["r8", "b8", "k8"]}]`."""
    return [
        {"set": texts(row), "as": str(said) if isinstance(said, Kind) else names_texts(said)}
        for row, said in declared.items()
    ]


def from_plain(value: object, parse: Callable[[list[object]], Row]) -> dict[Row, Declaration]:
    """The inverse of `plain`. Also reads the older `[[["r8", "J", "J"], "run"]]`."""
    if not isinstance(value, (list, tuple)):
        raise DeclarationError(
            'declared is a list such as [{{"set": ["r8", "J", "J"], "as": "run"}}]',
            key="error.declared.list",
        )
    found = {}
    for item in value:
        if isinstance(item, Mapping) and {*item} == {"set", "as"}:
            row, said = item["set"], item["as"]
        elif isinstance(item, (list, tuple)) and len(item) == 2:
            row, said = item
        else:
            raise DeclarationError(
                'a declaration is an object such as {{"set": ["r8", "J", "J"], "as": "run"}}',
                key="error.declared.object",
            )
        if not isinstance(row, (list, tuple)):
            raise DeclarationError(
                'the set of a declaration is a list of tiles such as ["r8", "J"]',
                key="error.declared.set",
            )
        found[parse(list(row))] = parse_declaration(said)
    return found
