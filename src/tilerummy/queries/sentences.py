"""The choice of a sentence for a step of a turn or a reason of the referee.

It is made here and nowhere else. The terminal renders a `Sentence` with `locales`; the page gets
the sentence of a step with each hint, and the table `REASON_NAMING` as generated data.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypeAlias, assert_never

from tilerummy.locales.sentences import Meanings, Named, Naming, Param, Sentence, sentence_text
from tilerummy.rules.editions import Edition
from tilerummy.rules.reasons import Reason
from tilerummy.rules.tiles import (
    NUMBER,
    SLOTS,
    Row,
    Table,
    colour_of,
    faces_of,
    has_colour_change,
    has_mirror,
    is_joker,
    parse_face,
    unidentified,
)
from tilerummy.solver.steps.step import Step, StepKind
from tilerummy.solver.turns.row_matching import is_group

LEAST_SET = 3

REASON_NAMING: dict[str, Literal["tile", "meanings"]] = {
    "face": "tile",
    "special": "tile",
    "joker": "tile",
    "readings": "meanings",
    "declared": "meanings",
}
"""How a reason's parameters are named that are not numbers. A reason of the code `gap` has the
sentence `reason.gap`; its own tiles are the parameter `tiles`."""


# Reasons


def reason_sentence(reason: Reason, edition: Edition | None = None) -> Sentence:
    """The sentence for a reason, before a language is chosen.

    `edition` gives the points that an opening needs, which the sentence names unless they are 0.
    """
    params: dict[str, Param] = {
        "tiles": Named("notation", tuple(reason.tiles)),
        "minimum": 0 if edition is None else edition.initial_min,
    }
    for name, value in reason.params.items():
        params[name] = _reason_param(name, value)
    return Sentence(f"reason.{reason.code}", params)


def _reason_param(name: str, value: object) -> Param:
    match REASON_NAMING.get(name):
        case "tile":
            return Named("tile", unidentified([parse_face(value)]))
        case "meanings":
            return Meanings(tuple(str(value).split(" / ")))
        case None:
            return value if isinstance(value, int) else str(value)


def reason_text(reason: Reason, lang: str, edition: Edition | None = None) -> str:
    """The sentence for a reason in a language. Raises LanguageError for an unknown language."""
    text = sentence_text(reason_sentence(reason, edition), lang, edition)
    return text if reason.tiles else text.lstrip(":： ")


# Steps


def step_sentence(step: Step, table: Table = ()) -> Sentence:
    """The sentence for a step, before a language is chosen.

    `table` is the one before the step. Where it holds two groups of a number, their tiles are
    named too.
    """
    params: dict[str, Param] = {
        "tiles": _tiles(step.tiles),
        "freed": _tiles(step.freed),
        "source": _row(step.source, table),
        "row": _row(step.target or step.source, table),
    }
    if len(step.result) == 2:
        params["ahead"], params["behind"] = map(_tiles, step.result)
    return Sentence(_key(step), params)


def step_text(step: Step, lang: str, edition: Edition | None = None, table: Table = ()) -> str:
    """The sentence for a step in a language: `Add black 9 to the end of the black run 6 7 8.`

    `table` is the one before the step. Raises LanguageError for an unknown language.
    """
    return sentence_text(step_sentence(step, table), lang, edition)


def step_texts(
    before: Table, way: Sequence[Step], lang: str, edition: Edition | None = None
) -> list[str]:
    """The sentences for a sequence of steps that begins at the table `before`.

    Raises LanguageError for an unknown language, and ValueError if a step does not fit its table.
    """
    sentences, table = [], before
    for step in way:
        sentences.append(step_text(step, lang, edition, table))
        table = step.on(table)
    return sentences


def _tiles(tiles: Row) -> Named:
    return Named("numbers" if _is_straight(tiles) else "tiles", tiles)


def _row(row: Row, table: Table) -> Named:
    return Named(_row_naming(row, table), row)


def _row_naming(row: Row, table: Table) -> Naming:
    straight = _is_straight(row)
    if is_group(row):
        same = [other for other in table if is_group(other) and _number(other) == _number(row)]
        return "group" if len(same) < 2 else "group-told"
    if len(row) < LEAST_SET:
        return "rest-numbers" if straight else "rest"
    return "run" if straight else "row"


def _number(group: Row) -> int:
    return max(NUMBER[face] for face in faces_of(group))


Place: TypeAlias = Literal["front", "end", "both", "inside"]


def _key(step: Step) -> str:
    match step.kind:
        case StepKind.TAKE:
            return "step.take" if step.left else "step.take-all"
        case StepKind.SPLIT:
            return "step.split-with" if step.tiles else "step.split"
        case StepKind.LAY:
            return "step.lay"
        case StepKind.SWAP:
            return "step.swap"
        case StepKind.ADD:
            return _placed("add", _place(step))
        case StepKind.MOVE:
            if not step.source:
                return f"step.shift-{_new_place(step)}"
            return _placed("move", _place(step))
        case StepKind.JOIN:
            place = _place(step)
            return "step.move-both" if place == "both" else _placed("join", place)
        case _:
            assert_never(step.kind)


def _placed(verb: str, place: Place | None) -> str:
    return f"step.{verb}" if place is None else f"step.{verb}-{place}"


def _place(step: Step) -> Place | None:
    """Where tiles come to lie in a row; None in a group, whose order means nothing."""
    (row,), old = step.result, step.target
    if is_group(row):
        return None
    for ahead in range(len(row) - len(old) + 1):
        if row[ahead : ahead + len(old)] == old:
            behind = len(row) - len(old) - ahead
            return "end" if not ahead else "both" if behind else "front"
    return "inside"


def _new_place(step: Step) -> Place:
    (row,), size = step.result, len(step.tiles)
    if row[:size] == step.tiles:
        return "front"
    return "end" if row[-size:] == step.tiles else "inside"


def _is_straight(row: Row) -> bool:
    """Whether tiles of one colour follow each other, with jokers among them."""
    faces = faces_of(row)
    if len(row) < 2 or has_colour_change(faces) or has_mirror(faces):
        return False
    starts, slot = set(), 0
    for face in faces:
        if not is_joker(face):
            starts.add((colour_of(face), NUMBER[face] - slot))
        slot += SLOTS[face]
    return len(starts) == 1
