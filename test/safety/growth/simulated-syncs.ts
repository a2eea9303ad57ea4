/**
 * Syncs of a store as the database sees them, one after another on a clock of their own: the real
 * journal writes runs, rows, requests and outcomes, and nothing is sent.
 */

import { type ProductId, type StoreProduct, idSchemas } from "@catalog/contract";
import {
  createCallLog,
  createFeedState,
  createJournal,
  createRunPruner,
  createRunRepository,
  createVerificationLog,
  type Database,
  type RunPruner,
} from "@catalog/database/testing";
import type {
  Journal,
  ParsedRow,
  RowDecision,
  RunRepository,
  VerificationLog,
} from "@catalog/runs";

export interface SimulatedSyncsOptions {
  readonly database: Database;
  readonly products: number;
  /** Rows that each sync sends. */
  readonly changes: number;
  /** Rows that a guard holds in each sync, of the same products each time. @default none */
  readonly held?: number;
  /** Time from one sync to the next. */
  readonly everyMs: number;
  readonly startMs: number;
}

export interface SimulatedSyncs {
  readonly journal: Journal;
  readonly runs: RunRepository;
  readonly verificationLog: VerificationLog;
  readonly pruner: RunPruner;
  /** The time of the last sync. */
  readonly nowMs: number;
  /** Makes the next sync and returns the id of its run. */
  sync(): Promise<string>;
  /** Lets time pass without a sync. */
  wait(ms: number): void;
}

const STORE = { baseUrl: "https://marketplace.test", storeId: "store-1" };

export function createSimulatedSyncs(options: SimulatedSyncsOptions): SimulatedSyncs {
  const { database, everyMs } = options;
  let nowMs = options.startMs;
  let done = 0;
  const clock = { now: () => nowMs, sleep: () => Promise.resolve() };
  const opened = { database, clock, store: STORE };
  const parts: SyncParts = {
    ...options,
    journal: createJournal({ ...opened, runKind: "feeds" }),
    runs: createRunRepository(opened),
    log: createVerificationLog(opened),
    calls: createCallLog(database),
    feeds: createFeedState(opened),
  };
  const { journal, runs, log: verificationLog } = parts;
  return {
    journal,
    runs,
    verificationLog,
    pruner: createRunPruner(opened),
    get nowMs() {
      return nowMs;
    },
    async sync() {
      nowMs += everyMs;
      done += 1;
      return await syncOnce(parts, { number: done, nowMs });
    },
    wait(ms) {
      nowMs += ms;
    },
  };
}

interface SyncParts extends SimulatedSyncsOptions {
  readonly journal: Journal;
  readonly runs: RunRepository;
  readonly log: VerificationLog;
  readonly calls: ReturnType<typeof createCallLog>;
  readonly feeds: ReturnType<typeof createFeedState>;
}

interface SyncTime {
  readonly number: number;
  readonly nowMs: number;
}

async function syncOnce(parts: SyncParts, { number, nowMs }: SyncTime): Promise<string> {
  const { journal, runs, log, calls, feeds } = parts;
  const stamp = new Date(nowMs).toISOString().replaceAll(/[-:]/gu, "").replace("T", "-");
  const runId = `r-${stamp.slice(2, 13)}-${(number % 65_536).toString(16).padStart(4, "0")}`;
  await journal.recover();
  // The runs that a sync looks through for rows that an earlier one left.
  await runs.list(50);
  await feeds.applySentChanges();
  const sent = toRows(parts, number);
  const rows = [...sent, ...toHeldRows(parts, number)];
  await runs.create({ ...RUN, id: runId });
  await journal.appendRows(
    runId,
    rows.map(({ parsed }) => parsed),
  );
  await journal.saveDecisions(
    runId,
    rows.map(({ decision }) => decision),
  );
  await log.saveBefore(
    runId,
    sent.map(({ decision: { row }, before }) => ({ row, product: before })),
  );
  await runs.update(runId, { state: "planned", facts: toFacts(parts) });
  await send(journal, { runId, rows: sent, serverMs: nowMs });
  await feeds.applySentChanges();
  await runs.addRequests(runId, { token: 0, read: 4, write: sent.length });
  const minute = Math.floor(nowMs / 60_000);
  await calls.add(runId, [{ minute, calls: sent.length + 4, perHour: null }]);
  await runs.update(runId, { state: "finished" });
  return runId;
}

const FILE = {
  path: "/srv/feeds/stok.csv",
  name: "stok.csv",
  sha256: "0".repeat(64),
  kind: "csv",
  sheet: "stok.csv",
  headerRow: 1,
  header: ["Ürün Kodu", "Stok", "Fiyat"],
  feed: "f".repeat(24),
} as const;

const RUN = {
  command: "sync",
  file: FILE,
  mode: "update",
  lang: "tr",
  reportDir: "/srv/feeds/catalog-results",
  warnings: [],
} as const;

function toFacts({ products, changes, held = 0 }: SimulatedSyncsOptions) {
  const counts = { unchanged: products - changes, invalid: 0, duplicate: 0, held };
  const planned = { add: 0, update: changes, ...counts, requests: changes, seconds: 9 };
  return { readBy: "listing", priceUnit: "minor", planned, capabilities: [] } as const;
}

interface SimulatedRow {
  readonly parsed: ParsedRow;
  readonly decision: RowDecision;
  readonly before: StoreProduct;
}

/** The changed products of a sync, evenly spread over the feed. */
function toRows({ products, changes }: SimulatedSyncsOptions, number: number): SimulatedRow[] {
  const step = Math.max(1, Math.floor(products / changes));
  return Array.from({ length: changes }, (_, index) =>
    toRow((index * step + (number % step)) % products, number),
  );
}

function toRow(product: number, number: number): SimulatedRow {
  const row = product + 2;
  const id = toProductId(product);
  const code = `SBX-${String(product).padStart(6, "0")}`;
  const [old, stock] = [(product * 7 + number) % 500, (product * 7 + number + 1) % 500];
  const price = 10_000 + ((product * 7_919) % 90_000);
  return {
    parsed: { row, cells: [code, String(stock), (price / 100).toFixed(2)], code, codeKey: code },
    decision: {
      row,
      state: "ready",
      action: "update",
      productId: id,
      payload: { stock_count: stock, product_id: id },
      changes: [{ field: "stock_count", new: stock, old }],
      issues: [],
    },
    before: { id, product_code: code, price, currency: "TL", stock: old, has_discount: false },
  };
}

/** Rows of products beyond those of the feed that changes, whose prices fall too far. */
function toHeldRows({ products, held = 0 }: SimulatedSyncsOptions, number: number): SimulatedRow[] {
  return Array.from({ length: held }, (_, index) => {
    const { decision, ...rest } = toRow(products + index, number);
    return { ...rest, decision: { ...decision, state: "held" } };
  });
}

/** Ids look random, so that they compress as badly as real ones. */
function toProductId(product: number): ProductId {
  const mix = (seed: number): string =>
    (Math.imul(product + seed, 0x9e_37_79_b1) ^ Math.imul(product ^ seed, 0x85_eb_ca_6b))
      .toString(16)
      .replace("-", "")
      .padStart(8, "0");
  return idSchemas.product.parse(`${mix(1)}${mix(7_919)}${mix(104_729)}`);
}

interface SimulatedSending {
  readonly runId: string;
  readonly rows: readonly SimulatedRow[];
  readonly serverMs: number;
}

async function send(journal: Journal, { runId, rows, serverMs }: SimulatedSending): Promise<void> {
  const evidence = { serverMs };
  const claims = await journal.claim(
    rows.map(({ decision: { row } }) => ({ runId, row, evidence })),
  );
  const answer = { rule: "answer", phase: "body", serverMs };
  const outcomes = claims.map(async (claim) => {
    if (claim === undefined) throw new Error(`a row of ${runId} could not be claimed`);
    journal.beginSending(claim);
    const outcome = { to: "done", cause: "answer", evidence: answer } as const;
    await journal.recordOutcome({ ...claim, from: "sending" }, outcome);
  });
  await Promise.all(outcomes);
}
