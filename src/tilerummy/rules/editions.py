"""Editions: the box and every rule that differs, as one frozen value.

An option is a field of `Edition` that carries its key (`joker.rack_penalty`) and the values it
takes. A new edition is a new value of this class, never a new branch elsewhere.
"""

from __future__ import annotations

import dataclasses
import difflib
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, cast

from tilerummy.rules import tiles
from tilerummy.rules.errors import OptionError, quoted
from tilerummy.rules.tiles import Face, Tile


@dataclass(frozen=True, slots=True)
class Spec:
    """What values one option takes."""

    key: str
    kind: str  # "int", "bool", "choice", "jokers"
    low: int = 0
    high: int = 0
    choices: tuple[str, ...] = ()
    nullable: bool = False

    def possible(self) -> str:
        """The values in words, for error messages and tables."""
        if self.kind == "bool":
            words = "true or false"
        elif self.kind == "jokers":
            words = f"how many of each joker, as in J2 or J2 D2 C2 M2 (up to {self.high} of a kind)"
        elif self.kind == "choice":
            words = " or ".join(self.choices)
        elif self.choices:
            words = f"{' or '.join(self.choices)} or a whole number from {self.low} to {self.high}"
        else:
            words = f"a whole number from {self.low} to {self.high}"
        return words + (" or null" if self.nullable else "")

    __str__ = possible


def _option(default: object, spec: Spec) -> Any:
    return field(default=default, metadata={"spec": spec})


def _int(key: str, default: int | None, low: int, high: int, *, nullable: bool = False) -> Any:
    return _option(default, Spec(key, "int", low, high, nullable=nullable))


def _bool(key: str, default: bool) -> Any:
    return _option(default, Spec(key, "bool"))


def _choice(key: str, *choices: str) -> Any:
    return _option(choices[0], Spec(key, "choice", choices=choices))


Jokers = tuple[int, int, int, int]


@dataclass(frozen=True)
class Edition:
    """One box and its rules. The field defaults are those of Classic."""

    name: str = "classic"

    copies: int = _int("copies", 2, 1, 4)
    jokers: Jokers = _option((2, 0, 0, 0), Spec("jokers", "jokers", 0, 4))
    reduced_box: bool = _bool("reduced_box", False)
    players_min: int = _int("players.min", 2, 2, 6)
    players_max: int = _int("players.max", 4, 2, 6)
    hand_size: int = _int("hand_size", 14, 1, 40)

    starter_keep_tile: bool = _bool("starter.keep_tile", False)
    starter_joker: str = _choice("starter.joker", "redraw")
    starter_tie: str = _choice("starter.tie", "redraw_tied")
    direction: str = _choice("direction", "cw", "ccw")

    initial_min: int = _int("initial.min", 30, 0, 200)
    initial_single_set: bool = _bool("initial.single_set", False)
    initial_jokers: bool = _bool("initial.jokers", True)
    initial_same_turn_manipulation: bool = _bool("initial.same_turn_manipulation", False)

    draw_mode: str = _choice("draw.mode", "one", "until_playable")
    timer_seconds: int = _int("timer.seconds", 60, 0, 86_400)
    timer_legal_draft: str = _choice("timer.legal_draft", "commit", "restore")
    penalty_tiles: int = _int("penalty.tiles", 3, 1, 40)
    penalty_mode: str = _choice("penalty.mode", "fixed", "leftover_count")
    strict_submit: bool = _bool("strict_submit", False)

    empty_pool_pass: str = _choice("empty_pool.pass", "forced_if_able", "voluntary")
    empty_pool_end: str = _choice(
        "empty_pool.end", "nobody_can", "all_pass", "final_round", "first_unable"
    )
    final_round_manipulation: bool = _bool("final_round.manipulation", True)

    joker_reuse: str = _option(
        "new_set",
        Spec("joker.reuse", "choice", choices=("any", "other_set", "new_set", "new_set_rack2")),
    )
    joker_locked_sets: bool = _bool("joker.locked_sets", False)
    joker_replace_from: str = _choice("joker.replace_from", "any", "rack")
    joker_group3_needs_both: bool = _bool("joker.group3_needs_both", False)
    joker_max_per_set: int | None = _int("joker.max_per_set", None, 0, 16, nullable=True)
    joker_declare: str = _choice("joker.declare", "position", "kind", "explicit")
    joker_rack_penalty: int = _int("joker.rack_penalty", 30, 0, 1000)

    set_min_natural: int = _int("set.min_natural", 1, 0, 13)
    set_order: str = _choice("set.order", "normalise", "as_laid")

    twist_special_exchange_ban: bool = _bool("twist.special_exchange_ban", True)
    twist_mirror_min_side: int = _int("twist.mirror_min_side", 1, 1, 13)
    twist_mirror_c_needs_c: bool = _bool("twist.mirror_c_needs_c", False)
    twist_mirror_number: str = _choice("twist.mirror_number", "none", "next")
    twist_adjacent_c: bool = _bool("twist.adjacent_c", True)

    blocked_tie: str = _choice("blocked_tie", "split", "fewest_tiles", "no_score")
    match_games_per_round: int | str = _option(
        "players", Spec("match.games_per_round", "int", 1, 100, choices=("players",))
    )
    match_winner: str = _choice("match.winner", "games", "score")
    match_final_tie: str = _choice("match.final_tie", "shared", "extra_game")
    match_next_starter: str = _choice("match.next_starter", "draw", "winner", "rotate")

    tournament_redeal_doubles: int = _int("tournament.redeal_doubles", 0, 0, 7)
    tournament_unopened_penalty: int = _int("tournament.unopened_penalty", 0, 0, 1000)

    def __hash__(self) -> int:
        # Editions key the row caches, so the hash of fifty fields is worth keeping.
        kept = self.__dict__.get("_hash")
        if kept is None:
            kept = hash(tuple(getattr(self, item.name) for item in dataclasses.fields(self)))
            self.__dict__["_hash"] = kept
        return cast(int, kept)

    def __getstate__(self) -> dict[str, object]:
        # What is kept can be found again; the hash of a text differs from process to process.
        return {key: value for key, value in self.__dict__.items() if key[0] != "_"}

    @property
    def has_specials(self) -> bool:
        return any(self.jokers[1:])

    def options(self) -> dict[str, object]:
        """Every option with its value, in the order of the rules."""
        return {spec.key: option_value(self, spec.key) for spec in SPECS.values()}

    def __repr__(self) -> str:
        changed = "".join(f" {key}={value}" for key, value in self.changed_options().items())
        return f"<Edition {self.name}{changed}>"

    def changed_options(self) -> dict[str, object]:
        """The options that make the edition of this name into this one."""
        kept = self.__dict__.get("_changed_options")
        if kept is None:
            kept = self.__dict__["_changed_options"] = self._find_changed_options()
        return dict(kept)

    def _find_changed_options(self) -> dict[str, object]:
        base, own = EDITIONS[self.name], self.options()
        usual = base.options()
        changed = {key: value for key, value in own.items() if usual[key] != value}
        # Some options imply others unless told otherwise: tell so.
        implied = base.with_options(changed).options()
        return {key: value for key, value in own.items() if key in changed or implied[key] != value}

    def box(self, players: int | None = None) -> Box:
        """The tiles in play; without a number of players, the whole box."""
        if self.reduced_box and players is not None and players <= 4:
            return Box(2, (2, 0, 0, 0))
        return Box(self.copies, self.jokers)

    def with_options(self, options: Mapping[str, object]) -> Edition:
        """This edition with some options changed. Raises OptionError naming what is possible."""
        changes: dict[str, Any] = {}
        for key, value in options.items():
            changes[_field_name(key)] = _checked(find_spec(key), value)
        for implied in IMPLIED:
            if implied.by in options and implied.holds(options[implied.by]):
                changes.setdefault(_field_name(implied.key), implied.value)
        edition = dataclasses.replace(self, **changes)
        _check_combination(edition, frozenset(options))
        return edition


@dataclass(frozen=True, slots=True)
class Box:
    """How many tiles of each face there are."""

    copies: int
    jokers: Jokers

    def count(self, face: Face) -> int:
        return self.jokers[face - tiles.JOKER] if tiles.IS_JOKER[face] else self.copies

    def __len__(self) -> int:
        return 52 * self.copies + sum(self.jokers)

    def tiles(self) -> tuple[Tile, ...]:
        """Every tile once, in a fixed order."""
        return _tiles_of(self)


@lru_cache(64)
def _tiles_of(box: Box) -> tuple[Tile, ...]:
    return tuple(
        tiles.tile(face, copy) for face in tiles.ALL_FACES for copy in range(1, box.count(face) + 1)
    )


SPECS: dict[str, Spec] = {
    item.metadata["spec"].key: item.metadata["spec"]
    for item in dataclasses.fields(Edition)
    if "spec" in item.metadata
}
_FIELDS: dict[str, str] = {
    item.metadata["spec"].key: item.name
    for item in dataclasses.fields(Edition)
    if "spec" in item.metadata
}

CLASSIC = Edition()
TAIWAN = dataclasses.replace(
    CLASSIC,
    name="taiwan",
    joker_reuse="any",
    empty_pool_end="final_round",
)
SIXPLAYER = dataclasses.replace(
    TAIWAN, name="sixplayer", copies=3, jokers=(4, 0, 0, 0), reduced_box=True, players_max=6
)
TWIST = dataclasses.replace(
    CLASSIC, name="twist", jokers=(2, 2, 2, 2), joker_reuse="any", set_order="as_laid"
)
SABRA = dataclasses.replace(
    CLASSIC,
    name="sabra",
    starter_keep_tile=True,
    initial_same_turn_manipulation=True,
    timer_seconds=120,
    empty_pool_pass="voluntary",
    empty_pool_end="all_pass",
    joker_reuse="any",
    joker_locked_sets=True,
    joker_replace_from="rack",
    match_games_per_round=1,
)
EDITIONS: dict[str, Edition] = {
    edition.name: edition for edition in (CLASSIC, TAIWAN, SIXPLAYER, TWIST, SABRA)
}
"""Every edition by its name."""

ALIASES: dict[tuple[str, str], str] = {
    ("set.order", "as laid"): "as_laid",
    ("match.winner", "games, score"): "games",
}
"""Other spellings that the rules use for a value."""


@dataclass(frozen=True, slots=True)
class Implied:
    """A value that an option gets with another option, unless it is set too."""

    by: str
    key: str
    value: object
    when: object = None
    """The value of `by` that brings it; None is any."""

    def holds(self, given: object) -> bool:
        return self.when is None or given == self.when


IMPLIED = (
    Implied("copies", "reduced_box", False),
    Implied("jokers", "reduced_box", False),
    Implied("joker.locked_sets", "joker.replace_from", "rack", when=True),
)
"""A box of one's own is not reduced, and a lock is opened from the rack."""


JOKERS_NEEDED: dict[str, tuple[Face, ...]] = {
    "twist.special_exchange_ban": (tiles.DOUBLE, tiles.CHANGE),
    "twist.mirror_min_side": (tiles.MIRROR,),
    "twist.mirror_c_needs_c": (tiles.MIRROR,),
    "twist.mirror_number": (tiles.MIRROR,),
    "twist.adjacent_c": (tiles.CHANGE,),
}
"""Options that say nothing about a box without one of these."""


def edition(name: object, options: Mapping[str, object] | None = None) -> Edition:
    """The edition of that name, with options changed: `edition("twist", {"hand_size": 10})`.

    Raises OptionError for an unknown name or option, a value out of range, or options that
    contradict each other.
    """
    base = EDITIONS.get(name) if isinstance(name, str) else None
    if base is None:
        raise OptionError(
            "unknown edition '{name}': there are {editions}",
            code="bad-edition",
            key="error.option.edition",
            name=quoted(name),
            editions=tuple(EDITIONS),
        )
    if not options:
        return base
    changed = base.with_options(options)
    if len(_changed) >= MOST_CHANGED:
        _changed.clear()
    return _changed.setdefault(changed, changed)


MOST_CHANGED = 1024
_changed: dict[Edition, Edition] = {}
"""Equal editions are one, where possible: what is the same object need not be compared."""


def find_spec(key: object) -> Spec:
    spec = SPECS.get(key) if isinstance(key, str) else None
    if spec is None:
        near = difflib.get_close_matches(str(key)[:60], SPECS, n=1, cutoff=0.7)
        if near:
            raise OptionError(
                "unknown option '{option}': did you mean {near}? There are {options}",
                key="error.option.near",
                option=quoted(key),
                near=near[0],
                options=tuple(SPECS),
            )
        raise OptionError(
            "unknown option '{option}': there are {options}",
            key="error.option.unknown",
            option=quoted(key),
            options=tuple(SPECS),
        )
    return spec


def option_value(edition_: Edition, key: str) -> object:
    """The value of one option as JSON would carry it."""
    value = getattr(edition_, _field_name(key))
    return jokers_text(value) if key == "jokers" else value


def parse_option(text: str) -> tuple[str, object]:
    """`joker.rack_penalty=25` → key and value, typed as the option asks."""
    key, equals, raw = text.partition("=")
    spec = find_spec(key.strip())
    raw = raw.strip()
    if not equals or not raw:
        raise OptionError(
            "write {option}=VALUE, where VALUE is {possible}",
            key="error.option.no-value",
            option=spec.key,
            possible=spec,
        )
    if spec.nullable and raw.lower() in ("null", "none"):
        return spec.key, None
    if spec.kind == "bool":
        words = {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}
        return spec.key, words.get(raw.lower(), raw)
    if spec.kind == "int" and re.fullmatch(r"-?0{0,50}\d{1,9}", raw, re.ASCII):
        return spec.key, int(raw)
    return spec.key, raw


def jokers_text(jokers: Jokers) -> str:
    """(2, 0, 0, 0) → `J2`; a box without jokers is `J0`."""
    parts = [
        f"{letter}{count}"
        for letter, count in zip(tiles.JOKER_LETTERS, jokers, strict=True)
        if count
    ]
    return " ".join(parts) or "J0"


def _parse_jokers(spec: Spec, value: object) -> Jokers:
    counts = dict.fromkeys(tiles.JOKER_LETTERS, 0)
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
    return counts["J"], counts["D"], counts["C"], counts["M"]


def _checked(spec: Spec, value: object) -> object:
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


def _field_name(key: str) -> str:
    return _FIELDS[find_spec(key).key]


def _check_combination(edition_: Edition, given: frozenset[str]) -> None:
    """Refuse options that contradict each other or that could never have an effect."""
    if edition_.players_min > edition_.players_max:
        raise OptionError(
            "players.min={low} is more than players.max={high}",
            key="error.option.players",
            low=edition_.players_min,
            high=edition_.players_max,
        )
    possible = range(edition_.players_min, edition_.players_max + 1)
    for players in possible:
        size = len(edition_.box(players))
        if players * edition_.hand_size > size:
            raise OptionError(
                "hand_size={hand} with {players} players needs {needed} tiles, this box has "
                "{size}: at most hand_size={most}, or fewer players with players.max",
                key="error.option.hand-size",
                hand=edition_.hand_size,
                players=players,
                needed=players * edition_.hand_size,
                size=size,
                most=min(len(edition_.box(n)) // n for n in possible),
            )
    base = EDITIONS[edition_.name]
    told = [
        key
        for key in SPECS
        if key in given or option_value(edition_, key) != option_value(base, key)
    ]
    for key in told:
        needed = JOKERS_NEEDED.get(key, ())
        if needed and not any(edition_.box().count(joker) for joker in needed):
            raise OptionError(
                "{option} is about the jokers {letters}, and this box has {jokers}: take the "
                "edition twist, or add special jokers with jokers=J2 D2 C2 M2",
                key="error.option.needs-joker",
                option=key,
                letters=tuple(tiles.FACE_TEXT[joker] for joker in needed),
                jokers=jokers_text(edition_.jokers),
            )
    best_row = 182 if edition_.box().count(tiles.MIRROR) else 91
    if edition_.initial_single_set and edition_.initial_min > best_row:
        raise OptionError(
            "initial.single_set=true with initial.min={minimum}: no row of this box is worth "
            "more than {most}",
            key="error.option.single-set",
            minimum=edition_.initial_min,
            most=best_row,
        )
    if 2 * edition_.tournament_redeal_doubles > edition_.hand_size:
        raise OptionError(
            "tournament.redeal_doubles={pairs} asks for more tiles than hand_size={hand} deals: "
            "at most {most}",
            key="error.option.redeal",
            pairs=edition_.tournament_redeal_doubles,
            hand=edition_.hand_size,
            most=edition_.hand_size // 2,
        )
    if "final_round.manipulation" in told and edition_.empty_pool_end != "final_round":
        raise OptionError(
            "final_round.manipulation needs empty_pool.end=final_round: with "
            "empty_pool.end={end} there is no final round",
            key="error.option.final-round",
            end=edition_.empty_pool_end,
        )
    if edition_.reduced_box and edition_.copies == 2 and edition_.jokers == (2, 0, 0, 0):
        raise OptionError(
            "reduced_box=true needs a box larger than 106 tiles, such as copies=3 and jokers=J4",
            key="error.option.reduced-box",
        )
