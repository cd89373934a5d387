/** The bots of "play now": what the one of the level is like, how they play, and how they change. */

import { botsAround, LADDER } from "../game/choices";
import { choose, prefs } from "../prefs";
import { language, t } from "../words";
import { AboutBot } from "./aboutBot";
import { follows, setFollows } from "./follow";
import { PaceChoice } from "./paceChoice";
import { Switch } from "./parts";

export function Opponents() {
  const { edition, level, pace } = prefs.value;
  const names = botsAround(level).map((bot) => t(`bot.${bot}`));
  return (
    <>
      <p id="opponent" class="note">
        <AboutBot bot={LADDER[level - 1]!.id} edition={edition} />
        <br />
        {t("follow.table", { names: new Intl.ListFormat(language.value).format(names) })}
      </p>
      <details class="options">
        <summary>{t("follow.more")}</summary>
        <section>
          <Switch
            label={t("follow.title")}
            note={t("follow.note")}
            on={follows.value}
            onChange={setFollows}
          />
          <PaceChoice pace={pace} onChoose={(chosen) => choose({ pace: chosen })} />
        </section>
      </details>
    </>
  );
}
