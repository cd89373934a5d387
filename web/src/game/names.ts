/**
 * Declared jokers, like `rules/declarations.py`: every complete naming of a row, and those
 * that a declaration or the earlier name of a joker leaves.
 */

import {
  type Code,
  changesColour,
  codeOf,
  colourIn,
  countIf,
  faceText,
  isMirror,
  isWild,
  JOKER,
  numberIn,
  slotsOf,
  sum,
} from "./codes";
import { type As, CHANGED, changedNumber, type Names, split, type Way } from "./declarations";
import { type Codes, halvesOf, type Reading, readings, type Slot, slotsFrom } from "./readings";
import type { Rules } from "./rules";
import { COLOURS, faceOf, HIGHEST, jokerKind, numberOf, type Tile } from "./tiles";

/** Every naming of a row, the most valuable first, then by the first colours. */
export function waysOf(rules: Rules, row: Codes): Way[] {
  const sides = row.some(isMirror) ? halvesOf(row) : [slotsFrom(row, 0)];
  const found = readings(rules, row).flatMap(({ kind }) => {
    const highest = HIGHEST - Number(row.some(isMirror) && rules.mirrorIsNext);
    const namings = isGroup(kind) ? groups(row, sides) : runs(sides, highest);
    const laid = namings.map((names) => laidOut(row, sides, names));
    const different = new Map(
      laid
        .filter((names) => kind !== "group" || names.every(isInOrder))
        .map((names) => [names.join(), names]),
    );
    return [...different.values()].map((names) => ({ kind, names, value: worth(names) }));
  });
  return found.sort((one, other) => other.value - one.value);
}

export function isGroup(kind: string): boolean {
  return kind === "group" || kind === "mirror-group";
}

function worth(names: readonly Names[]): number {
  return sum(names.flat().map(nameNumber));
}

/** The number of a name; 0 for M and for an open name. */
export function nameNumber(name: string): number {
  return changedNumber(name) ?? numberOf(name);
}

/** The two tiles of a D in a group have no order, except against a mirror. */
function isInOrder(names: Names): boolean {
  return names.length < 2 || codeOf(names[0]!) < codeOf(names[1]!);
}

type Named = readonly (readonly string[])[];

function groups(row: Codes, sides: readonly Slot[][]): Named[] {
  const shown = [...new Set(row.filter((face) => face < JOKER).map(numberIn))];
  const numbers = shown.length > 0 ? shown : Array.from({ length: HIGHEST }, (_, n) => HIGHEST - n);
  return numbers.flatMap((number) =>
    permutations(sides[0]!.length)
      .map((colours) => colours.map((colour) => HIGHEST * colour + number - 1))
      .filter((faces) => sides.every((side) => sits(side, faces)))
      .map((faces) => sides.map(() => faces.map(faceText))),
  );
}

function sits(side: readonly Slot[], faces: readonly Code[]): boolean {
  return side.every(({ face }, place) => face >= JOKER || face === faces[place]);
}

/** All choices of distinct colours for a number of slots. */
function permutations(length: number): number[][] {
  if (length === 0) return [[]];
  return permutations(length - 1)
    .flatMap((first) => [0, 1, 2, 3].map((last) => [...first, last]))
    .filter((colours) => new Set(colours).size === colours.length);
}

function runs(sides: readonly Slot[][], highest: number): Named[] {
  const length = sides[0]!.length;
  const firsts = new Set(
    sides.flatMap((side) =>
      side.flatMap(({ face }, place) => (face < JOKER ? [numberIn(face) - place] : [])),
    ),
  );
  const most = highest - length + 1;
  const starts = firsts.size > 0 ? [...firsts] : Array.from({ length: most }, (_, n) => most - n);
  const [left, right] = [colourings(sides[0]!), sides[1] && colourings(sides[1])];
  const painted: (number | null)[][][] = right
    ? left.flatMap((one) => right.filter((other) => agree(one, other)).map((other) => [one, other]))
    : left.map((one) => [one]);
  return starts.flatMap((start) =>
    painted.map((colours) =>
      colours.map((side) =>
        side.map((colour, place) =>
          colour === null
            ? `${CHANGED}${start + place}`
            : faceText(HIGHEST * colour + start + place - 1),
        ),
      ),
    ),
  );
}

function agree(one: readonly (number | null)[], other: readonly (number | null)[]): boolean {
  return one.every((colour, at) => colour === null || other[at] === null || colour === other[at]);
}

/** The colours of the slots of a run, null for C: each C begins a segment of another colour. */
function colourings(side: readonly Slot[]): (number | null)[][] {
  const segments = 1 + countIf(side, ({ face }) => changesColour(face));
  let choices: number[][] = [[]];
  for (let segment = 0; segment < segments; segment++) {
    choices = choices.flatMap((some) =>
      [0, 1, 2, 3].filter((colour) => colour !== some.at(-1)).map((colour) => [...some, colour]),
    );
  }
  const found = new Map<string, (number | null)[]>();
  for (const chosen of choices) {
    let segment = 0;
    const colours = side.map(({ face }) => {
      if (!changesColour(face)) return chosen[segment]!;
      segment++;
      return null;
    });
    if (side.every(({ face }, at) => face >= JOKER || colourIn(face) === colours[at])) {
      found.set(colours.join(), colours);
    }
  }
  return [...found.values()];
}

/** The names of both sides of a mirror, or of the one side of a plain row, for each tile. */
function laidOut(row: Codes, sides: readonly Slot[][], names: Named): Names[] {
  const at: string[][] = row.map((face) => (isMirror(face) ? [faceText(face)] : []));
  sides.forEach((side, number) => {
    side.forEach((slot, place) => {
      const name = names[number]![place]!;
      // The right side is read from the outside, so the inner tile of a D lies first.
      if (number === 0) at[slot.at]!.push(name);
      else at[slot.at]!.unshift(name);
    });
  });
  return at;
}

// Filtering by declarations

/** The namings that agree with a declaration; empty if it is impossible. */
export function declaredWays(row: Codes, all: readonly Way[], said: As): Way[] {
  if (typeof said === "string") {
    const isSmall = row.some(isMirror) && sum(row.map(slotsOf)) === 2;
    return all.filter(({ kind }) => kind === said || (said === "mirror" && isSmall));
  }
  const asked = split(row, said);
  if (asked === null) return [];
  return all.filter(({ names }) =>
    names.every((name, at) => {
      const letter = row[at]! >= JOKER && faceText(row[at]!);
      return keyOf(asked[at]!) === keyOf(name) || asked[at]!.every((one) => one === letter);
    }),
  );
}

/** Equal for names of the same tiles. */
export function keyOf(names: Names): string {
  return [...names].sort().join();
}

/** Whether a joker is left open: its own letter stands for its name. */
export function isOpenName(names: Names): boolean {
  return names[0]!.length === 1 && (jokerKind(names[0]!)?.wild ?? false);
}

/** The namings in which jokers, by their places, keep their earlier names. */
export function carriedWays(
  all: readonly Way[],
  brought: ReadonlyMap<number, string>,
): readonly Way[] {
  const fitting = [...brought].filter(([at, key]) =>
    all.some((way) => keyOf(way.names[at]!) === key),
  );
  const kept = all.filter((way) => fitting.every(([at, key]) => keyOf(way.names[at]!) === key));
  return kept.length > 0 ? kept : all;
}

/** One naming for each identity of the jokers. */
export function distinct(row: Codes, all: readonly Way[]): Way[] {
  const found = new Map<string, Way>();
  for (const way of all) {
    const key = way.names.map((names, at) => (row[at]! >= JOKER ? keyOf(names) : "")).join("/");
    if (!found.has(key)) found.set(key, way);
  }
  return [...found.values()];
}

/** The namings of a row as readings. */
export function readingsOf(row: Codes, all: readonly Way[]): Reading[] {
  const kinds = ["group", "run", "mirror-group", "mirror-run"] as const;
  return kinds
    .flatMap((kind): Reading[] => {
      const some = all.filter((way) => way.kind === kind);
      if (some.length === 0) return [];
      const stands = row.flatMap((face, at): [number, string[]][] => {
        if (face < JOKER) return [];
        const faces = new Set(some.flatMap((way) => way.names[at]!.flatMap(facesOfName)));
        return [[at, [...faces].sort((one, other) => codeOf(one) - codeOf(other))]];
      });
      return [{ kind, value: Math.max(...some.map((way) => way.value)), stands }];
    })
    .sort((one, other) => other.value - one.value);
}

function facesOfName(name: string): string[] {
  if (jokerKind(name)?.mirrors) return [];
  const number = changedNumber(name);
  return number === null ? [name] : COLOURS.map((colour) => `${colour}${number}`);
}

/** The jokers that have a name, by their places; a mirror has none. */
export function nameable(row: Codes): number[] {
  return row.flatMap((face, at) => (isWild(face) ? [at] : []));
}

// Choices of the player

/** For each ambiguous joker the tiles it can stand for, the most valuable first. */
export function jokerChoices(
  tiles: readonly Tile[],
  ways: readonly (readonly string[])[],
): { tile: Tile; options: Names[] }[] {
  const row = tiles.map((tile) => codeOf(faceOf(tile)));
  const parts = ways.map((way) => split(row, way)!);
  return nameable(row)
    .map((at) => ({
      tile: tiles[at]!,
      options: [...new Map(parts.map((part) => [keyOf(part[at]!), part[at]!])).values()],
    }))
    .filter(({ options }) => options.length > 1);
}

/** The naming that gives one joker a new name and changes the fewest others. */
export function renamed(
  tiles: readonly Tile[],
  ways: readonly (readonly string[])[],
  wanted: ReadonlyMap<Tile, string>,
  tile: Tile,
): readonly string[] {
  const row = tiles.map((one) => codeOf(faceOf(one)));
  const alikeness = (way: readonly string[]) => {
    const parts = split(row, way)!;
    const alike = tiles.filter((one, at) => wanted.get(one) === keyOf(parts[at]!));
    return alike.length + (alike.includes(tile) ? tiles.length : 0);
  };
  return ways.reduce((best, way) => (alikeness(way) > alikeness(best) ? way : best));
}
