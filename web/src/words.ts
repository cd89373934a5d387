/**
 * Internationalisation. `speak` loads a language, `t` gives a text in it. `speakMore` loads those
 * texts that neither the start page nor a table needs at first.
 *
 * A component that calls `t` renders again when the language changes.
 */

import { batch, signal } from "@preact/signals";
import {
  type Forms,
  type Key,
  LANGUAGES,
  type Language,
  LOADS,
  MORE,
  type Prefix,
  SCRIPTS,
  type Words,
} from "./generated/words";

export type Params = Readonly<Record<string, string | number>>;

const words = signal<Partial<Words> | null>(null);

/** The current language. */
export const language = signal<Language>("en");

/** The language that was requested last, and whether all of its texts were. */
let wanted: Language = language.peek();
let wantsMore = false;

export function speak(next: Language): Promise<void> {
  wanted = next;
  return fetchWords();
}

/** Load the remaining texts too, now and with every other language. */
export function speakMore(): Promise<void> {
  wantsMore = true;
  return fetchWords();
}

async function fetchWords(): Promise<void> {
  const next = wanted;
  const parts = [LOADS[next](), ...(wantsMore ? [MORE[next]()] : [])];
  const found = Object.assign({}, ...(await Promise.all(parts)).map((part) => part.default));
  // Another language was chosen in the meantime.
  if (next !== wanted) return fetchWords();
  batch(() => {
    // Two requests may overlap; keep the answer with more texts.
    words.value = language.peek() === next ? { ...words.peek(), ...found } : found;
    language.value = next;
  });
  document.documentElement.lang = next;
}

/** Whether there is a text for a key that was built from an answer of the server. */
export function has(key: string): key is Key {
  return words.value !== null && Object.hasOwn(words.value, key);
}

/** The text of a key with its parameters filled in; the key itself where there is none. */
export function t(key: Key | `${Prefix}${string}`, params: Params = {}): string {
  const found = has(key) ? words.value?.[key] : undefined;
  return found === undefined ? key : fill(formOf(found, params), params);
}

/** The plural category of a number, as CLDR has it for a language. */
export function pluralOf(tag: string, count: number): Intl.LDMLPluralRule {
  let rules = PLURALS.get(tag);
  if (rules === undefined) {
    rules = new Intl.PluralRules(tag);
    PLURALS.set(tag, rules);
  }
  return rules.select(count);
}

const PLURALS = new Map<string, Intl.PluralRules>();

/** The form for 0 or 1, if there is one, or else that of the number's plural category. */
export function formOf(text: string | Forms, params: Params): string {
  if (typeof text === "string") return text;
  const count = Number(params[text.by]);
  const exact = count === 0 ? text.zero : count === 1 ? text.one : undefined;
  return exact ?? text[pluralOf(language.value, count)] ?? text.other;
}

/** Fill in a template like Python's `str.format`, with named fields only. */
export function fill(template: string, params: Params): string {
  return template.replace(/\{\{|\}\}|\{(\w+)\}/g, (found, name?: string) =>
    name === undefined ? found[0]! : String(params[name] ?? found),
  );
}

/** Points with their sign. */
export function signed(points: number): string {
  return points > 0 ? `+${points}` : String(points).replace("-", "−");
}

/** The first of the browser's languages that the page has. */
export function preferred(wanted: readonly string[]): Language {
  for (const tag of wanted) {
    const [base, ...rest] = tag.toLowerCase().split("-");
    const found = LANGUAGES.filter((each) => each.split("-")[0] === base);
    // A script in the tag counts before one that follows from the region.
    const scripts = [...rest, ...rest.map((part) => SCRIPTS[part])];
    const scriptOf = (each: Language) => each.toLowerCase().split("-")[1];
    const exact = scripts.flatMap((script) => found.filter((each) => scriptOf(each) === script));
    const best = exact.find((each) => scriptOf(each) !== undefined) ?? found[0];
    if (best !== undefined) return best;
  }
  return LANGUAGES[0];
}
