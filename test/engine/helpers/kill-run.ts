/**
 * A whole run, from parsed rows to their final states, in a process that may die at any operation
 * of the journal and is then started again from what the journal has.
 */

import { createFakeClock, elapse } from "@catalog/clock/testing";
import { type MemoryJournal, openMemoryJournal } from "@catalog/database/testing";
import {
  type Journal,
  type Marketplace,
  type UnknownPolicy,
  type CandidateRow,
  type RowRecord,
  toCounts,
  applyRun,
} from "@catalog/runs";
import {
  createFakeMarketplace,
  type FakeMarketplace,
  type Reply,
  candidate,
  codeKey,
  listed,
  parsedRow,
  price,
  RUN,
  SHEET,
} from "@catalog/runs/testing";

import { recheckOf } from "./apply-fixture.ts";
import { createMortalJournal, type Death, ProcessDied } from "./mortal-journal.ts";
import { planAll } from "./plan-all.ts";

export interface KillOptions {
  /** Replies for each request, as a fake marketplace takes them. */
  readonly script: Readonly<Record<string, readonly Reply[]>>;
  readonly onUnknown?: UnknownPolicy;
  /** @default 2 */
  readonly concurrency?: number;
  readonly death?: Death | undefined;
  /** Breaks the journal or the marketplace on purpose. */
  readonly spoilJournal?: (journal: Journal) => Journal;
  readonly spoilMarketplace?: (marketplace: Marketplace) => Marketplace;
}

export interface KilledRun {
  /** Violated invariants as texts; empty when there are none. */
  readonly violations: readonly string[];
  /** Operations of the process that was to die. */
  readonly operations: number;
}

type SheetRow = Partial<CandidateRow> & { readonly row: number; readonly code: string };

const SHEET_ROWS: readonly SheetRow[] = [
  { row: 2, code: "A1" },
  { row: 3, code: "A2" },
  { row: 4, code: "B1", changes: { title: "Mug" } },
  { row: 5, code: "A3" },
  { row: 6, code: "B2", changes: { title: "Cup B2" } },
  { row: 7, code: "A4", completeAdd: () => ({ ok: false, issues: [] }) },
  { row: 8, code: "A5" },
  { row: 9, code: " a5" },
  { row: 10, code: "A6", action: "skip" },
  { row: 11, code: "B3", changes: { price: price(500), stock_count: 3 } },
];

/** Maximum number of starts; a run that needs more does not end. */
const MAX_STARTS = 12;

/** Runs until the run is finished, with as many starts as it needs. */
export async function killRun(options: KillOptions): Promise<KilledRun> {
  const products = [listed("p1", "B1"), listed("p2", "B2"), listed("p3", "B3", { stock: 9 })];
  // The marketplace's clock continues from process to process.
  const marketplace: FakeMarketplace = createFakeMarketplace({
    products,
    script: options.script,
    serverTimeMs: () => marketplace.log.length * 1_000,
  });
  const first = await openMemoryJournal();
  await first.appendRows(
    RUN,
    SHEET_ROWS.map(({ row, code }) => parsedRow(row, code)),
  );

  let current = createMortalJournal(first, options.death);
  const mortal = current;
  const failures: string[] = [];
  let isFinished = false;
  for (let start = 0; start < MAX_STARTS && !isFinished; start += 1) {
    try {
      isFinished = await runProcess(options, current.journal, marketplace);
    } catch (error) {
      if (!isDeath(error)) failures.push(`failed: ${String(error)}`);
    }
    current.kill();
    // What the dead process has written is in the journal before the next one begins.
    await new Promise(setImmediate);
    current = createMortalJournal(first);
  }
  marketplace.catchUp();
  if (!isFinished) failures.push("does not come to an end");
  const violations = [...failures, ...(await findViolations(first, marketplace))];
  return { violations, operations: mortal.operations };
}

const isDeath = (error: unknown): boolean => error instanceof ProcessDied;

/** Runs one process. Returns whether it sent and reconciled everything. */
async function runProcess(
  options: KillOptions,
  memoryJournal: MemoryJournal,
  fakeMarketplace: FakeMarketplace,
): Promise<boolean> {
  const { spoilJournal, spoilMarketplace, onUnknown = "hold", concurrency = 2 } = options;
  const journal = spoilJournal?.(memoryJournal) ?? memoryJournal;
  const marketplace = spoilMarketplace?.(fakeMarketplace) ?? fakeMarketplace;
  const clock = createFakeClock();
  const shared = { runId: RUN, journal, marketplace, codeKey, sheet: SHEET };
  const undecided = await journal.readRows(RUN, { states: ["parsed"], limit: 1 });
  if (undecided.length > 0) await planAll({ ...shared, toCandidate, before: memoryJournal });
  const patience = { lookupDelaysMs: [0, 1_000, 1_000], quietMs: 5_000 };
  const recheck = recheckOf(memoryJournal);
  const apply = applyRun({ ...shared, recheck, ...patience, clock, onUnknown, concurrency });
  return (await elapse(clock, apply)).end === "finished";
}

function toCandidate({ row }: { readonly row: number }): CandidateRow {
  const { code, ...more } = SHEET_ROWS.find((one) => one.row === row) ?? { code: "" };
  return candidate(row, code, more);
}

async function findViolations(
  journal: MemoryJournal,
  marketplace: FakeMarketplace,
): Promise<readonly string[]> {
  const rows = await journal.readRows(RUN, { limit: 1_000 });
  const { rows: total, ...classes } = toCounts(await journal.countRows(RUN));
  const sum = Object.values(classes).reduce((all, n) => all + n, 0);
  const found: string[] = [];
  if (total !== SHEET_ROWS.length || sum !== total) found.push(`${sum} of ${total} rows counted`);
  if (classes.pending + classes.unknown > 0) found.push("rows are left open");
  return [
    ...found,
    ...findTwice(marketplace),
    ...findUnaccounted(rows, marketplace),
    ...rows.flatMap((row) => judgeRow(row, marketplace)),
  ];
}

function findTwice({ products }: FakeMarketplace): readonly string[] {
  const byCode = Map.groupBy(products, ({ product }) => codeKey(product.product_code ?? ""));
  return [...byCode].filter(([, same]) => same.length > 1).map(([code]) => `${code} exists twice`);
}

/** Checks that every new product belongs to a row that is done or held. */
function findUnaccounted(
  rows: readonly RowRecord[],
  { products }: FakeMarketplace,
): readonly string[] {
  const accounted = new Set(
    rows.filter(({ state }) => state === "done" || state === "held").map((row) => row.codeKey),
  );
  return products
    .filter(({ product }) => product.id.startsWith("new-"))
    .map(({ product }) => codeKey(product.product_code ?? ""))
    .filter((code) => !accounted.has(code))
    .map((code) => `${code} exists and no row says so`);
}

function judgeRow(row: RowRecord, marketplace: FakeMarketplace): readonly string[] {
  const request = row.action === "add" ? `ADD ${row.code}` : `UPDATE ${row.productId}`;
  const sent = marketplace.log.filter((one) => one === request).length;
  const begun = row.attempts;
  return [
    ...(sent > begun ? [`${request} left ${sent} times and was begun ${begun} times`] : []),
    ...(row.state === "done" ? judgeDone(row, marketplace) : []),
  ];
}

function judgeDone(row: RowRecord, { products }: FakeMarketplace): readonly string[] {
  const product = products.find((one) => one.product.id === row.productId)?.product;
  if (product === undefined || codeKey(product.product_code ?? "") !== row.codeKey) {
    return [`row ${row.row} is done and its product does not exist`];
  }
  const title = row.payload?.title ?? product.title;
  return product.title === title ? [] : [`row ${row.row} is done and its title is not there`];
}

/** Returns every point at which a process with this number of operations can die. */
export function deathsOf(operations: number): readonly Death[] {
  return Array.from({ length: operations }, (_, n) => n + 1).flatMap((at) => [
    { at, when: "before" } as const,
    { at, when: "after" } as const,
  ]);
}
