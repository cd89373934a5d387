import { beforeAll, expect, test, vi } from "vitest";
import type { NamedInfo } from "../../src/generated/wire";
import { stepWords } from "../../src/table/steps";
import { openBox } from "../../src/table/tile";
import { speak } from "../../src/words";

beforeAll(() => {
  vi.stubGlobal("document", { documentElement: { lang: "", dataset: {} } });
  return speak("en");
});

const row = (text: string) => text.split(" ").map((face) => `${face}.1`);

/** A sentence by its key, with what it names: "the run k6 k7 k8" is `["run", "k6 k7 k8"]`. */
type Said = readonly [key: string, names: Record<string, readonly [NamedInfo["how"], string]>];

function sentenceOf([key, names]: Said): string {
  const named = Object.entries(names).map(([name, [how, tiles]]) => [
    name,
    { how, tiles: row(tiles) },
  ]);
  return stepWords({ say: { key, names: Object.fromEntries(named) } });
}

// Which sentence is chosen: tests/queries/test_sentences.py; many more: stepTexts.test.ts.
test.each<[Said, string]>([
  [
    ["step.take", { tiles: ["tiles", "b4"], row: ["group", "b4 k4 o4 r4"] }],
    "Take blue 4 from the fours.",
  ],
  [
    ["step.take-all", { tiles: ["numbers", "b4 b5 b6"], row: ["run", "b4 b5 b6"] }],
    "Pick up the blue run 4 5 6.",
  ],
  [["step.lay", { tiles: ["numbers", "b3 b4 b5 b6"] }], "Put down blue 3 4 5 6 as a new set."],
  [
    ["step.lay", { tiles: ["tiles", "r7 b7 J"] }],
    "Put down red 7, blue 7 and the joker as a new set.",
  ],
  [
    ["step.add-end", { tiles: ["tiles", "k9"], row: ["run", "k6 k7 k8"] }],
    "Add black 9 to the end of the black run 6 7 8.",
  ],
  [
    ["step.add-front", { tiles: ["tiles", "k5"], row: ["run", "k6 k7 k8"] }],
    "Add black 5 to the front of the black run 6 7 8.",
  ],
  [
    ["step.add-both", { tiles: ["tiles", "k5 k9"], row: ["run", "k6 k7 k8"] }],
    "Add black 5 and black 9 to both ends of the black run 6 7 8.",
  ],
  [
    ["step.add", { tiles: ["tiles", "b8"], row: ["group", "r8 k8 o8"] }],
    "Add blue 8 to the eights.",
  ],
  [
    ["step.swap", { tiles: ["tiles", "r7"], freed: ["tiles", "J"], row: ["run", "r5 r6 J"] }],
    "Replace the joker with red 7 in the red run 5 6 joker.",
  ],
  [
    ["step.shift-front", { tiles: ["tiles", "J"], row: ["run", "r5 r6 J"] }],
    "Move the joker to the front of the red run 5 6 joker.",
  ],
  [
    [
      "step.move-front",
      {
        tiles: ["tiles", "r4"],
        source: ["group", "r4 b4 k4 o4"],
        row: ["run", "r5 r6 r7"],
      },
    ],
    "Move red 4 from the fours to the front of the red run 5 6 7.",
  ],
  [
    ["step.join-end", { source: ["rest-numbers", "r8 r9"], row: ["run", "r5 r6 r7"] }],
    "Join red 8 9 to the end of the red run 5 6 7.",
  ],
  [
    [
      "step.split",
      {
        row: ["run", "r1 r2 r3 r4 r5 r6"],
        ahead: ["numbers", "r1 r2 r3"],
        behind: ["numbers", "r4 r5 r6"],
      },
    ],
    "Split the red run 1 2 3 4 5 6 into red 1 2 3 and red 4 5 6.",
  ],
  [
    [
      "step.split-with",
      {
        tiles: ["tiles", "r3"],
        row: ["run", "r1 r2 r3 r4 r5"],
        ahead: ["numbers", "r1 r2 r3"],
        behind: ["numbers", "r3 r4 r5"],
      },
    ],
    "Split the red run 1 2 3 4 5 with red 3 into red 1 2 3 and red 3 4 5.",
  ],
  [
    ["step.add", { tiles: ["tiles", "b8"], row: ["group-told", "r8 k8 o8"] }],
    "Add blue 8 to the eights red 8, black 8 and orange 8.",
  ],
  [
    ["step.add-end", { tiles: ["tiles", "k8"], row: ["row", "r5 C k7"] }],
    "Add black 8 to the end of the set red 5, colour-change joker and black 7.",
  ],
])("a step is a sentence: %j", (said, sentence) => {
  expect(sentenceOf(said)).toBe(sentence);
});

test("the fourth colour has the name of the edition's box", () => {
  const said: Said = ["step.lay", { tiles: ["numbers", "o3 o4 o5"] }];
  expect(sentenceOf(said)).toBe("Put down orange 3 4 5 as a new set.");
  openBox("twist");
  expect(sentenceOf(said)).toBe("Put down yellow 3 4 5 as a new set.");
  openBox("classic");
});

test("in Chinese too", async () => {
  await speak("zh-Hant");
  expect(sentenceOf(["step.add-end", { tiles: ["tiles", "k9"], row: ["run", "k6 k7 k8"] }])).toBe(
    "把黑9加到黑色順組（6、7、8）的後面。",
  );
});
