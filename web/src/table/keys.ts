/** What keys do on the stage, and what is said of it. */

import { rowOf } from "../game/draft";
import { t } from "../words";
import {
  type Announce,
  chosenWords,
  cursorWords,
  rackWords,
  rowWords,
  tableWords,
} from "./ariaText";
import { grasped } from "./hands";
import { type Key, placeAt, tileAt, walk } from "./keyboard";
import { reasonOf } from "./reasons";
import type { TableSource } from "./source";
import type { Stage } from "./stage";

export interface Listener {
  /** Told to whoever cannot see the table. */
  readonly announce: Announce;
  /** Somebody asks which keys there are. */
  readonly onKeys: () => void;
}

export function press(
  stage: Stage,
  source: TableSource,
  key: Key,
  { announce, onKeys }: Listener,
): void {
  const { table } = stage;
  const draft = table.draft.value;
  const here = stage.cursor.value;
  const tile = tileAt(draft, here);
  const chosen = table.selected.value;

  /** Do it, and say what came of it, or that nothing did. */
  function attempt(act: () => void, words: () => string): void {
    act();
    announce(table.draft.value === draft ? t("say.nothing") : words);
  }
  function choose(): void {
    if (tile !== null && grasped(table, tile, false).length > 0) {
      table.select(tile, true);
      announce(chosenWords(table));
    } else announce(t("say.nothing"));
  }

  switch (key.do) {
    case "step":
      stage.walkTo(walk(draft, stage.order.value, here, key.step));
      announce(cursorWords(table, stage.cursor.value));
      break;
    case "choose":
      choose();
      break;
    case "put":
      if (chosen.length === 0) choose();
      else {
        attempt(
          () => {
            table.move(chosen, placeAt(here));
            const row = rowOf(table.draft.value, chosen[0]!);
            const index = row === undefined ? 0 : row.tiles.indexOf(chosen.at(-1)!) + 1;
            if (row !== undefined) stage.walkTo({ zone: "row", row: row.id, index });
          },
          () => {
            const row = rowOf(table.draft.value, chosen[0]!);
            return row === undefined ? t("say.back") : rowWords(table, row.id);
          },
        );
      }
      break;
    case "new-row":
      attempt(
        () => table.move(chosen, { to: "table" }),
        () => rowWords(table, rowOf(table.draft.value, chosen[0]!)?.id ?? 0),
      );
      break;
    case "back": {
      const onTable = here.zone === "row" && tile !== null ? [tile] : [];
      const moving = chosen.length > 0 ? chosen : onTable;
      attempt(
        () => table.move(moving, { to: "rack", index: draft.rack.length }),
        () => t("say.back"),
      );
      break;
    }
    case "split": {
      const at = here.zone === "row" ? here : { row: 0, index: 0 };
      attempt(
        () => table.split(at.row, at.index),
        () => rowWords(table, at.row),
      );
      break;
    }
    case "undo":
      attempt(
        () => table.undo(),
        () => t("say.undone"),
      );
      break;
    case "redo":
      attempt(
        () => table.redo(),
        () => t("say.redone"),
      );
      break;
    case "clear":
      table.selectOnly([]);
      announce(chosenWords(table));
      break;
    case "play": {
      const objection = table.myTurn.value ? table.object() : null;
      if (!table.myTurn.value) announce(t("say.nothing"));
      else if (objection !== null)
        announce(reasonOf(objection, "", table.position.value.rules.minimum));
      else source.play();
      break;
    }
    case "draw":
      table.settle();
      if (!table.myTurn.value) announce(t("say.nothing"));
      else if (!table.touched.value) source.draw();
      else announce(t("say.reset-first"));
      break;
    case "colour":
    case "number":
      if (table.you.value === null) {
        announce(t("say.nothing"));
        break;
      }
      table.sort(key.do);
      announce(() => rackWords(table));
      break;
    case "hint":
      if (table.myTurn.value) source.advise();
      else announce(t("say.nothing"));
      break;
    case "where":
      announce(tableWords(table));
      break;
    case "keys":
      onKeys();
      break;
  }
}
