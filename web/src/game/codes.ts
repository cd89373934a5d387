/** The encoding of faces as small integers: 13 · colour + number − 1, then a code for each kind of joker. */

import { JOKER_KINDS } from "../generated/jokers";
import { COLOURS, type Face, facesOf, HIGHEST, JOKERS, type Tile } from "./tiles";

export type Code = number;

/** The first joker: the regular one. */
export const JOKER = COLOURS.length * HIGHEST;

const TEXTS: readonly Face[] = [
  ...COLOURS.flatMap((colour) => Array.from({ length: HIGHEST }, (_, n) => `${colour}${n + 1}`)),
  ...JOKERS,
];
const CODES: ReadonlyMap<Face, Code> = new Map(TEXTS.map((text, code) => [text, code]));

export function codeOf(face: Face): Code {
  const code = CODES.get(face);
  if (code === undefined) throw new RangeError(`unknown face ${face}`);
  return code;
}

export function faceText(code: Code): Face {
  return TEXTS[code]!;
}

/** The number of a face; 0 for jokers. */
export function numberIn(code: Code): number {
  return code < JOKER ? (code % HIGHEST) + 1 : 0;
}

/** Of a numbered face: its place in COLOURS. */
export function colourIn(code: Code): number {
  return Math.floor(code / HIGHEST);
}

/** How many places of a row a face takes. */
export function slotsOf(code: Code): number {
  return JOKER_KINDS[code - JOKER]?.slots ?? 1;
}

/** Whether a face is a joker that stands for tiles. */
export function isWild(code: Code): boolean {
  return JOKER_KINDS[code - JOKER]?.wild ?? false;
}

export function isMirror(code: Code): boolean {
  return JOKER_KINDS[code - JOKER]?.mirrors ?? false;
}

/** Whether a run goes on in another colour behind a face. */
export function changesColour(code: Code): boolean {
  return JOKER_KINDS[code - JOKER]?.changesColour ?? false;
}

/** Whether a face may lie in a group. */
export function isInGroups(code: Code): boolean {
  return JOKER_KINDS[code - JOKER]?.inGroups ?? true;
}

/** The jokers that stand for tiles. */
export const WILDS: readonly Code[] = JOKER_KINDS.map((_, kind) => JOKER + kind).filter(isWild);

export function count<T>(items: readonly T[], wanted: T): number {
  return items.filter((item) => item === wanted).length;
}

export function countIf<T>(items: readonly T[], wanted: (item: T) => boolean): number {
  return items.filter(wanted).length;
}

export function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

/** The codes of the faces of tiles. */
export function codesOf(tiles: readonly Tile[]): number[] {
  return facesOf(tiles).map(codeOf);
}
