/** The level of "play now" follows the results of the player, if they like; stored in this browser. */

import { effect, signal } from "@preact/signals";
import { LADDER } from "../game/choices";
import { levelAfter, NO_STREAK, type Streak, tableLevel, withResult } from "../game/streak";
import { BOTS } from "../generated/bots";
import type { RoomInfo } from "../generated/wire";
import { choose, prefs } from "../prefs";
import { recall, remember } from "../storage";

const KEY = "tilerummy follow";

interface Follow {
  readonly on: boolean;
  readonly streak: Streak;
}

function read(text: string | null): Follow {
  try {
    const { on, streak } = JSON.parse(text ?? "{}") as Partial<Follow>;
    const { level, run, game } = streak ?? NO_STREAK;
    const isValid = Number.isInteger(level) && Number.isInteger(run) && typeof game === "string";
    return { on: on === true, streak: isValid ? { level, run, game } : NO_STREAK };
  } catch {
    return { on: false, streak: NO_STREAK };
  }
}

const state = signal(read(recall("local", KEY)));
effect(() => remember("local", KEY, JSON.stringify(state.value)));

export const follows = {
  get value(): boolean {
    return state.value.on;
  },
};

export function setFollows(on: boolean): void {
  state.value = { on, streak: NO_STREAK };
}

/** The level that a finished game leads to; null if it stays. Each game counts once, and only with
 * bots of the chosen level on all other seats. */
export function follow(room: RoomInfo, you: number | null): number | null {
  const { game } = room;
  const { level } = prefs.peek();
  const { on, streak } = state.peek();
  if (!on || you === null || game?.final == null || room.seats[you]?.bot != null) return null;
  const others = room.seats.filter((_, number) => number !== you);
  const levels = others.map(({ kind, bot }) =>
    kind === "bot" ? (BOTS.find(({ id }) => id === bot)?.level ?? 0) : 0,
  );
  if (tableLevel(levels) !== level || streak.game === game.commitment) return null;
  const after = withResult(streak, level, game.commitment, game.final.winners.includes(you));
  const next = levelAfter(after, LADDER.length);
  state.value = { on, streak: after };
  if (next === level) return null;
  choose({ level: next });
  return next;
}
