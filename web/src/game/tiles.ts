/**
 * Tile notation: `r7.1` is the first red 7, `J.2` the second joker.
 *
 * A tile stays the text it came as; what is printed on it, its face, is the part before the dot.
 */

import { JOKER_KINDS, type JokerKind } from "../generated/jokers";

export type Tile = string;
export type Face = string;

export const COLOURS = ["r", "b", "k", "o"] as const;
export type Colour = (typeof COLOURS)[number];

/** The letters of the jokers, in the order of their faces. */
export const JOKERS: readonly string[] = JOKER_KINDS.map(({ letter }) => letter);
const KINDS: ReadonlyMap<string, JokerKind> = new Map(
  JOKER_KINDS.map((kind) => [kind.letter, kind]),
);

export const HIGHEST = 13;

export function faceOf(tile: Tile): Face {
  const dot = tile.indexOf(".");
  return dot < 0 ? tile : tile.slice(0, dot);
}

export function facesOf(tiles: readonly Tile[]): Face[] {
  return tiles.map(faceOf);
}

export function isJoker(tile: Tile): boolean {
  return KINDS.has(tile[0]!);
}

/** What a joker is and does; undefined for a numbered tile. */
export function jokerKind(tile: Tile): JokerKind | undefined {
  return KINDS.get(tile[0]!);
}

/** The number on a tile; 0 for jokers. */
export function numberOf(tile: Tile): number {
  return isJoker(tile) ? 0 : Number.parseInt(tile.slice(1), 10);
}

/** Of a numbered tile. */
export function colourOf(tile: Tile): Colour {
  return tile[0] as Colour;
}

export function copyOf(tile: Tile): number {
  return Number.parseInt(tile.slice(tile.indexOf(".") + 1), 10);
}

/** The points of a rack: its numbers, and a fixed value for each joker. */
export function points(tiles: readonly Tile[], joker: number): number {
  return tiles.reduce((sum, tile) => sum + (numberOf(tile) || joker), 0);
}

const byColour = (tile: Tile): number =>
  isJoker(tile)
    ? 1000 + 10 * JOKERS.indexOf(tile[0]!) + copyOf(tile)
    : 200 * COLOURS.indexOf(colourOf(tile)) + 10 * numberOf(tile) + copyOf(tile);

const byNumber = (tile: Tile): number =>
  isJoker(tile)
    ? byColour(tile)
    : 50 * numberOf(tile) + 10 * COLOURS.indexOf(colourOf(tile)) + copyOf(tile);

export type Order = "colour" | "number";

/** Sort tiles for runs (789) or for groups (777); jokers last. */
export function sorted(tiles: readonly Tile[], order: Order): Tile[] {
  const key = order === "colour" ? byColour : byNumber;
  return [...tiles].sort((one, other) => key(one) - key(other));
}
