/** Sentences about turns: what happened at the table. */

import { COLOURS, colourOf, isJoker, numberOf, sorted, type Tile } from "../game/tiles";
import type { LastTurn } from "../generated/wire";
import { never } from "../never";
import type { Seat } from "../session/seat";
import { colourName, nameOf } from "../table/tile";
import { t } from "../words";
import { newsOfEnd } from "./endings";
import { nameAt, type SeatView } from "./names";

/** The last turn, and whose turn it is now. */
export function newsOf(seat: SeatView): string {
  const room = seat.room.value;
  const game = seat.game.value;
  if (room === null || game === null) return "";
  if (room.phase !== "playing") return `${lastWords(seat)} ${newsOfEnd(seat)}`.trim();
  if (room.paused != null) return t("table.paused");
  return `${lastWords(seat)} ${turnWords(seat)}`.trim();
}

/** Whose turn it is. */
export function turnWords(seat: SeatView): string {
  const current = seat.game.value?.current ?? 0;
  if (current === seat.you.value) return t("news.your-turn");
  return t("news.turn", { name: nameAt(seat, current) });
}

/** What the player has just drawn; only for screen readers, as the rack shows it. */
export function drawnWords(
  seat: SeatView & { readonly table: Pick<Seat["table"], "highlights"> },
): string {
  const last = seat.game.value?.last;
  const drawn = [...seat.table.highlights.value.drawn];
  if (last?.seat !== seat.you.value || last?.action === "played" || drawn.length === 0) return "";
  return t("news.drawn", { tiles: drawn.map(nameOf).join(t("list.comma")) });
}

/** What was done in the last turn. */
export function lastWords(seat: SeatView): string {
  const last = seat.game.value?.last;
  return seat.room.value === null || last == null ? "" : wordsOf(seat, last);
}

/** What was done in a turn. */
function wordsOf(seat: SeatView, last: LastTurn): string {
  const mine = last.seat === seat.you.value;
  const name = nameAt(seat, last.seat);
  const count = last.count ?? 0;
  const who = mine ? "you" : "they";
  switch (last.action) {
    case "played": {
      const key = last.why === "clock" ? "played-clock" : "played";
      return t(`news.${who}-${key}`, { name, count, tiles: playedNames(last.tiles ?? []) });
    }
    case "passed":
      return t(`news.${who}-passed`, { name });
    case "drew": {
      const key = last.why === "choice" ? "drew" : (`drew-${last.why}` as const);
      return t(`news.${who}-${key}`, { name, count });
    }
    default:
      return never(last.action, "");
  }
}

/** The last turn without its tiles, for lines that have no room for many. */
export function lastBriefly(seat: SeatView): string {
  const last = seat.game.value?.last;
  return last == null ? "" : playedBriefly(seat, last);
}

function playedBriefly(seat: SeatView, last: LastTurn): string {
  if (last.action !== "played" || last.seat === seat.you.value) return "";
  return t("news.they-played-some", { name: nameAt(seat, last.seat), count: last.count ?? 0 });
}

/** A turn without its tiles, for a list that draws them. */
export function storyWords(seat: SeatView, turn: LastTurn): string {
  const brief = turn.why === "choice" ? playedBriefly(seat, turn) : "";
  return brief || wordsOf(seat, turn);
}

/** "red 7 8, blue 7, joker": tiles of one colour together. */
function playedNames(tiles: readonly Tile[]): string {
  const numbered = sorted(tiles, "colour").filter((tile) => !isJoker(tile));
  const coloured = COLOURS.map((colour) => numbered.filter((tile) => colourOf(tile) === colour));
  const parts = coloured
    .filter((own) => own.length > 0)
    .map((own) =>
      t("step.numbers", {
        colour: colourName(own[0]!),
        numbers: own.map(numberOf).join(t("step.between-numbers")),
      }),
    );
  return [...parts, ...tiles.filter(isJoker).map(nameOf)].join(t("list.comma"));
}
