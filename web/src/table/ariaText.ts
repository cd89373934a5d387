/** The table in words, for those who listen. */

import { onRack } from "../game/draft";
import type { Names } from "../game/names";
import type { Tile } from "../game/tiles";
import type { Seat } from "../session/seat";
import { t } from "../words";
import { type Cursor, tileAt } from "./keyboard";
import { reasonOf } from "./reasons";
import { namesOf, nameWith } from "./tile";

/** Tells something to whoever cannot see the table; what takes time to word is worded then. */
export type Announce = (words: string | (() => string)) => void;

export function rowWords(seat: Seat, id: number): string {
  seat.settle();
  const draft = seat.draft.value;
  const index = draft.rows.findIndex((row) => row.id === id);
  const row = draft.rows[index];
  const judged = seat.preview.value.rows[index];
  if (row === undefined || judged === undefined) return "";
  const tiles = row.tiles
    .map((tile) => nameWith(tile, judged.named.get(tile)))
    .join(t("list.comma"));
  if (judged.reasons.length > 0) {
    return t("say.row-bad", { tiles, reason: reasonOf(judged.reasons[0]) });
  }
  return t("say.row-good", { tiles, kind: t(`kind.${judged.kind}`), value: judged.value ?? 0 });
}

/** The rows as the eye finds them, from the top left. */
export function orderOf(seat: Seat): number[] {
  const places = seat.places.value;
  const rank = (id: number) => {
    const spot = places.get(id);
    return spot === undefined ? 0 : spot.line * 1000 + spot.at;
  };
  return seat.draft.value.rows.map((row) => row.id).sort((one, other) => rank(one) - rank(other));
}

export function cursorWords(seat: Seat, cursor: Cursor): string {
  const tile = tileAt(seat.draft.value, cursor);
  if (cursor.zone === "free") return t(seat.myTurn.value ? "say.free" : "say.free-waiting");
  const nothing = cursor.zone === "rack" ? t("say.gap") : t("say.end");
  const name = tile === null ? nothing : nameWith(tile, namedAs(seat, tile));
  const isChosen = tile !== null && seat.selected.value.includes(tile);
  const what = isChosen ? t("say.chosen", { tile: name }) : name;
  if (cursor.zone === "rack") {
    return t("say.on-rack", { tile: what, place: cursor.index + 1 });
  }
  const number = orderOf(seat).indexOf(cursor.row) + 1;
  return t("say.in-row", { tile: what, row: number, place: cursor.index + 1 });
}

/** What a joker of the table is said to be. */
function namedAs(seat: Seat, tile: Tile): Names | undefined {
  return seat.preview.value.rows.find(({ named }) => named.has(tile))?.named.get(tile);
}

export function chosenWords(seat: Seat): string {
  const chosen = seat.selected.value;
  return chosen.length === 0
    ? t("say.none-chosen")
    : t("say.all-chosen", { tiles: namesOf(chosen) });
}

export function rackWords(seat: Seat): string {
  return t("say.rack", { tiles: namesOf(onRack(seat.draft.value)) });
}

export function tableWords(seat: Seat): string {
  const rows = orderOf(seat).map((id) => rowWords(seat, id));
  return rows.length === 0 ? t("table.empty") : rows.join(" ");
}
