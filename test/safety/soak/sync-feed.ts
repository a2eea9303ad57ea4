/**
 * Measures a long feed: `node test/safety/soak/sync-feed.ts [products] [changes]`. The whole
 * listing is read once; then a feed with a few changes must cost a write for each and a handful of
 * reads.
 */

import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { startSandbox } from "@catalog/sandbox";

import { readStore, writeFeed } from "../../helpers/feed.ts";
import { startCatalog } from "../../helpers/processes/catalog-process.ts";

const PRODUCTS = Number(process.argv[2] ?? 50_000);
const CHANGES = Number(process.argv[3] ?? 400);
const MAX_READS = 10;

const folder = mkdtempSync(join(tmpdir(), "sync-long-"));
const sandbox = await startSandbox({ products: PRODUCTS });
const env = {
  CATALOG_BASE_URL: sandbox.baseUrl,
  CATALOG_CLIENT_KEY: sandbox.clientKey,
  CATALOG_CLIENT_SECRET: sandbox.clientSecret,
  CATALOG_STORE_ID: sandbox.storeId,
  CATALOG_HOME: join(folder, "home"),
};

/** Peak resident memory of a process in megabytes, as Linux counts it. */
function peakMb(pid: number): number {
  try {
    const text = readFileSync(`/proc/${pid}/status`, "utf8");
    return Number(/VmHWM:\s+(\d+)/u.exec(text)?.[1] ?? 0) / 1024;
  } catch {
    // The process has ended.
    return 0;
  }
}

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
  const { child, finished } = startCatalog(["sync", feed, "--json"], { env, cwd: folder });
  let mb = 0;
  const watching = setInterval(() => (mb = Math.max(mb, peakMb(child.pid ?? 0))), 200);
  const { code, out } = await finished;
  clearInterval(watching);
  const { counts, requests } = JSON.parse(out);
  const seconds = Math.round((performance.now() - beganMs) / 1000);
  const { read = 0, write = 0 } = requests;
  return { code, updated: counts.updated, read, write, seconds, mb: Math.round(mb) };
}

try {
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
} finally {
  await sandbox.close();
  rmSync(folder, { recursive: true, force: true });
}
