import { describe, expect, test } from "vitest";
import { type Base, type Draft, EMPTY, follow, move, tableOf } from "../../src/game/draft";
import {
  begin,
  type History,
  MOST_STEPS,
  onBase,
  redo,
  startAnew,
  step,
  undo,
} from "../../src/game/history";

const base: Base = { table: [["r1.1", "r2.1", "r3.1"]], rack: ["r4.1", "b4.1", "k4.1"] };

function lay(history: History, ...tiles: string[]): History {
  return step(history, move(history.present, base, tiles, { to: "table" }));
}

const start = begin(follow(EMPTY, base));

describe("undo and redo", () => {
  test("move one step back and forth", () => {
    const laid = lay(lay(start, "r4.1"), "b4.1");
    const back = undo(laid);
    expect(tableOf(back.present)).toEqual([["r1.1", "r2.1", "r3.1"], ["r4.1"]]);
    expect(undo(back).present).toBe(start.present);
    expect(redo(back).present).toBe(laid.present);
    expect(redo(redo(undo(undo(laid)))).present).toBe(laid.present);
  });

  test("stop at both ends", () => {
    expect(undo(start)).toBe(start);
    expect(redo(start)).toBe(start);
  });

  test("a new step discards undone steps", () => {
    const other = lay(undo(lay(start, "r4.1")), "k4.1");
    expect(redo(other)).toBe(other);
  });

  test("a change without effect is not a step", () => {
    const history = lay(undo(lay(start, "r4.1")), "o9.1");
    expect(history.past).toHaveLength(0);
    expect(history.future).toHaveLength(1);
  });

  test("the number of steps is bounded", () => {
    let history = start;
    const seen: Draft[] = [];
    for (let n = 0; n < MOST_STEPS + 5; n++) {
      seen.push(history.present);
      history = lay(history, n % 2 ? "b4.1" : "r4.1");
    }
    expect(history.past).toHaveLength(MOST_STEPS);
    for (let n = 0; n < MOST_STEPS; n++) history = undo(history);
    expect(history.present).toBe(seen[5]);
    expect(undo(history)).toBe(history);
    for (let n = 0; n < MOST_STEPS; n++) history = redo(history);
    expect(history.past).toHaveLength(MOST_STEPS);
  });
});

test("a reset can be undone", () => {
  const laid = lay(start, "r4.1", "b4.1");
  const anew = startAnew(laid, base);
  expect(tableOf(anew.present)).toEqual(base.table);
  expect(anew.present.rack).toEqual(start.present.rack);
  expect(undo(anew).present).toBe(laid.present);
});

test("a reset keeps the arrangement of the rack, and fills the gaps", () => {
  const laid = lay(start, "r4.1");
  const moved = step(laid, move(laid.present, base, ["k4.1"], { to: "rack", index: 0 }));
  const anew = startAnew(moved, base);
  expect(anew.present.rack).toEqual(["k4.1", "b4.1", "r4.1"]);
});

test("a reset of an unchanged draft is not a step", () => {
  expect(startAnew(start, base)).toBe(start);
});

describe("a new base", () => {
  const laid = lay(start, "r4.1");

  test("with another table starts a new history", () => {
    const next = { ...base, table: [...base.table, ["o1.1", "o2.1", "o3.1"]] };
    const history = onBase(laid, base, next);
    expect(tableOf(history.present)).toEqual(next.table);
    expect(history.past).toHaveLength(0);
    expect(redo(history)).toBe(history);
  });

  test("with another rack starts a new history, or undo would lose the drawn tile", () => {
    const history = onBase(laid, base, { ...base, rack: [...base.rack, "J.1"] });
    expect(history.past).toHaveLength(0);
    expect(history.present.rack).toContain("J.1");
  });

  test("with the same tiles changes nothing", () => {
    const same = { table: base.table, rack: [...base.rack].reverse() };
    expect(onBase(laid, base, same)).toBe(laid);
  });
});
