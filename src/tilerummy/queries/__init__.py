"""Stateless questions and answers about sets, turns, positions, scores and records.

Each question is a frozen value: `Question.from_json(object)` reads it strictly, `answer()` answers
it, and `to_json(lang)` gives the answer as JSON. `--json` of the command line, the hints of the
server and the generated types of the page share these forms:

    >>> from tilerummy.queries import RowQuestion
    >>> question = RowQuestion.from_json({"edition": "classic", "set": ["r7", "b7", "J"]})
    >>> question.answer().to_json()["value"]
    21
"""

from tilerummy.queries.contract import Answer, Question
from tilerummy.queries.forms import QUERIES, Query
from tilerummy.queries.judging import RowAnswer, RowQuestion, TurnAnswer, TurnQuestion
from tilerummy.queries.parsing import QueryError
from tilerummy.queries.replaying import (
    Frame,
    ReplayAnswer,
    ReplayQuestion,
    VerifyAnswer,
    VerifyQuestion,
)
from tilerummy.queries.scoring import ScoreAnswer, ScoreQuestion
from tilerummy.queries.sentences import (
    reason_sentence,
    reason_text,
    step_sentence,
    step_text,
    step_texts,
)
from tilerummy.queries.solving import (
    AlternativesAnswer,
    AlternativesQuestion,
    MissingAnswer,
    MissingQuestion,
    PlannedStep,
    PlayableAnswer,
    PlayableQuestion,
    SolveAnswer,
    SolveQuestion,
)

__all__ = [
    "QUERIES",
    "AlternativesAnswer",
    "AlternativesQuestion",
    "Answer",
    "Frame",
    "MissingAnswer",
    "MissingQuestion",
    "PlannedStep",
    "PlayableAnswer",
    "PlayableQuestion",
    "Query",
    "QueryError",
    "Question",
    "ReplayAnswer",
    "ReplayQuestion",
    "RowAnswer",
    "RowQuestion",
    "ScoreAnswer",
    "ScoreQuestion",
    "SolveAnswer",
    "SolveQuestion",
    "TurnAnswer",
    "TurnQuestion",
    "VerifyAnswer",
    "VerifyQuestion",
    "reason_sentence",
    "reason_text",
    "step_sentence",
    "step_text",
    "step_texts",
]
