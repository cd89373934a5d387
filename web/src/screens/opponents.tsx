/** The bots of "play now": what the one of the level is like, how they play, and how they change. */

import { LADDER } from "../game/choices";
import { choose, prefs } from "../prefs";
import { t } from "../words";
import { follows, setFollows } from "./follow";
import { PaceChoice } from "./paceChoice";
import { Switch } from "./parts";
import { botWords } from "./strength";

export function Opponents() {
  const { edition, level, pace } = prefs.value;
  return (
    <>
      <p id="opponent" class="note">
        {botWords(LADDER[level - 1]!.id, edition)}
      </p>
      <details>
        <summary>{t("follow.more")}</summary>
        <Switch
          label={t("follow.title")}
          note={t("follow.note")}
          on={follows.value}
          onChange={setFollows}
        />
        <PaceChoice pace={pace} onChoose={(chosen) => choose({ pace: chosen })} />
      </details>
    </>
  );
}
