/** The bots of "play now": what the one of the level is like, how they play, and how they change. */

import { LADDER } from "../game/choices";
import { choose, prefs } from "../prefs";
import { t } from "../words";
import { AboutBot } from "./aboutBot";
import { follows, setFollows } from "./follow";
import { PaceChoice } from "./paceChoice";
import { Switch } from "./parts";

export function Opponents() {
  const { edition, level, pace } = prefs.value;
  return (
    <>
      <p id="opponent" class="note">
        <AboutBot bot={LADDER[level - 1]!.id} edition={edition} />
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
