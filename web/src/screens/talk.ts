/** Texts of chat messages. */

import type { SaidInfo } from "../generated/wire";
import type { Seat } from "../session/seat";
import { t } from "../words";

/** The text of a message or an emote. */
export function saidWords(said: SaidInfo): string {
  return said.emote ? t(`emote.${said.emote}`) : (said.text ?? "");
}

/** The last message of another player who is not muted. */
export function lastTalk(seat: Seat): SaidInfo | undefined {
  const room = seat.room.value;
  const muted = room?.muted ?? [];
  return room?.chat?.findLast((said) => said.seat !== seat.you.value && !muted.includes(said.seat));
}
