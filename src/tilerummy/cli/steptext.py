"""The steps of a turn as sentences."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from tilerummy.locales import catalogue, colour_name, join, tile_name
from tilerummy.rules.editions import Edition
from tilerummy.rules.tiles import (
    CHANGE,
    COLOURS,
    FACES,
    JOKER,
    MIRROR,
    NUMBER,
    SLOTS,
    Row,
    Table,
    colour_of,
    face_text,
    is_joker,
    row_text,
)
from tilerummy.solver.steps.step import Step, StepKind, is_group

LEAST_SET = 3


def step_texts(
    before: Table, way: Sequence[Step], lang: str, edition: Edition | None = None
) -> list[str]:
    """A sentence for each step of a way that begins at a table."""
    sentences, table = [], before
    for step in way:
        sentences.append(step_text(step, lang, edition, table))
        table = step.on(table)
    return sentences


def step_text(step: Step, lang: str, edition: Edition | None = None, table: Table = ()) -> str:
    """A step as a sentence: `Add black 9 to the end of the black run 6 7 8.`

    `table` is the one that the step finds.
    """
    key, parts = telling(step, table)
    names = _Names(lang, edition)
    said = {name: names.of(part) for name, part in parts.items()}
    return catalogue(lang).text(key, **said)


class Part(NamedTuple):
    """How a sentence names tiles, `tiles` or `numbers`, or a row: `run`, `group`, `group-told`
    where there is another of its number, `rest` where it is too short for a set, or `row`."""

    how: str
    tiles: Row


def telling(step: Step, table: Table = ()) -> tuple[str, dict[str, Part]]:
    """The key of the sentence that tells a step, and what it names; where the table that the step
    finds holds two groups of a number, they are told apart by their tiles.

    The page chooses likewise, in `web/src/table/steps.ts`.
    """
    parts = {
        "tiles": _tiles(step.tiles),
        "freed": _tiles(step.freed),
        "source": _row(step.source, table),
        "row": _row(step.target or step.source, table),
    }
    if len(step.result) == 2:
        parts["ahead"], parts["behind"] = map(_tiles, step.result)
    return _key(step), parts


def _tiles(tiles: Row) -> Part:
    return Part("numbers" if _is_straight(tiles) else "tiles", tiles)


def _row(row: Row, table: Table) -> Part:
    if is_group(row):
        same = [other for other in table if is_group(other) and _number(other) == _number(row)]
        return Part("group" if len(same) < 2 else "group-told", row)
    if len(row) < LEAST_SET:
        return Part("rest", row)
    return Part("run" if _is_straight(row) else "row", row)


def _number(group: Row) -> int:
    return max(NUMBER[tile % FACES] for tile in group)


def _key(step: Step) -> str:
    kind = step.kind.value
    match step.kind:
        case StepKind.TAKE:
            return "step.take" if step.left else "step.take-all"
        case StepKind.SPLIT:
            return "step.split-with" if step.tiles else "step.split"
        case StepKind.LAY | StepKind.SWAP:
            return f"step.{kind}"
        case StepKind.MOVE if not step.source:
            return f"step.shift-{_new_place(step)}"
    place = _place(step)
    if place == "both" and step.kind is StepKind.JOIN:
        return "step.move-both"
    return f"step.{kind}-{place}" if place else f"step.{kind}"


def _place(step: Step) -> str | None:
    """Where tiles come to lie at a row; None where that means nothing."""
    (row,), old = step.result, step.target
    if is_group(row):
        return None
    for ahead in range(len(row) - len(old) + 1):
        if row[ahead : ahead + len(old)] == old:
            behind = len(row) - len(old) - ahead
            return "end" if not ahead else "both" if behind else "front"
    return "inside"


def _new_place(step: Step) -> str:
    (row,), size = step.result, len(step.tiles)
    if row[:size] == step.tiles:
        return "front"
    return "end" if row[-size:] == step.tiles else "inside"


class _Names:
    """What tiles and rows are called in a language."""

    def __init__(self, lang: str, edition: Edition | None) -> None:
        self.lang = lang
        self.edition = edition
        self.words = catalogue(lang)

    def of(self, part: Part) -> str:
        how, tiles = part
        match how:
            case "tiles":
                return join([self._tile(tile) for tile in tiles], self.lang)
            case "numbers" | "run":
                return self.words.text(f"step.{how}", **self._straight(tiles))
            case "rest":
                return self.words.text("step.rest", tiles=self.of(_tiles(tiles)))
            case "row":
                return self.words.text("step.row", tiles=row_text(tiles))
        number = self.words.text("step.counted").split()[_number(tiles) - 1]
        return self.words.text(f"step.{how}", number=number, tiles=row_text(tiles))

    def _tile(self, tile: int) -> str:
        name = tile_name(tile, self.lang, self.edition)
        return self.words.text("step.joker", name=name) if is_joker(tile % FACES) else name

    def _straight(self, row: Row) -> dict[str, str]:
        colour = next(colour_of(tile % FACES) for tile in row if not is_joker(tile % FACES))
        numbers = [
            face_text(tile) if is_joker(tile % FACES) else str(NUMBER[tile % FACES]) for tile in row
        ]
        return {
            "colour": colour_name(COLOURS[colour], self.lang, self.edition),
            "numbers": self.words.text("step.between-numbers").join(numbers),
        }


def _is_straight(row: Row) -> bool:
    """Whether tiles of one colour follow each other, with jokers among them."""
    faces = [tile % FACES for tile in row]
    if len(row) < 2 or CHANGE in faces or MIRROR in faces:
        return False
    starts, slot = set(), 0
    for face in faces:
        if face < JOKER:
            starts.add(face - slot)
        slot += SLOTS[face]
    colours = {colour_of(face) for face in faces if face < JOKER}
    return len(starts) == 1 and len(colours) == 1
