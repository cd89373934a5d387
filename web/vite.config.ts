import { defineConfig } from "vitest/config";

export default defineConfig({
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  build: {
    // The Python package serves it from here; see tools/page.
    outDir: "../src/tilerummy/server/page",
    emptyOutDir: true,
    target: "es2022",
    assetsInlineLimit: 0,
    // Browsers translate functions when they are called for the first time, and the first tile that
    // is put down calls hundreds. This asks them to do it while the page is still coming.
    rolldownOptions: { output: { postBanner: "//# allFunctionsCalledOnLoad" } },
  },
  server: { proxy: { "/api": { target: "http://127.0.0.1:8000", ws: true } } },
  // How long a test takes says more about the machine than about the page.
  test: { include: ["tests/**/*.test.ts"], testTimeout: 120_000, hookTimeout: 120_000 },
});
