/** The form of a new room: edition, seats, clock, rounds, and every option. */

import { useSignal } from "@preact/signals";
import {
  begin,
  type Choices,
  CLOCK,
  clocks,
  houseRules,
  optionOf,
  seatNumbers,
  seatsOf,
  settingsOf,
  withEdition,
  withOption,
  withUsualRules,
} from "../game/choices";
import { EDITIONS, NAMES, type Options, type Value } from "../game/editions";
import { SPECS, type Spec } from "../game/specs";
import type { OptionGroup } from "../generated/options";
import type { Key } from "../generated/words";
import { choose, prefs } from "../prefs";
import { ApiError } from "../session/api";
import { has, t } from "../words";
import { errorWords } from "./errors";
import { PaceChoice } from "./paceChoice";
import { Button, Choice, Switch, Title } from "./parts";
import { BackHome, ErrorLine, NameField, open } from "./start";

/** The heading of each group of options; null where they are chosen above, or not by players. */
const HEADINGS: Readonly<Record<OptionGroup, Key | null>> = {
  room: null,
  box: "create.group-box",
  opening: "create.group-opening",
  turn: "create.group-turn",
  joker: "create.group-joker",
  pool: "create.group-pool",
  match: "create.group-match",
};

/** How many games a round has, as the edition or its options say. */
function roundWords(choices: Choices): string {
  const games = optionOf(choices, "match.games_per_round");
  return games === "players"
    ? t("create.round-of-players")
    : t("create.round-of-games", { count: Number(games) });
}

/** Why such a room is impossible, if that is what went wrong. */
function impossibleWords(error: unknown): string | null {
  if (!(error instanceof ApiError)) return null;
  const { code, params } = error;
  return has(`impossible.${code}`) ? t(`impossible.${code}`, params) : null;
}

interface FormProps {
  now: Choices;
  set: (next: Choices) => void;
}

export function Create() {
  const chosen = useSignal(begin(prefs.value.edition, prefs.value.pace));
  const busy = useSignal(false);
  const error = useSignal("");
  const now = chosen.value;
  const set = (next: Choices) => {
    chosen.value = next;
  };
  const create = async () => {
    busy.value = true;
    error.value = "";
    try {
      await open({ settings: settingsOf(now) });
    } catch (caught) {
      error.value = impossibleWords(caught) ?? errorWords(caught);
    }
    busy.value = false;
  };
  return (
    <main class="sheet">
      <BackHome />
      <Title words={t("start.friends")} />
      <NameField error={error.value} />
      <GameChoices now={now} set={set} />
      <RoomChoices now={now} set={set} />
      <HouseRules now={now} set={set} />
      <ErrorLine error={error.value} />
      <Button kind="main" onPress={create} disabled={busy.value} id="create">
        {t("create.go")}
      </Button>
    </main>
  );
}

/** Edition, seats, clock and rounds. */
function GameChoices({ now, set }: FormProps) {
  const clockWords = (seconds: number) =>
    seconds === 0 ? t("create.no-clock") : t("create.seconds", { seconds });
  return (
    <>
      <Choice
        label={t("create.edition")}
        value={now.edition}
        options={NAMES.map((name) => [name, t(`edition.${name}.name`)] as const)}
        onChoose={(edition) => {
          choose({ edition });
          set(withEdition(now, edition));
        }}
        note={t(`edition.${now.edition}.blurb`)}
      />
      <Choice
        label={t("create.seats")}
        value={seatsOf(now)}
        options={seatNumbers(now).map((number) => [number, String(number)] as const)}
        onChoose={(seats) => set({ ...now, seats })}
      />
      <Choice
        label={t("create.clock")}
        value={Number(optionOf(now, CLOCK))}
        options={clocks(now).map((seconds) => [seconds, clockWords(seconds)] as const)}
        onChoose={(seconds) => set(withOption(now, CLOCK, seconds))}
      />
      <Choice
        label={t("create.rounds")}
        value={now.rounds}
        options={[1, 2, 3, 5].map((number) => [number, String(number)] as const)}
        onChoose={(rounds) => set({ ...now, rounds })}
        note={roundWords(now)}
      />
    </>
  );
}

function RoomChoices({ now, set }: FormProps) {
  return (
    <>
      <PaceChoice
        pace={now.pace}
        onChoose={(pace) => {
          choose({ pace });
          set({ ...now, pace });
        }}
      />
      <Switch
        label={t("create.hints")}
        note={t("create.hints-note")}
        on={now.hints}
        onChange={(hints) => set({ ...now, hints })}
      />
      <Switch
        label={t("create.public")}
        note={t("create.public-note")}
        on={now.isPublic}
        onChange={(isPublic) => set({ ...now, isPublic })}
      />
    </>
  );
}

/** Every option of the edition, by groups. */
function HouseRules({ now, set }: FormProps) {
  const defaults = EDITIONS[now.edition].options;
  const own = houseRules(now);
  return (
    <details class="options">
      <summary>
        {t("create.options")}
        {own > 0 && <span class="count">{own}</span>}
      </summary>
      {own > 0 && (
        <Button onPress={() => set(withUsualRules(now))} id="usual-rules">
          {t("create.usual", { name: t(`edition.${now.edition}.name`) })}
        </Button>
      )}
      {Object.entries(HEADINGS).map(
        ([group, heading]) =>
          heading !== null && (
            <section key={group}>
              <h2>{t(heading)}</h2>
              {Object.entries(SPECS)
                .filter(([, spec]) => spec.group === group && applies(spec, defaults))
                .map(([key, spec]) => (
                  <Option
                    key={`${now.edition} ${key}`}
                    name={key}
                    spec={spec}
                    usual={defaults[key] ?? null}
                    value={optionOf(now, key)}
                    onChange={(value) => set(withOption(now, key, value))}
                  />
                ))}
            </section>
          ),
      )}
    </details>
  );
}

/** Options of special jokers are hidden for a box without them. */
function applies(spec: Spec, usual: Options): boolean {
  const jokers = String(usual.jokers);
  return spec.needs.length === 0 || spec.needs.some((joker) => jokers.includes(joker));
}

interface OptionProps {
  name: string;
  spec: Spec;
  usual: Value;
  value: Value;
  onChange: (value: Value) => void;
}

function Option({ name, spec, usual, value, onChange }: OptionProps) {
  const label = t(`option.${name}`);
  if (spec.kind === "bool") {
    return <Switch label={label} on={value === true} onChange={onChange} />;
  }
  if (spec.kind === "jokers") return <Jokers spec={spec} value={value} onChange={onChange} />;
  if (spec.kind === "choice") {
    return (
      <label class="field">
        <span>{label}</span>
        <select value={String(value)} onChange={(event) => onChange(event.currentTarget.value)}>
          {spec.choices.map((choice) => (
            <option key={choice} value={choice}>
              {t(`choice.${name}.${choice}`)}
            </option>
          ))}
        </select>
      </label>
    );
  }
  return (
    <label class="field">
      <span>{label}</span>
      <input
        type="number"
        inputMode="numeric"
        min={spec.min}
        max={spec.max}
        value={typeof value === "number" ? value : ""}
        placeholder={typeof usual === "number" ? String(usual) : t(`choice.${name}.${usual}`)}
        onChange={(event) => {
          // An empty field means the default.
          const number = event.currentTarget.valueAsNumber;
          const kept = Math.round(Math.max(spec.min, Math.min(spec.max, number)));
          onChange(Number.isNaN(number) ? usual : kept);
        }}
      />
    </label>
  );
}

type JokersProps = Pick<OptionProps, "spec" | "value" | "onChange">;

/** How many of each kind are in the box, which the server writes as "J2 D1". */
function Jokers({ spec, value, onChange }: JokersProps) {
  const letters = spec.choices;
  const counts = letters.map((kind) =>
    Number(new RegExp(`${kind}(\\d+)`).exec(String(value))?.[1] ?? 0),
  );
  const numbers = Array.from({ length: spec.max + 1 }, (_, number) => number);
  const set = (index: number, count: number) => {
    const now = counts.map((old, each) => (each === index ? count : old));
    const counted = letters.flatMap((kind, each) =>
      now[each]! > 0 ? [`${kind}${now[each]}`] : [],
    );
    onChange(counted.join(" ") || `${letters[0]}0`);
  };
  return (
    <fieldset class="jokers">
      <legend>{t("create.jokers")}</legend>
      {letters.map((kind, index) => (
        <label key={kind} class="field">
          <span>{t(`tile.${kind}`)}</span>
          <select
            value={String(counts[index])}
            onChange={(event) => set(index, Number(event.currentTarget.value))}
          >
            {numbers.map((number) => (
              <option key={number} value={String(number)}>
                {number}
              </option>
            ))}
          </select>
        </label>
      ))}
    </fieldset>
  );
}
