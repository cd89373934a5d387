/** Gesture actions: select, drag and drop tiles, pan and zoom the table. */

import { onRack, rowOf } from "../game/draft";
import type { Tile } from "../game/tiles";
import { type Announce, rowWords } from "./ariaText";
import {
  type Beside,
  type Box,
  inside,
  overlap,
  type Point,
  type Put,
  RATIO,
  type Target,
  targetAt,
} from "./geometry";
import type { Hands } from "./gestures";
import { type Stage, transformOf } from "./stage";
import type { TableStore } from "./store";

/** A double tap: two taps this close in time (ms) and space (px). */
const TWICE = 400;
const NEAR = 30;

/** The tiles that move with this one; none where it may not be moved. */
export function grasped(table: TableStore, tile: Tile, rest: boolean): readonly Tile[] {
  const row = rowOf(table.draft.value, tile);
  if (table.you.value === null || (row !== undefined && !table.myTurn.value)) return [];
  const chosen = table.selected.value;
  // A long press on a selection means the selection.
  if (chosen.length > 1 && chosen.includes(tile)) return chosen;
  if (rest && row !== undefined) return row.tiles.slice(row.tiles.indexOf(tile));
  return [tile];
}

export class StageHands implements Hands {
  private readonly table: TableStore;
  /** Where the held tile was, and how many move along on its left. */
  private start: Put | undefined;
  private left = 0;
  private lastTap = { x: 0, y: 0, at: 0 };

  constructor(
    private readonly stage: Stage,
    private readonly element: HTMLElement,
    private readonly announce: Announce,
  ) {
    this.table = stage.table;
  }

  grasp(tile: Tile, rest: boolean): readonly Tile[] {
    return grasped(this.table, tile, rest);
  }

  lift(tiles: readonly Tile[], held: Tile): void {
    this.stage.lifted.value = new Set(tiles);
    this.start = this.stage.spots.value.get(held);
    this.left = tiles.indexOf(held);
  }

  /** Nothing is rendered meanwhile: elements are moved directly. */
  drag(tiles: readonly Tile[], by: Point, point: Point): void {
    const { start, left } = this;
    if (start === undefined) return;
    const step = this.stage.view.value.rackTile * start.scale;
    tiles.forEach((tile, index) => {
      const element = this.stage.elements.get(tile);
      if (element === undefined) return;
      // The other selected tiles gather around the held one.
      const x = start.x + by.x + (index - left) * step;
      element.style.transform = `translate3d(${x}px, ${start.y + by.y}px, 0) scale(${start.scale * 1.06})`;
    });
    const found = this.aimWith(point, tiles);
    this.stage.target.value = this.isAllowed(found) ? found : null;
  }

  drop(tiles: readonly Tile[], point: Point): void {
    const found = this.aimWith(point, tiles);
    this.cancel(tiles);
    if (this.isAllowed(found)) this.put(tiles, found);
  }

  cancel(tiles: readonly Tile[]): void {
    this.stage.target.value = null;
    this.stage.lifted.value = new Set();
    for (const tile of tiles) {
      const element = this.stage.elements.get(tile);
      const at = this.stage.spots.value.get(tile);
      if (element !== undefined && at !== undefined) element.style.transform = transformOf(at);
    }
  }

  tap(point: Point, tile: Tile | null, more: boolean): void {
    this.element.focus({ preventScroll: true });
    this.stage.byKey.value = false;
    const chosen = this.table.selected.value;
    if (tile !== null && (chosen.length === 0 || more || chosen.includes(tile))) {
      if (this.grasp(tile, false).length > 0) this.table.select(tile, more || chosen.length > 0);
      return;
    }
    if (tile !== null && this.liesWith(tile, chosen)) {
      this.table.select(tile, true);
      return;
    }
    if (chosen.length === 0) {
      if (this.canPan(point)) this.tapTable(point);
      return;
    }
    const found = this.aimAt(point, chosen);
    if (this.isAllowed(found) && (this.canPan(point) || found.place.to === "rack")) {
      this.put(chosen, found);
    } else this.table.selectOnly([]);
  }

  frame(box: Box | null): void {
    this.stage.frame.value = box;
  }

  chooseIn(box: Box, more: boolean): void {
    const { rackTile } = this.stage.view.value;
    const found = [...this.stage.spots.value]
      .filter(([, { x, y, scale }]) =>
        overlap(box, { x, y, width: rackTile * scale, height: rackTile * scale * RATIO }),
      )
      .map(([tile]) => tile)
      .filter((tile) => this.grasp(tile, false).length > 0);
    const draft = this.table.draft.value;
    const order = [...draft.rows.flatMap((row) => row.tiles), ...onRack(draft)];
    const all = new Set(more ? [...this.table.selected.value, ...found] : found);
    this.table.selectOnly(order.filter((tile) => all.has(tile)));
  }

  canPan(point: Point): boolean {
    return inside(point, this.stage.view.value.table);
  }

  pan(by: Point): boolean {
    return this.stage.panBy(by);
  }

  zoom(factor: number, at: Point): void {
    this.stage.zoomBy(factor, at);
  }

  /** Zoom without a pinch: a double tap on the empty table zooms in, or shows all of it. */
  private tapTable(point: Point): void {
    const before = this.lastTap;
    const at = performance.now();
    const isNear = Math.hypot(point.x - before.x, point.y - before.y) < NEAR;
    const isSecond = isNear && at - before.at < TWICE;
    this.lastTap = { ...point, at: isSecond ? 0 : at };
    if (isSecond) this.stage.lookCloser(point);
  }

  private aimAt(point: Point, tiles: readonly Tile[], beside?: Beside): Target {
    const { draft, places } = this.table;
    const moving = new Set(tiles);
    return targetAt(this.stage.view.value, draft.value, places.value, point, moving, beside);
  }

  private aimWith(point: Point, tiles: readonly Tile[]): Target {
    return this.aimAt(point, tiles, { left: this.left, right: tiles.length - 1 - this.left });
  }

  private isAllowed(found: Target): boolean {
    return this.table.myTurn.value || found.place.to === "rack";
  }

  private liesWith(tile: Tile, others: readonly Tile[]): boolean {
    const draft = this.table.draft.value;
    const row = rowOf(draft, tile);
    return others.every((each) => rowOf(draft, each)?.id === row?.id);
  }

  private put(tiles: readonly Tile[], found: Target): void {
    this.table.move(tiles, found.place, found.spot);
    const row = rowOf(this.table.draft.value, tiles[0]!);
    if (row !== undefined) this.announce(() => rowWords(this.table, row.id));
  }
}
