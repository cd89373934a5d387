/** The verdict on a row: its readings, sorted first if the edition allows it, or all its faults. */

import { type Code, codeOf, faceText } from "./codes";
import { type Reason, rowFaults } from "./faults";
import { bestOrder } from "./orders";
import { bestKind, type Kind, type Reading, readings } from "./readings";
import type { Rules } from "./rules";
import type { Face } from "./tiles";

export type { Reason } from "./faults";
export type { Kind, Reading, Stands } from "./readings";

export interface RowVerdict {
  /** The most valuable first; empty when the row is not a set. Places are those of the row as given. */
  readonly readings: readonly Reading[];
  /** Of the most valuable reading; null when the row is not a set. */
  readonly kind: Kind | null;
  readonly value: number | null;
  /** Whether it matters which reading the player means. */
  readonly ambiguous: boolean;
  /** If the row is a set only in another order: its places in that order. */
  readonly order: readonly number[] | null;
  /** Why it is not a set; empty when it is one. */
  readonly faults: readonly Reason[];
}

const MOST_CACHED = 2000;
const caches = new WeakMap<Rules, Map<string, RowVerdict>>();

export function readRow(rules: Rules, faces: readonly Face[]): RowVerdict {
  let cache = caches.get(rules);
  if (cache === undefined) {
    cache = new Map();
    caches.set(rules, cache);
  }
  const key = faces.join(" ");
  let verdict = cache.get(key);
  if (verdict === undefined) {
    if (cache.size >= MOST_CACHED) cache.delete(cache.keys().next().value!);
    verdict = judge(rules, faces.map(codeOf));
    cache.set(key, verdict);
  }
  return verdict;
}

/** The most valuable order in which these tiles are a set, even if the edition does not sort. */
export function inOrder(rules: Rules, faces: readonly Face[]): Face[] | null {
  return bestOrder(rules, faces.map(codeOf))?.map(faceText) ?? null;
}

function judge(rules: Rules, row: readonly Code[]): RowVerdict {
  const asLaid = readings(rules, row);
  if (asLaid.length > 0) return verdictOf(row, asLaid, null);
  const better = rules.normalise ? bestOrder(rules, row) : undefined;
  if (better === undefined) {
    const faults = rowFaults(rules, row);
    return { readings: [], kind: null, value: null, ambiguous: false, order: null, faults };
  }
  return verdictOf(better, readings(rules, better), placesOf(row, better));
}

function verdictOf(
  row: readonly Code[],
  found: readonly Reading[],
  order: readonly number[] | null,
): RowVerdict {
  const kind = bestKind(row, found);
  return {
    readings: order === null ? found : found.map((reading) => placed(reading, order)),
    kind,
    value: found[0]!.value,
    ambiguous: found.length > 1 && kind !== "mirror",
    order,
    faults: [],
  };
}

/** The permutation that sorts a row into an order; stable for equal tiles. */
function placesOf(row: readonly Code[], order: readonly Code[]): number[] {
  const left: (Code | null)[] = [...row];
  return order.map((face) => {
    const place = left.indexOf(face);
    left[place] = null;
    return place;
  });
}

function placed(reading: Reading, order: readonly number[]): Reading {
  const stands = reading.stands.map(([at, faces]) => [order[at]!, faces] as const);
  return { ...reading, stands: stands.sort(([one], [other]) => one - other) };
}
