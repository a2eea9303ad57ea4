/**
 * Holds adds that another copy of the home may have sent, in a store that has not been seen to show
 * new products: there, a lookup that finds nothing is no proof. A person may have them sent.
 */

import type { Connection } from "@catalog/connection";
import { codeKey } from "@catalog/mapping";
import {
  sampleVisibility,
  SETTLE_TIME_MS,
  readAllRows,
  readVisibility,
  type RowEvent,
  type RowRecord,
  type CopySuspicion,
  type RunRecord,
  toIssue,
} from "@catalog/runs";

/** The number of unproven adds of a run, and the cause. */
export interface UnprovenAdds {
  /**
   * - `restored`: this database is an older copy, or one of two copies that are used in turns.
   * - `silent`: the run, or an earlier one that it continues, has sent nothing for more than 15
   *   minutes.
   */
  readonly cause: "restored" | "silent";
  readonly rows: number;
}

/** Asks a person whether to send the adds; they are held unless the answer is `true`. */
export type AskUnprovenAdds = (unproven: UnprovenAdds) => Promise<boolean | undefined>;

/** The question to a person, and the signal that stops the check. */
export interface HoldUnprovenAddsOptions {
  /** @default the adds are held without a question */
  readonly askUnprovenAdds?: AskUnprovenAdds | undefined;
  readonly stop?: AbortSignal | undefined;
}

/** The members of a connection that the check uses. */
type Sender = Pick<Connection, "journal" | "marketplace" | "clock">;

/** The properties of a run that the checks before sending use. */
export interface WaitingRun extends Pick<RunRecord, "id"> {
  readonly file: Pick<RunRecord["file"], "sheet">;
  readonly settings?: Pick<RunRecord["settings"], "allowsSuspectCodes"> | undefined;
}

/** Holds unproven adds unless a person has them sent. Makes no call where there are none. */
export async function holdUnprovenAdds(
  connection: Sender,
  run: WaitingRun,
  { askUnprovenAdds, stop }: HoldUnprovenAddsOptions,
): Promise<void> {
  const { cause, rows } = await findUnproven(connection, run);
  if (rows.length === 0 || (await isVisibilityProven(connection, stop))) return;
  if ((await askUnprovenAdds?.({ cause, rows: rows.length })) === true) {
    await connection.journal.acceptCopy();
    return;
  }
  stop?.throwIfAborted();
  await holdAll(connection, run, { cause, rows });
}

interface UnprovenRows {
  readonly cause: UnprovenAdds["cause"];
  readonly rows: readonly RowRecord[];
}

async function findUnproven(connection: Sender, run: WaitingRun): Promise<UnprovenRows> {
  const doubt = await connection.journal.readCopySuspicion(run.id);
  const cause = findCause(connection, doubt);
  if (cause !== undefined) {
    return { cause, rows: await readUnproven(connection, run, { ...doubt, only: undefined }) };
  }
  // An import of the same file again continues the earlier run, too.
  const only = await readSilentElsewhere(connection, run);
  const rows = only.size === 0 ? [] : await readUnproven(connection, run, { ...doubt, only });
  return { cause: "silent", rows };
}

async function holdAll(
  { journal }: Sender,
  { id: runId, file: { sheet } }: WaitingRun,
  { cause, rows }: UnprovenRows,
): Promise<void> {
  const evidence = { rule: "another copy may have sent it, and the store shows nothing", cause };
  for (const { row, code } of rows) {
    const location = { sheet, row, column: "", cell: "", value: code ?? "" };
    const issues = [toIssue("E_ADD_UNSEEN", location)];
    const key = { runId, row, from: "ready" } as const;
    await journal.recordOutcome(key, { to: "held", cause: "unseen", issues, evidence });
  }
}

function findCause(
  connection: Sender,
  { restoredSeq, lastBegun }: CopySuspicion,
): UnprovenAdds["cause"] | undefined {
  if (restoredSeq !== null) return "restored";
  return lastBegun !== null && isSilent(connection, lastBegun) ? "silent" : undefined;
}

function isSilent(
  { clock, marketplace }: Sender,
  lastBegun: NonNullable<CopySuspicion["lastBegun"]>,
): boolean {
  const serverMs = marketplace.serverTimeMs?.();
  // A clock that was set back shortens the silence, so the marketplace's time is compared, too.
  const isServerLong =
    serverMs !== undefined &&
    lastBegun.serverMs !== null &&
    serverMs - lastBegun.serverMs > SETTLE_TIME_MS;
  return isServerLong || isLong(clock.now() - lastBegun.atMs);
}

/** Reads rows whose code waits in another run that has sent nothing for more than 15 minutes. */
async function readSilentElsewhere(
  connection: Sender,
  { id: runId }: WaitingRun,
): Promise<ReadonlySet<number>> {
  const waiting = await connection.journal.readWaitingElsewhere(runId);
  const silent = waiting.filter(({ lastBegun }) => isSilent(connection, lastBegun));
  return new Set(silent.map(({ row }) => row));
}

interface UnprovenQuery extends Pick<CopySuspicion, "restoredSeq"> {
  /** @default all */
  readonly only: ReadonlySet<number> | undefined;
}

/** A negative duration comes from a clock that was set back, so it counts as long. */
const isLong = (ms: number): boolean => ms < 0 || ms > SETTLE_TIME_MS;

/** Reads ready adds that no person has lately released as unproven. */
async function readUnproven(
  connection: Sender,
  { id: runId }: WaitingRun,
  { restoredSeq, only }: UnprovenQuery,
): Promise<readonly RowRecord[]> {
  const { journal, clock } = connection;
  const isQuestioned = async ({ row }: RowRecord): Promise<boolean> => {
    if (only?.has(row) === false) return false;
    const accepted = (await journal.readEvents({ runId, row })).findLast(isAcceptedUnproven);
    if (accepted === undefined || accepted.seq < (restoredSeq ?? 0)) return true;
    return isLong(clock.now() - accepted.atMs);
  };
  const unproven: RowRecord[] = [];
  for await (const adds of readAllRows(journal, runId, { states: ["ready"], action: "add" })) {
    for (const record of adds) if (await isQuestioned(record)) unproven.push(record);
  }
  return unproven;
}

/** Whether the event is the release of an add that the store may hide. */
const isAcceptedUnproven = ({ from, to, evidence }: RowEvent): boolean =>
  from === "held" && to === "ready" && evidence["isBlindAccepted"] === true;

/**
 * Whether the store is known to show new products, so that a product it does not show is not there.
 */
async function isVisibilityProven(
  { journal, marketplace }: Sender,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  await sampleVisibility({ journal, marketplace, signal });
  const { verdict } = await readVisibility({ journal, marketplace, codeKey, signal });
  return verdict === "visible";
}

/** Whether the row is held because another copy may have sent it. */
export const isVisibilityUnproven = ({ issues }: Pick<RowRecord, "issues">): boolean =>
  issues.some(({ code }) => code === "E_ADD_UNSEEN");
