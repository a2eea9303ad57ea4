/**
 * Measures a long export: `node test/safety/soak/export-products.ts [products]`. Products are added
 * and change their status while the export reads; afterwards every one must be in the file once.
 */

import assert from "node:assert/strict";
import { createReadStream, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as wait } from "node:timers/promises";

import { startCatalog } from "../../helpers/processes/catalog-process.ts";
import { watchPeakMb } from "../../helpers/processes/process-memory.ts";
import { openSoakStore } from "./soak-store.ts";

const PRODUCTS = Number(process.argv[2] ?? 20_000);
const FORMAT = process.argv[3] ?? "jsonl";
const MAX_MB = 150;

await using store = await openSoakStore(PRODUCTS);
const { sandbox, folder, env } = store;

const path = join(folder, "state.json");
let moves = 0;

/** Changes the status of an early product, and adds a product. */
async function stir(): Promise<void> {
  await sandbox.snapshot(path);
  const state: { products: { id: string; sid: number; status: string }[] } = JSON.parse(
    readFileSync(path, "utf8"),
  );
  const { products } = state;
  const product = products[(moves * 997) % products.length];
  const last = products.at(-1);
  if (product === undefined || last === undefined) return;
  product.status = product.status === "approved" ? "passive" : "approved";
  products.push({
    ...last,
    status: "approved",
    id: `${"f".repeat(18)}${100_000 + moves}`,
    sid: last.sid + 1,
  });
  writeFileSync(path, JSON.stringify(state));
  await sandbox.restore(path);
  moves += 1;
}

// The first start compiles the program, which is not measured.
const warmUp = join(folder, `warm-up.${FORMAT}`);
await startCatalog(["export", "products", "--code", "none", "--out", warmUp], { env, cwd: folder })
  .finished;

const out = join(folder, `urunler.${FORMAT}`);
const startedAt = performance.now();
const { child, finished } = startCatalog(["export", "products", "--out", out, "--json"], {
  env,
  cwd: folder,
});
const watched = watchPeakMb(child);
const pages = Math.ceil(PRODUCTS / 50);
const isMoving = process.argv[4] !== "still";
for (const share of isMoving ? [0.05, 0.15, 0.25, 0.35, 0.45, 0.55] : []) {
  while (child.exitCode === null && sandbox.stats().requests < pages * share) await wait(5);
  await stir();
}
const { code, out: said, err } = await finished;
const peak = await watched;
const seconds = (performance.now() - startedAt) / 1000;
assert.equal(code, 0, err);
const { counts, requests, warnings } = JSON.parse(said);

if (FORMAT === "jsonl") {
  const times = new Map<string, number>();
  for await (const line of createInterface({ input: createReadStream(out) })) {
    const { product_id: id } = JSON.parse(line);
    times.set(id, (times.get(id) ?? 0) + 1);
  }
  const wanted = sandbox.products().map(({ id }) => id);
  assert.deepEqual(
    wanted.filter((id) => times.get(id) !== 1),
    [],
  );
  assert.equal(times.size, wanted.length);
}
process.stdout.write(
  `${JSON.stringify({ products: PRODUCTS, format: FORMAT, rows: counts.rows, moves, pages, requests, peakMb: Math.round(peak), seconds: Math.round(seconds), warnings: warnings.length })}\n`,
);
assert.ok(peak < MAX_MB, `${peak} MB`);
