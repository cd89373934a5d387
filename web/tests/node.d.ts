// The part of Node that tests use; its full types would change those of browser functions.

declare module "node:fs" {
  export function readFileSync(path: string, encoding: "utf8"): string;
  export function writeFileSync(path: string, text: string): void;
}

declare module "node:crypto" {
  interface Hash {
    update(data: Uint8Array | string): Hash;
    digest(encoding: "hex"): string;
  }
  export function createHash(name: "sha256"): Hash;
  export function createHmac(name: "sha256", key: Uint8Array): Hash;
}

declare const process: { readonly env: Readonly<Record<string, string | undefined>> };
