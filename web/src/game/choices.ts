/**
 * The form of a new room, and the settings that it sends.
 *
 * An edition brings its own clock, games per round, seats and every other option. Choosing another
 * edition drops the options that were changed by hand, the clock among them. It keeps what is about
 * the evening and not about the rules: the number of seats as far as the edition has them, the
 * rounds, the hints, and whether the room is public.
 */

import { BOTS } from "../generated/bots";
import type { NewRoom, Settings } from "../generated/wire";
import { EDITIONS, type Edition, type Options, optionIn, type Value } from "./editions";

export interface Choices {
  readonly edition: Edition;
  /** Chosen by the player; null for the default of the edition. */
  readonly seats: number | null;
  readonly rounds: number;
  readonly hints: boolean;
  readonly pace: BotPace;
  readonly isPublic: boolean;
  /** The options that differ from the edition. */
  readonly changed: Options;
}

export const CLOCK = "timer.seconds";

export type BotPace = NonNullable<Settings["bot_pace"]>;

/** From quick to slow. */
export const PACES: readonly BotPace[] = ["at-once", "fast", "normal", "slow"];

export function begin(edition: Edition, pace: BotPace = "normal"): Choices {
  return { edition, seats: null, rounds: 1, hints: false, pace, isPublic: false, changed: {} };
}

export function withEdition(choices: Choices, edition: Edition): Choices {
  return { ...choices, edition, changed: {} };
}

export function withOption(choices: Choices, key: string, value: Value): Choices {
  const { [key]: _, ...others } = choices.changed;
  const isUsual = value === EDITIONS[choices.edition].options[key];
  return { ...choices, changed: isUsual ? others : { ...others, [key]: value } };
}

/** Reset the rules to those of the edition. The clock is not a rule and stays. */
export function withUsualRules(choices: Choices): Choices {
  const seconds = choices.changed[CLOCK];
  return { ...choices, changed: seconds === undefined ? {} : { [CLOCK]: seconds } };
}

/** How many rules differ from the edition. */
export function houseRules({ edition, changed }: Pick<Choices, "edition" | "changed">): number {
  const usual = EDITIONS[edition].options;
  return Object.keys(changed).filter((key) => key !== CLOCK && changed[key] !== usual[key]).length;
}

export function optionOf({ edition, changed }: Choices, key: string): Value {
  return optionIn({ edition, options: changed }, key);
}

/** The numbers of seats that the edition allows, in ascending order. */
export function seatNumbers(choices: Choices): number[] {
  const least = Number(optionOf(choices, "players.min"));
  const most = Number(optionOf(choices, "players.max"));
  return Array.from({ length: most - least + 1 }, (_, index) => least + index);
}

export function seatsOf(choices: Choices): number {
  const numbers = seatNumbers(choices);
  const most = numbers.at(-1)!;
  return Math.max(numbers[0]!, Math.min(choices.seats ?? most, most));
}

/** The choices for the clock: common times, and that of the edition. */
export function clocks({ edition }: Choices): number[] {
  const own = Number(EDITIONS[edition].options[CLOCK]);
  return [...new Set([0, 30, 60, 90, 120, own])].sort((one, other) => one - other);
}

export function settingsOf(choices: Choices): Settings {
  const { edition, changed, rounds, hints, pace, isPublic } = choices;
  return {
    edition,
    options: changed as NonNullable<Settings["options"]>,
    seats: seatsOf(choices),
    rounds,
    hints,
    bot_pace: pace,
    public: isPublic,
  };
}

/** The bots of the ladder, from weak to strong: level 1 comes first. */
export const LADDER = BOTS.filter(({ offer }) => offer === "ladder");

/** The bot of a level, or of the nearest one that there is. */
const botAt = (level: number) => LADDER[Math.min(Math.max(level, 1), LADDER.length) - 1]!.id;

/** The bots of "play now", from weak to strong. */
export const botsAround = (level: number) => [-1, 0, 1].map((beside) => botAt(level + beside));

/** The orders in which the bots can sit, as levels beside that of the person. */
const ORDERS = [
  [-1, 0, 1],
  [0, 1, -1],
  [1, -1, 0],
  [-1, 1, 0],
  [0, -1, 1],
  [1, 0, -1],
] as const;

/**
 * "Play now": one person against a bot of a level and one of each level beside it, without a clock
 * and with hints. Their order is left to chance: a player behind a strong one wins less.
 */
export function playNow(
  { edition, level, pace }: { edition: Edition; level: number; pace?: BotPace },
  chance = Math.random(),
): NewRoom {
  const order = ORDERS[Math.floor(chance * ORDERS.length)]!;
  const bots = order.map((beside) => botAt(level + beside));
  const choices = { ...begin(edition, pace), seats: bots.length + 1, hints: true };
  return { settings: settingsOf(withOption(choices, CLOCK, 0)), bots };
}
