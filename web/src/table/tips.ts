/** Whether a player has learnt that rows on the table may be rearranged; kept in this browser. */

import { recall, remember } from "../storage";

const KEY = "tilerummy rearranged";

export function hasRearranged(): boolean {
  return recall("local", KEY) !== null;
}

export function noteRearranged(): void {
  remember("local", KEY, "yes");
}
