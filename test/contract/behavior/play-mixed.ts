/**
 * Plans and applies a sheet with rows of every kind in a store with some behavior, and compares the
 * plan, the outcome of each row and the final state of the store with what is expected.
 */

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { ClientError } from "@catalog/client/errors";
import { openConnection, type Connection } from "@catalog/connection";
import { endpoints } from "@catalog/contract";
import { applyPlan, readBackPending, planFile } from "@catalog/importer";
import type { RowRecord, RowState, RunRecord } from "@catalog/runs";
import {
  parseBehavior,
  type Sandbox,
  type SandboxOptions,
  type SandboxProduct,
  startSandbox,
} from "@catalog/sandbox";

import { createMixedRows, type MixedRow, productsFor, toCsv } from "./mixed-rows.ts";
import { createSkippingClock, UNSKIPPED_TIMEOUT_MS } from "./skipping-clock.ts";

export interface Played {
  /** Deviations from what is expected, in words; empty without any. */
  readonly wrong: readonly string[];
  /** Rows that ended otherwise than planned, by plan, end and reason. */
  readonly otherwise: Readonly<Record<string, number>>;
  /** Number of resumes that the run needed. */
  readonly resumes: number;
  readonly rows: number;
  readonly calls: number;
}

export interface MixedOptions {
  /** Behaviors such as "prices=major"; the last value of a setting counts. */
  readonly behavior: readonly string[];
  readonly rows: number;
  /** @default unlimited */
  readonly requestsPerHour?: number | undefined;
}

/** Starts after which a run that has not ended counts as stuck. */
const MAX_STARTS = 40;

export async function playMixed(options: MixedOptions): Promise<Played> {
  const folder = mkdtempSync(join(tmpdir(), "catalog-mixed-"));
  const clock = createSkippingClock(Date.now);
  const store: SandboxOptions = {
    products: productsFor(options.rows),
    personality: parseBehavior(options.behavior),
    clock,
    ...(options.requestsPerHour === undefined ? {} : { requestsPerHour: options.requestsPerHour }),
  };
  await using sandbox = await startSandbox(store);
  const v = "v1.0";
  await using connection = await openConnection({
    home: join(folder, "home"),
    baseUrl: sandbox.baseUrl,
    storeId: sandbox.storeId,
    credentials: { clientKey: sandbox.clientKey, clientSecret: sandbox.clientSecret },
    clock,
    timeoutMs: UNSKIPPED_TIMEOUT_MS,
    random: () => 0,
    ...(options.behavior.includes("versions=v1.0")
      ? { versions: { category: v, brand: v, product: v } }
      : {}),
  });
  try {
    return await play({ sandbox, connection, folder }, options);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Fixture {
  readonly sandbox: Sandbox;
  readonly connection: Connection;
  readonly folder: string;
}

async function play(harness: Fixture, options: MixedOptions): Promise<Played> {
  const { sandbox, connection } = harness;
  await learnPrices(harness, options);
  const rows = createMixedRows(options.rows, sandbox.products());
  const before = new Map(sandbox.products().map((product) => [product.product_code, product]));

  const writes = countWrites(sandbox);
  const planned = await plan(harness, { name: "liste.csv", text: toCsv(rows) });
  const plannedRows = await readRows(connection, planned);
  const sentByPlan = countWrites(sandbox) - writes;
  const resumes = await applyToEnd(connection, planned);
  // Rows that could not be read back within the hourly limit are read by a later command.
  await connection.clock.sleep(COME_AGAIN_MS * 3);
  await readBackPending(connection, { runId: planned.id });
  const ended = await readRows(connection, planned);
  const seen = await readMismatches(connection, planned);

  const wrong = [
    ...(sentByPlan > 0 ? [`the plan has sent ${sentByPlan} writes`] : []),
    ...judgePlan(rows, plannedRows),
    ...judgeStore(rows, ended, { sandbox, before, seen }),
  ];
  const otherwise = countOtherwise(plannedRows, ended, seen);
  const { requests } = sandbox.stats();
  return { wrong, otherwise, resumes, rows: rows.length, calls: requests };
}

/** States the unit of prices, as a person would, which the guards of prices need; it is stored. */
async function learnPrices(harness: Fixture, { behavior }: MixedOptions): Promise<void> {
  const [first] = harness.sandbox.products();
  const text = `Ürün Kodu;Fiyat\r\n${first?.product_code ?? ""};123,45\r\n`;
  const isMajor = behavior.includes("prices=major") || behavior.includes("prices=text");
  const run = await plan(harness, {
    name: "once.csv",
    text,
    priceUnit: isMajor ? "major" : "minor",
  });
  await applyToEnd(harness.connection, run);
}

interface PlannedFile {
  readonly name: string;
  readonly text: string;
  readonly priceUnit?: "minor" | "major";
}

async function plan(
  { connection, folder }: Fixture,
  { name, text, priceUnit }: PlannedFile,
): Promise<RunRecord> {
  const path = join(folder, name);
  writeFileSync(path, text);
  const how = { command: "plan", lang: "tr", mode: "upsert" } as const;
  const options = { path, ...how, reportDir: folder, priceUnit };
  return await untilItWorks(connection, () => planFile(connection, options));
}

/** Time after which a person starts again once the hourly limit was reached. */
const COME_AGAIN_MS: number = 20 * 60_000;

async function untilItWorks<T>({ clock }: Connection, work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof ClientError) || tries === MAX_STARTS) throw error;
      await clock.sleep(COME_AGAIN_MS);
    }
  }
}

async function applyToEnd(connection: Connection, { id: runId }: RunRecord): Promise<number> {
  for (let resumes = 0; resumes < MAX_STARTS; resumes += 1) {
    const { run } = await applyPlan(connection, { runId });
    if (run.state === "finished") return resumes;
    await connection.clock.sleep(COME_AGAIN_MS);
  }
  throw new Error(`run ${runId} does not come to an end`);
}

const readRows = async (
  { journal }: Connection,
  { id }: RunRecord,
): Promise<readonly RowRecord[]> => await journal.readRows(id, { limit: 1_000_000 });

/** Fields whose values differed when they were read back, by row. */
type Mismatches = ReadonlyMap<number, readonly string[]>;

async function readMismatches(
  { verificationLog }: Connection,
  { id }: RunRecord,
): Promise<Mismatches> {
  const found = await verificationLog.readVerifications(id, 0, 1_000_000);
  const differing = found.filter(({ status }) => status === "mismatch");
  return new Map(differing.map(({ row, fields }) => [row, fields.map(({ field }) => field)]));
}

/** Writes, without the call for a token. */
const WRITES = Object.entries(endpoints).flatMap(([group, calls]) =>
  Object.entries(calls)
    .filter(([, call]) => isPost(call))
    .map(([name]) => `${group}.${name}`)
    .filter((name) => !name.startsWith("token.")),
);

function isPost(call: unknown): boolean {
  return typeof call === "object" && call !== null && "method" in call && call.method === "POST";
}

function countWrites(sandbox: Sandbox): number {
  const { byEndpoint } = sandbox.stats();
  return WRITES.reduce((sum, name) => sum + (byEndpoint[name] ?? 0), 0);
}

const toIntent = ({ state, action }: RowRecord): string =>
  state === "ready" ? (action ?? "") : state;

function judgePlan(rows: readonly MixedRow[], planned: readonly RowRecord[]): readonly string[] {
  if (planned.length !== rows.length) return [`${planned.length} of ${rows.length} rows planned`];
  return planned.flatMap((record, index) => {
    const intent = rows[index]?.intent;
    const codes = record.issues.map(({ code }) => code).join(" ");
    return toIntent(record) === intent
      ? []
      : [`row ${record.row} is planned as ${toIntent(record)} (${codes}) instead of ${intent}`];
  });
}

/** Final state of a row that ends as planned. */
const END: Readonly<Record<string, RowState>> = { add: "done", update: "done" };

function countOtherwise(
  planned: readonly RowRecord[],
  ended: readonly RowRecord[],
  seen: Mismatches,
): Readonly<Record<string, number>> {
  const kinds = planned.flatMap((before, index) => {
    const after = ended[index];
    const intent = toIntent(before);
    const fields = seen.get(before.row);
    if (fields !== undefined) return [`${intent}: ${after?.state}, but not ${fields.join(" ")}`];
    if (after?.state === (END[intent] ?? intent)) return [];
    const codes = after?.issues.map(({ code }) => code).filter((code) => code.startsWith("E_"));
    return [`${intent}: ${after?.state} ${codes?.join(" ")}`];
  });
  const groups = [...Map.groupBy(kinds, (kind) => kind)];
  return Object.fromEntries(groups.map(([kind, of]) => [kind, of.length]));
}

interface Store {
  readonly sandbox: Sandbox;
  readonly before: ReadonlyMap<string, SandboxProduct>;
  readonly seen: Mismatches;
}

/** Asserts that every sent product exists once, and that nothing else has changed. */
function judgeStore(
  rows: readonly MixedRow[],
  ended: readonly RowRecord[],
  { sandbox, before, seen }: Store,
): readonly string[] {
  const now = new Map<string, SandboxProduct>(
    sandbox.products().map((product) => [product.id, product]),
  );
  const { doubles, violations } = sandbox.inspect();
  const done = ended.filter(({ state }) => state === "done");
  // Products are matched by id, as a store may normalize codes.
  const touched = new Set<string | null>(done.map(({ productId }) => productId));
  const unsaid = [...now.values()].filter(
    (product) =>
      !touched.has(product.id) &&
      JSON.stringify(product) !== JSON.stringify(before.get(product.product_code)),
  );
  return [
    ...Object.keys(doubles).map((code) => `${code} is there twice`),
    ...violations.map(({ rule, endpoint }) => `${endpoint} breaks ${rule}`),
    ...done.flatMap((record) => {
      const sends = rows[ended.indexOf(record)]?.sends ?? [];
      const told = seen.get(record.row) ?? [];
      return judgeDone(record, now.get(record.productId ?? ""), {
        fields: sends.filter((field) => !told.includes(field)),
      });
    }),
    ...unsaid.map(({ product_code: code }) => `${code} has changed, and no row says so`),
  ];
}

function judgeDone(
  { row, payload, productId }: RowRecord,
  product: SandboxProduct | undefined,
  { fields }: { readonly fields: MixedRow["sends"] },
): readonly string[] {
  if (product === undefined || product.id !== productId) return [`row ${row} names no product`];
  return fields
    .filter((field) => product[field] !== payload?.[field])
    .map((field) => `row ${row} has sent ${field}, which is not there`);
}
