/** Model-based test: after any input or update, the shown tiles are the table's and the rack's. */

import fc from "fast-check";
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { type Place, sameTable, tableOf, tilesOf } from "../../src/game/draft";
import type { Edition } from "../../src/game/editions";
import { Seat } from "../../src/session/seat";
import { fetchHashing } from "../../src/session/seeds";
import { fitColumns, layOut } from "../../src/table/moves";
import { FakeServer, type Table } from "./server";
import { FakeBrowser, FakeSocket } from "./socket";

const { out } = vi.hoisted(() => ({ out: vi.fn() }));
vi.mock("../../src/sound", () => ({ click() {}, yourTurn() {}, refused() {}, out }));

let storage: Map<string, string>;

// The deals of these tests find it loaded.
beforeAll(fetchHashing);

beforeEach(() => {
  vi.useFakeTimers({ now: 1_700_000_000_000 });
  storage = new Map();
  vi.stubGlobal("sessionStorage", {
    getItem: (key: string) => storage.get(key) ?? null,
    setItem: (key: string, value: string) => void storage.set(key, value),
  });
  new FakeBrowser();
});

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

/** Numbers that decide what happens, each as often as it is asked for. */
function numbersFrom(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

class Evening {
  seat: Seat;
  readonly server: FakeServer;
  private readonly random: () => number;

  constructor(seed: number) {
    vi.clearAllTimers();
    this.random = numbersFrom(seed);
    vi.spyOn(Math, "random").mockImplementation(this.random);
    this.server = new FakeServer(2 + Math.floor(3 * this.random()), this.random);
    FakeSocket.all = [];
    storage.clear();
    this.seat = new Seat("ABCDEF", "ws://here");
    this.seat.open();
    this.server.serve();
  }

  private number(most: number): number {
    return Math.floor(this.random() * most);
  }

  private any<T>(of: readonly T[]): T | undefined {
    return of[this.number(of.length)];
  }

  private some<T>(of: readonly T[]): T[] {
    const share = this.random() ** 2;
    return of.filter(() => this.random() < share);
  }

  // Input

  private readonly hands: Record<string, () => void> = {
    move: () => {
      const { seat } = this;
      const tiles = this.some(tilesOf(seat.table.draft.value));
      if (this.random() < 0.1) tiles.push("r1.1", "r1.1", "r99.9");
      const rows = seat.table.draft.value.rows;
      const index = this.number(20) - 2 + (this.random() < 0.1 ? 0.5 : 0);
      const places: Place[] = [
        { to: "rack", index },
        { to: "table" },
        { to: "row", row: this.any(rows)?.id ?? 77, index },
        { to: "row", row: this.number(50), index },
      ];
      seat.table.move(tiles, this.any(places)!, { line: this.number(5), at: this.number(50) });
    },
    lay: () => {
      const rack = this.seat.table.draft.value.rack.filter((tile) => tile !== null);
      const tile = this.any(rack);
      if (tile === undefined) return;
      const row = this.any(this.seat.table.draft.value.rows);
      if (row === undefined || this.random() < 0.4) this.seat.table.move([tile], { to: "table" });
      else this.seat.table.move([tile], { to: "row", row: row.id, index: this.number(5) });
    },
    split: () => {
      this.seat.table.split(this.any(this.seat.table.draft.value.rows)?.id ?? 5, this.number(6));
    },
    sort: () => this.seat.table.sort(this.random() < 0.5 ? "colour" : "number"),
    undo: () => this.seat.table.undo(),
    redo: () => this.seat.table.redo(),
    reset: () => this.seat.table.reset(),
    select: () => {
      const tile = this.any(tilesOf(this.seat.table.draft.value));
      if (tile !== undefined) this.seat.table.select(tile, this.random() < 0.5);
    },
    declare: () => {
      const row = this.any(this.seat.table.draft.value.rows);
      if (row !== undefined) this.seat.table.declare(row.tiles, "run");
    },
    follow: () => this.seat.table.update((state) => layOut(state, this.someTable())),
    play: () => void this.seat.play(),
    draw: () => void this.seat.draw(),
    settle: () => this.seat.table.settle(),
    resize: () => {
      this.seat.table.update((state) => fitColumns(state, 6 + this.number(30)));
    },
  };

  // The server

  private readonly events: Record<string, () => void> = {
    begins: () => this.server.begins(),
    deals: () => this.server.deals(),
    otherPlays: () => this.server.otherPlays(),
    otherDraws: () => {
      if (!this.server.isMyTurn) this.server.draws(1);
    },
    timesOut: () => this.server.timesOut(),
    ends: () => {
      if (this.random() < 0.2) this.server.ends();
    },
    goesOn: () => this.server.goesOn(),
    pauses: () => this.server.pauses(),
    leaves: () => {
      if (this.random() < 0.1) this.server.leaves();
    },
    talks: () => this.server.talks(),
    otherTab: () => {
      const turn = (this.server.game?.turn ?? 1) - (this.random() < 0.1 ? 1 : 0);
      const bogus = this.random() < 0.1 ? [["r1.1", "r1.1"]] : [];
      this.server.sendDraft({ turn, table: [...this.someTable(), ...bogus] });
    },
    breaks: () => {
      if (FakeSocket.last.readyState === 1) FakeSocket.last.breaks();
    },
    loses: () => {
      // A message that is lost without an error.
      const socket = FakeSocket.last;
      const heard = socket.onmessage;
      socket.onmessage = null;
      this.server.talks();
      socket.onmessage = heard;
    },
    forgets: () => {
      this.server.forgets = !this.server.forgets;
    },
    reloads: () => {
      this.seat.close();
      const rack = JSON.stringify(this.seat.table.draft.value.rack);
      const { isMyTurn, draft } = this.server;
      const turn = this.server.game?.turn;
      this.seat.table.settle();
      const wasTouched = this.seat.table.touched.value;
      const wasHere = this.isUpToDate;
      this.seat = new Seat("ABCDEF", "ws://here");
      this.seat.open();
      this.server.serve();
      if (isMyTurn && draft !== null && draft.turn === turn) {
        const table = draft.table.filter((row) => row.length > 0);
        const now = tableOf(this.seat.table.draft.value);
        const loose = now.filter((row) => !table.some((other) => other.join() === row.join()));
        if (sameTiles(table.flat(), [...new Set(table.flat())]) && isPossible(table, this.seat)) {
          expect(loose.length, "the draft is there again").toBeLessThanOrEqual(1);
        }
      } else if (wasHere && !wasTouched) {
        expect(JSON.stringify(this.seat.table.draft.value.rack), "arranged as before").toBe(rack);
      }
    },
  };

  /** Some table that the same tiles could make, or nearly. */
  private someTable(): Table {
    const rows = tableOf(this.seat.table.draft.value);
    const rack = this.seat.table.draft.value.rack.filter((tile) => tile !== null);
    const laid = this.some(rack);
    const moved = this.any(rows)?.splice(0, 1) ?? [];
    return this.random() < 0.9 ? [...rows, [...laid, ...moved]] : [...rows, laid];
  }

  get isUpToDate(): boolean {
    return this.seat.roomState.value?.version === this.server.version;
  }

  async happens(): Promise<string> {
    const kind = this.random() < (this.server.isMyTurn ? 0.75 : 0.2) ? this.hands : this.events;
    const [name, act] = this.any(Object.entries(kind))!;
    const before = this.seat.table.draft.value;
    const wasMyTurn = this.seat.myTurn.value || this.seat.room.value?.paused != null;
    const version = this.seat.roomState.value?.version;
    act();
    this.check(name);
    if (this.random() < 0.8) this.server.serve();
    if (this.random() < 0.5) vi.advanceTimersByTime(this.number(3) * 700);
    if (this.random() < 0.5) this.server.serve();
    await Promise.resolve();
    this.check(name);
    const received = this.server.log.slice(
      (version ?? 1) - 1,
      (this.seat.roomState.value?.version ?? 1) - 1,
    );
    const isDrafted = this.seat.myTurn.value && this.server.draft !== null;
    const isOthers = received.every(
      (event) =>
        event.type === "said" ||
        ((event.type === "played" || event.type === "drew") && event.seat !== this.server.you),
    );
    if (kind === this.events && name !== "reloads" && isOthers && !wasMyTurn && !isDrafted) {
      expect(this.seat.table.draft.value.rack, "others do not touch my rack").toEqual(before.rack);
    }
    return name;
  }

  check(name: string): void {
    const { seat, server } = this;
    const draft = seat.table.draft.value;
    const { table, rack } = seat.table.position.value;
    const shown = tilesOf(draft);
    expect([...shown].sort(), `shown after ${name}`).toEqual([...table.flat(), ...rack].sort());
    expect(new Set(shown).size, `no tile twice after ${name}`).toBe(shown.length);
    const ids = draft.rows.map((row) => row.id);
    expect(new Set(ids).size).toBe(ids.length);
    expect([...seat.table.places.value.keys()].sort(), name).toEqual(ids.sort());
    expect(draft.rows.every((row) => row.tiles.length > 0)).toBe(true);
    if (!seat.myTurn.value && seat.room.value?.paused == null) {
      expect(sameTable(tableOf(draft), table), `not my table to change: ${name}`).toBe(true);
    }
    for (const tile of seat.table.selected.value)
      expect(shown, `chosen after ${name}`).toContain(tile);
    if (this.isUpToDate) {
      const { game, you } = server;
      expect(seat.you.value).toBe(you);
      expect(sameTable(table, game?.table ?? []), `the table after ${name}`).toBe(true);
      const own = you === null ? [] : (game?.racks[you] ?? []);
      expect([...rack].sort(), `the rack after ${name}`).toEqual([...own].sort());
      expect(seat.myTurn.value).toBe(server.isMyTurn);
    }
  }

  /** At the end all updates arrive, even after losses. */
  settle(): void {
    for (let time = 0; time < 60; time++) {
      if (time % 30 === 0) this.server.talks();
      this.server.serve();
      vi.advanceTimersByTime(500);
    }
    this.server.serve();
    expect(this.isUpToDate).toBe(true);
    this.check("everything");
    this.seat.close();
  }
}

function sameTiles(one: readonly string[], other: readonly string[]): boolean {
  return [...one].sort().join() === [...other].sort().join();
}

function isPossible(table: Table, seat: Seat): boolean {
  const all = new Set([
    ...seat.table.position.value.table.flat(),
    ...seat.table.position.value.rack,
  ]);
  return table.flat().every((tile) => all.has(tile));
}

/** Three tiles of the current player. */
function someTiles(server: FakeServer): string[] {
  return server.game!.racks[server.game!.current]!.slice(0, 3);
}

const RUNS = Number(process.env.TILERUMMY_EVENINGS ?? 40);

describe("a seat", () => {
  test("never loses or doubles a tile", async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer(), async (seed) => {
        const evening = new Evening(seed);
        evening.server.begins();
        evening.server.serve();
        evening.server.deals();
        const names: string[] = [];
        try {
          for (let step = 0; step < 150; step++) names.push(await evening.happens());
          evening.settle();
        } catch (error) {
          throw new Error(`after ${names.slice(-12).join(", ")}`, { cause: error });
        }
      }),
      { numRuns: RUNS },
    );
  }, 600_000);

  function mine(edition?: Edition): { seat: Seat; server: FakeServer } {
    const server = new FakeServer(2, numbersFrom(1));
    if (edition !== undefined) server.settings = { edition };
    const seat = new Seat("ABCDEF", "ws://here");
    seat.open();
    server.serve();
    server.begins();
    server.serve();
    server.deals();
    while (!server.isMyTurn) server.draws(1);
    return { seat, server };
  }

  /** Draw all but `left` tiles of the pool; then it is our turn again. */
  function empty(server: FakeServer, left: number): void {
    server.draws(server.game!.pool.length - left);
    server.otherPlays();
  }

  test("restores the rack when the player or the clock resets the turn", () => {
    const { seat, server } = mine();
    seat.table.sort("number");
    const before = seat.table.draft.value.rack;
    seat.table.move([before[3]!, before[5]!], { to: "table" });
    seat.table.move([before[13]!], { to: "table" });
    seat.table.reset();
    expect(seat.table.draft.value.rack).toEqual(before);
    seat.table.undo();
    expect(seat.table.draft.value.rows).toHaveLength(2);
    server.draws(3, "penalty");
    expect(seat.table.draft.value.rack.slice(0, 14)).toEqual(before);
    expect(seat.table.draft.value.rack).toHaveLength(17);
    expect(seat.table.highlights.value.drawn.size).toBe(3);
  });

  test("judges the draft after its frame, or when the verdict is needed", () => {
    const { seat, server } = mine();
    const tile = seat.table.draft.value.rack[0]!;
    seat.table.move([tile], { to: "table" });
    expect(seat.table.draft.value.rows).toHaveLength(1);
    expect(seat.table.touched.value).toBe(false);
    expect(seat.table.canUndo.value).toBe(false);
    vi.advanceTimersByTime(100);
    expect(seat.table.touched.value).toBe(true);
    expect(seat.table.canUndo.value).toBe(true);
    expect(seat.table.preview.value).toMatchObject({ verdict: "not-ok", played: [tile] });
    seat.table.undo();
    expect(seat.table.touched.value).toBe(true);
    expect(seat.table.object()?.code).toBe("nothing-played");
    expect(seat.table.touched.value).toBe(false);
    // What the server does is judged at once: its table and an old draft do not go together.
    seat.table.move([tile], { to: "table" });
    server.draws(1);
    expect(seat.table.settled.value.draft).toBe(seat.table.draft.value);
    expect(seat.table.touched.value).toBe(false);
  });

  test("does not draw while tiles are laid out", async () => {
    const { seat } = mine();
    seat.table.move([seat.table.draft.value.rack[0]!], { to: "table" });
    await seat.draw();
    expect(FakeSocket.last.of("draw")).toHaveLength(0);
    seat.table.reset();
    void seat.draw();
    expect(FakeSocket.last.of("draw")).toHaveLength(1);
  });

  test("highlights the changes since its last turn, until its next one is over", () => {
    const { seat, server } = mine();
    server.draws(1);
    const drawn = [...seat.table.highlights.value.drawn];
    expect(drawn).toHaveLength(1);
    const laid: string[] = [];
    while (!server.isMyTurn) {
      const tiles = someTiles(server);
      server.plays([...server.game!.table, tiles]);
      laid.push(...tiles);
      expect([...seat.table.highlights.value.fresh.tiles].sort()).toEqual([...tiles].sort());
    }
    expect([...seat.table.highlights.value.drawn]).toEqual(drawn);
    expect(
      [...seat.table.highlights.value.earlier, ...seat.table.highlights.value.fresh.tiles].sort(),
    ).toEqual(laid.sort());
    server.draws(1);
    expect(seat.table.highlights.value.drawn.has(drawn[0]!)).toBe(false);
    expect(seat.table.highlights.value.earlier.size).toBe(0);
  });

  test.each([
    ["that is over", false],
    ["that goes on", true],
  ])("a hint is shown for a turn %s: %s", async (_, goesOn) => {
    const { seat, server } = mine();
    const helped = seat.advice.help();
    const { turn } = server.game!;
    const re = FakeSocket.last.of("hint")[0]!.id;
    if (!goesOn) server.draws(1, "clock");
    const found = { tiles: 0, value: 0, played: [], table: [], steps: [], exact: true };
    FakeSocket.last.says({ type: "hint", re, turn, ...found });
    await helped;
    expect(seat.table.hint.value !== null).toBe(goesOn);
    expect(seat.advice.asking.value).toBe("no");
  });

  const HINT = { value: 0, table: [], steps: [], exact: true };

  test("waits for a busy solver, and can play meanwhile", async () => {
    const { seat, server } = mine();
    const helped = seat.advice.help();
    expect(seat.advice.asking.value).toBe("asked");
    const [hint] = FakeSocket.last.of("hint");
    FakeSocket.last.says({ type: "queued", re: hint!.id });
    expect(seat.advice.asking.value).toBe("queued");
    for (let second = 0; second < 60; second++) {
      vi.advanceTimersByTime(1_000);
      server.serve();
    }
    expect(seat.advice.asking.value).toBe("queued");
    expect(seat.busy.value).toBe(false);
    void seat.advice.help();
    expect(FakeSocket.last.of("hint")).toHaveLength(1);
    const { turn } = server.game!;
    FakeSocket.last.says({ type: "hint", re: hint!.id, turn, tiles: 1, played: ["r1.1"], ...HINT });
    await helped;
    expect(seat.table.hint.value?.stage).toBe(1);
    expect(seat.advice.asking.value).toBe("no");
  });

  test("drops a queued hint when the turn is over", () => {
    const { seat, server } = mine();
    void seat.advice.help();
    const [hint] = FakeSocket.last.of("hint");
    server.draws(1, "clock");
    expect(seat.advice.asking.value).toBe("no");
    FakeSocket.last.says({ type: "queued", re: hint!.id });
    expect(seat.advice.asking.value).toBe("no");
  });

  test.each([
    ["classic", 0, true],
    ["classic", 1, false],
    ["sabra", 0, false],
  ] as const)("in %s with %i tiles in the pool one must play: %s", (edition, left, must) => {
    const { seat, server } = mine(edition);
    expect([seat.mustPlay.value, seat.mayAsk.value]).toEqual([false, false]);
    empty(server, left);
    expect(server.isMyTurn).toBe(true);
    expect([seat.mustPlay.value, seat.mayAsk.value]).toEqual([must, must]);
    server.draws(1);
    expect(seat.mustPlay.value).toBe(false);
  });

  test("a player who must play sees the whole hint at once", async () => {
    const { seat, server } = mine();
    empty(server, 0);
    const passed = seat.draw();
    const [pass] = FakeSocket.last.of("pass");
    FakeSocket.last.says({ type: "refused", re: pass!.id, code: "must-play", message: "" });
    await passed;
    expect(seat.table.refusal.value?.code).toBe("must-play");
    const shown = seat.showMe();
    expect(seat.table.refusal.value).toBeNull();
    const re = FakeSocket.last.of("hint")[0]!.id;
    const { turn } = server.game!;
    FakeSocket.last.says({ type: "hint", re, turn, tiles: 3, played: [], ...HINT });
    await shown;
    expect(seat.table.hint.value).toMatchObject({ stage: 3, step: 0 });
  });

  test("the deadline can change", () => {
    const { seat, server } = mine();
    server.broadcast([{ type: "clock", at: 9, turn_began: 5 }]);
    expect(seat.game.value).toMatchObject({ turn_began: 5, deadline: null });
    server.broadcast([{ type: "clock", at: 9, turn_began: 7, deadline: 777 }]);
    expect(seat.game.value).toMatchObject({ turn_began: 7, deadline: 777 });
  });

  test.each([
    ["out", false],
    ["nobody_can", false],
    ["", false],
    ["first_unable", true],
    ["final_round", true],
    ["all_passed", true],
  ])("after the ending %j it is asked what was missed: %s", async (end, asks) => {
    const { seat, server } = mine();
    server.ends(end);
    const asked = seat.advice.askMissed();
    const [missed] = FakeSocket.last.of("missed");
    expect(missed !== undefined).toBe(asks);
    if (missed !== undefined) {
      const plays = [{ seat: 1, tiles: ["r1.1"], table: [["r1.1"]] }];
      FakeSocket.last.says({ type: "missed", re: missed.id, game: 1, plays });
    }
    await asked;
    expect(seat.advice.missed.value.map((play) => play.seat)).toEqual(asks ? [1] : []);
    server.goesOn();
    expect(seat.advice.missed.value).toEqual([]);
  });

  test("the request for missed plays is retried, with a limit", async () => {
    const { seat, server } = mine();
    server.ends("all_passed");
    void seat.advice.askMissed();
    for (let second = 0; second < 60; second++) {
      const last = FakeSocket.last.of("missed").at(-1)!;
      FakeSocket.last.says({ type: "refused", re: last.id, code: "busy", message: "" });
      await vi.advanceTimersByTimeAsync(1_000);
      server.serve();
    }
    const asked = FakeSocket.last.of("missed").length;
    expect(asked).toBeGreaterThan(1);
    expect(asked).toBeLessThan(10);
    expect(seat.advice.missed.value).toEqual([]);
  });

  test.each(["refused", "late"])("shows no missed plays if the answer is %s", async (how) => {
    const { seat, server } = mine();
    server.ends("all_passed");
    const asked = seat.advice.askMissed();
    const re = FakeSocket.last.of("missed")[0]!.id;
    if (how === "refused")
      FakeSocket.last.says({ type: "error", code: "bad-message", message: "", re });
    else vi.advanceTimersByTime(60_000);
    await asked;
    expect(seat.advice.missed.value).toEqual([]);
  });

  test.each([
    ["out", 1],
    ["all_passed", 0],
  ])("the ending %s is heard %i times", (end, times) => {
    out.mockClear();
    const { server } = mine();
    server.ends(end);
    expect(out).toHaveBeenCalledTimes(times);
    server.goesOn();
    expect(out).toHaveBeenCalledTimes(times);
  });

  test("logs each turn once, including the one that ends a game", () => {
    const { seat, server } = mine();
    const before = seat.story.value.length;
    server.draws(1);
    expect(seat.story.value.slice(before).map(({ action }) => action)).toEqual(["drew"]);
    const game = server.game!;
    server.plays([...game.table, [...game.racks[game.current]!]]);
    expect(game.phase).toBe("over");
    expect(seat.story.value.slice(before).map(({ action }) => action)).toEqual(["drew", "played"]);
  });

  test("restores its rows and its turn log after a reload", () => {
    const { seat, server } = mine();
    server.draws(1);
    while (!server.isMyTurn) server.plays([...server.game!.table, someTiles(server)]);
    const [first, second] = seat.table.draft.value.rack.filter((tile) => tile !== null);
    seat.table.update((state) => fitColumns(state, 30));
    seat.table.move([first!], { to: "table" }, { line: 3, at: 52 });
    seat.table.move([second!], { to: "table" }, { line: 5, at: 7 });
    const lies = (of: Seat) =>
      of.table.draft.value.rows
        .map((row) => [row.tiles.join(), of.table.places.value.get(row.id)])
        .sort();
    const before = { lies: lies(seat), story: seat.story.value };
    expect(before.story.length).toBeGreaterThan(1);
    vi.advanceTimersByTime(2_000);
    server.serve();
    seat.close();
    const again = new Seat("ABCDEF", "ws://here");
    again.open();
    server.serve();
    expect(lies(again)).toEqual(before.lies);
    expect(again.story.value).toEqual(before.story);
    expect(again.table.settled.value.places).toBe(again.table.places.value);
  });

  test.each([
    { rack: [7], spots: 7, columns: "x", story: {} },
    { rack: {}, spots: { "r1.1": { line: 1e9, at: -1 } }, columns: 1e9, story: [null, {}, 7] },
    {
      rack: null,
      spots: null,
      columns: -1,
      story: [{ seat: 0, action: "x", why: "y", tiles: [7] }],
    },
  ])("makes nothing of what is remembered wrongly: %j", (wrong) => {
    const { seat, server } = mine();
    const game = seat.game.value!.commitment;
    seat.close();
    storage.set("game ABCDEF", JSON.stringify({ game, ...wrong }));
    const again = new Seat("ABCDEF", "ws://here");
    again.open();
    server.serve();
    expect(again.table.draft.value.rack.filter((tile) => tile !== null)).toHaveLength(14);
    expect(again.table.columns.value).toBeLessThan(100);
  });

  test("starts a new game with a rack without gaps", () => {
    const { seat, server } = mine();
    seat.table.move([seat.table.draft.value.rack[2]!], { to: "rack", index: 13 });
    server.ends();
    server.goesOn();
    server.deals();
    expect(seat.table.draft.value.rack).toHaveLength(14);
    expect(seat.table.draft.value.rack).not.toContain(null);
  });

  test("shows the server's table after it missed a whole match", () => {
    const { seat, server } = mine();
    FakeSocket.last.breaks();
    server.ends();
    server.goesOn();
    server.deals();
    server.ends();
    server.goesOn();
    server.begins();
    server.deals();
    while (server.game!.turn < seat.game.value!.turn!) server.draws(1);
    server.forgets = true;
    vi.advanceTimersByTime(1_000);
    server.serve();
    expect(tilesOf(seat.table.draft.value).sort()).toEqual(
      [...server.game!.racks[server.you!]!].sort(),
    );
  });

  test.each(["null", "[]", "7", "{", '{"game":1}', '{"game":"x","rack":7}'])(
    "makes nothing of a rack that is remembered as %s",
    (text) => {
      storage.set("game ABCDEF", text);
      const { seat } = mine();
      expect(seat.table.draft.value.rack.filter((tile) => tile !== null)).toHaveLength(14);
    },
  );
});
