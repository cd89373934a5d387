/** The rules of an edition with its options, in the player's language, as the server has them. */

import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { type Edition, NAMES } from "../game/editions";
import type { RulesBlock, RulesReply, Settings, SheetBlock } from "../generated/wire";
import { rulesOf } from "../session/api";
import { openBox, StillTile } from "../table/tile";
import { language, signed, t } from "../words";
import { closeRules } from "./opened";
import { Choice, Dialog, Title } from "./parts";
import { BackHome } from "./start";

/** The names of the players in examples. */
const PLAYERS = "ABCDEF";

export function RulesDialog({ of: { edition = "classic", options = {} } }: { of: Settings }) {
  return (
    <Dialog title={t(`edition.${edition}.name`)} wide onClose={closeRules}>
      <RuleBook edition={edition} options={options} />
    </Dialog>
  );
}

export function RulesPage() {
  const edition = useSignal<Edition>("classic");
  useEffect(() => openBox(edition.value), [edition.value]);
  return (
    <main class="sheet book">
      <BackHome />
      <Title words={t("start.rules")} />
      <Choice
        label={t("create.edition")}
        value={edition.value}
        options={NAMES.map((name) => [name, t(`edition.${name}.name`)] as const)}
        onChoose={(name) => {
          edition.value = name;
        }}
        note={t(`edition.${edition.value}.blurb`)}
      />
      <RuleBook edition={edition.value} options={{}} />
    </main>
  );
}

function RuleBook({ edition, options }: { edition: Edition; options: object }) {
  const book = useSignal<RulesReply | null>(null);
  const failed = useSignal(false);
  const lang = language.value;
  const key = JSON.stringify(options);
  useEffect(() => {
    let isWanted = true;
    failed.value = false;
    rulesOf(edition, key, lang)
      .then((found) => {
        if (isWanted) book.value = found;
      })
      .catch(() => {
        failed.value = true;
      });
    return () => {
      isWanted = false;
    };
  }, [edition, key, lang]);
  if (failed.value) return <p role="alert">{t("rules.failed")}</p>;
  if (book.value === null) return <p>{t("app.loading")}</p>;
  return (
    <article class="rulebook">
      {book.value.sections.map((section) => (
        <section key={section.id}>
          <h2>{section.title}</h2>
          {section.blocks.filter(isForEyes).map((block, index) => (
            <Block key={`${section.id}-${index}`} block={block} />
          ))}
        </section>
      ))}
    </article>
  );
}

/** The notation of tiles is left out: here they are drawn. */
function isForEyes(block: RulesBlock): boolean {
  return block.type !== "paragraph" || !block.letters;
}

function Block({ block }: { block: RulesBlock }) {
  switch (block.type) {
    case "paragraph":
      return <p>{block.text}</p>;
    case "row":
      return (
        <figure class={block.valid ? "example good" : "example bad"}>
          <Tiles tiles={block.row} />
          <figcaption>
            <Sign good={block.valid} /> {block.caption}
          </figcaption>
        </figure>
      );
    case "turn":
      return (
        <figure class={block.legal ? "example good" : "example bad"}>
          <Line label={t("example.rack")} rows={[block.rack]} />
          <Line label={t("example.before")} rows={block.before} />
          <Line label={t("example.after")} rows={block.after} />
          <figcaption>
            <Sign good={block.legal} /> {block.caption}
          </figcaption>
        </figure>
      );
    case "scores":
      return (
        <figure class="example">
          {block.racks.map((rack, player) => (
            <div class="line" key={`${player}-${rack.join()}`}>
              <span>
                {t("example.player")} {PLAYERS[player]}
              </span>
              <Tiles tiles={rack} />
              <b>{signed(block.scores[player] ?? 0)}</b>
            </div>
          ))}
          <figcaption>{block.caption}</figcaption>
        </figure>
      );
    case "sheet":
      return <Sheet block={block} />;
    case "variations":
      return (
        <>
          <p>{block.caption}</p>
          <ul class="variations">
            {block.items.map((item) => (
              <li key={item.option}>
                {item.text} <code>{item.option}</code>
              </li>
            ))}
          </ul>
        </>
      );
  }
}

/** Several games on one sheet. The winner of a game and of the match stand out. */
function Sheet({ block }: { block: SheetBlock }) {
  const { games, totals, wins, leaders, labels } = block;
  const mark = (winners: readonly number[], player: number) =>
    winners.includes(player) ? "winner" : "";
  return (
    <figure class="example score-sheet">
      <div class="scores">
        <table>
          <thead>
            <tr>
              <th scope="col">{labels.game}</th>
              {totals.map((_, player) => (
                <th key={player} scope="col">
                  {PLAYERS[player]}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {games.map((game, number) => (
              <tr key={number}>
                <th scope="row">{number + 1}</th>
                {game.scores.map((score, player) => (
                  <td key={player} class={mark(game.winners, player)}>
                    {signed(score)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
          <tfoot>
            <tr>
              <th scope="row">{labels.total}</th>
              {totals.map((total, player) => (
                <td key={player}>{signed(total)}</td>
              ))}
            </tr>
            <tr>
              <th scope="row">{labels.wins}</th>
              {wins.map((count, player) => (
                <td key={player} class={mark(leaders, player)}>
                  {count}
                </td>
              ))}
            </tr>
          </tfoot>
        </table>
      </div>
      <figcaption>{block.caption}</figcaption>
    </figure>
  );
}

/** The mark of a winner; colour alone is not accessible. */
function Sign({ good }: { good: boolean }) {
  return (
    <>
      <span class="sign" aria-hidden="true">
        {good ? "✓" : "✗"}
      </span>
      {!good && <span class="unseen">{t("example.invalid")}</span>}
    </>
  );
}

function Line({ label, rows }: { label: string; rows: readonly (readonly string[])[] }) {
  return (
    <div class="line">
      <span>{label}</span>
      <span class="rows">
        {rows.length === 0 && t("example.empty")}
        {rows.map((row) => (
          <Tiles key={row.join()} tiles={row} />
        ))}
      </span>
    </div>
  );
}

function Tiles({ tiles }: { tiles: readonly string[] }) {
  return (
    <span class="row">
      {tiles.map((tile, index) => (
        <StillTile key={`${tile}-${index}`} tile={tile} />
      ))}
    </span>
  );
}
