"""Names of players: one policy for new names, and a confusable skeleton to compare them by.

`chosen` normalises a name that somebody gives themselves, and refuses what cannot be seen. Stored
names are never judged by it: `match.check_names` says what a record may contain.

Two names are alike if they have the same letters in either case, or the same skeleton: each letter
is replaced by the plainest letter that looks like it. The table is our own and covers the letters
of Latin, Greek, Cyrillic, Armenian and Cherokee that look the same in common fonts.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable

from tilerummy.rules.errors import TileRummyError, quoted

LONGEST_NAME = 24
MOST_MARKS = 2
"""Combining marks in a row: more of them cover the lines above and below."""

_JOINERS = "\u200c\u200d"
_SELECTORS = dict.fromkeys((*range(65024, 65040), *range(917760, 918000)))
"""Variation selectors choose between glyphs of one character. They are dropped: nobody types them
on purpose, and emoji bring them along."""
_BLANK = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0")
"""Fillers and other characters without a glyph that count as letters, marks or symbols."""
_HIDDEN = frozenset({"Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp"})
_BREAKS = frozenset({"Cc", "Zl", "Zp"})
"""Refused although the normal form does not have all of them: some are white space."""
_JOINED = (
    *("ARABIC", "SYRIAC", "NKO", "MONGOLIAN", "DEVANAGARI", "BENGALI", "GURMUKHI", "GUJARATI"),
    *("ORIYA", "TAMIL", "TELUGU", "KANNADA", "MALAYALAM", "SINHALA", "MYANMAR", "KHMER"),
)
"""Scripts in which an invisible joiner changes the shape of the letters beside it."""

_LOOKS = {
    "A": "\u0391\u0410\u13aa",
    "a": "\u0251\u03b1\u0430",
    "B": "\u0392\u0412\u13f4",
    "b": "\u0185\u0432\u044c",
    "C": "\u03f9\u0421\u13df",
    "c": "\u03f2\u0441",
    "D": "\u13a0",
    "d": "\u0501",
    "E": "\u0395\u0415\u13ac",
    "e": "\u0435\u04bd",
    "F": "\u03dc",
    "G": "\u050c\u13c0",
    "g": "\u0261",
    "H": "\u0397\u041d\u13bb",
    "h": "\u043d\u04bb\u0570",
    "I": "\u0399\u0406\u04c0",
    "i": "\u0131\u03b9\u0456",
    "J": "\u037f\u0408\u13ab",
    "j": "\u03f3\u0458",
    "K": "\u039a\u041a\u13e6",
    "k": "\u03ba\u043a",
    "L": "\u13de",
    "l": "\u01c0\u04cf",
    "M": "\u039c\u03fa\u041c\u13b7",
    "m": "\u043c",
    "N": "\u039d",
    "n": "\u03b7\u043f\u0578",
    "O": "\u039f\u041e\u0555",
    "o": "\u03bf\u03c3\u043e\u0585\u3007",
    "P": "\u03a1\u0420\u13e2",
    "p": "\u03c1\u0440",
    "Q": "\u051a",
    "q": "\u051b\u0566",
    "R": "\u13a1",
    "r": "\u0433",
    "S": "\u0405\u054f\u13da",
    "s": "\u01bd\u0455",
    "T": "\u03a4\u0422\u13a2",
    "t": "\u03c4\u0442",
    "U": "\u054d",
    "u": "\u028b\u03c5\u057d",
    "V": "\u0474\u13d9",
    "v": "\u03bd\u0475",
    "W": "\u051c\u13b3",
    "w": "\u0461\u051d\u0561",
    "X": "\u03a7\u0425",
    "x": "\u03c7\u0445",
    "Y": "\u03a5\u0423\u04ae",
    "y": "\u03b3\u0443\u04af",
    "Z": "\u0396\u13c3",
    "3": "\u0292\u0417\u0437",
    "6": "\u0431",
    "'": "\u0060\u00b4\u02bc\u2018\u2019",
    "-": "\u2010\u2011\u2012\u2013\u2014\u2015\u2212",
    "\u00b7": "\u2022\u2027\u30fb",
}
"""By plain letter, the letters of other alphabets that look like it, in either case."""
_PLAIN = {ord(other): letter for letter, others in _LOOKS.items() for other in others}
_MERGED = {ord("i"): "l", ord("1"): "l", ord("|"): "l", ord("0"): "o"}
"""Letters and digits of one alphabet that look alike once case is ignored: `I`, `l` and `1`."""
_NUMBERS = "0123456789lo"
"""What a number at the end of a skeleton may consist of."""


class BadName(TileRummyError):  # noqa: N818 - names an error of a player
    """A name that nobody can have."""

    code = "bad-name"


def chosen(given: str) -> str:
    """The name in its normal form: NFKC, trimmed, single spaces. Raises BadName unless it is short,
    and all of it can be seen."""
    name = " ".join(unicodedata.normalize("NFKC", given).translate(_SELECTORS).split())
    if not 1 <= len(name) <= LONGEST_NAME:
        raise BadName(
            "the name '{name}' has {length} characters: give it 1 to {most}",
            key="error.match.name-length",
            name=quoted(given),
            length=len(name),
            most=LONGEST_NAME,
        )
    breaks = any(unicodedata.category(letter) in _BREAKS for letter in given)
    if breaks or any(_is_hidden(name, place) for place in range(len(name))):
        raise BadName(
            "the name '{name}' contains a character that cannot be seen: type it again without it",
            key="error.name.hidden",
            name=quoted(given),
        )
    if not any(unicodedata.category(letter)[0] in "LNS" for letter in name):
        raise BadName(
            "the name '{name}' needs a letter, a digit or a symbol",
            key="error.name.empty",
            name=quoted(given),
        )
    if _most_marks(name) > MOST_MARKS:
        raise BadName(
            "the name '{name}' has too many marks on one letter: use at most {most}",
            key="error.name.marks",
            name=quoted(given),
            most=MOST_MARKS,
        )
    return name


def are_alike(one: str, other: str) -> bool:
    """Whether people could take one name for the other."""
    return _folded(one) == _folded(other) or skeleton(one) == skeleton(other)


def stem(name: str) -> str:
    """The skeleton of a name without the number at its end: the same for `Bot 1` and `B0t l2`."""
    return skeleton(name).rstrip(_NUMBERS)


def numbered(name: str, others: Iterable[str]) -> str:
    """The name, or the name with the first number from 2 on that tells it from the others."""
    taken = list(others)
    found, number = name, 1
    while any(are_alike(found, other) for other in taken):
        number += 1
        found = f"{name[: LONGEST_NAME - 4].rstrip()} {number}"
    return found


def skeleton(name: str) -> str:
    """The name in the plainest letters that look like its own, without spaces and case."""
    letters = unicodedata.normalize("NFD", _visible(name)).translate(_PLAIN)
    plain = "".join(letters.casefold().split()).translate(_MERGED)
    return plain.replace("rn", "m").replace("vv", "w")


def _folded(name: str) -> str:
    return "".join(_visible(name).casefold().split())


def _visible(name: str) -> str:
    """Without what cannot be seen; stored names may contain it."""
    normal = unicodedata.normalize("NFKC", name).translate(_SELECTORS)
    return "".join(
        letter
        for letter in normal
        if letter not in _BLANK and unicodedata.category(letter) not in _HIDDEN
    )


def _is_hidden(name: str, place: int) -> bool:
    letter = name[place]
    if letter in _JOINERS:
        return not _joins(name[place - 1 : place], name[place + 1 : place + 2], letter)
    return letter in _BLANK or unicodedata.category(letter) in _HIDDEN


def _joins(before: str, after: str, joiner: str) -> bool:
    """Whether the characters beside an invisible joiner need it."""
    if not before or not after:
        return False
    if joiner == "\u200d" and _is_pictured(before) and _is_pictured(after):
        return True
    names = [unicodedata.name(letter, "") for letter in (before, after)]
    return all(name.startswith(_JOINED) for name in names)


def _is_pictured(letter: str) -> bool:
    """Whether it is an emoji, or the colour of the skin of one."""
    return unicodedata.category(letter) in ("So", "Sk") and letter > "\u2000"


def _most_marks(name: str) -> int:
    """The longest row of combining marks; one that stands on nothing counts as too many."""
    most = row = 0
    for place, letter in enumerate(name):
        is_mark = unicodedata.category(letter) in ("Mn", "Me")
        row = row + 1 if is_mark else 0
        if is_mark and (place == 0 or name[place - 1] == " "):
            return MOST_MARKS + 1
        most = max(most, row)
    return most
