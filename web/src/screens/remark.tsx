/** Why a bot has played as it did, in one line beside its seat. */

import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { LastTurn } from "../generated/wire";
import { prefs } from "../prefs";
import type { Seat } from "../session/seat";
import { t } from "../words";
import { nameAt } from "./names";

/** Milliseconds. */
const SHOWN = 4_000;

/** What a bot says of a turn; empty if it says nothing, or if remarks are switched off. */
export function remarkWords({ remark }: Pick<LastTurn, "remark">): string {
  if (remark == null || !prefs.value.remarks) return "";
  return t(`remark.${remark.thought}`, { count: remark.count ?? 0 });
}

/** The remark on the latest turn, if this seat made it: read out once, and seen for a while, but
 * not over tiles that the player lays, a hint, a refusal, or the result. */
export function Remark({ seat, number }: { seat: Seat; number: number }) {
  const { last, turn } = seat.game.value ?? {};
  const words = last?.seat === number ? remarkWords(last) : "";
  const shown = useSignal(false);
  const { touched, hint, refusal } = seat.table;
  const isAsking = seat.advice.asking.value !== "no" || hint.value !== null;
  const isBusy = touched.value || isAsking || refusal.value !== null;
  const isIdle = seat.room.value!.phase === "playing" && !isBusy;
  useEffect(() => {
    shown.value = words !== "";
    const timer = setTimeout(() => {
      shown.value = false;
    }, SHOWN);
    return () => clearTimeout(timer);
  }, [turn, words]);
  return (
    <>
      <span class="unseen" aria-live="polite">
        {words !== "" && `${nameAt(seat, number)}: ${words}`}
      </span>
      {words !== "" && shown.value && isIdle && (
        <span class="bubble remark" aria-hidden="true" data-testid="remark">
          {words}
        </span>
      )}
    </>
  );
}
