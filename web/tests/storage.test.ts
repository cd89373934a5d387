import { afterEach, expect, test, vi } from "vitest";
import { recall, remember } from "../src/storage";

afterEach(() => {
  vi.unstubAllGlobals();
});

function stubShelf(shelf: Partial<Storage>): void {
  vi.stubGlobal("localStorage", shelf);
}

test("what a browser keeps is found again", () => {
  const kept = new Map<string, string>();
  stubShelf({
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => void kept.set(key, value),
  });
  expect(recall("local", "kept")).toBeNull();
  remember("local", "kept", "yes");
  expect(recall("local", "kept")).toBe("yes");
  expect(kept.get("kept")).toBe("yes");
});

test("where there is no room, it is known until the page is left", () => {
  stubShelf({
    getItem: () => null,
    setItem: () => {
      throw new Error("full");
    },
  });
  remember("local", "full", "yes");
  expect(recall("local", "full")).toBe("yes");
});

test("where nothing may be kept, neither reading nor writing fails", () => {
  const no = new Proxy({} as Storage, {
    get() {
      throw new Error("forbidden");
    },
  });
  stubShelf(no);
  expect(recall("local", "forbidden")).toBeNull();
  remember("local", "forbidden", "yes");
  expect(recall("local", "forbidden")).toBe("yes");
});
