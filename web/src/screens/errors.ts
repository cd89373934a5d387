/** Errors and refusals of the server, in words. */

import { ApiError } from "../session/api";
import { has, t } from "../words";

/** Why a request failed, in words. */
export function errorWords(error: unknown): string {
  const code = error instanceof ApiError ? error.code : "internal";
  const known = [
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

/** Why it refused a command. */
export function refusalOf(code: string): string {
  return has(`refusal.${code}`) ? t(`refusal.${code}`) : t("error.unknown");
}
