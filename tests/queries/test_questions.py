"""Questions read JSON strictly, and answers give it back in one form."""

from __future__ import annotations

import doctest
import json
import math
import pickle
from pathlib import Path
from typing import Any, get_type_hints

import msgspec
import pytest

from tests.solver.positions import FAMILIES, draw, read
from tilerummy import queries
from tilerummy.locales import LANGUAGES, error_text
from tilerummy.play.notation import load
from tilerummy.play.record import RecordError
from tilerummy.play.scorepad import PadError
from tilerummy.queries import (
    QUERIES,
    AlternativesQuestion,
    MissingQuestion,
    PlayableQuestion,
    QueryError,
    ReplayQuestion,
    RowQuestion,
    ScoreQuestion,
    SolveQuestion,
    TurnQuestion,
    VerifyQuestion,
)
from tilerummy.queries.parsing import json_kind
from tilerummy.rules.errors import TileRummyError
from tilerummy.solver.turns.best_turn import solve

GOLDEN = Path(__file__).parents[1] / "golden"
RECORD = min(GOLDEN.glob("*.txt"), key=lambda path: path.stat().st_size).read_text("utf-8")
POSITION = {"rack": ["r7", "k11", "k13", "o1"], "table": [["r5", "r6", "J"]]}
PAD = {
    "tilerummy": "score pad",
    "schema": 1,
    "edition": "classic",
    "options": {},
    "players": ["Ann", "Ben"],
    "rounds": 1,
    "games": [{"end": "out", "out": 0, "left": ["-", "r7 J"]}],
}
REQUESTS: dict[str, dict[str, Any]] = {
    "judge-row": {"edition": "classic", "set": ["r7", "b7", "J"]},
    "judge-turn": {
        "edition": "classic",
        "opened": True,
        "rack": ["r7"],
        "before": [["r4", "r5", "r6"]],
        "after": [["r4", "r5", "r6", "r7"]],
    },
    "solve": POSITION,
    "alternatives": {**POSITION, "count": 3},
    "missing": POSITION,
    "playable": POSITION,
    "score": PAD,
    "verify": {"record": RECORD},
    "replay": {"record": RECORD, "game": 1},
}


HUGE = 10**5000
"""More digits than Python writes."""
DEEP: list[Any] = []
for _ in range(100_000):
    DEEP = [DEEP]
GARBAGE: list[object] = [
    *(None, True, 7, -1, -1.5, HUGE, math.nan, math.inf),
    *("", "x", "r7" * 5000, "\ud800"),
    *([], [[]], [None], [{}], [7], [HUGE], ["r7", 7], [[["r7"]]], DEEP),
    *({}, {"a": 1}, {"a": HUGE}, {"initial.min": HUGE}, {"initial.min": DEEP}, {HUGE: 1}),
    *([{"set": ["r7"], "as": 7}], [{"set": "r7"}], [{"set": DEEP, "as": DEEP}]),
]
LONGEST_ERROR = 1000
"""Enough for the names of all options, and far less than the garbage."""


def _label(garbage: object) -> str:
    if garbage is DEEP:
        return "deep"
    try:
        return repr(garbage)[:30]
    except (ValueError, RecursionError):
        return f"huge-{type(garbage).__name__}"


def test_the_example_of_the_package_holds() -> None:
    outcome = doctest.testmod(queries)
    assert outcome.attempted > 0
    assert outcome.failed == 0


def test_every_question_has_an_example_here() -> None:
    assert REQUESTS.keys() == QUERIES.keys()


@pytest.mark.parametrize("name", QUERIES)
@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_question_is_a_value_and_its_answer_is_json(name: str, lang: str) -> None:
    kind = QUERIES[name].question
    question = kind.from_json(json.loads(json.dumps(REQUESTS[name])))
    assert question == kind.from_json(REQUESTS[name])
    answer = question.answer()
    plain = json.loads(json.dumps(answer.to_json(lang)))
    converted: object = msgspec.convert(plain, QUERIES[name].answer)
    assert json.loads(json.dumps(converted)) == plain
    assert plain.keys() <= get_type_hints(QUERIES[name].answer).keys()
    assert msgspec.convert(REQUESTS[name], QUERIES[name].request) == REQUESTS[name]
    assert pickle.loads(pickle.dumps(answer)).to_json(lang) == answer.to_json(lang)


@pytest.mark.parametrize("name", QUERIES)
def test_what_a_question_needs_is_named_where_it_is_missing(name: str) -> None:
    request = REQUESTS[name]
    optional = {"edition"} if name in ("solve", "alternatives", "missing", "playable") else set()
    for key in request.keys() - optional:
        less = {other: value for other, value in request.items() if other != key}
        with pytest.raises(PadError if name == "score" else QueryError, match=f"'{key}'|not-a-pad"):
            QUERIES[name].question.from_json(less)


@pytest.mark.parametrize("garbage", GARBAGE, ids=_label)
@pytest.mark.parametrize("name", QUERIES)
def test_a_question_that_is_no_object_is_refused(name: str, garbage: Any) -> None:
    with pytest.raises(TileRummyError) as caught:
        QUERIES[name].question.from_json(garbage)
    if not isinstance(garbage, dict):
        assert isinstance(caught.value, QueryError)
        assert str(caught.value) == f"a question is a JSON object, not {json_kind(garbage)}"


@pytest.mark.parametrize("garbage", GARBAGE, ids=_label)
@pytest.mark.parametrize("name", QUERIES)
def test_a_value_of_another_type_raises_no_other_error(name: str, garbage: object) -> None:
    optional = ("edition", "options", "declared", "opened", "objective", "steps", "unknown")
    for key in dict.fromkeys([*REQUESTS[name], *optional]):
        request = {**REQUESTS[name], key: garbage}
        refusal: TileRummyError | None = None
        try:
            json.dumps(QUERIES[name].question.from_json(request).answer().to_json())
        except TileRummyError as error:
            refusal = error
        if refusal is not None:
            texts = [error_text(refusal, lang) for lang in LANGUAGES]
            assert all(0 < len(text) < LONGEST_ERROR for text in texts)


def test_other_keys_are_ignored() -> None:
    request = {**REQUESTS["judge-row"], "id": 7}
    assert RowQuestion.from_json(request).answer().verdict.valid


def test_a_turn_is_judged_with_its_declarations() -> None:
    request = {
        "edition": "sabra",
        "options": {"joker.declare": "explicit"},
        "opened": True,
        "rack": ["r8", "J", "J"],
        "before": [],
        "after": [["r8", "J", "J"]],
        "declared": [{"set": ["r8", "J", "J"], "as": "run"}],
    }
    answer = TurnQuestion.from_json(request).answer().to_json()
    assert answer["declared"] == [{"set": ["r8", "J", "J"], "as": ["r8", "r9", "r10"]}]


def test_steps_come_with_their_sentences_where_they_are_asked_for() -> None:
    asked = SolveQuestion.from_json({**POSITION, "steps": True}).answer()
    assert "steps" not in SolveQuestion.from_json(POSITION).answer().to_json()
    steps = asked.to_json()["steps"]
    assert [step["text"] for step in steps] == [
        "Replace the joker with red 7 in the red run 5 6 J.",
        "Put down black 11 J 13 as a new set.",
    ]
    assert sorted(steps[-1]["table"]) == sorted(asked.to_json()["table"])


@pytest.mark.parametrize("family", FAMILIES)
def test_a_position_is_read_as_it_is_written(family: str) -> None:
    drawn = draw(family, 7, small=True)
    question = SolveQuestion.from_json(drawn)
    assert question.position == read(drawn)
    assert question.answer().solution[:4] == solve(read(drawn))[:4]


def test_the_next_best_turns_and_single_tiles() -> None:
    request = {"rack": ["r1", "r2", "r3", "r4"], "table": [], "count": 3}
    turns = AlternativesQuestion.from_json(request).answer().to_json()["turns"]
    assert [turn["played"] for turn in turns] == [
        ["r1", "r2", "r3", "r4"],
        ["r2", "r3", "r4"],
        ["r1", "r2", "r3"],
    ]
    assert PlayableQuestion.from_json(POSITION).answer().to_json() == {
        "playable": ["r7", "k11", "k13"]
    }
    helpful = MissingQuestion.from_json(POSITION).answer().to_json()["missing"]
    assert {each["tile"] for each in helpful} >= {"k12"}


@pytest.mark.parametrize("count", [0, 51, True, 1.0, "3"])
def test_a_count_is_a_whole_number_within_bounds(count: object) -> None:
    with pytest.raises(QueryError, match="count is a whole number from 1 to 50"):
        AlternativesQuestion.from_json({**POSITION, "count": count})


def test_a_pad_is_added_up() -> None:
    answer = ScoreQuestion.from_json(PAD).answer().to_json()
    assert answer["results"] == [{"scores": (37, -37), "winners": (0,), "blocked": False}]
    assert {key: answer[key] for key in PAD} == PAD


def test_a_record_is_verified_and_replayed() -> None:
    answer = VerifyQuestion.from_json({"record": RECORD}).answer()
    assert answer.holds
    assert answer.turns > 0
    frames = ReplayQuestion(load(RECORD), 1).answer().frames
    assert sum(frame.is_turn for frame in frames) <= answer.turns
    assert frames[-1].game.result is not None


@pytest.mark.parametrize("game", [0, 10_000])
def test_a_game_that_the_record_lacks_is_an_error(game: int) -> None:
    with pytest.raises(RecordError, match=f"there is no game {game}"):
        ReplayQuestion(load(RECORD), game)
