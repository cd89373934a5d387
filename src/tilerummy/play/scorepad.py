"""The score pad: results of games at a real table, entered by hand.

A game is entered as what each player has left (`Counted`) or as finished scores (`Written`). The
pad is immutable: every change returns a new pad or raises `PadError`. Its JSON form is in
`tilerummy.play.padjson`; the command line reads and writes the files.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from tilerummy.play.match import Match, MatchError, check_names
from tilerummy.play.names import LONGEST_NAME, BadName, are_alike, chosen
from tilerummy.rules.box import Box
from tilerummy.rules.editions import Edition
from tilerummy.rules.errors import TileError, TileRummyError, quoted
from tilerummy.rules.scores import Rack, Result, rack_points, score_blocked, score_out
from tilerummy.rules.tiles import (
    COLOURS,
    HIGHEST,
    Face,
    Row,
    face_text,
    faces_of,
    parse_face,
    row_text,
    unidentified,
)

MOST_ROUNDS = 1000
HIGHEST_SCORE = 9999
"""Finished scores may follow a house rule that we do not know, but no game is worth more."""

_ONE_OF_EACH = len(COLOURS) * sum(range(1, HIGHEST + 1))
_POINTS = re.compile(r"(-?)0*(\d+)(?:/0*(\d+))?", re.ASCII)
_NOTHING = ("", "-", "0")
_NO_FIRST = ("-", "+", "@", "/")  # they would be read as an option, a formula or a command


class PadError(TileRummyError):
    """An entry that the pad cannot take.

    The message is `score.error.<code>` in the catalogues; `params` are its parameters.
    """

    def __init__(self, code: str, **params: object) -> None:
        shown = ", ".join(f"{name}={value!r}" for name, value in params.items())
        super().__init__(f"{code}: {shown}" if shown else code, code=code)
        self.params = params


@dataclass(frozen=True, slots=True)
class Left:
    """What a player has left when a game ends: the tiles, or only their points.

    As text: `r7 J`; `17`; `17/3` for 17 points on 3 tiles; `-` for nothing at all.
    """

    rack: Row | None = None
    points: int = 0
    count: int | None = None
    """How many tiles these points are, where known."""

    @classmethod
    def parse(cls, text: str) -> Left:
        """Read the text form. Raises PadError for a tile or a number that is not valid."""
        # Phones capitalise the first letter, and some keyboards type full-width letters.
        text = unicodedata.normalize("NFKC", text).replace(",", " ").strip()
        if text in _NOTHING:
            return NOTHING
        number = _POINTS.fullmatch(text)
        if number:
            sign, points, count = number.groups()
            if sign:
                raise PadError("negative-points", given=quoted(text))
            if points == "0" and count in (None, "0"):
                return NOTHING
            return cls(None, int(points[:9]), None if count is None else int(count[:9]))
        return cls(unidentified([_face(word) for word in text.split()]))

    @property
    def tiles(self) -> int | None:
        """The number of tiles; None if unknown."""
        return self.count if self.rack is None else len(self.rack)

    def worth(self, edition: Edition) -> int:
        """The points of the rack."""
        return self.points if self.rack is None else rack_points(edition, self.rack)

    def __str__(self) -> str:
        if self.rack is not None:
            return row_text(self.rack) or "-"
        return str(self.points) if self.count is None else f"{self.points}/{self.count}"


NOTHING = Left(())


@dataclass(frozen=True, slots=True)
class Counted:
    """A game entered as what each player has left."""

    left: tuple[Left, ...]
    out: int | None
    """The seat that went out; None for a blocked game."""
    first: int | None = None
    """The seat that began, if known: odd points of a shared pot are dealt out from there."""
    unopened: tuple[int, ...] = ()
    """The seats that never opened, for `tournament.unopened_penalty`."""


@dataclass(frozen=True, slots=True)
class Written:
    """A game entered as finished scores."""

    scores: tuple[int, ...]
    winners: tuple[int, ...] | None = None
    """The seats that won; None derives them from the scores."""
    first: int | None = None


Entry: TypeAlias = Counted | Written


@dataclass(frozen=True, slots=True)
class ScorePad:
    """Players, rules and the games entered so far. Make one with `new_pad`."""

    edition: Edition
    players: tuple[str, ...]
    rounds: int = 1
    entries: tuple[Entry, ...] = ()

    @property
    def match(self) -> Match:
        results = tuple(self.result(entry) for entry in self.entries)
        # Only the last starter matters: the order of starters continues from there.
        last = self.entries[-1].first if self.entries else None
        return Match(self.edition, self.players, self.rounds, results, last)

    def seat(self, name: str) -> int:
        """The seat of a player by name, in any case, or by a unique prefix. Raises PadError."""
        wanted = name_key(name)
        keys = [name_key(player) for player in self.players]
        if wanted in keys:
            return keys.index(wanted)
        begun = [seat for seat, key in enumerate(keys) if wanted and key.startswith(wanted)]
        if len(begun) == 1:
            return begun[0]
        if begun:
            names = tuple(self.players[seat] for seat in begun)
            raise PadError("ambiguous-player", name=quoted(name), players=names)
        raise PadError("unknown-player", name=quoted(name), players=self.players)

    def result(self, entry: Entry) -> Result:
        """The scores of an entry. Raises PadError if no game can end like that."""
        seats = len(self.players)
        given = len(entry.left) if isinstance(entry, Counted) else len(entry.scores)
        if given != seats:
            raise PadError("value-count", given=given, count=seats, players=self.players)
        if entry.first is not None:
            self._check_seat(entry.first)
        if isinstance(entry, Written):
            return self._written_result(entry)
        self.check_left(entry)
        extra = self.edition.tournament_unopened_penalty
        racks = [
            Rack(left.worth(self.edition) + extra * (seat in entry.unopened), left.tiles or 0)
            for seat, left in enumerate(entry.left)
        ]
        if entry.out is not None:
            return score_out(racks, entry.out)
        return self._blocked_result(entry, racks)

    def with_game(self, entry: Entry) -> ScorePad:
        """The pad with one more game. Raises PadError."""
        self.check_open()
        if entry.first is None:
            entry = replace(entry, first=self.match.next_starter())
        self.result(entry)
        return replace(self, entries=(*self.entries, entry))

    def check_open(self) -> None:
        """Raise PadError if the match is over."""
        if self.match.is_over:
            raise PadError("match-over", rounds=self.rounds, more=self.rounds + 1)

    def without_last(self) -> ScorePad:
        """The pad without its last game. Raises PadError if there is none."""
        if not self.entries:
            raise PadError("no-games")
        return replace(self, entries=self.entries[:-1])

    def corrected(self, number: int, entry: Entry) -> ScorePad:
        """The pad with game `number` (from 1) replaced. The starter stays unless given."""
        self.check_number(number)
        old = self.entries[number - 1]
        if entry.first is None:
            entry = replace(entry, first=old.first)
        self.result(entry)
        return replace(self, entries=(*self.entries[: number - 1], entry, *self.entries[number:]))

    def check_number(self, number: int) -> None:
        """Raise PadError unless there is a game of this number."""
        if not self.entries:
            raise PadError("no-games")
        if not 1 <= number <= len(self.entries):
            raise PadError("unknown-game", number=number, count=len(self.entries))

    def renamed(self, old: str, new: str) -> ScorePad:
        """The pad with another name for a player. Raises PadError."""
        seat = self.seat(old)
        others = (*self.players[:seat], *self.players[seat + 1 :])
        name = checked_names((*others, new))[-1]
        return replace(self, players=(*self.players[:seat], name, *self.players[seat + 1 :]))

    def with_rounds(self, rounds: int) -> ScorePad:
        """The same pad for more or fewer rounds. Raises PadError for fewer than have begun."""
        _check_rounds(rounds)
        pad = replace(self, rounds=rounds)
        games = len(self.entries)
        if rounds < self.rounds and games > pad.match.games_agreed:
            fewest = -(-games // pad.match.games_per_round)
            raise PadError("too-few-rounds", rounds=rounds, count=games, fewest=fewest)
        return pad

    def _written_result(self, entry: Written) -> Result:
        scores, total = entry.scores, sum(entry.scores)
        for seat, score in enumerate(scores):
            if abs(score) > HIGHEST_SCORE:
                name = self.players[seat]
                raise PadError("huge-score", name=name, score=score, most=HIGHEST_SCORE)
        if total:
            raise PadError("not-zero-sum", total=f"{total:+}", scores=_signed(scores))
        if entry.winners is None:
            # Players who share a pot get the same, give or take the odd point.
            top = max(scores)
            winners = tuple(s for s, score in enumerate(scores) if score > 0 and score >= top - 1)
            return Result(scores, winners, blocked=len(winners) != 1)
        for seat in entry.winners:
            self._check_seat(seat)
            if scores[seat] < 0:
                raise PadError("losing-winner", name=self.players[seat], score=f"{scores[seat]:+}")
        winners = tuple(sorted(set(entry.winners)))
        return Result(scores, winners, blocked=len(winners) != 1)

    def _blocked_result(self, entry: Counted, racks: Sequence[Rack]) -> Result:
        lowest = min(rack.points for rack in racks)
        tied = [seat for seat, rack in enumerate(racks) if rack.points == lowest]
        if len(tied) > 1 and self.edition.blocked_tie == "fewest_tiles":
            unknown = tuple(seat for seat in tied if entry.left[seat].tiles is None)
            if unknown:
                name = self.players[unknown[0]]
                raise PadError("needs-tiles", players=self._names(unknown), name=name)
        if entry.first is not None:
            return score_blocked(self.edition, racks, entry.first)
        results = [score_blocked(self.edition, racks, seat) for seat in range(len(racks))]
        if any(result != results[0] for result in results):
            raise PadError("needs-first", players=self._names(tied))
        return results[0]

    def check_left(self, entry: Counted) -> None:
        """Raise PadError for racks that no game with this box can leave.

        Also for a game that is still being entered: `entry.left` may end at any seat.
        """
        box = self.edition.box(len(self.players))
        penalty = self.edition.joker_rack_penalty
        worth_of_box = box.copies * _ONE_OF_EACH + sum(box.jokers) * penalty
        seen: Counter[Face] = Counter()
        for seat, left in enumerate(entry.left):
            name = self.players[seat]
            seen.update(faces_of(left.rack or ()))
            if left.points > worth_of_box:
                raise PadError("too-many-points", name=name, given=left.points, most=worth_of_box)
            if left.count is not None and not _can_be_worth(box, left, penalty):
                raise PadError("points-on-tiles", name=name, given=left.points, tiles=left.tiles)
        for face, count in seen.items():
            if count > box.count(face):
                owners = [
                    s for s, left in enumerate(entry.left) if face in faces_of(left.rack or ())
                ]
                raise PadError(
                    "not-in-box",
                    tile=face_text(face),
                    given=count,
                    count=box.count(face),
                    players=self._names(owners),
                )
        worth = sum(left.worth(self.edition) for left in entry.left)
        if worth > worth_of_box or sum(left.tiles or 0 for left in entry.left) > len(box):
            raise PadError("too-many-points-together", given=worth, most=worth_of_box)
        self._check_ending(entry)

    def _check_ending(self, entry: Counted) -> None:
        """Only the player who went out has no tiles left."""
        if entry.out is not None:
            self._check_seat(entry.out)
        for seat, left in enumerate(entry.left):
            # If a joker costs nothing, zero points can still be tiles.
            empty = left.tiles == 0 or (left.tiles is None and left.points == 0)
            name = self.players[seat]
            if seat == entry.out:
                if not empty:
                    raise PadError("out-with-tiles", name=name, left=str(left))
            elif empty and entry.out is None:
                raise PadError("blocked-and-empty", name=name)
            elif empty:
                raise PadError("two-empty", name=name, out=self.players[entry.out or 0])
        for seat in entry.unopened:
            self._check_seat(seat)
            if not self.edition.tournament_unopened_penalty:
                raise PadError("no-unopened-penalty")
            if seat == entry.out:
                raise PadError("out-unopened", name=self.players[seat])

    def _check_seat(self, seat: int) -> None:
        if not 0 <= seat < len(self.players):
            raise PadError("unknown-player", name=str(seat), players=self.players)

    def _names(self, seats: Iterable[int]) -> tuple[str, ...]:
        return tuple(self.players[seat] for seat in seats)


def new_pad(players: Iterable[str], edition: Edition, rounds: int = 1) -> ScorePad:
    """An empty pad. Raises PadError for invalid names, player counts or rounds."""
    return pad_of(checked_names(players), edition, rounds)


def pad_of(names: tuple[str, ...], edition: Edition, rounds: int) -> ScorePad:
    """An empty pad for names that are checked. Raises PadError for bad player counts or rounds."""
    low, high = edition.players_min, edition.players_max
    if not low <= len(names) <= high:
        raise PadError("player-count", count=len(names), low=low, high=high, edition=edition.name)
    _check_rounds(rounds)
    return ScorePad(edition, names, rounds)


def checked_names(names: Iterable[str]) -> tuple[str, ...]:
    """The names normalised for the pad. Raises PadError unless they are valid and distinct."""
    checked: list[str] = []
    for given in names:
        try:
            name = chosen(given)
        except BadName as error:
            length = error.params.get("length", 0)
            if isinstance(length, int) and length > LONGEST_NAME:
                raise PadError("long-name", name=quoted(given), most=LONGEST_NAME) from None
            raise PadError("bad-name", name=quoted(given)) from None
        if "=" in name or name.startswith(_NO_FIRST):
            raise PadError("bad-name", name=quoted(given))
        if any(are_alike(name, other) for other in checked):
            raise PadError("same-name", name=name)
        checked.append(name)
    return tuple(checked)


def stored_names(names: Iterable[str]) -> tuple[str, ...]:
    """The names of a saved pad, which an earlier policy may have allowed. Raises PadError unless
    they are distinct and safe to display."""
    found = tuple(names)
    for name in found:
        try:
            check_names([name])
        except MatchError:
            raise PadError("bad-name", name=quoted(name)) from None
        if found.count(name) > 1:
            raise PadError("same-name", name=name)
    return found


def name_key(name: str) -> str:
    """A key to find a name by as it is typed."""
    folded = unicodedata.normalize("NFKC", name).casefold()
    return " ".join(folded.replace("\u200c", "").replace("\u200d", "").split())


def _can_be_worth(box: Box, left: Left, penalty: int) -> bool:
    """Whether this many tiles of the box can have these points: some jokers, the rest numbers."""
    count = left.count or 0
    for jokers in range(min(count, sum(box.jokers)) + 1):
        numbers, points = count - jokers, left.points - jokers * penalty
        most = box.copies * len(COLOURS)  # tiles of one number
        if numbers <= most * HIGHEST:
            full, rest = divmod(numbers, most)
            low = most * full * (full + 1) // 2 + rest * (full + 1)
            # By symmetry the highest tiles mirror the lowest: 14 - n for n.
            if low <= points <= numbers * (HIGHEST + 1) - low:
                return True
    return False


def _face(word: str) -> Face:
    try:
        return parse_face(word.lower() if len(word) > 1 else word.upper())
    except TileError:
        raise PadError("unknown-tile", tile=quoted(word)) from None


def _check_rounds(rounds: int) -> None:
    if not 1 <= rounds <= MOST_ROUNDS:
        raise PadError("bad-rounds", rounds=rounds, most=MOST_ROUNDS)


def _signed(scores: Iterable[int]) -> str:
    return " ".join(f"{score:+}" if score else "0" for score in scores)
