/** For screen readers: live regions, and the table as text. */

import { type Signal, untracked, useSignal, useSignalEffect } from "@preact/signals";
import { useCallback } from "preact/hooks";
import { onRack, played } from "../game/draft";
import { points } from "../game/tiles";
import { type Announce, tableWords } from "../table/ariaText";
import type { TableStore } from "../table/store";
import { namesOf } from "../table/tile";
import { t } from "../words";

/** Milliseconds after a change, so that it is drawn first. */
const ANNOUNCE_AFTER = 60;

/** The text of a live region. It follows the frame and does not delay it. */
export function useVoice(): [Signal<string>, Announce] {
  const said = useSignal("");
  const say = useCallback<Announce>((words) => {
    setTimeout(() => {
      const text = typeof words === "string" ? words : words();
      if (text === "") return;
      // A repeated text differs, so that it is read again.
      said.value = said.peek() === text ? `${text}\u00a0` : text;
    }, ANNOUNCE_AFTER);
  }, []);
  return [said, say];
}

/** The table as text, for the browse mode of a screen reader. */
export function Listening({ table }: { table: TableStore }) {
  // Composing this text is slow, so it follows the frame of a step.
  const revision = useSignal(0);
  useSignalEffect(() => {
    table.settled.value;
    table.preview.value;
    const timer = setTimeout(() => {
      revision.value += 1;
    }, ANNOUNCE_AFTER);
    return () => clearTimeout(timer);
  });
  revision.value;
  const { words, rack, count } = untracked(() => ({
    words: tableWords(table),
    rack: onRack(table.draft.value),
    count: played(table.draft.value, table.position.value).length,
  }));
  return (
    <section class="unseen" aria-label={t("board.words")}>
      <h2>{t("board.table")}</h2>
      <p>{words}</p>
      <h2>{t("board.rack")}</h2>
      <p>
        {rack.length === 0
          ? t("board.no-rack")
          : t("say.rack-worth", {
              tiles: namesOf(rack),
              points: points(rack, table.position.value.rules.rackPenalty),
            })}
      </p>
      <p>{t("board.laid", { count })}</p>
    </section>
  );
}
