/** The controls that name the jokers of a row. */

import { jokerChoices, keyOf, renamed } from "../game/names";
import type { Tile } from "../game/tiles";
import type { RowPreview } from "../game/turn";
import { t } from "../words";
import type { TableStore } from "./store";
import { namesOf, wordsOf } from "./tile";

interface NamingProps {
  table: TableStore;
  tiles: readonly Tile[];
  judged: RowPreview;
}

/** One choice per joker; the default is the most valuable meaning. */
export function Naming({ table, tiles, judged }: NamingProps) {
  const { ways, named } = judged;
  return (
    <span class="choices" data-alone>
      {jokerChoices(tiles, ways).map(({ tile, options }, number) => (
        <select
          key={tile}
          aria-label={t("board.joker-is", { number: number + 1, tiles: namesOf(tiles) })}
          value={keyOf(named.get(tile) ?? [])}
          onChange={(event) => {
            const key = event.currentTarget.value;
            const now = new Map([...named].map(([one, names]) => [one, keyOf(names)]));
            table.declare(tiles, renamed(tiles, ways, now.set(tile, key), tile));
          }}
        >
          {options.map((names) => (
            <option key={keyOf(names)} value={keyOf(names)}>
              {wordsOf(names)}
            </option>
          ))}
        </select>
      ))}
    </span>
  );
}
