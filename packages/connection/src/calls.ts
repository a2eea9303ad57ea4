/** What is kept of calls: how each ended, their number and time by minute, their spans, and the fields that
 * were left out of answers. */

import type { CallRecord, OmittedField } from "@catalog/client";
import type { Clock } from "@catalog/clock";
import { endpoints } from "@catalog/contract";
import type { Store } from "@catalog/database";
import type { RunWarning, RunRecord } from "@catalog/runs";

/**
 * What became of a call:
 *
 * - `ok`: the marketplace answered with a status of 2xx.
 * - `limited`: it refused the call as one too many (429).
 * - `refused`: it refused it for another reason (3xx, 4xx).
 * - `failed`: it failed itself (5xx).
 * - `lost`: the request left, and no answer came.
 * - `aborted`: the request left, and this side ended it, as its answer was not needed any more.
 * - `unsent`: no byte of the request left this machine.
 */
type CallOutcome = "ok" | "limited" | "refused" | "failed" | "lost" | "aborted" | "unsent";

const TOO_MANY_CALLS = 429;

/** Tells what became of a call, by what is known without its answer's content. */
export function toCallOutcome({
  status,
  phase,
  isAborted = false,
}: Pick<CallRecord, "status" | "phase" | "isAborted">): CallOutcome {
  if (phase === "none") return "unsent";
  if (isAborted) return "aborted";
  if (status === undefined) return "lost";
  if (status === TOO_MANY_CALLS) return "limited";
  if (status < 300) return "ok";
  return status < 500 ? "refused" : "failed";
}

type CallMinute = Parameters<Store["callLog"]["add"]>[1][number];

/** Counts calls and their time. */
export interface CallCounter {
  /** Calls so far, by kind. */
  counts(): RunRecord["requests"];
  /** Mean time of one call, in milliseconds. */
  meanMs(): number;
  /**
   * How far this machine's clock is ahead of the marketplace's, in milliseconds, by the last few
   * answers; `undefined` before the first one.
   */
  clockAheadMs(): number | undefined;
  /** Minutes of the latest `calls` calls, the latest minute first. */
  latestMinutes(calls: number): Promise<readonly CallMinute[]>;
}

interface CallCounting extends CallCounter {
  readonly note: (call: CallRecord) => void;
  readonly serverTimeMs: () => number | undefined;
}

/**
 * The median of the last few answer times serves as the marketplace's clock, because its machines
 * may differ.
 */
const SERVER_TIMES = 5;

const MINUTE_MS = 60_000;

const median = (values: readonly number[]): number | undefined =>
  values.toSorted((a, b) => a - b)[values.length >> 1];

/** A minute whose limit may still be read from the database. */
interface CountedMinute extends Pick<CallMinute, "minute"> {
  calls: number;
  readonly perHour: Promise<number | null>;
}

/** `callsPerHour` reads the limit that holds now; it is called once a minute. */
export function createCallCounter(
  clock: Clock,
  callsPerHour: () => Promise<number | undefined>,
): CallCounting {
  const counts = { token: 0, read: 0, write: 0 };
  let totalMs = 0;
  let serverTimes: readonly number[] = [];
  let aheads: readonly number[] = [];
  const minutes: CountedMinute[] = [];

  const readPerHour = async (): Promise<number | null> => {
    try {
      return (await callsPerHour()) ?? null;
    } catch {
      // The call was made; a database that refuses fails the next one.
      return null;
    }
  };
  const noteMinute = (): void => {
    const minute = Math.floor(clock.now() / MINUTE_MS);
    const latest = minutes.at(-1);
    if (latest?.minute === minute) latest.calls += 1;
    else minutes.push({ minute, calls: 1, perHour: readPerHour() });
  };
  return {
    serverTimeMs: () => median(serverTimes),
    clockAheadMs: () => median(aheads),
    counts: () => ({ ...counts }),
    meanMs: () => totalMs / Math.max(1, counts.token + counts.read + counts.write),
    latestMinutes: (calls) => takeLatest(minutes, calls),
    note(call) {
      const { serverTimeMs } = call;
      if (serverTimeMs !== undefined) {
        serverTimes = [...serverTimes, serverTimeMs].slice(-SERVER_TIMES);
        aheads = [...aheads, clock.now() - serverTimeMs].slice(-SERVER_TIMES);
      }
      // A call that never left this machine is not counted, as the marketplace has not seen it
      // either.
      if (call.phase === "none") return;
      counts[call.kind] += 1;
      totalMs += call.durationMs;
      noteMinute();
    },
  };
}

async function takeLatest(
  minutes: readonly CountedMinute[],
  calls: number,
): Promise<readonly CallMinute[]> {
  const taken: CallMinute[] = [];
  let left = calls;
  for (let at = minutes.length - 1; at >= 0 && left > 0; at -= 1) {
    const minute = minutes[at];
    if (minute === undefined) break;
    const { calls: made } = minute;
    taken.push({ ...minute, calls: Math.min(left, made), perHour: await minute.perHour });
    left -= made;
  }
  return taken;
}

/** Attributes of a span. They hold no secret, no product and no text of a file. */
type SpanAttributes = Readonly<Record<string, string | number>>;

/** A span that begins. */
export interface SpanStart<Result> {
  readonly name: string;
  /** @default none */
  readonly attributes?: SpanAttributes | undefined;
  /** Attributes that are known at the end. @default none */
  readonly toAttributes?: ((result: Result) => SpanAttributes) | undefined;
}

/** A call that has ended, without its input, its token and its answer. */
interface TracedCall {
  readonly method: string;
  /** Path with the names of its parameters, such as `/product/add/store/:storeId`. */
  readonly path: string;
  readonly outcome: CallOutcome;
  readonly status: number | undefined;
  /** Counted from 1, retries included. */
  readonly attempt: number;
  readonly startedAtMs: number;
  readonly endedAtMs: number;
}

/** Where spans go. */
export interface Tracing {
  /** Runs work as a span; spans that begin within it are its children. */
  span<Result>(span: SpanStart<Result>, work: () => Promise<Result>): Promise<Result>;
  /** Records a call as a child of the span that is under way. Never throws. */
  call(call: TracedCall): void;
}

/** Describes an ended call by the table of endpoints. */
export function toTracedCall(call: CallRecord, endedAtMs: number): TracedCall {
  const { endpoint, status, attempt, durationMs } = call;
  const [resource = "", name = ""] = endpoint.split(".");
  const rows: Readonly<Record<string, object>> = { ...endpoints };
  const row: unknown = Object.entries(rows[resource] ?? {}).find(([key]) => key === name)?.[1];
  return {
    ...(isRow(row) ? { method: row.method, path: row.path } : { method: "GET", path: endpoint }),
    outcome: toCallOutcome(call),
    status,
    attempt,
    startedAtMs: endedAtMs - durationMs,
    endedAtMs,
  };
}

const isRow = (row: unknown): row is Pick<TracedCall, "method" | "path"> =>
  typeof row === "object" && row !== null && "method" in row && "path" in row;

/** The fields that were left out of answers. */
export interface OmittedFields {
  note(left: OmittedField): void;
  /** One warning for each field, in the order of first occurrence. */
  warnings(): readonly RunWarning[];
}

/** Creates an empty record of omitted fields. */
export function createOmittedFields(): OmittedFields {
  const met = new Map<string, OmittedField>();
  return {
    note(left) {
      met.set(`${left.endpoint} ${left.field}`, left);
    },
    warnings: () => [...met.values()].map(toWarning),
  };
}

function toWarning({ endpoint, field }: OmittedField): RunWarning {
  const isTotal = field === "total";
  const message = isTotal
    ? {
        tr: `Pazaryerinin ${endpoint} yanıtındaki “total” bir sayı değil; sayfalar onsuz, sonuna kadar okundu. Sürerse pazaryerine bildirin.`,
        en: `The “total” in the marketplace's answers to ${endpoint} is no number; the pages were read to their end without it. Tell the marketplace if it stays so.`,
      }
    : {
        tr: `Pazaryerinin ${endpoint} yanıtındaki bazı “${field}” değerleri okunamadı; o ürünler bu alan olmadan okundu ve bu alan karşılaştırılmadı. Sürerse pazaryerine bildirin.`,
        en: `Some “${field}” values in the marketplace's answers to ${endpoint} cannot be read; those products were read without this field, and it was not compared. Tell the marketplace if it stays so.`,
      };
  return { code: "W_ANSWER_LEFT_OUT", message };
}
