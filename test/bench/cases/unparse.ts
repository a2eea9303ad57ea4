/** Reference for exporting: papaparse alone writes the rows of a CSV file again. FILE OUT */

import { closeSync, openSync, readFileSync, writeSync } from "node:fs";

import Papa from "papaparse";

import { printCost } from "../case-report.ts";

const BATCH_ROWS = 500;
const [path = "", out = ""] = process.argv.slice(2);
const { data: rows } = Papa.parse<string[]>(readFileSync(path, "utf8"), { delimiter: ";" });

await printCost(async () => {
  const file = openSync(out, "w");
  for (let at = 0; at < rows.length; at += BATCH_ROWS) {
    const batch = rows.slice(at, at + BATCH_ROWS);
    writeSync(file, `${Papa.unparse(batch, { delimiter: ";", quotes: true })}\r\n`);
  }
  closeSync(file);
  return { rows: rows.length };
});
