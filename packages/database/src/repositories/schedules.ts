/** The schedules of one store: which feed is synced at which times, and how far each one is. */

import { z } from "zod";

import { createLeasedDatabase, type RepositoryOptions } from "../locks/leases.ts";
import type { Database, Steps } from "../sql/database.ts";
import { fromJson, toJson, parseNote } from "../sql/queries.ts";
import type { ScheduleSchema } from "../sql/schema.ts";

/** The time that was run last, or that is being run. */
interface ScheduleProgress {
  readonly dueMs: number;
  readonly state: "begun" | "done";
}

/** What the last sync of a schedule came to. */
interface ScheduleResult {
  readonly dueMs: number;
  readonly endedAtMs: number;
  /** Exit code of the sync. */
  readonly exit: number;
  /** Id of its run; `null` where the feed had not changed or was not read. */
  readonly run: string | null;
  /** Stable code of a failure; `null` for none. */
  readonly code: string | null;
  /** The failure in words, without secrets. */
  readonly message: string | null;
  /** Syncs in a row, this one included, that did not do their job. @default 0 */
  readonly failures?: number | undefined;
  /** When the first of them was due. @default not known */
  readonly failingSinceMs?: number | undefined;
  /** The fields that the feed gave when it was last accepted. @default not known */
  readonly fields?: readonly string[] | undefined;
  /** The last run of the schedule, whose rows may still wait for a person. @default none is known */
  readonly latestRun?: string | undefined;
}

/** The person of a server who answers for a schedule. */
export interface ScheduleOwner {
  readonly person: number;
  /** As it was when it was stored. */
  readonly name: string;
  /** Since when the person may not approve in the store any more. @default the person may */
  readonly goneSinceMs?: number | undefined;
}

/** A schedule to store. */
export interface ScheduleSettings {
  readonly id: string;
  /** An absolute path or an address. An address may hold a key: it is never shown whole. */
  readonly feed: string;
  /** Options of the sync, by the names of its flags; the reader validates them. */
  readonly options: unknown;
  /** Cron pattern of five fields. */
  readonly cron: string;
  readonly timeZone: string;
  /** Schedules of a command are run by its process only. */
  readonly madeBy: "command" | "page";
  /** Whether its starts may be moved by some minutes, so that not all stores start at once. */
  readonly isSpread: boolean;
  /** Of a new schedule; a known one keeps its own. @default nobody, such as at a terminal */
  readonly owner?: ScheduleOwner | undefined;
}

/** A stored schedule. */
interface ScheduleRecord extends ScheduleSettings {
  readonly state: "active" | "paused";
  /** `undefined` for a schedule that was never due. */
  readonly progress: ScheduleProgress | undefined;
  readonly result: ScheduleResult | undefined;
  /** When a sync last did its job. */
  readonly succeededAtMs: number | undefined;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
}

/** What changes in a stored schedule; a missing member stays as it is. */
interface ScheduleChange {
  readonly state?: ScheduleRecord["state"];
  readonly progress?: ScheduleProgress;
  readonly result?: ScheduleResult;
  readonly succeededAtMs?: number;
  readonly owner?: ScheduleOwner;
}

/** A schedule, by the number of its store, and how far it was when it was read. */
interface StoredSchedule {
  readonly store: number;
  readonly id: string;
  readonly from: ScheduleProgress | undefined;
}

/** The schedules of one store. Each method that writes is one commit. */
export interface ScheduleRepository {
  /** Number of the store in its database, by which reads of all stores name it. */
  readonly storeKey: number;
  /** The schedules of another store of the database, by its number. */
  of(store: number): ScheduleRepository;
  /** Returns the schedules, the oldest first. */
  list(): Promise<readonly ScheduleRecord[]>;
  /** Returns those of every store of the database, by the number of the store. */
  listAll(): Promise<ReadonlyMap<number, readonly ScheduleRecord[]>>;
  read(id: string): Promise<ScheduleRecord | undefined>;
  /** Stores the settings of a new schedule, or those of a known one whose progress stays. */
  save(settings: ScheduleSettings): Promise<void>;
  /**
   * Changes a schedule; returns whether there is one. `assertHeld` throws, within the transaction,
   * where the change is for another process to make.
   */
  update(id: string, change: ScheduleChange, assertHeld?: () => Steps<void>): Promise<boolean>;
  /**
   * Sets how far a schedule is, where it is as far as `from` still; returns whether it was. The
   * schedule may be one of another store of the database.
   */
  advance(schedule: StoredSchedule, to: ScheduleProgress): Promise<boolean>;
  /** Deletes a schedule; returns whether there was one. */
  remove(id: string): Promise<boolean>;
}

/** Creates the repository of a store; schedules of other stores are not visible. */
export function createScheduleRepository(options: RepositoryOptions): ScheduleRepository {
  return createOfStore(options, options.database.storeKey(options.store));
}

function createOfStore(ofAny: RepositoryOptions, store: number): ScheduleRepository {
  const options = { ...ofAny, database: ofAny.database.forStore(store) };
  const { database, clock } = options;
  const { build } = database;
  const led = createLeasedDatabase(options, ["schedule"]);
  const all = build.selectFrom("schedule").selectAll();
  const schedules = all.where("store", "=", store);
  const list = async (
    of: typeof all,
    from: Database = database,
  ): Promise<readonly ScheduleSchema["schedule"][]> =>
    await from.execute(from.all(of.orderBy("created_at_ms").orderBy("id")));
  return {
    storeKey: store,
    of: (other) => createOfStore(options, other),
    list: async () => (await list(schedules)).map(toScheduleRecord),
    async listAll() {
      const found = Map.groupBy(await list(all, database.across("due")), (row) => row.store);
      return new Map(Array.from(found, ([of, rows]) => [of, rows.map(toScheduleRecord)] as const));
    },
    async read(id) {
      const found = await database.execute(database.get(schedules.where("id", "=", id)));
      return found === undefined ? undefined : toScheduleRecord(found);
    },
    async save({ id, feed, options: given, cron, timeZone, madeBy, isSpread, owner }) {
      const now = clock.now();
      const columns = {
        feed,
        options_json: toJson(given),
        cron,
        time_zone: timeZone,
        made_by: madeBy,
        is_spread: Number(isSpread),
        updated_at_ms: now,
      };
      const owned = { owner_json: owner === undefined ? null : toJson(owner) };
      const query = build
        .insertInto("schedule")
        .values({ ...columns, ...owned, id, store, state: "active", created_at_ms: now })
        .onConflict((conflict) => conflict.columns(["store", "id"]).doUpdateSet(columns));
      await database.execute(database.run(query));
    },
    async advance({ id, from, ...of }, to) {
      const was = from === undefined ? null : toJson(from);
      const change = build
        .updateTable("schedule")
        .set({ progress_json: toJson(to), updated_at_ms: clock.now() })
        .where("store", "=", of.store)
        .where("id", "=", id)
        .where("progress_json", "is not distinct from", was);
      return (await database.forStore(of.store).execute(database.run(change))) > 0;
    },
    async update(id, { state, progress, result, succeededAtMs, owner }, assertHeld) {
      const columns = {
        updated_at_ms: clock.now(),
        ...(state !== undefined && { state }),
        ...(progress !== undefined && { progress_json: toJson(progress) }),
        ...(result !== undefined && { result_json: toJson(result) }),
        ...(succeededAtMs !== undefined && { succeeded_at_ms: succeededAtMs }),
        ...(owner !== undefined && { owner_json: toJson(owner) }),
      };
      const change = build.updateTable("schedule").set(columns).where("store", "=", store);
      const one = change.where("id", "=", id);
      // A person may pause a schedule; what became of a start is for the process that leads to say.
      const isLed = progress !== undefined || result !== undefined;
      const changed = await (isLed
        ? led.transaction(function* changeLed() {
            if (assertHeld !== undefined) yield* assertHeld();
            return yield* database.run(one);
          })
        : database.execute(database.run(one)));
      return changed > 0;
    },
    async remove(id) {
      const removal = build.deleteFrom("schedule").where("store", "=", store).where("id", "=", id);
      return (await database.execute(database.run(removal))) > 0;
    },
  };
}

/** Schema of stored progress. */
const scheduleProgressSchema: z.ZodType<ScheduleProgress> = z.object({
  dueMs: z.number(),
  state: z.enum(["begun", "done"]),
});

const ownerSchema: z.ZodType<ScheduleOwner> = z.object({
  person: z.number(),
  name: z.string(),
  goneSinceMs: z.number().optional(),
});

const resultSchema: z.ZodType<ScheduleResult> = z.object({
  dueMs: z.number(),
  endedAtMs: z.number(),
  exit: z.number(),
  run: z.string().nullable(),
  code: z.string().nullable(),
  message: z.string().nullable(),
  failures: z.number().optional(),
  failingSinceMs: z.number().optional(),
  fields: z.array(z.string()).optional(),
  latestRun: z.string().optional(),
});

function toScheduleRecord(row: ScheduleSchema["schedule"]): ScheduleRecord {
  return {
    id: row.id,
    feed: row.feed,
    options: fromJson(row.options_json),
    cron: row.cron,
    timeZone: row.time_zone,
    madeBy: row.made_by === "command" ? "command" : "page",
    isSpread: row.is_spread === 1,
    owner: parseNote(row.owner_json ?? undefined, ownerSchema),
    state: row.state === "paused" ? "paused" : "active",
    progress: parseNote(row.progress_json ?? undefined, scheduleProgressSchema),
    result: parseNote(row.result_json ?? undefined, resultSchema),
    succeededAtMs: row.succeeded_at_ms ?? undefined,
    createdAtMs: row.created_at_ms,
    updatedAtMs: row.updated_at_ms,
  };
}
