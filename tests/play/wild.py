"""A player of random turns, legal and not, for testing whole games.

Everything comes from one `random.Random`, so a seed names a game.
"""

from __future__ import annotations

import hashlib
import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from tests.copies import by_id
from tilerummy.play.commands import (
    CancelDeal,
    Command,
    Commit,
    Draw,
    FixCommitments,
    GiveSeed,
    Pass,
    Play,
    Reveal,
    Start,
    TimeOut,
)
from tilerummy.play.commit_reveal import seat_commitment
from tilerummy.play.endings import CanPlay
from tilerummy.play.events import Event
from tilerummy.play.game import Game, Phase
from tilerummy.play.refusals import Refused
from tilerummy.rules.declarations import Declaration
from tilerummy.rules.editions import Edition
from tilerummy.rules.namings import ways
from tilerummy.rules.openings import rows_from
from tilerummy.rules.position import Position
from tilerummy.rules.rows import Faces, reader
from tilerummy.rules.tiles import FACE_OF, JOKER, Face, Row, Table, Tile, faces_of, unidentified
from tilerummy.rules.turns import judge_turn

MOST_TURNS = 2000
_SMALL_STOCK = 14


def as_seen(position: Position) -> bool:
    """An honest answer: yes only where there is a play."""
    table = plain_table(position.edition, position.table, position.rack, opened=position.opened)
    return table is not None


def sometimes(position: Position) -> bool:
    """An arbitrary answer, good enough to decide how many tiles are drawn."""
    return sum(position.rack) % 3 == 0


@dataclass(slots=True)
class Step:
    """One command that was tried, with the game before and after."""

    before: Game
    command: Command
    now: int
    after: Game
    events: tuple[Event, ...] = ()
    refused: Refused | None = None


@dataclass(slots=True)
class WildGame:
    """Plays one game to its end; iterate to see every step."""

    rng: random.Random
    game: Game
    can_play: CanPlay
    mischief: float = 0.3
    """How often something that is not allowed is tried first."""
    eagerness: float = 0.6
    events: list[Event] = field(default_factory=list)
    now: int = 0

    def steps(self) -> Iterator[Step]:
        tried = 0
        while self.game.phase is not Phase.OVER:
            tried += 1
            if tried > MOST_TURNS:
                raise AssertionError("the game does not end")
            if self.rng.random() < self.mischief:
                yield self._try(*self._mischief())
                continue
            step = self._try(*self.sensible())
            yield step
            if step.refused is not None:
                yield self._try(*self.fallback())

    def _try(self, command: Command, now: int) -> Step:
        before = self.game
        try:
            after, events = before.apply(command, now, self.can_play)
        except Refused as refused:
            return Step(before, command, now, before, refused=refused)
        self.game = after
        self.events += events
        self.now = max(now, self.now)
        return Step(before, command, now, after, events)

    # Commands that are meant well

    def sensible(self) -> tuple[Command, int]:
        game, rng = self.game, self.rng
        if game.phase is Phase.WAITING:
            return self._before_the_deal()
        now = self._soon()
        if game.deadline is not None and rng.random() < 0.12:
            draft = self._draft()
            declared = self._declared(draft or ())
            return TimeOut(game.turn, draft, declared), game.deadline + rng.randint(0, 5000)
        if rng.random() < self.eagerness:
            table = self._some_table()
            if table is not None:
                return Play(game.current, table, self._declared(table)), now
        return self._idle(), now

    def _before_the_deal(self) -> tuple[Command, int]:
        game, rng = self.game, self.rng
        if game.missing_seeds:
            if rng.random() < 0.1:
                return CancelDeal(rng.randbytes(32).hex()), self.now
            seat = rng.choice(game.missing_seeds)
            return Reveal(seat, seed_of(game, seat)), self.now
        if game.is_fixed:
            return Start(), self.now
        without = [seat for seat, made in enumerate(game.commitments) if made is None]
        free = [seat for seat in without if game.may_commit(seat)]
        if free and rng.random() < 0.6:
            seat = rng.choice(free)
            made = seat_commitment(game.transcript, seat, seed_of(game, seat))
            return Commit(seat, made), self.now
        if len(without) == len(game.players) and rng.random() < 0.5:
            return Start(), self.now
        local = [seat for seat in without if rng.random() < 0.5]
        return FixCommitments(tuple(local)), self.now

    def plain(self) -> tuple[Command, int]:
        """A plain turn if there is one; otherwise draw or pass."""
        game = self.game
        rack, opened = game.racks[game.current], game.opened[game.current]
        table = plain_table(game.edition, game.table, rack, opened=opened)
        if table is None:
            return self._idle(), self._soon()
        return Play(game.current, table, self._declared(table)), self._soon()

    def mistaken(self) -> tuple[Command, int]:
        """Mostly sensible; now and then a table that is wrong."""
        if self.rng.random() < 0.05:
            return Play(self.game.current, self._jumbled()), self._soon()
        return self.sensible()

    def fallback(self) -> tuple[Command, int]:
        """A turn that is legal in every state."""
        if self.game.is_waiting:  # a seat has committed to a seed that nobody knows
            return CancelDeal(self.rng.randbytes(32).hex()), self.now
        game = self.game
        if game.pool:
            return Draw(game.current), self._soon()
        return self.plain()

    def _soon(self) -> int:
        """A moment within the turn."""
        game = self.game
        began = max(self.now, game.turn_began)
        if game.deadline is None:
            return began + self.rng.randint(0, 90_000)
        return self.rng.randint(min(began, game.deadline - 1), game.deadline - 1)

    def _idle(self) -> Command:
        seat = self.game.current
        return Draw(seat) if self.game.pool else Pass(seat)

    def _declared(self, table: Table) -> dict[Row, Declaration]:
        declared: dict[Row, Declaration] = {}
        for row in table:
            possible = ways(self.game.edition, faces_of(row))
            if len(possible) > 1 and row not in self.game.declared and self.rng.random() < 0.9:
                way = self.rng.choice(possible)
                named = self.game.edition.joker_declare == "explicit" or self.rng.random() < 0.1
                declared[row] = way.names if named else way.kind
        return declared

    def _some_table(self) -> Table | None:
        game, rng = self.game, self.rng
        rack = game.racks[game.current]
        if not game.opened[game.current]:
            return self._opening()
        if rng.random() < 0.3:
            return plain_table(game.edition, game.table, rack, opened=True)
        return self._rearranged() or self._from_rack(0)

    def _opening(self) -> Table | None:
        game = self.game
        table = self._from_rack(game.edition.initial_min)
        if table is None or not game.edition.initial_same_turn_manipulation:
            return table
        laid = {tile for row in table for tile in row}
        left = tuple(tile for tile in game.racks[game.current] if tile not in laid)
        return self._rearranged(table, left) or table

    def _from_rack(self, minimum: int) -> Table | None:
        """Random disjoint sets of the rack, worth at least so much."""
        game, rng = self.game, self.rng
        rack = _few_jokers(rng, game.racks[game.current])
        candidates = sorted(rows_from(game.edition, Counter(faces_of(rack))))
        rng.shuffle(candidates)
        if minimum:
            candidates.sort(key=lambda item: -item[0])
        left, rows, total = Counter(faces_of(rack)), list[Faces](), 0
        for value, row in candidates:
            if Counter(row) <= left and (total < minimum or rng.random() < 0.5):
                left -= Counter(row)
                rows.append(row)
                total += value
        if not rows or total < minimum:
            return None
        return (*game.table, *_as_tiles(rows, rack, rng))

    def _rearranged(
        self, table: Table | None = None, rack: tuple[Tile, ...] | None = None
    ) -> Table | None:
        """A few rows and a few tiles of the rack, rearranged."""
        game, rng = self.game, self.rng
        table = game.table if table is None else table
        rack = game.racks[game.current] if rack is None else rack
        rows = list(table)
        rng.shuffle(rows)
        taken: list[Row] = []
        while rows and len(taken) < 3 and sum(map(len, taken)) + len(rows[-1]) < _SMALL_STOCK:
            taken.append(rows.pop())
        must = [tile for row in taken for tile in row]
        wish = list(_few_jokers(rng, rack))
        rng.shuffle(wish)
        wish = wish[: max(0, _SMALL_STOCK - len(must))]
        if not must or not wish:
            return None
        cover = _cover(game.edition, rng, faces_of(must), faces_of(wish))
        if cover is None:
            return None
        laid = _as_tiles(cover, must, rng, wish)
        kept = [row for row in table if row in rows]
        return (*kept, *laid)

    # Drafts, and what is not allowed

    def _draft(self) -> Table | None:
        what = self.rng.randrange(5)
        if what == 0:
            return None
        if what == 1:
            return self.game.table
        if what == 2:
            return self._some_table()
        return self._jumbled()

    def _jumbled(self) -> Table:
        """The table with tiles of the rack thrown in, tiles moved, left off or doubled."""
        game, rng = self.game, self.rng
        rows = [list(row) for row in (self._some_table() or game.table)]
        own = list(game.racks[game.current])
        for _ in range(rng.randint(1, 4)):
            what = rng.randrange(7)
            if what == 0:
                rows.append(rng.sample(own, min(len(own), rng.randint(1, 3))))
            elif what == 1 and rows:
                rng.shuffle(rng.choice(rows))
            elif what == 2 and rows:
                row = rng.choice(rows)
                if row:
                    tile = row.pop(rng.randrange(len(row)))
                    rng.choice(rows).append(tile)
            elif what == 3 and rows:
                rows.pop(rng.randrange(len(rows)))
            elif what == 4 and rows:
                rng.choice(rows).append(
                    rng.choice([tile for row in rows for tile in row] or by_id(0))
                )
            elif what == 5:
                rows.append([])
            else:
                strange = rng.choice(by_id(-1, 10**9, -(10**12), 56 * 99, rng.randrange(300)))
                rows.append([strange, *own[:2]])
        return tuple(tuple(row) for row in rows)

    def _mischief(self) -> tuple[Command, int]:
        game, rng = self.game, self.rng
        players, seat = len(game.players), game.current
        others = [s for s in range(-1, players + 1) if s != seat]
        now = self._soon() if game.phase is Phase.PLAYING else self.now
        late = (game.deadline or now) + rng.randint(0, 10**6)
        choices: list[tuple[Command | None, int]] = [
            (Start(), now),
            (GiveSeed(rng.choice(others), "x" * 65), now),
            (GiveSeed(rng.randrange(-1, players + 1), ""), now),
            (Commit(rng.choice(others), "ab" * 32), now),
            (FixCommitments(), now),
            (Reveal(rng.choice(others), "ab" * 32), now),
            (CancelDeal("cd" * 32), now),
            (Draw(rng.choice(others)), now),
            (Pass(rng.choice(others)), now),
            (Play(rng.choice(others), game.table), now),
            (Pass(seat) if game.pool else Draw(seat), now),
            (Play(seat, game.table), now),
            (Play(seat, ()), now),
            (TimeOut(game.turn + rng.choice([-1, 1, 5]), None), late),
            (TimeOut(game.turn, game.table), now),
        ]
        if game.deadline is not None:
            choices += [(self._idle(), late), (None, late)]
        if game.phase is Phase.WAITING:
            choices[0] = (self._idle(), now)
        elif not game.edition.strict_submit or rng.random() < 0.2:
            choices += [(None, now)] * 3
        command, at = rng.choice(choices)
        return command or Play(seat, self._jumbled()), at


def plain_table(
    rules: Edition, table: Table, rack: tuple[Tile, ...], *, opened: bool
) -> Table | None:
    """The table after a plain turn: sets from the rack, then single tiles at the ends of rows.

    Kept here, and simple, so that the games of the tests do not change with the bots.
    """
    jokers = [tile for tile in rack if FACE_OF[tile] >= JOKER]
    plain = [tile for tile in rack if FACE_OF[tile] < JOKER]
    for held in (plain, [*plain, *jokers[:1]], [*plain, *jokers[:2]]):
        left, rows = Counter(faces_of(held)), list[Faces]()
        for _, row in sorted(rows_from(rules, left), reverse=True):
            if Counter(row) <= left:
                left -= Counter(row)
                rows.append(row)
        attempt = [*table, *_as_tiles(rows, held, random.Random(0))]
        if opened:
            laid = {tile for row in attempt for tile in row}
            _hang(rules, attempt, [tile for tile in held if tile not in laid])
        verdict = judge_turn(Position(rules, table, rack, opened), tuple(attempt))
        if verdict.legal:
            return verdict.table
    return None


def _hang(rules: Edition, rows: list[Row], left: list[Tile]) -> None:
    """Add tiles to the ends of rows, one round."""
    for tile in left:
        for number, row in enumerate(rows):
            longer = [one for one in ((*row, tile), (tile, *row)) if _is_set(rules, one)]
            if longer:
                rows[number] = longer[0]
                break


def _is_set(rules: Edition, row: Row) -> bool:
    return bool(reader(rules).readings(faces_of(row)))


def _few_jokers(rng: random.Random, rack: tuple[Tile, ...]) -> tuple[Tile, ...]:
    """Seldom two jokers: with more of them there are too many rows to look at."""
    jokers = [tile for tile in rack if FACE_OF[tile] >= JOKER]
    kept = set(rng.sample(jokers, min(rng.choice([0, 1, 1, 1, 2]), len(jokers))))
    return tuple(tile for tile in rack if FACE_OF[tile] < JOKER or tile in kept)


def _cover(rules: Edition, rng: random.Random, must: Faces, wish: Faces) -> list[Faces] | None:
    """Rows that hold all of `must` and some of `wish`, found with a little luck."""
    stock, jokers = Counter(must), sum(face >= JOKER for face in must)
    for face in wish:
        if face < JOKER or jokers < 2:
            stock[face] += 1
            jokers += face >= JOKER
    found = sorted(row for _, row in rows_from(rules, stock))
    candidates = [(row, Counter(row)) for row in rng.sample(found, min(len(found), 120))]
    rows: list[Faces] = []
    budget = 30

    def fill(need: Counter[Face], left: Counter[Face]) -> bool:
        nonlocal budget
        need = +need
        if not need:
            return sum(map(len, rows)) > len(must)
        budget -= 1
        first = min(need)
        for row, count in candidates:
            if budget <= 0:
                return False
            if first in count and count <= left:
                rows.append(row)
                if fill(need - count, left - count):
                    return True
                rows.pop()
        return False

    return rows if fill(Counter(must), stock) else None


def _as_tiles(
    rows: list[Faces],
    first: list[Tile] | tuple[Tile, ...],
    rng: random.Random,
    then: list[Tile] | tuple[Tile, ...] = (),
) -> Table:
    """Physical tiles for faces: all of `first` before any of `then`, equal ones in any order."""
    stock: dict[Face, list[Tile]] = {}
    for tiles in (first, then):
        mixed = list(tiles)
        rng.shuffle(mixed)
        for tile in mixed:
            stock.setdefault(FACE_OF[tile], []).append(tile)
    places = [(number, place) for number, row in enumerate(rows) for place in range(len(row))]
    rng.shuffle(places)
    laid = [list(unidentified(row)) for row in rows]
    for number, place in places:
        laid[number][place] = stock[rows[number][place]].pop(0)
    return tuple(tuple(row) for row in laid)


def wild_game(rng: random.Random, rules: Edition, mischief: float = 0.3) -> WildGame:
    """A game of random players, ready to be played."""
    low, high = rules.players_min, rules.players_max
    players = rng.randint(low, high)
    can_play: CanPlay = as_seen
    if rules.empty_pool_pass == "voluntary" and rng.random() < 0.5:
        can_play = sometimes
    names = [rng.choice(["Ann", "陳", "🀄", 'A "B"', "x / y ; z = 1", " ", "[/b]", "👩\u200d🚀"])
             for _ in range(players)]  # fmt: skip
    game, events = Game.create(rules, names, secret=rng.randbytes(32).hex(), now=1000)
    wild = WildGame(rng, game, can_play, mischief, rng.choice([0.2, 0.6, 0.9, 1.0]))
    wild.events += events
    wild.now = 1000
    return wild


def seed_of(game: Game, seat: int) -> str:
    """The seed of a seat for the deal that the game waits for."""
    return hashlib.sha256(f"{game.transcript} {seat}".encode()).hexdigest()
