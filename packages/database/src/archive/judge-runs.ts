/**
 * Which runs are over for good, so that their rows may be archived or deleted, and which held rows of a
 * sync a newer sync has replaced.
 */

import type { Clock } from "@catalog/clock";
import {
  FEED_COMMAND,
  MAX_READ_BACKS,
  type RunFile,
  type RunSettings,
  type StateCount,
  STATE_TABLE,
} from "@catalog/runs";
import { type RawBuilder, type Selectable, sql } from "kysely";

import { createJournal, type JournalOptions } from "../journal/journal.ts";
import { createTransitions } from "../journal/transitions.ts";
import { readProcesses } from "../locks/processes.ts";
import { createVerificationLog } from "../repositories/verification-log.ts";
import { type Database, isFileDatabase, type Steps } from "../sql/database.ts";
import { dialectFunctions, fromJson, toLiteral } from "../sql/queries.ts";
import type { Schema } from "../sql/schema.ts";
import type { ArchiveContext, RunTotals } from "./archive.ts";

/** A run that is not archived. */
export type Candidate = Selectable<
  Pick<
    Schema["run"],
    "id" | "command" | "state" | "file_json" | "settings_json" | "created_at_ms" | "updated_at_ms"
  >
>;

export interface RunCandidates {
  /** Finds the run that is to be looked at first; `undefined` where none is due. */
  findDue(nowMs: number): Steps<Candidate | undefined>;
  /** Reads again a run that is not archived yet. */
  read(runId: string): Steps<Candidate | undefined>;
  /** Looks at the run again at this time, and not before. */
  postpone(runId: string, untilMs: number): Steps<number>;
  /** Finds all runs that were last changed before this time. */
  listOlder(beforeMs: number): Steps<readonly Candidate[]>;
  /** Makes all of them due. */
  makeDue(beforeMs: number): Steps<number>;
}

const COLUMNS = [
  "id",
  "command",
  "state",
  "file_json",
  "settings_json",
  "created_at_ms",
  "updated_at_ms",
] as const;

export function createRunCandidates({ database, store }: ArchiveContext): RunCandidates {
  const { build } = database;
  const open = build
    .selectFrom("run")
    .select(COLUMNS)
    .where("store", "=", store)
    .where("archive_at_ms", "is not", null);
  const change = build.updateTable("run").where("store", "=", store);
  return {
    findDue: (nowMs) =>
      database.get(open.where("archive_at_ms", "<=", nowMs).orderBy("archive_at_ms").limit(1)),
    read: (runId) => database.get(open.where("id", "=", runId)),
    postpone: (runId, untilMs) =>
      database.run(change.set({ archive_at_ms: untilMs }).where("id", "=", runId)),
    listOlder: (beforeMs) =>
      database.all(open.where("updated_at_ms", "<", beforeMs).orderBy("updated_at_ms")),
    makeDue: (beforeMs) =>
      database.run(
        change
          .set({ archive_at_ms: 0 })
          .where("archive_at_ms", "is not", null)
          .where("updated_at_ms", "<", beforeMs),
      ),
  };
}

/** A run, and the counts of its rows. */
interface RunToJudge {
  readonly run: Pick<Schema["run"], "id" | "command" | "state"> & {
    readonly settings_json: string;
  };
  readonly states: readonly StateCount[];
}

/**
 * Whether a run is over for good: no row of it waits for anything, no request of it is open, and
 * nothing of it is left to be read back. Only such a run is archived or pruned.
 */
function* isOver(database: Database, { run, states }: RunToJudge): Steps<boolean> {
  if (run.state !== "finished") return false;
  if (states.some(({ state, rows }) => rows > 0 && !STATE_TABLE.final.includes(state)))
    return false;
  if (yield* hasOpenRequest(database, run.id)) return false;
  if (yield* waitsForReadBack(database, run.id)) return false;
  if (isReadBack(run) && (yield* hasUnread(database, run.id))) return false;
  return !(yield* hasNewestEvent(database, run.id));
}

function* hasOpenRequest(database: Database, runId: string): Steps<boolean> {
  const open = database.build
    .selectFrom("op")
    .select("row_no")
    .where("run_id", "=", runId)
    .where("state", "in", ["sending", "ambiguous", "held"])
    .limit(1);
  return (yield* database.get(open)) !== undefined;
}

/** Rows that the store did not show as they were sent, and that are read again. */
function* waitsForReadBack(database: Database, runId: string): Steps<boolean> {
  const open = database.build
    .selectFrom("verification")
    .select("row_no")
    .where("run_id", "=", runId)
    .where("status", "<>", toLiteral("visible"))
    .where("looks", "<", MAX_READ_BACKS)
    .limit(1);
  return (yield* database.get(open)) !== undefined;
}

/** A sync reads back a sample itself. */
const isReadBack = ({ command, settings_json }: RunToJudge["run"]): boolean =>
  command !== FEED_COMMAND && fromJson<RunSettings>(settings_json).noVerify !== true;

function* hasUnread(database: Database, runId: string): Steps<boolean> {
  const unread = database.build
    .selectFrom("run_row")
    .select("row_no")
    .where("run_id", "=", runId)
    .where("state", "=", toLiteral("done"))
    .where("product_id", "is not", null)
    .where((where) =>
      where.not(
        where.exists(
          where
            .selectFrom("verification")
            .select("verification.row_no")
            .whereRef("verification.run_id", "=", "run_row.run_id")
            .whereRef("verification.row_no", "=", "run_row.row_no"),
        ),
      ),
    )
    .limit(1);
  return (yield* database.get(unread)) !== undefined;
}

const NEWEST_SEQ: RawBuilder<number> = sql<number>`(SELECT max(seq) FROM event)`;

/** The next event is numbered from the newest one, and copies are told apart by these numbers. */
function* hasNewestEvent(database: Database, runId: string): Steps<boolean> {
  const newest = database.build.selectFrom("event").select("run_id").where("seq", "=", NEWEST_SEQ);
  return (yield* database.get(newest))?.run_id === runId;
}

/**
 * Whether a run that was not finished has never sent anything, and nobody is planning it now. A
 * process that plans it all the same, as it was suspended, can store no more rows of it.
 */
function* isUnsent(database: Database, run: Candidate, ageMs: number): Steps<boolean> {
  const { id, state } = run;
  if (state === "finished" || (yield* hasRequest(database, id))) return false;
  if (state === "planning" && mayBePlanned(database, run, ageMs)) return false;
  return !(yield* hasNewestEvent(database, id));
}

/** A row that was sent has a request, or had one that was proved to be unsent. */
function* hasRequest(database: Database, runId: string): Steps<boolean> {
  const ops = database.build.selectFrom("op").select("row_no").where("run_id", "=", runId).limit(1);
  return (yield* database.get(ops)) !== undefined;
}

/** Time without a change after which a run is not planned any more, in milliseconds. */
const MAX_PLANNING_MS = 7 * 86_400_000;

/**
 * Whether another process that has the file open was running when the run was created. The
 * processes of a server leave no notes, so that only the age of the run shows it.
 */
function mayBePlanned(database: Database, { created_at_ms }: Candidate, ageMs: number): boolean {
  if (!isFileDatabase(database)) return ageMs < MAX_PLANNING_MS;
  try {
    return readProcesses(database.path).some(
      ({ pid, sinceMs }) => pid !== process.pid && sinceMs <= created_at_ms,
    );
  } catch {
    // The folder cannot be read.
    return true;
  }
}

/**
 * Held rows of a sync that a newer sync of the same feed has replaced: what the newer one holds is
 * what a person decides on. Only updates of which no request is open are cancelled: nothing was
 * sent, or their stock was, and the price waits.
 */
export interface SupersededHolds {
  /** Counts the rows that {@link SupersededHolds.cancel} would cancel, over all of its calls. */
  count(run: Candidate): Steps<number>;
  /** Cancels some within the caller's transaction; returns their number. */
  cancel(run: Candidate): Steps<number>;
}

/** Rows cancelled in one commit. */
const BATCH_ROWS = 500;

export function createSupersededHolds(
  context: ArchiveContext & { readonly clock: Clock },
): SupersededHolds {
  const transitions = createTransitions(context);
  const listHolds = createListHolds(context);
  const findNewer = createFindNewer(context);
  return {
    *count(run) {
      const newer = yield* findNewer(run);
      return newer === undefined ? 0 : (yield* listHolds(run, Number.MAX_SAFE_INTEGER)).length;
    },
    *cancel(run) {
      const newer = yield* findNewer(run);
      if (newer === undefined) return 0;
      const rows = yield* listHolds(run, BATCH_ROWS);
      for (const row of rows) {
        const key = { runId: run.id, row, from: "held" } as const;
        yield* transitions.move(key, {
          to: "cancelled",
          cause: "superseded-hold",
          evidence: { run: newer },
        });
      }
      return rows.length;
    },
  };
}

type ListHolds = (run: Candidate, limit: number) => Steps<readonly number[]>;

/** Lists held updates without a request, and those whose request was carried out. */
function createListHolds({ database }: ArchiveContext): ListHolds {
  const { build } = database;
  return function* listHolds({ id }, limit) {
    const held = yield* database.all(
      build
        .selectFrom("run_row")
        .select("row_no")
        .where("run_id", "=", id)
        .where("state", "=", toLiteral("held"))
        .where("action", "=", "update")
        .where((where) =>
          where.not(
            where.exists(
              where
                .selectFrom("op")
                .select("op.row_no")
                .whereRef("op.run_id", "=", "run_row.run_id")
                .whereRef("op.row_no", "=", "run_row.row_no")
                .where("op.state", "<>", "done"),
            ),
          ),
        )
        .orderBy("row_no")
        .limit(limit),
    );
    return held.map(({ row_no }) => row_no);
  };
}

/** Returns the function that finds the newest finished sync of the run's feed, if it is newer. */
function createFindNewer({
  database,
  store,
}: ArchiveContext): (run: Candidate) => Steps<string | undefined> {
  const { build } = database;
  const { jsonText } = dialectFunctions(database.dialect);
  return function* findNewer({ command, state, file_json, created_at_ms }) {
    const { feed } = fromJson<RunFile>(file_json);
    if (command !== FEED_COMMAND || state !== "finished" || feed === undefined) return undefined;
    const newest = build
      .selectFrom("run")
      .select("id")
      .where("store", "=", store)
      .where("created_at_ms", ">", created_at_ms)
      .where("command", "=", FEED_COMMAND)
      .where("state", "=", toLiteral("finished"))
      .where(jsonText(sql.ref<string>("file_json"), "feed"), "=", feed)
      .orderBy("created_at_ms", "desc")
      .limit(1);
    return (yield* database.get(newest))?.id;
  };
}

/** A run whose rows may be archived or deleted. */
interface JudgedRun extends RunTotals {
  /** Whether its rows are deleted; else they are archived first. */
  readonly isPruned: boolean;
}

interface JudgeOptions {
  /** Age of the run, in milliseconds. */
  readonly ageMs: number;
  /** How long rows are kept, in milliseconds. */
  readonly keepMs: number;
  /** Judges the run as it will be without rows that a newer sync has replaced. @default false */
  readonly isWithoutHolds?: boolean;
}

export interface RunJudge {
  /** Judges a run of at least a day; `undefined` for one that is left alone. */
  readonly judge: (run: Candidate, options: JudgeOptions) => Promise<JudgedRun | undefined>;
  /** Whether rows of the run wait for a person, other than those that a newer sync has replaced. */
  readonly waits: (run: Candidate) => Promise<boolean>;
}

export function createRunJudge(options: JournalOptions, holds: SupersededHolds): RunJudge {
  const { database } = options;
  const journal = createJournal(options);
  const log = createVerificationLog(options);
  return {
    async judge(run, { ageMs, keepMs, isWithoutHolds = false }) {
      if (await database.execute(isTimed(database, run.id))) return undefined;
      const counted = await journal.countRows(run.id);
      const states = isWithoutHolds
        ? withoutHolds(counted, await database.execute(holds.count(run)))
        : counted;
      const isDeletable = !isPlanned(run, states) || ageMs >= keepMs;
      const unsent = isDeletable && (await database.execute(isUnsent(database, run, ageMs)));
      if (!unsent && !(await database.execute(isOver(database, { run, states })))) return undefined;
      const verified = await log.countVerifications(run.id);
      return { states, verified, isPruned: unsent || ageMs >= keepMs };
    },
    async waits(run) {
      if (run.state !== "finished") return false;
      const held = await database.execute(holds.count(run));
      const states = withoutHolds(await journal.countRows(run.id), held);
      return states.some(({ state, rows }) => state === "held" && rows > 0);
    },
  };
}

/** A run that is sent or taken back by itself later needs its rows then, however old it is. */
function* isTimed(database: Database, runId: string): Steps<boolean> {
  const due = database.build
    .selectFrom("run_period")
    .select("run_id")
    .where("run_id", "=", runId)
    .where("due_at_ms", "is not", null)
    .limit(1);
  return (yield* database.get(due)) !== undefined;
}

/** A plan that was made can be read and applied; one that was refused or cut off cannot. */
const isPlanned = ({ state }: Candidate, states: readonly StateCount[]): boolean =>
  state !== "planning" && states.some(({ rows }) => rows > 0);

function withoutHolds(states: readonly StateCount[], holds: number): readonly StateCount[] {
  if (holds === 0) return states;
  return states.map((count) =>
    count.state === "held" ? { ...count, rows: count.rows - holds } : count,
  );
}
