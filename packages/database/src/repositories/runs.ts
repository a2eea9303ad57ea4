/** The runs of one store; the calls of each by minute, and all calls of the store by kind and outcome. */

import {
  FEED_COMMAND,
  type RunRecord,
  type RunRepository,
  type RunSettings,
  type RunWarning,
} from "@catalog/runs";
import { type Selectable, sql } from "kysely";

import { createLeasedDatabase, type RepositoryOptions } from "../locks/leases.ts";
import type { Database, Steps, StoreAddress } from "../sql/database.ts";
import { dialectFunctions, fromJson, toJson } from "../sql/queries.ts";
import type { Schema } from "../sql/schema.ts";

type RunMaker = NonNullable<RunRecord["maker"]>;

/** A repository of runs. */
interface RunRepositoryOptions extends RepositoryOptions {
  /** Who makes the runs that are created. @default unknown */
  readonly maker?: RunMaker | undefined;
}

/** Creates the repository of a store's runs; runs of other stores are not visible. */
export function createRunRepository(options: RunRepositoryOptions): RunRepository {
  const { clock } = options;
  const database = createLeasedDatabase(options);
  const { build } = database;
  const store = database.storeKey(options.store);
  const runs = build.selectFrom("run").selectAll().where("store", "=", store);
  const changes = build.updateTable("run").where("store", "=", store);
  const insert = build.insertInto("run").onConflict((taken) => taken.column("id").doNothing());

  return {
    create: async (run) =>
      (await database.transaction(() =>
        database.run(insert.values(toColumns(run, store, options))),
      )) === 1,
    ...createReads(database, store),
    async update(id, { state, facts, warnings, ...asked }) {
      let update = changes.set({ updated_at_ms: clock.now() }).where("id", "=", id);
      if (state !== undefined) update = update.set({ state });
      if (facts !== undefined) update = update.set({ facts_json: toJson(facts) });
      if (warnings !== undefined) update = update.set({ warnings_json: toJson(warnings) });
      if (asked.settings === undefined && asked.progress === undefined) {
        assertChanged(id, await database.transaction(() => database.run(update)));
        return;
      }
      await database.transaction(function* updateAsked() {
        const stored = yield* database.get(runs.where("id", "=", id));
        const { settings, progress } = { ...readAsked(stored?.settings_json ?? "{}"), ...asked };
        const settings_json = toJson({ ...settings, ...progress });
        assertChanged(id, yield* database.run(update.set({ settings_json })));
      });
    },
    async addWarnings(id, warnings) {
      await database.transaction(function* add() {
        const found = yield* database.get(runs.where("id", "=", id));
        if (found === undefined) throw new Error(`this store has no run ${id}`);
        const known = toRun(found).warnings;
        const added = withoutRepeats(known, warnings);
        if (added.length === 0) return;
        const warnings_json = toJson([...known, ...added]);
        const update = changes.set({ warnings_json, updated_at_ms: clock.now() });
        yield* database.run(update.where("id", "=", id));
      });
    },
    async addRequests(id, { token, read, write }) {
      const update = changes.set((set) => ({
        token_calls: set("token_calls", "+", token),
        read_calls: set("read_calls", "+", read),
        write_calls: set("write_calls", "+", write),
      }));
      const added = update.where("id", "=", id);
      assertChanged(id, await database.transaction(() => database.run(added)));
    },
  };
}

function createReads(
  database: Database,
  store: number,
): Pick<RunRepository, "read" | "findStore" | "list" | "listUndos"> {
  const runs = database.build
    .selectFrom("run")
    .leftJoin("run_archive", "run_archive.run_id", "run.id")
    .selectAll("run")
    .select("run_archive.pruned_at_ms")
    .where("run.store", "=", store);
  const { jsonText } = dialectFunctions(database.dialect);
  const newestFirst = runs.orderBy("run.created_at_ms", "desc").orderBy("run.id", "desc");
  return {
    async read(id) {
      const found = await database.execute(database.get(runs.where("run.id", "=", id)));
      return found === undefined ? undefined : toRun(found);
    },
    async findStore(id) {
      const stores = database.across("stores");
      const found = await stores.execute(
        stores.get(
          stores.build
            .selectFrom("run")
            .innerJoin("store", "store.id", "run.store")
            .select(["store.base_url", "store.store_id"])
            .where("run.id", "=", id),
        ),
      );
      return found && { baseUrl: found.base_url, storeId: found.store_id };
    },
    async list(limit, { kind, feed, before } = {}) {
      let found = newestFirst.limit(limit);
      if (kind !== undefined) {
        found = found.where("run.command", kind === "sync" ? "=" : "!=", FEED_COMMAND);
      }
      if (feed !== undefined) {
        found = found
          .where("run.command", "=", FEED_COMMAND)
          .where(jsonText(sql.ref<string>("run.file_json"), "feed"), "=", feed);
      }
      if (before !== undefined) {
        const { createdAtMs, id } = before;
        found = found.where(sql<boolean>`(run.created_at_ms, run.id) < (${createdAtMs}, ${id})`);
      }
      return (await database.execute(database.all(found))).map(toRun);
    },
    async listUndos(id) {
      const query = newestFirst.where("run.command", "=", "undo");
      const undos = (await database.execute(database.all(query))).map(toRun);
      return undos.filter(
        ({ progress: { undoOf, undoPart } }) =>
          undoOf === id || undoPart?.earlier?.some(({ runId }) => runId === id) === true,
      );
    },
  };
}

function assertChanged(id: string, rows: number): void {
  if (rows !== 1) throw new Error(`this store has no run ${id}`);
}

/** Returns the warnings that differ from the known ones and from each other. */
function withoutRepeats(
  known: readonly RunWarning[],
  warnings: readonly RunWarning[],
): readonly RunWarning[] {
  const stored = new Set(known.map(({ message }) => message.en));
  return warnings.filter(({ message: { en } }) => {
    const isNew = !stored.has(en);
    stored.add(en);
    return isNew;
  });
}

function toColumns(
  run: Parameters<RunRepository["create"]>[0],
  store: number,
  { maker, clock }: Pick<RunRepositoryOptions, "maker" | "clock">,
): Omit<
  Selectable<Schema["run"]>,
  "token_calls" | "read_calls" | "write_calls" | "must_recheck" | "archive_at_ms"
> {
  return {
    id: run.id,
    store,
    command: run.command,
    state: "planning",
    file_json: toJson(run.file),
    mode: run.mode,
    lang: run.lang,
    facts_json: null,
    report_dir: run.reportDir,
    warnings_json: toJson(run.warnings),
    settings_json: toJson(run.settings ?? {}),
    maker_json: maker === undefined ? null : toJson(maker),
    created_at_ms: clock.now(),
    updated_at_ms: clock.now(),
  };
}

/** Settings and progress of a run are stored in one column. */
function readAsked(json: string): Pick<RunRecord, "settings" | "progress"> {
  const stored = fromJson<RunSettings & RunRecord["progress"]>(json);
  const {
    reading,
    actions,
    retryOf,
    draft,
    basisOf,
    basis,
    prices,
    undoOf,
    undoPart,
    isPeriodEnd,
    canaryVerdict,
    restCancelled,
    sync,
    ended,
    approvedBy,
    ...settings
  } = stored;
  const made = { reading, actions, retryOf, draft, basisOf, basis, prices, undoOf, undoPart, sync };
  const ends = isPeriodEnd === undefined ? {} : { isPeriodEnd };
  const approval = approvedBy === undefined ? {} : { approvedBy };
  const later = { canaryVerdict, restCancelled, ended, ...approval };
  return { settings, progress: { ...made, ...ends, ...later } };
}

interface RunColumns extends Selectable<Schema["run"]> {
  readonly pruned_at_ms?: number | null;
}

function toRun(columns: RunColumns): RunRecord {
  return {
    id: columns.id,
    command: columns.command,
    kind: columns.command === FEED_COMMAND ? "sync" : "import",
    state: columns.state,
    file: fromJson(columns.file_json),
    mode: columns.mode,
    lang: columns.lang,
    facts: columns.facts_json === null ? null : fromJson(columns.facts_json),
    requests: {
      token: columns.token_calls,
      read: columns.read_calls,
      write: columns.write_calls,
    },
    reportDir: columns.report_dir,
    warnings: fromJson(columns.warnings_json),
    ...readAsked(columns.settings_json),
    ...(columns.maker_json !== null && { maker: fromJson<RunMaker>(columns.maker_json) }),
    createdAtMs: columns.created_at_ms,
    updatedAtMs: columns.updated_at_ms,
    prunedAtMs: columns.pruned_at_ms ?? undefined,
  };
}

/** Returns the ids of the store's runs that are not finished, the last changed first. */
export async function listOpenRuns(
  database: Database,
  address: StoreAddress,
  max: number,
): Promise<readonly string[]> {
  const query = database.build
    .selectFrom("run")
    .leftJoin("run_archive", "run_archive.run_id", "run.id")
    .select("run.id")
    .where("run.store", "=", database.storeKey(address))
    .where("run.state", "in", ["planning", "planned", "running", "stopped"])
    // A plan that was never applied keeps its state when its rows are deleted.
    .where("run_archive.pruned_at_ms", "is", null)
    .orderBy("run.updated_at_ms", "desc")
    .orderBy("run.id")
    .limit(max);
  return (await database.execute(database.all(query))).map(({ id }) => id);
}

/** The calls of one minute. */
interface CallMinute {
  /** Number of the minute since 1970. */
  readonly minute: number;
  readonly calls: number;
  /** Calls per hour that were allowed then, by setting or as learnt; `null` is unlimited. */
  readonly perHour: number | null;
}

/** Calls of runs by time. */
export interface CallLog {
  /** Adds to the counts of these minutes; the run must exist. */
  add(runId: string, minutes: readonly CallMinute[]): Promise<void>;
  /** Returns the minutes that have calls, in ascending order. */
  read(runId: string): Promise<readonly CallMinute[]>;
}

/** The call log of every run in the database. */
export function createCallLog(database: Database): CallLog {
  const { build } = database;
  return {
    async add(runId, minutes) {
      await database.transaction(function* addAll() {
        for (const { minute, calls, perHour } of minutes) {
          yield* database.run(
            build
              .insertInto("run_call_minute")
              .values({ run_id: runId, minute, calls, per_hour: perHour })
              .onConflict((conflict) =>
                conflict.columns(["run_id", "minute"]).doUpdateSet({
                  calls: sql`run_call_minute.calls + ${calls}`,
                  per_hour: perHour,
                }),
              ),
          );
        }
      });
    },
    async read(runId) {
      const query = build
        .selectFrom("run_call_minute")
        .select(["minute", "calls", "per_hour"])
        .where("run_id", "=", runId)
        .orderBy("minute");
      const found = await database.execute(database.all(query));
      return found.map(({ minute, calls, per_hour }) => ({ minute, calls, perHour: per_hour }));
    },
  };
}

/** A call as it is counted. */
interface CountedCall {
  readonly kind: string;
  readonly outcome: string;
}

/** The number of calls of one kind and outcome. */
interface CallTotal extends CountedCall {
  readonly calls: number;
}

/** Counts the calls of a store. */
export interface CallTotals {
  /** Counts a call; the counts are written with a call that comes some seconds later. */
  note(call: CountedCall): void;
  /** Returns the counts; those of other processes may be missing for some seconds. */
  read(): Promise<readonly CallTotal[]>;
  /**
   * Writes the counts that are not written yet; call it before the database is closed. Never
   * rejects.
   */
  flush(): Promise<void>;
}

/** Other processes see a call after this time at most, once another one is made. */
const WRITE_EVERY_MS = 5_000;

/** A process that dies loses the calls of its last seconds; all others are counted once. */
export function createCallTotals(options: RepositoryOptions): CallTotals {
  const { database, clock } = options;
  const store = database.storeKey(options.store);
  const unwritten = new Map<string, CallTotal>();
  let writtenAtMs = clock.now();
  let lastWrite = Promise.resolve();

  const count = ({ kind, outcome }: CountedCall, calls: number): void => {
    const key = `${kind} ${outcome}`;
    const sum = calls + (unwritten.get(key)?.calls ?? 0);
    unwritten.set(key, { kind, outcome, calls: sum });
  };
  const write = async (transact: Transact): Promise<void> => {
    if (unwritten.size === 0) return;
    const totals = [...unwritten.values()];
    unwritten.clear();
    try {
      await transact(() => addTotals(database, store, totals));
    } catch {
      // A count must not end the work that makes the calls: it is written with a later one.
      for (const total of totals) count(total, total.calls);
    }
  };
  const writeNext = (transact: Transact): Promise<void> => {
    writtenAtMs = clock.now();
    lastWrite = lastWrite.then(() => write(transact));
    return lastWrite;
  };
  const writeAtOnce = (): Promise<void> => writeNext((work) => database.transactionAtOnce(work));
  return {
    note(call) {
      count(call, 1);
      if (Math.abs(clock.now() - writtenAtMs) >= WRITE_EVERY_MS) void writeAtOnce();
    },
    async read() {
      await writeAtOnce();
      const totals = database.build.selectFrom("call_total").where("store", "=", store);
      const query = totals.select(["kind", "outcome", "calls"]).orderBy("kind").orderBy("outcome");
      return await database.execute(database.all(query));
    },
    flush: () => writeNext((work) => database.transactionUnsynced(work)),
  };
}

type Transact = (work: () => Steps<void>) => Promise<void>;

function* addTotals(
  { build, run }: Database,
  store: number,
  totals: readonly CallTotal[],
): Steps<void> {
  for (const { kind, outcome, calls } of totals) {
    yield* run(
      build
        .insertInto("call_total")
        .values({ store, kind, outcome, calls })
        .onConflict((conflict) =>
          conflict
            .columns(["store", "kind", "outcome"])
            .doUpdateSet({ calls: sql`call_total.calls + ${calls}` }),
        ),
    );
  }
}
