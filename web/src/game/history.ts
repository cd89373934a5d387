/** Undo and redo over drafts, which are whole and immutable: a stack on both sides of the present. */

import { type Base, type Draft, EMPTY, follow, isTouched, sameTable } from "./draft";
import { sorted, type Tile } from "./tiles";

export interface History {
  readonly past: readonly Draft[];
  readonly present: Draft;
  readonly future: readonly Draft[];
}

/** More steps than a player takes back in one turn. */
export const MOST_STEPS = 200;

export function begin(draft: Draft = EMPTY): History {
  return { past: [], present: draft, future: [] };
}

/** The history after a step; a draft that changes nothing is not a step. */
export function step(history: History, draft: Draft): History {
  if (draft === history.present) return history;
  const past = [...history.past, history.present].slice(-MOST_STEPS);
  return { past, present: draft, future: [] };
}

export function undo(history: History): History {
  const last = history.past.at(-1);
  if (last === undefined) return history;
  const future = [history.present, ...history.future];
  return { past: history.past.slice(0, -1), present: last, future };
}

export function redo(history: History): History {
  const [next, ...future] = history.future;
  if (next === undefined) return history;
  return { past: [...history.past, history.present], present: next, future };
}

/** Where on the rack each tile was that is not there now, when it last was. */
export function homes({ past, present }: History): Map<Tile, number> {
  const here = new Set(present.rack);
  const found = new Map<Tile, number>();
  for (const { rack } of past) {
    rack.forEach((tile, place) => {
      if (tile !== null && !here.has(tile)) found.set(tile, place);
    });
  }
  return found;
}

/** Everything as before the turn; that too can be undone. */
export function startAnew(history: History, base: Base): History {
  const { present } = history;
  if (!isTouched(present, base)) return history;
  return step(history, follow(present, base, homes(history)));
}

/**
 * What the server says now. A table or a rack with other tiles begins a new history, as the old
 * steps are about tiles that lie elsewhere by now; otherwise the player's draft stays as it is.
 */
export function onBase(history: History, before: Base, base: Base): History {
  const sameRack = sorted(before.rack, "colour").join() === sorted(base.rack, "colour").join();
  if (sameRack && sameTable(before.table, base.table)) return history;
  return begin(follow(history.present, base));
}
