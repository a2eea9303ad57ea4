import { describe, expect, it } from "vitest";

import { KEEP_MS, openPruning, type Pruning } from "../helpers/open-pruning.ts";
import { createRandom, type Random } from "../helpers/random.ts";
import { planToSend, seen, toProductId, moveRow } from "../helpers/runs-and-rows.ts";

const CODES = ["A", "B", "C", "D", "E", "F"] as const;
const PRODUCTS = ["p-1", "p-2", "p-3", "p-A", "p-B"] as const;
const FIELDS = ["price", "stock_count", "title"] as const;
const HISTORIES = 12;
const RUNS = 14;

/** How a request ends. */
const ENDS = ["done", "done", "done", "rejected", "lost", "held", "unsent"] as const;

interface PlannedRow {
  readonly row: number;
  readonly code: string;
  /** @default the row adds a product */
  readonly productId?: string;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly end: (typeof ENDS)[number];
}

interface PlannedRun {
  readonly id: string;
  readonly rows: readonly PlannedRow[];
  readonly isFinished: boolean;
  readonly waitDays: number;
  /** Commits of the pruning that are made after the run. */
  readonly steps: number;
}

function drawRun(random: Random, number: number): PlannedRun {
  return {
    id: `run-${String(number).padStart(2, "0")}`,
    rows: Array.from({ length: 1 + random.below(5) }, (_, index) => drawRow(random, index + 2)),
    isFinished: random.below(8) > 0,
    waitDays: random.pick([0, 0.5, 1, 2, 40, 100]),
    steps: random.pick([0, 1, 2, 3, 100]),
  };
}

function drawRow(random: Random, row: number): PlannedRow {
  const names = FIELDS.filter(() => random.below(2) === 0);
  const values = names.map((name) => [name, name === "title" ? `T${row}` : 1 + random.below(90)]);
  return {
    row,
    code: random.pick(CODES),
    ...(random.below(3) === 0 ? {} : { productId: random.pick(PRODUCTS) }),
    fields: Object.fromEntries(values),
    end: random.pick(ENDS),
  };
}

/** Plays a run, and returns how each of its rows could begin to be sent. */
async function playRun(store: Pruning, { id, rows, isFinished }: PlannedRun): Promise<unknown> {
  const { journal } = store;
  await journal.recover();
  await store.create(id, { command: "sync" });
  const begun: string[] = [];
  for (const { end, ...row } of rows) {
    const key = await planToSend(journal, { runId: id, ...row });
    const outcome = journal.beginSending(key);
    begun.push(outcome);
    if (outcome === "taken") {
      await moveRow(journal, key, { from: "ready", to: "held" });
      await moveRow(journal, key, { from: "held", to: "cancelled" });
      continue;
    }
    const productId = toProductId(row.productId ?? `p-${row.code}`);
    await endRow(store, { ...key, end, productId });
  }
  if (isFinished) await store.finish(id);
  return begun;
}

interface EndedRow extends Pick<PlannedRow, "end"> {
  readonly runId: string;
  readonly row: number;
  readonly productId: ReturnType<typeof toProductId>;
}

async function endRow({ journal }: Pruning, { end, productId, ...key }: EndedRow): Promise<void> {
  const done = { to: "done", cause: "answer", productId } as const;
  const from = { ...key, from: "sending" } as const;
  if (end === "done") await journal.recordOutcome(from, done);
  if (end === "rejected") await journal.recordOutcome(from, { to: "rejected", cause: "answer" });
  if (end === "lost" || end === "held") {
    await journal.recordOutcome(from, { to: "ambiguous", cause: "lost" });
    await journal.recordOutcome(
      { ...key, from: "ambiguous" },
      end === "lost" ? done : { to: "held", cause: "not-found" },
    );
  }
  if (end !== "unsent") return;
  await journal.recordOutcome(from, { to: "ready", cause: "unsent" });
  await moveRow(journal, key, { from: "ready", to: "held" });
  await moveRow(journal, key, { from: "held", to: "cancelled" });
}

/** Everything that later runs rest on. */
async function ask({ journal, feeds }: Pruning, runIds: readonly string[]): Promise<unknown> {
  const ids = [...PRODUCTS, ...CODES.map((code) => `p-${code}`)].map(toProductId);
  const changes = await feeds.applySentChanges();
  return {
    codes: new Set(await journal.readKnownCodes(CODES)),
    sent: await journal.readLastSent(ids),
    added: await journal.readLatestAdded(),
    prices: await journal.readPriceEvidence(50),
    held: await journal.readHeldAdds(50),
    open: await journal.readAmbiguous(50),
    counts: await Promise.all(runIds.map((runId) => journal.countRows(runId))),
    rechecks: await Promise.all(runIds.map((runId) => journal.mustRecheck(runId))),
    hasFeedChanges: changes > 0,
    feed: await feeds.readById(ids),
  };
}

async function openStore(): Promise<Pruning> {
  const store = await openPruning();
  const listed = PRODUCTS.map((id) => seen(id, { price: 7 }));
  await store.journal.saveSeen(listed);
  await store.feeds.saveShown(
    await store.feeds.beginRefresh(),
    listed.map(({ product, codeKey, status }) => ({
      productId: product.id,
      codeKey,
      status,
      shown: product,
      sent: {},
    })),
  );
  return store;
}

describe("a history of runs that is pruned at any moment", () => {
  for (let seed = 1; seed <= HISTORIES; seed += 1) {
    it(`answers like one that is kept whole (seed ${seed})`, async () => {
      const random = createRandom(seed);
      const [kept, pruned] = [await openStore(), await openStore()];
      const runIds: string[] = [];
      for (let number = 1; number <= RUNS; number += 1) {
        const run = drawRun(random, number);
        runIds.push(run.id);

        expect(await playRun(pruned, run)).toEqual(await playRun(kept, run));

        for (const store of [kept, pruned]) await store.clock.advance(run.waitDays * 86_400_000);
        for (let step = 0; step < run.steps; step += 1) await pruned.pruner.advance(KEEP_MS);
        expect(await ask(pruned, runIds)).toEqual(await ask(kept, runIds));
      }
    });
  }
});
