/** The way out of a room. */

import { go } from "../router";
import type { Seat } from "../session/seat";

const LEAVE_WITHIN = 2_000;

/** Leave the room, after a moment even if the server does not answer. */
export async function leave(seat: Seat): Promise<void> {
  if (seat.you.value !== null) {
    const tooLate = new Promise((late) => setTimeout(late, LEAVE_WITHIN));
    await Promise.race([seat.ask({ type: "leave" }), tooLate]);
  }
  go("/");
}
