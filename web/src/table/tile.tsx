/** One tile: ivory, with a number or the face of a joker. All artwork is drawn here. */

import { signal } from "@preact/signals";
import { changedNumber, type Names } from "../game/declarations";
import { EDITIONS, type Edition } from "../game/editions";
import { colourOf, faceOf, isJoker, jokerKind, numberOf, type Tile as TileId } from "../game/tiles";
import { t } from "../words";

const isYellow = signal(false);

/** Tiles are those of this edition: in some boxes the fourth colour is yellow, not orange. */
export function openBox(edition: Edition): void {
  isYellow.value = EDITIONS[edition].yellow;
  document.documentElement.dataset.box = isYellow.value ? "yellow" : "orange";
}

export function colourName(tile: TileId): string {
  const colour = colourOf(tile);
  return t(`colour.${colour === "o" && isYellow.value ? "yellow" : colour}`);
}

/** The name of a tile, such as "red 7". */
export function nameOf(tile: TileId): string {
  if (isJoker(tile)) return t(`tile.${faceOf(tile)}`);
  return t("tile.number", { colour: colourName(tile), number: numberOf(tile) });
}

export function namesOf(tiles: readonly TileId[]): string {
  return tiles.map(nameOf).join(t("list.comma"));
}

/** The name of what a joker stands for: "blue 8", or the number of a colour change. */
export function wordsOf(names: Names): string {
  const words = names.map((name) => changedNumber(name) ?? nameOf(name));
  return words.join(t("list.and"));
}

/** The name of a tile; a declared joker with what it stands for. */
export function nameWith(tile: TileId, names: Names | undefined): string {
  if (names === undefined) return nameOf(tile);
  return t("board.joker-as", { joker: nameOf(tile), tile: wordsOf(names) });
}

/** The face of a joker, with a mark for what it does. */
function JokerFace({ tile }: { tile: TileId }) {
  const { slots, changesColour, mirrors } = jokerKind(tile)!;
  return (
    <svg class="joker" viewBox="0 0 40 48" aria-hidden="true">
      <path
        class="cap"
        d="M4 17c4-9 9-12 16-12s12 3 16 12c-3-1-5-1-7 1-2-3-4-4-9-4s-7 1-9 4c-2-2-4-2-7-1z"
      />
      <circle class="bell" cx="4" cy="18" r="2.6" />
      <circle class="bell" cx="36" cy="18" r="2.6" />
      <circle class="bell" cx="20" cy="4" r="2.6" />
      <path class="line" d="M11 18c-1 12 3 20 9 20s10-8 9-20" />
      <circle class="dot" cx="16" cy="24" r="1.9" />
      <circle class="dot" cx="24" cy="24" r="1.9" />
      <path class="line" d="M14.5 30c3.5 3.6 7.5 3.6 11 0" />
      {slots > 1 && (
        <text class="times" x="20" y="47.5">
          ×{slots}
        </text>
      )}
      {changesColour && (
        <g>
          <path class="mark-r" d="M9 41h5.500v6H9z" />
          <path class="mark-b" d="M14.5 41H20v6h-5.500z" />
          <path class="mark-k" d="M20 41h5.500v6H20z" />
          <path class="mark-o" d="M25.5 41H31v6h-5.500z" />
        </g>
      )}
      {mirrors && (
        <path class="mark-line" d="M20 40v8M16 41.5 11 44l5 2.500zM24 41.500l5 2.5-5 2.500z" />
      )}
    </svg>
  );
}

/** What a tile shows. The sign below a number comes from its style: fewer elements, quicker steps. */
export function Face({ tile, stands }: { tile: TileId; stands?: string | undefined }) {
  if (isJoker(tile)) {
    return (
      <>
        <JokerFace tile={tile} />
        {stands !== undefined && <span class={`stands ${stands[0]}`}>{stands.slice(1)}</span>}
      </>
    );
  }
  return <>{numberOf(tile)}</>;
}

export function classOf(tile: TileId): string {
  return isJoker(tile) ? "tile j" : `tile ${colourOf(tile)}`;
}

/** A static tile in a text or a list. */
export function StillTile({ tile }: { tile: TileId }) {
  return (
    <span class={`${classOf(tile)} still`} role="img" aria-label={nameOf(tile)}>
      <Face tile={tile} />
    </span>
  );
}
