/** Builds the folder of the first argument into the folder of the second. */

import { build } from "vite";

const [root = "", outDir = ""] = process.argv.slice(2);

await build({
  root,
  configFile: false,
  envFile: false,
  logLevel: "error",
  publicDir: false,
  oxc: { jsx: { runtime: "automatic" } },
  build: {
    outDir,
    emptyOutDir: true,
    target: "baseline-widely-available",
    // The page may load nothing from inside of its own text but images.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    license: true,
    chunkSizeWarningLimit: 2_000,
  },
});
