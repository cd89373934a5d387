"""Options: the valid values of each, and the part of the rules it belongs to.

The values of an option are a `Literal` type. `Spec.choices` is derived from it, so that they are
written once, and a comparison with a value that does not exist is a type error.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, cast, get_args

from tilerummy.rules.errors import OptionError, quoted
from tilerummy.rules.tiles import JOKER_LETTERS

Jokers = tuple[int, ...]
"""How many of each kind of joker, in the order of `JOKER_KINDS`."""

EVERY_JOKER = " ".join([f"{letter}2" for letter in JOKER_LETTERS])
"""A box with every kind of joker, as an example of what the option `jokers` takes."""

OptionKind = Literal["int", "bool", "choice", "jokers"]
OptionGroup = Literal["room", "box", "opening", "turn", "joker", "pool", "match"]
"""The groups of options. `room` is for options that are set beside the rules: the number of
players and the clock, and those that have only one value."""

BlockedTie = Literal["split", "fewest_tiles", "no_score"]
Direction = Literal["cw", "ccw"]
DrawMode = Literal["one", "until_playable"]
EmptyPoolEnd = Literal["nobody_can", "all_pass", "final_round", "first_unable"]
EmptyPoolPass = Literal["forced_if_able", "voluntary"]
GamesPerRound = Literal["players"]
JokerDeclare = Literal["position", "kind", "explicit"]
JokerReplaceFrom = Literal["any", "rack"]
JokerReuse = Literal["any", "other_set", "new_set", "new_set_rack2"]
MatchFinalTie = Literal["shared", "extra_game"]
MatchNextStarter = Literal["draw", "winner", "rotate"]
MatchWinner = Literal["games", "score"]
PenaltyMode = Literal["fixed", "leftover_count"]
SetOrder = Literal["normalise", "as_laid"]
StarterJoker = Literal["redraw"]
StarterTie = Literal["redraw_tied"]
TimerLegalDraft = Literal["commit", "restore"]
TwistMirrorNumber = Literal["none", "next"]


@dataclass(frozen=True, slots=True)
class Spec:
    """What values one option takes."""

    key: str
    kind: OptionKind
    group: OptionGroup
    low: int = 0
    high: int = 0
    choices: tuple[str, ...] = ()
    nullable: bool = False

    def possible(self) -> str:
        """The values as text, for error messages and tables."""
        if self.kind == "bool":
            words = "true or false"
        elif self.kind == "jokers":
            words = (
                f"how many of each joker, as in J2 or {EVERY_JOKER} (up to {self.high} of a kind)"
            )
        elif self.kind == "choice":
            words = " or ".join(self.choices)
        elif self.choices:
            words = f"{' or '.join(self.choices)} or a whole number from {self.low} to {self.high}"
        else:
            words = f"a whole number from {self.low} to {self.high}"
        return words + (" or null" if self.nullable else "")

    __str__ = possible


def option(default: object, spec: Spec) -> Any:
    """A field of `Edition` that is an option."""
    return field(default=default, metadata={"spec": spec})


def int_option(
    key: str,
    group: OptionGroup,
    default: int | None,
    low: int,
    high: int,
    *,
    nullable: bool = False,
) -> Any:
    return option(default, Spec(key, "int", group, low, high, nullable=nullable))


def bool_option(key: str, group: OptionGroup, default: bool) -> Any:
    return option(default, Spec(key, "bool", group))


def choice_option(key: str, group: OptionGroup, values: Any, default: str | None = None) -> Any:
    """One of the values of a `Literal` type; the first one unless another is the default."""
    choices = get_args(values)
    return option(default or choices[0], Spec(key, "choice", group, choices=choices))


ALIASES: dict[tuple[str, str], str] = {
    ("set.order", "as laid"): "as_laid",
    ("match.winner", "games, score"): "games",
}
"""Other spellings that the rules use for a value."""


def jokers_text(jokers: Jokers) -> str:
    """Counts of jokers as text: `J2 D2`; a box without jokers is `J0`."""
    parts = [
        f"{letter}{count}" for letter, count in zip(JOKER_LETTERS, jokers, strict=True) if count
    ]
    return " ".join(parts) or f"{JOKER_LETTERS[0]}0"


def joker_counts(**counts: int) -> Jokers:
    """Counts of jokers by their letters: `joker_counts(J=2)`."""
    if unknown := counts.keys() - {*JOKER_LETTERS}:
        raise ValueError(f"no kind of joker has the letter {min(unknown)}: see JOKER_KINDS")
    return tuple([counts.get(letter, 0) for letter in JOKER_LETTERS])


def _parse_jokers(spec: Spec, value: object) -> Jokers:
    counts = dict.fromkeys(JOKER_LETTERS, 0)
    pairs: list[tuple[object, object]]
    if isinstance(value, Mapping):
        pairs = list(value.items())
    elif isinstance(value, str):
        pairs = [
            (part[:1], int(part[1:]) if re.fullmatch(r"\d{1,4}", part[1:], re.ASCII) else part)
            for part in value.replace(",", " ").split()
        ]
    else:
        raise _bad_value(spec, value)
    seen: set[object] = set()
    for letter, count in pairs:
        known = isinstance(letter, str) and letter in counts and letter not in seen
        if not known or not _is_int(count) or not spec.low <= cast(int, count) <= spec.high:
            raise _bad_value(spec, value)
        seen.add(letter)
        counts[cast(str, letter)] = cast(int, count)
    if not pairs:
        raise _bad_value(spec, value)
    return tuple(counts.values())


def checked_value(spec: Spec, value: object) -> object:
    """The value as `Edition` holds it. Raises OptionError with the valid values."""
    if spec.nullable and value in (None, "none"):
        return None
    if spec.kind == "jokers":
        return _parse_jokers(spec, value)
    if isinstance(value, str):
        value = ALIASES.get((spec.key, value), value)
        if value in spec.choices:
            return value
    if spec.kind == "bool" and isinstance(value, bool):
        return value
    if spec.kind == "int" and _is_int(value) and spec.low <= cast(int, value) <= spec.high:
        return value
    raise _bad_value(spec, value)


def _is_int(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _bad_value(spec: Spec, value: object) -> OptionError:
    return OptionError(
        "{option} cannot be '{value}': it takes {possible}",
        key="error.option.value",
        option=spec.key,
        value=quoted(value),
        possible=spec,
    )
