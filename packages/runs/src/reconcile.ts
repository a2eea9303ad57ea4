/**
 * Settles rows whose request may or may not have been carried out, by looking in the store. An add
 * is never sent again from here unless the caller chose `resend` and the store has shown one of our
 * own products; an update carries absolute values, so it may be sent again.
 */

import { type Clock } from "@catalog/clock";
import { type ProductId, type StoreProduct } from "@catalog/contract";

import { compareFields } from "./compare.ts";
import { toIssue } from "./findings.ts";
import { type Journal, type RowKey, type RowRecord, type Settlement } from "./journal.ts";
import { type Marketplace } from "./marketplace.ts";
import { SWEEP } from "./plan-run.ts";

/** What becomes of an add that was not found: wait for a person, or send it once more. */
export type UnknownPolicy = "hold" | "resend";

export interface ReconcileOptions {
  readonly journal: Journal;
  readonly marketplace: Marketplace;
  readonly clock: Clock;
  readonly codeKey: (code: string) => string;
  /** @default "hold" */
  readonly onUnknown?: UnknownPolicy;
  /** Waits before each look, in milliseconds; after the last one a row is given up. */
  readonly lookDelaysMs?: readonly number[];
  /** The sheet's name, for issues. */
  readonly sheet: string;
  readonly signal?: AbortSignal | undefined;
}

/** A request that was on its way when its process died may still be carried out a moment later. */
export const LOOK_DELAYS_MS: readonly number[] = [0, 1_000, 4_000, 10_000];

/** Rows settled in one pass; a breaker keeps them far fewer than this. */
const MOST_ROWS = 1_000;

/** An add is sent twice at most. */
const MOST_ATTEMPTS = 2;

type Ambiguous = RowKey & { readonly record: RowRecord };

/** Settles every ambiguous row of the store. Says how many there were. */
export async function reconcile(options: ReconcileOptions): Promise<number> {
  const { journal, clock, signal, lookDelaysMs = LOOK_DELAYS_MS } = options;
  const rows = await journal.readAmbiguous(MOST_ROWS);
  let open: readonly Ambiguous[] = rows;
  for (const delayMs of lookDelaysMs) {
    if (open.length === 0) break;
    if (delayMs > 0) await clock.sleep(delayMs, signal);
    const missing: Ambiguous[] = [];
    for (const row of open) {
      if (!(await settleFound(options, row))) missing.push(row);
    }
    open = missing;
  }
  if (open.length > 0) await giveUp(options, open);
  return rows.length;
}

/**
 * Settles what earlier processes of the store left open: requests that were on their way, and adds
 * that are held because nobody could tell. Says how many of the former there were.
 */
export async function settleOpen(options: ReconcileOptions): Promise<number> {
  await options.journal.recover();
  const found = await reconcile(options);
  await lookAgain(options);
  return found;
}

/** A held add that has come to light is done; one that has not is sent again if that was asked. */
async function lookAgain(options: ReconcileOptions): Promise<void> {
  const rows = (await options.journal.readHeldAdds(MOST_ROWS)).filter(({ record }) =>
    record.issues.some(({ code }) => code === "E_OUTCOME_UNKNOWN"),
  );
  if (rows.length === 0) return;
  const mayResend = options.onUnknown === "resend" && (await showsOurProducts(options));
  for (const row of rows) {
    const settlement = await lookUpAdd(options, row.record);
    const from = "held";
    if (settlement?.to === "done") {
      await options.journal.settle({ ...row, from }, { ...settlement, issues: [] });
    } else if (settlement === undefined && mayResend && row.record.attempts < MOST_ATTEMPTS) {
      const resent = { to: "ready", cause: "not-found-resend", issues: [] } as const;
      await options.journal.settle({ ...row, from }, resent);
    }
  }
}

async function settleFound(options: ReconcileOptions, row: Ambiguous): Promise<boolean> {
  const settlement =
    row.record.action === "update"
      ? await readUpdateBack(options, row.record)
      : await lookUpAdd(options, row.record);
  if (settlement === undefined) return false;
  await options.journal.settle({ ...row, from: "ambiguous" }, settlement);
  return true;
}

/** `undefined` when no status shows the code. */
async function lookUpAdd(
  options: ReconcileOptions,
  record: RowRecord,
): Promise<Settlement | undefined> {
  const ids = [...new Set((await sweep(options, record.code ?? "")).map(({ id }) => id))];
  const [productId, ...others] = ids;
  if (productId === undefined) return undefined;
  const evidence = { rule: "looked up by product code in every status", found: ids };
  if (others.length === 0) return { to: "done", cause: "lookup", productId, evidence };
  const issue = toIssue("E_FOUND_TWICE", place(options, record), ids.join(", "));
  return { to: "held", cause: "lookup-several", evidence, issues: [issue], note: issue.message.en };
}

/** Every product with exactly this code, over all statuses. */
async function sweep(
  { marketplace, codeKey, signal }: ReconcileOptions,
  code: string,
): Promise<readonly StoreProduct[]> {
  const found: StoreProduct[] = [];
  for (const status of SWEEP) {
    for await (const product of marketplace.listProducts({ status, code, signal })) {
      if (codeKey(product.product_code ?? "") === codeKey(code)) found.push(product);
    }
  }
  return found;
}

/** An update is done when the store shows every field of it; otherwise it is sent again. */
async function readUpdateBack(
  { marketplace, signal }: ReconcileOptions,
  record: RowRecord,
): Promise<Settlement> {
  const ids: readonly ProductId[] = record.productId === null ? [] : [record.productId];
  for (const status of SWEEP) {
    for await (const seen of marketplace.listProducts({ status, ids, signal })) {
      // A filter that the marketplace ignores must not make another product speak for this one.
      if (seen.id !== record.productId) continue;
      const wanted = record.payload ?? {};
      const { changes, notComparable } = compareFields({ wanted, seen, priceUnit: "unknown" });
      const isApplied = changes.length === 0 && notComparable.length === 0;
      const evidence = { rule: "read back by id", changes, notComparable };
      return isApplied
        ? { to: "done", cause: "read-back", evidence }
        : { to: "ready", cause: "read-back-differs", evidence };
    }
  }
  return { to: "ready", cause: "read-back-missing" };
}

async function giveUp(options: ReconcileOptions, rows: readonly Ambiguous[]): Promise<void> {
  const mayResend = options.onUnknown === "resend" && (await showsOurProducts(options));
  for (const row of rows) {
    const isResent = mayResend && row.record.attempts < MOST_ATTEMPTS;
    const issue = toIssue("E_OUTCOME_UNKNOWN", place(options, row.record));
    await options.journal.settle(
      { ...row, from: "ambiguous" },
      isResent
        ? { to: "ready", cause: "not-found-resend" }
        : { to: "held", cause: "not-found", issues: [issue], note: issue.message.en },
    );
  }
}

/** A store that shows what we added last would also show what we look for. */
async function showsOurProducts(options: ReconcileOptions): Promise<boolean> {
  const latest = await options.journal.readLatestAdded();
  if (latest === undefined) return false;
  return (await sweep(options, latest.code)).some(({ id }) => id === latest.productId);
}

function place({ sheet }: ReconcileOptions, record: RowRecord): Parameters<typeof toIssue>[1] {
  return { sheet, row: record.row, column: "", cell: "", value: record.code ?? "" };
}
