/**
 * The board component: the table, the rack, and every tile on them.
 *
 * Each tile is one element for the whole game and moves by its transform alone, so a tile that goes
 * from a rack to a row, or from row to row, can be followed by the eye. While tiles are dragged
 * nothing is rendered: their elements are moved directly.
 */

import { useComputed } from "@preact/signals";
import type { RefObject } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { isByKey } from "../inputMode";
import { isCalm } from "../prefs";
import { t } from "../words";
import { Felt } from "./felt";
import { Gestures } from "./gestures";
import { StageHands } from "./hands";
import { keyOf } from "./keyboard";
import { type Listener, press } from "./keys";
import { CursorMark, Frame, TargetMark } from "./marks";
import { Rows } from "./notes";
import type { TableSource } from "./source";
import { Stage } from "./stage";
import { Tiles } from "./tiles";

/** Milliseconds, so that the first screen is drawn before. */
const REHEARSE_AFTER = 400;
/** The actions that repeat while a key is held. */
const REPEATED: readonly string[] = ["step", "undo", "redo"];

type BoardProps = Listener & { source: TableSource };

export function Board({ source, announce, onKeys }: BoardProps) {
  const { table } = source;
  const element = useRef<HTMLDivElement>(null);
  const stage = useMemo(() => new Stage(table), [table]);
  // Before anything is painted: tiles have no places until the stage has a size.
  useLayoutEffect(() => stage.occupy(element.current!), [stage]);
  useGestures(stage, element, announce);
  useEffect(() => {
    const timer = setTimeout(() => table.rehearse(), REHEARSE_AFTER);
    return () => clearTimeout(timer);
  }, [table]);

  const classes = useComputed(() => {
    const isCarrying = stage.lifted.value.size > 0;
    const found = [
      "stage",
      table.myTurn.value && "mine",
      isCalm() && "calm",
      isCarrying && "carrying",
    ];
    return found.filter(Boolean).join(" ");
  });
  return (
    <div
      ref={element}
      class={classes}
      style={{ "--tile-width": `${stage.rackTile.value}px` }}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: the table is played on with the keyboard
      tabIndex={0}
      role="application"
      aria-label={t("board.label")}
      aria-describedby="board-help"
      aria-roledescription={t("board.role")}
      onKeyDown={(event) => pressKey(event, stage, source, { announce, onKeys })}
      data-by-key={stage.byKey}
      onFocus={() => {
        stage.byKey.value = isByKey();
      }}
      onBlur={() => {
        stage.byKey.value = false;
      }}
    >
      <Felt stage={stage} />
      <div class="layer notes">
        <Rows stage={stage} />
      </div>
      <Tiles stage={stage} />
      <div class="layer marks">
        <TargetMark stage={stage} />
      </div>
      <Frame stage={stage} />
      <CursorMark stage={stage} />
      <p id="board-help" class="unseen">
        {t("board.help")}
      </p>
    </div>
  );
}

function useGestures(
  stage: Stage,
  element: RefObject<HTMLElement | null>,
  announce: Listener["announce"],
): void {
  useEffect(() => {
    const hands = new StageHands(stage, element.current!, announce);
    const gestures = new Gestures(element.current!, hands);
    const stop = gestures.listen();
    // The end of a turn cancels a drag; the start of one does not.
    const watch = stage.table.myTurn.subscribe((mine) => {
      if (!mine) gestures.abort();
    });
    return () => {
      stop();
      watch();
    };
  }, [stage]);
}

function pressKey(
  event: KeyboardEvent,
  stage: Stage,
  source: TableSource,
  listener: Listener,
): void {
  // A control on the stage that has the focus takes its own keys.
  if (event.target !== event.currentTarget) return;
  const key = keyOf(event);
  if (key === undefined) return;
  event.preventDefault();
  event.stopPropagation();
  stage.byKey.value = true;
  if (!event.repeat || REPEATED.includes(key.do)) press(stage, source, key, listener);
}
