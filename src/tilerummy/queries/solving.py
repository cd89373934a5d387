"""Questions to the solver: the best turn, the next best ones, missing and playable tiles."""

from __future__ import annotations

from dataclasses import dataclass
from time import perf_counter_ns
from typing import Any, NotRequired, Self, TypedDict

from tilerummy.locales.sentences import Sentence, sentence_text
from tilerummy.queries.contract import Request
from tilerummy.queries.declaring import DeclarationJson, declared_json
from tilerummy.queries.parsing import read_bool, read_int, read_optional, read_position
from tilerummy.queries.sentences import step_sentence
from tilerummy.rules.position import Position
from tilerummy.rules.tiles import Row, Table, face_text, face_texts, sorted_tiles
from tilerummy.solver.cover.deadline import Deadline, TimeLimit
from tilerummy.solver.steps.planner import plan_steps
from tilerummy.solver.steps.step import Step, StepKind
from tilerummy.solver.turns.alternatives import Missing, best, missing, playable
from tilerummy.solver.turns.best_turn import solve
from tilerummy.solver.turns.objectives import OBJECTIVES, Objective, objective
from tilerummy.solver.turns.solution import Solution

MOST_TURNS = 50
TILES = OBJECTIVES["tiles"]


class PositionJson(TypedDict):
    """A player to move. Without `edition` the rules are classic, and without `opened` the player
    has opened. `declared` is about rows of the table."""

    edition: NotRequired[str]
    options: NotRequired[dict[str, Any]]
    opened: NotRequired[bool]
    rack: list[str]
    table: list[list[str]]
    declared: NotRequired[list[DeclarationJson]]


class SolveQuestionJson(PositionJson):
    """What is the best turn? `objective` is `tiles`, `value`, `out` or a weight for each tile;
    `steps` asks for the steps that lead there."""

    objective: NotRequired[str | dict[str, int]]
    steps: NotRequired[bool]


class StepJson(TypedDict):
    """One step of a turn: its kind, a sentence, the tiles that move, and the table after it."""

    kind: StepKind
    text: str
    tiles: list[str]
    table: list[list[str]]


class SolveAnswerJson(TypedDict):
    """The best turn; 0 tiles mean that it is best to draw. `exact` is false where time ran out
    before the proof, and `micros` is how long the solver took."""

    tiles: int
    value: int
    played: list[str]
    table: list[list[str]]
    rows_kept: int
    exact: bool
    tidiest: bool
    micros: int
    declared: NotRequired[list[DeclarationJson]]
    steps: NotRequired[list[StepJson]]


class AlternativesQuestionJson(PositionJson):
    """Which turns are the best, each with other tiles? `count` is how many to find at most."""

    count: int
    objective: NotRequired[str | dict[str, int]]


class AlternativeJson(TypedDict):
    """One of the best turns."""

    tiles: int
    value: int
    played: list[str]
    table: list[list[str]]
    rows_kept: int
    declared: NotRequired[list[DeclarationJson]]


class AlternativesAnswerJson(TypedDict):
    """The best turns, the best one first."""

    turns: list[AlternativeJson]


class MissingTileJson(TypedDict):
    """A tile that the player lacks, how many tiles could be played with it, and whether that
    is the whole rack."""

    tile: str
    tiles: int
    out: bool


class MissingAnswerJson(TypedDict):
    """The tiles that would help, the most helpful first."""

    missing: list[MissingTileJson]


class PlayableAnswerJson(TypedDict):
    """The tiles of the rack that some legal turn plays."""

    playable: list[str]


@dataclass(frozen=True, slots=True)
class PlannedStep:
    """A step of a turn, the table after it, and the sentence for it."""

    step: Step
    table: Table
    sentence: Sentence


@dataclass(frozen=True, slots=True)
class SolveQuestion:
    """What is the best turn of a position?

    `tidy` looks among the best turns for one that leaves most rows alone, `time_limit` is in
    seconds for both, and `steps` asks for the way to the new table.
    """

    position: Position
    objective: Objective = TILES
    tidy: bool = True
    time_limit: float | None = None
    steps: bool = False

    @classmethod
    def from_json(cls, request: Request) -> Self:
        """Reads `SolveQuestionJson`. Raises QueryError, PositionError or ObjectiveError."""
        position, wanted = read_position(request), _objective(request)
        return cls(position, wanted, steps=read_bool(request, "steps", default=False))

    def answer(self) -> SolveAnswer:
        """The best turn, with its proof where the time limit allows."""
        begun = perf_counter_ns()
        deadline = Deadline.of(self.time_limit)
        solution = solve(self.position, self.objective, tidy=self.tidy, time_limit=deadline)
        micros = (perf_counter_ns() - begun) // 1000
        steps = planned_steps(self.position, solution, deadline) if self.steps else None
        return SolveAnswer(self.position, solution, micros, steps)


@dataclass(frozen=True, slots=True)
class SolveAnswer:
    """The best turn of a position."""

    position: Position
    solution: Solution
    micros: int
    steps: tuple[PlannedStep, ...] | None = None
    """None unless the question asked for them."""

    def to_json(self, lang: str = "en") -> SolveAnswerJson:
        """The answer as `SolveAnswerJson`, its sentences in a language."""
        solution = self.solution
        answer: SolveAnswerJson = {
            "tiles": solution.tiles,
            "value": solution.value,
            "played": face_texts(solution.played),
            "table": [face_texts(row) for row in solution.table],
            "rows_kept": solution.rows_kept,
            "exact": solution.exact,
            "tidiest": solution.tidiest,
            "micros": self.micros,
        }
        if solution.declared:
            answer["declared"] = declared_json(solution.declared)
        if self.steps is not None:
            answer["steps"] = [self._step(planned, lang) for planned in self.steps]
        return answer

    def _step(self, planned: PlannedStep, lang: str) -> StepJson:
        return {
            "kind": planned.step.kind,
            "text": sentence_text(planned.sentence, lang, self.position.edition),
            "tiles": face_texts(planned.step.tiles),
            "table": [face_texts(row) for row in planned.table],
        }


def planned_steps(
    position: Position, solution: Solution, time_limit: TimeLimit = None
) -> tuple[PlannedStep, ...]:
    """The steps from a position to the table of a solution; none where it plays nothing."""
    table, found = position.table, []
    way = plan_steps(position, solution, time_limit=time_limit) if solution.plays else ()
    for step in way:
        after = step.on(table)
        found.append(PlannedStep(step, after, step_sentence(step, table)))
        table = after
    return tuple(found)


@dataclass(frozen=True, slots=True)
class AlternativesQuestion:
    """Which `count` turns are the best, each playing other tiles?"""

    position: Position
    count: int
    objective: Objective = TILES
    tidy: bool = True
    time_limit: float | None = None
    """In seconds."""

    @classmethod
    def from_json(cls, request: Request) -> Self:
        """Reads `AlternativesQuestionJson`. Raises QueryError, PositionError, ObjectiveError."""
        position = read_position(request)
        return cls(position, read_int(request, "count", 1, MOST_TURNS), _objective(request))

    def answer(self) -> AlternativesAnswer:
        """Up to `count` turns, the best one first."""
        turns = best(
            self.position, self.count, self.objective, tidy=self.tidy, time_limit=self.time_limit
        )
        return AlternativesAnswer(tuple(turns))


@dataclass(frozen=True, slots=True)
class AlternativesAnswer:
    """The best turns of a position, the best one first; empty where it is best to draw."""

    turns: tuple[Solution, ...]

    def to_json(self, lang: str = "en") -> AlternativesAnswerJson:
        """The answer as `AlternativesAnswerJson`, its sentences in a language."""
        return {"turns": [_alternative(solution) for solution in self.turns]}


def _alternative(solution: Solution) -> AlternativeJson:
    found: AlternativeJson = {
        "tiles": solution.tiles,
        "value": solution.value,
        "played": face_texts(solution.played),
        "table": [face_texts(row) for row in solution.table],
        "rows_kept": solution.rows_kept,
    }
    if solution.declared:
        found["declared"] = declared_json(solution.declared)
    return found


@dataclass(frozen=True, slots=True)
class MissingQuestion:
    """Which single tile more would let the player play more?"""

    position: Position
    time_limit: float | None = None
    """In seconds."""

    @classmethod
    def from_json(cls, request: Request) -> Self:
        """Reads `PositionJson`. Raises QueryError or PositionError."""
        return cls(read_position(request))

    def answer(self) -> MissingAnswer:
        """Every tile that helps and that the box still holds."""
        return MissingAnswer(tuple(missing(self.position, time_limit=self.time_limit)))


@dataclass(frozen=True, slots=True)
class MissingAnswer:
    """The tiles that would help, the most helpful first."""

    missing: tuple[Missing, ...]

    def to_json(self, lang: str = "en") -> MissingAnswerJson:
        """The answer as `MissingAnswerJson`, its sentences in a language."""
        return {
            "missing": [
                {"tile": face_text(each.face), "tiles": each.tiles, "out": each.out}
                for each in self.missing
            ]
        }


@dataclass(frozen=True, slots=True)
class PlayableQuestion:
    """Which tiles of the rack can be played at all?"""

    position: Position
    time_limit: float | None = None
    """In seconds, for all of them."""

    @classmethod
    def from_json(cls, request: Request) -> Self:
        """Reads `PositionJson`. Raises QueryError or PositionError."""
        return cls(read_position(request))

    def answer(self) -> PlayableAnswer:
        """Tries every tile of the rack."""
        deadline = Deadline.of(self.time_limit)
        able = [
            tile
            for tile in self.position.rack
            if playable(self.position, tile, tidy=False, time_limit=deadline) is not None
        ]
        return PlayableAnswer(sorted_tiles(able))


@dataclass(frozen=True, slots=True)
class PlayableAnswer:
    """The tiles of the rack that some legal turn plays, by colour and number."""

    playable: Row

    def to_json(self, lang: str = "en") -> PlayableAnswerJson:
        """The answer as `PlayableAnswerJson`, its sentences in a language."""
        return {"playable": face_texts(self.playable)}


def _objective(request: Request) -> Objective:
    return objective(read_optional(request, "objective", "tiles"))
