/** Checks a sample of a sync's sent values against the store. */

import { recordCalls, type Connection } from "@catalog/connection";
import type { Localized } from "@catalog/i18n";
import type { RunRecord } from "@catalog/runs";

import type { ShopRecord } from "./feed-state.ts";
import { spotCheck } from "./spot-check.ts";

export interface CheckSentOptions {
  readonly run: RunRecord;
  readonly store: Pick<ShopRecord, "priceUnit" | "sweep">;
  /** After it aborts nothing is read. */
  readonly stop: AbortSignal | undefined;
}

/** Products read back; the maximum of one call. */
const MAX_VERIFIED = 50;

/** Codes named in a warning. */
const MAX_NAMED = 5;

/** Reads a sample of the sent products, and warns where the store shows other values. */
export async function checkSent(
  tools: Connection,
  { run, store, stop: signal }: CheckSentOptions,
): Promise<readonly Localized[]> {
  if (signal?.aborted === true) return [];
  const records = await tools.journal.readRows(run.id, { states: ["done"], limit: MAX_VERIFIED });
  if (records.length === 0) return [];
  const before = tools.meters.calls.counts();
  const { priceUnit, sweep: refresh } = store;
  const { different, read } = await spotCheck(tools, { records, priceUnit, refresh, signal });
  await recordCalls(tools, run.id, before);
  if (different.length === 0) return [];
  const codes = different.slice(0, MAX_NAMED).join(", ");
  const message = {
    tr: `Mağaza güncellemeyi kabul etti, ama geri okunan ${read} üründen ${different.length} tanesi başka bir değer gösteriyor (${codes}). API stok güncellemeyi belgelemiyor; bu mağaza almıyor olabilir.`,
    en: `The store accepted the updates, but ${different.length} of ${read} products read back show other values (${codes}). The API does not document updating the stock; this store may not take it.`,
  };
  await tools.runs.addWarnings(run.id, [{ code: "W_SYNC_NOT_TAKEN", message }]);
  return [message];
}
