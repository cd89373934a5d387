/** Reading rows with declarations or named jokers. */

import { codesOf } from "./codes";
import { type As, type Names, split, type Way } from "./declarations";
import {
  carriedWays,
  declaredWays,
  distinct,
  isOpenName,
  keyOf,
  nameable,
  nameNumber,
  readingsOf,
  waysOf,
} from "./names";
import { type Plain, type Read, reasonFor } from "./reads";
import type { Reading, Reason } from "./rows";
import type { Rules } from "./rules";
import type { Tile } from "./tiles";

/** Read a row that is declared, or whose jokers keep earlier names or need names. */
export function named(
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

/** Sort a row into the order that its names imply, if that order is a set. */
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

/** A reading whose places count in the row as laid. */
function inLaid(reading: Reading, tiles: readonly Tile[], laid: readonly Tile[]): Reading {
  const stands = reading.stands.map(([at, faces]) => [laid.indexOf(tiles[at]!), faces] as const);
  return { ...reading, stands: stands.sort(([one], [other]) => one - other) };
}

const MOST_NAMINGS = 3;

/** What the player still has to declare about a row. */
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
