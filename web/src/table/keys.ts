/** The actions of keys on a stage, and their announcements. */

import { rowOf } from "../game/draft";
import type { Order, Tile } from "../game/tiles";
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
import { type Cursor, type Key, placeAt, tileAt, walk } from "./keyboard";
import { reasonOf } from "./reasons";
import type { TableSource } from "./source";
import type { Stage } from "./stage";
import type { TableStore } from "./store";

export interface Listener {
  /** Announces a text. */
  readonly announce: Announce;
  /** Opens the list of keys. */
  readonly onKeys: () => void;
}

/** A key that is pressed, and where. */
interface Pressed extends Listener {
  readonly stage: Stage;
  readonly source: TableSource;
  readonly table: TableStore;
  /** The cursor, and the tile under it. */
  readonly here: Cursor;
  readonly tile: Tile | null;
}

type Action = Key["do"];
type KeyOf<A extends Action> = Key & { readonly do: A };

type Actions = { readonly [A in Action]: (on: Pressed, key: KeyOf<A>) => void };

/** What each key does; a missing one is a type error. */
const ACTIONS: Actions = {
  step: ({ stage, table, here, announce }, { step }) => {
    stage.walkTo(walk(table.draft.value, stage.order.value, here, step));
    announce(cursorWords(table, stage.cursor.value));
  },
  choose,
  put,
  "new-row": (on) => {
    const chosen = on.table.selected.value;
    attempt(
      on,
      () => on.table.move(chosen, { to: "table" }),
      () => rowWords(on.table, rowOf(on.table.draft.value, chosen[0]!)?.id ?? 0),
    );
  },
  back: (on) => {
    const { table, here, tile } = on;
    const chosen = table.selected.value;
    const onTable = here.zone === "row" && tile !== null ? [tile] : [];
    const moving = chosen.length > 0 ? chosen : onTable;
    const index = table.draft.value.rack.length;
    attempt(
      on,
      () => table.move(moving, { to: "rack", index }),
      () => t("say.back"),
    );
  },
  split: (on) => {
    const at = on.here.zone === "row" ? on.here : { row: 0, index: 0 };
    attempt(
      on,
      () => on.table.split(at.row, at.index),
      () => rowWords(on.table, at.row),
    );
  },
  undo: (on) => {
    attempt(
      on,
      () => on.table.undo(),
      () => t("say.undone"),
    );
  },
  redo: (on) => {
    attempt(
      on,
      () => on.table.redo(),
      () => t("say.redone"),
    );
  },
  clear: ({ table, announce }) => {
    table.selectOnly([]);
    announce(chosenWords(table));
  },
  play: ({ source, table, announce }) => {
    const objection = table.myTurn.value ? table.object() : null;
    if (!table.myTurn.value) announce(t("say.nothing"));
    else if (objection !== null)
      announce(reasonOf(objection, "", table.position.value.rules.minimum));
    else source.play();
  },
  draw: ({ source, table, announce }) => {
    table.settle();
    if (!table.myTurn.value) announce(t("say.nothing"));
    else if (!table.touched.value) source.draw();
    else announce(t("say.reset-first"));
  },
  colour: sort,
  number: sort,
  hint: ({ source, table, announce }) => {
    if (table.myTurn.value) source.advise();
    else announce(t("say.nothing"));
  },
  where: ({ table, announce }) => announce(tableWords(table)),
  keys: ({ onKeys }) => onKeys(),
};

/** Perform the action of a key, and announce it. */
export function press(stage: Stage, source: TableSource, key: Key, listener: Listener): void {
  const { table } = stage;
  const here = stage.cursor.value;
  const tile = tileAt(table.draft.value, here);
  const act = ACTIONS[key.do] as (on: Pressed, key: Key) => void;
  act({ ...listener, stage, source, table, here, tile }, key);
}

/** Act, and announce the result, or that nothing changed. */
function attempt({ table, announce }: Pressed, act: () => void, words: () => string): void {
  const before = table.draft.value;
  act();
  announce(table.draft.value === before ? t("say.nothing") : words);
}

function choose({ table, tile, announce }: Pressed): void {
  if (tile !== null && grasped(table, tile, false).length > 0) {
    table.select(tile, true);
    announce(chosenWords(table));
  } else announce(t("say.nothing"));
}

/** Put the selected tiles at the cursor; if none are selected, select the tile there. */
function put(on: Pressed): void {
  const { stage, table, here } = on;
  const chosen = table.selected.value;
  if (chosen.length === 0) {
    choose(on);
    return;
  }
  attempt(
    on,
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

function sort({ table, announce }: Pressed, { do: order }: KeyOf<Order>): void {
  if (table.you.value === null) {
    announce(t("say.nothing"));
    return;
  }
  table.sort(order);
  announce(() => rackWords(table));
}
