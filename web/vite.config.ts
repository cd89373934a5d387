import { readFileSync } from "node:fs";
import { defineConfig } from "vitest/config";

/** Lists the paths of all screens in `screens.json`: the server answers any other with 404. */
const screens = {
  name: "screens",
  generateBundle(this: { emitFile(file: object): void }) {
    const rows = readFileSync("src/screens/table.ts", "utf8");
    const paths = [...rows.matchAll(/ path: "([^"]+)"/g)].map(([, path]) => path);
    this.emitFile({ type: "asset", fileName: "screens.json", source: JSON.stringify(paths) });
  },
};

export default defineConfig({
  plugins: [screens],
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  build: {
    // The Python package serves it from here; see tools/page.
    outDir: "../src/tilerummy/server/page",
    emptyOutDir: true,
    target: "es2022",
    assetsInlineLimit: 0,
    // Browsers translate functions when they are called for the first time, and the first tile that
    // is put down calls hundreds. This asks them to do it while the page is still coming.
    rolldownOptions: {
      output: {
        postBanner: "//# allFunctionsCalledOnLoad",
        // What the first screen needs is one file: in pieces it compresses worse.
        codeSplitting: { groups: [{ name: "first", test: /src\/main\.tsx$/ }] },
      },
    },
  },
  server: { proxy: { "/api": { target: "http://127.0.0.1:8000", ws: true } } },
  // How long a test takes says more about the machine than about the page.
  test: { include: ["tests/**/*.test.ts"], testTimeout: 120_000, hookTimeout: 120_000 },
});
