/** The tile layer: every tile of the stage. */

import { effect, type ReadonlySignal, type Signal, signal, useSignal } from "@preact/signals";
import { useLayoutEffect, useMemo, useRef } from "preact/hooks";
import type { Tile } from "../game/tiles";
import { isCalm } from "../prefs";
import type { Point, Put } from "./geometry";
import { type Stage, transformOf } from "./stage";
import type { Help } from "./state";
import type { TableStore } from "./store";
import { classOf, Face } from "./tile";

/**
 * Every tile. One effect computes the position and look of all of them; only those that change are
 * rendered.
 */
export function Tiles({ stage }: { stage: Stage }) {
  const shown = useMemo(() => new Map<Tile, Signal<string>>(), []);
  const tiles = useSignal("");
  useLayoutEffect(
    () =>
      effect(() => {
        const now = stage.spots.value;
        for (const [tile, at] of now) {
          const look = shownOf(stage, tile, at);
          const known = shown.get(tile);
          if (known === undefined) shown.set(tile, signal(look));
          else known.value = look;
        }
        tiles.value = [...now.keys()].sort().join(" ");
      }),
    [],
  );
  return (
    <>
      {tiles.value
        .split(" ")
        .filter(Boolean)
        .map((tile) => (
          <LyingTile key={tile} tile={tile} shown={shown.get(tile)!} stage={stage} />
        ))}
    </>
  );
}

/** The position and look of a tile as one text, so that equality is cheap. */
function shownOf({ table, lifted }: Stage, tile: Tile, at: Put): string {
  const stands = at.zone === "table" ? standsFor(table, tile) : undefined;
  const look = lookOf(table, tile, at.zone);
  const isLifted = lifted.value.has(tile);
  // A drag moves its tiles directly.
  return `${isLifted ? "" : transformOf(at)}/${look}${isLifted ? " lifted" : ""}/${stands ?? ""}`;
}

interface LyingTileProps {
  tile: Tile;
  shown: ReadonlySignal<string>;
  stage: Stage;
}

function LyingTile({ tile, shown, stage }: LyingTileProps) {
  const ref = useRef<HTMLDivElement>(null);
  const [lies, look, stands] = shown.value.split("/");
  const last = useRef(lies);
  last.current = lies || last.current;
  useLayoutEffect(() => {
    const element = ref.current!;
    const at = stage.spots.peek().get(tile);
    stage.elements.set(tile, element);
    if (at !== undefined) arrive(element, tile, at, stage.table);
    return () => {
      stage.elements.delete(tile);
    };
  }, []);
  return (
    <div
      ref={ref}
      class={look}
      data-tile={tile}
      aria-hidden="true"
      style={{ transform: last.current }}
    >
      <Face tile={tile} stands={stands || undefined} />
    </div>
  );
}

function lookOf(table: TableStore, tile: Tile, zone: "table" | "rack"): string {
  const hint = table.hint.value;
  const mark = hint === null ? highlightOf(table, tile) : pointsAt(hint, tile) && "hinted";
  return [
    classOf(tile),
    zone,
    // One mark at a time; the selection comes first.
    table.selected.value.includes(tile) ? "chosen" : mark,
    zone === "table" && table.position.value.rack.includes(tile) && "laid",
  ]
    .filter(Boolean)
    .join(" ");
}

/** Whether a tile is new or was moved since the player's last turn. */
function highlightOf(table: TableStore, tile: Tile): string | false {
  const { fresh, drawn, earlier } = table.highlights.value;
  if (fresh.tiles.has(tile)) return "fresh";
  if (drawn.has(tile)) return "drawn";
  return earlier.has(tile) && "earlier";
}

/** Stage 2 points at the tiles to play, stage 3 at those of the current step. */
function pointsAt({ found, stage, step }: Help, tile: Tile): boolean {
  if (stage < 3) return stage === 2 && found.played.includes(tile);
  return found.steps[step - 1]?.tiles.includes(tile) ?? false;
}

/** Animate a new tile: it comes from the player who laid it, or from the pool. */
function arrive(
  element: HTMLElement,
  tile: Tile,
  at: Point & { scale: number },
  table: TableStore,
): void {
  const { fresh, drawn } = table.highlights.peek();
  const { tiles, from } = fresh;
  const isDrawn = drawn.has(tile);
  if (isCalm() || !(isDrawn || (tiles.has(tile) && from !== null))) return;
  const where = isDrawn ? ".player.pool" : `.player[data-seat="${from}"]`;
  const source = document.querySelector(where)?.getBoundingClientRect();
  const stage = element.parentElement?.getBoundingClientRect();
  if (source === undefined || stage === undefined) return;
  const x = source.left - stage.left;
  const y = source.top - stage.top;
  element.animate(
    [
      { transform: `translate3d(${x}px, ${y}px, 0) scale(${at.scale * 0.5})`, opacity: 0.3 },
      { transform: transformOf(at), opacity: 1 },
    ],
    { duration: 520, easing: "cubic-bezier(0.2, 0.8, 0.25, 1)" },
  );
}

/** What a joker on the table stands for, if that is unambiguous. */
function standsFor(table: TableStore, tile: Tile): string | undefined {
  if (!"JDCM".includes(tile[0]!)) return undefined;
  const { rows } = table.settled.value.draft;
  const index = rows.findIndex((row) => row.tiles.includes(tile));
  const judged = table.preview.value.rows[index];
  const row = rows[index];
  const readings = judged?.readings ?? [];
  // A small mirror row has a kind of its own, which none of its readings has.
  const reading = readings.find((each) => each.kind === judged?.kind) ?? readings[0];
  const faces = reading?.stands.find(([at]) => row?.tiles[at] === tile)?.[1] ?? [];
  const numbers = new Set(faces.map((face) => face.slice(1)));
  if (numbers.size !== 1) return undefined;
  return faces.length === 1 ? faces[0] : `x${[...numbers][0]}`;
}
