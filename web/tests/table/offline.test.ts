/** A table needs no connection: it is a value, and drawing, hands and keys work on that value. */

import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { onRack, tableOf } from "../../src/game/draft";
import { EDITIONS } from "../../src/game/editions";
import { rulesFor } from "../../src/game/rules";
import type { LastTurn } from "../../src/generated/wire";
import { type Announce, rowWords, tableWords } from "../../src/table/ariaText";
import { rowAt } from "../../src/table/geometry";
import { StageHands } from "../../src/table/hands";
import { press } from "../../src/table/keys";
import { moveTiles, redo, reset, select, showStep, splitRow, undo } from "../../src/table/moves";
import { LOOK_ONLY, type TableSource } from "../../src/table/source";
import { Stage } from "../../src/table/stage";
import {
  draftOf,
  emptyPosition,
  emptyTable,
  type TablePosition,
  type TableState,
} from "../../src/table/state";
import { TableStore } from "../../src/table/store";
import { advance } from "../../src/table/turns";
import { judge, objectionTo } from "../../src/table/verdicts";
import { speak } from "../../src/words";
import { Replay } from "./replay";

vi.mock("../../src/sound", () => ({ click() {}, refused() {} }));

const RUN = ["r3.1", "r4.1", "r5.1"];
const GROUP = ["b9.1", "k9.1", "o9.1"];
const RACK = ["r6.1", "r7.1", "b1.1", "J.1"];

const POSITION: TablePosition = {
  ...emptyPosition(rulesFor(EDITIONS, "classic")),
  you: 0,
  myTurn: true,
  pool: 40,
  opened: true,
  table: [RUN, GROUP],
  rack: RACK,
};

function begun(position: TablePosition = POSITION): TableState {
  return advance(emptyTable(), position, { isQuiet: true });
}

beforeAll(async () => {
  vi.stubGlobal("document", { documentElement: { lang: "", dataset: {} } });
  await speak("en");
});
beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe("the state of a table", () => {
  test("is a plain value, and moving tiles gives another one", () => {
    const before = begun();
    const [run] = draftOf(before).rows;
    const chosen = select(select(before, "r6.1", false), "r7.1", true);
    expect(chosen.selected).toEqual(["r6.1", "r7.1"]);
    const after = moveTiles(chosen, chosen.selected, { to: "row", row: run!.id, index: 3 });
    expect(tableOf(draftOf(after))).toEqual([[...RUN, "r6.1", "r7.1"], GROUP]);
    expect(after.selected).toEqual([]);
    expect(after.latest).toBe(run!.id);
    expect(tableOf(draftOf(before)), "the old value is as it was").toEqual([RUN, GROUP]);
    expect(draftOf(undo(after))).toBe(draftOf(chosen));
    expect(draftOf(redo(undo(after)))).toBe(draftOf(after));
    expect(onRack(draftOf(reset(after)))).toEqual(RACK);
  });

  test("is judged without a server", () => {
    const state = begun();
    const good = moveTiles(state, ["r6.1"], { to: "row", row: 1, index: 3 });
    expect(judge(good, draftOf(good))).toMatchObject({ verdict: "ok", played: ["r6.1"] });
    const bad = splitRow(good, 1, 2);
    expect(objectionTo(judge(bad, draftOf(bad)))?.code).toBe("too-short");
  });

  test("does not change in other players' turns, or for a spectator", () => {
    const waiting = begun({ ...POSITION, myTurn: false });
    expect(moveTiles(waiting, ["r6.1"], { to: "table" })).toBe(waiting);
    expect(splitRow(waiting, 1, 1)).toBe(waiting);
    const sorted = moveTiles(waiting, ["J.1"], { to: "rack", index: 0 });
    expect(draftOf(sorted).rack[0]).toBe("J.1");
    const watching = begun({ ...POSITION, you: null, rack: [] });
    expect(moveTiles(watching, ["r3.1"], { to: "table" })).toBe(watching);
  });

  test("shows the steps of a hint", () => {
    const table = [[...RUN, "r6.1"], GROUP];
    const steps = [{ table, tiles: ["r6.1"] }];
    const found = { turn: 1, tiles: 1, played: ["r6.1"], table, steps } as never;
    const state: TableState = { ...begun(), hint: { found, stage: 3, step: 0 } };
    const shown = showStep(state, 1);
    expect(tableOf(draftOf(shown))).toEqual(table);
    expect(shown.hint?.step).toBe(1);
    expect(tableOf(draftOf(showStep(shown, 0)))).toEqual([RUN, GROUP]);
  });
});

/** A board of fixed size, as hands and keys see it. */
function staged(source: TableSource) {
  vi.stubGlobal(
    "ResizeObserver",
    class {
      observe() {}
      disconnect() {}
    },
  );
  const stage = new Stage(source.table);
  const element = { clientWidth: 1200, clientHeight: 700, focus() {} } as unknown as HTMLElement;
  stage.occupy(element);
  const said: string[] = [];
  // As on the page: words follow the frame.
  const announce: Announce = (words) =>
    void setTimeout(() => said.push(typeof words === "string" ? words : words()), 50);
  return { stage, said, announce, hands: new StageHands(stage, element, announce) };
}

function puzzle(): TableSource & { played: string[][][] } {
  const table = new TableStore(begun());
  const played: string[][][] = [];
  return { ...LOOK_ONLY, table, played, play: () => void played.push(tableOf(table.draft.value)) };
}

describe("a stage without a connection", () => {
  test("has a spot for every tile, and hands move tiles on it", () => {
    const source = puzzle();
    const { stage, hands } = staged(source);
    expect([...stage.spots.value.keys()].sort()).toEqual([...RUN, ...GROUP, ...RACK].sort());
    const tap = (tile: string) => {
      const { x, y } = stage.spots.value.get(tile)!;
      hands.tap({ x: x + 5, y: y + 5 }, tile, false);
    };
    tap("r6.1");
    expect(source.table.selected.value).toEqual(["r6.1"]);
    const row = rowAt(stage.view.value, source.table.places.value.get(1)!);
    const { tableTile } = stage.view.value;
    const end = { x: row.x + 3 * tableTile + 2, y: row.y + 10 };
    hands.lift(["r6.1"], "r6.1");
    hands.drag(["r6.1"], { x: 0, y: 0 }, end);
    expect(stage.target.value?.place).toEqual({ to: "row", row: 1, index: 3 });
    hands.drop(["r6.1"], end);
    expect(tableOf(source.table.draft.value)[0]).toEqual([...RUN, "r6.1"]);
    expect(source.table.touched.value, "judged after the frame").toBe(false);
    vi.advanceTimersByTime(200);
    expect(source.table.touched.value).toBe(true);
    expect(source.table.preview.value.verdict).toBe("ok");
    expect(source.table.canUndo.value).toBe(true);
  });

  test("handles keys, announces their effect, and submits a turn to its source", () => {
    const source = puzzle();
    const { stage, said, announce } = staged(source);
    const listener = { announce, onKeys() {} };
    press(stage, source, { do: "choose" }, listener);
    expect(source.table.selected.value).toEqual(["r6.1"]);
    source.table.move(["r6.1"], { to: "row", row: 1, index: 3 });
    expect(rowWords(source.table, 1)).toContain("red 6");
    press(stage, source, { do: "undo" }, listener);
    expect(tableOf(source.table.draft.value)).toEqual([RUN, GROUP]);
    press(stage, source, { do: "redo" }, listener);
    press(stage, source, { do: "play" }, listener);
    expect(source.played).toEqual([[[...RUN, "r6.1"], GROUP]]);
    press(stage, source, { do: "where" }, listener);
    vi.advanceTimersByTime(200);
    expect(said.at(-1)).toBe(tableWords(source.table));
  });
});

describe("a replay", () => {
  const last = (seat: number, tiles: readonly string[]): LastTurn => ({
    seat,
    action: "played",
    why: "choice",
    count: tiles.length,
    tiles,
  });
  const seen = { ...POSITION, myTurn: false };
  const recorded = [
    { position: { ...seen, table: [] } },
    { position: { ...seen, table: [RUN] }, last: last(1, RUN) },
    { position: { ...seen, table: [RUN, GROUP] }, last: last(2, GROUP) },
    {
      position: { ...seen, table: [[...RUN, "r6.1"], GROUP], rack: RACK.slice(1) },
      last: last(0, ["r6.1"]),
    },
  ];

  test("shows each position, with what the turn changed", () => {
    const replay = new Replay(recorded);
    const { table } = replay;
    expect(tableOf(table.draft.value)).toEqual([]);
    replay.show(1);
    expect(table.highlights.value.fresh).toEqual({ tiles: new Set(RUN), from: 1 });
    replay.show(2);
    const { fresh, earlier } = table.highlights.value;
    expect([fresh, earlier]).toEqual([{ tiles: new Set(GROUP), from: 2 }, new Set(RUN)]);
    replay.show(3);
    expect(table.highlights.value.fresh).toEqual({ tiles: new Set(["r6.1"]), from: null });
    expect(tableOf(table.draft.value)).toEqual([[...RUN, "r6.1"], GROUP]);
    expect(onRack(table.draft.value)).toEqual(RACK.slice(1));
  });

  test("jumps back and forth, and rows that stay keep their places", () => {
    const replay = new Replay(recorded);
    replay.show(2);
    expect(replay.table.highlights.value.fresh.tiles.size).toBe(0);
    const places = replay.table.places.value;
    replay.show(3);
    expect(replay.table.places.value.get(1)).toEqual(places.get(1));
    replay.show(0);
    expect(tableOf(replay.table.draft.value)).toEqual([]);
    expect(onRack(replay.table.draft.value).sort()).toEqual([...RACK].sort());
    expect(replay.table.touched.value).toBe(false);
  });

  test("a stage draws it, and nobody can move a tile of the table", () => {
    const replay = new Replay(recorded);
    const { stage, hands } = staged(replay);
    replay.show(2);
    expect(stage.spots.value.size).toBe(RUN.length + GROUP.length + RACK.length);
    expect(hands.grasp("r3.1", false)).toEqual([]);
  });
});
