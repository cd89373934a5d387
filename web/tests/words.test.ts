import { describe, expect, test } from "vitest";
import { LANGUAGES, LOADS } from "../src/generated/words";
import { fill, formOf } from "../src/words";

describe("a template", () => {
  test("gets its parameters", () => {
    expect(fill("{name} has {count}", { name: "Ann", count: 0 })).toBe("Ann has 0");
  });

  test("keeps what it is not given, so that somebody notices", () => {
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

  test("falls back to the general form", () => {
    expect(formOf({ by: "count", other: "many" }, { count: 1 })).toBe("many");
  });
});

test("every language is a module with the same keys", async () => {
  const keys = await Promise.all(
    LANGUAGES.map(async (name) => Object.keys((await LOADS[name]()).default)),
  );
  expect(new Set(keys.map((found) => found.join())).size).toBe(1);
});
