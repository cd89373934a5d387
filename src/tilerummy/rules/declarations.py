"""Declared jokers: which tile each joker of a row stands for, as the player declared it.

A declaration belongs to an ordered row. It is either a `Kind`, the weaker statement that the row
is a run or a group, or the names of its slots from left to right: `r8 J J` is declared as
`r8 b8 k8`. A colour change is named by its number (`C4`), a mirror is `M`, and the letter of a
joker leaves it open.

`ways` lists every complete naming of a row. All questions are answered by filtering that list: what
a statement leaves (`declared_ways`), what a joker brings along from its old row (`carried_ways`),
whether anything is left open (`is_open`), and what the row then reads as (`readings_of`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise, permutations, product
from types import MappingProxyType
from typing import NamedTuple, TypeAlias

from tilerummy.rules.editions import Edition
from tilerummy.rules.errors import TileRummyError, quoted
from tilerummy.rules.rows import (
    GROUP_KINDS,
    Faces,
    Kind,
    Reading,
    Slot,
    halves,
    reader,
    slots,
)
from tilerummy.rules.tiles import (
    ALL_FACES,
    CHANGES_COLOUR,
    COLOUR,
    COLOUR_CHANGES,
    COLOURS,
    FACE_TEXT,
    FACES,
    HIGHEST,
    IS_JOKER,
    IS_MIRROR,
    IS_WILD,
    NUMBER,
    NUMBERED_FACES,
    SLOTS,
    WILD_FACES,
    Face,
    Row,
    faces_of,
    has_mirror,
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


# Every naming of a row


@lru_cache(1 << 14)
def ways(edition: Edition, row: Faces) -> tuple[Way, ...]:
    """All complete namings of a row as laid: the most valuable first, then by first colours."""
    found = [
        Way(reading.kind, names)
        for reading in reader(edition).readings(row)
        for names in dict.fromkeys(_namings(edition, row, reading.kind))
    ]
    return tuple(sorted(found, key=lambda way: -way.value))


def _namings(edition: Edition, row: Faces, kind: Kind) -> Iterator[Names]:
    sides = [*halves(row)] if has_mirror(row) else [slots(row, range(len(row)))]
    if kind in GROUP_KINDS:
        yield from _group_namings(row, sides)
    else:
        highest = HIGHEST
        if has_mirror(row) and edition.twist_mirror_number == "next":
            highest -= 1
        yield from _run_namings(row, sides, highest)


def _group_namings(row: Faces, sides: list[list[Slot]]) -> Iterator[Names]:
    shown = {NUMBER[face] for face in row if not IS_JOKER[face]}
    for number in shown or reversed(_NUMBERS):
        for colours in permutations(_COLOURS, len(sides[0])):
            names = [numbered(colour, number) for colour in colours]
            if all(
                slot.face in _OPEN or slot.face == name
                for side in sides
                for slot, name in zip(side, names, strict=True)
            ):
                laid = _lay(row, sides, [names] * len(sides))
                # The two tiles of a D in a group have no order, except against a mirror.
                if has_mirror(row) or all(list(name) == sorted(name) for name in split(row, laid)):
                    yield laid


def _run_namings(row: Faces, sides: list[list[Slot]], highest: int) -> Iterator[Names]:
    length = len(sides[0])
    firsts = {
        NUMBER[slot.face] - place
        for side in sides
        for place, slot in enumerate(side)
        if not IS_JOKER[slot.face]
    }
    for first in firsts or range(highest - length + 1, 0, -1):
        for colours in product(*(_colourings(side) for side in sides)):
            if len(sides) == 2 and any(
                None not in pair and pair[0] != pair[1] for pair in zip(*colours, strict=True)
            ):
                continue
            yield _lay(
                row,
                sides,
                [
                    [
                        CHANGED + number if colour is None else numbered(colour, number)
                        for number, colour in enumerate(side, first)
                    ]
                    for side in colours
                ],
            )


def _colourings(side: list[Slot]) -> list[tuple[int | None, ...]]:
    """The colours of the slots of a run, None for C: each C begins a segment of another colour."""
    places: list[int | None] = []
    segment = 0
    for slot in side:
        changes = CHANGES_COLOUR[slot.face]
        segment += changes
        places.append(None if changes else segment)
    found: dict[tuple[int | None, ...], None] = {}
    for chosen in product(_COLOURS, repeat=segment + 1):
        if any(a == b for a, b in pairwise(chosen)):
            continue
        colours = tuple([None if place is None else chosen[place] for place in places])
        if all(
            IS_JOKER[slot.face] or COLOUR[slot.face] == colour
            for slot, colour in zip(side, colours, strict=True)
        ):
            found[colours] = None
    return list(found)


def _lay(row: Faces, sides: list[list[Slot]], names: Sequence[Sequence[Entry]]) -> Names:
    """The names of both sides of a mirror, or of the one side of a plain row, as they lie."""
    at: list[list[Entry]] = [[face] if IS_MIRROR[face] else [] for face in row]
    for number, (side, side_names) in enumerate(zip(sides, names, strict=True)):
        for slot, name in zip(side, side_names, strict=True):
            # The right side is read from the outside, so the inner tile of a D lies first.
            at[slot.at].insert(0 if number else len(at[slot.at]), name)
    return tuple([name for entry in at for name in entry])


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


def declared_ways(edition: Edition, row: Faces, said: Declaration) -> tuple[Way, ...]:
    """The namings that match a declaration; none if it is impossible."""
    if isinstance(said, Kind):
        return tuple(
            [way for way in ways(edition, row) if said is way.kind or _is_small_mirror(row, said)]
        )
    if len(said) != sum([SLOTS[face] or 1 for face in row]):
        return ()
    asked = [tuple(sorted(name)) for name in split(row, said)]
    return tuple(
        [
            way
            for way in ways(edition, row)
            if all(
                want == tuple(sorted(name)) or (IS_JOKER[face] and {*want} == {face})
                for face, want, name in zip(row, asked, split(row, way.names), strict=True)
            )
        ]
    )


def _is_small_mirror(row: Faces, said: Kind) -> bool:
    """A mirror with one slot a side is neither run nor group."""
    return said is Kind.MIRROR and has_mirror(row) and sum([SLOTS[face] for face in row]) == 2


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
