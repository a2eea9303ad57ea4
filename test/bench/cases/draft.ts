/** Checks a draft, corrects one cell and reads views of its rows. BASE_URL HOME FILE ROWS */

import { monitorEventLoopDelay } from "node:perf_hooks";

import { systemClock } from "@catalog/clock";
import { openConnection } from "@catalog/connection";
import { openDrafts } from "@catalog/importer";

import { printCost } from "../case-report.ts";

const [baseUrl = "", home = "", path = "", size = "100000"] = process.argv.slice(2);
const { CATALOG_CLIENT_KEY = "", CATALOG_CLIENT_SECRET = "", CATALOG_STORE_ID = "" } = process.env;

await using connection = await openConnection({
  home,
  baseUrl,
  storeId: CATALOG_STORE_ID,
  credentials: { clientKey: CATALOG_CLIENT_KEY, clientSecret: CATALOG_CLIENT_SECRET },
  clock: systemClock,
  random: Math.random,
});

const time = async (work: () => unknown): Promise<number> => {
  const begunMs = performance.now();
  await work();
  return performance.now() - begunMs;
};

const NANOS_PER_MS = 1_000_000;
const RESOLUTION_MS = 5;

await printCost(async () => {
  const file = { path, name: "bench.csv", sha256: "", bytes: 1 };
  const drafts = openDrafts(connection);
  const live = await drafts.open((await drafts.create(file)).id);
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delay.enable();
  const readMs = { at: 0 };
  const begunMs = performance.now();
  await live.check({
    onProgress({ step }) {
      if (step === "read") readMs.at = performance.now() - begunMs;
    },
  });
  const checkMs = performance.now() - begunMs;
  delay.disable();
  const edit = (version: number, row: number, value: string): Promise<number> =>
    time(() => live.edit({ version }, [{ row, column: 8, value }]));
  const last = Number(size);
  const middle = Math.floor(last / 2);
  const editMs = [await edit(1, 2, "7"), await edit(2, middle, "8"), await edit(3, last, "x")];
  const { counts } = await live.details();
  return {
    rows: counts?.rows ?? 0,
    errors: counts?.errors ?? 0,
    warnings: counts?.warnings ?? 0,
    readMs: readMs.at,
    checkMs,
    delayP99Ms: delay.percentile(99) / NANOS_PER_MS,
    delayMaxMs: delay.max / NANOS_PER_MS,
    editMs: Math.max(...editMs),
    orderAllMs: await time(() => live.order()),
    orderErrorsMs: await time(() => live.order({ show: "errors" })),
    orderEditedMs: await time(() => live.order({ show: "edited" })),
    searchMs: await time(() => live.order({ text: "GÜMÜŞ ÖRGÜ" })),
    searchNothingMs: await time(() => live.order({ text: "yokböylebirşey" })),
    rowsMs: await time(() => live.rows(Array.from({ length: 500 }, (_, at) => middle + at))),
    detailsMs: await time(() => live.details()),
    previewMs: await time(() => live.previewReplace({ find: "GÜMÜŞ", replace: "altın" })),
    previewRareMs: await time(() => live.previewReplace({ find: "yokböyle", replace: "altın" })),
  };
});
