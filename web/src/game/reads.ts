/** Rows of a turn as the referee reads them: in the order that counts, with their readings. */

import type { ReasonCode } from "../generated/reasons";
import type { As, Declared, Names, Way } from "./declarations";
import { type Reading, type Reason, type RowVerdict, readRow } from "./rows";
import type { Rules } from "./rules";
import { type Face, facesOf, isJoker, jokerKind, type Tile } from "./tiles";

export type Table = readonly (readonly Tile[])[];

export interface Read {
  /** The row as laid. */
  readonly laid: readonly Tile[];
  /** The row as it counts. */
  readonly tiles: readonly Tile[];
  readonly verdict: RowVerdict;
  /** The readings that agree with the declarations; places count in `laid`. */
  readonly readings: readonly Reading[];
  readonly reasons: readonly Reason[];
  /** The names of its jokers, declared or kept. */
  readonly named: ReadonlyMap<Tile, Names>;
  /** If jokers need names: every naming of `tiles`, and those that agree with the declarations. */
  readonly ways: readonly Way[];
  readonly left: readonly Way[];
  /** Whether reading it needs `fetchNaming` to have finished. */
  readonly unread?: boolean;
}

export function reasonFor(
  code: ReasonCode,
  tiles: readonly Tile[] = [],
  params: Reason["params"] = {},
): Reason {
  return { code, faces: facesOf(tiles), params };
}

/**
 * Read a table with its declarations. Jokers keep the names that they had `before` where these
 * fit.
 */
export function readTable(
  rules: Rules,
  table: Table,
  declared: Declared,
  before: readonly Read[] = [],
): Read[] {
  const said = new Map(declared.map(({ set, as }) => [set.join(" "), as]));
  const names = new Map(before.flatMap((row) => [...row.named]));
  const open = new Set(before.filter(leavesOpen(rules)).map((row) => row.laid.join(" ")));
  return table.map((laid, number) => {
    const key = laid.join(" ");
    return read(rules, laid, number, said.get(key), names, open.has(key));
  });
}

/** Whether a row needs a kind, or names of its jokers, and has none. */
function leavesOpen(rules: Rules): (row: Read) => boolean {
  return ({ laid, named, reasons }) => {
    if (rules.declare === "kind") return reasons.some(({ code }) => code === "undeclared");
    return rules.declare === "explicit" && hasSeveral(laid) && named.size < jokersIn(laid).length;
  };
}

function jokersIn(tiles: readonly Tile[]): Tile[] {
  return tiles.filter((tile) => jokerKind(tile)?.wild);
}

/** Whether a row has enough jokers that each needs a name. */
function hasSeveral(laid: readonly Tile[]): boolean {
  return laid.filter(isJoker).length >= 2;
}

const NOTHING = { named: new Map<Tile, Names>(), ways: [], left: [] } as const;

function read(
  rules: Rules,
  laid: readonly Tile[],
  number: number,
  said: As | undefined,
  names: ReadonlyMap<Tile, Names>,
  wasOpen: boolean,
): Read {
  const verdict = readRow(rules, facesOf(laid));
  const tiles = verdict.order?.map((place) => laid[place]!) ?? laid;
  const plain = { ...NOTHING, laid, tiles, verdict, readings: verdict.readings };
  if (verdict.kind === null) {
    const faults = verdict.faults.map((one) => ({
      ...one,
      params: { ...one.params, row: number },
    }));
    return { ...plain, reasons: faults };
  }
  const isAsked = rules.declare === "explicit" && hasSeveral(laid);
  const isSilent = said === undefined && !laid.some((tile) => names.has(tile));
  if (isSilent && !isAsked && !(rules.declare === "kind" && verdict.ambiguous)) {
    return { ...plain, reasons: [] };
  }
  if (reader === null) return { ...plain, reasons: [], unread: true };
  return reader(rules, plain, said, names, isAsked, wasOpen);
}

export type Plain = Omit<Read, "reasons">;

let reader: typeof import("./naming").named | null = null;
let coming: Promise<void> | null = null;

/** Load the reader of named jokers. Few tables need it, so it is a chunk of its own. */
export function fetchNaming(): Promise<void> {
  coming ??= import("./naming").then(
    ({ named }) => {
      reader = named;
    },
    (error) => {
      coming = null;
      throw error;
    },
  );
  return coming;
}

/** The names of a row, slot by slot as laid, from a naming of its sorted order. */
export function namesAsLaid({ laid, tiles }: Read, way: Way): string[] {
  return laid.flatMap((tile) => [...way.names[tiles.indexOf(tile)]!]);
}

export function jokersOf(row: Read): Tile[] {
  return row.tiles.filter(isJoker);
}

/** What a joker of a row stands for in one of its readings. */
export function standsIn(row: Read, reading: Reading, joker: Tile): readonly Face[] {
  const place = row.laid.indexOf(joker);
  return reading.stands.find(([at]) => at === place)?.[1] ?? [];
}

/** What a joker of a row stands for in any of its readings. */
export function standsFor(row: Read, joker: Tile): Face[] {
  return row.readings.flatMap((reading) => standsIn(row, reading, joker));
}

/** A key, equal for rows with the same tiles and the same meaning of each joker. */
export function signature(row: Read): string {
  const meanings = row.readings.map(({ kind, value, stands }) => {
    const jokers = stands.map(([at, faces]) => `${row.laid[at]} ${faces.join(" ")}`);
    return [kind, value, ...jokers.sort()].join();
  });
  return [[...row.laid].sort().join(" "), ...meanings].join(";");
}

export function isWithin<T>(items: readonly T[], others: readonly T[]): boolean {
  return items.every((item) => others.includes(item));
}
