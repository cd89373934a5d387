/** Why a row is not a set: every fault, the most specific first, as in `rules/faults.py`. */

import type { ReasonCode } from "../generated/reasons";
import {
  type Code,
  changesColour,
  colourIn,
  count,
  countIf,
  faceText,
  isInGroups,
  isMirror,
  JOKER,
  numberIn,
  slotsOf,
} from "./codes";
import { type Codes, inBox, LONGEST_ROW } from "./readings";
import type { Rules } from "./rules";
import { type Face, HIGHEST } from "./tiles";

/** Why something is not allowed: a stable code, the faces concerned, and the parameters of a sentence. */
export interface Reason {
  readonly code: ReasonCode;
  readonly faces: readonly Face[];
  readonly params: Readonly<Record<string, string | number>>;
}

function fault(code: ReasonCode, row: Codes, params: Reason["params"] = {}): Reason {
  return { code, faces: row.map(faceText), params };
}

/** The faults of a row that has no reading; never empty. */
export function rowFaults(rules: Rules, row: Codes): Reason[] {
  if (row.length > LONGEST_ROW) {
    return [fault("row-too-long", row.slice(0, LONGEST_ROW + 1), { maximum: LONGEST_ROW })];
  }
  const mirrors = countIf(row, isMirror);
  const found = compositionFaults(rules, row);
  if (mirrors < 2 && row.some((face) => face < JOKER)) {
    found.push(...(mirrors ? mirrorFaults(rules, row) : slotFaults(rules, slotted(row), row)));
  }
  if (found.length === 0) found.push(fault(mirrors ? "half-not-a-set" : "not-a-set", row));
  return found.filter((one, n) => found.findIndex((other) => other.code === one.code) === n);
}

function compositionFaults(rules: Rules, row: Codes): Reason[] {
  const found: Reason[] = [];
  if (row.length < 3) found.push(fault("too-short", row));
  for (const face of [...new Set(row)].sort((one, other) => one - other)) {
    const [here, box] = [count(row, face), inBox(rules, face)];
    if (here > box) {
      const faces = Array.from({ length: here }, () => face);
      found.push(fault("inventory", faces, { face: faceText(face), count: box }));
    }
  }
  if (countIf(row, isMirror) > 1) found.push(fault("two-mirrors", row));
  const jokers = row.filter((face) => face >= JOKER);
  const shown = row.length - jokers.length;
  if (shown < rules.minNatural) {
    found.push(
      shown === 0
        ? fault("no-number-tile", row)
        : fault("too-few-number-tiles", row, { minimum: rules.minNatural }),
    );
  }
  if (rules.maxJokers !== null && jokers.length > rules.maxJokers) {
    found.push(fault("too-many-jokers", jokers, { maximum: rules.maxJokers }));
  }
  return found;
}

function slotted(row: Codes): Code[] {
  return row.flatMap((face) => Array.from({ length: slotsOf(face) }, () => face));
}

/** Faults of slots without mirror, as a group or as a run, by what they resemble. */
function slotFaults(rules: Rules, slots: Codes, row: Codes): Reason[] {
  const shown = slots.filter((face) => face < JOKER);
  const alike = shown.length > 1 && new Set(shown.map(numberIn)).size === 1;
  return alike ? groupFaults(slots, shown, row) : runFaults(rules, slots, row);
}

function groupFaults(slots: Codes, shown: Codes, row: Codes): Reason[] {
  const found: Reason[] = [];
  if (slots.length > 4) found.push(fault("too-long", row));
  if (!slots.every(isInGroups)) found.push(fault("c-in-group", row));
  const repeated = shown.filter((face) => count(shown, face) > 1);
  if (repeated.length > 0) {
    found.push(fault(new Set(shown).size === 1 ? "duplicate" : "duplicate-colour", repeated));
  }
  return found;
}

function runFaults(rules: Rules, slots: Codes, row: Codes): Reason[] {
  const starts = startsOf(slots);
  const segments = segmentsOf(slots);
  const mixed = segments.flatMap((segment) =>
    pairs(segment).filter(([a, b]) => colourIn(a) !== colourIn(b)),
  )[0];
  if (mixed && starts.length > 1) return [fault("not-a-set", row)];
  const found: Reason[] = [];
  if (starts.length > 1) {
    found.push(...orderFaults(slots, row));
  } else if (starts[0]! < 1 || starts[0]! + slots.length - 1 > HIGHEST) {
    found.push(fault("out-of-range", row));
  }
  if (mixed) found.push(fault("mixed-colour", mixed));
  const same = pairs(segments)
    .filter(([before, after]) => before.length > 0 && after.length > 0)
    .map(([before, after]): [Code, Code] => [before.at(-1)!, after[0]!])
    .find(([a, b]) => colourIn(a) === colourIn(b));
  if (same) found.push(fault("same-colour", same));
  const adjacent = pairs(slots).some(([a, b]) => changesColour(a) && changesColour(b));
  if (adjacent && !rules.adjacentChanges) {
    found.push(fault("adjacent-changes", row));
  }
  return found;
}

/** The start of the run that each of its numbers implies. */
function startsOf(slots: Codes): number[] {
  const starts = slots.flatMap((face, place) => (face < JOKER ? [numberIn(face) - place] : []));
  return [...new Set(starts)];
}

/** Numbers that are at the wrong places of a run. */
function orderFaults(slots: Codes, row: Codes): Reason[] {
  const modulo = (start: number) => ((start % HIGHEST) + HIGHEST) % HIGHEST;
  if (new Set(startsOf(slots).map(modulo)).size === 1) return [fault("wraps", row)];
  const shown = slots.flatMap((face, place) => (face < JOKER ? [{ face, place }] : []));
  return pairs(shown).flatMap(([one, next]) => {
    const step = numberIn(next.face) - numberIn(one.face);
    const distance = next.place - one.place;
    if (step === distance) return [];
    let code: ReasonCode = "not-consecutive";
    if (step === 0) code = "duplicate-number";
    else if (step < 0) code = "wrong-order";
    else if (step > distance) code = "gap";
    return [fault(code, [one.face, next.face])];
  });
}

/** The numbered tiles between colour changes. */
function segmentsOf(slots: Codes): Code[][] {
  const segments: Code[][] = [[]];
  for (const face of slots) {
    if (changesColour(face)) segments.push([]);
    else if (face < JOKER) segments.at(-1)!.push(face);
  }
  return segments;
}

function mirrorFaults(rules: Rules, row: Codes): Reason[] {
  const centre = row.findIndex(isMirror);
  const left = slotted(row.slice(0, centre));
  const right = slotted(row.slice(centre + 1).reverse());
  if (left.length !== right.length || left.length === 0) return [fault("asymmetric", row)];
  const facing = left.map((face, place): [Code, Code] => [face, right[place]!]);
  const found: Reason[] = [];
  if (left.length < rules.mirrorMinSide) {
    found.push(fault("half-too-short", row, { minimum: rules.mirrorMinSide }));
  }
  const unequal = facing.filter(([a, b]) => a !== b && Math.max(a, b) < JOKER);
  if (rules.mirrorChangeNeedsChange) {
    unequal.push(...facing.filter(([a, b]) => changesColour(a) !== changesColour(b)));
  }
  if (unequal.length > 0) found.push(fault("asymmetric", unequal.flat()));
  if (found.length > 0) return found;
  return halfFaults(rules, facing, row);
}

/** Faults of the two sides of a mirror, compared slot by slot. */
function halfFaults(rules: Rules, facing: readonly [Code, Code][], row: Codes): Reason[] {
  const merged = facing.map(([a, b]) => {
    if (Math.min(a, b) < JOKER) return Math.min(a, b);
    return [a, b].find(changesColour) ?? JOKER;
  });
  const found = slotFaults(rules, merged, row);
  const numbers = new Set(merged.filter((face) => face < JOKER).map(numberIn));
  if (!row.every(isInGroups) && numbers.size === 1) found.unshift(fault("c-in-group", row));
  const starts = startsOf(merged);
  if (rules.mirrorIsNext && starts.length === 1 && starts[0] === HIGHEST + 1 - merged.length) {
    found.push(fault("out-of-range", row)); // the mirror itself would be a 14
  }
  return found.map((one) =>
    one.code === "not-a-set" || one.code === "mixed-colour" ? fault("half-not-a-set", row) : one,
  );
}

function pairs<T>(items: readonly T[]): [T, T][] {
  return items.slice(1).map((item, place) => [items[place]!, item]);
}
