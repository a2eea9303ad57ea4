/**
 * Cost of SQLite alone for the cells of a file: each row is written as JSON, read and parsed once,
 * and its decision is written; without indexes, triggers and other tables. FILE HOME
 */

import { createReadStream } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

import Papa from "papaparse";

import { printCost } from "../case-report.ts";

const [path = "", home = ""] = process.argv.slice(2);
const BATCH_ROWS = 500;

const sqlite = new DatabaseSync(join(home, `floor-${process.pid}.db`));
sqlite.exec("PRAGMA page_size=16384; PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL");
sqlite.exec("CREATE TABLE cells (row INTEGER PRIMARY KEY, cells_json TEXT) STRICT");
sqlite.exec("CREATE TABLE decision (row INTEGER PRIMARY KEY, state TEXT, id TEXT) STRICT");
const insert = sqlite.prepare("INSERT INTO cells VALUES (?, ?)");
const read = sqlite.prepare("SELECT row, cells_json FROM cells WHERE row > ? ORDER BY row LIMIT ?");
const decide = sqlite.prepare("INSERT INTO decision VALUES (?, ?, ?)");

function inTransaction(work: () => void): void {
  sqlite.exec("BEGIN");
  work();
  sqlite.exec("COMMIT");
}

async function store(): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let rows = 0;
  Papa.parse<string[]>(createReadStream(path, { encoding: "utf8" }), {
    chunk({ data }) {
      inTransaction(() => {
        for (const cells of data) insert.run((rows += 1), JSON.stringify(cells));
      });
    },
    complete: () => resolve(),
    error: reject,
  });
  await promise;
  return rows;
}

function plan(): number {
  let cells = 0;
  let after = 0;
  for (;;) {
    const batch = read.all(after, BATCH_ROWS);
    if (batch.length === 0) return cells;
    inTransaction(() => {
      for (const { row = null, cells_json } of batch) {
        const parsed: unknown = JSON.parse(String(cells_json));
        cells += Array.isArray(parsed) ? parsed.length : 0;
        decide.run(row, "unchanged", "0123456789abcdef01234567");
        after = Number(row);
      }
    });
  }
}

await printCost(async () => ({ rows: await store(), cells: plan() }));
sqlite.close();
