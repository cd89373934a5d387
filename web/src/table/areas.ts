/** The division of a stage into table and rack, and the size of tiles. */

import type { Draft } from "../game/draft";
import { type Box, LEADING, lineHeight, type Point, RATIO, type View } from "./geometry";
import { arrange, linesOf, type Places } from "./layout";

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** The contents that a stage has to fit. */
export interface Content {
  readonly draft: Draft;
  readonly places: Places;
  /** How many places the rack needs, including tiles that are laid out; 0 for spectators. */
  readonly rackPlaces: number;
}

/** Narrower than this is a phone in portrait. */
export const NARROW = 600;
/** A phone in landscape: the rack has one line. */
const SHORT = 340;
const EDGE = 12;

/**
 * How large a tile of the table may be so that all rows can be seen with room for another one, and
 * how many fit in a line.
 */
export function largestFit(content: Content, size: Size): { tile: number; columns: number } {
  const { table } = divide(content.rackPlaces, size);
  const rows = content.draft.rows.map((row) => ({ id: row.id, length: row.tiles.length }));
  const { largest, smallest } = limits(size);
  for (let tile = largest; ; tile -= 2) {
    const columns = Math.max(6, Math.floor(table.width / tile));
    const lines = linesOf(arrange(content.places, rows, columns));
    const high = (lines + 1) * tile * (RATIO + LEADING) + tile * 0.3;
    if (high <= table.height || tile <= smallest) return { tile, columns };
  }
}

function limits(size: Size): { largest: number; smallest: number } {
  if (size.width < NARROW || size.height < SHORT) return { largest: 38, smallest: 30 };
  if (size.width < 1000) return { largest: 46, smallest: 32 };
  return { largest: Math.round(54 * growth(size)), smallest: 34 };
}

/** On very large screens tiles are larger too. */
function growth({ width, height }: Size): number {
  return Math.max(1, Math.min(2, width / 1800, height / 900));
}

interface Areas {
  readonly table: Box;
  readonly rack: Box;
  readonly rackTile: number;
  readonly rackColumns: number;
}

function divide(rackPlaces: number, size: Size): Areas {
  const places = Math.max(14, rackPlaces);
  const isNarrow = size.width < NARROW;
  const isShort = size.height < SHORT && !isNarrow;
  const edge = isNarrow ? 8 : EDGE;
  const most = isNarrow ? 3 : isShort ? 1 : 2;
  const grow = growth(size);
  let rackTile = isNarrow ? 44 : size.height < 560 ? 46 : Math.round(56 * grow);
  const wide = Math.min(size.width - 2 * edge, 1180 * grow);
  let columns = Math.floor((wide + 3) / (rackTile + 3));
  const needed = isShort ? places + 1 : places;
  while (Math.ceil(needed / columns) > most && rackTile > (isNarrow || isShort ? 32 : 36)) {
    rackTile -= 1;
    columns = Math.floor((wide + 3) / (rackTile + 3));
  }
  // No wider than it needs to be, so that the tiles are in the middle.
  columns = Math.min(columns, Math.max(15, Math.ceil((places + 1) / most)));
  const lines = Math.max(Math.min(2, most), Math.ceil((places + 1) / columns));
  const high = lines * (rackTile * RATIO + 6) + 10;
  const rackWide = columns * (rackTile + 3) - 3;
  const rack = {
    x: Math.floor((size.width - rackWide) / 2),
    // Without one, more of the table is visible.
    y: rackPlaces > 0 ? size.height - high + 4 : size.height + 16,
    width: rackWide,
    height: high,
  };
  const table = {
    x: edge,
    y: 6,
    width: size.width - 2 * edge,
    height: Math.max(80, rack.y - 22),
  };
  return { table, rack, rackTile, rackColumns: columns };
}

export function viewOf(rackPlaces: number, size: Size, tableTile: number, pan: Point): View {
  const areas = divide(rackPlaces, size);
  return { ...areas, tableTile: tableTile || areas.rackTile, pan };
}

/** The table may be moved as far as there is something to see. */
export function clampPan({ draft, places }: Content, view: View, wanted: Point): Point {
  const ends = draft.rows.map((row) => {
    const spot = places.get(row.id);
    return spot === undefined ? 0 : (spot.at / 2 + row.tiles.length) * view.tableTile;
  });
  const wide = Math.max(0, ...ends) + view.tableTile;
  const high = linesOf(places) * lineHeight(view) + view.tableTile * 1.6;
  const least = (content: number, room: number) => Math.min(0, room - content);
  return {
    x: Math.max(least(wide, view.table.width), Math.min(0, wanted.x)),
    y: Math.max(least(high, view.table.height), Math.min(0, wanted.y)),
  };
}

/** The scroll distance that brings an interval into view. */
export function into(at: number, length: number, from: number, room: number): number {
  return Math.max(from - at, Math.min(0, from + room - length - at));
}
