/** The names of players, as this player reads them. */

import { BOTS, type BotSpec } from "../generated/bots";
import type { SeatInfo } from "../generated/wire";
import type { Seat } from "../session/seat";
import { t } from "../words";

/** The bot that the server gave this name, and its number; records keep such names. The first of a
 * kind has none, or 1 in older rooms and records. */
function givenName(name: string): { spec: BotSpec; number: string } | null {
  const [, title, number = "1"] = /^(\S+)(?: (\d+))?$/.exec(name) ?? [];
  const spec = BOTS.find(({ id }) => title === id[0]!.toUpperCase() + id.slice(1));
  return spec === undefined ? null : { spec, number: number === "1" ? "" : ` ${number}` };
}

/** Right-to-left text, such as Hebrew and Arabic. */
const TURNED =
  /[\u0590-\u08ff\u200f\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/** Isolate right-to-left names, so that they do not reorder the sentence around them. */
function isolated(name: string): string {
  return TURNED.test(name) ? `\u2068${name}\u2069` : name;
}

/** What a kind of bot is called, with its level if it has one. */
export function botKind({ id, level }: BotSpec): string {
  const name = t(`bot.${id}`);
  return level === 0 ? name : t("bots.level", { level, name });
}

/** A bot has a name in every language; one that stands in for a person keeps the person's. */
export function seatName({ kind, name = "", bot }: SeatInfo): string {
  const given = kind === "bot" ? givenName(name) : null;
  if (given === null || given.spec.id !== bot) return isolated(name);
  return `${t(`bot.${given.spec.id}`)}${given.number}`;
}

/** Whether a bot plays for a person, who is away or has left. */
export function isReplaced(seat: SeatInfo): boolean {
  if (seat.kind === "person") return seat.bot != null;
  return seat.kind === "bot" && givenName(seat.name ?? "") === null;
}

/** The part of a seat that sentences about turns need. */
export type SeatView = Pick<Seat, "room" | "game" | "you">;

export function nameAt(seat: Pick<Seat, "room">, number: number): string {
  const found = seat.room.value?.seats[number];
  return found === undefined ? "" : seatName(found);
}

/** The name of a seat, or "you". */
export function nameOrYou(seat: Seat, number: number): string {
  return number === seat.you.value ? t("players.you") : nameAt(seat, number);
}
