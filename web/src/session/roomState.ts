/** The state of a room on the client: a snapshot, with every later event folded in. */

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
  /** This client's seat; null for a spectator. */
  readonly you: number | null;
  readonly room: RoomInfo;
}

export const CHAT_KEPT = 50;

export function fromSnapshot({ version, you, room }: Snapshot): RoomState {
  // Default values are left out on the wire; seat 0 and turn 0 are such values.
  const game = room.game == null ? null : { current: 0, turn: 0, ...room.game };
  return { version, you, room: { ...room, game } };
}

type EventOf<T extends RoomEvent["type"]> = Extract<RoomEvent, { type: T }>;
type Folds = {
  readonly [T in RoomEvent["type"]]: (state: RoomState, event: EventOf<T>) => RoomState;
};

/** What each kind of event does to the state; a missing kind is a type error. */
const FOLDS: Folds = {
  // Seats
  seated: (state, { seat, name, bot }) =>
    withSeat(state, seat, { kind: bot == null ? "person" : "bot", name, bot: bot ?? null }),
  left: (state, event) => left(withoutVotes(state, event.seat), event),
  hosted: (state, event) => withRoom(state, { host: event.seat }),
  dropped: (state, { seat }) =>
    editSeat(withoutVotes(state, seat), seat, { away: true, pause: false, more: false }),
  returned: (state, { seat }) => editSeat(state, seat, { away: false, bot: null }),
  replaced: (state, { seat, bot }) => editSeat(withoutVotes(state, seat), seat, { bot }),
  voted,
  asked: (state, { seat, what, want }) =>
    editSeat(state, seat, what === "pause" ? { pause: want } : { more: want }),
  forgotten: (state, { seats, name }) => {
    const gone = new Set(seats);
    const after = state.room.seats.map((seat, number) =>
      gone.has(number) ? { ...seat, name } : seat,
    );
    return withRoom(state, { seats: after, chat: [] });
  },
  // The room and its match
  began,
  reopened,
  closed: (state, { at }) => withRoom(state, { phase: "closed", since: at }),
  paused: (state, { at }) => withGame(withRoom(state, { paused: at }), () => ({ deadline: null })),
  resumed: (state, event) => {
    const seats = state.room.seats.map((seat) => ({ ...seat, pause: false }));
    return withGame(withRoom(state, { paused: null, seats }), (game) => ({
      turn_began: event.turn_began ?? game.turn_began ?? 0,
      deadline: event.deadline ?? null,
    }));
  },
  said: (state, { at, seat, text, emote }) => {
    const said = { at, seat, text: text ?? "", emote: emote ?? "" };
    return withRoom(state, { chat: [...(state.room.chat ?? []), said].slice(-CHAT_KEPT) });
  },
  muted: (state, { seat, on }) => {
    const others = (state.room.muted ?? []).filter((each) => each !== seat);
    return withRoom(state, { muted: on ? [...others, seat].sort() : others });
  },
  // A game
  created,
  seeded: (state, event) =>
    withGame(state, (game) => ({
      seeds: at(game.seeds, event.seat, event.seed),
    })),
  committed: (state, { seat, commitment }) =>
    withGame(state, ({ commitments }) => ({ commitments: at(commitments, seat, commitment) })),
  fixed: (state, event) =>
    withGame(withRoom(state, { since: event.at }), () => ({ sources: event.sources })),
  revealed: (state, { seat, seed }) =>
    withGame(state, ({ seeds }) => ({ seeds: at(seeds, seat, seed) })),
  cancelled,
  starter: (state, { starter, draws }) =>
    withGame(state, () => ({ starter, starter_draws: draws })),
  dealt,
  clock: (state, { turn_began, deadline }) =>
    withGame(state, () => ({ turn_began, deadline: deadline ?? null })),
  played,
  drew: (state, event) =>
    withTurn(state, event, event.count, event.tiles ?? [], (game) => ({
      rack: [...(game.rack ?? []), ...(event.tiles ?? [])],
      rack_sizes: sizes(game, event.seat, event.count),
      pool: (game.pool ?? 0) - event.count,
      passes: 0,
    })),
  passed: (state, event) =>
    withTurn(state, event, 0, [], (game) => ({ passes: (game.passes ?? 0) + 1 })),
  ended: (state, { phase, at, match, final }) =>
    withGame(withRoom(state, { phase, since: at, match }), () => ({
      phase: "over",
      final,
      deadline: null,
    })),
  hidden: (state) => state,
};

/** The state after an event, which has the next version. */
export function fold(state: RoomState, event: RoomEvent): RoomState {
  const act = FOLDS[event.type] as (state: RoomState, event: RoomEvent) => RoomState;
  return act({ ...state, version: state.version + 1 }, event);
}

function voted(state: RoomState, { what, about, seat, want }: EventOf<"voted">): RoomState {
  const others = (state.room.votes ?? []).filter(
    (vote) => vote.what !== what || vote.about !== about || vote.seat !== seat,
  );
  return withRoom(state, { votes: want ? [...others, { what, about, seat }] : others });
}

/** Without the votes of a seat, and those about it. */
function withoutVotes(state: RoomState, seat: number): RoomState {
  const votes = (state.room.votes ?? []).filter(
    (vote) => vote.seat !== seat && vote.about !== seat,
  );
  return withRoom(state, { votes });
}

function left(state: RoomState, { seat, bot }: EventOf<"left">): RoomState {
  const name = state.room.seats[seat]?.name ?? "";
  const after =
    bot == null
      ? withSeat(withRoom(state, gone(state.room, seat)), seat, { kind: "free" })
      : withSeat(state, seat, { kind: "bot", name, bot });
  return seat === state.you ? outside(after) : after;
}

function began(state: RoomState, event: EventOf<"began">): RoomState {
  const { seats, at, host, match, you } = event;
  const talk = closedUp(state.room, (seat) => seat.kind !== "free");
  return {
    ...withRoom(state, { seats, since: at, host: host ?? null, match, votes: [], ...talk }),
    you,
  };
}

function reopened(state: RoomState, event: EventOf<"reopened">): RoomState {
  // A person who leaves after the match frees the seat.
  const stays = ({ kind, away }: SeatInfo) => kind === "bot" || (kind === "person" && !away);
  const after = withRoom(state, {
    phase: "lobby",
    since: event.at,
    seats: event.seats,
    host: event.host ?? null,
    match: null,
    game: null,
    votes: [],
    ...closedUp(state.room, stays),
  });
  return event.you === null ? outside(after) : { ...after, you: event.you };
}

function created(state: RoomState, event: EventOf<"created">): RoomState {
  const { seats } = state.room;
  return withRoom(state, {
    phase: "dealing",
    since: event.at,
    seats: seats.map((seat) => ({ ...seat, more: false })),
    draft: null,
    votes: [],
    game: {
      number: event.number,
      phase: "waiting",
      commitment: event.commitment,
      shuffle_version: event.shuffle_version ?? 2,
      transcript: event.transcript ?? "",
      commitments: seats.map(() => null),
      sources: [],
      seeds: seats.map(() => null),
      cancelled: [],
      // The starting player is known with the deal.
      starter: null,
    },
  });
}

/** The deal was not dealt: all seats commit again. */
function cancelled(state: RoomState, event: EventOf<"cancelled">): RoomState {
  return withGame(withRoom(state, { since: event.at }), (game) => {
    const { commitment, commitments = [], sources = [], seeds } = game;
    const deal = { secret: event.secret, commitment, commitments, sources, seeds };
    const nothing = seeds.map(() => null);
    return {
      commitment: event.commitment,
      transcript: event.transcript,
      commitments: nothing,
      sources: [],
      seeds: nothing,
      cancelled: [...(game.cancelled ?? []), deal],
    };
  });
}

function dealt(state: RoomState, event: EventOf<"dealt">): RoomState {
  return withGame(withRoom(state, { phase: "playing", since: event.at }), () => ({
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
}

function played(state: RoomState, event: EventOf<"played">): RoomState {
  const laid = new Set(event.tiles);
  return withTurn(state, event, event.tiles.length, event.tiles, (game) => ({
    table: event.table,
    declared: event.declared ?? [],
    opened: (game.opened ?? []).map((opened, seat) => opened || seat === event.seat),
    rack: event.seat === state.you ? without(game.rack ?? [], laid) : (game.rack ?? []),
    rack_sizes: sizes(game, event.seat, -event.tiles.length),
    passes: 0,
  }));
}

/** The state of a player who becomes a spectator: without what only players see. */
function outside(state: RoomState): RoomState {
  const after = withGame(withRoom(state, { muted: [], draft: null }), ({ last }) => ({
    rack: [],
    last: last?.action === "drew" ? { ...last, tiles: [] } : (last ?? null),
  }));
  return { ...after, you: null };
}

type Talk = Pick<RoomInfo, "chat" | "muted">;

/** Chat and mutes after seats get other numbers; those of a seat without a number are dropped. */
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
  const { seat, type: action, why, remark } = event;
  const last: LastTurn = { seat, action, why, count, tiles, ...(remark && { remark }) };
  const votes = (state.room.votes ?? []).filter((vote) => vote.what !== "stand-in");
  return withGame(withRoom(state, { draft: null, votes }), (game) => ({
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

/** The same items, but another one at this seat. */
function at<T>(items: readonly (T | null)[] = [], seat: number, item: T): (T | null)[] {
  return items.map((each, other) => (other === seat ? item : each));
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
