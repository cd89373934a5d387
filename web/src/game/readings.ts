/**
 * The reader of rows: all readings of a row as laid, like `rules/rows.py`.
 *
 * Every tile takes slots: most take one, a double joker two, a mirror none. A run counts its slots
 * upwards, a group repeats one number, a mirror row reads the same from both sides of its M.
 */

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
  sum,
} from "./codes";
import type { Rules } from "./rules";
import { type Face, HIGHEST } from "./tiles";

export type Kind = "group" | "run" | "mirror-run" | "mirror-group" | "mirror";

/** For each joker its place, and the numbered faces that it may be: none for M. */
export type Stands = readonly (readonly [number, readonly Face[]])[];

export interface Reading {
  readonly kind: Kind;
  readonly value: number;
  readonly stands: Stands;
}

export type Codes = readonly Code[];

/** Thirteen slots on both sides of a mirror. */
export const LONGEST_ROW = 2 * HIGHEST + 1;

/** Colours are bits of a number. */
const ANY_COLOUR = 0b1111;
const NUMBERS: readonly number[] = Array.from({ length: HIGHEST }, (_, n) => n + 1);

export interface Slot {
  /** The place of its tile in the row. */
  readonly at: number;
  readonly face: Code;
}

/** All readings, the most valuable first and a group before a run; empty when it is not a set. */
export function readings(rules: Rules, row: Codes): Reading[] {
  if (row.length < 3 || row.length > LONGEST_ROW || !isAllowed(rules, row)) return [];
  const mirrors = countIf(row, isMirror);
  const found =
    mirrors === 0
      ? [group(row), run(rules, row)]
      : mirrors === 1
        ? [mirrorGroup(rules, row), mirrorRun(rules, row)]
        : [];
  return found
    .filter((reading) => reading !== undefined)
    .sort((one, other) => other.value - one.value);
}

/** Checks that do not depend on the order: numbered tiles, jokers, and the box. */
export function isAllowed(rules: Rules, row: Codes): boolean {
  const jokers = row.filter((face) => face >= JOKER).length;
  return (
    row.length - jokers >= rules.minNatural &&
    (rules.maxJokers === null || jokers <= rules.maxJokers) &&
    row.every((face) => count(row, face) <= inBox(rules, face))
  );
}

/** How many tiles of a face the box holds. */
export function inBox(rules: Rules, face: Code): number {
  return face < JOKER ? rules.copies : rules.jokers[face - JOKER]!;
}

/** The kind of the most valuable reading; one slot a side is neither run nor group. */
export function bestKind(row: Codes, found: readonly Reading[]): Kind {
  return row.some(isMirror) && sum(row.map(slotsOf)) === 2 ? "mirror" : found[0]!.kind;
}

// Groups

function group(row: Codes): Reading | undefined {
  const shown = row.filter((face) => face < JOKER);
  const slots = sum(row.map(slotsOf));
  if (!row.every(isInGroups) || slots > 4 || new Set(shown).size < shown.length) return undefined;
  const numbers = numbersOf(shown);
  if (numbers === undefined) return undefined;
  const free = ANY_COLOUR & ~coloursOf(shown);
  const stands = new Standing();
  row.forEach((face, at) => {
    if (face >= JOKER) stands.add(at, numbers, free);
  });
  return { kind: "group", value: numbers.at(-1)! * slots, stands: stands.all() };
}

function mirrorGroup(rules: Rules, row: Codes): Reading | undefined {
  const [left, right] = halvesOf(row);
  const side = left.length;
  if (!row.every(isInGroups) || side !== right.length || side > 4 || side < rules.mirrorMinSide) {
    return undefined;
  }
  const numbers = numbersOf(row.filter((face) => face < JOKER));
  if (numbers === undefined) return undefined;
  const colours = left.map((slot, place) =>
    coloursOf([slot.face, right[place]!.face].filter((face) => face < JOKER)),
  );
  let taken = 0;
  for (const colour of colours) {
    if (colour & taken || colour & (colour - 1)) return undefined;
    taken |= colour;
  }
  const stands = new Standing(row);
  for (const half of [left, right]) {
    half.forEach(({ at, face }, place) => {
      if (face >= JOKER) stands.add(at, numbers, colours[place] || ANY_COLOUR & ~taken);
    });
  }
  return { kind: "mirror-group", value: 2 * side * numbers.at(-1)!, stands: stands.all() };
}

/** The number that all tiles show, every number if none shows one, undefined if they differ. */
function numbersOf(shown: Codes): readonly number[] | undefined {
  const numbers = [...new Set(shown.map(numberIn))];
  return numbers.length === 0 ? NUMBERS : numbers.length === 1 ? numbers : undefined;
}

function coloursOf(shown: Codes): number {
  return shown.reduce((colours, face) => colours | (1 << colourIn(face)), 0);
}

// Runs

function run(rules: Rules, row: Codes): Reading | undefined {
  return counting(rules, row, "run", [slotsFrom(row, 0)], HIGHEST);
}

function mirrorRun(rules: Rules, row: Codes): Reading | undefined {
  const [left, right] = halvesOf(row);
  if (left.length !== right.length || left.length < rules.mirrorMinSide) return undefined;
  const changes = (slot: Slot) => changesColour(slot.face);
  const alike = left.every((slot, place) => changes(slot) === changes(right[place]!));
  if (rules.mirrorChangeNeedsChange && !alike) return undefined;
  return counting(rules, row, "mirror-run", [left, right], HIGHEST - Number(rules.mirrorIsNext));
}

/** A run is one half, a mirror run two that agree slot by slot. */
function counting(
  rules: Rules,
  row: Codes,
  kind: Kind,
  halves: readonly Slot[][],
  last: number,
): Reading | undefined {
  const length = halves[0]!.length;
  const firsts = new Set<number>();
  for (const half of halves) {
    half.forEach(({ face }, place) => {
      if (face < JOKER) firsts.add(numberIn(face) - place);
    });
  }
  const possible = NUMBERS.filter((first) => first + length - 1 <= last);
  const starts = firsts.size > 0 ? possible.filter((first) => firsts.has(first)) : possible;
  if (firsts.size > 1 || starts.length === 0) return undefined;
  const changes = (slot: Slot | undefined) => slot !== undefined && changesColour(slot.face);
  const adjacent = halves.some((half) => half.some((s, n) => changes(s) && changes(half[n + 1])));
  if (adjacent && !rules.adjacentChanges) return undefined;
  const colours = colouring(halves);
  if (colours === undefined) return undefined;
  const stands = new Standing(row);
  halves.forEach((half, side) => {
    half.forEach(({ at, face }, place) => {
      const numbers = starts.map((start) => start + place);
      if (face >= JOKER) stands.add(at, numbers, colours[side]![place]!);
    });
  });
  const value = (halves.length * length * (2 * starts.at(-1)! + length - 1)) / 2;
  return { kind, value, stands: stands.all() };
}

/**
 * For each slot the colours it may have, or undefined when no colouring exists.
 *
 * C cuts a half into segments of one colour, neighbouring segments differ, and facing slots of two
 * halves agree unless one of them is C. C itself may be of any colour.
 */
function colouring(halves: readonly Slot[][]): number[][] | undefined {
  const neighbours: [number, number][] = [];
  let segments = 0;
  const segmentOf = halves.map((half) => {
    const own = half.map(({ face }) => {
      if (!changesColour(face)) return segments;
      neighbours.push([segments, ++segments]);
      return -1;
    });
    segments++;
    return own;
  });
  let same = Array.from({ length: segments }, (_, segment) => segment);
  segmentOf[1]?.forEach((b, place) => {
    const a = segmentOf[0]![place]!;
    if (a < 0 || b < 0) return;
    const [kept, gone] = [same[a]!, same[b]!];
    same = same.map((one) => (one === gone ? kept : one));
  });
  const domain = same.map(() => ANY_COLOUR);
  halves.forEach((half, side) => {
    half.forEach(({ face }, place) => {
      if (face < JOKER) domain[same[segmentOf[side]![place]!]!]! &= 1 << colourIn(face);
    });
  });
  const roots = [...new Set(same)];
  const colour = same.map(() => 0);
  const found = same.map(() => 0);
  const paint = (number: number): void => {
    if (number < roots.length) {
      const root = roots[number]!;
      for (let bit = 1; bit < ANY_COLOUR; bit <<= 1) {
        colour[root] = bit;
        if (domain[root]! & bit) paint(number + 1);
      }
    } else if (neighbours.every(([a, b]) => colour[same[a]!] !== colour[same[b]!])) {
      for (const root of roots) found[root]! |= colour[root]!;
    }
  };
  paint(0);
  if (roots.some((root) => found[root] === 0)) return undefined;
  return segmentOf.map((own) => own.map((one) => (one < 0 ? ANY_COLOUR : found[same[one]!]!)));
}

/** The tiles from a place on, one step after another, each as often as it takes slots. */
export function slotsFrom(row: Codes, first: number, step = 1): Slot[] {
  const slots: Slot[] = [];
  for (let at = first; at >= 0 && at < row.length && !isMirror(row[at]!); at += step) {
    const face = row[at]!;
    for (let slot = 0; slot < slotsOf(face); slot++) slots.push({ at, face });
  }
  return slots;
}

/** Both sides of the mirror, each read from the outside towards M. */
export function halvesOf(row: Codes): [Slot[], Slot[]] {
  return [slotsFrom(row, 0), slotsFrom(row, row.length - 1, -1)];
}

/** Collects what jokers stand for. */
class Standing {
  private readonly faces = new Map<number, Set<Code>>();

  /** A mirror stands for nothing. */
  constructor(row: Codes = []) {
    row.forEach((face, at) => {
      if (isMirror(face)) this.faces.set(at, new Set());
    });
  }

  add(at: number, numbers: readonly number[], colours: number): void {
    const faces = this.faces.get(at) ?? new Set();
    this.faces.set(at, faces);
    for (let colour = 0; colour < 4; colour++) {
      if (colours & (1 << colour)) for (const n of numbers) faces.add(HIGHEST * colour + n - 1);
    }
  }

  all(): Stands {
    const inOrder = [...this.faces].sort(([one], [other]) => one - other);
    return inOrder.map(([at, faces]) => [at, [...faces].sort((a, b) => a - b).map(faceText)]);
  }
}
