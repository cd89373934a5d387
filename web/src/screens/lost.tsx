/** Whether the connection has been lost for longer than a moment. */

import { type Signal, useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { Seat } from "../session/seat";

/** Milliseconds; a shorter interruption is not worth a message. */
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
