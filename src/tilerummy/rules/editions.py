"""Editions: the box and every rule that differs, as one frozen value.

An option is a field of `Edition` that carries its key (`joker.rack_penalty`) and the values it
takes. A new edition is a new value of this class, never a new branch elsewhere.
"""

from __future__ import annotations

import dataclasses
import difflib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, cast, get_args

from tilerummy.rules import tiles
from tilerummy.rules.box import Box
from tilerummy.rules.errors import OptionError, quoted
from tilerummy.rules.options import (
    EVERY_JOKER,
    BlockedTie,
    Direction,
    DrawMode,
    EmptyPoolEnd,
    EmptyPoolPass,
    GamesPerRound,
    JokerDeclare,
    JokerReplaceFrom,
    JokerReuse,
    Jokers,
    MatchFinalTie,
    MatchNextStarter,
    MatchWinner,
    PenaltyMode,
    SetOrder,
    Spec,
    StarterJoker,
    StarterTie,
    TimerLegalDraft,
    TwistMirrorNumber,
    bool_option,
    checked_value,
    choice_option,
    int_option,
    joker_counts,
    jokers_text,
    option,
)
from tilerummy.rules.tiles import ByFace, Face


@dataclass(frozen=True)
class Edition:
    """One box and its rules. The field defaults are those of Classic."""

    name: str = "classic"

    copies: int = int_option("copies", "box", 2, 1, 4)
    jokers: Jokers = option(joker_counts(J=2), Spec("jokers", "jokers", "box", 0, 4))
    reduced_box: bool = bool_option("reduced_box", "box", False)
    players_min: int = int_option("players.min", "room", 2, 2, 6)
    players_max: int = int_option("players.max", "room", 4, 2, 6)
    hand_size: int = int_option("hand_size", "box", 14, 1, 40)

    starter_keep_tile: bool = bool_option("starter.keep_tile", "box", False)
    starter_joker: StarterJoker = choice_option("starter.joker", "room", StarterJoker)
    starter_tie: StarterTie = choice_option("starter.tie", "room", StarterTie)
    direction: Direction = choice_option("direction", "turn", Direction)

    initial_min: int = int_option("initial.min", "opening", 30, 0, 200)
    initial_single_set: bool = bool_option("initial.single_set", "opening", False)
    initial_jokers: bool = bool_option("initial.jokers", "opening", True)
    initial_same_turn_manipulation: bool = bool_option(
        "initial.same_turn_manipulation", "opening", False
    )

    draw_mode: DrawMode = choice_option("draw.mode", "turn", DrawMode)
    timer_seconds: int = int_option("timer.seconds", "room", 60, 0, 86_400)
    timer_legal_draft: TimerLegalDraft = choice_option("timer.legal_draft", "turn", TimerLegalDraft)
    penalty_tiles: int = int_option("penalty.tiles", "turn", 3, 1, 40)
    penalty_mode: PenaltyMode = choice_option("penalty.mode", "turn", PenaltyMode)
    strict_submit: bool = bool_option("strict_submit", "turn", False)

    empty_pool_pass: EmptyPoolPass = choice_option("empty_pool.pass", "pool", EmptyPoolPass)
    empty_pool_end: EmptyPoolEnd = choice_option("empty_pool.end", "pool", EmptyPoolEnd)
    final_round_manipulation: bool = bool_option("final_round.manipulation", "pool", True)

    joker_reuse: JokerReuse = choice_option("joker.reuse", "joker", JokerReuse, "new_set")
    joker_locked_sets: bool = bool_option("joker.locked_sets", "joker", False)
    joker_replace_from: JokerReplaceFrom = choice_option(
        "joker.replace_from", "joker", JokerReplaceFrom
    )
    joker_group3_needs_both: bool = bool_option("joker.group3_needs_both", "joker", False)
    joker_max_per_set: int | None = int_option(
        "joker.max_per_set", "joker", None, 0, 16, nullable=True
    )
    joker_declare: JokerDeclare = choice_option("joker.declare", "joker", JokerDeclare)
    joker_rack_penalty: int = int_option("joker.rack_penalty", "joker", 30, 0, 1000)

    set_min_natural: int = int_option("set.min_natural", "joker", 1, 0, 13)
    set_order: SetOrder = choice_option("set.order", "joker", SetOrder)

    twist_special_exchange_ban: bool = bool_option("twist.special_exchange_ban", "joker", True)
    twist_mirror_min_side: int = int_option("twist.mirror_min_side", "joker", 1, 1, 13)
    twist_mirror_c_needs_c: bool = bool_option("twist.mirror_c_needs_c", "joker", False)
    twist_mirror_number: TwistMirrorNumber = choice_option(
        "twist.mirror_number", "joker", TwistMirrorNumber
    )
    twist_adjacent_c: bool = bool_option("twist.adjacent_c", "joker", True)

    blocked_tie: BlockedTie = choice_option("blocked_tie", "match", BlockedTie)
    match_games_per_round: int | GamesPerRound = option(
        "players",
        Spec("match.games_per_round", "int", "match", 1, 100, get_args(GamesPerRound)),
    )
    match_winner: MatchWinner = choice_option("match.winner", "match", MatchWinner)
    match_final_tie: MatchFinalTie = choice_option("match.final_tie", "match", MatchFinalTie)
    match_next_starter: MatchNextStarter = choice_option(
        "match.next_starter", "match", MatchNextStarter
    )

    tournament_redeal_doubles: int = int_option("tournament.redeal_doubles", "box", 0, 0, 7)
    tournament_unopened_penalty: int = int_option(
        "tournament.unopened_penalty", "match", 0, 0, 1000
    )

    def __hash__(self) -> int:
        # Editions are keys of the row caches, so the hash of fifty fields is cached.
        kept = self.__dict__.get("_hash")
        if kept is None:
            kept = hash(tuple(getattr(self, item.name) for item in dataclasses.fields(self)))
            self.__dict__["_hash"] = kept
        return cast(int, kept)

    def __getstate__(self) -> dict[str, object]:
        # A pickle must not carry cached values: string hashes differ between processes.
        return {key: value for key, value in self.__dict__.items() if key[0] != "_"}

    @property
    def step(self) -> int:
        """What is added to a seat to get the next one in the order of play."""
        return 1 if self.direction == "cw" else -1

    @cached_property
    def has_specials(self) -> bool:
        """Whether the box has other jokers than the regular one."""
        return any(self.jokers_where(tiles.IS_SPECIAL))

    def jokers_where(self, wanted: ByFace[bool]) -> list[int]:
        """How many jokers of each kind with a property: `jokers_where(IS_MIRROR)`."""
        faces = tiles.JOKER_FACES
        return [n for face, n in zip(faces, self.jokers, strict=True) if wanted[face]]

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
        # Some options imply others unless these are set explicitly, so set them.
        implied = base.with_options(changed).options()
        return {key: value for key, value in own.items() if key in changed or implied[key] != value}

    def box(self, players: int | None = None) -> Box:
        """The tiles in play; without a number of players, the whole box."""
        if self.reduced_box and players is not None and players <= 4:
            return REDUCED_BOX
        return Box(self.copies, self.jokers)

    def with_options(self, options: Mapping[str, object]) -> Edition:
        """This edition with some options changed.

        Raises OptionError for an unknown option, a value out of range, or options that contradict
        each other.
        """
        changes: dict[str, Any] = {}
        for key, value in options.items():
            changes[_field_name(key)] = checked_value(find_spec(key), value)
        for implied in IMPLIED:
            if implied.by in options and implied.holds(options[implied.by]):
                changes.setdefault(_field_name(implied.key), implied.value)
        edition = dataclasses.replace(self, **changes)
        _check_combination(edition, frozenset(options))
        return edition


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
REDUCED_BOX = CLASSIC.box()
TAIWAN = dataclasses.replace(
    CLASSIC,
    name="taiwan",
    joker_reuse="any",
    empty_pool_end="final_round",
)
SIXPLAYER = dataclasses.replace(
    TAIWAN, name="sixplayer", copies=3, jokers=joker_counts(J=4), reduced_box=True, players_max=6
)
TWIST = dataclasses.replace(
    CLASSIC,
    name="twist",
    jokers=joker_counts(J=2, D=2, C=2, M=2),
    joker_reuse="any",
    set_order="as_laid",
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


@dataclass(frozen=True, slots=True)
class Implied:
    """A value that another option implies, unless the option is set explicitly."""

    by: str
    key: str
    value: object
    when: object = None
    """The value of `by` that implies it; None for any."""

    def holds(self, given: object) -> bool:
        return self.when is None or given == self.when


IMPLIED = (
    Implied("copies", "reduced_box", False),
    Implied("jokers", "reduced_box", False),
    Implied("joker.locked_sets", "joker.replace_from", "rack", when=True),
)
"""A custom box is not reduced, and a locked row is freed with tiles of the rack."""


JOKERS_NEEDED: dict[str, tuple[Face, ...]] = {
    "twist.special_exchange_ban": tiles.SPECIAL_WILDS,
    "twist.mirror_min_side": tiles.MIRRORS,
    "twist.mirror_c_needs_c": tiles.MIRRORS,
    "twist.mirror_number": tiles.MIRRORS,
    "twist.adjacent_c": tiles.COLOUR_CHANGES,
}
"""Options without effect in a box that has none of these jokers."""


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
"""Interned editions: equal editions share one object, so that comparing them is fast."""


def find_spec(key: object) -> Spec:
    spec = SPECS.get(key) if isinstance(key, str) else None
    if spec is None:
        near = difflib.get_close_matches(quoted(key), SPECS, n=1, cutoff=0.7)
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
    """The JSON value of one option."""
    value = getattr(edition_, _field_name(key))
    return jokers_text(value) if key == "jokers" else value


def parse_option(text: str) -> tuple[str, object]:
    """`joker.rack_penalty=25` → key and value, converted to the type of the option."""
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


def _field_name(key: str) -> str:
    return _FIELDS[find_spec(key).key]


def _check_combination(edition_: Edition, given: frozenset[str]) -> None:
    """Reject options that contradict each other or that can never have an effect."""
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
    explicit = _explicit_options(edition_, given)
    _check_jokers_needed(edition_, explicit)
    best_row = 182 if any(edition_.jokers_where(tiles.IS_MIRROR)) else 91
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
    if "final_round.manipulation" in explicit and edition_.empty_pool_end != "final_round":
        raise OptionError(
            "final_round.manipulation needs empty_pool.end=final_round: with "
            "empty_pool.end={end} there is no final round",
            key="error.option.final-round",
            end=edition_.empty_pool_end,
        )
    whole = edition_.box()
    if edition_.reduced_box and (whole == REDUCED_BOX or not whole.holds(REDUCED_BOX)):
        raise OptionError(
            "reduced_box=true takes 106 tiles (two of each number tile, two jokers) out of a "
            "larger box, such as copies=3 and jokers=J4",
            key="error.option.reduced-box",
        )


def _explicit_options(edition_: Edition, given: frozenset[str]) -> list[str]:
    """The options that were set, or that differ from the edition of that name."""
    base = EDITIONS[edition_.name]
    return [
        key
        for key in SPECS
        if key in given or option_value(edition_, key) != option_value(base, key)
    ]


def _check_jokers_needed(edition_: Edition, explicit: list[str]) -> None:
    for key in explicit:
        needed = JOKERS_NEEDED.get(key, ())
        if needed and not any(edition_.box().count(joker) for joker in needed):
            raise OptionError(
                "{option} is about the jokers {letters}, and this box has {jokers}: take the "
                "edition twist, or add special jokers with jokers={every}",
                key="error.option.needs-joker",
                every=EVERY_JOKER,
                option=key,
                letters=tuple(tiles.FACE_TEXT[joker] for joker in needed),
                jokers=jokers_text(edition_.jokers),
            )
