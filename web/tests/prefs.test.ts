import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";

type Module = typeof import("../src/prefs");

let storage: Map<string, string>;
let isCalmSystem: boolean;
let wanted: Set<string>;
let listeners: Map<string, (event: { matches: boolean }) => void>;
const root = { dataset: {} as Record<string, string>, classList: { toggle: vi.fn() } };

beforeEach(() => {
  storage = new Map();
  isCalmSystem = false;
  wanted = new Set();
  listeners = new Map();
  vi.resetModules();
  vi.stubGlobal("navigator", { languages: ["de-DE", "zh-TW", "en"] });
  vi.stubGlobal("document", { documentElement: root });
  vi.stubGlobal("matchMedia", (query: string) => ({
    matches: query.includes("motion") ? isCalmSystem : wanted.has(query),
    addEventListener: (_: string, listen: (event: { matches: boolean }) => void) => {
      listeners.set(query, listen);
    },
  }));
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => storage.get(key) ?? null,
    setItem: (key: string, value: string) => void storage.set(key, value),
  });
});

afterEach(() => {
  vi.unstubAllGlobals();
});

const load = (): Promise<Module> => import("../src/prefs");

describe("a stored preference", () => {
  test("is restored and applied", async () => {
    const first = await load();
    expect(first.prefs.value).toEqual(first.defaults());
    expect(first.prefs.value.language).toBe("zh-Hant");
    first.choose({
      theme: "dark",
      name: "Ann",
      leftHanded: true,
      symbols: "shapes",
      edition: "twist",
      level: 7,
      remarks: false,
      pace: "slow",
    });
    expect(root.dataset.theme).toBe("dark");
    expect(root.dataset.symbols).toBe("shapes");
    expect(root.classList.toggle).toHaveBeenLastCalledWith("left-handed", true);
    vi.resetModules();
    const second = await load();
    expect(second.prefs.value).toEqual(first.prefs.value);
  });

  test.each([
    null,
    "",
    "{",
    "null",
    "7",
    '"dark"',
    "[]",
    '{"theme": "pink", "language": "tlh", "sound": "loud", "motion": 3, "leftHanded": "yes", "edition": "x", "level": 99}',
    '{"name": {"toString": 1}, "symbols": ["plain"], "theme": null}',
    '{"__proto__": {"theme": "dark"}}',
  ])("is nothing where %s is remembered", async (text) => {
    const { read, defaults } = await load();
    expect(read(text)).toEqual(defaults());
  });

  test("is replaced by the default if it is invalid", async () => {
    const { read, defaults } = await load();
    const usual = defaults();
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json(), garbage(usual)), (text) => {
        const found = read(text);
        expect(Object.keys(found)).toEqual(Object.keys(usual));
        expect(read(JSON.stringify(found))).toEqual(found);
        expect([...found.name].length).toBeLessThanOrEqual(24);
      }),
    );
  });

  test("keeps whole characters of a name that is too long", async () => {
    const { read } = await load();
    const name = "🦊".repeat(30);
    expect(read(JSON.stringify({ name })).name).toBe("🦊".repeat(24));
  });

  test("lasts as long as the page without storage", async () => {
    const refuse = () => {
      throw new DOMException("no", "SecurityError");
    };
    vi.stubGlobal("localStorage", { getItem: refuse, setItem: refuse });
    const { prefs, choose } = await load();
    choose({ theme: "light" });
    expect(prefs.value.theme).toBe("light");
    expect(root.dataset.theme).toBe("light");
  });
});

test("motion is reduced if the player or the system asks for it", async () => {
  const { choose, isCalm } = await load();
  expect(isCalm()).toBe(false);
  isCalmSystem = true;
  expect(isCalm()).toBe(true);
  choose({ motion: "full" });
  expect(isCalm()).toBe(false);
  isCalmSystem = false;
  choose({ motion: "less" });
  expect(isCalm()).toBe(true);
});

const DARK = "(prefers-color-scheme: dark)";
const CONTRAST = "(prefers-contrast: more)";

test("the theme follows the system, unless the player has chosen", async () => {
  wanted.add(CONTRAST);
  const { choose } = await load();
  const notify = (query: string, matches: boolean) => listeners.get(query)!({ matches });
  expect(root.dataset.theme).toBe("contrast");
  notify(CONTRAST, false);
  expect(root.dataset.theme).toBe("light");
  notify(DARK, true);
  expect(root.dataset.theme).toBe("dark");
  notify(CONTRAST, true);
  expect(root.dataset.theme).toBe("dark");
  notify(DARK, false);
  expect(root.dataset.theme).toBe("contrast");
  choose({ theme: "light" });
  expect(root.dataset.theme).toBe("light");
});

/** Values that look like stored preferences. */
function garbage(usual: object): fc.Arbitrary<string> {
  const value = fc.oneof(
    fc.anything(),
    fc.constantFrom("dark", "shapes", "less", "zh-Hans", true, false, "x".repeat(99)),
  );
  const keys = Object.fromEntries(Object.keys(usual).map((key) => [key, value]));
  return fc.record(keys, { requiredKeys: [] }).map((found) => {
    try {
      return JSON.stringify(found) ?? "";
    } catch {
      return "";
    }
  });
}
