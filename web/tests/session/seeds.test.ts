/** This seat's part in the shuffle: its seed stays here until all commitments are fixed. */

import { afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { seatCommitment } from "../../src/game/commitments";
import type { GameInfo } from "../../src/generated/wire";
import { fetchHashing, Seeds } from "../../src/session/seeds";

let storage: Map<string, string>;

beforeAll(fetchHashing);

beforeEach(() => {
  storage = new Map();
  vi.stubGlobal("sessionStorage", {
    getItem: (key: string) => storage.get(key) ?? null,
    setItem: (key: string, value: string) => void storage.set(key, value),
  });
});
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
  const seeds = new Seeds("ABCDEF");
  const made = committed(seeds);
  expect(seeds.due(waiting(), 0)).toBeNull();
  expect(seeds.due(waiting({ commitments: [made, null] }), 0)).toBeNull();
  const command = seeds.due(fixed(made), 0);
  if (command?.type !== "reveal") throw new Error("it is time");
  expect(seatCommitment("t", 0, command.seed)).toBe(made);
  expect(seeds.due(fixed(made), 0)).toBeNull();
});

test("a reload keeps the seed", () => {
  const made = committed(new Seeds("ABCDEF"));
  expect(committed(new Seeds("ABCDEF"))).toBe(made);
  expect(new Seeds("ABCDEF").due(fixed(made), 0)?.type).toBe("reveal");
});

test("another tab that has committed is left alone", () => {
  const made = committed(new Seeds("ABCDEF"));
  storage = new Map();
  const other = new Seeds("ABCDEF");
  committed(other);
  expect(other.due(fixed(made), 0)).toBeNull();
});

test("a lost seed is not revealed, and the next deal has a new one", () => {
  const made = committed(new Seeds("ABCDEF"));
  storage = new Map();
  const seeds = new Seeds("ABCDEF");
  expect(seeds.due(fixed(made), 0)).toBeNull();
  const again = committed(seeds, waiting({ transcript: "u" }));
  expect(again).not.toBe(made);
});

test("every deal has a new seed", () => {
  const seeds = new Seeds("ABCDEF");
  const held = () => storage.get("seed ABCDEF")?.split(" ")[1];
  committed(seeds);
  const first = held();
  committed(seeds, waiting({ transcript: "u" }));
  expect(held()).not.toBe(first);
});

test("games of the old shuffle and games that are on ask for nothing", () => {
  const seeds = new Seeds("ABCDEF");
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
  return new page.Seeds("ABCDEF", retry);
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
