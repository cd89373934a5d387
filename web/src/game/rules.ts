/**
 * The options of an edition that the preview of the referee reads.
 *
 * Keys and values are those of the rules: `{"set.order": "normalise", "jokers": "J2 D2"}`. Missing
 * options have the values of Classic.
 */

import { JOKER_KINDS } from "../generated/jokers";

export type Options = Readonly<Record<string, unknown>>;

export interface Rules {
  readonly copies: number;
  /** How many jokers of each kind are in the box. */
  readonly jokers: readonly number[];
  readonly minNatural: number;
  readonly maxJokers: number | null;
  /** Whether a row that is a set in another order is sorted. */
  readonly normalise: boolean;
  /** Whether rows with two readings (`kind`) or several jokers (`explicit`) must be declared. */
  readonly declare: "position" | "kind" | "explicit";
  readonly mirrorMinSide: number;
  readonly mirrorChangeNeedsChange: boolean;
  /** Whether the mirror takes up the number after its sides. */
  readonly mirrorIsNext: boolean;
  readonly adjacentChanges: boolean;
  readonly minimum: number;
  readonly singleSet: boolean;
  readonly openingJokers: boolean;
  /** Whether a player who opens may go on with the table in the same turn. */
  readonly sameTurn: boolean;
  readonly reuse: "any" | "other_set" | "new_set" | "new_set_rack2";
  readonly lockedSets: boolean;
  /** Whether only a tile of the rack replaces a joker of a locked set. */
  readonly replaceFromRack: boolean;
  readonly exchangeBan: boolean;
  /** What a joker left on the rack costs. */
  readonly rackPenalty: number;
}

/** The editions of `generated/editions.json` by their names. */
export type Editions = Readonly<Record<string, { readonly options: Options }>>;

/** The rules of an edition with the options that a room has changed. */
export function rulesFor(editions: Editions, name: string, changed: Options = {}): Rules {
  const usual = editions[name];
  if (usual === undefined) throw new RangeError(`unknown edition ${name}`);
  return rulesOf({ ...usual.options, ...changed });
}

export function rulesOf(options: Options): Rules {
  const get = <T>(key: string, usual: T): T => (key in options ? (options[key] as T) : usual);
  const is = (key: string, value: string): boolean => options[key] === value;
  const jokers = jokerCounts(get("jokers", "J2"));
  const specials = JOKER_KINDS.some((kind, at) => kind.special && kind.wild && jokers[at]! > 0);
  return {
    copies: get("copies", 2),
    jokers,
    minNatural: get("set.min_natural", 1),
    maxJokers: get("joker.max_per_set", null),
    normalise: !is("set.order", "as_laid"),
    declare: get("joker.declare", "position"),
    mirrorMinSide: get("twist.mirror_min_side", 1),
    mirrorChangeNeedsChange: get("twist.mirror_c_needs_c", false),
    mirrorIsNext: is("twist.mirror_number", "next"),
    adjacentChanges: get("twist.adjacent_c", true),
    minimum: get("initial.min", 30),
    singleSet: get("initial.single_set", false),
    openingJokers: get("initial.jokers", true),
    sameTurn: get("initial.same_turn_manipulation", false),
    reuse: get("joker.reuse", "new_set"),
    lockedSets: get("joker.locked_sets", false),
    replaceFromRack: is("joker.replace_from", "rack"),
    rackPenalty: get("joker.rack_penalty", 30),
    exchangeBan: specials && get("twist.special_exchange_ban", true),
  };
}

/** `J2 D1` → how many of each kind. */
function jokerCounts(text: string): number[] {
  const counts = new Map(text.split(" ").map((part) => [part[0], Number(part.slice(1))]));
  return JOKER_KINDS.map(({ letter }) => counts.get(letter) ?? 0);
}
