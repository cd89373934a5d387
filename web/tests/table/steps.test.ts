import { beforeAll, expect, test, vi } from "vitest";
import type { StepInfo } from "../../src/generated/wire";
import { stepWords } from "../../src/table/steps";
import { openBox } from "../../src/table/tile";
import { speak } from "../../src/words";

beforeAll(() => {
  vi.stubGlobal("document", { documentElement: { lang: "", dataset: {} } });
  return speak("en");
});

const row = (text: string) => (text === "" ? [] : text.split(" ").map((face) => `${face}.1`));
const rows = (text: string) => (text === "" ? [] : text.split(" / ").map(row));

interface Told {
  kind: string;
  tiles?: string;
  source?: string;
  left?: string;
  target?: string;
  result?: string;
  freed?: string;
}

function told(step: Told, table = ""): string {
  const info: StepInfo = {
    kind: step.kind,
    tiles: row(step.tiles ?? ""),
    table: [],
    source: row(step.source ?? ""),
    left: rows(step.left ?? ""),
    target: row(step.target ?? ""),
    result: rows(step.result ?? ""),
    freed: row(step.freed ?? ""),
  };
  return stepWords(info, rows(table));
}

// As the terminal tells them: see tests/cli/test_steptext.py, and tellings.test.ts for many more.
test.each<[Told, string]>([
  [
    { kind: "take", tiles: "b4", source: "b4 k4 o4 r4", left: "k4 o4 r4" },
    "Take blue 4 from the fours.",
  ],
  [{ kind: "take", tiles: "b4 b5 b6", source: "b4 b5 b6" }, "Take up the blue run 4 5 6."],
  [{ kind: "lay", tiles: "b3 b4 b5 b6", result: "b3 b4 b5 b6" }, "Lay blue 3 4 5 6."],
  [{ kind: "lay", tiles: "r7 b7 J", result: "r7 b7 J" }, "Lay red 7, blue 7 and the joker."],
  [
    { kind: "add", tiles: "k9", target: "k6 k7 k8", result: "k6 k7 k8 k9" },
    "Add black 9 to the end of the black run 6 7 8.",
  ],
  [
    { kind: "add", tiles: "k5", target: "k6 k7 k8", result: "k5 k6 k7 k8" },
    "Add black 5 to the front of the black run 6 7 8.",
  ],
  [
    { kind: "add", tiles: "k5 k9", target: "k6 k7 k8", result: "k5 k6 k7 k8 k9" },
    "Add black 5 and black 9 to the two ends of the black run 6 7 8.",
  ],
  [
    { kind: "add", tiles: "b8", target: "r8 k8 o8", result: "r8 b8 k8 o8" },
    "Add blue 8 to the eights.",
  ],
  [
    {
      kind: "swap",
      tiles: "r7",
      target: "r5 r6 J",
      result: "r5 r6 r7",
      freed: "J",
    },
    "Put red 7 in the place of the joker in the red run 5 6 joker.",
  ],
  [
    { kind: "move", tiles: "J", target: "r5 r6 J", result: "J r5 r6" },
    "Move the joker to the front of the red run 5 6 joker.",
  ],
  [
    {
      kind: "move",
      tiles: "r4",
      source: "r4 b4 k4 o4",
      left: "b4 k4 o4",
      target: "r5 r6 r7",
      result: "r4 r5 r6 r7",
    },
    "Move red 4 from the fours to the front of the red run 5 6 7.",
  ],
  [
    {
      kind: "join",
      tiles: "r8 r9",
      source: "r8 r9",
      target: "r5 r6 r7",
      result: "r5 r6 r7 r8 r9",
    },
    "Join red 8 9 to the end of the red run 5 6 7.",
  ],
  [
    { kind: "split", target: "r1 r2 r3 r4 r5 r6", result: "r1 r2 r3 / r4 r5 r6" },
    "Split the red run 1 2 3 4 5 6 into red 1 2 3 and red 4 5 6.",
  ],
  [
    { kind: "split", tiles: "r3", target: "r1 r2 r3 r4 r5", result: "r1 r2 r3 / r3 r4 r5" },
    "Split the red run 1 2 3 4 5 with red 3, into red 1 2 3 and red 3 4 5.",
  ],
])("a step is a sentence: %j", (step, sentence) => {
  expect(told(step)).toBe(sentence);
});

test("two groups of a number are told apart", () => {
  const step = { kind: "add", tiles: "b8", target: "r8 k8 o8", result: "r8 b8 k8 o8" };
  expect(told(step, "r8 k8 o8 / b8 k8 o8")).toBe(
    "Add blue 8 to the eights red 8, black 8 and orange 8.",
  );
});

test("a row that a mirror or a change of colour holds together is told tile by tile", () => {
  const step = { kind: "add", tiles: "k8", target: "r5 C k7", result: "r5 C k7 k8" };
  expect(told(step)).toBe(
    "Add black 8 to the end of the row red 5, colour-change joker and black 7.",
  );
});

test("the fourth colour is called as in the box of the edition", () => {
  const step = { kind: "lay", tiles: "o3 o4 o5", result: "o3 o4 o5" };
  expect(told(step)).toBe("Lay orange 3 4 5.");
  openBox("twist");
  expect(told(step)).toBe("Lay yellow 3 4 5.");
  openBox("classic");
});

test("in Chinese too", async () => {
  await speak("zh-Hant");
  const step = { kind: "add", tiles: "k9", target: "k6 k7 k8", result: "k6 k7 k8 k9" };
  expect(told(step)).toBe("把黑9加到黑色順組（6、7、8）的後面。");
});
