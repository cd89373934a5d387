/** Texts of errors and refusals. */

import type { FailureCode } from "../failures";
import { ApiError } from "../session/api";
import { has, t } from "../words";

/** The text of a failed request. */
export function errorWords(error: unknown): string {
  const code: FailureCode = error instanceof ApiError ? error.code : "internal";
  const known: readonly FailureCode[] = [
    "already-begun",
    "bad-name",
    "bad-option",
    "name-taken",
    "no-room",
    "offline",
    "room-full",
    "too-fast",
    "unavailable",
  ];
  return known.includes(code) ? t(`error.${code}`) : refusalOf(code);
}

/** The text of a refused command. */
export function refusalOf(code: FailureCode): string {
  return has(`refusal.${code}`) ? t(`refusal.${code}`) : t("error.unknown");
}
