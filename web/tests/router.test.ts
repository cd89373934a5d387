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

describe("an address", () => {
  test.each([
    ["/", { name: "start" }],
    ["/create", { name: "create" }],
    ["/join/", { name: "join" }],
    ["/rules", { name: "rules" }],
    ["/r/ABCDEF", { name: "room", code: "ABCDEF" }],
    ["/r/abcdef/", { name: "room", code: "ABCDEF" }],
    ["/r/ab%20c", { name: "room", code: "AB20C" }],
    ["/r", { name: "start" }],
    ["/r/---", { name: "start" }],
    ["/constructor", { name: "start" }],
    ["/wp-admin/index.php", { name: "start" }],
  ] as const)("%s is a page", (path, route) => {
    expect(router.routeOf(path)).toEqual(route);
  });

  test("leads back to its page", () => {
    for (const name of ["start", "create", "join", "rules"] as const) {
      expect(router.routeOf(router.pathOf({ name }))).toEqual({ name });
    }
    const letters = fc.constantFrom(..."ABCDEFGHJKMNPQRSTUVWXYZ23456789");
    fc.assert(
      fc.property(fc.string({ unit: letters, minLength: 6, maxLength: 6 }), (code) => {
        const route = { name: "room", code } as const;
        expect(router.routeOf(router.pathOf(route))).toEqual(route);
      }),
    );
  });

  test("is any text, and some page", () => {
    fc.assert(
      fc.property(fc.string(), (path) => {
        const route = router.routeOf(path);
        expect(router.routeOf(router.pathOf(route))).toEqual(route);
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

describe("going somewhere", () => {
  test("begins where the address says", () => {
    expect(router.route.value).toEqual({ name: "join" });
  });

  test("is written down, so that one can go back", () => {
    router.go({ name: "create" });
    router.go({ name: "room", code: "ABCDEF" }, true);
    expect(visited).toEqual(["push /create", "replace /r/ABCDEF"]);
    expect(router.route.value).toEqual({ name: "room", code: "ABCDEF" });
    place.pathname = "/rules";
    happens.get("popstate")!();
    expect(router.route.value).toEqual({ name: "rules" });
  });
});
