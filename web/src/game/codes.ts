/** The encoding of faces as small integers: 13 · colour + number − 1, then J D C M. */

import { COLOURS, type Face, facesOf, HIGHEST, JOKERS, type Tile } from "./tiles";

export type Code = number;

export const JOKER = 52;
export const DOUBLE = 53;
export const CHANGE = 54;
export const MIRROR = 55;

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
  return code === DOUBLE ? 2 : code === MIRROR ? 0 : 1;
}

export function count<T>(items: readonly T[], wanted: T): number {
  return items.filter((item) => item === wanted).length;
}

export function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

/** The codes of the faces of tiles. */
export function codesOf(tiles: readonly Tile[]): number[] {
  return facesOf(tiles).map(codeOf);
}
