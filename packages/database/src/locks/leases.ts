/**
 * Leases: locks over several machines. A lease is a row with an owner and the time until which it
 * holds, by the clock of the database. Its epoch grows by one at each change of owner, and each write
 * of an owner compares it in the same transaction (`createLeasedDatabase`).
 *
 * An owner renews its lease every {@link RENEW_MS}. It starts no request once
 * {@link SEND_WITHIN_MS} have passed since it began its last renewal, by its own monotonic clock;
 * another takes the lease only after {@link LIFE_MS} and {@link GRACE_MS}. The difference is longer
 * than {@link MAX_REQUEST_MS}, so that no request of an old owner is under way then.
 */

import { hostname } from "node:os";

import type { Clock } from "@catalog/clock";
import { type RawBuilder, sql } from "kysely";
import { z } from "zod";

import { DatabaseError } from "../errors.ts";
import {
  type Database,
  onlyReads,
  type Queries,
  type Statement,
  type Steps,
  together,
  type Together,
  type StoreAddress,
} from "../sql/database.ts";
import { parseNote, toJson } from "../sql/queries.ts";
import { describeHolder, isRunning, type LockHolder, readPlace, readStarted } from "./processes.ts";

/** The time of the server, in milliseconds since 1970. */
export const SERVER_MS: RawBuilder<number> = sql<number>`(extract(epoch FROM clock_timestamp()) * 1000)::bigint`;

/** How long a lease holds after it was renewed, in milliseconds. */
export const LIFE_MS = 30_000;
/** Time between two renewals, in milliseconds. */
export const RENEW_MS = 10_000;
/** How long after the begin of a renewal a request may be started, in milliseconds. */
export const SEND_WITHIN_MS = 20_000;
/** How long a request of an owner may take, in milliseconds; it is given up then. */
export const MAX_REQUEST_MS = 30_000;
/** How much later than its end a lease is taken by another owner, in milliseconds. */
export const GRACE_MS = 25_000;

/** A lease that is held. */
export interface Lease extends AsyncDisposable {
  readonly key: string;
  readonly epoch: number;
  /**
   * Says whether a request may be started now: no other owner can have the lease yet. Makes no
   * query.
   */
  mayStillSend(): boolean;
  /**
   * Renews the lease where it was not renewed in time; rejects with `DatabaseError` `E_LEASE_LOST`
   * where another owner has it.
   */
  ready(): Promise<void>;
  /** Writes the id of the owner's run into the note. */
  nameRun(runId: string): Promise<void>;
}

interface LeaseOptions {
  readonly database: Database;
  /** First part of the keys: the leases of one store, or of what all stores share. */
  readonly scope: string;
  readonly clock: Clock;
  /** Milliseconds of a clock that never goes back. */
  readonly monotonicMs: () => number;
}

/** The leases of a process, and those of others. Names are those within the scope. */
export interface Leases {
  /** Takes a lease. Rejects with `DatabaseError` `E_STORE_BUSY` while another owner holds it. */
  take(name: string, holder: LockHolder): Promise<Lease>;
  /** The lease of the name that this process holds; `undefined` for none. */
  held(name: string): Pick<Lease, "key" | "mayStillSend" | "ready"> | undefined;
  /**
   * Throws `DatabaseError` `E_LEASE_LOST` where this process has taken a lease of these kinds, has
   * not given it back, and another owner has it now; within a transaction.
   */
  assertHeld(kinds: readonly string[]): Steps<void>;
  /** Reads who holds a lease; `undefined` for nobody. */
  readHolder(name: string): Promise<LockHolder | undefined>;
  /** Reads the holders of all leases of the scope whose names begin so. */
  readHolders(begin: string): Promise<readonly LockHolder[]>;
  /** Deletes the leases of the scope that were given back, or ended a day ago. */
  deleteOld(): Promise<void>;
  /** Reads how often leases of the scope were taken that their owners had not given back. */
  readTakeOvers(): Promise<readonly LeaseTakeOvers[]>;
}

/** How often leases of a kind were taken over. */
export interface LeaseTakeOvers {
  /** The first word of their names. */
  readonly kind: string;
  readonly takeOvers: number;
}

/** A holder, and where it runs. */
interface HolderNote extends LockHolder {
  /** When the process was started, in Linux's own unit. */
  readonly started?: string | undefined;
  /** Machine and namespace of process numbers; a process of the same place can be looked for. */
  readonly place: string;
  readonly host: string;
}

const noteSchema: z.ZodType<HolderNote> = z.object({
  command: z.string(),
  pid: z.number(),
  sinceMs: z.number(),
  run: z.string().optional(),
  stores: z.array(z.number()).optional(),
  started: z.string().optional(),
  place: z.string(),
  host: z.string(),
});

export function createLeases(options: LeaseOptions): Leases {
  const held = new Map<string, KeptLease>();
  /** Leases that were taken and not given back: an owner that has lost one may have ended with it. */
  const owned = new Map<string, KeptLease & { readonly kind: string }>();
  const keyOf = (name: string): string => `${options.scope} ${name}`;
  return {
    async take(name, holder) {
      const key = keyOf(name);
      const started = readStarted(holder.pid);
      const note = { ...holder, started, place: readPlace(), host: hostname() };
      const begunMs = options.monotonicMs();
      const epoch = await options.database.transaction(() => takeOver(options, name, note));
      const lease = keepLease(options, { key, epoch, note, begunMs });
      held.set(key, lease);
      owned.set(key, { ...lease, kind: toKind(name) });
      return {
        ...lease,
        async [Symbol.asyncDispose]() {
          if (held.get(key)?.epoch === epoch) held.delete(key);
          const isGivenBack = await lease.giveBack();
          if (isGivenBack && owned.get(key)?.epoch === epoch) owned.delete(key);
        },
      };
    },
    held: (name) => held.get(keyOf(name)),
    *assertHeld(kinds) {
      const asked = [...owned.values()].filter(({ kind }) => kinds.includes(kind));
      yield* together(asked.map((lease) => lease.assertHeld()));
    },
    async readHolder(name) {
      const found = await options.database.execute(readLease(options.database, keyOf(name)));
      if (found === undefined || found.isFree === 1 || isDead(found.note)) return undefined;
      return found.note && toHolder(found.note);
    },
    async readHolders(begin) {
      const { build } = options.database;
      const found = await options.database.execute(
        options.database.all(
          build
            .selectFrom("lease")
            .select("note_json")
            .where("key", "like", `${keyOf(begin)}%`)
            .where(isHeldNow),
        ),
      );
      return found.flatMap(({ note_json }) => {
        const note = parseNote(note_json, noteSchema);
        return note === undefined || isDead(note) ? [] : [toHolder(note)];
      });
    },
    async deleteOld() {
      const old = sql<boolean>`until_ms + ${sql.lit(KEPT_MS)} < ${SERVER_MS}`;
      const deletion = options.database.build.deleteFrom("lease").where("key", "like", keyOf("%"));
      await options.database.execute(options.database.run(deletion.where(old)));
    },
    readTakeOvers: () => options.database.execute(readTakeOvers(options)),
  };
}

type LeaseScope = Pick<LeaseOptions, "database" | "scope">;

function* readTakeOvers({ database, scope }: LeaseScope): Steps<readonly LeaseTakeOvers[]> {
  const { build, all } = database;
  const query = build.selectFrom("lease_take_over").selectAll().where("scope", "=", scope);
  const found = yield* all(query.orderBy("kind"));
  return found.map(({ kind, take_overs }) => ({ kind, takeOvers: take_overs }));
}

interface FoundLease {
  readonly note: HolderNote | undefined;
  /** Whether it may be taken, as its time is over. */
  readonly isFree: number;
  readonly wasGivenBack: boolean;
}

function* readLease({ build, get }: Queries, key: string): Steps<FoundLease | undefined> {
  const found = yield* get(
    build
      .selectFrom("lease")
      .select([
        "note_json",
        "until_ms",
        sql<number>`(until_ms + ${sql.lit(GRACE_MS)} < ${SERVER_MS})`.as("is_free"),
      ])
      .where("key", "=", key),
  );
  if (found === undefined) return undefined;
  const note = parseNote(found.note_json, noteSchema);
  return { note, isFree: found.is_free, wasGivenBack: found.until_ms === 0 };
}

const KEPT_MS = 86_400_000;

/** Whether the time of a lease is not over yet. */
const isHeldNow = sql<boolean>`until_ms + ${sql.lit(GRACE_MS)} >= ${SERVER_MS}`;

/** Returns those of the leases, by their keys, that a process holds. */
export async function readHeldLeases(
  database: Database,
  keys: readonly string[],
): Promise<ReadonlySet<string>> {
  if (keys.length === 0) return new Set();
  const found = await database.execute(
    database.all(
      database.build
        .selectFrom("lease")
        .select(["key", "note_json"])
        .where("key", "in", keys)
        .where(isHeldNow),
    ),
  );
  const held = found.filter(({ note_json }) => !isDead(parseNote(note_json, noteSchema)));
  return new Set(held.map(({ key }) => key));
}

/** Scope of the leases of a store, by its number. */
export const toStoreScope = (store: number): string => `store ${store}`;

/** Returns the epoch. The owner may be another process of this machine that was killed. */
function* takeOver({ database, scope }: LeaseScope, name: string, note: HolderNote): Steps<number> {
  const { build, get } = database;
  const key = `${scope} ${name}`;
  const found = yield* readLease(database, key);
  const isFree = found === undefined || found.isFree === 1 || isDead(found.note);
  if (!isFree)
    throw new DatabaseError("E_STORE_BUSY", describeHolder(found.note && toHolder(found.note)));
  if (found?.wasGivenBack === false) yield* countTakeOver(database, scope, name);
  const until = sql<number>`${SERVER_MS} + ${sql.lit(LIFE_MS)}`;
  const columns = { holder: holderOf(note), until_ms: until, note_json: toJson(note) };
  const taken = yield* get(
    build
      .insertInto("lease")
      .values({ key, epoch: 1, ...columns })
      .onConflict((conflict) =>
        conflict.column("key").doUpdateSet({ ...columns, epoch: sql`lease.epoch + 1` }),
      )
      .returning("epoch"),
  );
  if (taken === undefined) throw new Error("a lease that was just written has no epoch");
  return taken.epoch;
}

function* countTakeOver(database: Queries, scope: string, name: string): Steps<void> {
  const kind = toKind(name);
  yield* database.run(
    database.build
      .insertInto("lease_take_over")
      .values({ scope, kind, take_overs: 1 })
      .onConflict((conflict) =>
        conflict
          .columns(["scope", "kind"])
          .doUpdateSet({ take_overs: sql`lease_take_over.take_overs + 1` }),
      ),
  );
}

/**
 * A process of this machine that does not run any more has nothing on the wire. Of a process of
 * another machine, or of another container, nothing is known.
 */
function isDead(note: HolderNote | undefined): boolean {
  return note !== undefined && note.place === readPlace() && !isRunning(note);
}

/** The holder as others are shown it: its machine only where that is another one. */
function toHolder({ place, host, started: _started, ...holder }: HolderNote): LockHolder {
  return place === readPlace() ? holder : { ...holder, host };
}

/** The kind of a lease is the first word of its name. */
const toKind = (name: string): string => name.replace(/ .*/u, "");

const holderOf = ({ place, pid, sinceMs }: HolderNote): string => `${place} ${pid} ${sinceMs}`;

interface Taken {
  readonly key: string;
  readonly epoch: number;
  readonly note: HolderNote;
  /** When it was asked for, by the monotonic clock. */
  readonly begunMs: number;
}

/** A lease, as the leases of its process keep it. */
interface KeptLease extends Omit<Lease, typeof Symbol.asyncDispose> {
  readonly assertHeld: () => Steps<void>;
  /** Resolves with whether the lease was still held, and is free now. */
  giveBack(): Promise<boolean>;
}

function keepLease(options: LeaseOptions, taken: Taken): KeptLease {
  const { database } = options;
  const { build } = database;
  const { key, epoch, note } = taken;
  const own = build.updateTable("lease").where("key", "=", key).where("epoch", "=", epoch);
  const until = sql<number>`${SERVER_MS} + ${sql.lit(LIFE_MS)}`;
  const readEpoch = database.prepareGet<object, { readonly epoch: number }>(() =>
    build.selectFrom("lease").select("epoch").where("key", "=", key),
  );
  const renewal = renew(options, taken, async () => {
    return (await database.execute(database.run(own.set({ until_ms: until })))) === 1;
  });
  return {
    key,
    epoch,
    mayStillSend: () => renewal.isFresh(),
    async ready() {
      if (renewal.isFresh()) return;
      await renewal.renew();
      if (!renewal.isFresh()) throw new DatabaseError("E_LEASE_LOST", key);
    },
    *assertHeld() {
      if ((yield* readEpoch({}))?.epoch === epoch) return;
      renewal.lose();
      throw new DatabaseError("E_LEASE_LOST", key);
    },
    async nameRun(run) {
      const note_json = toJson({ ...note, run });
      await database.execute(database.run(own.set({ note_json })));
    },
    async giveBack() {
      if (!(await renewal.end())) return false;
      try {
        return (await database.execute(database.run(own.set({ until_ms: 0 })))) === 1;
      } catch {
        // It ends by itself.
        return false;
      }
    },
  };
}

interface Renewal {
  /** Whether no other owner can have the lease yet. */
  isFresh(): boolean;
  /** Renews it now. */
  renew(): Promise<void>;
  /** Records that another owner has it. */
  lose(): void;
  /** Ends the renewals; resolves with whether they had not been ended before. */
  end(): Promise<boolean>;
}

/** Renews a lease until it is ended or lost; `write` resolves with whether it was still held. */
function renew(
  { clock, monotonicMs }: LeaseOptions,
  { begunMs }: Taken,
  write: () => Promise<boolean>,
): Renewal {
  const ended = new AbortController();
  // A machine that was suspended may not count that time in its monotonic clock.
  let renewed = { monotonicMs: begunMs, wallMs: clock.now() };
  let state: "held" | "lost" = "held";
  const renewOnce = async (): Promise<void> => {
    const started = { monotonicMs: monotonicMs(), wallMs: clock.now() };
    if (await write()) renewed = started;
    else state = "lost";
  };
  const isOver = (): boolean => ended.signal.aborted || state === "lost";
  const keep = async (): Promise<void> => {
    while (!isOver()) {
      try {
        await clock.sleep(RENEW_MS, ended.signal);
        await renewOnce();
      } catch {
        // The end of the lease, or a server that does not answer: the next renewal may succeed, and
        // until then `isFresh` says no.
      }
    }
  };
  const kept = keep();
  return {
    isFresh: () =>
      state === "held" &&
      monotonicMs() - renewed.monotonicMs < SEND_WITHIN_MS &&
      clock.now() - renewed.wallMs < SEND_WITHIN_MS,
    renew: renewOnce,
    lose() {
      state = "lost";
    },
    async end() {
      if (ended.signal.aborted) return false;
      ended.abort();
      await kept;
      return true;
    },
  };
}

/** Kinds of leases; the kind of a lease is the first word of its name. */
type LeaseKind = "store" | "feed" | "schedule";

/** The leases under which runs are planned and sent. */
const RUN_LEASES: readonly LeaseKind[] = ["store", "feed"];

/**
 * A database whose every write compares the epochs of the leases that this process has taken, in the
 * transaction of the write, and rejects with `DatabaseError` `E_LEASE_LOST` where another process has
 * taken over. A process that was suspended, or cut off, for so long writes nothing any more. Code that
 * writes what belongs to an owner takes a {@link LeasedDatabase}, so that a plain database does not
 * compile there.
 */
export interface LeasedDatabase extends Database {
  /**
   * The same database without the comparison, for the answer to a request that left while the lease
   * was held: it is true whoever owns the store now.
   */
  readonly unleased: Database;
}

/** What a repository of one store is made of. */
export interface RepositoryOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly store: StoreAddress;
  /** The leases under which the store is worked on; not needed where the database is a file. */
  readonly leases?: Pick<Leases, "assertHeld"> | undefined;
}

/** Compares the leases of the kinds at each write; those that this process never took say nothing. */
export function createLeasedDatabase(
  { database, leases }: Pick<RepositoryOptions, "database" | "leases">,
  kinds: readonly LeaseKind[] = RUN_LEASES,
): LeasedDatabase {
  if (leases === undefined) return { ...database, unleased: database };
  const leased = <Result>(work: () => Steps<Result>): (() => Steps<Result>) =>
    function* writeLeased() {
      const [held, written] = yield* together([settle(leases.assertHeld(kinds)), settle(work())]);
      // What the work failed of may be what the new owner has written.
      if (held.status === "rejected") throw held.reason;
      if (written.status === "rejected") throw written.reason;
      return written.value;
    };
  return {
    ...database,
    unleased: database,
    forStore: (store) =>
      createLeasedDatabase({ database: database.forStore(store), leases }, kinds),
    across: (crossing) =>
      createLeasedDatabase({ database: database.across(crossing), leases }, kinds),
    execute: (steps) => database.execute(assertReads(steps)),
    transaction: (work) => database.transaction(leased(work)),
    transactionUnsynced: (work) => database.transactionUnsynced(leased(work)),
    transactionAtOnce: (work) => database.transactionAtOnce(leased(work)),
  };
}

type Settled<Result> =
  | { readonly status: "fulfilled"; readonly value: Result }
  | { readonly status: "rejected"; readonly reason: unknown };

function* settle<Result>(steps: Steps<Result>): Steps<Settled<Result>> {
  try {
    return { status: "fulfilled", value: yield* steps };
  } catch (reason) {
    return { status: "rejected", reason };
  }
}

/** Throws at a statement that writes, as the lease can be compared only within a transaction. */
function* assertReads<Result>(steps: Steps<Result>): Steps<Result> {
  let turn = steps.next();
  while (turn.done !== true) {
    try {
      turn = steps.next(yield assertRead(turn.value));
    } catch (error) {
      turn = steps.throw(error);
    }
  }
  return turn.value;
}

function assertRead(value: Statement | Together): Statement | Together {
  if ("works" in value) return { works: value.works.map(assertReads) };
  if (onlyReads(value)) return value;
  throw new Error(`a write under a lease needs a transaction: ${value.sql}`);
}
