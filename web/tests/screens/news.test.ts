import { beforeAll, expect, test, vi } from "vitest";
import type { SeatView } from "../../src/screens/names";
import { lastBriefly, lastWords, newsOf } from "../../src/screens/news";
import { openBox } from "../../src/table/tile";
import { speak } from "../../src/words";

beforeAll(() => {
  vi.stubGlobal("document", { documentElement: { lang: "", dataset: {} } });
  openBox("classic");
});

const TILES = "b9.1 r7.1 J.2 b7.2 r12.1 r7.2 k7.1".split(" ");

/** The view of the first seat after a turn of Ben. */
function after(last: object, you: number | null = 0): SeatView {
  const seats = [
    { kind: "person", name: "Ann" },
    { kind: "person", name: "Ben" },
  ];
  const view = {
    room: { value: { phase: "playing", seats } },
    game: { value: { current: 0, last: { seat: 1, why: "choice", ...last } } },
    you: { value: you },
  };
  return view as unknown as SeatView;
}

test.each([
  [
    "en",
    "Ben plays 7 tiles: red 7 7 12, blue 7 9, black 7, joker.",
    "Ben plays 7 tiles.",
    "It's your turn.",
  ],
  [
    "zh-Hans",
    "Ben 出了 7 张牌：红7、7、12、蓝7、9、黑7、百搭牌。",
    "Ben 出了 7 张牌。",
    "轮到你了。",
  ],
  [
    "zh-Hant",
    "Ben 出了 7 塊牌：紅7、7、12、藍7、9、黑7、百搭牌。",
    "Ben 出了 7 塊牌。",
    "輪到你了。",
  ],
] as const)(
  "a turn of many tiles has a long and a short sentence, in %s",
  async (lang, whole, brief, now) => {
    await speak(lang);
    const seat = after({ action: "played", count: 7, tiles: TILES });
    expect(lastWords(seat)).toBe(whole);
    expect(lastBriefly(seat)).toBe(brief);
    expect(newsOf(seat)).toBe(`${whole} ${now}`);
  },
);

test("a short sentence has no shorter form", async () => {
  await speak("en");
  expect(lastBriefly(after({ action: "drew", count: 1 }))).toBe("");
  expect(lastBriefly(after({ action: "played", count: 3, tiles: TILES }, 1))).toBe("");
  expect(lastWords(after({ action: "played", count: 3, tiles: TILES }, 1))).toBe(
    "You play 3 tiles.",
  );
  expect(lastWords(after({ action: "drew", count: 1 }))).toBe("Ben draws a tile.");
  expect(lastBriefly(after({ action: "played", count: 1, tiles: ["r7.1"] }))).toBe(
    "Ben plays 1 tile.",
  );
});
