/** The settings of a room in words. */

import { CLOCK, houseRules } from "../game/choices";
import { type Options, optionIn, USUAL } from "../game/editions";
import type { Settings } from "../generated/wire";
import { t } from "../words";

/** The settings in one line. */
export function factsOf(settings: Settings): string {
  const { edition = USUAL, options = {} } = settings;
  const seconds = Number(optionIn(settings, CLOCK));
  const own = houseRules({ edition, changed: options as Options });
  return [
    seconds === 0 ? t("create.no-clock") : t("lobby.seconds", { seconds }),
    t("lobby.rounds", { count: settings.rounds ?? 1 }),
    ...(settings.hints ? [t("lobby.hints")] : []),
    ...(own > 0 ? [t("lobby.own-rules", { count: own })] : []),
  ].join(" · ");
}
