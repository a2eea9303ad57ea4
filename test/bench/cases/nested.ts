/**
 * Reads a document as rows, or with saxes alone, which reports its elements and texts. READER FILE
 */

import { createReadStream } from "node:fs";

import { openSheet } from "@catalog/sheets";
import { SaxesParser } from "saxes";

import { printCost } from "../case-report.ts";

const [reader = "", path = ""] = process.argv.slice(2);

async function readOurs(): Promise<number> {
  await using sheet = await openSheet({ path, limits: { rows: 100_000_000 } });
  let rows = 0;
  for await (const batch of sheet.batches()) rows += [...batch].length;
  return rows;
}

async function readSaxes(): Promise<number> {
  const parser = new SaxesParser({ position: true });
  let rows = 0;
  let chars = 0;
  parser.on("opentag", ({ name }) => {
    if (name === "Urun") rows += 1;
  });
  parser.on("text", ({ length }) => {
    chars += length;
  });
  parser.on("cdata", ({ length }) => {
    chars += length;
  });
  for await (const piece of createReadStream(path, { encoding: "utf8" })) parser.write(piece);
  parser.close();
  return chars > 0 ? rows : 0;
}

await printCost(async () => ({ rows: await (reader === "ours" ? readOurs() : readSaxes()) }));
