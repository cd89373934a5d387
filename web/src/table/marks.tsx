/** Marks on the stage: the drop target, the selection frame and the cursor. */

import { useEffect, useRef } from "preact/hooks";
import { type Box, type Point, RATIO, rackAt, rowAt } from "./geometry";
import { type Cursor, tileAt } from "./keyboard";
import type { Stage } from "./stage";

export function boxStyle(box: Box): Record<string, string> {
  return {
    transform: `translate3d(${box.x}px, ${box.y}px, 0)`,
    width: `${box.width}px`,
    height: `${box.height}px`,
  };
}

// Each mark that follows the pointer is a component of its own, so that nothing else renders with it.

export function TargetMark({ stage }: { stage: Stage }) {
  const box = stage.target.value?.mark;
  if (box === undefined) return null;
  return <div class={box.width < 8 ? "mark thin" : "mark"} style={boxStyle(box)} />;
}

export function Frame({ stage }: { stage: Stage }) {
  const box = stage.frame.value;
  return box === null ? null : <div class="frame" style={boxStyle(box)} />;
}

export function CursorMark({ stage }: { stage: Stage }) {
  const mark = useRef<HTMLDivElement>(null);
  const cursor = stage.byKey.value ? stage.cursor.value : null;
  // Keep the cursor visible on a page that scrolls.
  useEffect(() => mark.current?.scrollIntoView({ block: "nearest" }), [cursor]);
  const box = cursor === null ? null : cursorBox(stage, cursor);
  return box === null ? null : <div ref={mark} class="cursor" style={boxStyle(box)} />;
}

/** Around a tile, behind a row, on a free place of the rack, or below all rows. */
function cursorBox(stage: Stage, cursor: Cursor): Box | null {
  const { table } = stage;
  const view = stage.view.value;
  const tile = tileAt(table.draft.value, cursor);
  const at = tile === null ? undefined : stage.spots.value.get(tile);
  if (at !== undefined) return around(at, view.rackTile * at.scale);
  const height = view.tableTile * RATIO;
  switch (cursor.zone) {
    case "row": {
      const row = table.draft.value.rows.find((each) => each.id === cursor.row);
      const spot = table.places.value.get(cursor.row);
      if (row === undefined || spot === undefined) return null;
      const { x, y } = rowAt(view, spot);
      return { x: x + row.tiles.length * view.tableTile, y, width: 8, height };
    }
    case "rack":
      return around(rackAt(view, cursor.index), view.rackTile);
    case "free": {
      const { x, y } = view.table;
      return { x, y: y + view.table.height - height - 6, width: view.tableTile * 3, height };
    }
  }
}

function around({ x, y }: Point, width: number): Box {
  return { x: x - 3, y: y - 3, width: width + 6, height: width * RATIO + 6 };
}
