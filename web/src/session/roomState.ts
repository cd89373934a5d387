/** What a client knows of its room: a snapshot, and every event since folded in. */

import type {
  GameInfo,
  LastTurn,
  RoomEvent,
  RoomInfo,
  SeatInfo,
  Snapshot,
} from "../generated/wire";

export interface RoomState {
  readonly version: number;
  /** The seat of whoever looks, or null for a spectator. */
  readonly you: number | null;
  readonly room: RoomInfo;
}

export const CHAT_KEPT = 50;

export function fromSnapshot({ version, you, room }: Snapshot): RoomState {
  // What has its usual value is left out on the wire: the first seat is a seat too.
  const game = room.game == null ? null : { current: 0, turn: 0, ...room.game };
  return { version, you, room: { ...room, game } };
}

/** The state after an event, which has the next version. */
export function fold(state: RoomState, event: RoomEvent): RoomState {
  const next = { ...state, version: state.version + 1 };
  const room = state.room;
  switch (event.type) {
    case "seated": {
      const kind = event.bot == null ? "person" : "bot";
      return withSeat(next, event.seat, { kind, name: event.name, bot: event.bot ?? null });
    }
    case "left": {
      const name = room.seats[event.seat]?.name ?? "";
      const after =
        event.bot == null
          ? withSeat(withRoom(next, gone(room, event.seat)), event.seat, { kind: "free" })
          : withSeat(next, event.seat, { kind: "bot", name, bot: event.bot });
      return event.seat === state.you ? outside(after) : after;
    }
    case "hosted":
      return withRoom(next, { host: event.seat });
    case "began":
      return {
        ...withRoom(next, {
          seats: event.seats,
          since: event.at,
          host: event.host ?? null,
          match: event.match,
          ...closedUp(room, (seat) => seat.kind !== "free"),
        }),
        you: event.you,
      };
    case "reopened": {
      const after = withRoom(next, {
        phase: "lobby",
        since: event.at,
        seats: event.seats,
        host: event.host ?? null,
        match: null,
        game: null,
        // A seat is free where somebody left after the match.
        ...closedUp(room, ({ kind, away }) => kind === "bot" || (kind === "person" && !away)),
      });
      return event.you === null ? outside(after) : { ...after, you: event.you };
    }
    case "created":
      return withRoom(next, {
        phase: "dealing",
        since: event.at,
        seats: room.seats.map((seat) => ({ ...seat, more: false })),
        draft: null,
        game: {
          number: event.number,
          phase: "waiting",
          commitment: event.commitment,
          seeds: room.seats.map(() => null),
          // Who begins is seen with the deal.
          starter: null,
        },
      });
    case "seeded":
      return withGame(next, (game) => ({
        seeds: game.seeds.map((seed, seat) => (seat === event.seat ? event.seed : seed)),
      }));
    case "starter":
      return withGame(next, () => ({ starter: event.starter, starter_draws: event.draws }));
    case "dealt":
      return withGame(withRoom(next, { phase: "playing", since: event.at }), () => ({
        phase: "playing",
        rack: event.rack,
        rack_sizes: event.rack_sizes,
        pool: event.pool,
        table: [],
        declared: [],
        opened: event.rack_sizes.map(() => false),
        starter: event.current,
        current: event.current,
        turn: event.turn,
        turn_began: event.at,
        deadline: event.deadline ?? null,
        final_turns: event.final_turns ?? null,
        manipulation: true,
        passes: 0,
        last: null,
        final: null,
      }));
    case "played": {
      const laid = new Set(event.tiles);
      return withTurn(next, event, event.tiles.length, event.tiles, (game) => ({
        table: event.table,
        declared: event.declared ?? [],
        opened: (game.opened ?? []).map((opened, seat) => opened || seat === event.seat),
        rack: event.seat === state.you ? without(game.rack ?? [], laid) : (game.rack ?? []),
        rack_sizes: sizes(game, event.seat, -event.tiles.length),
        passes: 0,
      }));
    }
    case "drew":
      return withTurn(next, event, event.count, event.tiles ?? [], (game) => ({
        rack: [...(game.rack ?? []), ...(event.tiles ?? [])],
        rack_sizes: sizes(game, event.seat, event.count),
        pool: (game.pool ?? 0) - event.count,
        passes: 0,
      }));
    case "passed":
      return withTurn(next, event, 0, [], (game) => ({ passes: (game.passes ?? 0) + 1 }));
    case "ended":
      return withGame(
        withRoom(next, { phase: event.phase, since: event.at, match: event.match }),
        () => ({ phase: "over", final: event.final, deadline: null }),
      );
    case "dropped":
      return editSeat(next, event.seat, { away: true, pause: false, more: false });
    case "returned":
      return editSeat(next, event.seat, { away: false, bot: null });
    case "replaced":
      return editSeat(next, event.seat, { bot: event.bot });
    case "asked":
      return editSeat(
        next,
        event.seat,
        event.what === "pause" ? { pause: event.want } : { more: event.want },
      );
    case "paused":
      return withGame(withRoom(next, { paused: event.at }), () => ({ deadline: null }));
    case "resumed": {
      const seats = room.seats.map((seat) => ({ ...seat, pause: false }));
      return withGame(withRoom(next, { paused: null, seats }), (game) => ({
        turn_began: event.turn_began ?? game.turn_began ?? 0,
        deadline: event.deadline ?? null,
      }));
    }
    case "clock":
      return withGame(next, () => ({
        turn_began: event.turn_began,
        deadline: event.deadline ?? null,
      }));
    case "said": {
      const { at, seat, text, emote } = event;
      const said = { at, seat, text: text ?? "", emote: emote ?? "" };
      return withRoom(next, { chat: [...(room.chat ?? []), said].slice(-CHAT_KEPT) });
    }
    case "muted": {
      const others = (room.muted ?? []).filter((seat) => seat !== event.seat);
      return withRoom(next, { muted: event.on ? [...others, event.seat].sort() : others });
    }
    case "forgotten": {
      const forgotten = new Set(event.seats);
      const seats = room.seats.map((seat, number) =>
        forgotten.has(number) ? { ...seat, name: event.name } : seat,
      );
      return withRoom(next, { seats, chat: [] });
    }
    case "closed":
      return withRoom(next, { phase: "closed", since: event.at });
    case "hidden":
      return next;
  }
}

/** What a spectator knows who had a seat until now. */
function outside(state: RoomState): RoomState {
  const after = withGame(withRoom(state, { muted: [], draft: null }), ({ last }) => ({
    rack: [],
    last: last?.action === "drew" ? { ...last, tiles: [] } : (last ?? null),
  }));
  return { ...after, you: null };
}

type Talk = Pick<RoomInfo, "chat" | "muted">;

/** What was said and who is muted, once seats have other numbers; those without one are nobody's. */
function renumbered({ chat, muted }: Talk, place: (seat: number) => number): Required<Talk> {
  return {
    chat: (chat ?? []).flatMap((said) => {
      const seat = place(said.seat);
      return seat < 0 ? [] : [{ ...said, seat }];
    }),
    muted: (muted ?? []).map(place).filter((seat) => seat >= 0),
  };
}

function gone(room: RoomInfo, number: number): Talk {
  return renumbered(room, (seat) => (seat === number ? -1 : seat));
}

function closedUp(room: RoomInfo, stays: (seat: SeatInfo) => boolean): Talk {
  const staying = [...room.seats.keys()].filter((number) => stays(room.seats[number]!));
  return renumbered(room, (seat) => staying.indexOf(seat));
}

type Turn = Extract<RoomEvent, { type: "played" | "drew" | "passed" }>;

function withTurn(
  state: RoomState,
  event: Turn,
  count: number,
  tiles: readonly string[],
  change: (game: GameInfo) => Partial<GameInfo>,
): RoomState {
  const last: LastTurn = { seat: event.seat, action: event.type, why: event.why, count, tiles };
  return withGame(withRoom(state, { draft: null }), (game) => ({
    ...change(game),
    current: event.current,
    turn: event.turn,
    turn_began: event.at,
    deadline: event.deadline,
    final_turns: event.final_turns,
    manipulation: event.manipulation,
    last,
  }));
}

function sizes(game: GameInfo, seat: number, more: number): number[] {
  return (game.rack_sizes ?? []).map((size, each) => (each === seat ? size + more : size));
}

function without(tiles: readonly string[], gone: ReadonlySet<string>): string[] {
  return tiles.filter((tile) => !gone.has(tile));
}

function withRoom(state: RoomState, changes: Partial<RoomInfo>): RoomState {
  return { ...state, room: { ...state.room, ...changes } };
}

function withGame(state: RoomState, change: (game: GameInfo) => Partial<GameInfo>): RoomState {
  const game = state.room.game;
  return game == null ? state : withRoom(state, { game: { ...game, ...change(game) } });
}

function withSeat(state: RoomState, number: number, seat: SeatInfo): RoomState {
  const seats = state.room.seats.map((each, other) => (other === number ? seat : each));
  return withRoom(state, { seats });
}

function editSeat(state: RoomState, number: number, changes: Partial<SeatInfo>): RoomState {
  const seat = state.room.seats[number];
  return seat === undefined ? state : withSeat(state, number, { ...seat, ...changes });
}
