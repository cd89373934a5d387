/**
 * Playing with the keyboard alone: a cursor that walks over rack and table.
 *
 * On the table it may also stand behind the last tile of a row, and below all rows, on free table.
 */

import { type Draft, onRack, type Place } from "../game/draft";
import type { Tile } from "../game/tiles";

export type Cursor =
  | { readonly zone: "rack"; readonly index: number }
  | { readonly zone: "row"; readonly row: number; readonly index: number }
  | { readonly zone: "free" };

export type Step = "left" | "right" | "up" | "down" | "home" | "end";

/** The cursor after a step, or, without one, after the draft has changed under it. */
export function walk(draft: Draft, order: readonly number[], cursor: Cursor, step?: Step): Cursor {
  const here = settle(draft, cursor);
  if (step === undefined) return here;
  switch (here.zone) {
    case "rack":
      return walkRack(draft, order, here.index, step);
    case "row":
      return walkRow(draft, order, here.row, here.index, step);
    case "free":
      if (step === "up") return lastRow(draft, order) ?? here;
      return step === "down" ? { zone: "rack", index: 0 } : here;
  }
}

function settle(draft: Draft, cursor: Cursor): Cursor {
  if (cursor.zone === "rack") {
    return { zone: "rack", index: clamp(cursor.index, Math.max(0, draft.rack.length - 1)) };
  }
  if (cursor.zone === "free") return cursor;
  const row = draft.rows.find((each) => each.id === cursor.row);
  if (row === undefined) return { zone: "rack", index: 0 };
  return { ...cursor, index: clamp(cursor.index, row.tiles.length) };
}

function walkRack(draft: Draft, order: readonly number[], index: number, step: Step): Cursor {
  const last = Math.max(0, draft.rack.length - 1);
  switch (step) {
    case "left":
      return { zone: "rack", index: clamp(index - 1, last) };
    case "right":
      return { zone: "rack", index: clamp(index + 1, last) };
    case "home":
      return { zone: "rack", index: 0 };
    case "end":
      return { zone: "rack", index: last };
    case "up":
      return order.length > 0 || onRack(draft).length > 0
        ? { zone: "free" }
        : { zone: "rack", index };
    case "down":
      return { zone: "rack", index };
  }
}

function walkRow(
  draft: Draft,
  order: readonly number[],
  id: number,
  index: number,
  step: Step,
): Cursor {
  const row = draft.rows.find((each) => each.id === id)!;
  const at = order.indexOf(id);
  const to = (other: number, place: number): Cursor => ({ zone: "row", row: other, index: place });
  switch (step) {
    case "left":
      if (index > 0) return to(id, index - 1);
      return at > 0 ? to(order[at - 1]!, Number.MAX_SAFE_INTEGER) : to(id, 0);
    case "right":
      if (index < row.tiles.length) return to(id, index + 1);
      return at < order.length - 1 ? to(order[at + 1]!, 0) : to(id, index);
    case "home":
      return to(id, 0);
    case "end":
      return to(id, row.tiles.length);
    case "up":
      return at > 0 ? to(order[at - 1]!, index) : to(id, index);
    case "down":
      return at < order.length - 1 ? to(order[at + 1]!, index) : { zone: "free" };
  }
}

function lastRow(draft: Draft, order: readonly number[]): Cursor | undefined {
  const id = order.at(-1);
  if (id === undefined || !draft.rows.some((row) => row.id === id)) return undefined;
  return { zone: "row", row: id, index: 0 };
}

function clamp(value: number, most: number): number {
  return Math.max(0, Math.min(most, value));
}

/** The tile under the cursor, if there is one. */
export function tileAt(draft: Draft, cursor: Cursor): Tile | null {
  if (cursor.zone === "rack") return draft.rack[cursor.index] ?? null;
  if (cursor.zone === "free") return null;
  const row = draft.rows.find((each) => each.id === cursor.row);
  return row?.tiles[cursor.index] ?? null;
}

/** The target of selected tiles that are put down at the cursor. */
export function placeAt(cursor: Cursor): Place {
  switch (cursor.zone) {
    case "rack":
      return { to: "rack", index: cursor.index };
    case "row":
      return { to: "row", row: cursor.row, index: cursor.index };
    case "free":
      return { to: "table" };
  }
}

const STEPS: Record<string, Step> = {
  ArrowLeft: "left",
  ArrowRight: "right",
  ArrowUp: "up",
  ArrowDown: "down",
  Home: "home",
  End: "end",
};

export type Key =
  | { readonly do: "step"; readonly step: Step }
  | {
      readonly do:
        | "choose"
        | "put"
        | "new-row"
        | "back"
        | "split"
        | "undo"
        | "redo"
        | "clear"
        | "play"
        | "draw"
        | "colour"
        | "number"
        | "hint"
        | "where"
        | "keys";
    };

const KEYS: Record<string, Exclude<Key["do"], "step">> = {
  " ": "choose",
  Enter: "put",
  t: "new-row",
  b: "back",
  x: "split",
  u: "undo",
  Escape: "clear",
  p: "play",
  d: "draw",
  c: "colour",
  n: "number",
  h: "hint",
  w: "where",
  "?": "keys",
};

/** The action of a key; undefined if it has none. */
export function keyOf(event: {
  key: string;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
  shiftKey: boolean;
}): Key | undefined {
  if (event.altKey) return undefined;
  if (event.ctrlKey || event.metaKey) {
    const key = event.key.toLowerCase();
    if (key === "z") return { do: event.shiftKey ? "redo" : "undo" };
    if (key === "y") return { do: "redo" };
    if (key === "enter") return { do: "play" };
    return undefined;
  }
  const step = STEPS[event.key];
  if (step !== undefined) return { do: "step", step };
  const found = KEYS[event.key.length === 1 ? event.key.toLowerCase() : event.key];
  return found === undefined ? undefined : { do: found };
}
