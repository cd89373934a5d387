/** What is to be said of rows: worth, faults, and the choice of what they or their jokers are. */

import { lazy } from "../lazy";
import { t } from "../words";
import { NARROW } from "./areas";
import { type Box, RATIO, rowAt, type View } from "./geometry";
import { boxStyle } from "./marks";
import { noteOf } from "./reasons";
import type { Stage } from "./stage";
import type { Help } from "./state";
import type { TableStore } from "./store";
import { namesOf } from "./tile";

export function Rows({ stage }: { stage: Stage }) {
  const { table } = stage;
  if (!table.myTurn.value || !table.touched.value) return null;
  const { draft, places } = table.settled.value;
  const now = stage.view.value;
  const noted = notedRow(table);
  // Of a few tiles that wait to be put elsewhere it is said once.
  const isWide = now.table.width >= NARROW;
  const isShown = isBeingShown(table.hint.value);
  const old = new Set(table.position.value.table.map((tiles) => tiles.join(" ")));
  return (
    <>
      {draft.rows.map((row, index) => {
        const spot = places.get(row.id);
        const judged = table.preview.value.rows[index];
        if (spot === undefined || judged === undefined) return null;
        const ok = judged.reasons.length === 0;
        if (ok && old.has(row.tiles.join(" "))) return null;
        if (!ok && isShown) return null;
        const corner = rowAt(now, spot);
        const box = {
          x: corner.x - 4,
          y: corner.y - 4,
          width: row.tiles.length * now.tableTile + 8,
          height: now.tableTile * RATIO + 8,
        };
        const says =
          !ok && (noted === row.id || (isWide && judged.reasons[0]?.code !== "too-short"));
        const isChosen = table.position.value.rules.declare === "explicit";
        const isAsked = isChosen ? judged.ways.length > 1 : judged.verdict.ambiguous;
        const isTalking = says || isAsked;
        // What is said of a row lies on the frames of others, and its worth on that of the row above.
        const zIndex = isTalking ? FOREMOST : spot.line;
        return (
          <div
            key={row.id}
            class={`row-box ${ok ? "ok" : "bad"}`}
            style={{ ...boxStyle(box), zIndex }}
          >
            {ok && <span class="worth">{judged.value}</span>}
            {says && (
              <span class="fault" style={{ left: `${noteShift(now, box)}px` }}>
                {noteOf(judged.reasons[0], row.tiles)}
              </span>
            )}
            {isAsked && isChosen && (
              <naming.Screen table={table} tiles={row.tiles} judged={judged} />
            )}
            {isAsked && !isChosen && (
              <span class="choices" data-alone>
                {judged.verdict.readings.map(({ kind }) => (
                  <button
                    key={kind}
                    type="button"
                    aria-label={t("board.read-as", {
                      tiles: namesOf(row.tiles),
                      kind: t(`kind.${kind}`),
                    })}
                    aria-pressed={table.declared.value.get(row.tiles.join(" ")) === kind}
                    onClick={() => table.declare(row.tiles, kind)}
                  >
                    {t(`kind.${kind}`)}
                  </button>
                ))}
              </span>
            )}
          </div>
        );
      })}
    </>
  );
}

const naming = lazy(() => import("./naming").then(({ Naming }) => Naming), "unseen");

const NOTE = 300;
const FOREMOST = 1000;

/** By how far a note under a row has to move so that all of it can be read. */
function noteShift(view: View, box: Box): number {
  const right = view.table.x + view.table.width;
  return Math.min(4, right - Math.min(NOTE, view.table.width) - box.x);
}

/** The one row that always says why it is none: the one that was touched last, or else the first. */
function notedRow(table: TableStore): number | null {
  const bad = table.settled.value.draft.rows.filter(
    (_, index) => (table.preview.value.rows[index]?.reasons.length ?? 0) > 0,
  );
  const latest = bad.find((row) => row.id === table.latest.value);
  return (latest ?? bad[0])?.id ?? null;
}

/** Whether a hint is still being shown: what lies there is not finished, and nobody's fault. */
function isBeingShown(help: Help | null): boolean {
  return help !== null && help.stage === 3 && help.step < help.found.steps.length;
}
