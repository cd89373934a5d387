/**
 * The draft of a turn: an immutable value, so that every change can be undone.
 *
 * All ways of moving tiles, by mouse, by touch and by keyboard, end in `move`. A draft never loses
 * or doubles a tile: it holds exactly the tiles of its base, which the server gave.
 */

import { type Order, sorted, type Tile } from "./tiles";

export interface Row {
  /** Stays with a row while it changes, so that the row keeps its place on the table. */
  readonly id: number;
  readonly tiles: readonly Tile[];
}

/** The state of the server: the table before this turn, and the player's rack. */
export interface Base {
  readonly table: readonly (readonly Tile[])[];
  readonly rack: readonly Tile[];
}

export interface Draft {
  readonly rows: readonly Row[];
  /** The places of the rack; null for a gap. */
  readonly rack: readonly (Tile | null)[];
  /** The id of the next new row. */
  readonly next: number;
}

/** Where tiles are put: into the rack, into a row before one of its tiles, or as a row of their own. */
export type Place =
  | { readonly to: "rack"; readonly index: number }
  | { readonly to: "row"; readonly row: number; readonly index: number }
  | { readonly to: "table" };

export const EMPTY: Draft = { rows: [], rack: [], next: 1 };

export function tilesOf(draft: Draft): Tile[] {
  return [...draft.rows.flatMap((row) => row.tiles), ...onRack(draft)];
}

export function onRack(draft: Draft): Tile[] {
  return draft.rack.filter((tile): tile is Tile => tile !== null);
}

/** The table as it would be submitted. */
export function tableOf(draft: Draft): Tile[][] {
  return draft.rows.map((row) => [...row.tiles]);
}

export function rowOf(draft: Draft, tile: Tile): Row | undefined {
  return draft.rows.find((row) => row.tiles.includes(tile));
}

/** The tiles played in this draft: from the base's rack to the table. */
export function played(draft: Draft, base: Base): Tile[] {
  const left = new Set(onRack(draft));
  return base.rack.filter((tile) => !left.has(tile));
}

/** Whether tables have the same tiles together, in the same order within rows. */
export function sameTable(
  one: readonly (readonly Tile[])[],
  other: readonly (readonly Tile[])[],
): boolean {
  const key = (table: readonly (readonly Tile[])[]) =>
    table
      .map((row) => row.join(" "))
      .sort()
      .join("/");
  return key(one) === key(other);
}

export function isTouched(draft: Draft, base: Base): boolean {
  return !sameTable(tableOf(draft), base.table);
}

/**
 * Move tiles, in the given order, to a place. Tiles of the table do not go to the rack: only those
 * that the player laid in this turn do, the others stay where they are.
 */
export function move(draft: Draft, base: Base, tiles: readonly Tile[], place: Place): Draft {
  const own = new Set(base.rack);
  const here = new Set(tilesOf(draft));
  const moving = [...new Set(tiles)].filter(
    (tile) => here.has(tile) && (place.to !== "rack" || own.has(tile)),
  );
  if (moving.length === 0) return draft;
  const gone = new Set(moving);
  if (place.to === "rack") {
    const rows = without(draft.rows, gone);
    return { ...draft, rows, rack: putOnRack(draft.rack, moving, place.index) };
  }
  const rack = trimmed(draft.rack.map((tile) => (tile !== null && gone.has(tile) ? null : tile)));
  if (place.to === "table") {
    const rows = [...without(draft.rows, gone), { id: draft.next, tiles: moving }];
    return { rows, rack, next: draft.next + 1 };
  }
  const target = draft.rows.find((row) => row.id === place.row);
  if (target === undefined) return draft;
  const index = within(place.index, target.tiles.length);
  const before = target.tiles.slice(0, index).filter((tile) => !gone.has(tile));
  const after = target.tiles.slice(index).filter((tile) => !gone.has(tile));
  const rows = without(
    draft.rows.map((row) =>
      row.id === target.id ? { id: row.id, tiles: [...before, ...moving, ...after] } : row,
    ),
    gone,
    target.id,
  );
  return { ...draft, rows, rack };
}

/** Cut a row in two before one of its tiles. */
export function split(draft: Draft, id: number, index: number): Draft {
  const row = draft.rows.find((each) => each.id === id);
  if (row === undefined || index <= 0 || index >= row.tiles.length) return draft;
  const rows = draft.rows.flatMap((each) =>
    each.id === id
      ? [
          { id, tiles: row.tiles.slice(0, index) },
          { id: draft.next, tiles: row.tiles.slice(index) },
        ]
      : [each],
  );
  return { ...draft, rows, next: draft.next + 1 };
}

function without(rows: readonly Row[], gone: ReadonlySet<Tile>, except?: number): Row[] {
  return rows
    .map((row) =>
      row.id === except || !row.tiles.some((tile) => gone.has(tile))
        ? row
        : { id: row.id, tiles: row.tiles.filter((tile) => !gone.has(tile)) },
    )
    .filter((row) => row.tiles.length > 0);
}

/** Insert tiles into the rack; those in the way shift right, into the nearest gaps. */
function putOnRack(
  rack: readonly (Tile | null)[],
  tiles: readonly Tile[],
  index: number,
): (Tile | null)[] {
  const gone = new Set(tiles);
  const places: (Tile | null)[] = rack.map((tile) =>
    tile !== null && gone.has(tile) ? null : tile,
  );
  const at = within(index, places.length);
  tiles.forEach((tile, offset) => {
    let carried: Tile | null = tile;
    for (let place = at + offset; carried !== null; place++) {
      const lying: Tile | null = places[place] ?? null;
      places[place] = carried;
      carried = lying;
    }
  });
  return trimmed(places);
}

/** Clamp an index to a whole number from 0 to the last place. */
function within(index: number, last: number): number {
  return Math.max(0, Math.min(Math.floor(index) || 0, last));
}

function trimmed(rack: readonly (Tile | null)[]): (Tile | null)[] {
  let length = rack.length;
  while (length > 0 && rack[length - 1] == null) length--;
  return Array.from({ length }, (_, place) => rack[place] ?? null);
}

/** The rack in order, without gaps. */
export function sortRack(draft: Draft, order: Order): Draft {
  return { ...draft, rack: sorted(onRack(draft), order) };
}

/**
 * The draft on a new base: the table is the server's, rows keep their numbers as far as they are
 * the same rows, and the rack keeps its arrangement. Tiles that come back to it go where they were,
 * if `homes` knows that and the place is free; others, and tiles that are new, come last.
 */
export function follow(
  draft: Draft,
  base: Base,
  homes: ReadonlyMap<Tile, number> = new Map(),
): Draft {
  const matched = matchRows(draft.rows, base.table);
  let next = draft.next;
  const rows = base.table.map((tiles, index) => ({ id: matched[index] ?? next++, tiles }));
  const own = new Set(base.rack);
  const places = draft.rack.map((tile) => (tile !== null && own.delete(tile) ? tile : null));
  for (const tile of base.rack) {
    const home = homes.get(tile);
    if (home === undefined || !own.has(tile) || places[home] != null) continue;
    places[home] = tile;
    own.delete(tile);
  }
  const fresh = base.rack.filter((tile) => own.has(tile));
  return { rows, rack: [...trimmed(places), ...fresh], next };
}

/**
 * A draft laid out elsewhere, in another tab or before a reload, if the tiles are the same;
 * otherwise undefined.
 */
export function adopt(
  draft: Draft,
  base: Base,
  table: readonly (readonly Tile[])[],
): Draft | undefined {
  const laid = table.flat();
  const all = new Set([...base.table.flat(), ...base.rack]);
  if (new Set(laid).size !== laid.length || !laid.every((tile) => all.has(tile))) return undefined;
  const placed = new Set(laid);
  // Tiles of the base table that it lacks become a row of their own, so that none is lost.
  const loose = base.table.flat().filter((tile) => !placed.has(tile));
  const rack = base.rack.filter((tile) => !placed.has(tile));
  const rows = table.filter((row) => row.length > 0);
  return follow(draft, { table: loose.length > 0 ? [...rows, loose] : rows, rack });
}

/** For each new row the number of the old row that it continues: the one it shares most with. */
function matchRows(
  rows: readonly Row[],
  table: readonly (readonly Tile[])[],
): (number | undefined)[] {
  const home = new Map<Tile, number>();
  for (const row of rows) for (const tile of row.tiles) home.set(tile, row.id);
  const shared: { index: number; id: number; count: number }[] = [];
  table.forEach((tiles, index) => {
    const counts = new Map<number, number>();
    for (const tile of tiles) {
      const id = home.get(tile);
      if (id !== undefined) counts.set(id, (counts.get(id) ?? 0) + 1);
    }
    for (const [id, count] of counts) shared.push({ index, id, count });
  });
  shared.sort((one, other) => other.count - one.count || one.index - other.index);
  const found: (number | undefined)[] = table.map(() => undefined);
  const taken = new Set<number>();
  for (const { index, id } of shared) {
    if (found[index] === undefined && !taken.has(id)) {
      found[index] = id;
      taken.add(id);
    }
  }
  return found;
}
