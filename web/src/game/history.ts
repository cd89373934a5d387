/** Undo and redo: stacks of immutable drafts before and after the current one. */

import { type Base, type Draft, EMPTY, follow, isTouched, sameTable } from "./draft";
import { sorted, type Tile } from "./tiles";

export interface History {
  readonly past: readonly Draft[];
  readonly present: Draft;
  readonly future: readonly Draft[];
}

/** The most steps that are kept; no turn has as many. */
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

/** The last place on the rack of each tile that has left it. */
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

/** Reset the turn; this can be undone too. */
export function startAnew(history: History, base: Base): History {
  const { present } = history;
  if (!isTouched(present, base)) return history;
  return step(history, follow(present, base, homes(history)));
}

/**
 * Follow an update of the server. A table or rack with other tiles starts a new history, since the
 * old steps refer to tiles that have moved; otherwise the player's draft stays.
 */
export function onBase(history: History, before: Base, base: Base): History {
  const sameRack = sorted(before.rack, "colour").join() === sorted(base.rack, "colour").join();
  if (sameRack && sameTable(before.table, base.table)) return history;
  return begin(follow(history.present, base));
}
