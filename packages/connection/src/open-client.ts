/** Opens the client, with what earlier commands have learned of the marketplace. */

import {
  type CallRecord,
  type Client,
  createClient,
  type ListingTotals,
  type TokenCache,
} from "@catalog/client";
import type { Clock } from "@catalog/clock";
import { idSchemas } from "@catalog/contract";
import { type NoteRepository, type Store, toStoreAddress } from "@catalog/database";
import { z } from "zod";

import type { OmittedFields } from "./calls.ts";
import type { ConnectionOptions } from "./connection-options.ts";
import { readConcurrency, saveConcurrency } from "./settings.ts";

/** A proof of another day counts no more: the marketplace may have changed. */
const MAX_AGE_MS = 24 * 60 * 60 * 1000;

/** A proof is stored again only where the stored one is older than this. */
const RENEW_MS = 60 * 60 * 1000;

interface ProvenTotalsOptions {
  /** The canonical address. */
  readonly baseUrl: string;
  readonly notes: NoteRepository;
  readonly clock: Pick<Clock, "now">;
}

/** What is known of totals, by the name of a call such as `product.list`. */
export interface ProvenTotals {
  /** Returns what is known of the totals of a call; changes are stored. */
  readonly totalsOf: (name: string) => ListingTotals;
  /** Resolves once all changes are stored; never rejects. */
  readonly stored: () => Promise<void>;
}

/** Reads what is known. */
export async function openProvenTotals({
  baseUrl,
  notes,
  clock,
}: ProvenTotalsOptions): Promise<ProvenTotals> {
  const keyOf = (name: string): string => `${baseUrl} totals ${name}`;
  /** Whether the totals of a call were last found to be right, by its key. */
  const found = new Map<string, boolean>();
  for (const { key } of await notes.listNotes(keyOf(""), z.boolean())) {
    const areRight = await notes.readNote(key, z.boolean(), MAX_AGE_MS);
    if (areRight !== undefined) found.set(key, areRight);
  }
  let storing: Promise<void> = Promise.resolve();
  const store = (key: string, areProven: boolean): void => {
    const saving = notes.saveNotes({ [key]: areProven });
    // What cannot be stored is found out again.
    storing = Promise.allSettled([storing, saving]).then(() => undefined);
  };
  const totalsOf = (name: string): ListingTotals => {
    const key = keyOf(name);
    let storedAtMs = Number.NEGATIVE_INFINITY;
    return {
      get areProven() {
        return found.get(key) === true;
      },
      get areProvenElsewhere() {
        // Its own totals, if found out, are right then, too.
        return found.size > 0 && !found.values().some((areRight) => !areRight);
      },
      set areProven(areProven) {
        const isStored = found.get(key) === areProven && clock.now() - storedAtMs < RENEW_MS;
        found.set(key, areProven);
        if (isStored) return;
        storedAtMs = clock.now();
        store(key, areProven);
      },
    };
  };
  return { totalsOf, stored: () => storing };
}

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
    storeId: idSchemas.store.parse(options.storeId.trim()),
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
