/** Rows of a turn as the judge sees them: in the order in which they count, with what they mean. */

import { codeOf } from "./codes";
import {
  type As,
  carriedWays,
  declaredWays,
  distinct,
  hasSeveral,
  isOpenName,
  keyOf,
  type Names,
  nameable,
  nameNumber,
  readingsOf,
  split,
  type Way,
  waysOf,
} from "./names";
import { type Reading, type Reason, type RowVerdict, readRow } from "./rows";
import type { Rules } from "./rules";
import { type Face, facesOf, isJoker, type Tile } from "./tiles";

export type Table = readonly (readonly Tile[])[];

/** What players say rows and their jokers are, as the server tells and takes it. */
export type Declared = readonly { readonly set: readonly Tile[]; readonly as: As }[];

export interface Read {
  /** The row as it lies. */
  readonly laid: readonly Tile[];
  /** The row as it counts. */
  readonly tiles: readonly Tile[];
  readonly verdict: RowVerdict;
  /** Those that are left after what was declared; places are those of `laid`. */
  readonly readings: readonly Reading[];
  readonly reasons: readonly Reason[];
  /** What its jokers are named, said or brought along. */
  readonly named: ReadonlyMap<Tile, Names>;
  /** Where jokers are to be named: every naming of `tiles`, and those that are left. */
  readonly ways: readonly Way[];
  readonly left: readonly Way[];
}

export function reasonFor(
  code: string,
  tiles: readonly Tile[] = [],
  params: Reason["params"] = {},
): Reason {
  return { code, faces: facesOf(tiles), params };
}

/**
 * Read a table; `declared` says what is meant, and jokers keep the names that they had `before` as
 * far as these fit.
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

/** Whether jokers of a row should have been named and were not. */
function leavesOpen(rules: Rules): (row: Read) => boolean {
  return ({ laid, named }) =>
    rules.declare === "explicit" && hasSeveral(codesOf(laid)) && named.size < jokersIn(laid).length;
}

function jokersIn(tiles: readonly Tile[]): Tile[] {
  return tiles.filter((tile) => isJoker(tile) && tile[0] !== "M");
}

function codesOf(tiles: readonly Tile[]): number[] {
  return facesOf(tiles).map(codeOf);
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
  const isAsked = rules.declare === "explicit" && hasSeveral(codesOf(laid));
  const isSilent = said === undefined && !laid.some((tile) => names.has(tile));
  if (isSilent && !isAsked && !(rules.declare === "kind" && verdict.ambiguous)) {
    return { ...plain, reasons: [] };
  }
  return named(rules, plain, said, names, isAsked, wasOpen);
}

type Plain = Omit<Read, "reasons">;

function named(
  rules: Rules,
  plain: Plain,
  said: As | undefined,
  brought: ReadonlyMap<Tile, Names>,
  isAsked: boolean,
  wasOpen: boolean,
): Read {
  const { tiles, asked, verdict } = inNamedOrder(rules, plain, said);
  const { laid } = plain;
  const row = codesOf(tiles);
  const ways = waysOf(rules, row);
  const meant = asked === undefined ? ways : declaredWays(row, ways, asked);
  const isWrong = meant.length === 0;
  const places = [...tiles.keys()].filter((at) => brought.has(tiles[at]!));
  const names = new Map(places.map((at) => [at, keyOf(brought.get(tiles[at]!)!)]));
  const left = carriedWays(isWrong ? ways : meant, names);
  const different = distinct(row, left);
  const readings = readingsOf(row, left).map((reading) => inLaid(reading, tiles, laid));
  const found = { ...plain, tiles, verdict, readings, ways, left };

  const stated = isWrong || typeof asked === "string" || !asked ? null : split(row, asked);
  const isNamed = (at: number) => {
    const key = keyOf(left[0]!.names[at]!);
    const isSame = left.every((way) => keyOf(way.names[at]!) === key);
    const isStated = stated !== null && !isOpenName(stated[at]!);
    return (isAsked && different.length === 1) || isStated || (isSame && names.get(at) === key);
  };
  const jokers = nameable(row).filter(isNamed);
  const named = new Map(jokers.map((at) => [tiles[at]!, left[0]!.names[at]!]));
  if (isWrong) {
    const declared = typeof asked === "string" ? asked : asked!.join(" ");
    return { ...found, named, reasons: [reasonFor("bad-declaration", laid, { declared })] };
  }
  const stays = wasOpen && said === undefined && left.length === ways.length;
  return { ...found, named, reasons: stays ? [] : undeclared(rules, found, different, isAsked) };
}

/** A row that lies out of order is put in the order that its names ask for, if that is a set. */
function inNamedOrder(rules: Rules, { laid, tiles, verdict }: Plain, said: As | undefined) {
  if (verdict.order === null || said === undefined || typeof said === "string") {
    return { tiles, verdict, asked: said };
  }
  const entries = split(codesOf(laid), said);
  if (entries === null) return { tiles, verdict, asked: said };
  const lowest = (place: number) => Math.min(...entries[place]!.map(nameNumber));
  const byNames = [...laid.keys()].sort((one, other) => lowest(one) - lowest(other));
  const asked = byNames.flatMap((place) => entries[place]!);
  const row = byNames.map((place) => laid[place]!);
  if (declaredWays(codesOf(row), waysOf(rules, codesOf(row)), asked).length > 0) {
    return { tiles: row, verdict: { ...verdict, order: byNames }, asked };
  }
  return { tiles, verdict, asked: verdict.order.flatMap((place) => entries[place]!) };
}

/** A reading with the places of the row as it lies. */
function inLaid(reading: Reading, tiles: readonly Tile[], laid: readonly Tile[]): Reading {
  const stands = reading.stands.map(([at, faces]) => [laid.indexOf(tiles[at]!), faces] as const);
  return { ...reading, stands: stands.sort(([one], [other]) => one - other) };
}

const MOST_NAMINGS = 3;

/** What the player still has to say of a row. */
function undeclared(
  rules: Rules,
  { laid, verdict, left }: Plain,
  different: readonly Way[],
  isAsked: boolean,
): Reason[] {
  const kinds = [...new Set(left.map(({ kind }) => kind))];
  if (rules.declare === "kind" && verdict.ambiguous && kinds.length > 1) {
    return [reasonFor("undeclared", laid, { readings: kinds.join(" / ") })];
  }
  if (!isAsked || different.length < 2) return [];
  const shown = different.slice(0, MOST_NAMINGS).map(({ names }) => names.flat().join(" "));
  if (different.length > MOST_NAMINGS) shown.push("…");
  return [reasonFor("undeclared", laid, { readings: shown.join(" / ") })];
}

/** The names of a row, slot by slot as it lies, by one of the namings of its order. */
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
