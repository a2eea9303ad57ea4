/** Prints why each document is refused and how long that took:  node read-documents.ts FILE… */

import { basename } from "node:path";

import { openSheet, SheetError } from "../../src/index.ts";

for (const path of process.argv.slice(2)) {
  const started = performance.now();
  const name = basename(path, ".xml").replaceAll("-", " ");
  try {
    await using sheet = await openSheet({ path });
    console.log(`${name}: was read as ${sheet.sheet}`);
  } catch (error) {
    if (!(error instanceof SheetError)) throw error;
    const { code, details } = error;
    const why = [`${name}:`, code, ...(details.bound === undefined ? [] : [details.bound])];
    console.log(`${why.join(" ")} ${Math.round(performance.now() - started)} ms`);
  }
}
