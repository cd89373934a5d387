/** The layers of the page: who may import whom, without cycles, in files and functions of fair size. */

import { describe, expect, test } from "vitest";

const FILES: Readonly<Record<string, string>> = import.meta.glob("../src/**/*.{ts,tsx}", {
  query: "?raw",
  import: "default",
  eager: true,
});

/** Each layer may import itself and those before it; `base` are the modules of `src/` itself. */
const LAYERS = ["generated", "game", "base", "table", "session", "screens", "main"] as const;
type Layer = (typeof LAYERS)[number];

const MOST_LINES = 450;
const MOST_FUNCTION_LINES = 60;

function layerOf(path: string): Layer {
  const [first, ...rest] = path.split("/");
  if (rest.length > 0) return first as Layer;
  return first === "main.tsx" ? "main" : "base";
}

const SOURCES = new Map(
  Object.entries(FILES).map(([path, text]) => [path.replace("../src/", ""), text]),
);

/** Resolves `./x` or `../x` as imported by `from`. */
function resolve(from: string, name: string): string | undefined {
  const parts = from.split("/").slice(0, -1);
  for (const part of name.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== ".") parts.push(part);
  }
  const path = parts.join("/");
  return [path, `${path}.ts`, `${path}.tsx`].find((each) => SOURCES.has(each));
}

/** The modules that a module imports; with `isStatic` only those that it needs to be loaded. */
function importsOf(path: string, isStatic = false): string[] {
  const text = SOURCES.get(path)!;
  const pattern = isStatic
    ? /^(?:import|export|\})[^;"]*?from "(\.[^"]+)"/gm
    : /(?:from|import|import\() ?"(\.[^"]+)"/g;
  return [...text.matchAll(pattern)].flatMap(([, name]) => resolve(path, name!) ?? []);
}

test("every module is in a layer", () => {
  for (const path of SOURCES.keys()) expect(LAYERS, path).toContain(layerOf(path));
});

test("a layer imports only itself and those before it", () => {
  const wrong = [...SOURCES.keys()].flatMap((path) => {
    const rank = LAYERS.indexOf(layerOf(path));
    const found = importsOf(path).filter((other) => LAYERS.indexOf(layerOf(other)) > rank);
    return found.map((other) => `${path} imports ${other}`);
  });
  expect(wrong).toEqual([]);
});

test("modules do not import each other in a circle", () => {
  const done = new Set<string>();
  const cycles: string[] = [];
  function visit(path: string, above: readonly string[]): void {
    if (above.includes(path)) {
      cycles.push([...above.slice(above.indexOf(path)), path].join(" -> "));
    } else if (!done.has(path)) {
      for (const other of importsOf(path, true)) visit(other, [...above, path]);
      done.add(path);
    }
  }
  for (const path of SOURCES.keys()) visit(path, []);
  expect(cycles).toEqual([]);
});

const OWN = [...SOURCES].filter(([path]) => layerOf(path) !== "generated");

const HEAD =
  /^( *)(?:(?:export|default|async|private|static|readonly|const|get|set) )*(?:function\*? )?(\w+).*[({]$|^( *)(?:export )?(?:async )?function\*? (\w+)/;

/** Functions and methods with their lengths: from their head to a brace that is indented like it. */
function* functionsIn(text: string): Generator<readonly [name: string, lines: number]> {
  const lines = text.split("\n");
  for (const [at, line] of lines.entries()) {
    const found = HEAD.exec(line);
    if (found === null || !line.includes("(") || /^ *(if|for|while|switch) /.test(line)) continue;
    const indent = found[1] ?? found[3]!;
    const rest = lines.slice(at + 1);
    const end = rest.findIndex(
      (each) => each !== "" && !each.startsWith(`${indent} `) && !each.startsWith(`${indent})`),
    );
    if (rest[end]?.startsWith(`${indent}}`)) yield [found[2] ?? found[4]!, end + 2];
  }
}

describe("sizes", () => {
  test("no file is longer than it should be", () => {
    const long = OWN.filter(([, text]) => text.split("\n").length > MOST_LINES + 1);
    expect(long.map(([path]) => path)).toEqual([]);
  });

  test("functions are found", () => {
    const text =
      "export function one(\n  a: number,\n): void {\n  two();\n}\nclass A {\n  b() {\n    c();\n  }\n}\n";
    expect([...functionsIn(text)]).toEqual([
      ["one", 5],
      ["b", 3],
    ]);
  });

  test("no function is longer than it should be", () => {
    const long = OWN.flatMap(([path, text]) =>
      [...functionsIn(text)]
        .filter(([, lines]) => lines > MOST_FUNCTION_LINES)
        .map(([name, lines]) => `${path}: ${name} has ${lines} lines`),
    );
    expect(long).toEqual([]);
  });
});
