/**
 * Reference for planning: papaparse alone reads the same file as arrays and counts the rows. FILE
 */

import { createReadStream } from "node:fs";

import Papa from "papaparse";

import { printCost } from "../case-report.ts";

const [path = ""] = process.argv.slice(2);

await printCost(async () => {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let rows = 0;
  Papa.parse<string[]>(createReadStream(path, { encoding: "utf8" }), {
    chunk: ({ data }) => {
      rows += data.length;
    },
    complete: () => resolve(),
    error: reject,
  });
  await promise;
  return { rows };
});
