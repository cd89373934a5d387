"""Answers of queries as messages: hints, missed plays, and the reasons of the referee."""

from __future__ import annotations

from collections.abc import Mapping

from tilerummy.locales.sentences import Named, Sentence
from tilerummy.queries import PlannedStep, SolveAnswer
from tilerummy.rules.reasons import Reason
from tilerummy.server.protocol import infos
from tilerummy.server.protocol import outgoing as out
from tilerummy.server.protocol.tiles import declared_out, faces_out, row_out, table_out
from tilerummy.solver.turns.solution import Solution


def hint_message(re: str, turn: int, answer: SolveAnswer) -> out.Hint:
    """The best turn, and the steps to it."""
    found = answer.solution
    return out.Hint(
        re,
        turn,
        found.tiles,
        found.value,
        row_out(found.played),
        table_out(found.table),
        [step_info(planned) for planned in answer.steps or ()],
        found.exact,
        declared_out(found.declared),
    )


def missed_message(re: str, game: int, plays: Mapping[int, Solution]) -> out.Missed:
    found = [
        infos.MissedInfo(seat, row_out(solution.played), table_out(solution.table))
        for seat, solution in sorted(plays.items())
    ]
    return out.Missed(re, game, found)


def step_info(planned: PlannedStep) -> infos.StepInfo:
    """A step, with the table after it and its sentence."""
    step = planned.step
    return infos.StepInfo(
        step.kind,
        row_out(step.tiles),
        table_out(planned.table),
        sentence_info(planned.sentence),
        row_out(step.source),
        table_out(step.left),
        row_out(step.target),
        table_out(step.result),
        row_out(step.freed),
    )


def sentence_info(sentence: Sentence) -> infos.SentenceInfo:
    """The sentence for a step, whose parameters are all tiles."""
    return infos.SentenceInfo(
        sentence.key,
        {
            name: infos.NamedInfo(param.how, row_out(param.tiles))
            for name, param in sentence.params.items()
            if isinstance(param, Named) and param.tiles
        },
    )


def reason_info(reason: Reason) -> infos.ReasonInfo:
    """A reason of the referee, with the parameters of its sentence."""
    params = {name: value for name, value in reason.params.items() if isinstance(value, int | str)}
    return infos.ReasonInfo(reason.code, str(reason), faces_out(reason.tiles), params)
