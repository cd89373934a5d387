/** What a bot is like, and how strong it is, as measured. */

import type { Edition } from "../game/editions";
import type { BotId } from "../generated/bots";
import measured from "../generated/strengths.json";
import { t } from "../words";

interface Strength {
  readonly against: string;
  /** Per cent of the games won. */
  readonly wins: number;
  readonly players: number;
}

const STRENGTHS = measured as Readonly<Record<string, Readonly<Record<string, Strength>>>>;

interface BotProps {
  bot: BotId;
  edition: Edition;
}

/** What a bot is like, and how often it wins in an edition. */
export function AboutBot({ bot, edition }: BotProps) {
  return (
    <>
      {t(`character.${bot}`)}
      <br />
      {strengthWords(STRENGTHS[edition]?.[bot])}
    </>
  );
}

function strengthWords(strength: Strength | undefined): string {
  if (strength === undefined) return t("strength.unknown");
  const { against, wins, players } = strength;
  return t("strength.wins", { percent: wins, name: t(`bot.${against}`), players });
}
