/**
 * Measures a long feed: `node test/safety/soak/sync-feed.ts [products] [changes]`. The whole
 * listing is read once; then a feed with a few changes must cost a write for each and a handful of
 * reads.
 */

import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { readStore, writeFeed } from "../../helpers/feed.ts";
import { startCatalog } from "../../helpers/processes/catalog-process.ts";
import { watchPeakMb } from "../../helpers/processes/process-memory.ts";
import { openSoakStore } from "./soak-store.ts";

const PRODUCTS = Number(process.argv[2] ?? 50_000);
const CHANGES = Number(process.argv[3] ?? 400);
const MAX_READS = 10;

await using store = await openSoakStore(PRODUCTS);
const { sandbox, folder, env } = store;

interface Measured {
  readonly code: number | null;
  readonly updated: number;
  readonly read: number;
  readonly write: number;
  readonly seconds: number;
  readonly mb: number;
}

async function sync(feed: string): Promise<Measured> {
  const beganMs = performance.now();
  const { child, finished } = startCatalog(["sync", feed, "--price-unit", "minor", "--json"], {
    env,
    cwd: folder,
  });
  const watched = watchPeakMb(child);
  const { code, out } = await finished;
  const { counts, requests } = JSON.parse(out);
  const seconds = Math.round((performance.now() - beganMs) / 1000);
  const { read = 0, write = 0 } = requests;
  return { code, updated: counts.updated, read, write, seconds, mb: Math.round(await watched) };
}

const lines = readStore(sandbox);
const feed = writeFeed(join(folder, "stok.csv"), lines);
const first = await sync(feed);
console.log("the whole store read", first);
writeFeed(
  feed,
  lines.map(({ code, stock, priceMinor }, index) => {
    const step = Math.floor(PRODUCTS / CHANGES);
    const isChanged = index % step === 0 && index / step < CHANGES;
    return { code, priceMinor, stock: isChanged ? stock + 1 : stock };
  }),
);
const changed = await sync(feed);
console.log("with changes", changed);
const again = await sync(feed);
console.log("again", again);
const whole = readFileSync(feed);
writeFileSync(feed, whole.subarray(0, whole.length / 2));
const half = await sync(feed);
console.log("cut in half", half);

assert.equal(changed.write, CHANGES);
assert.ok(changed.read <= MAX_READS, `${changed.read} reads`);
assert.deepEqual([again.write, half.write, half.code], [0, 0, 3]);
