/** Option specs: the type and the allowed values of each option. */

import type { OptionGroup, OptionKind } from "../generated/options";
import known from "../generated/options.json";

export interface Spec {
  readonly kind: OptionKind;
  readonly group: OptionGroup;
  readonly choices: readonly string[];
  readonly min: number;
  readonly max: number;
  readonly nullable: boolean;
  /** The kinds of joker that it applies to. */
  readonly needs: readonly string[];
}

/** TypeScript reads each text in a JSON file as `string`; both files come from the same types. */
export const SPECS = known as Readonly<Record<string, Spec>>;
