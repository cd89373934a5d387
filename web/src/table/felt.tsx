/** What tiles lie on: the felt, with a line for whoever wonders what to do, and the rack. */

import { hasRearranged, type Seat } from "../session/seat";
import { t } from "../words";
import { lineHeight, rowAt } from "./geometry";
import { linesOf } from "./layout";
import type { Stage } from "./stage";

export function Felt({ stage }: { stage: Stage }) {
  const { rack } = stage.view.value;
  return (
    <>
      <Advice stage={stage} />
      {rack.y > 0 && <div class="rack-board" style={{ top: `${rack.y - 12}px` }} />}
    </>
  );
}

/** Tiles lie on it: it is in nobody's way. */
function Advice({ stage }: { stage: Stage }) {
  const { seat } = stage;
  const view = stage.view.value;
  const { table } = view;
  const words = adviceFor(seat);
  if (words === "") return null;
  // On the free part of the table, where there is one.
  const lines = linesOf(seat.settled.value.places);
  const top = rowAt(view, { line: lines, at: 0 }).y;
  const room = table.y + table.height - top;
  if (room < lineHeight(view) / 2) return null;
  return (
    <p class="advice" style={{ top: `${top + room / 2 - 24}px` }}>
      {words}
    </p>
  );
}

/** What one can do now, until it is done or known. */
function adviceFor(seat: Seat): string {
  const isEmpty = seat.settled.value.draft.rows.length === 0;
  if (!seat.myTurn.value) return isEmpty ? t("table.empty") : "";
  if (isEmpty) return t("table.empty-mine");
  if (seat.touched.value || seat.hint.value !== null) return "";
  const opening = seat.preview.value.opening;
  const mayChange = seat.game.value?.manipulation ?? true;
  if (opening === null) return mayChange && !hasRearranged() ? t("table.rearrange") : "";
  const { minimum } = opening;
  if (minimum === 0) return "";
  const open = t(seat.rules.value.singleSet ? "table.open-one" : "table.open", { minimum });
  const canDraw = (seat.game.value?.pool ?? 0) > 0;
  return canDraw ? t("table.open-or-draw", { open }) : open;
}
