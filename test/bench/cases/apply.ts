/**
 * Plans updates of all products of a store, or sends them. plan|apply|first BASE_URL HOME FILE ROWS
 * The listing is answered here, and writes go to a server that answers all alike. A reading of
 * products by ids calls that server as well, so that it takes the time of one call. `first` stops
 * at the first write, and reports its time since the start of the process, without that of the
 * benchmark.
 */

import { systemClock } from "@catalog/clock";
import { openConnection } from "@catalog/connection";
import type { StoreProduct } from "@catalog/contract";
import { applyPlan, planFile } from "@catalog/importer";

import { createBenchProducts } from "../bench-sheet.ts";
import { printCost } from "../case-report.ts";

const [step = "", baseUrl = "", home = "", path = "", rows = "0"] = process.argv.slice(2);
const count = Number(rows);

await using connection = await openConnection({
  home,
  baseUrl,
  storeId: "5f1d0a2b3c4d5e6f7a8b9c0d",
  credentials: { clientKey: "key", clientSecret: "secret" },
  clock: systemClock,
  random: Math.random,
  concurrency: 8,
});
const stop = new AbortController();
let firstMs = 0;
let lastMs = 0;
let firstCpuMs = 0;
let lastCpuMs = 0;
let writes = 0;
let journalMs = 0;
let groups = 0;

/** CPU time of this process so far, user and system, in milliseconds. */
function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** The journal writes synchronously, so this is the whole duration of a write. */
function timed<Result>(write: () => Result): Result {
  const begunMs = performance.now();
  const result = write();
  journalMs += performance.now() - begunMs;
  return result;
}

const make = createBenchProducts();
const listed = (row: number): StoreProduct => ({ ...make(row).listed, stock: 1_000 });
const beginMs = performance.now();
const rowOf = new Map(Array.from({ length: count }, (_, at) => [listed(at + 1).id, at + 1]));
/** Time in which the benchmark made its products. */
const madeMs = performance.now() - beginMs;

const marketplace: typeof connection.marketplace = {
  ...connection.marketplace,
  countProducts: async (status) => (status === "approved" ? count : 0),
  async *listProducts({ status, ids }) {
    if (status !== "approved") return;
    if (ids !== undefined) {
      await connection.client.product.list({ status, ids });
      for (const id of ids) yield listed(rowOf.get(id) ?? 0);
      return;
    }
    for (let row = 1; row <= count; row += 1) yield listed(row);
  },
  async updateProduct(body, options) {
    firstMs ||= performance.now();
    firstCpuMs ||= cpuMs();
    if (step === "first") stop.abort(new Error("seen enough"));
    const answer = await connection.marketplace.updateProduct(body, options);
    writes += 1;
    lastMs = performance.now();
    if (writes === count) lastCpuMs = cpuMs();
    return answer;
  },
};

const journal: typeof connection.journal = {
  ...connection.journal,
  claim(batch) {
    groups += 1;
    return timed(() => connection.journal.claim(batch));
  },
  beginSending: (key, evidence) => timed(() => connection.journal.beginSending(key, evidence)),
};

const parts = { ...connection, marketplace, journal };

await printCost(async () => {
  if (step === "plan") {
    const how = { command: "plan", lang: "tr", mode: "update", reportDir: home } as const;
    const { facts } = await planFile(parts, { path, ...how });
    return { update: facts?.planned.update ?? 0 };
  }
  const [run] = await connection.runs.list(1);
  await applyPlan(parts, { runId: run?.id ?? "", stop: stop.signal });
  const [sendingMs, sendingCpuMs] = [lastMs - firstMs, lastCpuMs - firstCpuMs];
  return { writes, firstMs: firstMs - madeMs, sendingMs, sendingCpuMs, journalMs, groups };
});
