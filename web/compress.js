// Puts a .br and a .gz beside every file of a folder that gets smaller by it: node compress.js FOLDER

import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

const WAYS = {
  br: (data) =>
    brotliCompressSync(data, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
        [constants.BROTLI_PARAM_SIZE_HINT]: data.length,
      },
    }),
  gz: (data) => gzipSync(data, { level: constants.Z_BEST_COMPRESSION }),
};

for (const name of readdirSync(process.argv[2], { recursive: true })) {
  const path = join(process.argv[2], name);
  if (!statSync(path).isFile()) continue;
  const data = readFileSync(path);
  for (const [ending, compress] of Object.entries(WAYS)) {
    const smaller = compress(data);
    // What is compressed already, such as a picture, hardly changes.
    if (smaller.length < data.length * 0.9) writeFileSync(`${path}.${ending}`, smaller);
  }
}
