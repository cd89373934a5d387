import { beforeAll, expect, test, vi } from "vitest";
import type { SeatInfo } from "../../src/generated/wire";
import { closedWords } from "../../src/screens/closed";
import { speak } from "../../src/words";

beforeAll(() => {
  vi.stubGlobal("document", { documentElement: { lang: "" } });
});

const ann: SeatInfo = { kind: "person", name: "Ann", away: true, bot: "simple" };
const bot: SeatInfo = { kind: "bot", name: "Ann", bot: "simple" };
const free: SeatInfo = { kind: "free" };

test.each([
  ["en", "Nobody has played here for a while.", "All players have left."],
  ["zh-Hans", "这里有一阵子没人玩了。", "玩家都离开了。"],
  ["zh-Hant", "這裡有一陣子沒人玩了。", "玩家都離開了。"],
] as const)("a table is closed for one of two reasons, in %s", async (language, idle, left) => {
  await speak(language);
  expect(closedWords({ seats: [bot, ann] })).toBe(idle);
  expect(closedWords({ seats: [bot, free] })).toBe(left);
  expect(closedWords({ seats: [free, free] })).toBe(left);
});
