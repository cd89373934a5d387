/** Declarations: what a player says a row and its jokers are. */

import { type Code, codesOf, slotsOf } from "./codes";
import type { Kind } from "./readings";
import { JOKERS, jokerKind, type Tile } from "./tiles";

/** The declaration of a row: its kind, or the name of every slot from left to right. */
export type As = string | readonly string[];

/** The names of one tile: two for D, `C4` for a colour change, the joker's letter for an open name. */
export type Names = readonly string[];

/** The letter before a number without a colour, which is the name of a colour change: `C4`. */
export const CHANGED = JOKERS.find((letter) => jokerKind(letter)!.changesColour)!;

/** The number of the name of a colour change; null for any other name. */
export function changedNumber(name: string): number | null {
  return name.length > 1 && jokerKind(name)?.changesColour ? Number(name.slice(1)) : null;
}

/** One complete meaning of a row, with the names of each of its tiles. */
export interface Way {
  readonly kind: Kind;
  readonly value: number;
  readonly names: readonly Names[];
}

/** Declarations in the form of the wire protocol. */
export type Declared = readonly { readonly set: readonly Tile[]; readonly as: As }[];

/** Split a flat list of names by tile; null if there are too many or too few. */
export function split(row: readonly Code[], names: readonly string[]): Names[] | null {
  let first = 0;
  const found = row.map((face) => {
    const width = slotsOf(face) || 1;
    first += width;
    return names.slice(first - width, first);
  });
  return first === names.length ? found : null;
}

/** The declaration of a row for another order of its tiles. */
export function relaid(as: As, row: readonly Tile[], order: readonly Tile[]): As {
  if (typeof as === "string") return as;
  const names = split(codesOf(row), as);
  return names === null ? as : order.flatMap((tile) => [...names[row.indexOf(tile)]!]);
}
