/**
 * The stage of a table: how large it is, which part of the table is visible, where every tile is,
 * and the state of drags and of the keyboard cursor.
 */

import { computed, effect, signal } from "@preact/signals";
import type { Tile } from "../game/tiles";
import { clampPan, into, largestFit, type Size, viewOf } from "./areas";
import { orderOf } from "./ariaText";
import {
  type Box,
  lineHeight,
  type Point,
  type Put,
  puts,
  RATIO,
  rowAt,
  type Target,
} from "./geometry";
import { type Cursor, walk } from "./keyboard";
import { linesOf } from "./layout";
import type { TableStore } from "./store";

const NOTHING: Size = { width: 0, height: 0 };
const NOWHERE: ReadonlyMap<Tile, Put> = new Map();
/** The maximum zoom, and that of a double tap. */
const SMALLEST = 0.6;
const LARGEST = 2.2;
const CLOSER = 1.6;

export class Stage {
  /** The element of every tile, moved directly during a drag. */
  readonly elements = new Map<Tile, HTMLElement>();
  readonly size = signal<Size>(NOTHING);
  readonly target = signal<Target | null>(null);
  readonly frame = signal<Box | null>(null);
  readonly lifted = signal<ReadonlySet<Tile>>(new Set());
  /** Whether the keyboard is in use here; Shift with a mouse does not count. */
  readonly byKey = signal(false);

  private readonly zoom = signal(1);
  private readonly pan = signal<Point>({ x: 0, y: 0 });
  private readonly fitted = signal(0);
  private fittedFor: readonly unknown[] = [];
  private readonly walked = signal<Cursor>({ zone: "rack", index: 0 });

  constructor(readonly table: TableStore) {}

  /** The rack keeps its shape while tiles are laid out from it. */
  private readonly rackPlaces = computed(() => {
    const { draft, position, you } = this.table;
    if (you.value === null) return 0;
    return Math.max(1, draft.value.rack.length, position.value.rack.length);
  });

  /** Stays the same value while nothing of it changes, so that little is rendered again. */
  readonly view = computed(() =>
    viewOf(
      this.rackPlaces.value,
      this.size.value,
      this.fitted.value * this.zoom.value,
      this.pan.value,
    ),
  );

  /** A signal of its own: it changes rarely, the rest of the view often. */
  readonly rackTile = computed(() => this.view.value.rackTile);

  readonly spots = computed(() =>
    this.size.value.width === 0 || this.fitted.value === 0
      ? NOWHERE
      : puts(this.view.value, this.table.draft.value, this.table.places.value),
  );

  /** The rows as the keyboard walks over them. */
  readonly order = computed(() => orderOf(this.table));

  /** The cursor of the keyboard, always on a place that exists. */
  readonly cursor = computed(() =>
    walk(this.table.draft.value, this.order.value, this.walked.value),
  );

  private content() {
    const { draft, places } = this.table;
    return { draft: draft.value, places: places.value, rackPlaces: this.rackPlaces.value };
  }

  /** Follow the size of an element from before the first paint. Returns a stop function. */
  occupy(element: HTMLElement): () => void {
    const measure = () => {
      this.size.value = { width: element.clientWidth, height: element.clientHeight };
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    const stop = effect(() => this.fit());
    return () => {
      observer.disconnect();
      stop();
    };
  }

  /** Tiles are as large as fits. Their size changes only between turns, never during a drag. */
  private fit(): void {
    const now = [this.size.value, this.table.position.value];
    const isFitted = now.every((each, index) => each === this.fittedFor[index]);
    if (this.size.value.width === 0 || this.lifted.value.size > 0 || isFitted) return;
    this.fittedFor = now;
    const { tile, columns } = largestFit(this.content(), this.size.value);
    this.fitted.value = tile;
    if (this.table.columns.peek() !== columns) this.table.fitColumns(columns);
  }

  // The viewport

  /** Pan the table; false at its edge. */
  panBy(by: Point): boolean {
    const before = this.pan.value;
    this.pan.value = clampPan(this.content(), this.view.value, {
      x: before.x + by.x,
      y: before.y + by.y,
    });
    return this.pan.value.x !== before.x || this.pan.value.y !== before.y;
  }

  zoomBy(factor: number, at: Point): void {
    const before = this.zoom.value;
    const next = Math.max(SMALLEST, Math.min(LARGEST, before * factor));
    const { table } = this.view.value;
    const grow = next / before;
    const x = at.x - table.x - (at.x - table.x - this.pan.value.x) * grow;
    const y = at.y - table.y - (at.y - table.y - this.pan.value.y) * grow;
    this.zoom.value = next;
    this.pan.value = clampPan(this.content(), this.view.value, { x, y });
  }

  /** Show a part of the table, or all of it. */
  lookCloser(at: Point): void {
    const now = this.zoom.value;
    const { table, tableTile } = this.view.value;
    const lines = linesOf(this.table.places.value) * lineHeight(this.view.value) + tableTile;
    const whole = Math.max(SMALLEST, Math.min(1, (table.height / lines) * now));
    const next = now > 1 ? whole : now < 1 ? 1 : CLOSER;
    this.zoomBy(next / now, at);
  }

  // The keyboard cursor

  /** Move the cursor, and the table so that the cursor is visible. */
  walkTo(cursor: Cursor): void {
    this.walked.value = cursor;
    const here = this.cursor.value;
    const spot = here.zone === "row" ? this.table.places.value.get(here.row) : undefined;
    if (here.zone !== "row" || spot === undefined) return;
    const { table, tableTile } = this.view.value;
    const corner = rowAt(this.view.value, spot);
    this.panBy({
      x: into(corner.x + here.index * tableTile, tableTile, table.x, table.width),
      y: into(corner.y, tableTile * RATIO, table.y, table.height),
    });
  }
}

/** Round to whole device pixels: between them, browsers blur a tile without text. */
export function transformOf(at: { x: number; y: number; scale: number }): string {
  const ratio = globalThis.devicePixelRatio || 1;
  const whole = (length: number) => Math.round(length * ratio) / ratio;
  return `translate3d(${whole(at.x)}px, ${whole(at.y)}px, 0) scale(${at.scale})`;
}
