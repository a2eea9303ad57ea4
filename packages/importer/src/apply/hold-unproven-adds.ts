/**
 * Adds that another copy of the home may have sent, in a store that was not seen to show what is
 * added: not finding them proves nothing. They are held, or a person lets them go.
 */

import { type Toolkit } from "@catalog/connection";
import { codeKey } from "@catalog/mapping";
import {
  lookForSamples,
  QUIET_MS,
  readAllRows,
  readVisibility,
  type RowEvent,
  type RowRecord,
  type RunDoubt,
  type RunRecord,
  toIssue,
} from "@catalog/runs";

/** Why adds of a run are doubted, and how many. */
export interface UnseenDoubt {
  /**
   * - `restored`: this database is an older copy, or one of two that are used in turns.
   * - `silent`: the run goes on after it has sent nothing for long.
   */
  readonly cause: "restored" | "silent";
  readonly rows: number;
}

/** Lets a person decide; anything but `true` leaves the adds held. */
export type AskUnseen = (doubt: UnseenDoubt) => Promise<boolean | undefined>;

export interface HoldUnseenOptions {
  /** @default nobody is asked */
  readonly askUnseen?: AskUnseen | undefined;
  readonly stop?: AbortSignal | undefined;
}

/** What of a toolkit it takes to tell. */
type Sender = Pick<Toolkit, "journal" | "marketplace" | "clock">;

/** What of a run it takes to look after its rows before they are sent. */
export interface WaitingRun extends Pick<RunRecord, "id"> {
  readonly file: Pick<RunRecord["file"], "sheet">;
  readonly settings?: Pick<RunRecord["settings"], "allowsSuspectCodes"> | undefined;
}

/** Holds the adds in doubt, unless a person lets them go. Makes no call where there is no doubt. */
export async function holdUnseen(
  toolkit: Sender,
  run: WaitingRun,
  { askUnseen, stop }: HoldUnseenOptions,
): Promise<void> {
  const { cause, rows } = await findDoubted(toolkit, run);
  if (rows.length === 0 || (await isSeen(toolkit, stop))) return;
  if ((await askUnseen?.({ cause, rows: rows.length })) === true) {
    await toolkit.journal.acceptCopy();
    return;
  }
  stop?.throwIfAborted();
  await holdAll(toolkit, run, { cause, rows });
}

interface DoubtedRows {
  readonly cause: UnseenDoubt["cause"];
  readonly rows: readonly RowRecord[];
}

async function findDoubted(toolkit: Sender, run: WaitingRun): Promise<DoubtedRows> {
  const doubt = await toolkit.journal.readDoubt(run.id);
  const cause = findCause(toolkit, doubt);
  if (cause !== undefined) {
    return { cause, rows: await readDoubted(toolkit, run, { ...doubt, only: undefined }) };
  }
  // Whoever imports a file again instead of resuming its run goes on with that run, too.
  const only = await readSilentElsewhere(toolkit, run);
  const rows = only.size === 0 ? [] : await readDoubted(toolkit, run, { ...doubt, only });
  return { cause: "silent", rows };
}

async function holdAll(
  { journal }: Sender,
  { id: runId, file: { sheet } }: WaitingRun,
  { cause, rows }: DoubtedRows,
): Promise<void> {
  const evidence = { rule: "another copy may have sent it, and the store shows nothing", cause };
  for (const { row, code } of rows) {
    const place = { sheet, row, column: "", cell: "", value: code ?? "" };
    const issues = [toIssue("E_ADD_UNSEEN", place)];
    const key = { runId, row, from: "ready" } as const;
    await journal.settle(key, { to: "held", cause: "unseen", issues, evidence });
  }
}

function findCause(
  toolkit: Sender,
  { restoredSeq, lastBegun }: RunDoubt,
): UnseenDoubt["cause"] | undefined {
  if (restoredSeq !== null) return "restored";
  return lastBegun !== null && isSilent(toolkit, lastBegun) ? "silent" : undefined;
}

function isSilent(
  { clock, marketplace }: Sender,
  lastBegun: NonNullable<RunDoubt["lastBegun"]>,
): boolean {
  const serverMs = marketplace.serverTimeMs?.();
  // A clock that was put back makes the silence no shorter: the marketplace's own time counts, too.
  const isServerLong =
    serverMs !== undefined &&
    lastBegun.serverMs !== null &&
    serverMs - lastBegun.serverMs > QUIET_MS;
  return isServerLong || isLong(clock.now() - lastBegun.atMs);
}

/** Rows whose code waits in another run that has sent nothing for long. */
async function readSilentElsewhere(
  toolkit: Sender,
  { id: runId }: WaitingRun,
): Promise<ReadonlySet<number>> {
  const waiting = await toolkit.journal.readWaitingElsewhere(runId);
  const silent = waiting.filter(({ lastBegun }) => isSilent(toolkit, lastBegun));
  return new Set(silent.map(({ row }) => row));
}

interface Doubted extends Pick<RunDoubt, "restoredSeq"> {
  /** @default all */
  readonly only: ReadonlySet<number> | undefined;
}

/** A time that went backwards tells nothing. */
const isLong = (ms: number): boolean => ms < 0 || ms > QUIET_MS;

/** Ready adds that no person has let go lately, knowing that the store may hide them. */
async function readDoubted(
  toolkit: Sender,
  { id: runId }: WaitingRun,
  { restoredSeq, only }: Doubted,
): Promise<readonly RowRecord[]> {
  const { journal, clock } = toolkit;
  const isDoubted = async ({ row }: RowRecord): Promise<boolean> => {
    if (only?.has(row) === false) return false;
    const accepted = (await journal.readEvents({ runId, row })).findLast(isAcceptedBlind);
    if (accepted === undefined || accepted.seq < (restoredSeq ?? 0)) return true;
    return isLong(clock.now() - accepted.atMs);
  };
  const doubted: RowRecord[] = [];
  for await (const adds of readAllRows(journal, runId, { states: ["ready"], action: "add" })) {
    for (const record of adds) if (await isDoubted(record)) doubted.push(record);
  }
  return doubted;
}

/** Whether a person has let an add go that the store may hide. */
const isAcceptedBlind = ({ from, to, evidence }: RowEvent): boolean =>
  from === "held" && to === "ready" && evidence["isBlindAccepted"] === true;

/** Whether the store shows what is added to it, so that what it does not show is not there. */
async function isSeen(
  { journal, marketplace }: Sender,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  await lookForSamples({ journal, marketplace, signal });
  const { verdict } = await readVisibility({ journal, marketplace, codeKey, signal });
  return verdict === "visible";
}

/** Whether the row waits because another copy may have sent it. */
export const isUnseen = ({ issues }: Pick<RowRecord, "issues">): boolean =>
  issues.some(({ code }) => code === "E_ADD_UNSEEN");
