#!/usr/bin/env -S node --max-semi-space-size=16
/**
 * Starts the program in a checkout: its bundle in `out`, which is made anew where a source has
 * changed. It is JavaScript, as Node's TypeScript parser costs 50 ms and 10 MB. The flag above, which a
 * plan of 100,000 rows needs to take 410 MB instead of 600, is read only when Node starts.
 */

import { fileURLToPath } from "node:url";

import { readCurrentFiles } from "./bundle.js";

const BUNDLE = new URL("../../../out/catalog/", import.meta.url);

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

const isBuilt = readCurrentFiles(BUNDLE).length > 0 || (await build());
await import(isBuilt ? new URL("catalog.js", BUNDLE).href : "../src/main.ts");
