/** Gives up rows of a run that were not sent yet: all of them, or those that a person names. */

import { CatalogError, type Connection, recordCalls } from "@catalog/connection";
import {
  type Counts,
  readAllRows,
  reconcileOpen,
  type RunRecord,
  toCounts,
  type Ledger,
} from "@catalog/runs";

import { readCodeKeys } from "../plan/plan-basis.ts";
import { isFeedRun } from "./release-rows.ts";

/** The run, and the person who gives up its rest. */
interface CancelRestOptions {
  readonly run: RunRecord;
  /** Name of the person, for the evidence. */
  readonly by: string;
  readonly reason?: string | undefined;
  /** Checked before each lookup and each batch; rows that were given up already stay so. */
  readonly signal?: AbortSignal | undefined;
}

/** What became of the rest. */
interface CancelledRest {
  /** Number of rows that were given up now. */
  readonly cancelled: number;
  /** Rows of the run as they are after it. */
  readonly counts: Counts;
}

/** Name of the lock while the rest of a run is given up. */
export const CANCEL_REST: string = "catalog release --cancel-rest";

/**
 * Takes the lock under which the rest of a run is given up, so that nothing is sent meanwhile.
 * Throws {@link CatalogError} `E_RUN_SYNC` for a run of a sync, of which the next sync gives up the
 * rest, and `E_RUN_UNPLANNED` where the plan is incomplete; `DatabaseError` `E_STORE_BUSY`.
 */
export async function lockForCancel(
  { locks }: Connection,
  run: RunRecord,
): Promise<Awaited<ReturnType<Connection["locks"]["store"]>>> {
  if (isFeedRun(run)) throw new CatalogError("E_RUN_SYNC", run.id);
  if (run.state === "planning") throw new CatalogError("E_RUN_UNPLANNED", run.id);
  const lock = await locks.store(CANCEL_REST);
  await lock.nameRun(run.id);
  return lock;
}

/**
 * Looks up the rows of unknown outcome, gives up those that were not sent, and ends the run. A row
 * whose outcome stays unknown is not given up: it is held, or the run stays stopped. The caller
 * holds the lock of {@link lockForCancel}. Rejects with `ClientError`, and gives nothing up, where a
 * lookup is not possible.
 */
export async function cancelRest(
  connection: Connection,
  { run, by, reason, signal }: CancelRestOptions,
): Promise<CancelledRest> {
  const { journal, runs } = connection;
  await lookUpUnknown(connection, run, signal);
  let cancelled = 0;
  for await (const rows of readAllRows(journal, run.id, { states: ["ready"] })) {
    signal?.throwIfAborted();
    await journal.recordOutcomes(rows.flatMap(({ row }) => toMoves(run, row, { by, reason })));
    cancelled += rows.length;
  }
  const counts = toCounts(await journal.countRows(run.id));
  const isOver = counts.pending + counts.unknown === 0;
  const { progress } = (await runs.read(run.id)) ?? run;
  const restCancelled = (progress.restCancelled ?? 0) + cancelled;
  await runs.update(run.id, {
    state: isOver ? "finished" : "stopped",
    progress: { ...progress, restCancelled },
  });
  return { cancelled, counts };
}

/** A row that proves not to have been sent, or not to have been carried out, becomes ready. */
async function lookUpUnknown(
  connection: Connection,
  { id, file }: RunRecord,
  signal: AbortSignal | undefined,
): Promise<void> {
  const { journal, marketplace, clock, meters } = connection;
  if (toCounts(await journal.countRows(id)).unknown === 0) return;
  const before = meters.calls.counts();
  const keys = await readCodeKeys(connection);
  try {
    await reconcileOpen({ journal, marketplace, clock, sheet: file.sheet, ...keys, signal });
  } finally {
    await recordCalls(connection, id, before);
  }
}

/** The table of states has no shorter way: the row is held on it. */
function toMoves(
  { id: runId }: RunRecord,
  row: number,
  evidence: Readonly<Record<string, unknown>>,
): Parameters<Ledger["recordOutcomes"]>[0] {
  const decided = { cause: "released-cancel", evidence } as const;
  return [
    { key: { runId, row, from: "ready" }, outcome: { to: "held", ...decided } },
    { key: { runId, row, from: "held" }, outcome: { to: "cancelled", ...decided } },
  ];
}

/** Rows of a plan, and the person who gives them up. */
interface SetAsideOptions {
  readonly run: Pick<RunRecord, "id">;
  /** Numbers of rows. */
  readonly rows: readonly number[];
  /** Name of the person, for the evidence. */
  readonly by: string;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Gives up those of the rows that are ready, and returns their number; other rows stay as they are.
 * A row is held on the way, so that it is not sent if the process dies in between. The caller holds
 * the lock of the store.
 */
export async function setAside(
  { journal }: Pick<Connection, "journal">,
  { run, rows, by, signal }: SetAsideOptions,
): Promise<number> {
  let given = 0;
  for (const row of rows) {
    signal?.throwIfAborted();
    const [record] = await journal.readRows(run.id, { after: row - 1, limit: 1 });
    if (record?.row !== row || record.state !== "ready") continue;
    const key = { runId: run.id, row };
    const evidence = { by };
    await journal.recordOutcome(
      { ...key, from: "ready" },
      { to: "held", cause: "set-aside", evidence },
    );
    await journal.recordOutcome(
      { ...key, from: "held" },
      { to: "cancelled", cause: "released-cancel", evidence },
    );
    given += 1;
  }
  return given;
}
