import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";

type Module = typeof import("../src/router");

let router: Module;
let happens: Map<string, () => void>;
const visited: string[] = [];
const place = { pathname: "/join" };

beforeEach(async () => {
  happens = new Map();
  visited.length = 0;
  place.pathname = "/join";
  vi.resetModules();
  vi.stubGlobal("location", place);
  vi.stubGlobal("addEventListener", (name: string, act: () => void) => happens.set(name, act));
  vi.stubGlobal("scrollTo", () => {});
  const visit = (kind: string) => (_: unknown, __: string, path: string) => {
    visited.push(`${kind} ${path}`);
    place.pathname = path;
  };
  vi.stubGlobal("history", { pushState: visit("push"), replaceState: visit("replace") });
  router = await import("../src/router");
});

afterEach(() => {
  vi.unstubAllGlobals();
});

describe("a pattern", () => {
  test.each([
    ["/", "/", {}],
    ["/", "//", {}],
    ["/join", "/join/", {}],
    ["/r/:code", "/r/abcdef/", { code: "abcdef" }],
    ["/r/:code", "/r/ab%20c", { code: "ab%20c" }],
    ["/r/:code", "/r", null],
    ["/r/:code", "/r/ABCDEF/more", null],
    ["/join", "/Join", null],
    ["/", "/wp-admin/index.php", null],
  ])("%s and %s", (pattern, path, params) => {
    expect(router.match(pattern, path)).toEqual(params);
  });

  test("matches what it is filled in with", () => {
    const part = fc.stringMatching(/^[A-Za-z0-9-]{1,8}$/);
    fc.assert(
      fc.property(part, part, (one, other) => {
        expect(router.match("/a/:x/:y", `/a/${one}/${other}`)).toEqual({ x: one, y: other });
      }),
    );
  });
});

test.each([
  "ABCDEF",
  " abcdef ",
  "abc-def",
  "ABC DEF",
  "/r/abcdef",
  "https://tiles.example/r/ABCDEF",
  "tiles.example/r/abcdef/",
  "http://127.0.0.1:8000/r/ABCDEF?from=chat#now",
  "Come and play: https://tiles.example/r/ABCDEF !",
])("the code of %s is found", (text) => {
  expect(router.codeOf(text)).toBe("ABCDEF");
});

describe("navigation", () => {
  test("starts at the address of the page", () => {
    expect(router.path.value).toBe("/join");
  });

  test("is in the browser's history", () => {
    router.go("/create");
    router.go("/r/ABCDEF", true);
    router.goToRoom("GHJKLM");
    expect(visited).toEqual(["push /create", "replace /r/ABCDEF", "push /r/GHJKLM"]);
    expect(router.path.value).toBe("/r/GHJKLM");
    place.pathname = "/rules";
    happens.get("popstate")!();
    expect(router.path.value).toBe("/rules");
  });
});
