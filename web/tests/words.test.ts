import { effect } from "@preact/signals";
import { afterEach, describe, expect, test, vi } from "vitest";
import { type Key, LANGUAGES, LOADS, MORE } from "../src/generated/words";
import { fill, formOf, has, language, pluralOf, preferred, speak, t } from "../src/words";

afterEach(() => {
  vi.unstubAllGlobals();
});

describe("a template", () => {
  test("gets its parameters", () => {
    expect(fill("{name} has {count}", { name: "Ann", count: 0 })).toBe("Ann has 0");
  });

  test("keeps a field without a value, so that it is noticed", () => {
    expect(fill("{name} has {count}", { name: "{count}" })).toBe("{count} has {count}");
  });

  test("writes braces twice, as Python does", () => {
    expect(fill("{{{name}}}", { name: "x" })).toBe("{x}");
  });
});

describe("a number", () => {
  const forms = { by: "left", zero: "none", one: "one", other: "{left}" };

  test.each([
    [0, "none"],
    [1, "one"],
    [2, "{left}"],
  ])("%i asks for its form", (left, form) => {
    expect(formOf(forms, { left })).toBe(form);
  });

  test.each([
    ["pl", 0, "many"],
    ["pl", 1, "one"],
    ["pl", 3, "few"],
    ["pl", 12, "many"],
    ["pl", 22, "few"],
    ["ar", 0, "zero"],
    ["ar", 2, "two"],
    ["ar", 5, "few"],
    ["ar", 99, "many"],
    ["ar", 100, "other"],
    ["zh-Hans", 1, "other"],
  ])("in %s, %i is %s", (tag, count, category) => {
    expect(pluralOf(tag, count)).toBe(category);
  });

  test("falls back to the general form", () => {
    expect(formOf({ by: "count", other: "many" }, { count: 1 })).toBe("many");
  });
});

test("every language is a module with the same keys", async () => {
  const keys = await Promise.all(
    LANGUAGES.map(async (name) => Object.keys((await LOADS[name]()).default)),
  );
  const more = await Promise.all(
    LANGUAGES.map(async (name) => Object.keys((await MORE[name]()).default)),
  );
  for (const each of [keys, more]) {
    expect(new Set(each.map((found) => found.join())).size).toBe(1);
  }
  expect(keys[0]!.filter((key) => more[0]!.includes(key))).toEqual([]);
});

describe("the current language", () => {
  test("a change of language renders once", async () => {
    const root = { lang: "" };
    vi.stubGlobal("document", { documentElement: root });
    const key: Key = "start.rules";
    const heard: string[] = [];
    const stop = effect(() => void heard.push(`${language.value} ${t(key)}`));
    for (const name of LANGUAGES) await speak(name);
    stop();
    const words = await Promise.all(LANGUAGES.map(async (name) => (await LOADS[name]()).default));
    const said = LANGUAGES.map((name, index) => `${name} ${words[index]![key]}`);
    expect(heard).toEqual([`en ${key}`, ...said]);
    expect(root.lang).toBe(LANGUAGES.at(-1));
  });

  test("more texts load on demand, and from then on for every language", async () => {
    vi.stubGlobal("document", { documentElement: {} });
    vi.resetModules();
    const fresh = await import("../src/words");
    const title: Key = "help.title";
    await fresh.speak("en");
    expect(fresh.has(title)).toBe(false);
    // A page that opens with a later screen requests both at once.
    await Promise.all([fresh.speak("zh-Hans"), fresh.speakMore()]);
    expect(fresh.t(title)).toBe("怎样移动牌");
    expect(fresh.t("app.close")).toBe("关闭");
    await fresh.speak("en");
    expect(fresh.t(title)).toBe("How to move tiles");
    // Of two requested languages, the last one wins, with all of its texts.
    await Promise.all([fresh.speak("zh-Hant"), fresh.speakMore(), fresh.speak("zh-Hans")]);
    expect([fresh.language.value, fresh.t(title)]).toEqual(["zh-Hans", "怎样移动牌"]);
  });

  test("a key without a text is shown itself, so that it is noticed", async () => {
    vi.stubGlobal("document", { documentElement: {} });
    await speak("en");
    expect(has("refusal.no-such-thing")).toBe(false);
    expect(has("toString")).toBe(false);
    expect(t("refusal.no-such-thing")).toBe("refusal.no-such-thing");
  });
});

describe("of the languages of a browser", () => {
  test.each([
    [["en-GB"], "en"],
    [["zh"], "zh-Hans"],
    [["zh-CN"], "zh-Hans"],
    [["zh-SG"], "zh-Hans"],
    [["zh-TW"], "zh-Hant"],
    [["zh-HK"], "zh-Hant"],
    [["zh-MO"], "zh-Hant"],
    [["zh-Hant"], "zh-Hant"],
    [["ZH-hant-cn"], "zh-Hant"],
    [["zh-Hans-HK"], "zh-Hans"],
    [["de", "fr", "zh-TW", "en"], "zh-Hant"],
    [["de"], "en"],
    [[], "en"],
    [[""], "en"],
  ] as const)("%j is %s", (wanted, name) => {
    expect(preferred(wanted)).toBe(name);
  });
});
