/** The background of the stage: the felt with a line of advice, and the rack. */

import { t } from "../words";
import { lineHeight, rowAt } from "./geometry";
import { linesOf } from "./layout";
import type { Stage } from "./stage";
import type { TableStore } from "./store";
import { hasRearranged } from "./tips";

export function Felt({ stage }: { stage: Stage }) {
  const { rack } = stage.view.value;
  return (
    <>
      <Advice stage={stage} />
      {rack.y > 0 && <div class="rack-board" style={{ top: `${rack.y - 12}px` }} />}
    </>
  );
}

/** A line on the felt, below the tiles. */
function Advice({ stage }: { stage: Stage }) {
  const view = stage.view.value;
  const { table } = view;
  const words = adviceFor(stage.table);
  if (words === "") return null;
  // In the free part of the table, if there is one.
  const lines = linesOf(stage.table.settled.value.places);
  const top = rowAt(view, { line: lines, at: 0 }).y;
  const room = table.y + table.height - top;
  if (room < lineHeight(view) / 2) return null;
  return (
    <p class="advice" style={{ top: `${top + room / 2 - 24}px` }}>
      {words}
    </p>
  );
}

/** What the player can do now; empty once the player has begun to, or knows it. */
function adviceFor(table: TableStore): string {
  const isEmpty = table.settled.value.draft.rows.length === 0;
  if (!table.myTurn.value) return isEmpty ? t("table.empty") : "";
  if (isEmpty) return t("table.empty-mine");
  if (table.touched.value || table.hint.value !== null) return "";
  const opening = table.preview.value.opening;
  const { manipulation: mayChange, rules, pool } = table.position.value;
  if (opening === null) return mayChange && !hasRearranged() ? t("table.rearrange") : "";
  const { minimum } = opening;
  if (minimum === 0) return "";
  const open = t(rules.singleSet ? "table.open-one" : "table.open", { minimum });
  return pool > 0 ? t("table.open-or-draw", { open }) : open;
}
