/** The text of a reason why a row or a turn is illegal. */

import type { Reason } from "../game/rows";
import type { Tile } from "../game/tiles";
import { REASON_NAMING, type ReasonNaming } from "../generated/reasons";
import type { Key } from "../generated/words";
import { has, type Params, t } from "../words";
import { nameOf } from "./tile";

/**
 * The full sentence; `fallback` for an unknown code. `minimum` is the number
 * of points that an opening needs; a sentence about the opening names it unless it is 0.
 */
export function reasonOf(reason: Reason | undefined, fallback = "", minimum = 0): string {
  if (reason === undefined) return fallback;
  // By its type, each code has a text. A newer server may send an unknown one.
  const key: Key = `reason.${reason.code}`;
  if (!has(key)) return fallback || t("error.unknown");
  const params: Record<string, string | number> = { minimum, ...reason.params };
  for (const [name, naming] of Object.entries(REASON_NAMING)) {
    const value = params[name];
    if (typeof value === "string") params[name] = NAMED[naming](value);
  }
  params.tiles = reason.faces.map(nameOf).join(t("list.comma"));
  return t(key, params as Params);
}

const NAMED: Readonly<Record<ReasonNaming, (text: string) => string>> = {
  tile: nameOf,
  meanings: (text) => text.split(" / ").map(meaningOf).join(t("list.or")),
};

/** The name of a kind, or the names of tiles. */
function meaningOf(text: string): string {
  return has(`kind.${text}`) ? t(`kind.${text}`) : text;
}

/**
 * The sentence without its tiles, for a note beside the row, unless it concerns only some of
 * them.
 */
export function noteOf(reason: Reason | undefined, row: readonly Tile[]): string {
  if (reason === undefined || reason.faces.length < row.length) return reasonOf(reason);
  return reasonOf({ ...reason, faces: [] }).replace(/^[\s…]*[:：]\s*/, "");
}
