/** The steps of a turn as sentences, in the words that the terminal has for them. */

import { COLOURS, type Colour, faceOf, isJoker, numberOf, type Tile } from "../game/tiles";
import type { StepInfo } from "../generated/wire";
import { t } from "../words";
import { colourName, nameOf } from "./tile";

type Row = readonly Tile[];
type Table = readonly Row[];

const LEAST_SET = 3;

/**
 * A step as a sentence: "Add black 9 to the end of the black run 6 7 8."
 *
 * `table` is the one that the step finds: two groups of a number are told apart by their tiles.
 */
export function stepWords(step: StepInfo, table: Table): string {
  const { tiles, source = [], target = [], result = [], freed = [] } = step;
  const [ahead = [], behind = []] = result;
  return t(`step.${sentenceOf(step)}`, {
    tiles: tilesName(tiles),
    freed: tilesName(freed),
    source: rowName(source, table),
    row: rowName(target.length > 0 ? target : source, table),
    ahead: tilesName(ahead),
    behind: tilesName(behind),
  });
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

/** "blue 3 4 5" where tiles follow each other, otherwise one by one. */
function tilesName(tiles: Row): string {
  if (isStraight(tiles)) return t("step.numbers", straight(tiles));
  return listed(
    tiles.map((tile) => (isJoker(tile) ? t("step.joker", { name: nameOf(tile) }) : nameOf(tile))),
  );
}

function listed(parts: readonly string[]): string {
  if (parts.length < 2) return parts.join("");
  return parts.slice(0, -1).join(t("list.comma")) + t("list.and") + parts.at(-1);
}

function rowName(row: Row, table: Table): string {
  if (isGroup(row)) {
    const number = highest(row);
    const counted = t("step.counted").split(" ")[number - 1]!;
    const equal = table.filter((other) => isGroup(other) && highest(other) === number);
    if (equal.length < 2) return t("step.group", { number: counted });
    return t("step.group-told", { number: counted, tiles: listed(row.map(nameOf)) });
  }
  if (row.length < LEAST_SET) return t("step.rest", { tiles: tilesName(row) });
  if (isStraight(row)) return t("step.run", straight(row));
  return t("step.row", { tiles: listed(row.map(nameOf)) });
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
