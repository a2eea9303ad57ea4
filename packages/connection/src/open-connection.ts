/** Opens one store of one marketplace: its database, client, journal, memory, locks and meters. */

import { join } from "node:path";

import type { CallRecord } from "@catalog/client";
import {
  DatabaseError,
  openStore,
  type RateLimiter,
  type Separation,
  type Store,
  type StoreLock,
  type StoreLocks,
  type StoreStorage,
  toStoreAddress,
} from "@catalog/database";
import { makeFolder } from "@catalog/i18n";
import { CODE_KEYS } from "@catalog/mapping";
import { createProvenFilters } from "@catalog/runs";

import { createActionAdapter } from "./action-adapter.ts";
import { openActionMemory } from "./action-effects.ts";
import { createCallCounter, createOmittedFields, toCallOutcome, toTracedCall } from "./calls.ts";
import type {
  StoreClient,
  StoreFacts,
  StoreJournal,
  StoreMemory,
  StoreMeters,
} from "./connection-groups.ts";
import type { ConnectionOptions, ReadPace } from "./connection-options.ts";
import { createMarketplaceAdapter } from "./marketplace-adapter.ts";
import { openClient, type OpenedClient } from "./open-client.ts";
import { createLongWaits, openPacing } from "./pacing.ts";
import { maxWrites, openStoreSettings, type StoreSettingsAccess } from "./settings.ts";
import { waitForLocks } from "./wait-for-locks.ts";

/** An opened store, in groups of members. Disposing of it closes the client and the database. */
export interface Connection extends StoreFacts, StoreClient, StoreJournal, AsyncDisposable {
  readonly memory: StoreMemory;
  readonly locks: StoreLocks;
  readonly meters: StoreMeters;
  readonly storage: StoreStorage;
  readonly settings: StoreSettingsAccess;
  /** Checks the whole database and returns its faults, none for a sound one. */
  checkDatabase(): Promise<readonly string[]>;
  /** Reads how stores of the same database are held apart. */
  readSeparation(): Promise<Separation>;
}

/**
 * Opens the database and creates the client. Makes no call. Throws `DatabaseError` where the
 * database cannot be opened.
 */
export async function openConnection(options: ConnectionOptions): Promise<Connection> {
  makeHome(options.home);
  const store = await openStore({ ...options, suspectKey: CODE_KEYS.lookAlike });
  try {
    const pace = await readPaceOf(options, store);
    return await createConnection({ ...options, ...pace }, store);
  } catch (error) {
    await store[Symbol.asyncDispose]();
    throw error;
  }
}

async function readPaceOf(
  { readPace, ...set }: ConnectionOptions,
  { runs }: Pick<Store, "runs">,
): ReturnType<ReadPace> {
  const { concurrency, requestsPerHour } = (await readPace?.({ runs })) ?? {};
  return {
    concurrency: concurrency ?? set.concurrency,
    requestsPerHour: requestsPerHour ?? set.requestsPerHour,
  };
}

/** The names of this store and of all others, by their canonical addresses and ids. */
function readNames(options: ConnectionOptions): Pick<Connection, "storeName" | "namedStores"> {
  const address = toStoreAddress(options);
  const { namedStores: named = [] } = options;
  const namedStores = (typeof named === "function" ? named() : named).map((store) => {
    const { baseUrl, storeId } = toStoreAddress(store);
    return { name: store.name, baseUrl, storeId };
  });
  const own = namedStores.find(
    ({ baseUrl, storeId }) => baseUrl === address.baseUrl && storeId === address.storeId,
  );
  return { storeName: own?.name, namedStores };
}

async function createConnection(options: ConnectionOptions, store: Store): Promise<Connection> {
  const { clock, concurrency = "auto", priceUnit, tracing, home } = options;
  const { journal, callTotals, locks } = store;
  const address = toStoreAddress(options);
  const settings = openSettings(options, store);
  const { guardLimits, requestsPerHour } = await settings.effective();
  const waits = createLongWaits(store.sharedClock);
  const { rateLimiter, pacing, retryClock, note } = openPacing(
    { ...options, ...address, requestsPerHour },
    { store, waits },
  );
  const calls = createCallCounter(clock, () => pacing.callsPerHour());
  const onCall = (call: CallRecord): void => {
    calls.note(call);
    callTotals.note({ kind: call.kind, outcome: toCallOutcome(call) });
    tracing?.call(toTracedCall(call, clock.now()));
    if (call.phase !== "none") note(call);
  };
  const omittedFields = createOmittedFields();
  await pacing.callsPerHour();
  const parts = { store, retryClock, pace: rateLimiter.take, onCall, omittedFields };
  const { client, close } = await openClient(limitRequests(options, store), parts);
  return {
    ...address,
    get storeName() {
      return readNames(options).storeName;
    },
    get namedStores() {
      return readNames(options).namedStores;
    },
    clock,
    concurrency: maxWrites(concurrency),
    guardLimits,
    priceUnit,
    client,
    // A filter of the listing is trusted only after it has found a product that is known to be there.
    marketplace: createProvenFilters({
      marketplace: {
        ...createMarketplaceAdapter(client, {
          serverTimeMs: calls.serverTimeMs,
          takeSlot: rateLimiter.takeForWrite,
        }),
        actions: openActions(client, { ...address, clock }, store),
      },
      proofs: store.filterProofs,
      journal,
      clock,
    }),
    journal,
    feedJournal: store.feedJournal,
    codes: store.codes,
    runs: store.runs,
    verificationLog: store.verificationLog,
    readVisibilityLags: store.readVisibilityLags,
    listOpenRuns: store.listOpenRuns,
    readsOf: store.readsOf,
    memory: openMemory(store, home),
    locks: noteRuns(
      options.lockWait === undefined ? locks : waitForLocks(locks, clock, options.lockWait),
      options.onRun,
    ),
    meters: {
      pacing,
      waits,
      omittedFields,
      calls,
      callTotals,
      callLog: store.callLog,
      rawCalls: store.rawCalls,
      outage: store.outage,
      span: (start, work) => tracing?.span(start, work) ?? work(),
    },
    storage: store.storage,
    settings,
    checkDatabase: () => store.check(),
    readSeparation: () => store.readSeparation(),
    [Symbol.asyncDispose]: () => closeAll({ close, rateLimiter, store }),
  };
}

const openMemory = (store: Store, home: string): StoreMemory => ({
  names: store.names,
  notes: store.notes,
  imageChecks: store.imageChecks,
  imageFolder: join(home, "pictures"),
  tableFolder: join(home, "tables"),
  rules: store.rules,
  prices: store.prices,
  profiles: store.profiles,
  drafts: store.drafts,
  exportStaging: store.exportStaging,
  feedState: store.feedState,
  storeProducts: store.storeProducts,
  schedules: store.schedules,
  periods: store.periods,
  alerts: store.alerts,
  jobs: store.jobs,
});

const openActions = (
  client: Connection["client"],
  { baseUrl, clock }: Pick<Connection, "baseUrl" | "clock">,
  { notes }: Pick<Store, "notes">,
): ReturnType<typeof createActionAdapter> =>
  createActionAdapter(client, { hasSlots: true, clock, ...openActionMemory({ baseUrl, notes }) });

/** Reports the run that a holder of the store names. */
function noteRuns(locks: StoreLocks, onRun: ConnectionOptions["onRun"]): StoreLocks {
  const noted = (lock: StoreLock): StoreLock => ({
    async nameRun(runId) {
      onRun?.(runId);
      await lock.nameRun(runId);
    },
    [Symbol.asyncDispose]: () => lock[Symbol.asyncDispose](),
  });
  return {
    ...locks,
    store: async (command) => noted(await locks.store(command)),
    feeds: async (command) => noted(await locks.feeds(command)),
  };
}

/** A request that outlived the lease of its sender would be under way beside those of the next owner. */
function limitRequests(
  options: ConnectionOptions,
  { maxRequestMs }: Pick<Store, "maxRequestMs">,
): ConnectionOptions {
  if (maxRequestMs === undefined) return options;
  return { ...options, timeoutMs: Math.min(options.timeoutMs ?? maxRequestMs, maxRequestMs) };
}

function openSettings(
  options: ConnectionOptions,
  { notes }: Pick<Store, "notes">,
): StoreSettingsAccess {
  const { credentials, guardLimits = {}, requestsPerHour } = options;
  const { clientKey } = credentials;
  const context = { ...toStoreAddress(options), clientKey, notes };
  return openStoreSettings(context, { guards: guardLimits, requestsPerHour });
}

interface OpenedParts extends Pick<OpenedClient, "close"> {
  readonly rateLimiter: RateLimiter;
  readonly store: Store;
}

async function closeAll({ close, rateLimiter, store }: OpenedParts): Promise<void> {
  try {
    await close();
    await rateLimiter.flush();
    await store.callTotals.flush();
  } finally {
    await store[Symbol.asyncDispose]();
  }
}

function makeHome(home: string): void {
  try {
    makeFolder(home);
  } catch (error) {
    throw new DatabaseError("E_DATABASE", home, { cause: error });
  }
}
