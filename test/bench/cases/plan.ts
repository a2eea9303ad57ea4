/**
 * Plans a file against a listing of the same products. BASE_URL HOME FILE PRODUCTS The names were
 * fetched before, so that all remaining calls read the listing. The time for storing the listing is
 * reported apart from that of planning.
 */

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
});

/** The price unit is known, as after a store's first updates. */
const EVIDENCE = Array.from({ length: 50 }, (_, at) => ({ sent: 1_999 + at, seen: 1_999 + at }));
/** The reader's limits, raised so that the file fits. */
const LIMITS = { ...DEFAULT_LIMITS, fileMb: 2048 };

const count = Number(products);
const make = createBenchProducts();
let listingMs = 0;
let listingCpuMs = 0;

const marketplace: typeof connection.marketplace = {
  ...connection.marketplace,
  countProducts: async (status) => (status === "approved" ? count : 0),
  async *listProducts({ status }) {
    if (status !== "approved") return;
    const begunMs = performance.now();
    const cpu = process.cpuUsage();
    for (let row = 1; row <= count; row += 1) yield make(row).listed;
    listingMs += performance.now() - begunMs;
    const { user, system } = process.cpuUsage(cpu);
    listingCpuMs += (user + system) / 1000;
  },
};

const journal = { ...connection.journal, readPriceEvidence: async () => EVIDENCE };

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
  return { unchanged, invalid, update, add, held, listingMs, listingCpuMs };
});
