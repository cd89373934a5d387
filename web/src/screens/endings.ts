/** Sentences about the end of a game. */

import { never } from "../never";
import { t } from "../words";
import { nameAt, type SeatView } from "./names";

/** The seat that has just gone out, or null. */
export function outSeat({ game }: Pick<SeatView, "game">): number | null {
  const final = game.value?.final;
  return final == null || final.blocked ? null : (final.winners[0] ?? null);
}

/** The call of a player who goes out. */
export function callWords(seat: SeatView): string {
  const number = outSeat(seat);
  if (number === null) return "";
  if (number === seat.you.value) return t("ended.call-you");
  return t("ended.call", { name: nameAt(seat, number) });
}

/** Why the game is over, in a sentence; an older server does not say why it is blocked. */
export function endWords(seat: SeatView): string {
  const final = seat.game.value?.final;
  if (final == null) return "";
  const out = outSeat(seat);
  if (out !== null) {
    if (out === seat.you.value) return t("ended.out-you");
    return t("ended.out", { name: nameAt(seat, out) });
  }
  const unable = final.unable ?? null;
  const isMine = unable !== null && unable === seat.you.value;
  const name = unable === null ? "" : nameAt(seat, unable);
  const { end } = final;
  switch (end) {
    case null:
    case undefined:
    case "out":
      return t("ended.unknown");
    case "nobody_can":
      return t("ended.nobody-can");
    case "first_unable":
      if (isMine) return t("ended.unable-you");
      return unable === null ? t("ended.unable-someone") : t("ended.unable", { name });
    case "final_round":
      if (isMine) return t("ended.final-unable-you");
      return unable === null ? t("ended.final-round") : t("ended.final-unable", { name });
    case "all_passed":
      return t("ended.all-passed");
    default:
      return never(end, t("ended.unknown"));
  }
}

/** The end of a game, for screen readers and for the turn log. */
export function newsOfEnd(seat: SeatView): string {
  return callWords(seat) || endWords(seat);
}
