/** Which values the options of an edition take, as the rules have them. */

import known from "../generated/options.json";

export interface Spec {
  readonly kind: string;
  readonly choices: readonly string[];
  readonly min: number;
  readonly max: number;
  readonly nullable: boolean;
  /** Jokers without which it says nothing. */
  readonly needs: readonly string[];
}

export const SPECS: Readonly<Record<string, Spec>> = known;
