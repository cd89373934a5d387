/**
 * Gesture recognition for mouse and touch: drag tiles, press and hold for the rest of a row, draw a
 * selection frame, tap to select and place, pan and zoom.
 *
 * It knows points and times but no rules: `Hands` decides what a gesture means.
 */

import type { Tile } from "../game/tiles";
import { type Box, between, type Point } from "./geometry";

export interface Hands {
  /** The tiles that move with this one; none if it must not be moved. */
  grasp(tile: Tile, rest: boolean): readonly Tile[];
  /** `held` is one of `tiles`. */
  lift(tiles: readonly Tile[], held: Tile): void;
  drag(tiles: readonly Tile[], by: Point, point: Point): void;
  drop(tiles: readonly Tile[], point: Point): void;
  cancel(tiles: readonly Tile[]): void;
  tap(point: Point, tile: Tile | null, more: boolean): void;
  frame(box: Box | null): void;
  chooseIn(box: Box, more: boolean): void;
  canPan(point: Point): boolean;
  /** Whether the table could be moved any further. */
  pan(by: Point): boolean;
  zoom(factor: number, at: Point): void;
}

const SLOP = { mouse: 4, pen: 6, touch: 9 } as const;
const HOLD = 380;
/** How far above the finger a tile is carried, so that it can be seen. */
const ABOVE = 44;

interface Press {
  readonly id: number;
  readonly kind: keyof typeof SLOP;
  readonly start: Point;
  readonly tile: Tile | null;
  readonly more: boolean;
  last: Point;
  tiles: readonly Tile[];
  mode: "press" | "drag" | "frame" | "pan" | "spent";
  /** Whether it has moved too far for a tap. */
  isFar: boolean;
  timer: number | undefined;
}

/** Whether the target is a control that handles its own events. */
function isAlone(event: Event): boolean {
  return (event.target as Element).closest("button, a, input, select, [data-alone]") !== null;
}

export class Gestures {
  private press: Press | null = null;
  private second: { id: number; last: Point } | null = null;

  constructor(
    private readonly stage: HTMLElement,
    private readonly hands: Hands,
  ) {}

  listen(): () => void {
    const { stage } = this;
    const handlers: [keyof HTMLElementEventMap, (event: PointerEvent) => void][] = [
      ["pointerdown", this.down],
      ["pointermove", this.moved],
      ["pointerup", this.up],
      ["pointercancel", this.lost],
      ["lostpointercapture", this.released],
    ];
    for (const [name, handler] of handlers) stage.addEventListener(name, handler as EventListener);
    const wheel = (event: WheelEvent) => this.wheel(event);
    stage.addEventListener("wheel", wheel, { passive: false });
    const menu = (event: Event) => this.press !== null && event.preventDefault();
    stage.addEventListener("contextmenu", menu);
    // Browsers take a quick release for a fling and swallow the next tap.
    const touch = (event: Event) => {
      if (event.cancelable && !isAlone(event)) event.preventDefault();
    };
    stage.addEventListener("touchstart", touch, { passive: false });
    return () => {
      for (const [name, handler] of handlers) {
        stage.removeEventListener(name, handler as EventListener);
      }
      stage.removeEventListener("wheel", wheel);
      stage.removeEventListener("contextmenu", menu);
      stage.removeEventListener("touchstart", touch);
      clearTimeout(this.press?.timer);
    };
  }

  /** Cancel every gesture, as at the end of a turn. */
  abort(): void {
    if (this.press?.mode === "drag") this.hands.cancel(this.press.tiles);
    if (this.press?.mode === "frame") this.hands.frame(null);
    clearTimeout(this.press?.timer);
    this.press = null;
    this.second = null;
  }

  private point(event: PointerEvent | WheelEvent): Point {
    const box = this.stage.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  }

  private readonly down = (event: PointerEvent): void => {
    if (event.button > 0) return;
    if (isAlone(event)) return;
    const target = event.target as Element;
    const point = this.point(event);
    if (this.press !== null) {
      if (this.press.mode === "press" || this.press.mode === "pan") {
        clearTimeout(this.press.timer);
        this.press.mode = "pan";
        this.second = { id: event.pointerId, last: point };
      }
      return;
    }
    const tile = target.closest<HTMLElement>("[data-tile]")?.dataset.tile ?? null;
    const kind = (event.pointerType || "mouse") as keyof typeof SLOP;
    const more = event.shiftKey || event.ctrlKey || event.metaKey;
    const press: Press = {
      id: event.pointerId,
      kind: kind in SLOP ? kind : "mouse",
      start: point,
      last: point,
      tile,
      more,
      tiles: [],
      mode: "press",
      isFar: false,
      timer: undefined,
    };
    this.press = press;
    if (tile !== null) {
      press.timer = setTimeout(() => this.hold(press), HOLD);
    }
    this.stage.setPointerCapture(event.pointerId);
  };

  /** Held for long enough: the rest of the row comes along. */
  private hold(press: Press): void {
    if (this.press !== press || press.mode !== "press" || press.tile === null) return;
    const tiles = this.hands.grasp(press.tile, true);
    if (tiles.length > 0) this.begin(press, press.tile, tiles);
  }

  private begin(press: Press, held: Tile, tiles: readonly Tile[]): void {
    clearTimeout(press.timer);
    press.tiles = tiles;
    press.mode = "drag";
    this.hands.lift(tiles, held);
    if (press.kind === "touch") navigator.vibrate?.(8);
    this.carry(press);
  }

  /** The point that counts: under a mouse, above a finger. */
  private aim(press: Press): Point {
    return press.kind === "touch" ? { x: press.last.x, y: press.last.y - ABOVE } : press.last;
  }

  private carry(press: Press): void {
    const aim = this.aim(press);
    const by = { x: aim.x - press.start.x, y: aim.y - press.start.y };
    this.hands.drag(press.tiles, by, aim);
  }

  private readonly moved = (event: PointerEvent): void => {
    const point = this.point(event);
    const { press, second } = this;
    if (second !== null && press !== null) {
      this.pinch(event.pointerId, point, press, second);
      return;
    }
    if (press === null || event.pointerId !== press.id) return;
    const by = { x: point.x - press.last.x, y: point.y - press.last.y };
    press.last = point;
    const far = Math.hypot(point.x - press.start.x, point.y - press.start.y);
    press.isFar ||= far >= SLOP[press.kind];
    if (press.mode === "press" && press.isFar) this.decide(press);
    if (press.mode === "drag") this.carry(press);
    else if (press.mode === "frame") this.hands.frame(between(press.start, point));
    else if (press.mode === "pan") this.hands.pan(by);
  };

  /** Not a tap: decide which gesture it is. */
  private decide(press: Press): void {
    clearTimeout(press.timer);
    const held = press.more ? null : press.tile;
    const tiles = held === null ? [] : this.hands.grasp(held, false);
    if (held !== null && tiles.length > 0) this.begin(press, held, tiles);
    else if (press.kind === "touch") {
      press.mode = this.hands.canPan(press.start) ? "pan" : "spent";
    } else press.mode = "frame";
  }

  private pinch(id: number, point: Point, press: Press, second: { id: number; last: Point }): void {
    const other = id === press.id ? second.last : press.last;
    const before = id === press.id ? press.last : second.last;
    const was = Math.hypot(before.x - other.x, before.y - other.y);
    const is = Math.hypot(point.x - other.x, point.y - other.y);
    const middle = { x: (point.x + other.x) / 2, y: (point.y + other.y) / 2 };
    if (was > 0) this.hands.zoom(is / was, middle);
    this.hands.pan({ x: (point.x - before.x) / 2, y: (point.y - before.y) / 2 });
    if (id === press.id) press.last = point;
    else second.last = point;
  }

  private readonly up = (event: PointerEvent): void => {
    const { press } = this;
    if (this.second !== null) {
      this.end(event);
      return;
    }
    if (press === null || event.pointerId !== press.id) return;
    clearTimeout(press.timer);
    press.last = this.point(event);
    this.press = null;
    if (press.mode === "press") this.hands.tap(press.start, press.tile, press.more);
    else if (press.mode === "drag") {
      // Tiles that were held and not moved go back: a finger carries them above itself.
      if (press.isFar) this.hands.drop(press.tiles, this.aim(press));
      else this.hands.cancel(press.tiles);
    } else if (press.mode === "frame") {
      this.hands.frame(null);
      this.hands.chooseIn(between(press.start, press.last), press.more);
    }
  };

  private end(event: PointerEvent): void {
    if (event.pointerId === this.second?.id || event.pointerId === this.press?.id) {
      // The finger that stays does nothing more until it is lifted.
      if (event.pointerId === this.press?.id) this.press = null;
      else if (this.press !== null) this.press.mode = "spent";
      this.second = null;
    }
  }

  private readonly lost = (event: PointerEvent): void => {
    if (event.pointerId === this.press?.id || event.pointerId === this.second?.id) this.abort();
  };

  /** The stage captures the pointer from a tile; a pointer that the stage loses is gone. */
  private readonly released = (event: PointerEvent): void => {
    if (event.target === this.stage) this.lost(event);
  };

  private wheel(event: WheelEvent): void {
    const point = this.point(event);
    if (!this.hands.canPan(point) && !event.ctrlKey) return;
    if (event.ctrlKey) {
      event.preventDefault();
      this.hands.zoom(Math.exp(-event.deltaY / 300), point);
    } else if (this.hands.pan({ x: -event.deltaX, y: -event.deltaY })) {
      event.preventDefault(); // or a page longer than the screen would scroll
    }
  }
}
