/** Texts of the problems of a record that fails verification. */

import type { ProblemReply } from "../generated/wire";
import { has, t } from "../words";

/** "Game 2, turn 5: this turn did not follow the rules." */
export function problemWords({ code, message, game, turn }: ProblemReply): string {
  const what = has(`problem.${code}`) ? t(`problem.${code}`) : message;
  return turn === null
    ? t("problem.in-game", { game, what })
    : t("problem.in-turn", { game, turn, what });
}
