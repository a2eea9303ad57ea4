/** Opens one store of one marketplace: its database, client, journal, memory, locks and meters. */

import { join } from "node:path";

import type { CallRecord } from "@catalog/client";
import {
  type RateLimiter,
  checkDatabase,
  createCallLog,
  createCallTotals,
  createCodeRegistry,
  createDraftRepository,
  createExportStaging,
  createFeedState,
  createFilterProofs,
  createJournal,
  createNameCache,
  createNoteRepository,
  createImageCheckCache,
  createProfileRepository,
  createVerificationLog,
  createRuleRepository,
  createRunRepository,
  createScheduleRepository,
  type CallTotals,
  type Database,
  type JournalOptions,
  listOpenRuns,
  MAX_REQUEST_MS,
  readVisibilityLags,
  DatabaseError,
  toStoreAddress,
} from "@catalog/database";
import { makeFolder } from "@catalog/i18n";
import { lookAlikeCodeKey } from "@catalog/mapping";
import { createProvenFilters, type Journal, type Marketplace } from "@catalog/runs";

import { createCallCounter } from "./call-counter.ts";
import { toCallOutcome } from "./call-outcome.ts";
import { maxWrites } from "./concurrency-setting.ts";
import type {
  StoreClient,
  StoreFacts,
  StoreJournal,
  StoreLocks,
  StoreMemory,
  StoreMeters,
  StoreLock,
} from "./connection-groups.ts";
import type { ConnectionOptions, ReadPace } from "./connection-options.ts";
import { createLongWaits } from "./long-waits.ts";
import { createMarketplaceAdapter } from "./marketplace-adapter.ts";
import { createOmittedFields } from "./omitted-fields.ts";
import { openClient, type OpenedClient } from "./open-client.ts";
import { openStoreDatabase, type OpenedDatabase } from "./open-database.ts";
import { openPacing } from "./pacing.ts";
import {
  effectiveSettings,
  openStoreSettings,
  type StoreSettingsAccess,
} from "./store-settings.ts";
import { openStoreStorage, type StoreStorage } from "./store-storage.ts";
import { toTracedCall } from "./tracing.ts";
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
}

/**
 * Opens the database and creates the client. Makes no call. Throws `DatabaseError` where the
 * database cannot be opened.
 */
export async function openConnection(options: ConnectionOptions): Promise<Connection> {
  makeHome(options.home);
  const opened = await openStoreDatabase(options);
  const { database } = opened;
  try {
    const pace = await readPaceOf(options, database);
    return await createConnection({ ...options, ...pace }, opened);
  } catch (error) {
    await opened.close();
    throw error;
  }
}

async function readPaceOf(
  { readPace, clock, ...set }: ConnectionOptions,
  database: Database,
): ReturnType<ReadPace> {
  const runs = createRunRepository({ database, clock, store: toStoreAddress(set) });
  const { concurrency, requestsPerHour } = (await readPace?.({ runs })) ?? {};
  return {
    concurrency: concurrency ?? set.concurrency,
    requestsPerHour: requestsPerHour ?? set.requestsPerHour,
  };
}

async function createConnection(
  options: ConnectionOptions,
  { database, locks, tokens, sharedClock, leases, jobs, outage, ...opened }: OpenedDatabase,
): Promise<Connection> {
  const { clock, concurrency = "auto", priceUnit, tracing } = options;
  const store = toStoreAddress(options);
  const settings = openSettings(options, database);
  const { guardLimits, requestsPerHour } = await effectiveSettings(settings);
  const waits = createLongWaits(sharedClock);
  const { rateLimiter, pacing, pace, retryClock, note } = openPacing(
    { ...options, ...store, requestsPerHour },
    { database, waits },
  );
  const calls = createCallCounter(clock, () => pacing.callsPerHour());
  const callTotals = createCallTotals({ database, clock, store });
  const onCall = (call: CallRecord): void => {
    calls.note(call);
    callTotals.note({ kind: call.kind, outcome: toCallOutcome(call) });
    tracing?.call(toTracedCall(call, clock.now()));
    if (call.phase !== "none") note(call);
  };
  const omittedFields = createOmittedFields();
  await pacing.callsPerHour();
  const parts = { database, tokens, retryClock, pace, onCall, omittedFields };
  const { client, close } = await openClient(limitRequests(options, leases), parts);
  const marketplace = createMarketplaceAdapter(client, calls.serverTimeMs);
  return {
    ...store,
    clock,
    concurrency: maxWrites(concurrency),
    guardLimits,
    priceUnit,
    client,
    ...openJournal(marketplace, {
      database,
      clock,
      store,
      leases,
      markersFolder: join(options.home, "marks"),
      maker: options.maker,
    }),
    memory: { ...openMemory(options, { database, clock, store, leases }), jobs },
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
      outage,
      ...openOtherMeters(options, database),
    },
    storage: openStoreStorage({ ...options, database, store }),
    settings,
    checkDatabase: () => checkDatabase(database),
    [Symbol.asyncDispose]: () => closeAll({ close, rateLimiter, callTotals, opened }),
  };
}

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
  leases: OpenedDatabase["leases"],
): ConnectionOptions {
  const { timeoutMs = MAX_REQUEST_MS } = options;
  return leases === undefined
    ? options
    : { ...options, timeoutMs: Math.min(timeoutMs, MAX_REQUEST_MS) };
}

function openOtherMeters(
  { tracing }: Pick<ConnectionOptions, "tracing">,
  database: Database,
): Pick<StoreMeters, "callLog" | "span"> {
  return {
    callLog: createCallLog(database),
    span: (start, work) => tracing?.span(start, work) ?? work(),
  };
}

function openSettings(options: ConnectionOptions, database: Database): StoreSettingsAccess {
  const { credentials, clock, guardLimits = {}, requestsPerHour } = options;
  const { clientKey } = credentials;
  const notes = createNoteRepository(database, clock);
  const context = { ...toStoreAddress(options), clientKey, notes };
  return openStoreSettings(context, { guards: guardLimits, requestsPerHour });
}

interface OpenedParts extends Pick<OpenedClient, "close"> {
  readonly rateLimiter: RateLimiter;
  readonly callTotals: CallTotals;
  readonly opened: Pick<OpenedDatabase, "close">;
}

async function closeAll({ close, rateLimiter, callTotals, opened }: OpenedParts): Promise<void> {
  try {
    await close();
    await rateLimiter.flush();
    await callTotals.flush();
  } finally {
    await opened.close();
  }
}

/**
 * Opens the journal. The marketplace that it returns trusts a filter of the listing only after the
 * filter has found a product that is known to be there.
 */
function openJournal(
  marketplace: Marketplace,
  options: JournalOptions & Pick<ConnectionOptions, "maker">,
): StoreJournal & Pick<StoreClient, "marketplace"> {
  const { database, clock } = options;
  const journal = createJournal(options);
  const proofs = createFilterProofs(options);
  return {
    marketplace: createProvenFilters({ marketplace, proofs, journal, clock }),
    journal,
    feedJournal: openFeedJournal(options),
    codes: createCodeRegistry({ ...options, suspectKey: lookAlikeCodeKey }),
    runs: createRunRepository(options),
    verificationLog: createVerificationLog(options),
    readVisibilityLags: (runId) => readVisibilityLags(database, runId),
    listOpenRuns: (max) => listOpenRuns(database, options.store, max),
  };
}

function openMemory(
  { home }: ConnectionOptions,
  options: JournalOptions,
): Omit<StoreMemory, "jobs"> {
  const { database, clock } = options;
  return {
    names: createNameCache(database, clock),
    notes: createNoteRepository(database, clock),
    imageChecks: createImageCheckCache(database, clock),
    imageFolder: join(home, "pictures"),
    tableFolder: join(home, "tables"),
    rules: createRuleRepository(options),
    profiles: createProfileRepository(options),
    drafts: createDraftRepository(options),
    exportStaging: createExportStaging(options),
    feedState: createFeedState(options),
    schedules: createScheduleRepository(options),
  };
}

/** Opens the journal of feeds, which samples no visibility: only runs that add products do. */
function openFeedJournal(options: JournalOptions): Journal {
  return { ...createJournal({ ...options, runKind: "feeds" }), readLagSamples: async () => [] };
}

function makeHome(home: string): void {
  try {
    makeFolder(home);
  } catch (error) {
    throw new DatabaseError("E_DATABASE", home, { cause: error });
  }
}
