/** Dialogs that any screen may open: the rules of a room, and the settings. */

import { signal } from "@preact/signals";
import type { Settings } from "../generated/wire";

/** The settings whose rules are shown. */
export const rules = signal<Settings | null>(null);
export const settings = signal(false);

export function openRules(of: Settings): void {
  rules.value = of;
}

export function closeRules(): void {
  rules.value = null;
}

export function openSettings(): void {
  settings.value = true;
}

export function closeSettings(): void {
  settings.value = false;
}
