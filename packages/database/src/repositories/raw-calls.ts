/**
 * The log of single calls that a person has sent by name, outside of runs. A call is written before
 * it leaves, so that one without an outcome may have been carried out. An add takes its product code,
 * and an action its subject, as those of runs do.
 */

import type { Localized } from "@catalog/i18n";
import { type RunRecord, STATE_TABLE, type WriteAction } from "@catalog/runs";

import { createLeasedDatabase, type RepositoryOptions } from "../locks/leases.ts";
import type { Queries, Steps } from "../sql/database.ts";
import { fromJson, toJson, toLiteral } from "../sql/queries.ts";
import type { RawCallSchema, RawCallState } from "../sql/schema.ts";

/** States in which a call may have been carried out, so that its key stays taken. */
export const TAKING_CALL_STATES: readonly RawCallState[] = ["sending", "done", "unknown"];

/** A call that is about to leave. */
export interface NewRawCall {
  /** Name of the call, such as `order.accept`. */
  readonly endpoint: string;
  /** What is sent, without secrets. */
  readonly body: unknown;
  /**
   * What nothing else may have: the folded product code of an add, or the subject of an action that a
   * subject takes once; `null` for any other call.
   */
  readonly holds: { readonly kind: WriteAction; readonly key: string } | null;
}

/** How a call ended. */
export interface RawCallEnd {
  readonly state: Exclude<RawCallState, "sending">;
  /** HTTP status of the answer; `null` where none came. */
  readonly status: number | null;
  /** Why it failed, without secrets; `null` where it did not. */
  readonly detail: Localized | null;
}

/** A call of the log. */
export interface RawCall extends Omit<NewRawCall, "holds"> {
  readonly id: number;
  readonly state: RawCallState;
  readonly status: number | null;
  readonly detail: Localized | null;
  /** What has started the program, and for whom; `null` where that is not known. */
  readonly maker: NonNullable<RunRecord["maker"]> | null;
  readonly begunAtMs: number;
  readonly endedAtMs: number | null;
}

/** What holds the key of a call: a run, or an earlier call. */
export type KeyHolder = { readonly run: string } | { readonly call: number };

/** The log of one store; calls of other stores are not visible. Each method that writes is one synced commit. */
export interface RawCallLog {
  /** Writes a call that is about to leave; returns its id, or what holds its key. */
  begin(call: NewRawCall): Promise<number | KeyHolder>;
  end(id: number, end: RawCallEnd): Promise<void>;
  /** Returns the latest calls, the newest first. */
  list(limit: number): Promise<readonly RawCall[]>;
  /**
   * Writes what a person has found of a call whose outcome is not known; returns whether it was such
   * a call. The caller holds the store, so that no call is under way.
   */
  settle(id: number, found: "done" | "absent"): Promise<boolean>;
}

interface RawCallOptions extends RepositoryOptions {
  readonly maker?: RunRecord["maker"];
}

/** Creates the log of a store. */
export function createRawCallLog(options: RawCallOptions): RawCallLog {
  const { clock, maker } = options;
  const database = createLeasedDatabase(options);
  const { build } = database;
  const store = database.storeKey(options.store);
  const changes = build.updateTable("raw_call").where("store", "=", store);
  const holderOf = createHolderOf(database, store);
  const add = ({ endpoint, body, holds }: NewRawCall): Steps<{ id: number } | undefined> =>
    database.get(
      build
        .insertInto("raw_call")
        .values({
          store,
          endpoint,
          body_json: toJson(body),
          kind: holds?.kind ?? null,
          code_key: holds?.key ?? null,
          state: "sending",
          status: null,
          detail: null,
          maker_json: maker === undefined ? null : toJson(maker),
          begun_at_ms: clock.now(),
          ended_at_ms: null,
        })
        .returning("id"),
    );

  return {
    begin: (call) =>
      database.transaction(function* begin() {
        database.assertDiskSpace();
        const holder = call.holds === null ? undefined : yield* holderOf(call.holds);
        if (holder !== undefined) return holder;
        const added = yield* add(call);
        if (added === undefined) throw new Error("a call that was just written has no id");
        return added.id;
      }),
    async end(id, { state, status, detail }) {
      const words = detail === null ? null : toJson(detail);
      const ended = changes.set({ state, status, detail: words, ended_at_ms: clock.now() });
      // What has become of the call is true whoever holds the store meanwhile.
      await database.unleased.transaction(() => database.run(ended.where("id", "=", id)));
    },
    async list(limit) {
      const query = build
        .selectFrom("raw_call")
        .selectAll()
        .where("store", "=", store)
        .orderBy("id", "desc")
        .limit(limit);
      return (await database.execute(database.all(query))).map(toRawCall);
    },
    async settle(id, found) {
      const settled = changes
        .set({ state: found, ended_at_ms: clock.now() })
        .where("id", "=", id)
        .where("state", "in", ["sending", "unknown"]);
      return (await database.transaction(() => database.run(settled))) > 0;
    },
  };
}

function createHolderOf(
  { build, get }: Queries,
  store: number,
): (holds: NonNullable<NewRawCall["holds"]>) => Steps<KeyHolder | undefined> {
  const selectRun = build
    .selectFrom("op")
    .select("run_id")
    .where("store", "=", store)
    .where("state", "in", STATE_TABLE.takingCode.map(toLiteral));
  const selectCall = build
    .selectFrom("raw_call")
    .select("id")
    .where("store", "=", store)
    .where("state", "in", TAKING_CALL_STATES.map(toLiteral));
  return function* holderOf({ kind, key }) {
    const run = yield* get(
      selectRun.where("code_key", "=", key).where("kind", "=", toLiteral(kind)).limit(1),
    );
    if (run !== undefined) return { run: run.run_id };
    const call = yield* get(
      selectCall.where("code_key", "=", key).where("kind", "=", kind).limit(1),
    );
    return call && { call: call.id };
  };
}

const toRawCall = (row: StoredCall): RawCall => ({
  id: row.id,
  endpoint: row.endpoint,
  body: fromJson<unknown>(row.body_json),
  state: row.state,
  status: row.status,
  detail: row.detail === null ? null : fromJson(row.detail),
  maker: row.maker_json === null ? null : fromJson(row.maker_json),
  begunAtMs: row.begun_at_ms,
  endedAtMs: row.ended_at_ms,
});

type StoredCall = Omit<RawCallSchema["raw_call"], "id"> & { readonly id: number };
