/** The editions with the values of their options, generated from the rules. */

import known from "../generated/editions.json";
import type { Settings } from "../generated/wire";

export type Edition = NonNullable<Settings["edition"]>;
export type Value = string | number | boolean | null;
export type Options = Readonly<Record<string, Value>>;

export interface Box {
  readonly options: Options;
  /** Whether the fourth colour is yellow, and not orange. */
  readonly yellow: boolean;
}

export const EDITIONS: Readonly<Record<Edition, Box>> = known;
export const NAMES = Object.keys(EDITIONS) as Edition[];
/** The default edition. */
export const [USUAL] = NAMES as [Edition];

export interface Chosen {
  readonly edition?: Edition;
  readonly options?: Readonly<Record<string, unknown>>;
}

/** The value that an option has in a room. */
export function optionIn({ edition = USUAL, options = {} }: Chosen, key: string): Value {
  return (options[key] as Value | undefined) ?? EDITIONS[edition].options[key] ?? null;
}
