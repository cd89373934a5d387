/** The steps of a turn as sentences, in the words that the terminal has for them. */

import { COLOURS, type Colour, faceOf, isJoker, numberOf, type Tile } from "../game/tiles";
import type { StepInfo } from "../generated/wire";
import { t } from "../words";
import { colourName, nameOf } from "./tile";

type Row = readonly Tile[];
type Table = readonly Row[];

const LEAST_SET = 3;

/**
 * How a sentence names tiles, `tiles` or `numbers`, or a row: `run`, `group`, `group-told` where
 * there is another of its number, `rest` where it is too short for a set, or `row`.
 */
export type Part = readonly [
  how: "tiles" | "numbers" | "run" | "group" | "group-told" | "rest" | "row",
  tiles: Row,
];

export interface Telling {
  readonly sentence: string;
  readonly parts: Readonly<Record<string, Part>>;
}

/**
 * A step as a sentence: "Add black 9 to the end of the black run 6 7 8."
 *
 * `table` is the one that the step finds.
 */
export function stepWords(step: StepInfo, table: Table): string {
  const { sentence, parts } = telling(step, table);
  const named = Object.entries(parts).map(([name, part]) => [name, partName(part)]);
  return t(`step.${sentence}`, Object.fromEntries(named));
}

/**
 * Which sentence tells a step, and what it names; where the table that the step finds holds two
 * groups of a number, they are told apart by their tiles.
 *
 * The terminal chooses likewise, in `cli/steptext.py`; tests/page/test_tellings.py compares.
 */
export function telling(step: StepInfo, table: Table): Telling {
  const { tiles, source = [], target = [], result = [], freed = [] } = step;
  const parts: Record<string, Part> = {
    tiles: tilesPart(tiles),
    freed: tilesPart(freed),
    source: rowPart(source, table),
    row: rowPart(target.length > 0 ? target : source, table),
  };
  const [ahead, behind] = result;
  if (ahead !== undefined && behind !== undefined) {
    parts.ahead = tilesPart(ahead);
    parts.behind = tilesPart(behind);
  }
  return { sentence: sentenceOf(step), parts };
}

function tilesPart(tiles: Row): Part {
  return [isStraight(tiles) ? "numbers" : "tiles", tiles];
}

function rowPart(row: Row, table: Table): Part {
  if (isGroup(row)) {
    const same = table.filter((other) => isGroup(other) && highest(other) === highest(row));
    return [same.length < 2 ? "group" : "group-told", row];
  }
  if (row.length < LEAST_SET) return ["rest", row];
  return [isStraight(row) ? "run" : "row", row];
}

function sentenceOf({ kind, tiles, source = [], left = [], target = [], result = [] }: StepInfo) {
  switch (kind) {
    case "take":
      return left.length > 0 ? "take" : "take-all";
    case "split":
      return tiles.length > 0 ? "split-with" : "split";
    case "lay":
    case "swap":
      return kind;
  }
  const row = result[0] ?? [];
  if (kind === "move" && source.length === 0) return `shift-${newPlace(row, tiles)}`;
  const place = placeOf(row, target);
  if (place === "both" && kind === "join") return "move-both";
  return place === null ? kind : `${kind}-${place}`;
}

/** Where tiles come to lie at a row; null where that means nothing. */
function placeOf(row: Row, old: Row): string | null {
  if (isGroup(row)) return null;
  for (let ahead = 0; ahead <= row.length - old.length; ahead++) {
    if (same(row.slice(ahead, ahead + old.length), old)) {
      if (ahead === 0) return "end";
      return ahead + old.length < row.length ? "both" : "front";
    }
  }
  return "inside";
}

function newPlace(row: Row, tiles: Row): string {
  if (same(row.slice(0, tiles.length), tiles)) return "front";
  return same(row.slice(-tiles.length), tiles) ? "end" : "inside";
}

function same(one: Row, other: Row): boolean {
  return one.length === other.length && one.every((tile, index) => tile === other[index]);
}

/** In the words of the page: jokers have names and not letters. */
function partName([how, tiles]: Part): string {
  switch (how) {
    case "tiles":
      return listed(
        tiles.map((tile) =>
          isJoker(tile) ? t("step.joker", { name: nameOf(tile) }) : nameOf(tile),
        ),
      );
    case "numbers":
    case "run":
      return t(`step.${how}`, straight(tiles));
    case "rest":
      return t("step.rest", { tiles: partName(tilesPart(tiles)) });
    case "row":
      return t("step.row", { tiles: listed(tiles.map(nameOf)) });
  }
  const number = t("step.counted").split(" ")[highest(tiles) - 1]!;
  return t(`step.${how}`, { number, tiles: listed(tiles.map(nameOf)) });
}

function listed(parts: readonly string[]): string {
  if (parts.length < 2) return parts.join("");
  return parts.slice(0, -1).join(t("list.comma")) + t("list.and") + parts.at(-1);
}

function highest(row: Row): number {
  return Math.max(...row.map(numberOf));
}

function straight(row: Row): { colour: string; numbers: string } {
  const numbered = row.find((tile) => !isJoker(tile))!;
  const numbers = row.map((tile) => (isJoker(tile) ? nameOf(tile) : String(numberOf(tile))));
  return {
    colour: colourName(numbered),
    numbers: numbers.join(t("step.between-numbers")),
  };
}

/** Whether a row is a group for sure, so that the order of its tiles means nothing. */
function isGroup(row: Row): boolean {
  const faces = row.map(faceOf);
  const numbered = faces.filter((face) => !isJoker(face));
  return (
    numbered.length > 1 &&
    new Set(numbered).size === numbered.length &&
    new Set(numbered.map(numberOf)).size === 1 &&
    !faces.includes("C") &&
    !faces.includes("M")
  );
}

/** Whether tiles of one colour follow each other, with jokers among them. */
function isStraight(row: Row): boolean {
  const faces = row.map(faceOf);
  if (row.length < 2 || faces.includes("C") || faces.includes("M")) return false;
  const starts = new Set<number>();
  let slot = 0;
  for (const face of faces) {
    if (!isJoker(face)) {
      starts.add(100 * COLOURS.indexOf(face[0] as Colour) + numberOf(face) - slot);
    }
    slot += face === "D" ? 2 : 1;
  }
  return starts.size === 1;
}
