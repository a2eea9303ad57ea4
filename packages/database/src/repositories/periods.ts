/** The periods of a store's runs: when each is sent and taken back by itself. */

import { nextOfPeriod, type RunPeriod } from "@catalog/runs";
import { z } from "zod";

import type { RepositoryOptions } from "../locks/leases.ts";
import type { Database } from "../sql/database.ts";
import { fromJson, toJson } from "../sql/queries.ts";
import type { PeriodSchema } from "../sql/schema.ts";

/** A period as it is stored. */
interface StoredPeriod {
  readonly period: RunPeriod;
  /** Rises with each change. */
  readonly version: number;
}

/** A period of any store of the database for which something is to be done. */
interface DuePeriod extends StoredPeriod {
  /** Number of the store. */
  readonly store: number;
  readonly run: string;
}

/**
 * The periods of one store. Each method that writes is one commit, and writes only over the version
 * that was read, so that a person and a process do not overwrite each other's decision.
 */
export interface PeriodRepository {
  /** The periods of another store of the database, by its number. */
  of(store: number): PeriodRepository;
  read(run: string): Promise<StoredPeriod | undefined>;
  /** Returns all periods of the store, by run. */
  list(): Promise<ReadonlyMap<string, RunPeriod>>;
  /** Returns the periods of these runs. */
  readMany(runs: readonly string[]): Promise<ReadonlyMap<string, RunPeriod>>;
  /**
   * Writes the period where `version` is still the stored one, `undefined` for none; returns whether
   * it was. The run may be one of another store of the database.
   */
  save(
    run: string,
    period: RunPeriod,
    of: { readonly version: number | undefined; readonly store?: number | undefined },
  ): Promise<boolean>;
  /** Deletes it under the same condition. */
  remove(run: string, version: number): Promise<boolean>;
  /** Returns what is due in the stores of these numbers. */
  listDue(nowMs: number, stores: readonly number[]): Promise<readonly DuePeriod[]>;
}

const periodSchema: z.ZodType<RunPeriod> = z.object({
  timeZone: z.string(),
  startAtMs: z.number().optional(),
  endAtMs: z.number().optional(),
  fields: z.array(z.string()).optional(),
  approvedAtMs: z.number().optional(),
  begunAtMs: z.number().optional(),
  isQueued: z.boolean().optional(),
  isWithdrawn: z.boolean().optional(),
  end: z
    .object({ atMs: z.number(), run: z.string().optional(), kept: z.number().optional() })
    .optional(),
  again: z.object({ atMs: z.number(), undo: z.string(), before: z.array(z.string()) }).optional(),
});

/** Reads a stored period. */
export const parsePeriod = (json: string): RunPeriod => periodSchema.parse(fromJson(json));

const toMap = (rows: readonly PeriodSchema["run_period"][]): ReadonlyMap<string, RunPeriod> =>
  new Map(rows.map((row) => [row.run_id, parsePeriod(row.period_json)] as const));

/** Creates the repository of a store; periods of other stores are only seen by `listDue`. */
export function createPeriodRepository({ database, store }: RepositoryOptions): PeriodRepository {
  return createOfStore(database, database.storeKey(store));
}

function createOfStore(given: Database, own: number): PeriodRepository {
  const database = given.forStore(own);
  const { build } = database;
  const all = build.selectFrom("run_period").selectAll();
  const periods = all.where("store", "=", own);
  const select = async (
    of: typeof all,
    from: Database = database,
  ): Promise<readonly PeriodSchema["run_period"][]> => await from.execute(from.all(of));
  return {
    of: (other) => createOfStore(database, other),
    async read(run) {
      const [found] = await select(periods.where("run_id", "=", run));
      return found && { period: parsePeriod(found.period_json), version: found.version };
    },
    list: async () => toMap(await select(periods)),
    readMany: async (runs) =>
      runs.length === 0 ? new Map() : toMap(await select(periods.where("run_id", "in", [...runs]))),
    async save(run, period, { version, store: of = own }) {
      const columns = {
        version: (version ?? 0) + 1,
        period_json: toJson(period),
        due_at_ms: nextOfPeriod(period) ?? null,
      };
      const query =
        version === undefined
          ? build
              .insertInto("run_period")
              .values({ ...columns, store: of, run_id: run })
              .onConflict((conflict) => conflict.columns(["store", "run_id"]).doNothing())
          : build
              .updateTable("run_period")
              .set(columns)
              .where("store", "=", of)
              .where("run_id", "=", run)
              .where("version", "=", version);
      return (await database.forStore(of).execute(database.run(query))) > 0;
    },
    async remove(run, version) {
      const removal = build
        .deleteFrom("run_period")
        .where("store", "=", own)
        .where("run_id", "=", run)
        .where("version", "=", version);
      return (await database.execute(database.run(removal))) > 0;
    },
    async listDue(nowMs, stores) {
      if (stores.length === 0) return [];
      const due = all.where("due_at_ms", "<=", nowMs).where("store", "in", [...stores]);
      return (await select(due.orderBy("due_at_ms"), database.across("due"))).map((row) => ({
        store: row.store,
        run: row.run_id,
        period: parsePeriod(row.period_json),
        version: row.version,
      }));
    },
  };
}
