/** For those who listen: what happens is said, and the table can be read as text. */

import { type Signal, untracked, useSignal, useSignalEffect } from "@preact/signals";
import { useCallback } from "preact/hooks";
import { onRack, played } from "../game/draft";
import { points } from "../game/tiles";
import type { Seat } from "../session/seat";
import { type Announce, tableWords } from "../table/ariaText";
import { namesOf } from "../table/tile";
import { t } from "../words";

/** Milliseconds after a change, when it has been drawn. */
const TOLD_AFTER = 60;

/** Words for a region that is read aloud. They follow the picture, and do not hold it up. */
export function useVoice(): [Signal<string>, Announce] {
  const said = useSignal("");
  const say = useCallback<Announce>((words) => {
    setTimeout(() => {
      const text = typeof words === "string" ? words : words();
      if (text === "") return;
      // The same words twice are said twice.
      said.value = said.peek() === text ? `${text}\u00a0` : text;
    }, TOLD_AFTER);
  }, []);
  return [said, say];
}

/** The table in words: what a screen reader finds when it walks over the page. */
export function Listening({ seat }: { seat: Seat }) {
  // All rows in words are long: they follow a step, and do not hold up its picture.
  const told = useSignal(0);
  useSignalEffect(() => {
    seat.settled.value;
    seat.preview.value;
    const timer = setTimeout(() => {
      told.value += 1;
    }, TOLD_AFTER);
    return () => clearTimeout(timer);
  });
  told.value;
  const { table, rack, count } = untracked(() => ({
    table: tableWords(seat),
    rack: onRack(seat.draft.value),
    count: played(seat.draft.value, seat.base.value).length,
  }));
  return (
    <section class="unseen" aria-label={t("board.words")}>
      <h2>{t("board.table")}</h2>
      <p>{table}</p>
      <h2>{t("board.rack")}</h2>
      <p>
        {rack.length === 0
          ? t("board.no-rack")
          : t("say.rack-worth", {
              tiles: namesOf(rack),
              points: points(rack, seat.jokerPenalty.value),
            })}
      </p>
      <p>{t("board.laid", { count })}</p>
    </section>
  );
}
