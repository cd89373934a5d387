import { afterEach, expect, test, vi } from "vitest";
import { recall, remember } from "../src/storage";

afterEach(() => {
  vi.unstubAllGlobals();
});

function stubShelf(shelf: Partial<Storage>): void {
  vi.stubGlobal("localStorage", shelf);
}

test("stored values are found again", () => {
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

test("a full storage falls back to memory", () => {
  stubShelf({
    getItem: () => null,
    setItem: () => {
      throw new Error("full");
    },
  });
  remember("local", "full", "yes");
  expect(recall("local", "full")).toBe("yes");
});

test("reading and writing do not fail where storage is forbidden", () => {
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
