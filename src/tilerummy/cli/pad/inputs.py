"""How a game is written on the command line, and back."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from tilerummy.locales.typed import in_notation
from tilerummy.play.scorepad import (
    NOTHING,
    Counted,
    Entry,
    Left,
    PadError,
    ScorePad,
    Written,
)
from tilerummy.rules.errors import quoted

_SCORE = re.compile(r"[+-]?[0-9]+")


@dataclass(frozen=True, slots=True)
class GameForm:
    """A game as it is given: words still, because only a pad knows its players."""

    values: tuple[str, ...] = ()
    """`NAME=VALUE` for each player, or bare values in the order of the players."""
    out: str | None = None
    blocked: bool = False
    scores: bool = False
    first: str | None = None
    unopened: tuple[str, ...] = ()
    winners: tuple[str, ...] = ()

    def entry(self, pad: ScorePad) -> Entry:
        """The game on this pad. Raises PadError that says what is missing or wrong."""
        if (self.out is not None) + self.blocked + self.scores != 1:
            raise PadError("which-ending")
        for value in self.values:
            if value.startswith("--"):
                raise PadError("unknown-option", given=quoted(value))
        if self.winners and not self.scores:
            raise PadError("winner-needs-scores")
        if self.unopened and self.scores:
            raise PadError("unopened-with-scores")
        first = None if self.first is None else pad.seat(self.first)
        if self.scores:
            given = self._by_seat(pad, None)
            scores = tuple(parse_score(given[seat]) for seat in range(len(pad.players)))
            winners = tuple(pad.seat(name) for name in self.winners) or None
            return Written(scores, winners, first)
        out = None if self.out is None else pad.seat(self.out)
        given = self._by_seat(pad, out)
        left = tuple(
            Left.parse(in_notation(given[seat])) if seat in given else NOTHING
            for seat in range(len(pad.players))
        )
        return Counted(left, out, first, tuple(sorted({pad.seat(name) for name in self.unopened})))

    def _by_seat(self, pad: ScorePad, out: int | None) -> dict[int, str]:
        """The value of each seat; the one who went out need not have one."""
        seats = range(len(pad.players))
        others = [seat for seat in seats if seat != out]
        named = [value for value in self.values if "=" in value]
        if named and len(named) < len(self.values):
            bare = next(value for value in self.values if "=" not in value)
            raise PadError("mixed-values", given=quoted(bare))
        if self.values and not named:
            if len(self.values) == len(others):
                return dict(zip(others, self.values, strict=True))
            if len(self.values) == len(seats):
                return dict(zip(seats, self.values, strict=True))
            raise PadError(
                "value-count", given=len(self.values), count=len(others), players=pad.players
            )
        given: dict[int, str] = {}
        for item in named:
            name, _, value = item.partition("=")
            seat = pad.seat(name)
            if seat in given:
                raise PadError("player-twice", name=pad.players[seat])
            given[seat] = value
        missing = tuple(pad.players[seat] for seat in others if seat not in given)
        if missing:
            raise PadError("missing-players", players=missing, name=missing[0])
        for seat in others:
            if not given[seat].strip():
                raise PadError(
                    "missing-players", players=(pad.players[seat],), name=pad.players[seat]
                )
        return given


def parse_score(text: str) -> int:
    """`+24`, `-5`; the real minus sign and wide digits are read as well."""
    plain = unicodedata.normalize("NFKC", text).replace("−", "-").strip()
    if not _SCORE.fullmatch(plain):
        raise PadError("bad-score", given=quoted(text))
    return int(plain[:10])


def entry_form(pad: ScorePad, entry: Entry) -> list[str]:
    """The arguments that would enter this game again."""
    first = [] if entry.first is None else ["--first", pad.players[entry.first]]
    if isinstance(entry, Written):
        named = zip(pad.players, entry.scores, strict=True)
        values = [f"{name}={score}" for name, score in named]
        winners = [word for seat in entry.winners or () for word in ("--winner", pad.players[seat])]
        return ["--scores", *values, *winners, *first]
    ending = ["--blocked"] if entry.out is None else ["--out", pad.players[entry.out]]
    values = [
        f"{name}={left}"
        for seat, (name, left) in enumerate(zip(pad.players, entry.left, strict=True))
        if seat != entry.out
    ]
    unopened = [word for seat in entry.unopened for word in ("--unopened", pad.players[seat])]
    return [*ending, *values, *unopened, *first]


def split_words(line: str) -> Sequence[str]:
    """Words of a line; commas separate names that hold blanks."""
    parts = line.replace("，", ",").replace("、", ",")
    return (
        [part.strip() for part in parts.split(",") if part.strip()]
        if "," in parts
        else parts.split()
    )
