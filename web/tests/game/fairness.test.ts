/**
 * The deal in the browser is the one of `play`.
 *
 * `tests/page/test_deals.py` names a file of deals; without it, known answers are checked alone.
 */

import { createHash, createHmac } from "node:crypto";
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { seatCommitment } from "../../src/game/commitments";
import { type DealProof, dealFault, transcriptOf, withheldBy } from "../../src/game/fairness";
import { fromHex, hmacSha256, sha256, toHex } from "../../src/game/sha256";

const bytes = (length: number) => Uint8Array.from({ length }, (_, index) => (index * 7) % 256);

describe("SHA-256", () => {
  test.each([0, 1, 55, 56, 63, 64, 65, 119, 120, 1000])("of %i bytes", (length) => {
    const data = bytes(length);
    expect(toHex(sha256(data))).toBe(createHash("sha256").update(data).digest("hex"));
    const key = bytes(32);
    const wanted = createHmac("sha256", key).update(data).digest("hex");
    expect(toHex(hmacSha256(key, data))).toBe(wanted);
    expect(fromHex(toHex(data))).toEqual(data);
  });
});

test("a commitment is the hash of documented text", () => {
  const text = '["tilerummy-commit-2","ab",1,"5eed"]';
  const wanted = createHash("sha256").update(text).digest("hex");
  expect(seatCommitment("ab", 1, "5eed")).toBe(wanted);
  expect(seatCommitment("ab", 2, "5eed")).not.toBe(wanted);
});

const PATH = process.env.TILERUMMY_DEALS;

describe.skipIf(PATH === undefined)("deals of the server", () => {
  const proofs = (): DealProof[] =>
    readFileSync(PATH!, "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as DealProof);

  test("hold", () => {
    for (const proof of proofs()) expect(dealFault(proof)).toBeNull();
  });

  test("do not hold with any other input", () => {
    const other = "ab".repeat(32);
    for (const proof of proofs()) {
      expect(dealFault({ ...proof, secret: other })).toBe("commitment");
      const [first, ...rest] = proof.racks;
      const swapped = [[proof.pool[0]!, ...first!.slice(1)], ...rest];
      expect(dealFault({ ...proof, racks: swapped })).toBe("deal");
      expect(dealFault({ ...proof, pool: [...proof.pool].reverse() })).toBe("deal");
      if (proof.draws.length > 0) {
        expect(dealFault({ ...proof, starter: proof.starter + 1 })).toBe("starter");
      }
      const own = proof.sources.indexOf("own");
      if (own < 0) continue;
      const seeds = proof.seeds.map((seed, seat) => (seat === own ? other : seed));
      expect(dealFault({ ...proof, seeds })).toBe("opening");
      const missing = proof.seeds.map((seed, seat) => (seat === own ? null : seed));
      expect(dealFault({ ...proof, seeds: missing })).toBe("opening");
      // Nobody can hide a cancelled deal, or blame it on another seat.
      if (proof.cancelled.length > 0) {
        expect(dealFault({ ...proof, cancelled: proof.cancelled.slice(1) })).toBe("opening");
        const [deal, ...later] = proof.cancelled;
        const blamed = { ...deal!, seeds: deal!.seeds.map(() => null) };
        const isOther = withheldBy(blamed).length !== withheldBy(deal!).length;
        if (isOther) expect(dealFault({ ...proof, cancelled: [blamed, ...later] })).toBe("opening");
      }
    }
  });

  test("have the transcript of everything before them", () => {
    const [proof] = proofs().filter(({ cancelled }) => cancelled.length > 0);
    const { game, cancelled, commitment } = proof!;
    expect(transcriptOf(game, [], commitment)).not.toBe(transcriptOf(game, cancelled, commitment));
  });
});
