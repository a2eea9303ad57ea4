/**
 * Records the decisions of a person on held rows, after checking what can be checked, and returns what
 * sends the released rows. Texts say why a row stays held.
 */

import { CatalogError, type Connection, priceUnitOf, readSendingEnd } from "@catalog/connection";
import type { Localized } from "@catalog/i18n";
import { codeKey } from "@catalog/mapping";
import {
  guardOf,
  isAction,
  isPriceUncompared,
  readResendRisks,
  type Release,
  releaseHeldRow,
  type RowKey,
  type RowRecord,
  type RunRecord,
} from "@catalog/runs";

import { recordRelease } from "./released-changes.ts";

type ReleaseRefusal = Extract<
  Awaited<ReturnType<typeof releaseHeldRow>>,
  { readonly to: "held" }
>["code"];

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

/**
 * Records the decisions in order; a row that cannot be released stays held, with the reason. Throws
 * {@link CatalogError} `E_PERIOD_OVER` for rows to be sent of a run whose period has ended.
 */
export async function releaseRows(
  connection: Connection,
  { decided, onReleased, ...by }: ReleaseRowsOptions,
): Promise<ReleasedRows> {
  const isSending = decided.some(({ release }) => release.kind !== "cancel");
  const endMs = isSending ? await readSendingEnd(connection, by.run.id) : undefined;
  if (endMs !== undefined && connection.clock.now() >= endMs) {
    throw new CatalogError("E_PERIOD_OVER", by.run.id);
  }
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
 * of feeds, so running imports are not stopped. Rejects with `CatalogError` `E_RUN_DRY` for a dry
 * run, and with `DatabaseError` `E_STORE_BUSY`.
 */
export async function lockForRelease(
  { locks }: Connection,
  run: RunRecord,
  command: string,
): Promise<Awaited<ReturnType<Connection["locks"]["store"]>>> {
  if (run.settings.isDryRun === true) throw new CatalogError("E_RUN_DRY", run.id);
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
    if (await isPriceUncompared({ ...portsOf(connection), run, record })) rows.push(record.row);
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

/** Whether the run belongs to a sync, so that the next sync sends its released rows. */
export const isFeedRun = ({ kind }: Pick<RunRecord, "kind">): boolean => kind === "sync";

/** The state of the row after the decision; one that could not be released has a reason. */
export type ReleaseResult =
  | { readonly to: "done" | "ready" | "cancelled" }
  | { readonly to: "held"; readonly code: ReleaseRefusal; readonly why: Localized };

const REFUSALS: Readonly<Record<ReleaseRefusal, (detail: string) => Localized>> = {
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
};

/** What is said of a row that is about no product. */
const LIST_REFUSALS: Readonly<Partial<Record<ReleaseRefusal, (detail: string) => Localized>>> = {
  E_RELEASE_FOUND: () => ({
    tr: "Mağaza bunun yapıldığını gösteriyor; yeniden gönderilmedi. Satırı --as-done ile kapatın.",
    en: "The store shows that this was done, so it was not sent again. Settle the row with --as-done.",
  }),
  E_RELEASE_TAKEN: (run) => ({
    tr: `Aynı kayıt ${run} çalıştırmasında; yeniden gönderilmedi. Önce onu sonuçlandırın.`,
    en: `Run ${run} has the same record, so it was not sent again. Settle that one first.`,
  }),
};

/** A decision on one held row, and the person who made it. */
interface ReleaseOptions extends DecidedRow {
  readonly run: RunRecord;
  /** Name of the person, for the evidence. */
  readonly by: string;
  readonly reason?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Records the decision on one held row; where it stays held, says why. */
export async function releaseRow(
  connection: Connection,
  options: ReleaseOptions,
): Promise<ReleaseResult> {
  const beforeReady = isFeedRun(options.run)
    ? (key: RowKey) => recordRelease(connection.memory, key)
    : undefined;
  const released = await releaseHeldRow({ ...options, ...portsOf(connection), beforeReady });
  if (released.to !== "held") return released;
  const { to, code, detail } = released;
  const own = isAction(options.record.action) ? LIST_REFUSALS[code] : undefined;
  return { to, code, why: (own ?? REFUSALS[code])(detail) };
}

const portsOf = (connection: Connection) => {
  const { journal, marketplace, clock } = connection;
  return {
    journal,
    marketplace,
    clock,
    codeKey,
    readKnown: () => priceUnitOf(connection).known(),
  };
};

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

/** The rows that a person wants to send again. */
interface FindResendRisksOptions {
  readonly run: RunRecord;
  readonly records: readonly RowRecord[];
  readonly signal?: AbortSignal | undefined;
}

/**
 * Finds the rows whose product may be in the store although it is not shown, and those whose request
 * may still be carried out; makes no call where none of their requests may have been sent.
 */
export const findResendRisks = (
  connection: Connection,
  options: FindResendRisksOptions,
): ReturnType<typeof readResendRisks> => readResendRisks({ ...portsOf(connection), ...options });
