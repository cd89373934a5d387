/** Coordinates: from places on the grid to points on the screen, and back. */

import type { Draft, Place, Row } from "../game/draft";
import type { Tile } from "../game/tiles";
import type { Places, Spot } from "./layout";

export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface Box extends Point {
  readonly width: number;
  readonly height: number;
}

/** How the stage is divided, and how large tiles are there. All in pixels of the stage. */
export interface View {
  readonly table: Box;
  readonly rack: Box;
  /** The width of a tile on the rack; tiles are `RATIO` times as high. */
  readonly rackTile: number;
  /** The width of a tile on the table at the present zoom. */
  readonly tableTile: number;
  /** The scroll offset of the table. */
  readonly pan: Point;
  /** Tiles on one line of the rack. */
  readonly rackColumns: number;
}

export const RATIO = 1.32;
/** Between lines of the table, as a part of a tile's width. */
export const LEADING = 0.24;
const RACK_GAP = 3;

export interface Put extends Point {
  readonly scale: number;
  readonly zone: "table" | "rack";
}

export function lineHeight(view: View): number {
  return view.tableTile * (RATIO + LEADING);
}

export function rackStep(view: View): Point {
  return { x: view.rackTile + RACK_GAP, y: view.rackTile * RATIO + 2 * RACK_GAP };
}

/** The upper left corner of a row. */
export function rowAt(view: View, spot: Spot): Point {
  return {
    x: view.table.x + view.pan.x + (spot.at * view.tableTile) / 2,
    y: view.table.y + view.pan.y + spot.line * lineHeight(view) + view.tableTile * LEADING,
  };
}

export function rackAt(view: View, index: number): Point {
  const step = rackStep(view);
  return {
    x: view.rack.x + (index % view.rackColumns) * step.x,
    y: view.rack.y + Math.floor(index / view.rackColumns) * step.y,
  };
}

/** Where every tile of a draft is. */
export function puts(view: View, draft: Draft, places: Places): Map<Tile, Put> {
  const found = new Map<Tile, Put>();
  const scale = view.tableTile / view.rackTile;
  for (const row of draft.rows) {
    const spot = places.get(row.id);
    if (spot === undefined) continue;
    const corner = rowAt(view, spot);
    row.tiles.forEach((tile, index) => {
      found.set(tile, { x: corner.x + index * view.tableTile, y: corner.y, scale, zone: "table" });
    });
  }
  draft.rack.forEach((tile, index) => {
    if (tile !== null) found.set(tile, { ...rackAt(view, index), scale: 1, zone: "rack" });
  });
  return found;
}

/** A drop target: its place, the spot on free table, and where to draw its mark. */
export interface Target {
  readonly place: Place;
  readonly spot?: Spot;
  readonly mark: Box;
}

/** The number of dragged tiles to the left and to the right of the held one. */
export interface Beside {
  readonly left: number;
  readonly right: number;
}

const ALONE: Beside = { left: 0, right: 0 };

/** The drop target of tiles that are released at a point. */
export function targetAt(
  view: View,
  draft: Draft,
  places: Places,
  point: Point,
  moving: ReadonlySet<Tile>,
  beside: Beside = ALONE,
): Target {
  if (point.y >= view.rack.y - view.rackTile * 0.2) return rackTarget(view, point);
  const first = { x: point.x - beside.left * view.tableTile, y: point.y };
  return (
    rowTarget(view, draft, places, point, moving, beside) ?? freeTarget(view, first, moving.size)
  );
}

function rackTarget(view: View, point: Point): Target {
  const step = rackStep(view);
  const column = Math.floor((point.x - view.rack.x) / step.x + 0.25);
  const line = Math.max(0, Math.floor((point.y - view.rack.y) / step.y));
  const index = line * view.rackColumns + Math.max(0, Math.min(view.rackColumns - 1, column));
  const corner = rackAt(view, index);
  const mark = { ...corner, width: view.rackTile, height: view.rackTile * RATIO };
  return { place: { to: "rack", index }, mark };
}

function rowTarget(
  view: View,
  draft: Draft,
  places: Places,
  point: Point,
  moving: ReadonlySet<Tile>,
  beside: Beside,
): Target | undefined {
  const size = view.tableTile;
  // A tile beside a row joins it, up to half a tile away from it.
  const reach = size * 0.95;
  const first = point.x - beside.left * size;
  const last = point.x + beside.right * size;
  let found: { row: Row; corner: Point; off: number } | undefined;
  for (const row of draft.rows) {
    const spot = places.get(row.id);
    // A row that moves as a whole is not a target for itself.
    if (spot === undefined || row.tiles.every((tile) => moving.has(tile))) continue;
    const corner = rowAt(view, spot);
    const above = point.y - (corner.y - size * 0.12);
    if (above < 0 || above > size * (RATIO + 0.24)) continue;
    const end = corner.x + row.tiles.length * size;
    if (Math.max(corner.x - last, first - end) > reach) continue;
    const off = Math.max(corner.x - point.x, point.x - end, 0);
    if (found === undefined || off < found.off) found = { row, corner, off };
  }
  if (found === undefined) return undefined;
  const { row, corner } = found;
  const at = Math.round((point.x - corner.x) / size);
  const index = Math.max(0, Math.min(row.tiles.length, at));
  return {
    place: { to: "row", row: row.id, index },
    mark: { x: corner.x + index * size - 2, y: corner.y - 6, width: 4, height: size * RATIO + 12 },
  };
}

function freeTarget(view: View, point: Point, count: number): Target {
  const size = view.tableTile;
  const at = Math.round((2 * (point.x - view.table.x - view.pan.x)) / size) - 1;
  const line = Math.floor((point.y - view.table.y - view.pan.y) / lineHeight(view));
  const spot = { at: Math.max(0, at), line: Math.max(0, line) };
  const corner = rowAt(view, spot);
  const mark = { ...corner, width: size * Math.max(1, count), height: size * RATIO };
  return { place: { to: "table" }, spot, mark };
}

export function inside(point: Point, box: Box): boolean {
  return (
    point.x >= box.x &&
    point.y >= box.y &&
    point.x < box.x + box.width &&
    point.y < box.y + box.height
  );
}

export function between(one: Point, other: Point): Box {
  return {
    x: Math.min(one.x, other.x),
    y: Math.min(one.y, other.y),
    width: Math.abs(one.x - other.x),
    height: Math.abs(one.y - other.y),
  };
}

export function overlap(one: Box, other: Box): boolean {
  return (
    one.x < other.x + other.width &&
    other.x < one.x + one.width &&
    one.y < other.y + other.height &&
    other.y < one.y + one.height
  );
}
