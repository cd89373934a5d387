/** Whether there is no line to the server, and has not been for a while. */

import { type Signal, useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { Seat } from "../session/seat";

/** A line that is lost for the blink of an eye is nothing to speak of. */
const BLINK = 700;

export function useLost(seat: Seat): Signal<boolean> {
  const lost = useSignal(false);
  useEffect(() => {
    if (seat.connectionState.value === "open") {
      lost.value = false;
      return undefined;
    }
    const timer = setTimeout(() => {
      lost.value = true;
    }, BLINK);
    return () => clearTimeout(timer);
  }, [seat.connectionState.value]);
  return lost;
}
