/**
 * Records the decisions of a person on held rows, after checking what can be checked, and returns what
 * sends the released rows. An add is risky to send again where the store may have its product without
 * showing it, as no product can be deleted.
 */

import type { Connection, StoreLock } from "@catalog/connection";
import { LISTING_STATUSES, idSchemas } from "@catalog/contract";
import type { Localized } from "@catalog/i18n";
import { codeKey } from "@catalog/mapping";
import {
  countSentAttempts,
  findProducts,
  guardOf,
  joinParts,
  type Journal,
  judgeVisibility,
  type KnownCode,
  isStoreVisible,
  type RowEvent,
  type RowKey,
  type RowOutcome,
  type RowRecord,
  type RunRecord,
  SETTLE_TIME_MS,
  isVisibilityUnproven,
} from "@catalog/runs";

import { isPriceUncompared } from "./pre-send-checks.ts";
import { recordRelease } from "./released-changes.ts";

/** A held row and its decision. */
export interface DecidedRow {
  readonly record: RowRecord;
  readonly release: Release;
}

/** The number of a row, and the outcome of its decision. */
export type ReleasedRow = ReleaseResult & { readonly row: number };

/** The decisions, and the person who made them. */
interface ReleaseRowsOptions {
  readonly run: RunRecord;
  readonly decided: readonly DecidedRow[];
  /** Name of the person, for the evidence. */
  readonly by: string;
  readonly reason?: string | undefined;
  /** Checked before each row; decisions that are recorded already stay. */
  readonly signal?: AbortSignal | undefined;
  /** Called with each row after its decision is recorded. */
  readonly onReleased?: (released: ReleasedRow) => void;
}

/** The outcomes of all decisions. */
export interface ReleasedRows {
  readonly released: readonly ReleasedRow[];
  /**
   * What sends the released rows.
   * - `nothing`: no row was released.
   * - `apply`: `applyPlan`, which sends the released rows alone.
   * - `resume`: a resume; rows that were ready before were not decided now and are sent by it, too.
   * - `sync`: the next sync.
   */
  readonly sentBy: "nothing" | "apply" | "resume" | "sync";
}

/** Records the decisions in order; a row that cannot be released stays held, with the reason. */
export async function releaseRows(
  connection: Connection,
  { decided, onReleased, ...by }: ReleaseRowsOptions,
): Promise<ReleasedRows> {
  const [waiting] = await connection.journal.readRows(by.run.id, { states: ["ready"], limit: 1 });
  const released: ReleasedRow[] = [];
  for (const { record, release } of decided) {
    by.signal?.throwIfAborted();
    const outcome = await releaseRow(connection, { ...by, record, release });
    const row = { row: record.row, ...outcome };
    released.push(row);
    onReleased?.(row);
  }
  if (!released.some(({ to }) => to === "ready")) return { released, sentBy: "nothing" };
  if (isFeedRun(by.run)) return { released, sentBy: "sync" };
  return { released, sentBy: waiting === undefined ? "apply" : "resume" };
}

/**
 * Takes the lock under which rows of the run are released. Rows held by a sync need only the lock
 * of feeds, so running imports are not stopped. Rejects with `DatabaseError` `E_STORE_BUSY`.
 */
export async function lockForRelease(
  { locks }: Connection,
  run: RunRecord,
  command: string,
): Promise<StoreLock> {
  const lock = await (isFeedRun(run) ? locks.feeds(command) : locks.store(command));
  await lock.nameRun(run.id);
  return lock;
}

/**
 * The release of a row that a person wants to be sent. A guarded update is approved: it is checked
 * again before it is sent, with the value that it replaces.
 */
export function toSending({ action, issues }: Pick<RowRecord, "action" | "issues">): Release {
  const isGuarded = action === "update" && issues.some((issue) => guardOf(issue) !== undefined);
  return { kind: isGuarded ? "approve" : "resend" };
}

/** Numbers of the rows whose price was not compared, because the price unit was unknown. */
export async function findUncompared(
  connection: Connection,
  run: RunRecord,
  records: readonly RowRecord[],
): Promise<readonly number[]> {
  const rows: number[] = [];
  for (const record of records) {
    if (await isPriceUncompared(connection, run, record)) rows.push(record.row);
  }
  return rows;
}

/** Numbers of rows for which a person has accepted a risk that cannot be checked. */
interface AcceptedRows {
  /** The store may hold the product without showing it. */
  readonly unproven: ReadonlySet<number>;
  /** The price was not compared, and the person has checked it. */
  readonly uncompared: ReadonlySet<number>;
}

/** The decisions, with the risks that a person has accepted for single rows. */
export function acceptRows(
  decided: readonly DecidedRow[],
  { unproven, uncompared }: AcceptedRows,
): readonly DecidedRow[] {
  return decided.map(({ record, release }) => {
    if (uncompared.has(record.row)) return { record, release: { kind: "approve" } };
    return unproven.has(record.row)
      ? { record, release: { kind: "resend", isUnprovenAccepted: true } }
      : { record, release };
  });
}

/** A person's decision on a held row. */
export type Release =
  | {
      /** The product is in the store under this id, which is looked up. */
      readonly kind: "as-done";
      readonly productId: string;
    }
  | {
      /**
       * The row is sent. An add is sent only if the store does not show its code now; a price held
       * for its unknown unit only if it is compared before it is sent.
       */
      readonly kind: "resend";
      /**
       * The person has accepted that the store may have the product of an add without showing it.
       * @default false
       */
      readonly isUnprovenAccepted?: boolean;
    }
  | {
      /** The planned update, which a guard has held, is sent as it is. */
      readonly kind: "approve";
    }
  | {
      /** The row is given up. */
      readonly kind: "cancel";
    };

/** Whether the run belongs to a sync, so that the next sync sends its released rows. */
export const isFeedRun = ({ kind }: Pick<RunRecord, "kind">): boolean => kind === "sync";

/** A held row, the decision on it, and the person who made it. */
interface ReleaseOptions {
  readonly run: RunRecord;
  readonly record: RowRecord;
  readonly release: Release;
  /** Name of the person, for the evidence. */
  readonly by: string;
  readonly reason?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** The state of the row after the decision; one that could not be released has a reason. */
export type ReleaseResult =
  | { readonly to: "done" | "ready" | "cancelled" }
  | { readonly to: "held"; readonly code: ReleaseRefusal; readonly why: Localized };

const REFUSALS = {
  E_RELEASE_NO_BODY: () => ({
    tr: "Bu satır için gönderilecek bir istek yok; dosyayı yeniden yükleyin ya da satırı iptal edin (--cancel).",
    en: "There is no request to send for this row; import the file again, or cancel the row (--cancel).",
  }),
  E_RELEASE_UNKNOWN_ID: (id: string) => ({
    tr: `Mağaza ${id} kimlikli bir ürün göstermiyor. Kimliği mağaza panelinden kontrol edin.`,
    en: `The store shows no product with the id ${id}. Check the id in the store's panel.`,
  }),
  E_RELEASE_OTHER_CODE: (code: string) => ({
    tr: `Bu kimlik başka bir ürünün: mağazada ürün kodu “${code}”.`,
    en: `This id is another product's: in the store its code is “${code}”.`,
  }),
  E_RELEASE_FOUND: (ids: string) => ({
    tr: `Mağaza bu ürün kodunu gösteriyor (${ids}); yeniden gönderilmedi. Bu satırın ürünüyse --as-done ile kapatın.`,
    en: `The store shows this product code (${ids}), so it was not sent again. If it is this row's product, settle it with --as-done.`,
  }),
  E_RELEASE_BLIND: () => ({
    tr: "Bu mağazanın eklenen ürünleri gösterdiği henüz görülmedi; ürün orada olup görünmüyor olabilir, yeniden göndermek onu ikinci kez ekleyebilir. Mağaza panelinde arayın; orada da yoksa --resend-blind ile gönderin.",
    en: "This store has not been seen to show the products that are added to it; the product may be there and hidden, and sending it again may add it twice. Look for it in the store's panel; if it is not there either, send it with --resend-blind.",
  }),
  E_RELEASE_PRICE_UNIT: (run: string) => ({
    tr: `Mağazadaki fiyatların birimi (kuruş mu, lira mı) bilinmediği için bu satırın fiyatı eskisiyle karşılaştırılmadı; 100 kat yanlış olabilir. Birimi verin, satır karşılaştırılıp gönderilsin: catalog resume ${run} --price-unit minor (kuruş) ya da major (lira). Fiyatı kendiniz kontrol ettiyseniz held.xlsx içinde onaylayın.`,
    en: `The unit of the store's prices (minor or major) was not known, so the price of this row was not compared with the old one; it may be 100 times off. Give the unit, and the row is compared and sent: catalog resume ${run} --price-unit minor|major. If you have checked the price yourself, approve it in held.xlsx.`,
  }),
  E_RELEASE_FEED_UNIT: () => ({
    tr: "Mağazadaki fiyatların birimi (kuruş mu, lira mı) bilinmediği için bu satırın fiyatı eskisiyle karşılaştırılmadı; 100 kat yanlış olabilir. Birim bilinince sıradaki eşitleme karşılaştırıp gönderir; biliyorsanız: catalog sync <besleme> --price-unit minor (kuruş) ya da major (lira). Fiyatı kendiniz kontrol ettiyseniz held.xlsx içinde onaylayın.",
    en: "The unit of the store's prices (minor or major) was not known, so the price of this row was not compared with the old one; it may be 100 times off. Once the unit is known the next sync compares and sends it; if you know it: catalog sync <feed> --price-unit minor|major. If you have checked the price yourself, approve it in held.xlsx.",
  }),
  E_RELEASE_TAKEN: (run: string) => ({
    tr: `Bu ürün kodu ${run} çalıştırmasında; yeniden gönderilmedi. Önce onu sonuçlandırın.`,
    en: `Run ${run} has this product code, so it was not sent again. Settle that one first.`,
  }),
  E_RELEASE_SUPERSEDED: () => ({
    tr: "Bu satırın yerini aynı beslemenin daha yeni bir eşitlemesi aldı ve satır kapatıldı. Hâlâ gerekiyorsa yeni eşitlemede bekliyor: catalog runs.",
    en: "A newer sync of the same feed has replaced this row, which was closed. If it still matters, the newer sync holds it: catalog runs.",
  }),
} as const;

/** Stable code of the reason why a row stays held. */
type ReleaseRefusal = keyof typeof REFUSALS;

const keep = (code: ReleaseRefusal, detail = ""): ReleaseResult => ({
  to: "held",
  code,
  why: REFUSALS[code](detail),
});

/**
 * Records the decision on one held row, or leaves the row held and returns the reason. A released
 * row is sent by a resume; a row that a sync has held is sent by the next sync. The caller holds
 * the lock of `lockForRelease`.
 */
export async function releaseRow(
  connection: Connection,
  options: ReleaseOptions,
): Promise<ReleaseResult> {
  const { release, record } = options;
  if (release.kind === "cancel")
    return await recordDecision(connection, options, { to: "cancelled" });
  if (record.action === null || record.payload === null) return keep("E_RELEASE_NO_BODY");
  if (release.kind === "as-done") return await recordAsDone(connection, options, release.productId);
  const doubt =
    release.kind === "resend" ? await findResendRisk(connection, options, release) : undefined;
  if (doubt !== undefined) return doubt;
  const isInTheWay = record.action === "add" ? await findObstacle(connection, options) : undefined;
  const changes = joinParts(record.changes);
  return (
    isInTheWay ?? (await recordDecision(connection, options, { to: "ready", issues: [], changes }))
  );
}

/** Returns the risk that a person must accept before the row is sent; makes no call. */
async function findResendRisk(
  connection: Connection,
  { run, record }: ReleaseOptions,
  { isUnprovenAccepted }: Extract<Release, { readonly kind: "resend" }>,
): Promise<ReleaseResult | undefined> {
  if (await isPriceUncompared(connection, run, record)) {
    return isFeedRun(run) ? keep("E_RELEASE_FEED_UNIT") : keep("E_RELEASE_PRICE_UNIT", run.id);
  }
  const isUnproven =
    isUnprovenAccepted !== true && (await isUnprovenResend(connection, run, record));
  return isUnproven ? keep("E_RELEASE_BLIND") : undefined;
}

async function recordAsDone(
  connection: Connection,
  options: ReleaseOptions,
  given: string,
): Promise<ReleaseResult> {
  const { record, signal } = options;
  const id = idSchemas.product.parse(given);
  const query = { ids: [id], statuses: LISTING_STATUSES, signal };
  for await (const { product } of findProducts(connection.marketplace, query)) {
    const shown = product.product_code ?? "";
    if (!isCode(shown, record.codeKey ?? "")) return keep("E_RELEASE_OTHER_CODE", shown);
    return await recordDecision(connection, options, { to: "done", productId: id, issues: [] });
  }
  return keep("E_RELEASE_UNKNOWN_ID", given);
}

/** Returns why an add cannot be sent now: its code is in another run or in the store. */
async function findObstacle(
  connection: Connection,
  { run, record, signal }: ReleaseOptions,
): Promise<ReleaseResult | undefined> {
  const [taken] = await connection.journal.readKnownCodes([record.codeKey ?? ""]);
  const refused = taken?.isRefused === true ? taken : undefined;
  if (taken !== undefined && refused === undefined && !isOf(run, record, taken)) {
    return keep("E_RELEASE_TAKEN", taken.runId);
  }
  const found = await findByCode(connection, record, signal);
  if (found.length > 0) return keep("E_RELEASE_FOUND", found.join(", "));
  // The person has checked the store and states that the refused add has made no product.
  if (refused !== undefined) await connection.journal.freeCode(refused);
  return undefined;
}

const isOf = ({ id }: RunRecord, { row }: RowRecord, taken: KnownCode): boolean =>
  taken.runId === id && taken.row === row;

/** Finds the ids under which the store shows the row's code. Rejects unless all calls succeed. */
async function findByCode(
  { marketplace }: Connection,
  { code, codeKey: key }: RowRecord,
  signal: AbortSignal | undefined,
): Promise<readonly string[]> {
  const found = new Set<string>();
  for await (const { product } of findProducts(marketplace, { code: code ?? "", signal })) {
    if (isCode(product.product_code, key ?? "")) found.add(product.id);
  }
  return [...found];
}

const isCode = (shown: string | null | undefined, key: string): boolean =>
  codeKey(shown ?? "") === key;

const BY_A_PERSON = "settled by a person";

/** A held row that a newer sync has replaced may be cancelled without the lock of a release. */
async function isClosed(journal: Journal, { runId, row }: RowKey): Promise<boolean> {
  const [now] = await journal.readRows(runId, { after: row - 1, limit: 1 });
  return now?.row === row && now.state === "cancelled";
}

async function recordDecision(
  { journal, memory: { feedState } }: Connection,
  { run, record, release, by, reason }: ReleaseOptions,
  outcome: Omit<RowOutcome, "cause" | "to"> & { readonly to: "done" | "ready" | "cancelled" },
): Promise<ReleaseResult> {
  const key = { runId: run.id, row: record.row, from: "held" } as const;
  const isUnproven = release.kind === "resend" && release.isUnprovenAccepted === true;
  const rule = isUnproven ? "settled by a person, though the store may hide it" : BY_A_PERSON;
  const evidence = { rule, by, reason, ...(isUnproven && { isBlindAccepted: true }) };
  // Noted before the outcome is recorded: after a crash in between, the note has no effect.
  if (isFeedRun(run) && outcome.to === "ready") await recordRelease({ feedState }, key);
  const decided = { ...outcome, cause: `released-${release.kind}`, evidence } as const;
  try {
    await journal.recordOutcome(key, decided);
  } catch (error) {
    if (await isClosed(journal, key)) return keep("E_RELEASE_SUPERSEDED");
    throw error;
  }
  if (isUnproven && isVisibilityUnproven(record)) await journal.acceptCopy();
  return { to: outcome.to };
}

/** Id of the newer sync; `undefined` for a row that was not replaced. */
export async function findNewerSync(
  { journal }: Pick<Connection, "journal">,
  key: RowKey,
): Promise<string | undefined> {
  const last = (await journal.readEvents(key)).at(-1);
  const newer = last?.cause === "superseded-hold" ? last.evidence["run"] : undefined;
  return typeof newer === "string" ? newer : undefined;
}

/** Does the same for the rows of a run. */
export async function findNewerSyncOf(
  connection: Pick<Connection, "journal">,
  { id: runId, kind }: RunRecord,
): Promise<string | undefined> {
  if (kind !== "sync") return undefined;
  const [row] = await connection.journal.readRows(runId, { states: ["cancelled"], limit: 1 });
  return row === undefined ? undefined : await findNewerSync(connection, { runId, row: row.row });
}

/** Rows whose product may be in the store although it is not shown. */
interface ResendRisks {
  /**
   * Rows whose request may have been sent, in a store that has not been seen to show new products.
   */
  readonly unproven: readonly RowRecord[];
  /** Rows whose request may still be carried out, in a store that shows new products. */
  readonly early: readonly RowRecord[];
}

/** The rows that a person wants to send again. */
interface FindResendRisksOptions {
  readonly run: RunRecord;
  /** Rows that are to be sent again. */
  readonly records: readonly RowRecord[];
  readonly signal?: AbortSignal | undefined;
}

/** Minutes within which a sent request may still take effect; a resume waits as long. */
export const RESEND_WAIT_MINUTES: number = SETTLE_TIME_MS / 60_000;

/** Finds the risks of the rows; makes no call where none of their requests may have been sent. */
export async function findResendRisks(
  connection: Connection,
  { run, records, signal }: FindResendRisksOptions,
): Promise<ResendRisks> {
  const { journal, marketplace, clock } = connection;
  const sent: RowRecord[] = [];
  const early: RowRecord[] = [];
  for (const record of records) {
    const events = await readSent(connection, run, record);
    if (events === undefined) continue;
    sent.push(record);
    if (clock.now() - lastBegunMs(events) < SETTLE_TIME_MS) early.push(record);
  }
  if (sent.length === 0) return { unproven: [], early: [] };
  const isVisible = await isStoreVisible({ journal, marketplace, codeKey, signal });
  return isVisible ? { unproven: [], early } : { unproven: sent, early: [] };
}

/** Whether the row is an unproven one, by what is already recorded; makes no call. */
async function isUnprovenResend(
  connection: Pick<Connection, "journal">,
  run: RunRecord,
  record: RowRecord,
): Promise<boolean> {
  if ((await readSent(connection, run, record)) === undefined) return false;
  return judgeVisibility(await connection.journal.readLagSamples()).verdict !== "visible";
}

/**
 * Reads the events of an add whose request may have been sent, by this run or an earlier one, from
 * this home or a copy; `undefined` for any other row.
 */
async function readSent(
  { journal }: Pick<Connection, "journal">,
  { id: runId }: RunRecord,
  record: RowRecord,
): Promise<readonly RowEvent[] | undefined> {
  const { row, action, codeKey: key, issues } = record;
  if (action !== "add") return undefined;
  const events = await journal.readEvents({ runId, row });
  // Another copy of the home may have sent it.
  if (isVisibilityUnproven(record) || countSentAttempts(events) > 0) return events;
  if (!issues.some(({ code }) => code === "E_REFUSED_BEFORE")) return undefined;
  const [known] = await journal.readKnownCodes([key ?? ""]);
  return known?.isRefused === true ? await journal.readEvents(known) : undefined;
}

const lastBegunMs = (events: readonly RowEvent[]): number =>
  events.findLast(({ to }) => to === "sending")?.atMs ?? 0;
