/** This seat's part in the shuffle: its seed stays here until all commitments are fixed. */

import { afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { seatCommitment } from "../../src/game/commitments";
import type { GameInfo } from "../../src/generated/wire";
import { fetchHashing, Seeds } from "../../src/session/seeds";

/** As browsers have it: its items are its own properties. */
class Shelf {
  [key: string]: unknown;
  getItem(key: string) {
    return Object.hasOwn(this, key) ? this[key] : null;
  }
  setItem(key: string, value: string) {
    this[key] = value;
  }
  removeItem(key: string) {
    delete this[key];
  }
}

/** What all tabs of the browser share. */
let browser: Shelf;

const useBrowser = () => {
  browser = new Shelf();
  vi.stubGlobal("localStorage", browser);
};

beforeAll(fetchHashing);

beforeEach(useBrowser);
afterEach(() => {
  vi.unstubAllGlobals();
  vi.doUnmock("../../src/game/commitments");
  vi.useRealTimers();
});

const waiting = (changes: Partial<GameInfo> = {}): GameInfo => ({
  number: 1,
  phase: "waiting",
  commitment: "c",
  transcript: "t",
  commitments: [null, null],
  seeds: [null, null],
  ...changes,
});

function committed(seeds: Seeds, game: GameInfo = waiting()): string {
  const command = seeds.due(game, 0);
  if (command?.type !== "commit") throw new Error(`${command?.type} instead of a commitment`);
  return command.commitment;
}

const fixed = (made: string): GameInfo =>
  waiting({ commitments: [made, null], sources: ["own", "default"] });

test("a seed is revealed only after the commitments are fixed", () => {
  const seeds = new Seeds();
  const made = committed(seeds);
  expect(seeds.due(waiting(), 0)).toBeNull();
  expect(seeds.due(waiting({ commitments: [made, null] }), 0)).toBeNull();
  const command = seeds.due(fixed(made), 0);
  if (command?.type !== "reveal") throw new Error("it is time");
  expect(seatCommitment("t", 0, command.seed)).toBe(made);
  expect(seeds.due(fixed(made), 0)).toBeNull();
});

test("a reload, or another tab, reveals what was committed to", () => {
  const made = committed(new Seeds());
  expect(new Seeds().due(waiting({ commitments: [made, null] }), 0)).toBeNull();
  expect(new Seeds().due(fixed(made), 0)?.type).toBe("reveal");
});

test("of two tabs that commit at once, both know the seed that counts", () => {
  const tabs = [new Seeds(), new Seeds()];
  const made = tabs.map((tab) => committed(tab));
  expect(made[0]).not.toBe(made[1]);
  for (const accepted of made) {
    expect(new Seeds().due(fixed(accepted), 0)?.type).toBe("reveal");
  }
  expect(tabs[0]!.due(fixed(made[1]!), 0)?.type).toBe("reveal");
});

test("a seed is not revealed for another deal", () => {
  const seeds = new Seeds();
  const made = committed(seeds);
  expect(seeds.due({ ...fixed(made), transcript: "u" }, 0)).toBeNull();
  expect(seeds.due(fixed(made), 0)?.type).toBe("reveal");
});

test("another browser that has committed is left alone", () => {
  const made = committed(new Seeds());
  useBrowser();
  const other = new Seeds();
  committed(other);
  expect(other.due(fixed(made), 0)).toBeNull();
});

test("a lost seed is not revealed, and the next deal has a new one", () => {
  const made = committed(new Seeds());
  useBrowser();
  const seeds = new Seeds();
  expect(seeds.due(fixed(made), 0)).toBeNull();
  const again = committed(seeds, waiting({ transcript: "u" }));
  expect(again).not.toBe(made);
});

test("every deal has one new seed, and old ones are deleted", () => {
  vi.useFakeTimers();
  const seeds = new Seeds();
  const held = () => Object.values(browser).map((value) => String(value).split(" ")[2]);
  committed(seeds);
  expect(seeds.due(waiting(), 0)).toBeNull();
  committed(seeds, waiting({ transcript: "u" }));
  expect(new Set(held()).size).toBe(2);
  vi.advanceTimersByTime(2 * 3_600_000);
  committed(seeds, waiting({ transcript: "v" }));
  expect(held()).toHaveLength(1);
});

test("games of the old shuffle and games that are on ask for nothing", () => {
  const seeds = new Seeds();
  expect(seeds.due(waiting({ shuffle_version: 1 }), 0)).toBeNull();
  expect(seeds.due(waiting({ phase: "playing" }), 0)).toBeNull();
});

/** Seeds of a page whose hash function is not there yet, and fails to load so many times. */
async function fresh(failures: number, retry: () => void): Promise<Seeds> {
  let left = failures;
  vi.resetModules();
  vi.doMock("../../src/game/commitments", async (original) => {
    if (left-- > 0) throw new Error("no connection");
    return await original<typeof import("../../src/game/commitments")>();
  });
  const page = await import("../../src/session/seeds");
  return new page.Seeds(retry);
}

test("a commitment is made as soon as the hash function is there", async () => {
  const retry = vi.fn();
  const seeds = await fresh(0, retry);
  expect(seeds.due(waiting(), 0)).toBeNull();
  expect(seeds.due(waiting(), 0)).toBeNull();
  await vi.waitFor(() => expect(retry).toHaveBeenCalledTimes(1));
  expect(seeds.due(waiting(), 0)?.type).toBe("commit");
});

test("a hash function that does not load is requested again", async () => {
  vi.useFakeTimers();
  const sent: unknown[] = [];
  const act = () => void sent.push(seeds.due(waiting(), 0)?.type);
  const seeds = await fresh(2, act);
  act();
  const wanted = [undefined, undefined, undefined, "commit"];
  await vi.waitFor(() => expect(sent).toEqual(wanted), { timeout: 10_000 });
});

test("a deal that waits no more asks for no hash function", async () => {
  const retry = vi.fn();
  const seeds = await fresh(0, retry);
  seeds.due(waiting({ phase: "playing" }), 0);
  seeds.due(waiting({ commitments: ["made", null] }), 0);
  seeds.due(waiting(), 0);
  seeds.close();
  await import("../../src/session/seeds").then((page) => page.fetchHashing());
  await Promise.resolve();
  expect(retry).not.toHaveBeenCalled();
});
