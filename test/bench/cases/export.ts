/**
 * Exports a store's products to CSV. HOME FILE The duration of the calls is reported apart: they
 * are made one after another, so the rest is the toolkit's.
 */

import { systemClock } from "@catalog/clock";
import { openConnection } from "@catalog/connection";
import { runExport } from "@catalog/exporter";

import { printCost } from "../case-report.ts";

const [home = "", path = ""] = process.argv.slice(2);
const { CATALOG_BASE_URL: baseUrl = "", CATALOG_STORE_ID: storeId = "" } = process.env;
const { CATALOG_CLIENT_KEY: clientKey = "", CATALOG_CLIENT_SECRET: clientSecret = "" } =
  process.env;

await using connection = await openConnection({
  home,
  baseUrl,
  storeId,
  credentials: { clientKey, clientSecret },
  clock: systemClock,
  random: Math.random,
});
let calls = 0;
let callsMs = 0;
let callsCpuMs = 0;

const { product } = connection.client;
const timedList = async (
  ...[query, options]: Parameters<typeof product.list>
): ReturnType<typeof product.list> => {
  const begunMs = performance.now();
  const cpu = process.cpuUsage();
  const page = await product.list(query, options);
  const { user, system } = process.cpuUsage(cpu);
  calls += 1;
  callsMs += performance.now() - begunMs;
  callsCpuMs += (user + system) / 1000;
  return page;
};
/** The client's method with its pages and items, which an export does not use. */
const list = Object.assign(timedList, product.list);

/** CPU time for storing each page until the file is written, so that no page is read twice. */
let keptCpuMs = 0;
function timeKeeping<Args extends readonly unknown[], Result>(
  keep: (...args: Args) => Promise<Result>,
): (...args: Args) => Promise<Result> {
  return async (...args) => {
    const cpu = process.cpuUsage();
    const result = await keep(...args);
    const { user, system } = process.cpuUsage(cpu);
    keptCpuMs += (user + system) / 1000;
    return result;
  };
}
const exportStaging: typeof connection.memory.exportStaging = {
  ...connection.memory.exportStaging,
  async open(names, maxAgeMs) {
    const job = await connection.memory.exportStaging.open(names, maxAgeMs);
    const save = timeKeeping((...args: Parameters<typeof job.save>) => job.save(...args));
    const finish = timeKeeping((...args: Parameters<typeof job.finish>) => job.finish(...args));
    return { ...job, save, finish };
  },
};

await printCost(async () => {
  const { rows } = await runExport(
    {
      ...connection,
      memory: { ...connection.memory, exportStaging },
      client: { ...connection.client, product: { ...product, list } },
    },
    { kind: "products", path, format: "csv", lang: "tr", decimal: "comma", filters: {} },
  );
  return { rows, calls, callsMs, callsCpuMs, keptCpuMs };
});
