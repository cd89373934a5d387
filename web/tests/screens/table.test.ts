import { beforeAll, expect, test, vi } from "vitest";

type Module = typeof import("../../src/screens/table");

let screens: Module;

beforeAll(async () => {
  vi.stubGlobal("location", { pathname: "/" });
  vi.stubGlobal("addEventListener", () => {});
  vi.stubGlobal("navigator", { languages: ["en"] });
  vi.stubGlobal("document", { documentElement: { dataset: {}, classList: { toggle() {} } } });
  screens = await import("../../src/screens/table");
});

const FILES: Readonly<Record<string, string>> = import.meta.glob("../../src/**/*.{ts,tsx}", {
  query: "?raw",
  import: "default",
  eager: true,
});

function nameAt(path: string): string | undefined {
  const { load } = screens.screenAt(path);
  return screens.SCREENS.find((row) => row.load === (load as unknown))?.name;
}

test.each([
  ["/", "start"],
  ["/create", "create"],
  ["/join/", "join"],
  ["/rules", "rules"],
  ["/r/ABCDEF", "room"],
  ["/r", undefined],
  ["/constructor", undefined],
  ["/r/ABCDEF/more", undefined],
  ["/wp-admin/index.php", undefined],
])("the screen of %s is %s", (path, name) => {
  expect(nameAt(path)).toBe(name);
});

test("a screen gets the parameters of its path", () => {
  expect(screens.screenAt("/r/ABCDEF").params).toEqual({ code: "ABCDEF" });
});

test("names and paths are unique, and each path leads to its own screen", () => {
  for (const key of ["name", "path"] as const) {
    expect(new Set(screens.SCREENS.map((row) => row[key])).size).toBe(screens.SCREENS.length);
  }
  for (const { name, path } of screens.SCREENS) expect(nameAt(path)).toBe(name);
});

test("every path that the page links to has a screen", () => {
  const links = Object.values(FILES).flatMap((text) =>
    [...text.matchAll(/\bgo\(["`]([^"`]+)["`]/g)].map(([, path]) =>
      path!.replace(/\$\{.*?\}/g, "X"),
    ),
  );
  expect(links.length).toBeGreaterThan(5);
  for (const path of links) expect(nameAt(path), path).toBeDefined();
});

test("the build finds every path in the text of the table", () => {
  const text = FILES["../../src/screens/table.ts"]!;
  const found = [...text.matchAll(/ path: "([^"]+)"/g)].map(([, path]) => path);
  expect(found).toEqual(screens.SCREENS.map((row) => row.path));
});
