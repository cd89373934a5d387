/** A streak of results against bots, and the level that follows it. */

export interface Streak {
  /** The level at which the games were played. */
  readonly level: number;
  /** Games won in a row; negative for games lost. */
  readonly run: number;
  /** The game that was counted last. */
  readonly game: string;
}

export const NO_STREAK: Streak = { level: 0, run: 0, game: "" };

/** So many wins in a row lead one level up, so many losses one level down. */
export const ENOUGH = 2;

/** The streak after a game. Another level begins another streak. */
export function withResult(streak: Streak, level: number, game: string, won: boolean): Streak {
  if (streak.game === game) return streak;
  const before = streak.level === level ? streak.run : 0;
  return { level, game, run: won ? Math.max(before, 0) + 1 : Math.min(before, 0) - 1 };
}

/** The level after a streak, from 1 to the highest. */
export function levelAfter({ level, run }: Streak, highest: number): number {
  if (Math.abs(run) < ENOUGH) return level;
  return Math.max(1, Math.min(level + Math.sign(run), highest));
}

/** The level of a table: that of its middle bot; 0 if anyone there is not a bot with a level. */
export function tableLevel(levels: readonly number[]): number {
  if (levels.length === 0 || levels.includes(0)) return 0;
  return [...levels].sort((one, other) => one - other)[Math.floor((levels.length - 1) / 2)]!;
}
