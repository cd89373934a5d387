"""Whole games of bots and careless players, and what must hold of every ending.

The endings are checked against the exact solver, whatever the game was given: the proof that a game
is given here is exact but sometimes has no answer, as a proof with a deadline.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field

from tests.play.invariants import check_tiles
from tests.play.wild import MOST_TURNS, Step, WildGame
from tests.rules.strategies import random_edition
from tilerummy.bots.protocol import Bot
from tilerummy.bots.roster import BOTS
from tilerummy.bots.solver import SolverBot
from tilerummy.play.commands import Command, Draw, Pass, Play, Start, TimeOut
from tilerummy.play.events import Dealt, Drew, Ended, Event, Passed, Played
from tilerummy.play.game import Game, Phase
from tilerummy.play.notation import load, to_text
from tilerummy.play.record import Record, to_jsonl
from tilerummy.play.verification import examine
from tilerummy.play.views import view
from tilerummy.rules.editions import Edition
from tilerummy.rules.errors import OptionError
from tilerummy.rules.position import Position
from tilerummy.rules.scores import Ending
from tilerummy.solver.turns.best_turn import can_play

TURNS = (Dealt, Played, Drew, Passed)


class Answers:
    """An exact proof that now and then has no answer. Exact answers are remembered."""

    def __init__(self, rng: random.Random, silence: float) -> None:
        self._rng = rng
        self._silence = silence
        self._known: dict[Position, bool] = {}
        self.silent = 0
        """How often there was no answer."""

    def exact(self, position: Position) -> bool:
        if position not in self._known:
            self._known[position] = can_play(position)
        return self._known[position]

    def __call__(self, position: Position) -> bool | None:
        if self._rng.random() < self._silence:
            self.silent += 1
            return None
        return self.exact(position)


@dataclass(slots=True)
class Endgame:
    """One game. `ends` checks every step against the rules of section "empty pool"."""

    wild: WildGame
    answers: Answers
    bots: list[Bot | None]
    """None is a careless player: random turns, drafts and submissions, legal or not."""
    delay: float
    """How often a turn ends by the clock."""
    waiting: float
    """Probability that a player who may draw does."""
    passes: int = 0
    turns_left: int | None = None
    """Of the final round, counted here a second time."""
    seen: set[str] = field(default_factory=set)

    @property
    def game(self) -> Game:
        return self.wild.game

    def play(self) -> Game:
        for _ in range(MOST_TURNS):
            if self.game.phase is Phase.OVER:
                break
            for step in self._turn():
                self._check(step)
        assert self.game.phase is Phase.OVER, "the game does not end"
        self._check_record()
        return self.game

    # Turns

    def _turn(self) -> Iterator[Step]:
        game, rng = self.game, self.wild.rng
        if game.phase is Phase.WAITING:
            yield self._try(Start(), self.wild.now)
            return
        soon = self.wild._soon()
        if game.deadline is not None and rng.random() < self.delay:
            draft = self.wild._draft()
            yield self._try(TimeOut(game.turn, draft), game.deadline + rng.randint(0, 5000))
            return
        if game.pool and rng.random() < self.waiting:
            yield self._try(Draw(game.current), soon)
            return
        bot = self.bots[game.current]
        if bot is not None:
            step = self._try(bot.choose(view(game, game.current)), soon)
            assert step.refused is None, step.refused
            yield step
            return
        if rng.random() < 0.5:
            yield self._try(Play(game.current, self.wild._jumbled()), soon)
        if self.game is not game:
            return
        if rng.random() < 0.5:
            yield self._try(Pass(game.current), soon)  # whether or not it is allowed
        if self.game is not game:
            return
        step = self._try(*self.wild.sensible())
        yield step
        if step.refused is not None:
            yield self._try(SolverBot().choose(view(game, game.current)), self.wild._soon())
            assert self.game is not game, "the solver's turn is always allowed"

    def _try(self, command: Command, now: int) -> Step:
        return self.wild._try(command, now)

    # What must hold

    def _check(self, step: Step) -> None:
        if step.refused is not None:
            if step.refused.code == "must-play":
                assert self._able(step.before, step.before.current)
            return
        turns = [event for event in step.events if isinstance(event, TURNS)]
        ended = [event for event in step.events if isinstance(event, Ended)]
        assert len(turns) == 1
        assert step.events[-1] in (*turns, *ended)
        check_tiles(step.after)
        self._count(turns[0], step.after)
        self._check_pass(turns[0], step.before)
        self._check_clock(turns[0], step.before, step.after)
        if ended:
            assert len(ended) == 1
            self._check_ended(ended[0], turns[0], step.after)
        else:
            self._check_goes_on(turns[0], step.after)

    def _able(self, game: Game, seat: int) -> bool:
        return self.answers.exact(game.position(seat))

    def _count(self, turn: Event, after: Game) -> None:
        """Passes in a row, and turns of the final round."""
        self.passes = self.passes + 1 if isinstance(turn, Passed) else 0
        if self.turns_left is not None:
            self.turns_left -= 1
        elif not after.pool and after.edition.empty_pool_end == "final_round":
            self.turns_left = len(after.players)
        assert after.passes == self.passes
        assert after.final_turns == self.turns_left

    def _check_pass(self, turn: Event, before: Game) -> None:
        if not isinstance(turn, Passed):
            return
        assert not before.pool
        assert turn.why != "illegal", "an illegal table is not a pass"
        self.seen.add(f"passed {turn.why}")
        if turn.why == "choice" and before.edition.empty_pool_pass == "forced_if_able":
            assert turn.unproven or not self._able(before, before.current)

    def _check_clock(self, turn: Event, before: Game, after: Game) -> None:
        """An able player who runs out of time loses that turn, and nothing else."""
        if not isinstance(turn, Passed) or turn.why == "choice" or after.phase is not Phase.OVER:
            return
        if before.final_turns is not None and self._able(before, before.current):
            assert self.turns_left == 0 or not self._able(after, after.current)

    def _check_ended(self, ended: Ended, turn: Event, game: Game) -> None:
        mode, players = game.edition.empty_pool_end, range(len(game.players))
        out = () in game.racks
        end = ended.end
        assert end is not None
        self.seen.add(end)
        assert out == (end is Ending.OUT) == (not ended.blocked)
        if end is Ending.OUT:
            return
        assert not game.pool
        unproven = isinstance(turn, TURNS) and turn.unproven
        if end is Ending.NOBODY_CAN:
            assert mode == "nobody_can"
            assert not any(self._able(game, seat) for seat in players)
        elif end is Ending.FIRST_UNABLE:
            assert mode == "first_unable"
            assert not self._able(game, game.current)
        elif end is Ending.FINAL_ROUND:
            assert mode == "final_round"
            assert self.turns_left == 0 or not self._able(game, game.current)
        else:
            assert self.passes == len(players)
            assert mode != "final_round"
            if mode == "nobody_can":
                assert unproven or any(self._able(game, seat) for seat in players)
            if mode == "first_unable":
                assert unproven or self._able(game, game.current)
        if unproven:
            assert self.answers.silent
            self.seen.add(f"unproven {end}")

    def _check_goes_on(self, turn: Event, game: Game) -> None:
        assert () not in game.racks
        if game.pool:
            return
        mode = game.edition.empty_pool_end
        assert self.passes < len(game.players)
        assert self.turns_left != 0
        self.seen.add(f"went on {mode}")
        if isinstance(turn, TURNS) and turn.unproven:
            assert self.answers.silent
            self.seen.add("unproven")
        elif mode == "nobody_can":
            assert any(self._able(game, seat) for seat in range(len(game.players)))
        elif mode in ("final_round", "first_unable"):
            assert self._able(game, game.current)

    def _check_record(self) -> None:
        rules = self.game.edition
        record = Record(rules.name, rules.changed_options(), self.game.players)
        record = record.with_events(tuple(self.wild.events))
        assert load(to_text(record)) == record
        assert load(to_jsonl(record)) == record
        unproven = sum(isinstance(event, TURNS) and event.unproven for event in self.wild.events)
        for proof in (None, self.answers.exact):
            report = examine(record, proof)
            assert report.problems == ()
            assert len(report.unproven) == unproven
            assert all((turn.holds is None) == (proof is None) for turn in report.unproven)


def endgame(rng: random.Random, rules: Edition) -> Endgame:
    """A game of random players, ready to be played."""
    players = rng.randint(rules.players_min, rules.players_max)
    answers = Answers(rng, rng.choice([0, 0, 0, 0.2, 0.5, 1]))
    names = [f"Player {number}" for number in range(1, players + 1)]
    game, events = Game.create(rules, names, secret=rng.randbytes(32).hex(), now=1000)
    wild = WildGame(rng, game, answers, eagerness=rng.choice([0.2, 0.6, 0.9]), now=1000)
    wild.events += events
    careless = rng.choice([0, 0.3, 1])
    bots: list[Bot | None] = [
        None if rng.random() < careless else BOTS[rng.choice(list(BOTS))].make()
        for _ in range(players)
    ]
    return Endgame(
        wild,
        answers,
        bots,
        delay=rng.choice([0, 0.05, 0.4]),
        waiting=rng.choice([0, 0.5, 0.9, 1]),
    )


ENDS = ("nobody_can", "all_pass", "final_round", "first_unable")
PASSES = ("forced_if_able", "voluntary")


def random_rules(rng: random.Random) -> Edition:
    """Random options, with every ending as likely as the others and a pool that empties soon.

    In half of the games tiles are so few that players are often stuck.
    """
    rules = random_edition(rng)
    few: dict[str, object] = {"copies": 1, "jokers": "J0", "initial.single_set": False}
    few |= {"hand_size": rng.choice([3, 8]), "initial.min": rng.choice([0, 30, 60, 100])}
    many: dict[str, object] = {"hand_size": rng.choice([3, 14, 20, 25])}
    changes: list[dict[str, object]] = [
        few if rng.random() < 0.5 else many,
        {"empty_pool.end": rng.choice(ENDS)},
        {"empty_pool.pass": rng.choice(PASSES)},
        {"penalty.tiles": rng.choice([1, 3, 10])},
    ]
    for changed in changes:
        try:
            rules = rules.with_options(changed)
        except OptionError:
            continue
    if rules.joker_locked_sets and any(rules.jokers[1:]):
        # Locked rows with special jokers have so many continuations that one search takes minutes.
        rules = rules.with_options({"joker.locked_sets": False})
    return rules
