"""The JSON forms of all questions and answers, by the name of the question.

`docs/queries.schema.json` and the types of the page are generated from this table.
"""

from __future__ import annotations

from typing import NamedTuple

from tilerummy.queries.contract import Question
from tilerummy.queries.judging import (
    RowAnswerJson,
    RowQuestion,
    RowQuestionJson,
    TurnAnswerJson,
    TurnQuestion,
    TurnQuestionJson,
)
from tilerummy.queries.replaying import (
    ReplayAnswerJson,
    ReplayQuestion,
    ReplayQuestionJson,
    VerifyAnswerJson,
    VerifyQuestion,
    VerifyQuestionJson,
)
from tilerummy.queries.scoring import PadJson, ScoreAnswerJson, ScoreQuestion
from tilerummy.queries.solving import (
    AlternativesAnswerJson,
    AlternativesQuestion,
    AlternativesQuestionJson,
    MissingAnswerJson,
    MissingQuestion,
    PlayableAnswerJson,
    PlayableQuestion,
    PositionJson,
    SolveAnswerJson,
    SolveQuestion,
    SolveQuestionJson,
)


class Query(NamedTuple):
    """A question, with the JSON form of its request and of its answer."""

    question: type[Question]
    request: type
    answer: type


QUERIES = {
    "judge-row": Query(RowQuestion, RowQuestionJson, RowAnswerJson),
    "judge-turn": Query(TurnQuestion, TurnQuestionJson, TurnAnswerJson),
    "solve": Query(SolveQuestion, SolveQuestionJson, SolveAnswerJson),
    "alternatives": Query(AlternativesQuestion, AlternativesQuestionJson, AlternativesAnswerJson),
    "missing": Query(MissingQuestion, PositionJson, MissingAnswerJson),
    "playable": Query(PlayableQuestion, PositionJson, PlayableAnswerJson),
    "score": Query(ScoreQuestion, PadJson, ScoreAnswerJson),
    "verify": Query(VerifyQuestion, VerifyQuestionJson, VerifyAnswerJson),
    "replay": Query(ReplayQuestion, ReplayQuestionJson, ReplayAnswerJson),
}
"""Every question by its name."""
