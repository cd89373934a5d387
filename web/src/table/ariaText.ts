/** Texts for screen readers: the table, the rack and the cursor in words. */

import type { Names } from "../game/declarations";
import { onRack } from "../game/draft";
import type { Tile } from "../game/tiles";
import { t } from "../words";
import { type Cursor, tileAt } from "./keyboard";
import { reasonOf } from "./reasons";
import type { TableStore } from "./store";
import { namesOf, nameWith } from "./tile";

/** Announces a text; a function is called later, since composing the text takes time. */
export type Announce = (words: string | (() => string)) => void;

export function rowWords(table: TableStore, id: number): string {
  table.settle();
  const draft = table.draft.value;
  const index = draft.rows.findIndex((row) => row.id === id);
  const row = draft.rows[index];
  const judged = table.preview.value.rows[index];
  if (row === undefined || judged === undefined) return "";
  const tiles = row.tiles
    .map((tile) => nameWith(tile, judged.named.get(tile)))
    .join(t("list.comma"));
  if (judged.reasons.length > 0) {
    return t("say.row-bad", { tiles, reason: reasonOf(judged.reasons[0]) });
  }
  return t("say.row-good", { tiles, kind: t(`kind.${judged.kind}`), value: judged.value ?? 0 });
}

/** The rows in reading order, from the top left. */
export function orderOf(table: TableStore): number[] {
  const places = table.places.value;
  const rank = (id: number) => {
    const spot = places.get(id);
    return spot === undefined ? 0 : spot.line * 1000 + spot.at;
  };
  return table.draft.value.rows.map((row) => row.id).sort((one, other) => rank(one) - rank(other));
}

export function cursorWords(table: TableStore, cursor: Cursor): string {
  const tile = tileAt(table.draft.value, cursor);
  if (cursor.zone === "free") return t(table.myTurn.value ? "say.free" : "say.free-waiting");
  const nothing = cursor.zone === "rack" ? t("say.gap") : t("say.end");
  const name = tile === null ? nothing : nameWith(tile, namedAs(table, tile));
  const isChosen = tile !== null && table.selected.value.includes(tile);
  const what = isChosen ? t("say.chosen", { tile: name }) : name;
  if (cursor.zone === "rack") {
    return t("say.on-rack", { tile: what, place: cursor.index + 1 });
  }
  const number = orderOf(table).indexOf(cursor.row) + 1;
  return t("say.in-row", { tile: what, row: number, place: cursor.index + 1 });
}

/** What a joker of the table stands for, as declared. */
function namedAs(table: TableStore, tile: Tile): Names | undefined {
  return table.preview.value.rows.find(({ named }) => named.has(tile))?.named.get(tile);
}

export function chosenWords(table: TableStore): string {
  const chosen = table.selected.value;
  return chosen.length === 0
    ? t("say.none-chosen")
    : t("say.all-chosen", { tiles: namesOf(chosen) });
}

export function rackWords(table: TableStore): string {
  return t("say.rack", { tiles: namesOf(onRack(table.draft.value)) });
}

export function tableWords(table: TableStore): string {
  const rows = orderOf(table).map((id) => rowWords(table, id));
  return rows.length === 0 ? t("table.empty") : rows.join(" ");
}
