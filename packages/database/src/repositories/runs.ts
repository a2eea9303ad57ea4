/** The runs of one store. */

import {
  FEED_COMMAND,
  type NewRun,
  type RunMaker,
  type RunProgress,
  type RunRecord,
  type RunRepository,
  type RunSettings,
  type RunWarning,
  toRunKind,
} from "@catalog/runs";
import { type Selectable, sql } from "kysely";

import { createLeasedDatabase, type RepositoryOptions } from "../locks/leases.ts";
import type { Database, StoreAddress } from "../sql/database.ts";
import { fromJson, toJson } from "../sql/queries.ts";
import type { Schema } from "../sql/schema.ts";

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
): Pick<RunRepository, "read" | "list" | "listUndos"> {
  const runs = database.build
    .selectFrom("run")
    .leftJoin("run_archive", "run_archive.run_id", "run.id")
    .selectAll("run")
    .select("run_archive.pruned_at_ms")
    .where("run.store", "=", store);
  const newestFirst = runs.orderBy("run.created_at_ms", "desc").orderBy("run.id", "desc");
  return {
    async read(id) {
      const found = await database.execute(database.get(runs.where("run.id", "=", id)));
      return found === undefined ? undefined : toRun(found);
    },
    async list(limit, { kind, before } = {}) {
      let found = newestFirst.limit(limit);
      if (kind !== undefined) {
        found = found.where("run.command", kind === "sync" ? "=" : "!=", FEED_COMMAND);
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
      return undos.filter(({ progress }) => progress.undoOf === id);
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
  run: NewRun,
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
  const stored = fromJson<RunSettings & RunProgress>(json);
  const {
    reading,
    retryOf,
    draft,
    basis,
    undoOf,
    canaryVerdict,
    restCancelled,
    ended,
    ...settings
  } = stored;
  const progress = { reading, retryOf, draft, basis, undoOf, canaryVerdict, restCancelled, ended };
  return { settings, progress };
}

interface RunColumns extends Selectable<Schema["run"]> {
  readonly pruned_at_ms?: number | null;
}

function toRun(columns: RunColumns): RunRecord {
  return {
    id: columns.id,
    command: columns.command,
    kind: toRunKind(columns.command),
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
