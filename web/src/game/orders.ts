/**
 * Sorting a row: the most valuable order in which its tiles are a set, like `rules/orders.py`. Tiles
 * are placed slot by slot; the reader (`readings.ts`) confirms the result.
 */

import {
  type Code,
  changesColour,
  colourIn,
  count,
  countIf,
  isInGroups,
  isMirror,
  JOKER,
  numberIn,
  slotsOf,
  sum,
  WILDS,
} from "./codes";
import { type Codes, isAllowed, LONGEST_ROW, readings } from "./readings";
import type { Rules } from "./rules";
import { HIGHEST } from "./tiles";

/** The number each slot must show: ascending for runs, constant for groups. */
type Plan = readonly number[];

/** How many tiles of each face are still to be placed. */
type Stock = Map<Code, number>;

/** A group goes before a run of equal value; undefined when no order is a set. */
export function bestOrder(rules: Rules, row: Codes): Codes | undefined {
  const faces = [...row].sort((one, other) => one - other);
  const mirrors = countIf(faces, isMirror);
  const slots = sum(faces.map(slotsOf));
  if (faces.length < 3 || faces.length > LONGEST_ROW || !isAllowed(rules, faces)) return undefined;
  if (mirrors > 1 || (mirrors === 1 && slots % 2 === 1)) return undefined;
  for (const plan of plansFor(faces, mirrors ? slots / 2 : slots)) {
    const value = sum(plan) * (mirrors + 1);
    for (const order of mirrors ? mirrorOrders(faces, plan) : orders(faces, plan)) {
      if (readings(rules, order).some((reading) => reading.value === value)) return order;
    }
  }
  return undefined;
}

/** The possible numbers of the slots of a row or of half a mirror row, the most valuable first. */
function plansFor(faces: Codes, side: number): Plan[] {
  const shown = [...new Set(faces.filter((face) => face < JOKER).map(numberIn))];
  const plans: Plan[] = [];
  if (side <= 4 && shown.length <= 1 && faces.every(isInGroups)) {
    plans.push(Array.from({ length: side }, () => shown[0] ?? HIGHEST));
  }
  const lowest = Math.max(1, Math.max(0, ...shown) - side + 1);
  for (let start = Math.min(HIGHEST - side + 1, ...shown); start >= lowest; start--) {
    plans.push(Array.from({ length: side }, (_, place) => start + place));
  }
  return plans.sort((one, other) => sum(other) - sum(one));
}

function isRun(plan: Plan): boolean {
  return new Set(plan).size === plan.length;
}

function stockOf(faces: Codes): Stock {
  return new Map(faces.map((face) => [face, count(faces, face)]));
}

function isEmpty(stock: Stock): boolean {
  return [...stock.values()].every((left) => left === 0);
}

function change(stock: Stock, face: Code, by: number): void {
  stock.set(face, stock.get(face)! + by);
}

/** Rows without a mirror that fill the planned slots from left to right. */
function* orders(faces: Codes, plan: Plan): Generator<Codes> {
  if (!isRun(plan)) {
    yield faces; // a group: any order will do
    return;
  }
  const stock = stockOf(faces);
  const placed: Code[] = [];

  /** `colour` is that of the open segment, `beyond` that of the segment before its C. */
  function* fill(place: number, colour?: number, beyond?: number): Generator<Codes> {
    if (place >= plan.length) {
      if (place === plan.length && isEmpty(stock)) yield [...placed];
      return;
    }
    const left = [...stock.keys()].filter((face) => stock.get(face));
    const fitting = left.filter((face) => numberIn(face) === plan[place]);
    if (fitting.length > 1) return;
    for (const face of fitting.length > 0 ? fitting : WILDS) {
      if (!stock.get(face)) continue;
      const own = face < JOKER ? colourIn(face) : undefined;
      if (own !== undefined && ((colour ?? own) !== own || beyond === own)) continue;
      change(stock, face, -1);
      placed.push(face);
      if (changesColour(face)) yield* fill(place + 1, undefined, colour);
      else yield* fill(place + slotsOf(face), own ?? colour, beyond);
      placed.pop();
      change(stock, face, 1);
    }
  }

  yield* fill(0);
}

/** Rows around one mirror whose sides both fill the planned slots from the outside inwards. */
function* mirrorOrders(faces: Codes, plan: Plan): Generator<Codes> {
  const stock = stockOf(faces.filter((face) => !isMirror(face)));
  const mirror = faces.find(isMirror)!;
  const coversNext = (face: Code | undefined) => face !== undefined && slotsOf(face) === 2;
  const left: Code[] = [];
  const right: Code[] = [];

  /** What may come next; undefined where the D before covers the slot. */
  function choices(place: number, covered: boolean): (Code | undefined)[] {
    if (covered) return [undefined];
    return [...stock.keys()].filter(
      (face) =>
        stock.get(face) &&
        (face >= JOKER || numberIn(face) === plan[place]) &&
        place + slotsOf(face) <= plan.length,
    );
  }

  function take(half: Code[], face: Code | undefined): void {
    if (face === undefined) return;
    change(stock, face, -1);
    half.push(face);
  }

  function putBack(half: Code[], face: Code | undefined): void {
    if (face === undefined) return;
    half.pop();
    change(stock, face, 1);
  }

  /** Whether a numbered tile is still to be placed although its slot is past. */
  function leavesBehind(place: number): boolean {
    return (
      isRun(plan) &&
      [...stock].some(([face, left]) => left > 0 && face < JOKER && numberIn(face) <= plan[place]!)
    );
  }

  function* fill(place: number, leftCovered: boolean, rightCovered: boolean): Generator<Codes> {
    if (place === plan.length) {
      if (isEmpty(stock)) yield [...left, mirror, ...[...right].reverse()];
      return;
    }
    for (const one of choices(place, leftCovered)) {
      take(left, one);
      for (const two of choices(place, rightCovered)) {
        if (Math.max(one ?? JOKER, two ?? JOKER) < JOKER && one !== two) continue;
        take(right, two);
        if (!leavesBehind(place)) yield* fill(place + 1, coversNext(one), coversNext(two));
        putBack(right, two);
      }
      putBack(left, one);
    }
  }

  yield* fill(0, false, false);
}
