/** The bot that the host puts on free seats, and its character. */

import type { Signal } from "@preact/signals";
import type { Edition } from "../game/editions";
import { BOTS, type BotId } from "../generated/bots";
import { t } from "../words";
import { AboutBot } from "./aboutBot";
import { botKind } from "./names";

const OFFERED = BOTS.filter(({ offer }) => offer === "ladder" || offer === "name");

interface BotFieldProps {
  bot: Signal<BotId>;
  edition: Edition;
}

export function BotField({ bot, edition }: BotFieldProps) {
  return (
    <label class="field">
      <span>{t("lobby.bot")}</span>
      <select
        id="bot"
        value={bot.value}
        aria-describedby="character"
        onChange={(event) => {
          bot.value = event.currentTarget.value as BotId;
        }}
      >
        {OFFERED.map((each) => (
          <option key={each.id} value={each.id}>
            {botKind(each)}
          </option>
        ))}
      </select>
      <small id="character" class="note">
        <AboutBot bot={bot.value} edition={edition} />
      </small>
    </label>
  );
}
