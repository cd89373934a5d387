/** What a person has chosen for this browser; remembered here and nowhere else. */

import { effect, type ReadonlySignal, signal } from "@preact/signals";
import { type Edition, NAMES, USUAL } from "./game/editions";
import { LANGUAGES, type Language } from "./generated/words";
import { recall, remember } from "./storage";
import { preferred } from "./words";

export type Theme = "system" | "light" | "dark" | "contrast";
export type Motion = "system" | "full" | "less";
export type Symbols = "plain" | "shapes";

export interface Prefs {
  readonly name: string;
  readonly language: Language;
  /** Chosen last, for a game at once and for the next table. */
  readonly edition: Edition;
  readonly theme: Theme;
  readonly symbols: Symbols;
  readonly sound: boolean;
  readonly motion: Motion;
  readonly leftHanded: boolean;
}

const KEY = "tilerummy";
const CHOICES = {
  language: LANGUAGES,
  edition: NAMES,
  theme: ["system", "light", "dark", "contrast"],
  symbols: ["plain", "shapes"],
  motion: ["system", "full", "less"],
} as const;

export function defaults(): Prefs {
  return {
    name: "",
    language: preferred(navigator.languages ?? [navigator.language]),
    edition: USUAL,
    theme: "system",
    symbols: "plain",
    sound: true,
    motion: "system",
    leftHanded: false,
  };
}

/** What was remembered, as far as it makes sense. */
export function read(text: string | null): Prefs {
  const fallback = defaults();
  let found: Record<string, unknown> = {};
  try {
    const parsed: unknown = JSON.parse(text ?? "{}");
    if (typeof parsed === "object" && parsed !== null) found = parsed as Record<string, unknown>;
  } catch {
    return fallback;
  }
  const pick = <K extends keyof typeof CHOICES>(key: K): Prefs[K] =>
    ((CHOICES[key] as readonly unknown[]).includes(found[key])
      ? found[key]
      : fallback[key]) as Prefs[K];
  return {
    // By characters, as half of one is no name.
    name: typeof found.name === "string" ? [...found.name].slice(0, 24).join("") : fallback.name,
    language: pick("language"),
    edition: pick("edition"),
    theme: pick("theme"),
    symbols: pick("symbols"),
    sound: typeof found.sound === "boolean" ? found.sound : fallback.sound,
    motion: pick("motion"),
    leftHanded: found.leftHanded === true,
  };
}

export const prefs = signal<Prefs>(read(recall("local", KEY)));

export function choose(changes: Partial<Prefs>): void {
  prefs.value = { ...prefs.value, ...changes };
}

/** Whether things should move as little as possible. */
export function isCalm(): boolean {
  const { motion } = prefs.value;
  return (
    motion === "less" ||
    (motion === "system" && matchMedia("(prefers-reduced-motion: reduce)").matches)
  );
}

/** Whether a system asks for this, now and whenever it changes its mind. */
function asked(query: string): ReadonlySignal<boolean> {
  const found = globalThis.matchMedia?.(query);
  const answer = signal(found?.matches ?? false);
  found?.addEventListener("change", ({ matches }) => {
    answer.value = matches;
  });
  return answer;
}

const wantsDark = asked("(prefers-color-scheme: dark)");
const wantsContrast = asked("(prefers-contrast: more)");

/** The colours that are shown. In the dark there is contrast enough, and a white page dazzles. */
function colours(theme: Theme): Exclude<Theme, "system"> {
  if (theme !== "system") return theme;
  if (wantsDark.value) return "dark";
  return wantsContrast.value ? "contrast" : "light";
}

effect(() => {
  const now = prefs.value;
  remember("local", KEY, JSON.stringify(now));
  const root = document.documentElement;
  root.dataset.theme = colours(now.theme);
  root.dataset.symbols = now.symbols;
  root.dataset.motion = now.motion;
  root.classList.toggle("left-handed", now.leftHanded);
});
