// The little of Node that tests use; all of its types would change those of the browser's functions.

declare module "node:fs" {
  export function readFileSync(path: string, encoding: "utf8"): string;
  export function writeFileSync(path: string, text: string): void;
}

declare const process: { readonly env: Readonly<Record<string, string | undefined>> };
