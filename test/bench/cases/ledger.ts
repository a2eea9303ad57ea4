/**
 * Begins and settles the rows of a run, without a marketplace, in groups as lanes do. HOME ROWS
 * LANES, and CATALOG_DATABASE_URL for PostgreSQL.
 */

import { systemClock } from "@catalog/clock";
import { openConnection } from "@catalog/connection";
import type { RowKey } from "@catalog/runs";
import { planToSend, toProductId } from "@catalog/runs/testing";

import { printCost } from "../case-report.ts";

const [home = "", rows = "0", lanes = "8"] = process.argv.slice(2);
const [count, group] = [Number(rows), Number(lanes)];

await using connection = await openConnection({
  home,
  baseUrl: "http://127.0.0.1:9",
  storeId: "5f1d0a2b3c4d5e6f7a8b9c0d",
  credentials: { clientKey: "key", clientSecret: "secret" },
  clock: systemClock,
  random: Math.random,
  databaseUrl: process.env["CATALOG_DATABASE_URL"],
});
const { journal, runs } = connection;
await using _ = await connection.locks.store("bench");
const runId = `r-${process.pid}`;
await runs.create({
  id: runId,
  command: "import",
  file: {
    path: "",
    name: "bench.csv",
    sha256: "",
    kind: "csv",
    sheet: "",
    headerRow: 1,
    header: [],
  },
  mode: "upsert",
  lang: "tr",
  reportDir: home,
  warnings: [],
});
const keys: RowKey[] = [];
for (let row = 1; row <= count; row += 1) keys.push(await planToSend(journal, { runId, row }));

await printCost(async () => {
  let next = 0;
  const settled: Promise<void>[] = [];
  while (next < count) {
    const batch = keys.slice(next, next + group);
    next += group;
    for (const claim of await journal.claim(batch)) {
      if (claim === undefined || journal.beginSending(claim) !== "begun") {
        throw new Error("a row could not be begun");
      }
      const { runId: run, row } = claim;
      const outcome = { to: "done", cause: "answer", productId: toProductId(`p-${row}`) } as const;
      settled.push(journal.recordOutcome({ runId: run, row, from: "sending" }, outcome));
    }
  }
  await Promise.all(settled);
  return { rows: count };
});
