/**
 * The settings that the forms send for a new room.
 *
 * tests/page/test_choices.py names a file: this test writes the settings there, and the rules check
 * that they are the edition.
 */

import { writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import {
  begin,
  CLOCK,
  clocks,
  houseRules,
  LADDER,
  optionOf,
  playNow,
  seatNumbers,
  seatsOf,
  settingsOf,
  withEdition,
  withOption,
  withUsualRules,
} from "../../src/game/choices";
import { EDITIONS, NAMES, USUAL } from "../../src/game/editions";
import { DEFAULT_LEVEL } from "../../src/generated/bots";

const FILE = process.env.TILERUMMY_CHOICES;

/** A form in which every option was changed before another edition was chosen. */
const changed = {
  ...withOption(withOption(begin("classic"), CLOCK, 30), "joker.rack_penalty", 25),
  seats: 3,
  rounds: 5,
  hints: true,
  pace: "fast" as const,
  isPublic: true,
};

test.skipIf(!FILE)("the settings are written to the file", () => {
  const sent = NAMES.map((name) => ({
    first: settingsOf(begin(name)),
    after: settingsOf(withEdition(changed, name)),
    now: playNow({ edition: name, level: DEFAULT_LEVEL }),
    defaults: {
      clock: optionOf(begin(name), CLOCK),
      games: optionOf(begin(name), "match.games_per_round"),
      seats: seatNumbers(begin(name)),
      clocks: clocks(begin(name)),
    },
  }));
  writeFileSync(FILE!, JSON.stringify(sent));
});

test("classic comes first", () => {
  expect(USUAL).toBe("classic");
});

describe.each(NAMES)("the edition %s", (name) => {
  const { options } = EDITIONS[name];

  test("is sent without changes", () => {
    expect(settingsOf(begin(name))).toMatchObject({ edition: name, options: {} });
    expect(seatsOf(begin(name))).toBe(options["players.max"]);
  });

  test("brings its own rules and clock, and keeps seats, rounds, hints and visibility", () => {
    const now = withEdition(changed, name);
    for (const [key, value] of Object.entries(options)) expect(optionOf(now, key)).toBe(value);
    expect(settingsOf(now)).toEqual({
      edition: name,
      options: {},
      seats: 3,
      rounds: 5,
      hints: true,
      bot_pace: "fast",
      public: true,
    });
  });

  test("offers its own time as a choice", () => {
    expect(clocks(begin(name))).toContain(options[CLOCK]);
  });

  test('has no clock in "play now"', () => {
    const { settings, bots } = playNow({ edition: name, level: DEFAULT_LEVEL });
    expect(settings).toMatchObject({ edition: name, options: { [CLOCK]: 0 }, hints: true });
    expect(settings!.seats).toBe(bots!.length + 1);
  });
});

test('"play now" seats a level and its neighbours, in any order', () => {
  const seated = (level: number, chance: number) =>
    playNow({ edition: "classic", level }, chance).bots;
  const ladder = LADDER.map(({ id }) => id);
  const [first, second, third] = ladder;
  const orders = [0, 1, 2, 3, 4, 5].map((order) => seated(2, (order + 0.5) / 6)!);
  expect(new Set(orders.map((order) => order.join())).size).toBe(6);
  for (const order of orders) expect([...order].sort()).toEqual([first, second, third].sort());
  // The last of them plays right before the person.
  for (const bot of [first, second, third]) {
    expect(orders.filter((order) => order.at(-1) === bot)).toHaveLength(2);
  }
  expect(seated(1, 0)).toEqual([first, first, second]);
  expect(seated(ladder.length, 0)).toEqual([ladder.at(-2), ladder.at(-1), ladder.at(-1)]);
});

test("the pace of the bots is a setting of the room", () => {
  expect(settingsOf(begin("classic")).bot_pace).toBe("normal");
  expect(settingsOf(begin("classic", "slow")).bot_pace).toBe("slow");
  expect(settingsOf(withEdition(begin("classic", "slow"), "sabra")).bot_pace).toBe("slow");
  const now = playNow({ edition: "classic", level: 3, pace: "at-once" });
  expect(now.settings?.bot_pace).toBe("at-once");
});

test("seats are clamped to the edition, and restored", () => {
  const six = { ...begin("sixplayer"), seats: 6 };
  const four = withEdition(six, "classic");
  expect([seatsOf(six), seatsOf(four), seatsOf(withEdition(four, "sixplayer"))]).toEqual([6, 4, 6]);
});

test("an option with the value of the edition is not a change", () => {
  const slow = withOption(withOption(begin("sabra"), CLOCK, 60), "hand_size", 20);
  expect(slow.changed).toEqual({ [CLOCK]: 60, hand_size: 20 });
  expect(houseRules(slow)).toBe(1);
  expect(withUsualRules(slow).changed).toEqual({ [CLOCK]: 60 });
  expect(withOption(withOption(slow, CLOCK, 120), "hand_size", 14).changed).toEqual({});
});
