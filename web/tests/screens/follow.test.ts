import { beforeEach, describe, expect, test, vi } from "vitest";
import { LADDER } from "../../src/game/choices";
import type { RoomInfo, SeatInfo } from "../../src/generated/wire";

let storage: Map<string, string>;

beforeEach(() => {
  storage = new Map();
  vi.resetModules();
  vi.stubGlobal("navigator", { languages: ["en"] });
  vi.stubGlobal("document", {
    documentElement: { dataset: {}, classList: { toggle: vi.fn() } },
  });
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => storage.get(key) ?? null,
    setItem: (key: string, value: string) => void storage.set(key, value),
  });
});

async function load() {
  const { follow, setFollows, follows } = await import("../../src/screens/follow");
  const { prefs, choose } = await import("../../src/prefs");
  return { follow, setFollows, follows, prefs, choose };
}

const PERSON: SeatInfo = { kind: "person", name: "Ann" };
const bot = (level: number): SeatInfo => ({ kind: "bot", bot: LADDER[level - 1]!.id });

/** A finished game of a person on seat 0. */
function over(game: string, won: boolean, others: SeatInfo[], own = PERSON): RoomInfo {
  const winners = [won ? 0 : 1];
  const room = { seats: [own, ...others], game: { commitment: game, final: { winners } } };
  return room as unknown as RoomInfo;
}

describe("the level", () => {
  test("stays unless the player wants it to follow", async () => {
    const { follow, prefs } = await load();
    const table = [bot(3), bot(4), bot(5)];
    expect(follow(over("a", true, table), 0)).toBeNull();
    expect(follow(over("b", true, table), 0)).toBeNull();
    expect(prefs.value.level).toBe(4);
  });

  test("follows two wins in a row up and two losses down", async () => {
    const { follow, setFollows, prefs } = await load();
    setFollows(true);
    const at = (level: number) => [bot(level + 1), bot(level - 1), bot(level)];
    expect(follow(over("a", true, at(4)), 0)).toBeNull();
    expect(follow(over("a", true, at(4)), 0), "the same game, after a reload").toBeNull();
    expect(follow(over("b", true, at(4)), 0)).toBe(5);
    expect(prefs.value.level).toBe(5);
    expect(follow(over("c", true, at(4)), 0), "bots of another level").toBeNull();
    expect(follow(over("d", false, at(5)), 0)).toBeNull();
    expect(follow(over("e", false, at(5)), 0)).toBe(4);
  });

  test("is stored in this browser", async () => {
    const first = await load();
    first.setFollows(true);
    first.follow(over("a", false, [bot(4)]), 0);
    vi.resetModules();
    const second = await load();
    expect(second.follows.value).toBe(true);
    expect(second.follow(over("b", false, [bot(4)]), 0)).toBe(3);
  });

  test.each([
    ["with other people", [bot(4), PERSON], PERSON, 0],
    ["with a bot without a level", [{ kind: "bot", bot: "hold" } as SeatInfo], PERSON, 0],
    ["while a bot plays for the player", [bot(4)], { ...PERSON, bot: "hare" }, 0],
    ["of others", [bot(4)], PERSON, null],
  ])("does not follow games %s", async (_, others, own, you) => {
    const { follow, setFollows, prefs } = await load();
    setFollows(true);
    for (const game of ["a", "b", "c"]) {
      expect(follow(over(game, true, others, own), you)).toBeNull();
    }
    expect(prefs.value.level).toBe(4);
  });

  test.each(["{", "null", '{"on": 1, "streak": {"run": "x"}}', '{"streak": 3}'])(
    "survives what it cannot read: %s",
    async (text) => {
      storage.set("tilerummy follow", text);
      const { follows } = await load();
      expect(follows.value).toBe(false);
    },
  );
});
