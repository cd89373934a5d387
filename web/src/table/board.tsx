/**
 * The stage: the table and the rack, and every tile on them.
 *
 * Each tile is one element for the whole game and moves by its transform alone, so a tile that goes
 * from a rack to a row, or from row to row, can be followed by the eye. While tiles are dragged
 * nothing is rendered: their elements are moved directly.
 */

import {
  effect,
  type ReadonlySignal,
  type Signal,
  signal,
  useComputed,
  useSignal,
  useSignalEffect,
} from "@preact/signals";
import { useEffect, useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { onRack, rowOf } from "../game/draft";
import type { Tile } from "../game/tiles";
import { isByKey } from "../hand";
import { isCalm } from "../prefs";
import { t } from "../words";
import {
  type Beside,
  type Box,
  inside,
  LEADING,
  lineHeight,
  overlap,
  type Point,
  type Put,
  puts,
  RATIO,
  rackAt,
  rowAt,
  type Target,
  targetAt,
  type View,
} from "./geometry";
import { Gestures, type Hands } from "./gestures";
import { type Cursor, keyOf, placeAt, tileAt, walk } from "./keyboard";
import { arrange, linesOf } from "./layout";
import { noteOf, reasonOf } from "./reasons";
import type { Help, Seat } from "./seat";
import { classOf, Face, nameOf, namesOf } from "./tile";

export interface BoardProps {
  seat: Seat;
  /** Told to whoever cannot see the table. */
  announce: (text: string) => void;
  onKeys: () => void;
}

interface Size {
  readonly width: number;
  readonly height: number;
}

export function Board({ seat, announce, onKeys }: BoardProps) {
  const stage = useRef<HTMLDivElement>(null);
  const elements = useMemo(() => new Map<Tile, HTMLElement>(), []);
  const size = useSignal<Size>({ width: 0, height: 0 });
  const zoom = useSignal(1);
  const pan = useSignal<Point>({ x: 0, y: 0 });
  const fitted = useSignal(0);
  const target = useSignal<Target | null>(null);
  const frame = useSignal<Box | null>(null);
  const lifted = useSignal<ReadonlySet<Tile>>(new Set());
  const cursor = useSignal<Cursor>({ zone: "rack", index: 0 });
  /** Whether somebody walks here with the keyboard: Shift beside a mouse is no such thing. */
  const byKey = useSignal(false);

  const view = useComputed(() => viewOf(seat, size.value, fitted.value * zoom.value, pan.value));

  // Before anything is painted: nothing lies anywhere until there is a stage to lie on.
  useLayoutEffect(() => {
    const element = stage.current!;
    const measure = () => {
      size.value = { width: element.clientWidth, height: element.clientHeight };
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);

  // The tiles of the table are as large as fits; they change only between turns, never in hand.
  const fittedFor = useRef<readonly unknown[]>([]);
  useSignalEffect(() => {
    const { width, height } = size.value;
    const now = [size.value, seat.base.value];
    const isFitted = now.every((each, index) => each === fittedFor.current[index]);
    if (width > 0 && lifted.value.size === 0 && !isFitted) {
      fittedFor.current = now;
      const [tile, columns] = sizeFor(seat, { width, height });
      fitted.value = tile;
      if (seat.columns.peek() !== columns) {
        seat.columns.value = columns;
        seat.place();
      }
    }
  });

  const hands = useMemo(() => handsOf(), []);
  function handsOf(): Hands {
    const visible = (point: Point) => inside(point, view.value.table);
    return {
      grasp(tile, rest) {
        const draft = seat.draft.value;
        const row = rowOf(draft, tile);
        if (seat.you.value === null || (row !== undefined && !seat.myTurn.value)) return [];
        const chosen = seat.selected.value;
        // Whoever has chosen several and then hesitates still means those.
        if (chosen.length > 1 && chosen.includes(tile)) return chosen;
        if (rest && row !== undefined) return row.tiles.slice(row.tiles.indexOf(tile));
        return [tile];
      },
      lift(tiles, held) {
        lifted.value = new Set(tiles);
        stage.current?.classList.add("carrying");
        for (const tile of tiles) elements.get(tile)?.classList.add("lifted");
        carried.start = spots.value.get(held);
        carried.left = tiles.indexOf(held);
      },
      drag(tiles, by, point) {
        const { start, left } = carried;
        if (start === undefined) return;
        const step = view.value.rackTile * start.scale;
        tiles.forEach((tile, index) => {
          const element = elements.get(tile);
          if (element === undefined) return;
          // The others come to the one that is held, wherever they lay.
          const x = start.x + by.x + (index - left) * step;
          element.style.transform = `translate3d(${x}px, ${start.y + by.y}px, 0) scale(${start.scale * 1.06})`;
        });
        const found = aimWith(point, tiles);
        target.value = allowed(found) ? found : null;
      },
      drop(tiles, point) {
        const found = aimWith(point, tiles);
        this.cancel(tiles);
        if (allowed(found)) put(tiles, found);
      },
      cancel(tiles) {
        target.value = null;
        lifted.value = new Set();
        stage.current?.classList.remove("carrying");
        for (const tile of tiles) {
          const element = elements.get(tile);
          if (element === undefined) continue;
          element.classList.remove("lifted");
          const at = spots.value.get(tile);
          if (at !== undefined) element.style.transform = transformOf(at);
        }
      },
      tap(point, tile, more) {
        stage.current?.focus({ preventScroll: true });
        byKey.value = false;
        const chosen = seat.selected.value;
        if (tile !== null && (chosen.length === 0 || more || chosen.includes(tile))) {
          if (this.grasp(tile, false).length > 0) seat.select(tile, more || chosen.length > 0);
          return;
        }
        if (tile !== null && together(tile, chosen)) {
          seat.select(tile, true);
          return;
        }
        if (chosen.length === 0) {
          if (visible(point)) lookCloser(point);
          return;
        }
        const found = aimAt(point, chosen);
        if (allowed(found) && (visible(point) || found.place.to === "rack")) put(chosen, found);
        else seat.selected.value = [];
      },
      frame(box) {
        frame.value = box;
      },
      chooseIn(box, more) {
        const { rackTile } = view.value;
        const found = [...spots.value]
          .filter(([, at]) =>
            overlap(box, {
              x: at.x,
              y: at.y,
              width: rackTile * at.scale,
              height: rackTile * at.scale * RATIO,
            }),
          )
          .map(([tile]) => tile)
          .filter((tile) => this.grasp(tile, false).length > 0);
        const order = [
          ...seat.draft.value.rows.flatMap((row) => row.tiles),
          ...onRack(seat.draft.value),
        ];
        const all = new Set(more ? [...seat.selected.value, ...found] : found);
        seat.selected.value = order.filter((tile) => all.has(tile));
      },
      canPan: (point) => visible(point),
      pan(by) {
        const before = pan.value;
        pan.value = clampPan(seat, view.value, { x: before.x + by.x, y: before.y + by.y });
        return pan.value.x !== before.x || pan.value.y !== before.y;
      },
      zoom(factor, at) {
        const before = zoom.value;
        const next = Math.max(SMALLEST, Math.min(LARGEST, before * factor));
        const { table } = view.value;
        const grow = next / before;
        const x = at.x - table.x - (at.x - table.x - pan.value.x) * grow;
        const y = at.y - table.y - (at.y - table.y - pan.value.y) * grow;
        zoom.value = next;
        pan.value = clampPan(seat, view.value, { x, y });
      },
    };
  }
  /** Where the tile that is held lay, and how many go along on its left. */
  const carried = useMemo<{ start: Put | undefined; left: number }>(
    () => ({ start: undefined, left: 0 }),
    [],
  );
  const lastTap = useRef({ x: 0, y: 0, at: 0 });
  /** For hands that cannot pinch: two taps on the bare table show a part of it, or all of it. */
  function lookCloser(point: Point): void {
    const before = lastTap.current;
    const at = performance.now();
    const isNear = Math.hypot(point.x - before.x, point.y - before.y) < NEAR;
    const isSecond = isNear && at - before.at < TWICE;
    lastTap.current = { ...point, at: isSecond ? 0 : at };
    if (!isSecond) return;
    const now = zoom.value;
    const lines = linesOf(seat.places.value) * lineHeight(view.value) + view.value.tableTile;
    const whole = Math.max(SMALLEST, Math.min(1, (view.value.table.height / lines) * now));
    const next = now > 1 ? whole : now < 1 ? 1 : CLOSER;
    hands.zoom(next / now, point);
  }
  function aimAt(point: Point, tiles: readonly Tile[], beside?: Beside): Target {
    return targetAt(view.value, seat.draft.value, seat.places.value, point, new Set(tiles), beside);
  }
  function aimWith(point: Point, tiles: readonly Tile[]): Target {
    return aimAt(point, tiles, { left: carried.left, right: tiles.length - 1 - carried.left });
  }
  function allowed(found: Target): boolean {
    return seat.myTurn.value || found.place.to === "rack";
  }
  function together(tile: Tile, chosen: readonly Tile[]): boolean {
    const draft = seat.draft.value;
    const row = rowOf(draft, tile);
    return chosen.every((each) => rowOf(draft, each)?.id === row?.id);
  }
  function put(tiles: readonly Tile[], found: Target): void {
    seat.move(tiles, found.place, found.spot);
    const row = rowOf(seat.draft.value, tiles[0]!);
    if (row !== undefined) announce(rowWords(seat, row.id));
  }

  useEffect(() => {
    const gestures = new Gestures(stage.current!, hands);
    const stop = gestures.listen();
    // Whoever sorts the rack while the turn comes keeps the tile in hand.
    const watch = seat.myTurn.subscribe((mine) => {
      if (!mine) gestures.abort();
    });
    return () => {
      stop();
      watch();
    };
  }, [seat]);

  useEffect(() => {
    const timer = setTimeout(() => seat.rehearse(), REHEARSE_AFTER);
    return () => clearTimeout(timer);
  }, [seat]);

  const spots = useComputed(() =>
    size.value.width === 0 || fitted.value === 0
      ? NOWHERE
      : puts(view.value, seat.draft.value, seat.places.value),
  );

  const order = useComputed(() => orderOf(seat));

  /** Move the table so that the cursor can be seen. */
  function reveal(): void {
    const { table, tableTile } = view.value;
    const here = cursor.value;
    const spot = here.zone === "row" ? seat.places.value.get(here.row) : undefined;
    if (here.zone !== "row" || spot === undefined) return;
    const corner = rowAt(view.value, spot);
    const x = corner.x + here.index * tableTile;
    hands.pan({
      x: into(x, tableTile, table.x, table.width),
      y: into(corner.y, tableTile * RATIO, table.y, table.height),
    });
  }

  /** Do it, and say what came of it, or that nothing did. */
  function attempt(act: () => void, words: () => string): void {
    const before = seat.draft.value;
    act();
    announce(seat.draft.value === before ? t("say.nothing") : words());
  }

  function onKeyDown(event: KeyboardEvent): void {
    // What lies on the stage and has the keyboard itself takes its own keys.
    if (event.target !== event.currentTarget) return;
    const key = keyOf(event);
    if (key === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    byKey.value = true;
    // A key that is held walks and takes back, and does nothing else again and again.
    if (event.repeat && !["step", "undo", "redo"].includes(key.do)) return;
    const draft = seat.draft.value;
    const here = walk(draft, order.value, cursor.value);
    const chosen = seat.selected.value;
    switch (key.do) {
      case "step": {
        cursor.value = walk(draft, order.value, walk(draft, order.value, here, key.step));
        reveal();
        announce(cursorWords(seat, cursor.value));
        break;
      }
      case "choose": {
        const tile = tileAt(draft, here);
        if (tile !== null && hands.grasp(tile, false).length > 0) {
          seat.select(tile, true);
          announce(chosenWords(seat));
        } else announce(t("say.nothing"));
        break;
      }
      case "put": {
        const tile = tileAt(draft, here);
        const moving = chosen.length > 0 ? chosen : [];
        if (moving.length > 0) {
          seat.move(moving, placeAt(here));
          const row = rowOf(seat.draft.value, moving[0]!);
          if (seat.draft.value === draft) announce(t("say.nothing"));
          else if (row !== undefined) {
            const index = row.tiles.indexOf(moving.at(-1)!);
            cursor.value = { zone: "row", row: row.id, index: index + 1 };
            reveal();
            announce(rowWords(seat, row.id));
          } else announce(t("say.back"));
        } else if (tile !== null && hands.grasp(tile, false).length > 0) {
          seat.select(tile, true);
          announce(chosenWords(seat));
        } else announce(t("say.nothing"));
        break;
      }
      case "new-row":
        attempt(
          () => seat.move(chosen, { to: "table" }),
          () => rowWords(seat, rowOf(seat.draft.value, chosen[0]!)?.id ?? 0),
        );
        break;
      case "back": {
        const tile = tileAt(draft, here);
        const moving = chosen.length > 0 ? chosen : tile === null ? [] : [tile];
        attempt(
          () => seat.move(moving, { to: "rack", index: draft.rack.length }),
          () => t("say.back"),
        );
        break;
      }
      case "split": {
        const row = here.zone === "row" ? here : { row: 0, index: 0 };
        attempt(
          () => seat.split(row.row, row.index),
          () => rowWords(seat, row.row),
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
        // As with the button: what is surely wrong is not handed in.
        const { verdict, reasons } = seat.preview.value;
        if (!seat.myTurn.value) announce(t("say.nothing"));
        else if (verdict === "not-ok") announce(reasonOf(reasons[0]));
        else void seat.play();
        break;
      }
      case "draw":
        if (!seat.myTurn.value) announce(t("say.nothing"));
        else if (!seat.touched.value) void seat.draw();
        else announce(t("say.reset-first"));
        break;
      case "colour":
      case "number":
        seat.sort(key.do);
        announce(t("say.rack", { tiles: namesOf(onRack(seat.draft.value)) }));
        break;
      case "hint":
        void seat.help();
        break;
      case "where":
        announce(tableWords(seat));
        break;
      case "keys":
        onKeys();
        break;
    }
  }

  const tileSize = useComputed(() => `${view.value.rackTile}px`);
  return (
    <div
      ref={stage}
      class={`stage${seat.myTurn.value ? " mine" : ""}${isCalm() ? " calm" : ""}`}
      style={{ "--tile": tileSize.value }}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: the table is played on with the keyboard
      tabIndex={0}
      role="application"
      aria-label={t("board.label")}
      aria-describedby="board-help"
      aria-roledescription={t("board.role")}
      onKeyDown={onKeyDown}
      data-by-key={byKey}
      onFocus={() => {
        byKey.value = isByKey();
      }}
      onBlur={() => {
        byKey.value = false;
      }}
    >
      <Felt view={view} seat={seat} />
      <div class="layer notes">
        <Rows seat={seat} view={view} />
      </div>
      <Tiles seat={seat} spots={spots} elements={elements} />
      <div class="layer marks">
        <TargetMark target={target} />
      </div>
      <Frame frame={frame} />
      <CursorMark
        seat={seat}
        view={view}
        spots={spots}
        order={order}
        cursor={cursor}
        byKey={byKey}
      />
      <p id="board-help" class="unseen">
        {t("board.help")}
      </p>
    </div>
  );
}

/**
 * How large a tile of the table may be so that all rows can be seen with room for another one, and
 * how many fit in a line.
 */
function sizeFor(seat: Seat, size: Size): [number, number] {
  const area = areas(seat, size);
  const rows = seat.draft.peek().rows.map((row) => ({ id: row.id, length: row.tiles.length }));
  const { largest, smallest } = limits(size);
  for (let tile = largest; ; tile -= 2) {
    const columns = Math.max(6, Math.floor(area.table.width / tile));
    const lines = linesOf(arrange(seat.places.peek(), rows, columns));
    const high = (lines + 1) * tile * (RATIO + LEADING) + tile * 0.3;
    if (high <= area.table.height || tile <= smallest) return [tile, columns];
  }
}

function limits(size: Size): { largest: number; smallest: number } {
  if (size.width < NARROW || size.height < SHORT) return { largest: 38, smallest: 30 };
  if (size.width < 1000) return { largest: 46, smallest: 32 };
  return { largest: Math.round(54 * growth(size)), smallest: 34 };
}

/** On very large screens tiles are larger too. */
function growth({ width, height }: Size): number {
  return Math.max(1, Math.min(2, width / 1800, height / 900));
}

/** Milliseconds, when what has to be shown at first is shown. */
const REHEARSE_AFTER = 400;
/** How far the table is zoomed at most, and by two taps that are so close in time and space. */
const SMALLEST = 0.6;
const LARGEST = 2.2;
const CLOSER = 1.6;
const TWICE = 400;
const NEAR = 30;
const EDGE = 12;
const NARROW = 600;
/** A phone that lies on its side: one line of the rack has to do. */
const SHORT = 340;

function areas(
  seat: Seat,
  size: Size,
): { table: Box; rack: Box; rackTile: number; columns: number } {
  const places = Math.max(14, seat.draft.value.rack.length);
  const isNarrow = size.width < NARROW;
  const isShort = size.height < SHORT && !isNarrow;
  const edge = isNarrow ? 8 : EDGE;
  const most = isNarrow ? 3 : isShort ? 1 : 2;
  const grow = growth(size);
  let rackTile = isNarrow ? 44 : size.height < 560 ? 46 : Math.round(56 * grow);
  const wide = Math.min(size.width - 2 * edge, 1180 * grow);
  let columns = Math.floor((wide + 3) / (rackTile + 3));
  const needed = isShort ? places + 1 : places;
  while (Math.ceil(needed / columns) > most && rackTile > (isNarrow || isShort ? 32 : 36)) {
    rackTile -= 1;
    columns = Math.floor((wide + 3) / (rackTile + 3));
  }
  // No wider than it needs to be, so that the tiles are in the middle.
  columns = Math.min(columns, Math.max(15, Math.ceil((places + 1) / most)));
  const lines = Math.max(Math.min(2, most), Math.ceil((places + 1) / columns));
  const high = lines * (rackTile * RATIO + 6) + 10;
  const rackWide = columns * (rackTile + 3) - 3;
  const rack = {
    x: Math.floor((size.width - rackWide) / 2),
    // Who only watches has none, and sees more of the table.
    y: seat.you.value === null ? size.height + 16 : size.height - high + 4,
    width: rackWide,
    height: high,
  };
  const table = {
    x: edge,
    y: 6,
    width: size.width - 2 * edge,
    height: Math.max(80, rack.y - 22),
  };
  return { table, rack, rackTile, columns };
}

function viewOf(seat: Seat, size: Size, tableTile: number, pan: Point): View {
  const { table, rack, rackTile, columns } = areas(seat, size);
  return { table, rack, rackTile, rackColumns: columns, tableTile: tableTile || rackTile, pan };
}

/** The table may be moved as far as there is something to see. */
function clampPan(seat: Seat, view: View, wanted: Point): Point {
  const ends = seat.draft.value.rows.map((row) => {
    const spot = seat.places.value.get(row.id);
    return spot === undefined ? 0 : (spot.at / 2 + row.tiles.length) * view.tableTile;
  });
  const wide = Math.max(0, ...ends) + view.tableTile;
  const high = linesOf(seat.places.value) * lineHeight(view) + view.tableTile * 1.6;
  const least = (content: number, room: number) => Math.min(0, room - content);
  return {
    x: Math.max(least(wide, view.table.width), Math.min(0, wanted.x)),
    y: Math.max(least(high, view.table.height), Math.min(0, wanted.y)),
  };
}

/** By how much something from here, so long, has to move to lie within. */
function into(at: number, length: number, from: number, room: number): number {
  return Math.max(from - at, Math.min(0, from + room - length - at));
}

/** At whole pixels of the screen: between them, browsers blur a tile that has no text on it. */
function transformOf(at: { x: number; y: number; scale: number }): string {
  const ratio = globalThis.devicePixelRatio || 1;
  const whole = (length: number) => Math.round(length * ratio) / ratio;
  return `translate3d(${whole(at.x)}px, ${whole(at.y)}px, 0) scale(${at.scale})`;
}

function boxStyle(box: Box): Record<string, string> {
  return {
    transform: `translate3d(${box.x}px, ${box.y}px, 0)`,
    width: `${box.width}px`,
    height: `${box.height}px`,
  };
}

// What changes with every movement of a hand is a component of its own, so that nothing else is
// rendered with it.

function TargetMark({ target }: { target: Signal<Target | null> }) {
  const box = target.value?.mark;
  if (box === undefined) return null;
  return <div class={box.width < 8 ? "mark thin" : "mark"} style={boxStyle(box)} />;
}

function Frame({ frame }: { frame: Signal<Box | null> }) {
  return frame.value === null ? null : <div class="frame" style={boxStyle(frame.value)} />;
}

function Felt({ view, seat }: { view: ReadonlySignal<View>; seat: Seat }) {
  const { rack } = view.value;
  const isEmpty = seat.draft.value.rows.length === 0;
  return (
    <>
      {isEmpty && (
        <p class="empty-table" style={{ top: `${view.value.table.height / 2 - 24}px` }}>
          {t(seat.myTurn.value ? "table.empty-mine" : "table.empty")}
        </p>
      )}
      {rack.y > 0 && <div class="rack-board" style={{ top: `${rack.y - 12}px` }} />}
    </>
  );
}

const NOWHERE: ReadonlyMap<Tile, Put> = new Map();

type Spots = ReadonlySignal<ReadonlyMap<Tile, Put>>;
type Elements = Map<Tile, HTMLElement>;

/**
 * Every tile. How all of them lie and look is found in one go, and only those that lie or look
 * otherwise than before are rendered.
 */
function Tiles({ seat, spots, elements }: { seat: Seat; spots: Spots; elements: Elements }) {
  const shown = useMemo(() => new Map<Tile, Signal<string>>(), []);
  const tiles = useSignal("");
  useLayoutEffect(
    () =>
      effect(() => {
        const now = spots.value;
        for (const [tile, at] of now) {
          const look = shownOf(seat, tile, at);
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
          <BoardTile
            key={tile}
            tile={tile}
            shown={shown.get(tile)!}
            seat={seat}
            spots={spots}
            elements={elements}
          />
        ))}
    </>
  );
}

/** How a tile lies and looks, in one text: two that are the same are no change. */
function shownOf(seat: Seat, tile: Tile, at: Put): string {
  const stands = at.zone === "table" ? standsFor(seat, tile) : undefined;
  return `${transformOf(at)}/${lookOf(seat, tile, at.zone)}/${stands ?? ""}`;
}

interface BoardTileProps {
  tile: Tile;
  shown: ReadonlySignal<string>;
  seat: Seat;
  spots: Spots;
  elements: Elements;
}

function BoardTile({ tile, shown, seat, spots, elements }: BoardTileProps) {
  const ref = useRef<HTMLDivElement>(null);
  const [transform, look, stands] = shown.value.split("/");
  useLayoutEffect(() => {
    const element = ref.current!;
    const at = spots.peek().get(tile);
    elements.set(tile, element);
    if (at !== undefined) arrive(element, tile, at, seat);
    return () => {
      elements.delete(tile);
    };
  }, []);
  return (
    <div ref={ref} class={look} data-tile={tile} aria-hidden="true" style={{ transform }}>
      <Face tile={tile} stands={stands || undefined} />
    </div>
  );
}

function lookOf(seat: Seat, tile: Tile, zone: "table" | "rack"): string {
  const hint = seat.hint.value;
  const news = hint === null ? newsOf(seat, tile) : pointsAt(hint, tile) && "hinted";
  return [
    classOf(tile),
    zone,
    // One mark at a time: what somebody has chosen is what counts.
    seat.selected.value.includes(tile) ? "chosen" : news,
    zone === "table" && seat.base.value.rack.includes(tile) && "laid",
  ]
    .filter(Boolean)
    .join(" ");
}

/** Whether a tile has come here, or was moved, since one's own turn. */
function newsOf(seat: Seat, tile: Tile): string | false {
  if (seat.fresh.value.tiles.has(tile)) return "fresh";
  if (seat.drawn.value.has(tile)) return "drawn";
  return seat.earlier.value.has(tile) && "earlier";
}

/** The tiles to be played, then those that the step moves which is shown. */
function pointsAt({ found, stage, step }: Help, tile: Tile): boolean {
  if (stage < 3) return stage === 2 && found.played.includes(tile);
  return found.steps[step - 1]?.tiles.includes(tile) ?? false;
}

/** Whether a hint is still being shown: what lies there is not finished, and nobody's fault. */
function isBeingShown(help: Help | null): boolean {
  return help !== null && help.stage === 3 && help.step < help.found.steps.length;
}

/** A tile that was not here before comes from whoever played it, or from the pool. */
function arrive(element: HTMLElement, tile: Tile, at: Point & { scale: number }, seat: Seat): void {
  const { tiles, from } = seat.fresh.peek();
  const isDrawn = seat.drawn.peek().has(tile);
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

/** What a joker of the table stands for, if that is one thing. */
function standsFor(seat: Seat, tile: Tile): string | undefined {
  if (!"JDCM".includes(tile[0]!)) return undefined;
  const index = seat.draft.value.rows.findIndex((row) => row.tiles.includes(tile));
  const judged = seat.preview.value.rows[index];
  const row = seat.draft.value.rows[index];
  const readings = judged?.verdict.readings ?? [];
  // A row that is only halves of one tile has a kind that none of its readings has.
  const reading = readings.find((each) => each.kind === judged?.kind) ?? readings[0];
  const faces = reading?.stands.find(([at]) => row?.tiles[at] === tile)?.[1] ?? [];
  const numbers = new Set(faces.map((face) => face.slice(1)));
  if (numbers.size !== 1) return undefined;
  return faces.length === 1 ? faces[0] : `x${[...numbers][0]}`;
}

/** What is to be said of rows: worth, faults, and the choice between two readings. */
function Rows({ seat, view }: { seat: Seat; view: ReadonlySignal<View> }) {
  if (!seat.myTurn.value || !seat.touched.value) return null;
  const now = view.value;
  const noted = notedRow(seat);
  // Of a few tiles that wait to be put elsewhere it is said once.
  const isWide = now.table.width >= NARROW;
  const isShown = isBeingShown(seat.hint.value);
  const old = new Set(seat.base.value.table.map((tiles) => tiles.join(" ")));
  return (
    <>
      {seat.draft.value.rows.map((row, index) => {
        const spot = seat.places.value.get(row.id);
        const judged = seat.preview.value.rows[index];
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
        const kinds = ["row-box", ok ? "ok" : "bad"];
        if (says || judged.verdict.ambiguous) kinds.push("saying");
        return (
          <div key={row.id} class={kinds.join(" ")} style={boxStyle(box)}>
            {ok && <span class="worth">{judged.value}</span>}
            {says && (
              <span class="fault" style={{ left: `${noteShift(now, box)}px` }}>
                {noteOf(judged.reasons[0], row.tiles)}
              </span>
            )}
            {judged.verdict.ambiguous && (
              <span class="choices" data-alone>
                {judged.verdict.readings.map(({ kind }) => (
                  <button
                    key={kind}
                    type="button"
                    aria-label={t("board.read-as", {
                      tiles: namesOf(row.tiles),
                      kind: t(`kind.${kind}`),
                    })}
                    aria-pressed={seat.declared.value.get(row.tiles.join(" ")) === kind}
                    onClick={() => seat.declare(row.tiles, kind)}
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

const NOTE = 300;

/** By how far a note under a row has to move so that all of it can be read. */
function noteShift(view: View, box: Box): number {
  const right = view.table.x + view.table.width;
  return Math.min(4, right - Math.min(NOTE, view.table.width) - box.x);
}

interface CursorProps {
  seat: Seat;
  view: ReadonlySignal<View>;
  spots: Spots;
  order: ReadonlySignal<readonly number[]>;
  cursor: Signal<Cursor>;
  byKey: Signal<boolean>;
}

/** The one row that always says why it is none: the one that was touched last, or else the first. */
function notedRow(seat: Seat): number | null {
  const bad = seat.draft.value.rows.filter(
    (_, index) => (seat.preview.value.rows[index]?.reasons.length ?? 0) > 0,
  );
  const latest = bad.find((row) => row.id === seat.latest.value);
  return (latest ?? bad[0])?.id ?? null;
}

function CursorMark(props: CursorProps) {
  const mark = useRef<HTMLDivElement>(null);
  // On a page that is scrolled, the cursor is in sight.
  useEffect(() => mark.current?.scrollIntoView({ block: "nearest" }), [props.cursor.value]);
  if (!props.byKey.value) return null;
  const { seat } = props;
  const view = props.view.value;
  const cursor = walk(seat.draft.value, props.order.value, props.cursor.value);
  const tile = tileAt(seat.draft.value, cursor);
  const at = tile === null ? undefined : props.spots.value.get(tile);
  if (at !== undefined) {
    const width = view.rackTile * at.scale;
    return (
      <div
        ref={mark}
        class="cursor"
        style={boxStyle({ x: at.x - 3, y: at.y - 3, width: width + 6, height: width * RATIO + 6 })}
      />
    );
  }
  if (cursor.zone === "row") {
    const row = seat.draft.value.rows.find((each) => each.id === cursor.row);
    const spot = seat.places.value.get(cursor.row);
    if (row === undefined || spot === undefined) return null;
    const corner = rowAt(view, spot);
    return (
      <div
        ref={mark}
        class="cursor"
        style={boxStyle({
          x: corner.x + row.tiles.length * view.tableTile,
          y: corner.y,
          width: 8,
          height: view.tableTile * RATIO,
        })}
      />
    );
  }
  if (cursor.zone === "rack") {
    const { x, y } = rackAt(view, cursor.index);
    const width = view.rackTile + 6;
    return (
      <div
        ref={mark}
        class="cursor"
        style={boxStyle({ x: x - 3, y: y - 3, width, height: view.rackTile * RATIO + 6 })}
      />
    );
  }
  if (cursor.zone === "free") {
    const y = view.table.y + view.table.height - view.tableTile * RATIO - 6;
    const width = view.tableTile * 3;
    return (
      <div
        ref={mark}
        class="cursor free"
        style={boxStyle({ x: view.table.x, y, width, height: view.tableTile * RATIO })}
      />
    );
  }
  return null;
}

// In words, for those who listen.

function rowWords(seat: Seat, id: number): string {
  const draft = seat.draft.value;
  const index = draft.rows.findIndex((row) => row.id === id);
  const row = draft.rows[index];
  const judged = seat.preview.value.rows[index];
  if (row === undefined || judged === undefined) return "";
  const tiles = namesOf(row.tiles);
  if (judged.reasons.length > 0) {
    return t("say.row-bad", { tiles, reason: reasonOf(judged.reasons[0]) });
  }
  return t("say.row-good", { tiles, kind: t(`kind.${judged.kind}`), value: judged.value ?? 0 });
}

/** The rows as the eye finds them, from the top left. */
function orderOf(seat: Seat): number[] {
  const places = seat.places.value;
  const rank = (id: number) => {
    const spot = places.get(id);
    return spot === undefined ? 0 : spot.line * 1000 + spot.at;
  };
  return seat.draft.value.rows.map((row) => row.id).sort((one, other) => rank(one) - rank(other));
}

function cursorWords(seat: Seat, cursor: Cursor): string {
  const tile = tileAt(seat.draft.value, cursor);
  if (cursor.zone === "free") return t("say.free");
  const nothing = cursor.zone === "rack" ? t("say.gap") : t("say.end");
  const name = tile === null ? nothing : nameOf(tile);
  const isChosen = tile !== null && seat.selected.value.includes(tile);
  const what = isChosen ? t("say.chosen", { tile: name }) : name;
  if (cursor.zone === "rack") {
    return t("say.on-rack", { tile: what, place: cursor.index + 1 });
  }
  const number = orderOf(seat).indexOf(cursor.row) + 1;
  return t("say.in-row", { tile: what, row: number, place: cursor.index + 1 });
}

function chosenWords(seat: Seat): string {
  const chosen = seat.selected.value;
  return chosen.length === 0
    ? t("say.none-chosen")
    : t("say.all-chosen", { tiles: namesOf(chosen) });
}

export function tableWords(seat: Seat): string {
  const rows = orderOf(seat).map((id) => rowWords(seat, id));
  return rows.length === 0 ? t("table.empty") : rows.join(" ");
}
