// The part of Node that tests use; its full types would change those of browser functions.

declare module "node:fs" {
  export function readFileSync(path: string, encoding: "utf8"): string;
  export function writeFileSync(path: string, text: string): void;
}

declare const process: { readonly env: Readonly<Record<string, string | undefined>> };
