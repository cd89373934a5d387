/** Onboarding tips: whether this browser's player knows that the table may be rearranged. */

import { recall, remember } from "../storage";

const KEY = "tilerummy rearranged";

export function hasRearranged(): boolean {
  return recall("local", KEY) !== null;
}

export function noteRearranged(): void {
  remember("local", KEY, "yes");
}
