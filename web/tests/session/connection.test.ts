import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { DraftInfo, Events, Outgoing, RoomInfo, Snapshot } from "../../src/generated/wire";
import { CLOSING } from "../../src/generated/wire";
import {
  type Answer,
  Connection,
  type ConnectionState,
  type Listener,
} from "../../src/session/connection";
import { FakeBrowser, FakeSocket } from "./socket";

class Heard implements Listener {
  known = 0;
  hasGap = false;
  readonly states: ConnectionState[] = [];
  readonly drafts: DraftInfo[] = [];

  version(): number {
    return this.known;
  }
  snapshot(message: Snapshot): void {
    this.known = message.version;
  }
  events(message: Events): boolean {
    if (message.version !== this.known + message.events.length) {
      this.known = 0;
      return false;
    }
    this.known = message.version;
    return true;
  }
  draft(draft: DraftInfo): void {
    this.drafts.push(draft);
  }
  state(state: ConnectionState): void {
    this.states.push(state);
  }
  get now(): ConnectionState {
    return this.states.at(-1)!;
  }
}

const START = new Date("2026-01-01T00:00:00Z").getTime();
let browser: FakeBrowser;
let heard: Heard;
let connection: Connection;

beforeEach(() => {
  vi.useFakeTimers({ now: START });
  vi.spyOn(Math, "random").mockReturnValue(0.5);
  browser = new FakeBrowser();
  heard = new Heard();
  connection = new Connection("ws://here/socket", heard);
});

afterEach(() => {
  connection.close();
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

function snapshot(version: number, now = Date.now()): Snapshot {
  const parts = { room: "r", code: "ABCDEF", settings: {}, since: 0, seats: [] };
  const room: RoomInfo = { ...parts, phase: "lobby" };
  return { type: "snapshot", version, now, you: 0, room };
}

function events(version: number, re?: string): Events {
  const event = { type: "hosted", at: 1, seat: 0 } as const;
  return { type: "events", version, events: [event], ...(re === undefined ? {} : { re }) };
}

function pong(): Outgoing {
  return { type: "pong", re: "p", now: Date.now() };
}

/** A connection on which the server has answered. */
function welcomed(version = 5): FakeSocket {
  const socket = FakeSocket.last;
  socket.opens();
  socket.says(snapshot(version));
  socket.says(pong());
  return socket;
}

/** The next reconnect, after any delay. */
function nextTry(): FakeSocket {
  const before = FakeSocket.all.length;
  for (let waited = 0; waited < 13_000 && FakeSocket.all.length === before; waited += 50) {
    vi.advanceTimersByTime(50);
  }
  expect(FakeSocket.all.length).toBe(before + 1);
  return FakeSocket.last;
}

/** Where an answer goes, once there is one. */
async function settled(answer: Promise<Answer>): Promise<Answer | undefined> {
  let found: Answer | undefined;
  void answer.then((answered) => {
    found = answered;
  });
  await Promise.resolve();
  await Promise.resolve();
  return found;
}

describe("opening", () => {
  test("a connection sends its version and is open with the first answer", () => {
    connection.open();
    expect(heard.states).toEqual(["connecting"]);
    FakeSocket.last.opens();
    expect(FakeSocket.last.sent[0]).toEqual({ type: "hello", version: 0 });
    expect(heard.now).toBe("connecting");
    FakeSocket.last.says(snapshot(5));
    expect(heard.now).toBe("open");
    expect(heard.known).toBe(5);
  });

  test("a reconnect resumes from the known version", () => {
    connection.open();
    welcomed(5).breaks();
    expect(heard.now).toBe("lost");
    const again = nextTry();
    again.opens();
    expect(again.of("hello")).toEqual([{ type: "hello", version: 5 }]);
    again.says(events(6));
    expect(heard.now).toBe("open");
    expect(heard.known).toBe(6);
  });

  test("a reconnect that missed nothing is open with the pong alone", async () => {
    connection.open();
    welcomed(5).breaks();
    const answer = connection.command({ type: "begin" });
    const again = nextTry();
    again.opens();
    again.says(pong());
    expect(heard.now).toBe("open");
    expect(again.of("begin")).toHaveLength(1);
    again.says(events(6, again.of("begin")[0]!.id));
    expect(await settled(answer)).toEqual({ ok: true, version: 6 });
  });

  test("a connection without an answer times out", () => {
    connection.open();
    const socket = FakeSocket.last;
    vi.advanceTimersByTime(12_500);
    expect(heard.now).toBe("connecting");
    expect(socket.closedWith).toBe(4000);
    expect(FakeSocket.all).toHaveLength(2);
    socket.opens();
    socket.says(snapshot(9));
    expect(heard.known, "the old line is not heard any more").toBe(0);
  });

  test("attempts back off exponentially, and a success resets the delay", () => {
    connection.open();
    const waits: number[] = [];
    for (let tries = 0; tries < 8; tries++) {
      FakeSocket.last.breaks();
      const count = FakeSocket.all.length;
      const began = Date.now();
      while (FakeSocket.all.length === count) vi.advanceTimersByTime(50);
      waits.push(Date.now() - began);
    }
    expect(waits).toEqual([300, 600, 1200, 2400, 4800, 8000, 8000, 8000]);
    welcomed().breaks();
    vi.advanceTimersByTime(300);
    expect(FakeSocket.all).toHaveLength(10);
  });

  test("a closed connection stays closed", () => {
    connection.open();
    const socket = welcomed();
    connection.close();
    expect(socket.closedWith).toBe(1000);
    socket.breaks(1000);
    browser.window.happens("online");
    browser.document.happens("visibilitychange");
    vi.advanceTimersByTime(100_000);
    expect(FakeSocket.all).toHaveLength(1);
  });
});

describe("commands", () => {
  test("each has its own id and answer", async () => {
    connection.open();
    const socket = welcomed(5);
    const begins = connection.command({ type: "begin" });
    const says = connection.command({ type: "say", text: "hello" });
    const draws = connection.command({ type: "draw", turn: 3 });
    const ids = [socket.of("begin")[0]!.id, socket.of("say")[0]!.id, socket.of("draw")[0]!.id];
    expect(new Set(ids).size).toBe(3);
    socket.says(events(6, ids[1]));
    socket.says({ type: "done", re: ids[0]!, version: 6 });
    const refused = { type: "refused", re: ids[2]!, code: "wrong-turn", message: "no" } as const;
    socket.says(refused);
    expect(await settled(says)).toEqual({ ok: true, version: 6 });
    expect(await settled(begins)).toEqual({ ok: true, version: 6 });
    expect(await settled(draws)).toEqual({ ok: false, code: "wrong-turn", refused });
  });

  test("a hint comes with its answer", async () => {
    connection.open();
    const socket = welcomed();
    const asked = connection.command({ type: "hint" });
    const hint = {
      type: "hint",
      re: socket.of("hint")[0]!.id,
      turn: 1,
      tiles: 0,
      value: 0,
      played: [],
      table: [],
      steps: [],
      exact: true,
    } as const;
    socket.says(hint);
    expect(await settled(asked)).toEqual({ ok: true, version: 0, hint });
  });

  test("a queued one reports it, and is answered later", async () => {
    connection.open();
    const socket = welcomed();
    const queued = vi.fn();
    const asked = connection.command({ type: "missed" }, { onQueued: queued });
    const re = socket.of("missed")[0]!.id;
    socket.says({ type: "queued", re: "another" });
    expect(queued).not.toHaveBeenCalled();
    socket.says({ type: "queued", re });
    expect(queued).toHaveBeenCalledOnce();
    const missed = { type: "missed", re, game: 2, plays: [] } as const;
    socket.says(missed);
    expect(await settled(asked)).toEqual({ ok: true, version: 0, missed });
  });

  test("one with a timeout fails after it, and is not sent again", async () => {
    connection.open();
    const socket = welcomed();
    const asked = connection.command({ type: "missed" }, { within: 1_000 });
    vi.advanceTimersByTime(1_001);
    expect(await settled(asked)).toEqual({ ok: false, code: "timeout" });
    socket.breaks();
    nextTry();
    expect(welcomed().of("missed")).toEqual([]);
  });

  test("one in flight is sent again with the same id, and answered once", async () => {
    connection.open();
    const first = welcomed(5);
    const answer = connection.command({ type: "draw", turn: 3 });
    const id = first.of("draw")[0]!.id;
    first.breaks();
    expect(await settled(answer)).toBeUndefined();
    const second = nextTry();
    second.opens();
    expect(second.of("draw"), "not before the server has answered").toHaveLength(0);
    second.says(pong());
    expect(second.of("draw")).toEqual([{ type: "draw", turn: 3, id }]);
    second.says({ type: "done", re: id, version: 6 });
    expect(await settled(answer)).toEqual({ ok: true, version: 6 });
    second.breaks();
    const third = nextTry();
    third.opens();
    third.says(pong());
    expect(third.of("draw")).toHaveLength(0);
  });

  test("one without a connection waits for it", async () => {
    const answer = connection.command({ type: "begin" });
    connection.open();
    const socket = welcomed();
    expect(socket.of("begin")).toHaveLength(1);
    socket.says({ type: "done", re: socket.of("begin")[0]!.id, version: 5 });
    expect((await settled(answer))?.ok).toBe(true);
  });

  test("messages without an answer are not queued", () => {
    connection.open();
    connection.send({ type: "draft", turn: 1, table: [] });
    const socket = welcomed();
    expect(socket.of("draft")).toHaveLength(0);
    connection.send({ type: "draft", turn: 1, table: [] });
    expect(socket.of("draft")).toHaveLength(1);
  });

  test.each([
    ["unavailable", true],
    ["too-fast", false],
  ] as const)(
    "what could not be done now (%s) is tried again with the same id",
    async (code, named) => {
      connection.open();
      const socket = welcomed();
      const answer = connection.command({ type: "draw", turn: 3 });
      const { id } = socket.of("draw")[0]!;
      // An unreadable message has no name: the error has only its code.
      socket.says({ type: "error", code, message: "", ...(named ? { re: id } : {}) });
      expect(await settled(answer)).toBeUndefined();
      vi.advanceTimersByTime(1_100);
      expect(socket.of("draw").map((message) => message.id)).toEqual([id, id]);
      socket.says({ type: "done", re: id, version: 6 });
      expect(await settled(answer)).toEqual({ ok: true, version: 6 });
      vi.advanceTimersByTime(5_000);
      expect(socket.of("draw")).toHaveLength(2);
    },
  );

  test("any other error is an answer", async () => {
    connection.open();
    const socket = welcomed();
    const answer = connection.command({ type: "say", text: "x" });
    socket.says({ type: "error", code: "bad-message", message: "", re: socket.of("say")[0]!.id });
    expect(await settled(answer)).toEqual({ ok: false, code: "bad-message" });
  });
});

describe("closing", () => {
  test.each([
    ["no-spectators", CLOSING.NO_SPECTATORS],
    ["no-room", CLOSING.NO_ROOM],
    ["no-hello", CLOSING.POLICY],
  ] as const)("%s is final, and settles every pending command", async (code, closing) => {
    connection.open();
    const answer = connection.command({ type: "leave" });
    const socket = FakeSocket.last;
    socket.opens();
    socket.says({ type: "error", code, message: "" });
    socket.breaks(closing);
    expect(heard.now).toBe("refused");
    expect(await settled(answer)).toEqual({ ok: false, code });
    browser.window.happens("online");
    vi.advanceTimersByTime(100_000);
    expect(FakeSocket.all).toHaveLength(1);
  });

  test.each([
    CLOSING.NORMAL,
    CLOSING.BAD_TEXT,
    CLOSING.TOO_LARGE,
    CLOSING.RESTART,
    CLOSING.LATER,
    CLOSING.TOO_MANY,
    1006,
  ])("after %i the line comes back", (closing) => {
    connection.open();
    welcomed().breaks(closing);
    expect(heard.now).toBe("lost");
    nextTry();
  });

  test("a rate-limited client reconnects more slowly", () => {
    connection.open();
    const socket = welcomed();
    socket.says({ type: "error", code: "too-fast", message: "" });
    socket.breaks(CLOSING.POLICY);
    expect(heard.now).toBe("lost");
    nextTry();
  });
});

describe("silent failures", () => {
  test("missing events lead to a request for a snapshot", () => {
    connection.open();
    const socket = welcomed(5);
    socket.says(events(8));
    expect(socket.closedWith).toBe(4000);
    expect(heard.now).toBe("lost");
    socket.says(events(9));
    const again = nextTry();
    again.opens();
    expect(again.of("hello")).toEqual([{ type: "hello", version: 0 }]);
    again.says(snapshot(9));
    expect(heard.now).toBe("open");
    expect(heard.known).toBe(9);
  });

  test("a connection without a pong is dead", () => {
    connection.open();
    const socket = welcomed();
    vi.advanceTimersByTime(15_000);
    expect(socket.of("ping")).toHaveLength(2);
    vi.advanceTimersByTime(7_900);
    expect(heard.now).toBe("open");
    vi.advanceTimersByTime(200);
    expect(heard.now).toBe("lost");
    expect(socket.closedWith).toBe(4000);
    socket.breaks(1006);
    expect(heard.states.filter((state) => state === "lost")).toHaveLength(1);
    nextTry();
  });

  test("a dead connection is detected sooner while a command is pending", () => {
    connection.open();
    const socket = welcomed();
    vi.advanceTimersByTime(1_000);
    void connection.command({ type: "begin" });
    expect(socket.of("ping")).toHaveLength(2);
    vi.advanceTimersByTime(8_100);
    expect(heard.now).toBe("lost");
    const again = nextTry();
    again.opens();
    again.says(snapshot(5));
    expect(again.of("begin")).toHaveLength(1);
  });

  test("pongs keep it alive", () => {
    connection.open();
    const socket = welcomed();
    for (let count = 0; count < 20; count++) {
      vi.advanceTimersByTime(15_000);
      socket.says(pong());
    }
    expect(heard.now).toBe("open");
    expect(FakeSocket.all).toHaveLength(1);
    expect(socket.of("ping")).toHaveLength(21);
  });

  test("each ping has its own timeout", () => {
    connection.open();
    const socket = welcomed();
    vi.advanceTimersByTime(15_000);
    socket.says(pong());
    vi.advanceTimersByTime(7_500);
    browser.window.happens("online");
    expect(socket.of("ping")).toHaveLength(3);
    vi.advanceTimersByTime(2_500);
    expect(heard.now).toBe("open");
    socket.says(pong());
    vi.advanceTimersByTime(4_000);
    expect(heard.now).toBe("open");
  });

  test("the offset of the server's clock is taken at the middle of a ping", () => {
    connection.open();
    const socket = FakeSocket.last;
    socket.opens();
    socket.says(snapshot(5, START + 40_000));
    expect(connection.ahead).toBe(40_000);
    socket.says(pong());
    vi.advanceTimersByTime(15_000);
    vi.advanceTimersByTime(400);
    socket.says({ type: "pong", re: "p", now: START + 15_200 + 30_000 });
    expect(connection.ahead).toBe(30_000);
  });

  test("acknowledgements are sent at most once a second", () => {
    connection.open();
    const socket = welcomed(5);
    for (let version = 6; version < 12; version++) socket.says(events(version));
    expect(socket.of("ack")).toHaveLength(0);
    vi.advanceTimersByTime(1_000);
    expect(socket.of("ack")).toEqual([{ type: "ack", version: 11 }]);
  });

  test("a draft of another tab is forwarded", () => {
    connection.open();
    welcomed().says({ type: "draft", draft: { turn: 3, table: [["r1.1"]] } });
    expect(heard.drafts).toEqual([{ turn: 3, table: [["r1.1"]] }]);
  });
});

describe("wake-up", () => {
  test.each(["online", "visibilitychange"])("%s reconnects a lost connection at once", (name) => {
    connection.open();
    for (let tries = 0; tries < 6; tries++) {
      FakeSocket.last.breaks();
      if (tries < 5) vi.advanceTimersByTime(8_000);
    }
    const count = FakeSocket.all.length;
    const events = name === "online" ? browser.window : browser.document;
    events.happens(name);
    expect(FakeSocket.all).toHaveLength(count + 1);
    welcomed();
    vi.advanceTimersByTime(9_000);
    expect(FakeSocket.all, "the try that was due is not made any more").toHaveLength(count + 1);
  });

  test("a hidden page does not reconnect early", () => {
    connection.open();
    FakeSocket.last.breaks();
    browser.document.visibilityState = "hidden";
    browser.document.happens("visibilitychange");
    expect(FakeSocket.all).toHaveLength(1);
  });

  test("an open connection is pinged with a short timeout", () => {
    connection.open();
    const socket = welcomed();
    browser.document.happens("visibilitychange");
    expect(socket.of("ping")).toHaveLength(2);
    vi.advanceTimersByTime(3_100);
    expect(heard.now).toBe("lost");
  });
});
