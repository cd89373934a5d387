import { describe, expect, test } from "vitest";
import { relaid } from "../../src/game/declarations";
import { jokerChoices, renamed } from "../../src/game/names";
import { fetchNaming } from "../../src/game/reads";
import { rulesOf } from "../../src/game/rules";
import { type Position, preview, withDefaults } from "../../src/game/turn";

await fetchNaming();

const classic = rulesOf({});
const SABRA = {
  "initial.same_turn_manipulation": true,
  "joker.reuse": "any",
  "joker.locked_sets": true,
  "joker.replace_from": "rack",
};
const sabra = rulesOf(SABRA);
const twist = rulesOf({
  jokers: "J2 D2 C2 M2",
  "joker.reuse": "any",
  "set.order": "as_laid",
});

/** `r7 b7 J / k1 k2 k3` with first copies, or those that are named. */
function tiles(text: string): string[][] {
  const rows = text.split("/").map((row) => row.split(" ").filter((tile) => tile !== ""));
  const named = rows.map((row) => row.map((tile) => (tile.includes(".") ? tile : `${tile}.1`)));
  return named.filter((row) => row.length > 0);
}

function position(rack: string, table: string, more: Partial<Position> = {}): Position {
  return {
    opened: true,
    manipulation: true,
    table: tiles(table),
    rack: tiles(rack).flat(),
    ...more,
  };
}

function judge(rules: typeof classic, before: Position, after: string) {
  const found = preview(rules, before, tiles(after));
  return { ...found, codes: found.reasons.map(({ code }) => code) };
}

describe("an opened player", () => {
  test("adds to rows", () => {
    const found = judge(classic, position("b3 k1", "b4 b5 b6"), "b3 b4 b5 b6");
    expect(found).toMatchObject({ verdict: "ok", played: ["b3.1"], opening: null, codes: [] });
  });

  test("has to play something, and may not take a tile from the table", () => {
    const before = position("b3", "b4 b5 b6 b7");
    expect(judge(classic, before, "b4 b5 b6 b7").codes).toEqual(["nothing-played"]);
    expect(judge(classic, before, "b3 b4 b5 b6").codes).toEqual(["tile-left-table"]);
    expect(judge(classic, before, "b3 b4 b5 b6 b7 / k1 k2 k3").codes).toEqual(["not-on-rack"]);
    expect(judge(classic, before, "b3 b4 b5 b6 b7 / b3 b4 b5").codes).toEqual(["tile-twice"]);
  });

  test("learns which row is not a set, and why", () => {
    const found = judge(classic, position("k8 k9", "r7 b7 k7"), "r7 b7 / k7 k8 k9");
    expect(found.reasons).toEqual([{ code: "too-short", faces: ["r7", "b7"], params: { row: 0 } }]);
    expect(found.rows.map((row) => row.kind)).toEqual([null, "run"]);
  });

  test("puts a freed joker into a new set", () => {
    const before = position("r7 k1 k2", "r5 r6 J / k10 k11 k12");
    const extended = judge(classic, before, "r5 r6 r7 / k10 k11 k12 J");
    expect(extended).toMatchObject({ verdict: "not-ok", codes: ["joker-not-in-new-set"] });
    expect(judge(classic, before, "r5 r6 r7 / k10 k11 k12 / k1 k2 J").verdict).toBe("ok");
  });

  test("may extend a locked row; only the server knows whether it may be opened", () => {
    const before = position("r8 r7", "r5 r6 J");
    expect(judge(sabra, before, "r5 r6 J r8").verdict).toBe("ok");
    expect(judge(sabra, before, "r5 r6 r7 J").verdict).toBe("maybe");
  });

  test("may have replaced a joker by a special one, which only the server knows", () => {
    const before = position("C k9 k10", "r5 r6 J");
    expect(judge(twist, before, "r5 r6 C / k9 k10 J").verdict).toBe("maybe");
    expect(judge(twist, position("r7 k9 k10", "r5 r6 J"), "r5 r6 r7 / k9 k10 J").verdict).toBe(
      "ok",
    );
  });

  test("declares an ambiguous row if the rules ask for it", () => {
    const rules = rulesOf({ "joker.declare": "kind" });
    const before = position("r8 J.1 J.2", "");
    const table = tiles("r8 J.1 J.2");
    const silent = preview(rules, before, table);
    expect(silent.rows[0]).toMatchObject({ undeclared: true, value: 27 });
    expect(silent.reasons[0]!.params).toEqual({ readings: "run / group" });
    const said = preview(rules, before, table, [{ set: table[0]!, as: "group" }]);
    expect(said).toMatchObject({ verdict: "ok", rows: [{ kind: "group", value: 24 }] });
    const wrong = preview(rules, before, table, [{ set: table[0]!, as: "mirror" }]);
    expect(wrong.reasons[0]!.code).toBe("bad-declaration");
  });

  test("names the jokers of a set with several if the rules ask for it", () => {
    const rules = rulesOf({ "joker.declare": "explicit", "joker.reuse": "any" });
    const before = position("r8 J.1 J.2", "");
    const table = tiles("r8 J.1 J.2");
    const silent = preview(rules, before, table);
    expect(silent.rows[0]).toMatchObject({ undeclared: true, value: 27 });
    expect(silent.reasons[0]!.params).toEqual({
      readings: "r8 r9 r10 / r8 b8 k8 / r8 b8 o8 / …",
    });
    const usual = withDefaults(rules, before, table, []);
    expect(usual).toEqual([{ set: table[0], as: ["r8", "r9", "r10"] }]);
    expect(preview(rules, before, table, usual).verdict).toBe("ok");
    const said = [{ set: table[0]!, as: ["r8", "b8", "k8"] }];
    const named = preview(rules, before, table, said);
    expect(named).toMatchObject({ verdict: "ok", rows: [{ kind: "group", value: 24 }] });
    expect([...named.rows[0]!.named.values()]).toEqual([["b8"], ["k8"]]);
    expect(
      jokerChoices(table[0]!, named.rows[0]!.ways).map(({ options }) => options.flat()),
    ).toEqual([
      ["r9", "b8", "k8", "o8"],
      ["r10", "k8", "o8", "b8"],
    ]);
  });

  test("moves a joker together with its name", () => {
    const rules = rulesOf({ "joker.declare": "explicit", "joker.reuse": "new_set" });
    const was = tiles("r8 J.1 J.2");
    const said = [{ set: was[0]!, as: ["r8", "b8", "k8"] }];
    const before = { ...position("b8 o11 o12 o8", "r8 J.1 J.2"), declared: said };
    const freed = preview(rules, before, tiles("r8 b8 J.2 / o11 o12 J.1"));
    expect(freed.verdict).toBe("ok");
    expect([...freed.rows[0]!.named]).toEqual([["J.2", ["k8"]]]);
    const choices = jokerChoices(was[0]!, preview(rules, before, was).rows[0]!.ways);
    const wanted = new Map([
      ["J.1", "o8"],
      ["J.2", "k8"],
    ]);
    expect(choices.length).toBe(2);
    const ways = preview(rules, before, was).rows[0]!.ways;
    expect(renamed(was[0]!, ways, wanted, "J.1")).toEqual(["r8", "o8", "k8"]);
    expect(renamed(was[0]!, ways, wanted.set("J.1", "r9"), "J.1")).toEqual(["r8", "r9", "r10"]);
    expect(relaid(["r8", "b8", "k8"], was[0]!, ["J.2", "r8.1", "J.1"])).toEqual(["k8", "r8", "b8"]);
    expect(relaid("run", was[0]!, was[0]!)).toBe("run");
  });

  test("does not take rows apart in a final round without rearranging", () => {
    const before = position("r6.2", "k1 k2 k3 / r4 r5 r6 r7 r8", { manipulation: false });
    const found = judge(classic, before, "k1 k2 k3 / r4 r5 r6 / r6.2 r7 r8");
    expect(found).toMatchObject({ codes: ["no-manipulation"], disturbed: [1] });
  });
});

describe("an opening", () => {
  const unopened = (rack: string, table: string) => position(rack, table, { opened: false });

  test("needs the minimum, and reports its points so far", () => {
    const before = unopened("r3 r4 r5 b6 k6 o6", "");
    const half = judge(classic, before, "b6 k6 o6");
    expect(half.opening).toEqual({ points: 18, minimum: 30, reached: false });
    expect(half.codes).toEqual(["below-minimum"]);
    const whole = judge(classic, before, "r3 r4 r5 / b6 k6 o6");
    expect(whole.opening).toEqual({ points: 30, minimum: 30, reached: true });
    expect(whole.verdict).toBe("ok");
  });

  test("counts the sets while other rows are unfinished", () => {
    const found = judge(classic, unopened("r10 b10 k10 o1", ""), "r10 b10 k10 / o1");
    expect(found.opening).toMatchObject({ points: 30, reached: true });
    expect(found.verdict).toBe("not-ok");
  });

  test("leaves the table alone", () => {
    const before = unopened("b3 r10 b10 k10", "b4 b5 b6");
    const found = judge(classic, before, "b3 b4 b5 b6 / r10 b10 k10");
    expect(found).toMatchObject({ codes: ["table-changed"], disturbed: [0] });
    expect(found.opening).toMatchObject({ points: 30 });
  });

  test("goes on in the same turn if the edition allows it", () => {
    const before = unopened("b3 r10 b10 k10", "b4 b5 b6");
    expect(judge(sabra, before, "b3 b4 b5 b6 / r10 b10 k10").verdict).toBe("ok");
    expect(judge(sabra, before, "b3 b4 b5 b6").codes).toEqual(["no-opening"]);
  });

  test("is uncertain once its rows have been changed", () => {
    const before = unopened("r10 b10 k10", "o10 o11 o12 o13");
    const found = judge(sabra, before, "r10 b10 k10 o10 / o11 o12 o13");
    expect(found).toMatchObject({ verdict: "maybe", opening: { points: 0, reached: "maybe" } });
  });

  test("may have counted a joker that has been exchanged since", () => {
    const rules = rulesOf({ ...SABRA, jokers: "J3", "initial.min": 46 });
    const before = unopened("J.2 o8 o9 o10 o11", "b6 r6 k6 J.3");
    const found = judge(rules, before, "b6 r6 k6 / J.2 o8 o9 o10 o11 J.3");
    expect(found.opening!.reached).toBe("maybe");
  });

  test("counts a joker that stays by its meaning", () => {
    const found = judge(sabra, unopened("r9 r10 J", ""), "J r9 r10");
    expect(found).toMatchObject({ verdict: "not-ok", codes: ["below-minimum"] });
  });
});
