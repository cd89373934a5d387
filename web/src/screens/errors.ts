/** Texts of errors and refusals. */

import type { FailureCode } from "../failures";
import { ApiError } from "../session/api";
import { has, t } from "../words";

/** The text of a failed request. */
export function errorWords(error: unknown): string {
  if (!(error instanceof ApiError)) return t("error.unknown");
  return has(`error.${error.code}`) ? t(`error.${error.code}`) : refusalOf(error.code);
}

/** The text of a refused command. */
export function refusalOf(code: FailureCode): string {
  return has(`refusal.${code}`) ? t(`refusal.${code}`) : t("error.unknown");
}
