/** The verdict on a draft, as far as the page can judge it. */

import { type Draft, tableOf } from "../game/draft";
import type { Reason } from "../game/rows";
import { type Declared, type Preview, preview, withDefaults } from "../game/turn";
import { rowKey, type TableState } from "./state";

type Judged = Pick<TableState, "position" | "declared">;

export function judge(state: Judged, draft: Draft): Preview {
  const { position } = state;
  return preview(position.rules, position, tableOf(draft), declaredRows(state, draft));
}

/** The declarations of a draft; unnamed jokers get their most valuable meaning. */
export function declaredRows({ position, declared }: Judged, draft: Draft): Declared {
  const said = draft.rows.flatMap((row): Declared => {
    const as = declared.get(rowKey(row.tiles));
    return as === undefined ? [] : [{ set: row.tiles, as }];
  });
  return withDefaults(position.rules, position, tableOf(draft), said);
}

/** The first reason why a draft is certainly illegal, if it is. */
export function objectionTo({ verdict, reasons }: Preview): Reason | null {
  return verdict === "not-ok" ? (reasons[0] ?? null) : null;
}
