/**
 * The period of a run, as people decide on it: wished for with a plan, approved with it, changed, and
 * carried out at its end.
 */

import { CatalogError, type Connection } from "@catalog/connection";
import {
  formatLocalTime,
  hasTimes,
  type PeriodWish,
  readAllRows,
  resolvePeriod,
  type RunPeriod,
  type RunRecord,
} from "@catalog/runs";

import { resolveUndoFields } from "../plan/plan-undo.ts";
import { cancelRest } from "./cancel-rest.ts";

type PeriodStore = {
  readonly clock: Pick<Connection["clock"], "now">;
  readonly memory: Pick<Connection["memory"], "periods">;
};

/** A wish whose fields are named as the marketplace does. Throws `InputError` for what is wrong. */
export function readPeriodWish(
  { clock }: Pick<PeriodStore, "clock">,
  wish: PeriodWish,
  known?: RunPeriod,
): RunPeriod {
  const fields = wish.fields && resolveUndoFields(wish.fields);
  return resolvePeriod({ ...wish, fields }, { nowMs: clock.now(), known });
}

/** Keeps what is wished for a plan with its run, before the plan is shown to anybody. */
export async function proposePeriod(
  { memory }: Pick<PeriodStore, "memory">,
  run: string,
  period: RunPeriod | null,
): Promise<void> {
  if (period === null || !hasTimes(period)) return;
  await memory.periods.save(run, period, { version: undefined });
}

/**
 * Stores the period with which a person approves a run; `null` for a run that is sent at once and
 * stays. Throws `InputError` for a time that has passed, and {@link CatalogError} `E_PERIOD_CHANGED`
 * where another person or process has changed it meanwhile.
 */
export async function approvePeriod(
  { clock, memory }: PeriodStore,
  run: string,
  period: RunPeriod | null,
): Promise<void> {
  const stored = await memory.periods.read(run);
  if (period === null || !hasTimes(period)) {
    if (stored === undefined) return;
    if (await memory.periods.remove(run, stored.version)) return;
    throw new CatalogError("E_PERIOD_CHANGED", run);
  }
  assertAhead(period, clock.now());
  await savePeriod(memory, run, {
    period: { ...period, approvedAtMs: clock.now() },
    version: stored?.version,
  });
}

/** Throws as {@link resolvePeriod} does where a time has passed since the period was wished for. */
function assertAhead({ startAtMs, endAtMs, timeZone }: RunPeriod, nowMs: number): void {
  const local = (ms: number | undefined): string | null =>
    ms === undefined ? null : formatLocalTime(ms, timeZone);
  resolvePeriod({ start: local(startAtMs), end: local(endAtMs), timeZone }, { nowMs });
}

async function savePeriod(
  { periods }: PeriodStore["memory"],
  run: string,
  { period, version }: { readonly period: RunPeriod; readonly version: number | undefined },
): Promise<void> {
  if (await periods.save(run, period, { version })) return;
  throw new CatalogError("E_PERIOD_CHANGED", run);
}

/** The times of a change, where the caller knows which it has seen. */
interface PeriodChange {
  readonly wish: PeriodWish;
  /** The times that the person has seen. @default they were not shown */
  readonly seen?: Pick<RunPeriod, "startAtMs" | "endAtMs"> | undefined;
}

/**
 * Changes the period of a run that was approved, or gives one to a run that was sent. A start is moved
 * only as long as no process has begun it. Throws {@link CatalogError} `E_PERIOD_OVER` where the end
 * was carried out, `E_PERIOD_CHANGED` where it is not as the person has seen it or its start has begun,
 * and `E_PERIOD_UNAPPROVED` for a plan that nobody has approved.
 */
export async function changePeriod(
  connection: PeriodStore,
  run: Pick<RunRecord, "id" | "state">,
  { wish, seen }: PeriodChange,
): Promise<RunPeriod | null> {
  const { clock, memory } = connection;
  const stored = await memory.periods.read(run.id);
  const known = stored?.period;
  assertChangeable(run, known, seen);
  const asked = readPeriodWish(connection, wish, known);
  const period = { ...keepBegun(run, { asked, known }), approvedAtMs: clock.now() };
  if (hasTimes(period)) {
    await savePeriod(memory, run.id, { period, version: stored?.version });
    return period;
  }
  if (stored !== undefined && !(await memory.periods.remove(run.id, stored.version)))
    throw new CatalogError("E_PERIOD_CHANGED", run.id);
  return null;
}

function assertChangeable(
  { id, state }: Pick<RunRecord, "id" | "state">,
  known: RunPeriod | undefined,
  seen: PeriodChange["seen"],
): void {
  if (seen !== undefined && !isSame(seen, known)) throw new CatalogError("E_PERIOD_CHANGED", id);
  if (known?.end !== undefined) throw new CatalogError("E_PERIOD_OVER", id);
  // Times alone approve no plan, or it would be sent at its start.
  const isApproved = known?.approvedAtMs !== undefined || state !== "planned";
  if (!isApproved || state === "planning") throw new CatalogError("E_PERIOD_UNAPPROVED", id);
}

interface AskedPeriod {
  readonly asked: RunPeriod;
  readonly known: RunPeriod | undefined;
}

/** A start that has begun stays as it was. Throws where it is to be moved. */
function keepBegun(
  { id, state }: Pick<RunRecord, "id" | "state">,
  { asked, known }: AskedPeriod,
): RunPeriod {
  if (known?.begunAtMs === undefined && state === "planned") return asked;
  const { startAtMs, begunAtMs, isQueued, isWithdrawn, again } = known ?? {};
  const isMoved = asked.startAtMs !== undefined && asked.startAtMs !== startAtMs;
  if (isMoved) throw new CatalogError("E_PERIOD_CHANGED", id);
  return { ...asked, startAtMs, begunAtMs, isQueued, isWithdrawn, again };
}

const isSame = (
  seen: NonNullable<PeriodChange["seen"]>,
  { startAtMs, endAtMs, isWithdrawn }: Partial<RunPeriod> = {},
): boolean =>
  seen.startAtMs === (isWithdrawn === true ? undefined : startAtMs) && seen.endAtMs === endAtMs;

/** What there is to do at the end of a period. */
export type PeriodDuty =
  /** The period is ahead, over, or there is none. */
  | { readonly kind: "nothing"; readonly period: RunPeriod | undefined }
  /** The run that takes it back is planned already: it is gone on with. */
  | { readonly kind: "continue"; readonly undo: RunRecord; readonly period: RunPeriod }
  | {
      readonly kind: "plan";
      readonly period: RunPeriod;
      /** Says whether a row is taken back. @default all are */
      readonly isChosen?: ((row: number) => boolean) | undefined;
    };

/**
 * Finds out what the end of a run's period asks for, under the lock of the store. Rows that were not
 * sent by then are given up first, so that none follows the end. The run that takes it back is found by
 * what it is stored with, so a process that dies anywhere is followed by one that goes on with the
 * same run.
 */
export async function findPeriodDuty(
  connection: Connection,
  run: RunRecord,
  signal: AbortSignal,
): Promise<PeriodDuty> {
  const { memory, runs, clock } = connection;
  const period = (await memory.periods.read(run.id))?.period;
  const isDue =
    period?.approvedAtMs !== undefined &&
    period.end === undefined &&
    clock.now() >= (period.endAtMs ?? Infinity);
  if (!isDue || period === undefined) return { kind: "nothing", period };
  if (run.state !== "planning" && run.state !== "finished") {
    await cancelRest(connection, { run, by: PERIOD, reason: PERIOD, signal });
  }
  const { again } = period;
  const undo = (await runs.listUndos(run.id)).find(
    ({ id, progress }) =>
      progress.undoOf === run.id &&
      progress.isPeriodEnd === true &&
      again?.before.includes(id) !== true,
  );
  if (undo !== undefined) return { kind: "continue", undo, period };
  if (again === undefined) return { kind: "plan", period };
  const rows = await findUncovered(connection, again.before, again.undo);
  return { kind: "plan", period, isChosen: (row) => rows.has(row) };
}

/** Who has given up the rest, for the evidence. */
const PERIOD = "period";

/** Codes of rows that an undo leaves as they are, at least in part. */
const LEFT: ReadonlySet<string> = new Set([
  "W_UNDO_KEPT",
  "W_UNDO_HIDDEN",
  "W_UNDO_MISSING",
  "W_FIELD_REFUSED",
]);

/**
 * The rows that the ends of a run have left as they are, by number, and whose products `undo` has
 * changed.
 */
async function findUncovered(
  { journal }: Pick<Connection, "journal">,
  ends: readonly string[],
  undo: string,
): Promise<ReadonlySet<number>> {
  const products = new Set<string>();
  for await (const rows of readAllRows(journal, undo, { states: ["done"] })) {
    for (const { codeKey } of rows) products.add(codeKey ?? "");
  }
  const found = new Set<number>();
  for (const [row, { isLeft, codeKey }] of await readEnds({ journal }, ends)) {
    if (isLeft && codeKey !== null && products.has(codeKey)) found.add(row);
  }
  return found;
}

interface EndedRow {
  readonly isLeft: boolean;
  /** `null` for a row without a code. */
  readonly codeKey: string | null;
}

/** What has become of each row of a run at its ends, by number; the last end that took it counts. */
async function readEnds(
  { journal }: Pick<Connection, "journal">,
  ends: readonly string[],
): Promise<ReadonlyMap<number, EndedRow>> {
  const found = new Map<number, EndedRow>();
  for (const end of ends) {
    for await (const rows of readAllRows(journal, end)) {
      for (const { row, codeKey, issues } of rows) {
        found.set(row, { isLeft: issues.some(({ code }) => LEFT.has(code)), codeKey });
      }
    }
  }
  return found;
}

/**
 * Writes down that the end was carried out, by this run or with nothing to do, and what stays. Where it
 * has brought back what another run had sent whose end is over, that end is carried out once more:
 * otherwise the values of the shorter of two overlapping sales would stay for good.
 */
export async function recordPeriodEnd(
  connection: Pick<Connection, "clock" | "memory" | "journal">,
  run: string,
  undo: string | undefined,
): Promise<void> {
  const { clock, memory } = connection;
  const stored = await memory.periods.read(run);
  if (stored === undefined || stored.period.end !== undefined) return;
  // Before this end is over, so that a process that dies in between does it again.
  if (undo !== undefined) await reopenCovered(connection, run, undo);
  const ends = [...(stored.period.again?.before ?? []), ...(undo === undefined ? [] : [undo])];
  const rows = [...(await readEnds(connection, ends)).values()];
  const kept = rows.filter(({ isLeft }) => isLeft).length;
  const end = {
    atMs: clock.now(),
    ...(undo !== undefined && { run: undo }),
    ...(kept > 0 && { kept }),
  };
  await savePeriod(memory, run, { period: { ...stored.period, end }, version: stored.version });
}

/** Lets the ends be carried out once more whose rows `undo`, the end of `run`, has uncovered. */
async function reopenCovered(
  connection: Pick<Connection, "clock" | "memory" | "journal">,
  run: string,
  undo: string,
): Promise<void> {
  const { clock, memory } = connection;
  for (const [id, { end }] of await memory.periods.list()) {
    if (id === run || end?.kept === undefined) continue;
    const stored = await memory.periods.read(id);
    const over = stored?.period.end?.run;
    if (stored === undefined || over === undefined) continue;
    const before = [...(stored.period.again?.before ?? []), over];
    if ((await findUncovered(connection, before, undo)).size === 0) continue;
    const again = { atMs: clock.now(), undo, before };
    await savePeriod(memory, id, {
      period: { ...stored.period, end: undefined, again },
      version: stored.version,
    });
  }
}
