/**
 * The steps of a turn as sentences. The server chooses the sentence (`queries/sentences.py`); here
 * the page fills in its names of tiles.
 */

import { isJoker, numberOf, type Tile } from "../game/tiles";
import type { NamedInfo, StepInfo } from "../generated/wire";
import { t } from "../words";
import { colourName, nameOf } from "./tile";

type Row = readonly Tile[];

/** A step as a sentence: "Add black 9 to the end of the black run 6 7 8." */
export function stepWords({ say }: Pick<StepInfo, "say">): string {
  const named = Object.entries(say.names).map(([name, part]) => [name, partName(part)]);
  return t(say.key as `step.${string}`, Object.fromEntries(named));
}

/** In the words of the page: jokers have names and not letters. */
function partName({ how, tiles }: NamedInfo): string {
  switch (how) {
    case "tile":
    case "notation":
      return listOf(tiles);
    case "tiles":
      return listed(
        tiles.map((tile) =>
          isJoker(tile) ? t("step.joker", { name: nameOf(tile) }) : nameOf(tile),
        ),
      );
    case "numbers":
    case "run":
      return t(`step.${how}`, straight(tiles));
    case "rest":
      return t("step.rest", { tiles: partName({ how: "tiles", tiles }) });
    case "rest-numbers":
      return t("step.rest", { tiles: partName({ how: "numbers", tiles }) });
    case "row":
      return t("step.row", { tiles: listOf(tiles) });
    case "group":
    case "group-told": {
      const highest = Math.max(...tiles.map(numberOf));
      const number = t("step.counted").split(" ")[highest - 1]!;
      return t(`step.${how}`, { number, tiles: listOf(tiles) });
    }
  }
}

function listOf(tiles: Row): string {
  return listed(tiles.map(nameOf));
}

function listed(parts: readonly string[]): string {
  if (parts.length < 2) return parts.join("");
  return parts.slice(0, -1).join(t("list.comma")) + t("list.and") + parts.at(-1);
}

function straight(row: Row): { colour: string; numbers: string } {
  const numbered = row.find((tile) => !isJoker(tile))!;
  const numbers = row.map((tile) => (isJoker(tile) ? nameOf(tile) : String(numberOf(tile))));
  return {
    colour: colourName(numbered),
    numbers: numbers.join(t("step.between-numbers")),
  };
}
