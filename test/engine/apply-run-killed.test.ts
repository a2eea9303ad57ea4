/** A journal whose process dies at one of its operations. */

import { createFakeClock, elapse } from "@catalog/clock/testing";
import { type MemoryJournal, openMemoryJournal } from "@catalog/database/testing";
import {
  applyRun,
  type CandidateRow,
  type Journal,
  type Marketplace,
  type RowRecord,
  toCounts,
  type UnknownPolicy,
} from "@catalog/runs";
import {
  answered,
  candidate,
  codeKey,
  createFakeMarketplace,
  type FakeMarketplace,
  listed,
  lost,
  parsedRow,
  price,
  refused,
  type Reply,
  RUN,
  SHEET,
} from "@catalog/runs/testing";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { recheckOf } from "./helpers/apply-fixture.ts";
import { planAll } from "./helpers/plan-fixture.ts";

/** The operation at which a process dies, and whether that operation takes effect. */
interface Death {
  /** Counted from 1. */
  readonly at: number;
  readonly when: "before" | "after";
}

/** Thrown by every call of a journal whose process is dead. */
class ProcessDied extends Error {
  override readonly name = "ProcessDied";
}

interface MortalJournal {
  readonly journal: MemoryJournal;
  /** Number of calls so far. */
  readonly operations: number;
  /** Ends the process, so that the rest of it can write nothing more. */
  kill(): void;
}

/** Lets every call after the death throw. @default the process lives */
function createMortalJournal(living: MemoryJournal, death?: Death): MortalJournal {
  let operations = 0;
  let isOver = false;
  const die = (): never => {
    isOver = true;
    throw new ProcessDied("the process died");
  };
  const call = (work: () => unknown): unknown => {
    operations += 1;
    const isLast = operations === death?.at;
    if (isOver || (isLast && death?.when === "before")) return die();
    const result = work();
    if (!isLast) return result;
    if (!(result instanceof Promise)) return die();
    isOver = true;
    return result.then(die, die);
  };
  const journal = new Proxy(living, {
    get(target, name, receiver) {
      const member: unknown = Reflect.get(target, name, receiver);
      if (typeof member !== "function") return member;
      return (...args: readonly unknown[]): unknown => {
        const work = (): unknown => Reflect.apply(member, undefined, args);
        // An asynchronous method rejects, and a synchronous one throws.
        if (name === "beginSending") return call(work);
        return (async () => await call(work))();
      };
    },
  });
  return {
    journal,
    get operations() {
      return operations;
    },
    kill: () => void (isOver = true),
  };
}

/*
 * A whole run, from parsed rows to their final states, in a process that may die at any operation
 * of the journal and is then started again from what the journal has.
 */

interface KillOptions {
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

interface KilledRun {
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
async function killRun(options: KillOptions): Promise<KilledRun> {
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
function deathsOf(operations: number): readonly Death[] {
  return Array.from({ length: operations }, (_, n) => n + 1).flatMap((at) => [
    { at, when: "before" } as const,
    { at, when: "after" } as const,
  ]);
}

/** Replies whose effect is shown at once, or during the lookups. */
const SEEN_REPLIES: readonly Reply[] = [
  lost("none"),
  lost("none", { begins: true }),
  lost("started"),
  lost("started", { effect: "now" }),
  lost("started", { effect: { afterReads: 3 } }),
  lost("headers", { effect: "now" }),
  refused(502),
  refused(502, { effect: "now" }),
  refused(401),
  refused(429, { retryAfterMs: 1_000 }),
  refused(422),
  answered({ status: false, message: "no" }),
  answered({ status: true }, "now"),
  answered("<html>", "now"),
];

/** A reply whose effect comes after the last lookup. */
const LATE_REPLY = lost("started", { effect: { afterReads: 1_000 } });

const WRITES = ["ADD A1", "ADD A2", "ADD A3", "UPDATE p1", "UPDATE p3"];

const scriptOf = (
  replies: readonly Reply[],
): fc.Arbitrary<Readonly<Record<string, readonly Reply[]>>> =>
  fc.dictionary(
    fc.constantFrom(...WRITES),
    fc.array(fc.constantFrom(...replies), { minLength: 1, maxLength: 2 }),
    { maxKeys: WRITES.length },
  );

const concurrency = fc.integer({ min: 1, max: 4 });

const whole: fc.Arbitrary<KillOptions> = fc.oneof(
  fc.record({
    concurrency,
    onUnknown: fc.constant("hold" as const),
    script: scriptOf([...SEEN_REPLIES, LATE_REPLY]),
  }),
  // Sending again is safe only where a request is carried out during the lookups.
  fc.record({
    concurrency,
    onUnknown: fc.constant("resend" as const),
    script: scriptOf(SEEN_REPLIES),
  }),
);

/** A run in which answers of adds and updates are lost, both carried out and not. */
const LOSSY: KillOptions = {
  script: {
    "ADD A1": [lost("started", { effect: "now" })],
    "ADD A3": [lost("none", { begins: true })],
    "UPDATE p1": [lost("headers")],
  },
};

/** Returns the violations of runs that die once each, at every operation or up to one of them. */
async function killEverywhere(options: KillOptions, last = ""): Promise<readonly string[]> {
  const unharmed = await killRun(options);
  const violations = new Set(unharmed.violations);
  for (const death of deathsOf(unharmed.operations)) {
    if (violations.has(last)) break;
    const { violations: found } = await killRun({ ...options, death });
    for (const one of found) violations.add(one);
  }
  return [...violations];
}

describe("applyRun, killed at every operation of the journal", () => {
  it("adds no product twice, loses no row, and reports no product that is not in the store", async () => {
    expect(await killEverywhere(LOSSY)).toEqual([]);
  });

  it("adds no product twice and loses no row for random outcomes of the requests", async () => {
    const anyDeath = fc.record({
      at: fc.integer({ min: 1, max: 120 }),
      when: fc.constantFrom("before" as const, "after" as const),
    });
    await fc.assert(
      fc.asyncProperty(whole, anyDeath, async (options, death) => {
        expect((await killRun({ ...options, death })).violations).toEqual([]);
      }),
      { numRuns: 100 },
    );
  });
});

/** A recovery that treats sending rows as unsent. */
const takeForUnsent = (journal: Journal): Journal => ({
  ...journal,
  async recover() {
    const rows = await journal.readRows(RUN, { states: ["sending"], limit: 99 });
    for (const { row } of rows) {
      await journal.recordOutcome(
        { runId: RUN, row, from: "sending" },
        { to: "ready", cause: "unsent" },
      );
    }
    return rows.length;
  },
});

/** A marketplace whose requests leave before they are recorded. */
const skipBeforeSend = (marketplace: Marketplace): Marketplace => ({
  ...marketplace,
  addProduct: (body) => marketplace.addProduct(body, { beforeSend: () => undefined }),
});

/** A marketplace that reports every lost request as never sent. */
const denySending = (marketplace: Marketplace): Marketplace => ({
  ...marketplace,
  async addProduct(body, options) {
    const answer = await marketplace.addProduct(body, options);
    return answer.kind === "lost" ? { ...answer, phase: "none" } : answer;
  },
});

describe("the run that is killed", () => {
  it("dies at more than 30 different operations", async () => {
    const { operations } = await killRun(LOSSY);

    expect(operations).toBeGreaterThan(30);
  });

  const SPOILED: readonly (readonly [name: string, options: KillOptions, expected: string])[] = [
    [
      "a recovery treats sending rows as unsent",
      { ...LOSSY, spoilJournal: takeForUnsent },
      "a2 exists twice",
    ],
    [
      "requests leave before they are recorded",
      { ...LOSSY, spoilMarketplace: skipBeforeSend },
      "a1 exists twice",
    ],
    [
      "a lost request is reported as never sent",
      { ...LOSSY, spoilMarketplace: denySending },
      "a1 exists twice",
    ],
    [
      "a request that takes effect late is sent again",
      { script: { "ADD A2": [LATE_REPLY] }, onUnknown: "resend" },
      "a2 exists twice",
    ],
  ];

  for (const [name, options, expected] of SPOILED) {
    it(`adds a product twice when ${name}`, async () => {
      expect(await killEverywhere(options, expected)).toContain(expected);
    });
  }
});
