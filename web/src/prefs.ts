/** The player's preferences, stored in this browser alone. */

import { effect, type ReadonlySignal, signal } from "@preact/signals";
import { type BotPace, PACES } from "./game/choices";
import { type Edition, NAMES, USUAL } from "./game/editions";
import { BOTS, DEFAULT_LEVEL } from "./generated/bots";
import { LANGUAGES, type Language } from "./generated/words";
import { recall, remember } from "./storage";
import { preferred } from "./words";

export type Theme = "system" | "light" | "dark" | "contrast";
export type Motion = "system" | "full" | "less";
export type Symbols = "plain" | "shapes";

export interface Prefs {
  readonly name: string;
  readonly language: Language;
  /** The edition that was chosen last: for "play now" and for the next room. */
  readonly edition: Edition;
  /** The level of the bots that was chosen last. */
  readonly level: number;
  readonly theme: Theme;
  readonly symbols: Symbols;
  /** Whether bots say why they have played as they did. */
  readonly remarks: boolean;
  /** The pace of the bots that was chosen last. */
  readonly pace: BotPace;
  readonly sound: boolean;
  readonly motion: Motion;
  readonly leftHanded: boolean;
}

const KEY = "tilerummy";
const CHOICES = {
  language: LANGUAGES,
  edition: NAMES,
  level: BOTS.map(({ level }) => level).filter((level) => level > 0),
  theme: ["system", "light", "dark", "contrast"],
  symbols: ["plain", "shapes"],
  motion: ["system", "full", "less"],
  pace: PACES,
} as const;

export function defaults(): Prefs {
  return {
    name: "",
    language: preferred(navigator.languages ?? [navigator.language]),
    edition: USUAL,
    level: DEFAULT_LEVEL,
    theme: "system",
    symbols: "plain",
    remarks: true,
    pace: "normal",
    sound: true,
    motion: "system",
    leftHanded: false,
  };
}

/** The stored preferences; an invalid value becomes the default. */
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
    // By characters: half a surrogate pair is not text.
    name: typeof found.name === "string" ? [...found.name].slice(0, 24).join("") : fallback.name,
    language: pick("language"),
    edition: pick("edition"),
    level: pick("level"),
    theme: pick("theme"),
    symbols: pick("symbols"),
    remarks: found.remarks !== false,
    pace: pick("pace"),
    sound: found.sound !== false,
    motion: pick("motion"),
    leftHanded: found.leftHanded === true,
  };
}

export const prefs = signal<Prefs>(read(recall("local", KEY)));

export function choose(changes: Partial<Prefs>): void {
  prefs.value = { ...prefs.value, ...changes };
}

/** Whether motion is reduced. */
export function isCalm(): boolean {
  const { motion } = prefs.value;
  return (
    motion === "less" ||
    (motion === "system" && matchMedia("(prefers-reduced-motion: reduce)").matches)
  );
}

/** A media query as a signal. */
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

/** The colours that are shown. The dark theme has enough contrast, and a white one would dazzle. */
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
