/**
 * Plans a file against a listing of the same products. BASE_URL HOME FILE PRODUCTS The names were
 * fetched before, so that all remaining calls read the listing. The times for making the listing and
 * for storing it are reported apart from that of planning.
 */

import { setImmediate } from "node:timers/promises";

import { systemClock } from "@catalog/clock";
import { openConnection } from "@catalog/connection";
import { planFile } from "@catalog/importer";
import { DEFAULT_LIMITS } from "@catalog/sheets";

import { createBenchProducts } from "../bench-sheet.ts";
import { printCost } from "../case-report.ts";

const [baseUrl = "", home = "", path = "", products = "0"] = process.argv.slice(2);
const { CATALOG_CLIENT_KEY = "", CATALOG_CLIENT_SECRET = "", CATALOG_STORE_ID = "" } = process.env;

await using connection = await openConnection({
  home,
  baseUrl,
  storeId: CATALOG_STORE_ID,
  credentials: { clientKey: CATALOG_CLIENT_KEY, clientSecret: CATALOG_CLIENT_SECRET },
  clock: systemClock,
  random: Math.random,
  databaseUrl: process.env["CATALOG_DATABASE_URL"],
});

/** The price unit is known, as after a store's first updates. */
const EVIDENCE = Array.from({ length: 50 }, (_, at) => ({ sent: 1_999 + at, seen: 1_999 + at }));
/** The reader's limits, raised so that the file fits. */
const LIMITS = { ...DEFAULT_LIMITS, fileMb: 2048 };

const count = Number(products);
const make = createBenchProducts();
/** CPU time in which the benchmark made the products of the listing. */
let makingCpuMs = 0;
/** Products that are made at a time. Each look at the CPU time takes 50 us. */
const PAGE = 200;
/** CPU time of storing them. */
let storingCpuMs = 0;

const marketplace: typeof connection.marketplace = {
  ...connection.marketplace,
  countProducts: async (status) => (status === "approved" ? count : 0),
  async *listProducts({ status }) {
    if (status !== "approved") return;
    for (let first = 1; first <= count; first += PAGE) {
      // A page of a marketplace comes with a turn of the event loop.
      await setImmediate();
      const cpu = process.cpuUsage();
      const rows = Math.min(PAGE, count - first + 1);
      const page = Array.from({ length: rows }, (_, at) => make(first + at).listed);
      const { user, system } = process.cpuUsage(cpu);
      makingCpuMs += (user + system) / 1000;
      yield* page;
    }
  },
};

const journal: typeof connection.journal = {
  ...connection.journal,
  readPriceEvidence: async () => EVIDENCE,
  async saveSeen(seen) {
    const cpu = process.cpuUsage();
    await connection.journal.saveSeen(seen);
    const { user, system } = process.cpuUsage(cpu);
    storingCpuMs += (user + system) / 1000;
  },
};

await printCost(async () => {
  const run = await planFile(
    { ...connection, marketplace, journal },
    {
      path,
      command: "plan",
      lang: "tr",
      mode: "upsert",
      reportDir: home,
      decimal: "comma",
      sheet: { limits: LIMITS },
    },
  );
  if (run.facts === null) throw new Error("the run was not planned");
  const { unchanged, invalid, update, add, held } = run.facts.planned;
  return { unchanged, invalid, update, add, held, makingCpuMs, storingCpuMs };
});
