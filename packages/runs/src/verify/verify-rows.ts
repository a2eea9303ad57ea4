/**
 * Reads sent rows back, many products in one call, and records what the store shows. It sends
 * nothing and moves no row. Where a store shows changes late, rows are read again for a few seconds
 * here, and later by the next command that reads back.
 */

import type { Clock } from "@catalog/clock";
import type { Localized } from "@catalog/i18n";

import { verifyActions } from "../actions/verify-actions.ts";
import { type PriceUnit, readSentUnit } from "../plan/price-unit.ts";
import { isAction } from "../ports/action.ts";
import { type Journal, readAllRows } from "../ports/journal.ts";
import type { Marketplace } from "../ports/marketplace.ts";
import { PAGE_SIZE, type ProductId } from "../ports/product.ts";
import type { RunRepository, RunWarning } from "../ports/run-repository.ts";
import { idsOf, type ListedProduct, readProducts } from "../reconcile/find-products.ts";
import type { RowRecord } from "../row/row-record.ts";
import { toCounts, type WriteAction } from "../row/row-state.ts";
import type { ApplyProgress, Explain } from "../send/outcome.ts";
import {
  type Capability,
  type CapabilityFinding,
  createRefusedFieldWatch,
  isDocumented,
  refusedInUpdates,
} from "./capability.ts";
import {
  type DoneRow,
  judgeVerification,
  type Verification,
  type VerificationLog,
} from "./verification.ts";

interface VerifyOptions {
  readonly journal: Journal;
  readonly log: VerificationLog;
  readonly marketplace: Marketplace;
  readonly codeKey: (code: string) => string;
  readonly signal?: AbortSignal | undefined;
  /** Knows the errors of the marketplace. @default every error is thrown */
  readonly explain?: Explain | undefined;
}

export interface VerifyRunOptions extends VerifyOptions {
  readonly runId: string;
  readonly runs: Pick<RunRepository, "update" | "addWarnings">;
  readonly clock: Clock;
  /** Names a field for people. */
  readonly nameField: (field: string) => Localized;
  /**
   * Waits before reading again what is not shown as it was sent, in milliseconds. @default 1 s,
   * then 3 s
   */
  readonly delaysMs?: readonly number[];
  readonly onProgress?: ((progress: ApplyProgress) => void) | undefined;
}

/** Waits within one command are short, because a person waits for it. */
const DELAYS_MS: readonly number[] = [1_000, 3_000];

/** Number of readings after which a row is not read again. */
export const MAX_READ_BACKS = 12;

/** Rows read back at a time: several pages of products, which are read side by side. */
const BATCH_ROWS = 20 * PAGE_SIZE;

/**
 * Maximum number of rows read again at a time, so that a store that shows nothing does not use up
 * the quota.
 */
const MAX_AGAIN = 4 * PAGE_SIZE;

/**
 * Reads back the rows of a run that were not read back yet, then once more those that were not
 * shown as sent. Stores what it taught about the marketplace, and warns of fields that still show
 * their old value. A row that cannot be read now is read by a later call; an error that `explain`
 * knows is not thrown, because no row depends on reading back.
 */
export async function verifyRun(options: VerifyRunOptions): Promise<void> {
  const { runId, runs, log, clock, signal, onProgress, delaysMs = DELAYS_MS } = options;
  // Rows that were read back before are not read again.
  const { accepted: total } = await log.countVerifications(runId);
  const proven: Proven = new Map();
  let after = 0;
  let done = 0;
  try {
    for (;;) {
      const rows = await log.readUnverified(runId, after, BATCH_ROWS);
      const last = rows.at(-1);
      if (last === undefined) break;
      await verifyBatch(options, rows, proven);
      after = last.row;
      done += rows.length;
      onProgress?.({ step: "verify", done: Math.min(done, total), total });
    }
    const open = { runId, maxLookups: MAX_READ_BACKS, limit: MAX_AGAIN };
    for (const delayMs of delaysMs) {
      const rows = await log.readOpen(open);
      if (rows.length === 0) break;
      await clock.sleep(delayMs, signal);
      await verifyBatch(options, rows, proven);
    }
    const learned = await recordCapabilities(options, proven, await readIgnored(options, runId));
    const ignored = learned.filter(({ state }) => state === "refused");
    await runs.addWarnings(
      runId,
      ignored.map(({ field }) => toIgnoredWarning(field, options.nameField(field))),
    );
  } catch (error) {
    throwUnlessQuiet(options, error);
  }
}

/**
 * Reads rows again that were not shown as sent: of one run, or of all runs of the store. Makes no
 * call where there are none. An error that `explain` knows is not thrown.
 */
export async function verifyOpenRows(
  options: VerifyOptions & { readonly runId?: string | undefined },
): Promise<void> {
  const { log, runId } = options;
  try {
    const rows = await log.readOpen({ runId, maxLookups: MAX_READ_BACKS, limit: PAGE_SIZE });
    if (rows.length === 0) return;
    const proven: Proven = new Map();
    await verifyBatch(options, rows, proven);
    // A field that is shown now was only late; one that is still missing teaches nothing new.
    await recordCapabilities(options, proven, []);
  } catch (error) {
    throwUnlessQuiet(options, error);
  }
}

function throwUnlessQuiet({ signal, explain }: VerifyOptions, error: unknown): void {
  if (explain?.(error) !== undefined) return;
  if (signal?.aborted === true && error === signal.reason) return;
  throw error;
}

type Proven = Map<string, CapabilityFinding>;

/** Reads back rows, as few pages of products as hold them. */
async function verifyBatch(
  options: VerifyOptions,
  rows: readonly DoneRow[],
  proven: Proven,
): Promise<void> {
  const [actions, products] = [
    rows.filter(({ record }) => isAction(record.action)),
    rows.filter(({ record }) => !isAction(record.action)),
  ];
  if (actions.length > 0) await verifyActions(options, actions);
  if (products.length > 0) await verifyProducts(options, products, proven);
}

async function verifyProducts(
  options: VerifyOptions,
  rows: readonly DoneRow[],
  proven: Proven,
): Promise<void> {
  const { journal, log } = options;
  const ids = idsOf(rows.map(({ record }) => record));
  const found = await readProducts(ids, options);
  await journal.saveSeen(
    Array.from(found.values(), ({ status, product }) => ({
      codeKey: options.codeKey(product.product_code ?? ""),
      status,
      product,
    })),
  );
  const lastSent = await journal.readLastSent(ids);
  const priceUnit = await readSentUnit(journal);
  const judged = rows.map(({ runId, row, record, readings }) => {
    const id = record.productId;
    const seen = id === null ? undefined : found.get(id)?.product;
    const last = id === null ? undefined : lastSent.get(id);
    const judgement = judgeVerification(record, { seen, priceUnit, lastSent: last });
    noteProven(proven, record.action, judgement.proven);
    const { status, fields } = judgement;
    return { runId, verification: { row, status, fields, looks: readings + 1 } };
  });
  for (const [runId, of] of Map.groupBy(judged, (one) => one.runId)) {
    await log.saveVerifications(
      runId,
      of.map(({ verification }): Verification => verification),
    );
  }
}

/** Which rows to read back, and which of their fields to compare. */
interface ReadBackSampleOptions {
  readonly records: readonly RowRecord[];
  readonly fields: ReadonlySet<string>;
  readonly priceUnit: PriceUnit;
  readonly marketplace: Pick<Marketplace, "listProducts">;
  readonly clock: Pick<Clock, "sleep">;
  readonly signal?: AbortSignal | undefined;
}

/** Result of reading back a sample of rows. */
export interface SampleReadBack {
  /** Number of products that the store showed. */
  readonly read: number;
  /** Rows whose product shows other values than were sent, with the shown values. */
  readonly different: readonly DifferentRow[];
}

/** A row, and its product as listed with other values than were sent. */
interface DifferentRow {
  readonly record: RowRecord;
  readonly shown: ListedProduct;
}

/** An update may take effect a moment after it was answered. */
const SAMPLE_DELAY_MS = 3_000;

/**
 * Reads rows back without recording it, and reads those that are not shown as sent once more a
 * moment later. A product that the store does not show at all is not counted as different.
 */
export async function readBackSample(options: ReadBackSampleOptions): Promise<SampleReadBack> {
  const { records, marketplace, clock, signal } = options;
  const first = await readProducts(idsOf(records), { marketplace, signal });
  const suspect = findDifferent(options, records, first);
  if (suspect.length === 0) return { read: first.size, different: [] };
  await clock.sleep(SAMPLE_DELAY_MS, signal);
  const again = suspect.map(({ record }) => record);
  const second = await readProducts(idsOf(again), { marketplace, signal });
  return { read: first.size, different: findDifferent(options, again, second) };
}

function findDifferent(
  { fields, priceUnit }: ReadBackSampleOptions,
  records: readonly RowRecord[],
  listed: ReadonlyMap<ProductId, ListedProduct>,
): readonly DifferentRow[] {
  return records.flatMap((record) => {
    const shown = record.productId === null ? undefined : listed.get(record.productId);
    if (shown === undefined) return [];
    const judged = judgeVerification(record, { seen: shown.product, priceUnit });
    return judged.fields.some(({ field }) => fields.has(field)) ? [{ record, shown }] : [];
  });
}

function noteProven(proven: Proven, action: WriteAction | null, fields: readonly string[]): void {
  if (action === null || isAction(action)) return;
  for (const field of fields) proven.set(`${action} ${field}`, { action, field, state: "proven" });
}

/**
 * Returns the undocumented fields that still show the old value. A documented field that is not
 * shown may wait for an approval by the marketplace, so it keeps its state.
 */
async function readIgnored(
  { log }: VerifyRunOptions,
  runId: string,
): Promise<readonly CapabilityFinding[]> {
  const rows = await log.readOpen({ runId, maxLookups: Infinity, limit: MAX_AGAIN });
  return rows.flatMap(({ record: { action }, fields }) => {
    if (action === null || isAction(action)) return [];
    return fields
      .filter(({ field, isOld }) => isOld && !isDocumented(action, field))
      .map(({ field }): CapabilityFinding => ({ action, field, state: "refused" }));
  });
}

/** One product that shows the field proves it, whatever other products show. */
async function recordCapabilities(
  { log }: VerifyOptions,
  proven: Proven,
  ignored: readonly CapabilityFinding[],
): Promise<readonly CapabilityFinding[]> {
  const findings = new Map(ignored.map((one) => [`${one.action} ${one.field}`, one]));
  for (const [key, finding] of proven) findings.set(key, finding);
  const learned = [...findings.values()];
  if (learned.length > 0) await log.saveCapabilities(learned);
  return learned;
}

interface LearnRefusalsOptions {
  readonly journal: Pick<Journal, "readRows" | "readEvents" | "countRows">;
  readonly log: Pick<VerificationLog, "readCapabilities" | "saveCapabilities" | "forgetRefusals">;
  readonly runs: Pick<RunRepository, "addWarnings">;
  readonly runId: string;
  /** Names a field for people. */
  readonly nameField: (field: string) => Localized;
  /** What reading back had taught when the run was planned. */
  readonly planned: readonly Capability[];
  /** When sending has started, in milliseconds since 1970. */
  readonly sinceMs: number;
}

/**
 * Stores the undocumented fields for which updates of the run were refused, so that later plans
 * leave them out, and warns of them. A refused field that was tried again, and that an update since
 * `sinceMs` took, is no longer refused: later plans send it, and reading back may prove it.
 */
export async function learnRefusals(options: LearnRefusalsOptions): Promise<void> {
  const { journal, log, runs, runId, planned, sinceMs, nameField } = options;
  const { rejected } = toCounts(await journal.countRows(runId));
  const tried = refusedInUpdates(planned);
  if (rejected === 0 && tried.size === 0) return;
  const watch = createRefusedFieldWatch({ namesOf: (field) => Object.values(nameField(field)) });
  const taken = new Set<string>();
  for await (const records of readAllRows(journal, runId, { states: ["done", "rejected"] })) {
    for (const record of records) {
      watch.observe({ ...record, status: await readStatus(journal, runId, record) });
      if (record.updatedAtMs < sinceMs) continue;
      for (const field of takenIn(record)) if (tried.has(field)) taken.add(field);
    }
  }
  await log.forgetRefusals([...taken]);
  // A proven field is refused for its values, not as a field.
  const proven = (await log.readCapabilities()).filter(
    ({ action, state }) => action === "update" && state === "proven",
  );
  const refused = watch
    .findRefused()
    .filter(({ finding }) => !proven.some(({ field }) => field === finding.field));
  if (refused.length === 0) return;
  await log.saveCapabilities(refused.map(({ finding }) => finding));
  await runs.addWarnings(
    runId,
    refused.map(({ finding: { field }, rows }) => toRefusedWarning(field, nameField(field), rows)),
  );
}

/** Warns of a field whose changes were accepted and not applied. */
const toIgnoredWarning = (field: string, name: Localized): RunWarning => ({
  code: "W_FIELD_IGNORED",
  message: {
    tr: `Pazaryeri "${name.tr}" (${field}) değişikliklerini kabul etti ama uygulamadı: mağaza eski değerleri gösteriyor. Sonraki planlarda gönderilmeyecek; yeniden denemek için --try-refused verin.`,
    en: `The marketplace accepted changes of "${name.en}" (${field}) but did not apply them: the store shows the old values. Later plans will not send it; give --try-refused to try again.`,
  },
});

const toRefusedWarning = (field: string, name: Localized, rows: number): RunWarning => ({
  code: "W_FIELD_NOT_TAKEN",
  message: {
    tr: `Pazaryeri güncellemelerde "${name.tr}" (${field}) alanını reddediyor (${rows} satır). Sonraki planlarda gönderilmeyecek; yeniden denemek için --try-refused verin.`,
    en: `The marketplace refuses "${name.en}" (${field}) in updates (${rows} ${rows === 1 ? "row" : "rows"}). Later plans will not send it; give --try-refused to try again.`,
  },
});

const takenIn = ({ state, action, payload }: RowRecord): readonly string[] =>
  state === "done" && action === "update" && payload !== null ? Object.keys(payload) : [];

/** The status of the answer that rejected an update. */
async function readStatus(
  journal: Pick<Journal, "readEvents">,
  runId: string,
  { row, state, action }: RowRecord,
): Promise<number | undefined> {
  if (state !== "rejected" || action !== "update") return undefined;
  const events = await journal.readEvents({ runId, row });
  const status = events.findLast(({ to }) => to === "rejected")?.evidence["status"];
  return typeof status === "number" ? status : undefined;
}
