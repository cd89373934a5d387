import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { Incoming } from "../../src/generated/wire";
import { DraftSync, type Laid } from "../../src/session/draftSync";

const sent: Incoming[] = [];
let laid: Laid | null;
let deadline: number | null;
let hasLine: boolean;
let sync: DraftSync;

function lay(...table: string[]): void {
  laid = { turn: 7, table: table.map((row) => row.split(" ")), declared: [] };
  sync.changed();
}

const tables = () => sent.map((message) => (message as unknown as Laid).table.length);
const heard = (...table: string[]) =>
  sync.heard({ turn: 7, table: table.map((row) => row.split(" ")), declared: [] });

beforeEach(() => {
  vi.useFakeTimers();
  sent.length = 0;
  laid = { turn: 7, table: [], declared: [] };
  deadline = null;
  hasLine = true;
  sync = new DraftSync({
    laid: () => laid,
    deadline: () => deadline,
    send: (message) => {
      if (hasLine) sent.push(message);
      return hasLine;
    },
  });
  sync.begin();
});

afterEach(() => {
  sync.close();
  vi.useRealTimers();
});

describe("sending", () => {
  test("an unchanged draft is not sent", () => {
    sync.changed();
    vi.advanceTimersByTime(5_000);
    expect(tables()).toEqual([]);
  });

  test("a clock that is set back delays nothing", () => {
    lay("r1.1");
    vi.advanceTimersByTime(60);
    vi.setSystemTime(Date.now() - 3_600_000);
    lay("r1.1", "r2.1");
    vi.advanceTimersByTime(1_000);
    expect(tables()).toEqual([1, 2]);
  });

  test("a change is sent soon, later ones once a second", () => {
    lay("r1.1");
    vi.advanceTimersByTime(60);
    expect(tables()).toEqual([1]);
    lay("r1.1", "r2.1");
    vi.advanceTimersByTime(500);
    lay("r1.1", "r2.1", "r3.1");
    expect(tables()).toEqual([1]);
    vi.advanceTimersByTime(600);
    expect(tables()).toEqual([1, 3]);
  });

  test("changes shortly before the deadline are sent soon", () => {
    lay("r1.1");
    vi.advanceTimersByTime(60);
    deadline = Date.now() + 900;
    lay("r1.1", "r2.1");
    vi.advanceTimersByTime(60);
    expect(tables()).toEqual([1, 2]);
  });

  test("a flush sends at once, and never twice", () => {
    lay("r1.1");
    sync.flush();
    sync.flush();
    vi.advanceTimersByTime(5_000);
    expect(tables()).toEqual([1]);
  });

  test("a draft that is taken back is sent too", () => {
    lay("r1.1");
    vi.advanceTimersByTime(2_000);
    lay();
    vi.advanceTimersByTime(2_000);
    expect(tables()).toEqual([1, 0]);
  });

  test("nothing is sent in other players' turns", () => {
    lay("r1.1");
    laid = null;
    vi.advanceTimersByTime(2_000);
    expect(tables()).toEqual([]);
  });
});

describe("receiving", () => {
  test("a draft of another tab is taken over, and not sent back", () => {
    expect(heard("r1.1", "r2.1")).toBe(true);
    lay("r2.1", "r1.1");
    vi.advanceTimersByTime(5_000);
    expect(tables()).toEqual([]);
  });

  test("an unsent change wins over a received draft", () => {
    lay("r1.1");
    expect(heard()).toBe(false);
    vi.advanceTimersByTime(100);
    expect(tables()).toEqual([1]);
    expect(heard("r1.1", "r2.1")).toBe(true);
  });
});

describe("a lost connection", () => {
  test("changes made offline are sent after the reconnect", () => {
    hasLine = false;
    lay("r1.1");
    vi.advanceTimersByTime(5_000);
    expect(tables()).toEqual([]);
    hasLine = true;
    sync.changed();
    expect(heard()).toBe(false);
    vi.advanceTimersByTime(100);
    expect(tables()).toEqual([1]);
  });

  test("a draft sent just before may not have arrived, so it is sent again", () => {
    lay("r1.1");
    vi.advanceTimersByTime(3_000);
    sync.lost();
    sync.changed();
    expect(heard()).toBe(false);
    vi.advanceTimersByTime(2_000);
    expect(tables()).toEqual([1, 1]);
  });

  test("a draft sent long before has arrived, so a newer one is taken over", () => {
    lay("r1.1");
    vi.advanceTimersByTime(100);
    vi.advanceTimersByTime(3_600_000);
    sync.lost();
    expect(heard("r1.1", "r2.1")).toBe(true);
  });
});
