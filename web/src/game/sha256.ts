/**
 * SHA-256 and HMAC, in plain TypeScript.
 *
 * `crypto.subtle` exists only on HTTPS and localhost, but friends also play over plain HTTP in one
 * house. This works everywhere, and at once.
 */

const ROUND = constants(64, 3);
const START = constants(8, 2);

/** The first 32 bits of the fractional parts of the roots of the first primes. */
function constants(count: number, root: 2 | 3): Uint32Array {
  const found: number[] = [];
  for (let candidate = 2; found.length < count; candidate++) {
    let prime = true;
    for (let divisor = 2; divisor * divisor <= candidate; divisor++) {
      if (candidate % divisor === 0) prime = false;
    }
    if (prime) found.push(fraction(BigInt(candidate), root));
  }
  return Uint32Array.from(found);
}

/** Exact: the integer root of the number with 32 more bits behind its point. */
function fraction(value: bigint, root: 2 | 3): number {
  const scaled = value << BigInt(32 * root);
  let low = 0n;
  let high = 1n << 40n;
  while (low < high) {
    const middle = (low + high + 1n) >> 1n;
    if (middle ** BigInt(root) <= scaled) low = middle;
    else high = middle - 1n;
  }
  return Number(low & 0xffffffffn);
}

const rotated = (word: number, by: number): number => (word >>> by) | (word << (32 - by));

export function sha256(data: Uint8Array): Uint8Array {
  const padded = new Uint8Array(((data.length + 72) >> 6) << 6);
  padded.set(data);
  padded[data.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 4, data.length << 3);
  view.setUint32(padded.length - 8, Math.floor(data.length / 2 ** 29));
  const state = Uint32Array.from(START);
  for (let at = 0; at < padded.length; at += 64) compress(state, view, at);
  const digest = new Uint8Array(32);
  const out = new DataView(digest.buffer);
  for (const [index, word] of state.entries()) out.setUint32(4 * index, word);
  return digest;
}

function compress(state: Uint32Array, block: DataView, at: number): void {
  const words = new Uint32Array(64);
  for (let n = 0; n < 16; n++) words[n] = block.getUint32(at + 4 * n);
  for (let n = 16; n < 64; n++) {
    const one = words[n - 15]!;
    const two = words[n - 2]!;
    const small = rotated(one, 7) ^ rotated(one, 18) ^ (one >>> 3);
    const large = rotated(two, 17) ^ rotated(two, 19) ^ (two >>> 10);
    words[n] = words[n - 16]! + small + words[n - 7]! + large;
  }
  let [a, b, c, d, e, f, g, h] = state as unknown as Eight;
  for (let n = 0; n < 64; n++) {
    const large = rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25);
    const one = (h + large + ((e & f) ^ (~e & g)) + ROUND[n]! + words[n]!) | 0;
    const small = rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22);
    const two = (small + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0];
  }
  for (const [index, word] of [a, b, c, d, e, f, g, h].entries()) state[index]! += word;
}

type Eight = [number, number, number, number, number, number, number, number];

const BLOCK = 64;

/** HMAC-SHA256 with a key of at most 64 bytes. */
export function hmacSha256(key: Uint8Array, data: Uint8Array): Uint8Array {
  const inner = new Uint8Array(BLOCK + data.length).fill(0x36, 0, BLOCK);
  const outer = new Uint8Array(BLOCK + 32).fill(0x5c, 0, BLOCK);
  for (const [index, byte] of key.entries()) {
    inner[index]! ^= byte;
    outer[index]! ^= byte;
  }
  inner.set(data, BLOCK);
  outer.set(sha256(inner), BLOCK);
  return sha256(outer);
}

export function toHex(bytes: Uint8Array): string {
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

export function fromHex(text: string): Uint8Array {
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}
