/** The result of a game and of a match, and the score sheet. */

import { type Signal, useSignal } from "@preact/signals";
import type { RefObject } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { LADDER } from "../game/choices";
import { optionIn } from "../game/editions";
import { gamesWon } from "../game/match";
import { sorted } from "../game/tiles";
import type { GameInfo, MatchInfo } from "../generated/wire";
import { isCalm } from "../prefs";
import type { MissedPlay } from "../session/connection";
import type { Seat } from "../session/seat";
import * as sound from "../sound";
import { StillTile } from "../table/tile";
import { signed, t } from "../words";
import { endWords } from "./endings";
import { keepFocus } from "./focus";
import { follow } from "./follow";
import { leave } from "./leave";
import { botKind, nameOrYou, seatName } from "./names";
import { Button, Logo } from "./parts";
import { Proof } from "./proof";

/** The score sheet: a line for each game, a column for each player, totals and games won. */
export function ScoreSheet({ seat }: { seat: Seat }) {
  const room = seat.room.value!;
  const match = room.match;
  if (match == null || match.results.length === 0) return <p>{t("scores.none")}</p>;
  const byScore = optionIn(room.settings, "match.winner") === "score";
  const sums = [
    [t("scores.total"), match.totals.map(signed)],
    [t("scores.won"), gamesWon(match).map(String)],
  ] as const;
  return (
    <>
      <div class="scores">
        <table>
          <caption>
            {t("scores.games", { played: match.results.length, games: match.games })}
          </caption>
          <thead>
            <tr>
              <th scope="col">{t("scores.game")}</th>
              {room.seats.map((_, number) => (
                <th key={number} scope="col">
                  {nameOrYou(seat, number)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {match.results.map((result, game) => (
              <tr key={game}>
                <th scope="row">{game + 1}</th>
                {result.scores.map((score, number) => (
                  <td key={number} class={result.winners.includes(number) ? "winner" : ""}>
                    {signed(score)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
          <tfoot>
            {sums.map(([label, values]) => (
              <tr key={label}>
                <th scope="row">{label}</th>
                {values.map((value, number) => (
                  <td key={number} class={match.leaders.includes(number) ? "winner" : ""}>
                    {value}
                  </td>
                ))}
              </tr>
            ))}
          </tfoot>
        </table>
      </div>
      <p class="note">{t(byScore ? "scores.by-total" : "scores.by-games")}</p>
    </>
  );
}

/** How the match was decided: the games that each player won. */
function wonWords(seat: Seat, match: MatchInfo): string {
  const list = gamesWon(match).map((count, number) =>
    t("end.won-each", { name: nameOrYou(seat, number), count }),
  );
  return t("end.won", { list: list.join(t("list.comma")) });
}

/** What a player could still have played when the game ended, and the table that it would make. */
function Missed({ play }: { play: MissedPlay | undefined }) {
  if (play === undefined) return null;
  return (
    <details class="missed" data-testid="missed">
      <summary>
        <span>{t("end.missed")}</span>
        {sorted(play.tiles, "colour").map((tile) => (
          <StillTile key={tile} tile={tile} />
        ))}
      </summary>
      <ul class="rows" aria-label={t("board.table")}>
        {play.table.map((row) => (
          <li key={row.join(" ")}>
            {row.map((tile) => (
              <StillTile key={tile} tile={tile} />
            ))}
          </li>
        ))}
      </ul>
    </details>
  );
}

interface EndingProps {
  seat: Seat;
  /** Whether it is minimised, so that the table is visible. */
  folded: Signal<boolean>;
  /** The player wants to leave before the match is over. */
  onLeave: () => void;
}

/** The result of a game: winners, all racks, and what comes next. */
export function Ending({ seat, folded, onLeave }: EndingProps) {
  const room = seat.room.value!;
  const final = seat.game.value?.final;
  const winners = winnersOf(seat);
  const won = seat.you.value !== null && winners.includes(seat.you.value);
  useEffect(() => {
    if (won) sound.won();
  }, [won, room.phase]);
  const isThere = final != null;
  const here = useFocus(isThere, folded);
  const number = seat.game.value?.number;
  useEffect(() => {
    if (isThere) void seat.advice.askMissed();
  }, [isThere, number]);
  const moved = useSignal<number | null>(null);
  useEffect(() => {
    moved.value = isThere ? follow(room, seat.you.value) : null;
  }, [isThere, number]);
  if (final == null) return null;
  const fold = () => {
    folded.value = !folded.value;
  };
  return (
    <div
      ref={here}
      class={["ending", folded.value && "folded", !isCalm() && "rises"].filter(Boolean).join(" ")}
      tabIndex={-1}
      role="dialog"
      aria-modal="false"
      aria-labelledby="ending-title"
    >
      <header>
        {won && <Logo />}
        <h2 id="ending-title" data-testid="ending">
          {endingTitle(seat, winners)}
        </h2>
        <Button onPress={fold} id="fold">
          {t(folded.value ? "end.result" : "end.table")}
        </Button>
      </header>
      {!folded.value && <Result seat={seat} final={final} level={moved.value} />}
      {!folded.value && <GoOn seat={seat} onLeave={onLeave} />}
    </div>
  );
}

/** The level of the bots follows the results of the player, and has changed. */
function NextLevel({ level }: { level: number }) {
  return (
    <p class="note" role="status" data-testid="next-level">
      {t("follow.now", { name: botKind(LADDER[level - 1]!) })}
    </p>
  );
}

/** Moves the focus to the ending when it appears: it covers the button that was pressed last. */
function useFocus(isThere: boolean, folded: Signal<boolean>): RefObject<HTMLDivElement | null> {
  const here = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    folded.value = false;
    const element = here.current;
    if (element === null) return undefined;
    element.focus({ preventScroll: true });
    return keepFocus(element);
  }, [isThere]);
  return here;
}

/** The winners of the match where it is over, or else of the game. */
function winnersOf(seat: Seat): readonly number[] {
  const room = seat.room.value!;
  if (room.phase === "over") return room.match?.leaders ?? [];
  return seat.game.value?.final?.winners ?? [];
}

function endingTitle(seat: Seat, winners: readonly number[]): string {
  const count = winners.length;
  const names = winners.map((number) => nameOrYou(seat, number)).join(t("list.and"));
  const alone = count === 1 && winners[0] === seat.you.value;
  if (seat.room.value!.phase === "over") {
    return t(alone ? "end.match-you" : "end.match", { names, count });
  }
  if (count === 0) return t("end.nobody");
  return t(alone ? "end.game-you" : "end.game", { names, count });
}

type Final = NonNullable<GameInfo["final"]>;

interface ResultProps {
  seat: Seat;
  final: Final;
  /** The level that the result leads to, if it does. */
  level: number | null;
}

function Result({ seat, final, level }: ResultProps) {
  const room = seat.room.value!;
  const hasLowest = final.blocked && winnersOf(seat).length > 0;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
    <div class="ending-body" tabIndex={0}>
      <p data-testid="why">
        {endWords(seat)}
        {hasLowest && ` ${t("ended.lowest")}`}
      </p>
      {level !== null && <NextLevel level={level} />}
      {room.phase === "over" && room.match != null && (
        <p data-testid="won">{wonWords(seat, room.match)}</p>
      )}
      <ul class="racks">
        {final.racks.map((rack, number) => (
          <li key={number} class={final.winners.includes(number) ? "winner" : ""}>
            <span class="name">{nameOrYou(seat, number)}</span>
            <span class="tiles">
              {rack.length === 0
                ? t("end.no-tiles")
                : sorted(rack, "colour").map((tile) => <StillTile key={tile} tile={tile} />)}
            </span>
            <span class="score">{signed(final.scores[number] ?? 0)}</span>
            <Missed play={seat.advice.missed.value.find((play) => play.seat === number)} />
          </li>
        ))}
      </ul>
      <ScoreSheet seat={seat} />
      <Proof seat={seat} />
    </div>
  );
}

/** The buttons for the next game or match, and for leaving. */
function GoOn({ seat, onLeave }: { seat: Seat; onLeave: () => void }) {
  const room = seat.room.value!;
  const you = seat.you.value;
  const isOver = room.phase === "over";
  const wants = you !== null && (room.seats[you]?.more ?? false);
  const waiting = room.seats.filter((each) => each.kind === "person" && !each.away && !each.more);
  const waits = wants && waiting.length > 0;
  return (
    <footer>
      {waits && (
        <p class="note">
          {t("end.waiting", { names: waiting.map(seatName).join(t("list.comma")) })}
        </p>
      )}
      {!isOver && !waits && <p class="note">{t("end.soon")}</p>}
      {you !== null && (
        <Button
          kind="main"
          onPress={() => void seat.ask({ type: "ask", what: "more", want: !wants })}
          pressed={wants}
          id="more"
        >
          {t(isOver ? "end.rematch" : "end.next")}
        </Button>
      )}
      {isOver || you === null ? (
        <Button onPress={() => void leave(seat)}>{t("app.home")}</Button>
      ) : (
        <Button onPress={onLeave}>{t("table.leave")}</Button>
      )}
    </footer>
  );
}
