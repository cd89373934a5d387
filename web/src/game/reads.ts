/** Rows of a turn as the judge sees them: in the order in which they count, with what they mean. */

import { type Reading, type Reason, type RowVerdict, readRow } from "./rows";
import type { Rules } from "./rules";
import { type Face, facesOf, isJoker, type Tile } from "./tiles";

export type Table = readonly (readonly Tile[])[];

/** What players say rows with two readings are, as the server tells and takes it. */
export type Declared = readonly (readonly [row: readonly Tile[], kind: string])[];

export interface Read {
  /** The row as it lies. */
  readonly laid: readonly Tile[];
  /** The row as it counts. */
  readonly tiles: readonly Tile[];
  readonly verdict: RowVerdict;
  /** Those that are left after what was declared; places are those of `laid`. */
  readonly readings: readonly Reading[];
  readonly reasons: readonly Reason[];
}

export function reasonFor(
  code: string,
  tiles: readonly Tile[] = [],
  params: Reason["params"] = {},
): Reason {
  return { code, faces: facesOf(tiles), params };
}

/** Read a table; `declared` says what is meant. */
export function readTable(rules: Rules, table: Table, declared: Declared): Read[] {
  const said = new Map(declared.map(([row, kind]) => [row.join(" "), kind]));
  return table.map((laid, number) => read(rules, laid, number, said.get(laid.join(" "))));
}

function read(rules: Rules, laid: readonly Tile[], number: number, said: string | undefined): Read {
  const verdict = readRow(rules, facesOf(laid));
  const tiles = verdict.order?.map((place) => laid[place]!) ?? laid;
  const found = { laid, tiles, verdict, readings: verdict.readings };
  const faults = verdict.faults.map((one) => ({ ...one, params: { ...one.params, row: number } }));
  if (!verdict.ambiguous) return { ...found, reasons: faults };
  const kinds = verdict.readings.map((reading) => reading.kind);
  if (said === undefined) {
    const asked = reasonFor("undeclared", laid, { readings: kinds.join(" / ") });
    return { ...found, reasons: rules.explicit ? [asked] : [] };
  }
  const meant = verdict.readings.filter((reading) => reading.kind === said);
  if (meant.length === 0) {
    return { ...found, reasons: [reasonFor("bad-declaration", laid, { declared: said })] };
  }
  return { ...found, readings: meant, reasons: [] };
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

/** Equal for rows that are the same to every player: same tiles, same meaning of each joker. */
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
