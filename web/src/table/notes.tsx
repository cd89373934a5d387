/** Notes on rows: value, faults, and the controls that declare a row or its jokers. */

import type { Row } from "../game/draft";
import type { Tile } from "../game/tiles";
import type { RowPreview } from "../game/turn";
import { lazy } from "../lazy";
import { t } from "../words";
import { NARROW } from "./areas";
import { type Box, RATIO, rowAt, type View } from "./geometry";
import type { Spot } from "./layout";
import { boxStyle } from "./marks";
import { noteOf } from "./reasons";
import type { Stage } from "./stage";
import { type Help, rowKey } from "./state";
import type { TableStore } from "./store";
import { namesOf } from "./tile";

export function Rows({ stage }: { stage: Stage }) {
  const { table } = stage;
  if (!table.myTurn.value || !table.touched.value) return null;
  const { draft } = table.settled.value;
  const noted = notedRow(table);
  const isShown = isBeingShown(table.hint.value);
  const old = new Set(table.position.value.table.map(rowKey));
  return (
    <>
      {draft.rows.map((row, index) => {
        const judged = table.preview.value.rows[index];
        if (judged === undefined) return null;
        const ok = judged.reasons.length === 0;
        if (ok ? old.has(rowKey(row.tiles)) : isShown) return null;
        return (
          <RowNote key={row.id} stage={stage} row={row} judged={judged} noted={noted === row.id} />
        );
      })}
    </>
  );
}

interface RowNoteProps {
  stage: Stage;
  row: Row;
  judged: RowPreview;
  /** Whether this row always shows its fault. */
  noted: boolean;
}

/** The frame of a row, with its value or its fault, and the controls that declare it. */
function RowNote({ stage, row, judged, noted }: RowNoteProps) {
  const { table } = stage;
  const spot = table.settled.value.places.get(row.id);
  if (spot === undefined) return null;
  const view = stage.view.value;
  const box = boxOf(view, spot, row);
  const ok = judged.reasons.length === 0;
  // A few tiles put aside need no note.
  const isWide = view.table.width >= NARROW;
  const says = !ok && (noted || (isWide && judged.reasons[0]?.code !== "too-short"));
  const isNamed = table.position.value.rules.declare === "explicit";
  const isAsked = isNamed ? judged.ways.length > 1 : judged.verdict.ambiguous;
  // Notes are above the frames of other rows; the value of a row is on the frame of the row above.
  const zIndex = says || isAsked ? FOREMOST : spot.line;
  return (
    <div class={`row-box ${ok ? "ok" : "bad"}`} style={{ ...boxStyle(box), zIndex }}>
      {ok && <span class="worth">{judged.value}</span>}
      {says && (
        <span class="fault" style={{ left: `${noteShift(view, box)}px` }}>
          {noteOf(judged.reasons[0], row.tiles)}
        </span>
      )}
      {isAsked && isNamed && <naming.Screen table={table} tiles={row.tiles} judged={judged} />}
      {isAsked && !isNamed && <KindChoice table={table} tiles={row.tiles} judged={judged} />}
    </div>
  );
}

function boxOf(view: View, spot: Spot, row: Row): Box {
  const corner = rowAt(view, spot);
  return {
    x: corner.x - 4,
    y: corner.y - 4,
    width: row.tiles.length * view.tableTile + 8,
    height: view.tableTile * RATIO + 8,
  };
}

interface KindChoiceProps {
  table: TableStore;
  tiles: readonly Tile[];
  judged: RowPreview;
}

/** Run or group, where a row can be both. */
function KindChoice({ table, tiles, judged }: KindChoiceProps) {
  return (
    <span class="choices" data-alone>
      {judged.verdict.readings.map(({ kind }) => (
        <button
          key={kind}
          type="button"
          aria-label={t("board.read-as", { tiles: namesOf(tiles), kind: t(`kind.${kind}`) })}
          aria-pressed={table.declared.value.get(rowKey(tiles)) === kind}
          onClick={() => table.declare(tiles, kind)}
        >
          {t(`kind.${kind}`)}
        </button>
      ))}
    </span>
  );
}

const naming = lazy(() => import("./naming").then(({ Naming }) => Naming), "nothing");

const NOTE = 300;
const FOREMOST = 1000;

/** How far a note moves to the left so that it fits on the table. */
function noteShift(view: View, box: Box): number {
  const right = view.table.x + view.table.width;
  return Math.min(4, right - Math.min(NOTE, view.table.width) - box.x);
}

/** The row that always shows its fault: the one that was touched last, or else the first. */
function notedRow(table: TableStore): number | null {
  const bad = table.settled.value.draft.rows.filter(
    (_, index) => (table.preview.value.rows[index]?.reasons.length ?? 0) > 0,
  );
  const latest = bad.find((row) => row.id === table.latest.value);
  return (latest ?? bad[0])?.id ?? null;
}

/** Whether a hint is being shown: its unfinished sets are not faults of the player. */
function isBeingShown(help: Help | null): boolean {
  return help !== null && help.stage === 3 && help.step < help.found.steps.length;
}
