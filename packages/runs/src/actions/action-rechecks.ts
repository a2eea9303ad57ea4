/**
 * Rechecks the subjects of actions shortly before they are sent. One reading shows many subjects, so
 * it serves all rows that are sent while it is recent.
 */

import type { Clock } from "@catalog/clock";

import {
  ACTIONS,
  isAction,
  type ActionPort,
  type SubjectKind,
  type SubjectView,
} from "../ports/action.ts";
import type { Ledger } from "../ports/journal.ts";
import { isManualRelease, type RowRecord } from "../row/row-record.ts";
import { RECHECK_MAX_AGE_MS } from "../send/recheck-limits.ts";
import type { RecheckedRow, Rechecks, RecheckVerdict } from "../send/update-rechecks.ts";
import { describeMoved, fromShown, judgeView } from "./judge-view.ts";

interface ActionRechecksOptions {
  readonly runId: string;
  readonly journal: Pick<Ledger, "readActions" | "readCopySuspicion" | "readEvents">;
  readonly actions: ActionPort;
  readonly clock: Pick<Clock, "now">;
  /** Calls an hour that are allowed now. @default unlimited */
  readonly callsPerHour?: (() => number | undefined) | undefined;
  /** @default {@link RECHECK_MAX_AGE_MS} */
  readonly maxAgeMs?: number | undefined;
  readonly stop?: AbortSignal | undefined;
}

/** Under a limit of calls, readings take no more than this part of it. */
const READING_SHARE = 0.2;

const HOUR_MS = 3_600_000;

/** What the latest reading of a kind of subjects has shown. */
interface Reading {
  readonly views: ReadonlyMap<string, SubjectView | undefined>;
  readonly atMs: number;
  /** How long it took; it waits for the rate limit, too. */
  readonly tookMs: number;
  readonly calls: number;
}

/** Creates the rechecks of rows with actions. */
export function createActionRechecks(options: ActionRechecksOptions): Rechecks {
  const { actions, clock, stop, maxAgeMs = RECHECK_MAX_AGE_MS } = options;
  const readings = new Map<SubjectKind, Reading>();
  /** The reading under way, which further rows wait for. */
  let reading: Promise<void> = Promise.resolve();

  const isYoung = ({ atMs, tookMs, calls }: Reading): boolean => {
    const perHour = options.callsPerHour?.() ?? Infinity;
    const ageMs = clock.now() - atMs;
    const mayAgeMs = Math.max(maxAgeMs, (calls / (READING_SHARE * perHour)) * HOUR_MS);
    // A reading from the future was made before the clock was put back.
    // A look that takes longer than it is valid would never be of use.
    return ageMs >= 0 && ageMs <= mayAgeMs + tookMs;
  };
  const find = (record: RowRecord): Reading | undefined => {
    const found = readings.get(subjectKind(record));
    return found !== undefined && isYoung(found) && found.views.has(record.code ?? "")
      ? found
      : undefined;
  };
  const read = async (records: readonly RowRecord[], signal?: AbortSignal): Promise<void> => {
    const stale = records.filter((record) => find(record) === undefined);
    for (const [kind, of] of Map.groupBy(stale, subjectKind)) {
      const ids = of.map(({ code }) => code ?? "");
      const atMs = clock.now();
      const { views, calls } = await actions.readSubjects(kind, ids, signal);
      const known = new Map<string, SubjectView | undefined>(ids.map((id) => [id, undefined]));
      const before = readings.get(kind);
      const kept = before !== undefined && isYoung(before) ? before : undefined;
      readings.set(kind, {
        views: new Map([...(kept?.views ?? []), ...known, ...views]),
        // Subjects of an earlier reading are as old as that.
        atMs: kept?.atMs ?? atMs,
        tookMs: Math.max(0, clock.now() - atMs),
        calls: calls + (kept?.calls ?? 0),
      });
    }
  };
  const readInTurn = async (records: readonly RowRecord[], signal?: AbortSignal): Promise<void> => {
    const mine = reading.then(() => read(records, signal));
    reading = mine.catch(() => undefined);
    await mine;
  };
  /** Without a reading nothing is known; the row is not fresh, so that it does not leave. */
  const judgeAt = async (record: RowRecord, at: Reading | undefined): Promise<RecheckVerdict> =>
    at === undefined
      ? { kind: "go" }
      : await judge(options, record, at.views.get(record.code ?? ""));
  const open = async (record: RowRecord): Promise<RecheckedRow> => {
    let at = find(record);
    let verdict = await judgeAt(record, at);
    return {
      record,
      get verdict() {
        return verdict;
      },
      isFresh: () => at !== undefined && isYoung(at),
      async renew() {
        await readInTurn([record], stop);
        at = find(record);
        verdict = await judgeAt(record, at);
      },
      close: () => undefined,
    };
  };

  return {
    async open(records, signal) {
      await readInTurn(records, signal);
      return await Promise.all(records.map(open));
    },
  };
}

function subjectKind({ action }: RowRecord): SubjectKind {
  if (!isAction(action)) throw new Error(`a row with ${action} has no subject`);
  return ACTIONS[action].subject;
}

async function judge(
  options: ActionRechecksOptions,
  record: RowRecord,
  view: SubjectView | undefined,
): Promise<RecheckVerdict> {
  const found = judgeView(record, view);
  if (found === "hidden" && (await isOfCopy(options, record))) {
    return { kind: "subject", code: "E_ACTION_UNSEEN", words: { tr: "", en: "" } };
  }
  if (found === "before" || found === "hidden") {
    const rival = view === undefined ? await findRival(options, record) : undefined;
    if (rival === undefined) return { kind: "go" };
    return { kind: "subject", code: "E_ACTION_TAKEN", words: { tr: rival, en: rival } };
  }
  const words = describeMoved(record, view);
  if (found === "moved") {
    const changes = fromShown(record.changes, view);
    return { kind: "subject", code: "E_ACTION_CHANGED", words, changes };
  }
  if (found === "reached") return { kind: "subject", code: "E_ACTION_DONE", words };
  if (await wasReleasedAsGone(options, record)) return { kind: "go" };
  const id = record.code ?? "";
  return { kind: "subject", code: "E_ACTION_GONE", words: { tr: id, en: id } };
}

/**
 * The run that has created the same template since the plan, which the store may show late; none
 * where a person has released the row.
 */
async function findRival(
  { journal, runId }: ActionRechecksOptions,
  { row, codeKey }: RowRecord,
): Promise<string | undefined> {
  const known = await journal.readActions([codeKey ?? ""]);
  const rival = known.find((one) => one.runId !== runId && one.action === "create-template");
  if (rival === undefined) return undefined;
  const events = await journal.readEvents({ runId, row });
  return events.some(isManualRelease) ? undefined : rival.runId;
}

/**
 * Whether a database that this one has replaced may have sent the row, which the store would not
 * show, and no person has released it since.
 */
async function isOfCopy(
  { journal, runId }: ActionRechecksOptions,
  { row }: RowRecord,
): Promise<boolean> {
  const { restoredSeq } = await journal.readCopySuspicion(runId);
  if (restoredSeq === null) return false;
  const events = await journal.readEvents({ runId, row });
  return !events.some((event) => isManualRelease(event) && event.seq >= restoredSeq);
}

/** Says whether a person has released the row although no listing had its subject. */
async function wasReleasedAsGone(
  { journal, runId }: ActionRechecksOptions,
  { row }: RowRecord,
): Promise<boolean> {
  const events = await journal.readEvents({ runId, row });
  const at = events.findLastIndex(({ to }) => to === "held");
  return events[at]?.evidence["isGone"] === true && events.slice(at).some(isManualRelease);
}

/** Rechecks rows with actions by one part, and all other rows by the other. */
export function withActionRechecks(rechecks: Rechecks, actions: Rechecks | undefined): Rechecks {
  if (actions === undefined) return rechecks;
  return {
    async open(records, signal) {
      const [mine, others] = [
        records.filter(({ action }) => isAction(action)),
        records.filter(({ action }) => !isAction(action)),
      ];
      if (mine.length === 0) return await rechecks.open(records, signal);
      const opened = await actions.open(mine, signal);
      if (others.length === 0) return opened;
      const rows = [...opened, ...(await rechecks.open(others, signal))];
      return rows.toSorted((a, b) => a.record.row - b.record.row);
    },
  };
}
