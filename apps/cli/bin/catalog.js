#!/usr/bin/env -S node --max-semi-space-size=16
/**
 * Starts the program in a checkout: its bundle in `out`, which is made anew where a source has
 * changed. It is JavaScript, as Node's TypeScript parser costs 50 ms and 10 MB. The flag above, which a
 * plan of 100,000 rows needs to take 410 MB instead of 600, is read only when Node starts.
 */

import { readFileSync, statSync } from "node:fs";
import { fileURLToPath } from "node:url";

const BUNDLE = new URL("../../../out/catalog/", import.meta.url);

/** Whether every source is the one that the bundle was made of. */
function isCurrent() {
  try {
    const { sources } = JSON.parse(readFileSync(new URL("manifest.json", BUNDLE), "utf8"));
    return sources.every(([path, sizeBytes, modifiedMs]) => {
      const { size, mtimeMs } = statSync(new URL(path, BUNDLE));
      return size === sizeBytes && mtimeMs === modifiedMs;
    });
  } catch {
    return false;
  }
}

/** Makes the bundle, and returns whether there is one then: the folder may belong to somebody else. */
async function build() {
  const { buildProgram } = await import("../build/build-program.ts");
  try {
    await buildProgram(fileURLToPath(BUNDLE));
    return true;
  } catch (error) {
    if (["EACCES", "EPERM", "EROFS"].includes(error.code)) return false;
    throw error;
  }
}

const isBuilt = isCurrent() || (await build());
await import(isBuilt ? new URL("catalog.js", BUNDLE).href : "../src/main.ts");
