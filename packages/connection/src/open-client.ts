/** Opens the client, with what earlier commands have learnt of the marketplace. */

import { type CallRecord, type Client, createClient, type TokenCache } from "@catalog/client";
import type { Clock } from "@catalog/clock";
import { storeId as storeIdSchema } from "@catalog/contract";
import { type Store, toStoreAddress } from "@catalog/database";

import { readConcurrency, saveConcurrency } from "./concurrency-setting.ts";
import type { ConnectionOptions } from "./connection-options.ts";
import type { OmittedFields } from "./omitted-fields.ts";
import { openProvenTotals } from "./proven-totals.ts";

/** What the client works with. */
interface ClientParts {
  readonly store: Pick<Store, "notes" | "tokens">;
  readonly retryClock: Clock;
  readonly pace: (signal?: AbortSignal) => Promise<void>;
  readonly onCall: (call: CallRecord) => void;
  readonly omittedFields: OmittedFields;
}

/** The client; closing it stores what it has learnt. */
export interface OpenedClient {
  readonly client: Client;
  readonly close: () => Promise<void>;
}

export async function openClient(
  options: ConnectionOptions,
  parts: ClientParts,
): Promise<OpenedClient> {
  const { store, retryClock, pace, onCall, omittedFields } = parts;
  const { baseUrl, credentials, clock, concurrency = "auto" } = options;
  const context = { ...toStoreAddress(options), notes: store.notes, clock };
  const totals = await openProvenTotals(context);
  const client = createClient({
    baseUrl,
    credentials,
    storeId: storeIdSchema.parse(options.storeId.trim()),
    tokens: openTokens(options, store.tokens),
    clock,
    waitClock: retryClock,
    patienceMs: options.patienceMs,
    timeoutMs: options.timeoutMs,
    ...(options.retries !== undefined && { retries: options.retries }),
    concurrency: await readConcurrency(context, concurrency),
    totalsOf: totals.totalsOf,
    random: options.random,
    onCall,
    onLeftOut: (left) => omittedFields.note(left),
    versions: options.versions ?? {},
    pace,
  });
  return {
    client,
    async close() {
      await saveQuietly(() => saveConcurrency(context, concurrency, client));
      await client.close();
      await totals.stored();
    },
  };
}

/** Limits that cannot be stored are found out again. */
async function saveQuietly(save: () => Promise<void>): Promise<void> {
  try {
    await save();
  } catch {
    // A full disk must not hide the result of the command.
  }
}

function openTokens({ freshToken = false }: ConnectionOptions, tokens: TokenCache): TokenCache {
  if (!freshToken) return tokens;
  // A new token is still written to the cache, where other processes read it.
  return { ...tokens, read: async () => undefined };
}
