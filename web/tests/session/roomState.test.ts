/**
 * Folding events into the room state gives the same state as a snapshot.
 *
 * The events come from the server: `tests/page/test_room_state.py` names their file.
 */

import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type {
  Events,
  GameInfo,
  MatchInfo,
  RoomInfo,
  SaidInfo,
  SeatInfo,
  Snapshot,
} from "../../src/generated/wire";
import { fold, fromSnapshot, type RoomState } from "../../src/session/roomState";

interface Line {
  readonly who: string;
  /** The events since the last line of the same client; without them, it received the snapshot. */
  readonly events?: Events;
  readonly snapshot: Snapshot;
}

const PATH = process.env.TILERUMMY_ROOM_STATES;

/** The state with all defaults filled in. */
function whole({ version, you, room }: RoomState): unknown {
  const usual: Required<
    Omit<RoomInfo, "room" | "code" | "settings" | "phase" | "since" | "seats">
  > = {
    host: null,
    match: null,
    game: null,
    paused: null,
    chat: [],
    muted: [],
    draft: null,
    votes: [],
  };
  const { chat: _, ...rest } = { ...usual, ...room };
  return {
    version,
    you,
    room: {
      ...rest,
      votes: (room.votes ?? []).map(({ what, about, seat }) => `${what} ${about} ${seat}`).sort(),
      seats: room.seats.map(wholeSeat),
      match: room.match == null ? null : wholeMatch(room.match),
      game: room.game == null ? null : wholeGame(room.game),
    },
  };
}

function wholeSeat(seat: SeatInfo): Required<SeatInfo> {
  return { name: "", bot: null, away: false, pause: false, more: false, ...seat };
}

function wholeMatch(match: MatchInfo): MatchInfo {
  return { ...match, results: match.results.map((result) => ({ blocked: false, ...result })) };
}

function wholeGame(game: GameInfo): Required<GameInfo> {
  const usual = {
    shuffle_version: 2,
    transcript: "",
    commitments: [],
    sources: [],
    cancelled: [],
    starter: null,
    starter_draws: [],
    rack_sizes: [],
    pool: 0,
    table: [],
    declared: [],
    opened: [],
    current: 0,
    turn: 0,
    turn_began: 0,
    deadline: null,
    passes: 0,
    final_turns: null,
    manipulation: true,
    final: null,
  };
  return {
    ...usual,
    ...game,
    // The order of the tiles on the rack is the player's own.
    rack: [...(game.rack ?? [])].sort(),
    last: game.last == null ? null : { count: 0, tiles: [], ...game.last },
  };
}

/** A client that folds events. Messages of a muted seat are neither sent nor in its snapshots. */
class Follower {
  private readonly unexpected = new Set<number>();
  private readonly since: number;

  constructor(
    private readonly name: string,
    private state: RoomState,
    now: number,
  ) {
    this.since = (state.room.muted ?? []).length > 0 ? now : -1;
  }

  follow({ events, version }: Events, expected: RoomState): void {
    for (const event of events) {
      if (event.type === "hidden") this.unexpected.add(event.at);
      this.state = fold(this.state, event);
    }
    const where = `${this.name}, ${version}: ${events.map(({ type }) => type).join(" ")}`;
    agree(where, whole(this.state), whole(expected));
    const wanted = this.heard(expected);
    const found = this.heard(this.state);
    // A client that missed messages keeps older ones.
    const older = this.unexpected.size > 0 ? Math.max(0, found.length - wanted.length) : 0;
    agree(where, found.slice(older), wanted);
  }

  private heard({ room }: RoomState): Required<SaidInfo>[] {
    const muted = new Set(room.muted ?? []);
    return (room.chat ?? [])
      .map((said) => ({ text: "", emote: "" as const, ...said }))
      .filter(({ at, seat }) => !muted.has(seat) && at > this.since && !this.unexpected.has(at));
  }
}

/** `toEqual` is slow: use it only to show a difference. */
function agree(where: string, found: unknown, wanted: unknown): void {
  if (!same(found, wanted)) expect(found, where).toEqual(wanted);
}

function same(one: unknown, other: unknown): boolean {
  if (typeof one !== "object" || typeof other !== "object" || one === null || other === null) {
    return one === other;
  }
  const keys = Object.keys(one);
  return (
    keys.length === Object.keys(other).length &&
    keys.every((key) => key in other && same(one[key as keyof object], other[key as keyof object]))
  );
}

test.skipIf(PATH === undefined)(
  "what happens leads to what a snapshot says",
  () => {
    const followers = new Map<string, Follower>();
    const lines = readFileSync(PATH!, "utf8").trimEnd().split("\n");
    for (const line of lines) {
      const { who, events, snapshot } = JSON.parse(line) as Line;
      const expected = fromSnapshot(snapshot);
      if (events === undefined) followers.set(who, new Follower(who, expected, snapshot.now));
      else followers.get(who)!.follow(events, expected);
    }
    expect(lines.length).toBeGreaterThan(1000);
  },
  120_000,
);

test("chat messages follow the remaining players when a room reopens", () => {
  const person = (name: string): SeatInfo => ({ kind: "person", name });
  const seats = ["Ann", "Ben", "Cleo"].map(person);
  const chat = seats.map((_, seat) => ({ at: seat, seat, text: `${seat}` }));
  const room: RoomInfo = {
    room: "r",
    code: "C",
    settings: {},
    phase: "over",
    since: 0,
    seats,
    chat,
  };
  let state: RoomState = { version: 1, you: 2, room };
  state = fold(state, { type: "left", at: 5, seat: 0 });
  const left: SeatInfo[] = [person("Ben"), person("Cleo"), { kind: "free" }];
  state = fold(state, { type: "reopened", at: 6, seats: left, you: 1, host: 0 });
  expect(state.room.chat?.map(({ seat, text }) => [seat, text])).toEqual([
    [0, "1"],
    [1, "2"],
  ]);
});
