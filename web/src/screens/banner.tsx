/** The status line above the table: what matters now, or else what happened last. */

import { type Signal, useSignal, useSignalEffect } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { Seat } from "../session/seat";
import { reasonOf } from "../table/reasons";
import type { Refusal } from "../table/state";
import { t } from "../words";
import { callWords } from "./endings";
import { refusalOf } from "./errors";
import { useLost } from "./lost";
import { lastBriefly, lastWords, turnWords } from "./news";
import { Button } from "./parts";
import { useRemoved } from "./removed";

/** The refusal of a pass by a player who can play, when the pool is empty. */
const MUST_PLAY = "must-play";

/** The most important line: no connection, a refusal, a fault, or else the last turn. */
export function Banner({ seat }: { seat: Seat }) {
  const room = seat.room.value!;
  const lost = useLost(seat);
  const own = useOwnNews(seat);
  const isRemoved = useRemoved(seat);
  if (lost.value) {
    return (
      <p class="banner warn" role="alert" data-testid="lost">
        {t("table.lost")}
      </p>
    );
  }
  if (isRemoved) {
    return (
      <p class="banner warn" role="alert" data-testid="removed">
        {t("table.removed")}
      </p>
    );
  }
  const refusal = seat.table.refusal.value;
  if (refusal !== null) return <RefusalLine seat={seat} refusal={refusal} />;
  const objection = seat.table.objection.value;
  if (objection !== null) {
    return (
      <p class="banner warn" data-testid="objection">
        {reasonOf(objection, "", seat.table.position.value.rules.minimum)}
      </p>
    );
  }
  if (room.phase !== "playing") return <Call seat={seat} />;
  return <LastLine seat={seat} own={own.value} />;
}

/** Whether a bot plays for this player, who is here. */
function isStoodIn(seat: Seat): boolean {
  const you = seat.you.value;
  return you !== null && seat.room.value?.seats[you]?.bot != null;
}

/** Why the referee refused a turn, with a way out where a player must play. */
function RefusalLine({ seat, refusal }: { seat: Seat; refusal: Refusal }) {
  const [first] = refusal.reasons ?? [];
  const mustPlay = refusal.code === MUST_PLAY;
  const { minimum } = seat.table.position.value.rules;
  const why =
    first === undefined
      ? refusalOf(refusal.code)
      : reasonOf(
          { code: first.code, faces: first.faces ?? [], params: first.params ?? {} },
          first.message,
          minimum,
        );
  return (
    <p class="banner warn" role="alert" data-testid="refused">
      {mustPlay ? t("table.must-play") : why}
      {mustPlay && (
        <Button onPress={() => void seat.showMe()} id="show-me">
          {t("hint.show")}
        </Button>
      )}
    </p>
  );
}

/** What happened last; `own` is what the clock did to this player. */
function LastLine({ seat, own }: { seat: Seat; own: string }) {
  const mine = seat.myTurn.value && !isStoodIn(seat);
  const last = own || lastWords(seat) || (mine ? "" : turnWords(seat));
  const isNews = own !== "" || (seat.game.value?.last?.why ?? "choice") !== "choice";
  const brief = isNews ? "" : lastBriefly(seat);
  return (
    <p class={isNews ? "banner news" : "banner quiet"} data-testid="last">
      {mine && (
        <b class="now" aria-hidden="true">
          {t("table.now")}
        </b>
      )}
      {brief === "" ? (
        last
      ) : (
        <span class="either">
          {last}
          <span class="brief" aria-hidden="true">
            {brief}
          </span>
        </span>
      )}
    </p>
  );
}

/** The call of a player who goes out. The live region announces it. */
function Call({ seat }: { seat: Seat }) {
  const words = callWords(seat);
  if (words === "") return null;
  return (
    <p class="banner news" data-testid="call">
      {words}
    </p>
  );
}

const READ_WITHIN = 8_000;

/** What the clock did to the player: shown for a while, even if others play quickly. */
function useOwnNews(seat: Seat): Signal<string> {
  const text = useSignal("");
  useSignalEffect(() => {
    const last = seat.game.value?.last;
    if (last != null && last.seat === seat.you.value && last.why !== "choice") {
      text.value = lastWords(seat);
    }
  });
  useEffect(() => {
    if (text.value === "") return undefined;
    const timer = setTimeout(() => {
      text.value = "";
    }, READ_WITHIN);
    return () => clearTimeout(timer);
  }, [text.value]);
  return text;
}
