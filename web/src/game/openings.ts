/** Openings: what a player who has not opened may play, like `rules/turn_openings.py`. */

import { isWithin, jokersOf, type Read, reasonFor, signature, standsFor } from "./reads";
import type { Reason } from "./rows";
import type { Rules } from "./rules";
import { colourOf, faceOf, HIGHEST, isJoker, jokerKind, numberOf, type Tile } from "./tiles";

export interface Opening {
  /** The value of the new sets from the rack. */
  readonly points: number;
  readonly minimum: number;
  /** `maybe` if the edition lets the player go on, and the opening rows have been changed. */
  readonly reached: boolean | "maybe";
}

export interface OpeningVerdict {
  readonly opening: Opening;
  readonly reasons: readonly Reason[];
  /** The indices of rows of the table that must be left alone. */
  readonly changed: readonly number[];
}

/** Judge a plain opening: the table stays, new rows use the rack only and reach the minimum. */
export function plainOpening(
  rules: Rules,
  before: readonly Read[],
  after: readonly Read[],
  played: readonly Tile[],
): OpeningVerdict {
  const standing = new Map(before.map((row, number) => [signature(row), number]));
  const laid = after.filter((row) => !standing.delete(signature(row)));
  const changed = [...standing.values()];
  const reasons = changed.map((number) => reasonFor("table-changed", before[number]!.tiles));
  if (changed.length === 0 && laid.every((row) => row.readings.length > 0)) {
    reasons.push(...openingReasons(rules, laid));
  }
  const own = setsOf(laid, played);
  const reached = own.length > 0 && openingReasons(rules, own).length === 0;
  return { opening: { points: worth(own), minimum: rules.minimum, reached }, reasons, changed };
}

/**
 * Judge a turn that opens and goes on: rows from the rack reach the minimum, then the rest is judged
 * as for an opened player.
 *
 * The page can tell only while the opening rows are still unchanged on the table.
 */
export function continuedOpening(
  rules: Rules,
  after: readonly Read[],
  played: readonly Tile[],
): OpeningVerdict {
  const { minimum } = rules;
  const own = setsOf(after, played);
  const against = openingReasons(rules, own);
  const opening = { points: worth(own), minimum };
  if (minimum === 0 || (own.length > 0 && against.length === 0)) {
    return { opening: { ...opening, reached: true }, reasons: [], changed: [] };
  }
  if (mostPoints(rules, after, played) >= minimum) {
    return { opening: { ...opening, reached: "maybe" }, reasons: [], changed: [] };
  }
  const below = against.some(({ code }) => code !== "opening-joker");
  const all = own.flatMap((row) => row.tiles).length === played.length;
  const reasons = below && all ? against : [reasonFor("no-opening", played, { minimum })];
  return { opening: { ...opening, reached: false }, reasons, changed: [] };
}

function setsOf(rows: readonly Read[], played: readonly Tile[]): Read[] {
  return rows.filter((row) => row.readings.length > 0 && isWithin(row.tiles, played));
}

function worth(rows: readonly Read[]): number {
  return rows.reduce((total, row) => total + row.readings[0]!.value, 0);
}

/** What is wrong with rows as an opening. */
function openingReasons(rules: Rules, laid: readonly Read[]): Reason[] {
  const reasons: Reason[] = [];
  const jokers = laid.flatMap(jokersOf);
  if (jokers.length > 0 && !rules.openingJokers) reasons.push(reasonFor("opening-joker", jokers));
  const values = laid.map((row) => row.readings[0]!.value);
  const value = rules.singleSet ? Math.max(0, ...values) : worth(laid);
  if (laid.length > 0 && value < rules.minimum) {
    const code = rules.singleSet ? "below-minimum-single" : "below-minimum";
    const tiles = laid.flatMap((row) => row.tiles);
    reasons.push(reasonFor(code, tiles, { value, minimum: rules.minimum }));
  }
  return reasons;
}

/** No rows that the played tiles could have formed were worth more. */
function mostPoints(rules: Rules, after: readonly Read[], played: readonly Tile[]): number {
  const shown = played.filter((tile) => !isJoker(tile));
  const jokers = rules.openingJokers ? played.filter(isJoker) : [];
  const useful = jokers.length > 0 ? shown : shown.filter((tile) => fits(tile, shown));
  const numbers = [...useful.map(numberOf), ...jokers.map(most)];
  return numbers.reduce((total, number) => total + number, 0);

  function most(joker: Tile): number {
    // A single joker of a locked row still stands where it counted, or one that looks the same.
    const stays = jokers.length === 1 && rules.lockedSets && rules.replaceFromRack;
    const numbers = stays && isRegular(joker) ? after.flatMap(regularJokers) : [];
    if (numbers.length > 0) return Math.max(...numbers);
    return jokerKind(joker)!.slots * HIGHEST;
  }
}

function isRegular(joker: Tile): boolean {
  return !jokerKind(joker)!.special;
}

/** The numbers that the regular jokers of a row stand for. */
function regularJokers(row: Read): number[] {
  const jokers = jokersOf(row).filter(isRegular);
  return jokers.flatMap((joker) => standsFor(row, joker).map(numberOf));
}

/** Whether a tile is in some set of these numbered tiles. */
function fits(tile: Tile, shown: readonly Tile[]): boolean {
  const faces = new Set(shown.map(faceOf));
  const number = numberOf(tile);
  const alike = [...faces].filter((face) => numberOf(face) === number).length;
  const has = (step: number) => faces.has(`${colourOf(tile)}${number + step}`);
  return alike >= 3 || [-2, -1, 0].some((first) => [0, 1, 2].every((step) => has(first + step)));
}
