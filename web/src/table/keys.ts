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
import type { Stage } from "./stage";

export interface Listener {
  /** Told to whoever cannot see the table. */
  readonly announce: Announce;
  /** Somebody asks which keys there are. */
  readonly onKeys: () => void;
}

export function press(stage: Stage, key: Key, { announce, onKeys }: Listener): void {
  const { seat } = stage;
  const draft = seat.draft.value;
  const here = stage.cursor.value;
  const tile = tileAt(draft, here);
  const chosen = seat.selected.value;

  /** Do it, and say what came of it, or that nothing did. */
  function attempt(act: () => void, words: () => string): void {
    act();
    announce(seat.draft.value === draft ? t("say.nothing") : words);
  }
  function choose(): void {
    if (tile !== null && grasped(seat, tile, false).length > 0) {
      seat.select(tile, true);
      announce(chosenWords(seat));
    } else announce(t("say.nothing"));
  }

  switch (key.do) {
    case "step":
      stage.walkTo(walk(draft, stage.order.value, here, key.step));
      announce(cursorWords(seat, stage.cursor.value));
      break;
    case "choose":
      choose();
      break;
    case "put":
      if (chosen.length === 0) choose();
      else {
        attempt(
          () => {
            seat.move(chosen, placeAt(here));
            const row = rowOf(seat.draft.value, chosen[0]!);
            const index = row === undefined ? 0 : row.tiles.indexOf(chosen.at(-1)!) + 1;
            if (row !== undefined) stage.walkTo({ zone: "row", row: row.id, index });
          },
          () => {
            const row = rowOf(seat.draft.value, chosen[0]!);
            return row === undefined ? t("say.back") : rowWords(seat, row.id);
          },
        );
      }
      break;
    case "new-row":
      attempt(
        () => seat.move(chosen, { to: "table" }),
        () => rowWords(seat, rowOf(seat.draft.value, chosen[0]!)?.id ?? 0),
      );
      break;
    case "back": {
      const onTable = here.zone === "row" && tile !== null ? [tile] : [];
      const moving = chosen.length > 0 ? chosen : onTable;
      attempt(
        () => seat.move(moving, { to: "rack", index: draft.rack.length }),
        () => t("say.back"),
      );
      break;
    }
    case "split": {
      const at = here.zone === "row" ? here : { row: 0, index: 0 };
      attempt(
        () => seat.split(at.row, at.index),
        () => rowWords(seat, at.row),
      );
      break;
    }
    case "undo":
      attempt(
        () => seat.undo(),
        () => t("say.undone"),
      );
      break;
    case "redo":
      attempt(
        () => seat.redo(),
        () => t("say.redone"),
      );
      break;
    case "clear":
      seat.selected.value = [];
      announce(chosenWords(seat));
      break;
    case "play": {
      const objection = seat.myTurn.value ? seat.object() : null;
      if (!seat.myTurn.value) announce(t("say.nothing"));
      else if (objection !== null) announce(reasonOf(objection));
      else void seat.play();
      break;
    }
    case "draw":
      seat.settle();
      if (!seat.myTurn.value) announce(t("say.nothing"));
      else if (!seat.touched.value) void seat.draw();
      else announce(t("say.reset-first"));
      break;
    case "colour":
    case "number":
      if (seat.you.value === null) {
        announce(t("say.nothing"));
        break;
      }
      seat.sort(key.do);
      announce(() => rackWords(seat));
      break;
    case "hint":
      if (seat.myTurn.value) void seat.advise();
      else announce(t("say.nothing"));
      break;
    case "where":
      announce(tableWords(seat));
      break;
    case "keys":
      onKeys();
      break;
  }
}
