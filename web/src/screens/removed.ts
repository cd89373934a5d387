/** Whether this player was removed: a player who loses the seat without leaving was. */

import { useRef } from "preact/hooks";
import type { Seat } from "../session/seat";

export function useRemoved(seat: Seat): boolean {
  const isSeated = seat.you.value !== null;
  const hadSeat = useRef(false);
  hadSeat.current ||= isSeated;
  return hadSeat.current && !isSeated;
}
