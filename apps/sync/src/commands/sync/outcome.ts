/** The outcome of one sync, for people, scripts and monitoring. */

import { EXIT } from "@catalog/console";
import type { SyncResult } from "@catalog/importer";
import { type Counts, toCounts } from "@catalog/runs";

/** Outcome of a sync without secrets: counts, codes and the id of its run. */
export interface Outcome {
  readonly state: "planned" | "finished" | "stopped" | "failed";
  readonly exit: number;
  readonly run: string | null;
  readonly counts: Counts;
  readonly unknownCodes: number;
  /** Stable code of the refusal or stop. */
  readonly code: string | null;
  /** The fields that the feed gave. @default it was not read */
  readonly fields?: readonly string[] | undefined;
  /** The failure in words. @default there is none */
  readonly message?: string;
}

/** The keys of an outcome in documents, which are a public contract. */
export const toOutcomeKeys = ({
  state,
  exit,
  code,
  run,
  counts,
  unknownCodes,
}: Outcome): OutcomeKeys => ({ state, exit, code, run, counts, unknown_codes: unknownCodes });

interface OutcomeKeys extends Pick<Outcome, "state" | "exit" | "code" | "run" | "counts"> {
  readonly unknown_codes: number;
}

const STOPS = {
  stopped: [EXIT.interrupted, "E_INTERRUPTED"],
  breaker: [EXIT.stopped, "E_BREAKER"],
  "too-many-rejected": [EXIT.stopped, "E_TOO_MANY_REJECTED"],
  // No feed has a canary or a period; the table lists every end of a run.
  canary: [EXIT.stopped, "E_CANARY"],
  period: [EXIT.stopped, "E_PERIOD_OVER"],
  login: [EXIT.login, "AUTH_ERROR"],
  permission: [EXIT.login, "PERMISSION_ERROR"],
} as const satisfies Record<
  Exclude<SyncResult["end"], "finished">,
  readonly [exit: number, code: string]
>;

interface OutcomeOptions {
  /** Whether unknown codes are accepted as they are. @default false */
  readonly ignoresUnknownCodes?: boolean | undefined;
  /** Whether new products are kept in a draft, as a sync that is only tried would do. @default false */
  readonly keepsNew?: boolean | undefined;
}

/** The outcome of a sync that was run, or tried. */
export function toOutcome(
  { run, end, counts, unknownCodes, draft, isQuestioned, fields }: SyncResult,
  { ignoresUnknownCodes = false, keepsNew = false }: OutcomeOptions = {},
): Outcome {
  const given = fields && Object.keys(fields);
  const base = { run: run?.id ?? null, counts, unknownCodes, fields: given };
  if (end !== "finished") {
    const [exit, code] = STOPS[end];
    return { ...base, state: "stopped", exit, code };
  }
  const isTried = run?.settings.isDryRun === true;
  const isDrafted = draft !== null || (isTried && keepsNew);
  const known = { counts, unknownCodes, isQuestioned };
  const done = judge(known, { isTried, isDrafted, ignoresUnknownCodes });
  return { ...base, ...done, ...(isTried && { state: "planned" }) };
}

function judge(
  {
    counts,
    unknownCodes,
    isQuestioned,
  }: Pick<SyncResult, "counts" | "unknownCodes" | "isQuestioned">,
  how: Record<"isTried" | "isDrafted" | "ignoresUnknownCodes", boolean>,
): ReturnType<typeof finished> {
  // The rows of a try stay unsent; its exit code is that of the sync which would have sent them.
  const sent = how.isTried ? { ...counts, updated: counts.pending, pending: 0 } : counts;
  if (!how.isDrafted)
    return finished(sent, isQuestioned, how.ignoresUnknownCodes ? unknownCodes : 0);
  // New products that wait in a draft are no wrong rows of the feed.
  const [rows, invalid] = [sent.rows - unknownCodes, sent.invalid - unknownCodes];
  return finished({ ...sent, rows, invalid }, isQuestioned, 0);
}

/** `accepted` of the invalid rows are none that a person has to look at. */
function finished(
  counts: Counts,
  isQuestioned: boolean,
  accepted: number,
): Pick<Outcome, "state" | "exit" | "code"> {
  if (counts.pending + counts.unknown > 0) {
    return { state: "stopped", exit: EXIT.stopped, code: "E_PENDING" };
  }
  const { invalid, duplicate, rejected, held, rows } = counts;
  const bad = invalid - accepted + duplicate + rejected + held;
  // No row of the feed was valid, so none was sent.
  if (rows > 0 && invalid + duplicate === rows) {
    return { state: "finished", exit: EXIT.nothingSent, code: null };
  }
  const exit = bad > 0 || isQuestioned ? EXIT.someFailed : EXIT.done;
  return { state: "finished", exit, code: null };
}

/** The outcome of a sync that failed with an error. */
export const toFailedOutcome = (exit: number, code: string): Outcome => ({
  state: "failed",
  exit,
  run: null,
  counts: toCounts([]),
  unknownCodes: 0,
  code,
});
