/** The editions and their options, as the rules have them. */

import known from "../generated/editions.json";
import type { Settings } from "../generated/wire";

export type Edition = NonNullable<Settings["edition"]>;
export type Value = string | number | boolean | null;
export type Options = Readonly<Record<string, Value>>;

export interface Spec {
  readonly kind: string;
  readonly choices: readonly string[];
  readonly min: number;
  readonly max: number;
  readonly nullable: boolean;
  /** Jokers without which it says nothing. */
  readonly needs: readonly string[];
}

export interface Box {
  readonly options: Options;
  /** Whether the fourth colour is yellow, and not orange. */
  readonly yellow: boolean;
}

export const SPECS: Readonly<Record<string, Spec>> = known.options;
export const EDITIONS: Readonly<Record<Edition, Box>> = known.editions;
export const NAMES = Object.keys(EDITIONS) as Edition[];
