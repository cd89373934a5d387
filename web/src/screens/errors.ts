/** Texts of errors and refusals. */

import type { FailureCode } from "../failures";
import { ApiError } from "../session/api";
import { has, t } from "../words";

/** The text of a failed request. */
export function errorWords(error: unknown): string {
  if (!(error instanceof ApiError)) return t("error.unknown");
  const keys = [`error.${error.code}`, `impossible.${error.code}`, `refusal.${error.code}`];
  return t(keys.find(has) ?? "error.unknown", error.params);
}

/** The text of a refused command. */
export function refusalOf(code: FailureCode): string {
  return has(`refusal.${code}`) ? t(`refusal.${code}`) : t("error.unknown");
}
