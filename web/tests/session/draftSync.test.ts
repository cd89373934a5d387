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

const told = () => sent.map((message) => (message as unknown as Laid).table.length);
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

describe("telling", () => {
  test("nothing is told where nothing was laid", () => {
    sync.changed();
    vi.advanceTimersByTime(5_000);
    expect(told()).toEqual([]);
  });

  test("a clock that is set back holds nothing up", () => {
    lay("r1.1");
    vi.advanceTimersByTime(60);
    vi.setSystemTime(Date.now() - 3_600_000);
    lay("r1.1", "r2.1");
    vi.advanceTimersByTime(1_000);
    expect(told()).toEqual([1, 2]);
  });

  test("what is laid is told soon, and what follows once a second", () => {
    lay("r1.1");
    vi.advanceTimersByTime(60);
    expect(told()).toEqual([1]);
    lay("r1.1", "r2.1");
    vi.advanceTimersByTime(500);
    lay("r1.1", "r2.1", "r3.1");
    expect(told()).toEqual([1]);
    vi.advanceTimersByTime(600);
    expect(told()).toEqual([1, 3]);
  });

  test("shortly before time is up nothing waits", () => {
    lay("r1.1");
    vi.advanceTimersByTime(60);
    deadline = Date.now() + 900;
    lay("r1.1", "r2.1");
    vi.advanceTimersByTime(60);
    expect(told()).toEqual([1, 2]);
  });

  test("a page that goes away tells at once, and nothing twice", () => {
    lay("r1.1");
    sync.tell();
    sync.tell();
    vi.advanceTimersByTime(5_000);
    expect(told()).toEqual([1]);
  });

  test("what is taken back is told too", () => {
    lay("r1.1");
    vi.advanceTimersByTime(2_000);
    lay();
    vi.advanceTimersByTime(2_000);
    expect(told()).toEqual([1, 0]);
  });

  test("nothing is told in the turns of others", () => {
    lay("r1.1");
    laid = null;
    vi.advanceTimersByTime(2_000);
    expect(told()).toEqual([]);
  });
});

describe("hearing", () => {
  test("what another tab has laid is news, and is not told back", () => {
    expect(heard("r1.1", "r2.1")).toBe(true);
    lay("r2.1", "r1.1");
    vi.advanceTimersByTime(5_000);
    expect(told()).toEqual([]);
  });

  test("what is still to be told wins over what comes", () => {
    lay("r1.1");
    expect(heard()).toBe(false);
    vi.advanceTimersByTime(100);
    expect(told()).toEqual([1]);
    expect(heard("r1.1", "r2.1")).toBe(true);
  });
});

describe("a line that was lost", () => {
  test("what was laid without one is told when it is back", () => {
    hasLine = false;
    lay("r1.1");
    vi.advanceTimersByTime(5_000);
    expect(told()).toEqual([]);
    hasLine = true;
    sync.changed();
    expect(heard()).toBe(false);
    vi.advanceTimersByTime(100);
    expect(told()).toEqual([1]);
  });

  test("what was told just before may not have arrived, so it is told again", () => {
    lay("r1.1");
    vi.advanceTimersByTime(3_000);
    sync.lost();
    sync.changed();
    expect(heard()).toBe(false);
    vi.advanceTimersByTime(2_000);
    expect(told()).toEqual([1, 1]);
  });

  test("after a long sleep others may have gone on", () => {
    lay("r1.1");
    vi.advanceTimersByTime(100);
    vi.advanceTimersByTime(3_600_000);
    sync.lost();
    expect(heard("r1.1", "r2.1")).toBe(true);
  });
});
