"""The steps of a turn as sentences."""

from __future__ import annotations

from collections.abc import Sequence

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
from tilerummy.solver.step import Step, StepKind, is_group

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

    `table` is the one that the step finds; where it holds two groups of a number, they are told
    apart by their tiles.
    """
    names = _Names(lang, edition, table)
    rows = {"row": names.row(step.target or step.source), "source": names.row(step.source)}
    if len(step.result) == 2:
        rows["ahead"], rows["behind"] = (names.tiles(row) for row in step.result)
    return catalogue(lang).text(
        _key(step), tiles=names.tiles(step.tiles), freed=names.tiles(step.freed), **rows
    )


def _key(step: Step) -> str:
    """Which sentence tells a step."""
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
    """What tiles and rows are called."""

    def __init__(self, lang: str, edition: Edition | None, table: Table) -> None:
        self.lang = lang
        self.edition = edition
        self.table = table
        self.words = catalogue(lang)

    def tiles(self, tiles: Row) -> str:
        """`blue 3 4 5` where they follow each other, otherwise one by one."""
        if _is_straight(tiles):
            return self.words.text("step.numbers", **self._straight(tiles))
        return join([self._tile(tile) for tile in tiles], self.lang)

    def row(self, row: Row) -> str:
        if is_group(row):
            number = next(NUMBER[tile % FACES] for tile in row if not is_joker(tile % FACES))
            name = self.words.text("step.counted").split()[number - 1]
            same = [other for other in self.table if is_group(other) and self._number(other, row)]
            if len(same) < 2:
                return self.words.text("step.group", number=name)
            return self.words.text("step.group-told", number=name, tiles=row_text(row))
        if len(row) < LEAST_SET:
            return self.words.text("step.rest", tiles=self.tiles(row))
        if _is_straight(row):
            return self.words.text("step.run", **self._straight(row))
        return self.words.text("step.row", tiles=row_text(row))

    def _number(self, row: Row, other: Row) -> bool:
        """Whether two groups have the same number."""
        return max(NUMBER[tile % FACES] for tile in row) == max(
            NUMBER[tile % FACES] for tile in other
        )

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
