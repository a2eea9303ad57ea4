/** One pass over the rows that are ready, several at a time. */

import { type Localized } from "@catalog/i18n";

import { settleRefused } from "../reconcile/reconcile.ts";
import { type RefusalTrust } from "../reconcile/refusal-trust.ts";
import { type Sampler } from "../reconcile/visibility-sampler.ts";
import { toIssue } from "../row/issue-texts.ts";
import { type RowRecord } from "../row/row-record.ts";
import { type ApplyResult } from "./apply-result.ts";
import { type ApplyRunOptions } from "./apply-run.ts";
import { type Breaker, isLostRow } from "./circuit-breaker.ts";
import { type Pause } from "./rate-limit-pause.ts";
import { type CallLimit } from "./rate-limit-scope.ts";
import { holdLooked } from "./recheck/hold-changed-row.ts";
import { createLookAhead, type LookAhead } from "./recheck/recheck-queue.ts";
import { createLooks, type LookedRow } from "./recheck/update-rechecks.ts";
import { lookAtAdds } from "./recheck/with-add-rechecks.ts";
import { sendRow, type SentRow, toHeldRow } from "./send-row.ts";
import { createRoads, type Road } from "./send-slot.ts";

/** What the passes of one run share. */
export interface Passes {
  readonly options: ApplyRunOptions & { readonly clock: NonNullable<ApplyRunOptions["clock"]> };
  readonly breaker: Breaker;
  readonly pause: Pause;
  readonly sampler: Sampler;
  readonly trust: RefusalTrust;
  readonly limit: CallLimit;
}

/** Which rows a pass sends. */
export interface PassOptions {
  /** Rows on their way at a time. */
  readonly concurrency: number;
  /** Rows that are written down while those are on their way, so that none waits for the disk. @default 0 */
  readonly ahead?: number;
  /** @default all */
  readonly most?: number;
  /** @default false */
  readonly addsOnly?: boolean;
}

/** Ready rows fetched at a time. */
const BATCH_ROWS = 100;

/** Sends ready rows until there are none, the run is stopped or the breaker opens. */
export async function drain(passes: Passes, pass: PassOptions): Promise<ApplyResult> {
  const { options, breaker, pause } = passes;
  const { stop } = options;
  const lanes = pass.concurrency + (pass.ahead ?? 0);
  const rows = lookAhead(passes, pass, lanes);
  let hasFailed = false;

  const mayGoOn = (): boolean => !hasFailed && stop?.aborted !== true && breaker.end === undefined;

  const mayLeave = (): boolean => mayGoOn() && !pause.isOn;
  const newRoad = createRoads({ ...options, concurrency: pass.concurrency, mayLeave });

  const sendNext = async (): Promise<boolean> => {
    await pause.over();
    const next = await rows.next();
    if (next === undefined || !mayGoOn()) return false;
    const road = newRoad();
    try {
      await sendOne(passes, next, road);
    } finally {
      next.close();
      road.place.leave();
    }
    return mayGoOn();
  };
  const work = async (): Promise<void> => {
    try {
      while (await sendNext());
    } catch (error) {
      hasFailed = true;
      throw error;
    }
  };
  // Every worker comes to its end before a failure of one is passed on: nothing is left in flight.
  const ends = await Promise.allSettled(Array.from({ length: lanes }, work));
  await rows.close();
  for (const end of ends) if (end.status === "rejected") throw end.reason;
  if (breaker.end !== undefined) return breaker.end;
  return { end: stop?.aborted === true ? "stopped" : "finished" };
}

/** The rows of a pass, looked at one by one or many at a time; what has changed is held. */
function lookAhead(
  { options, pause }: Passes,
  { most, addsOnly = false }: PassOptions,
  lanes: number,
): LookAhead {
  const hold = async (row: LookedRow): Promise<void> => {
    if (row.verdict.kind === "go") return;
    const words = await holdLooked(options, { record: row.record, verdict: row.verdict });
    row.close();
    options.onRow?.(toHeldRow(row.record, words));
  };
  return createLookAhead({
    rows: readyRows(options, addsOnly),
    looks: lookAtAdds({ ...options, looks: createLooks(options), adds: options.look.adds }),
    lanes,
    most,
    mayRead: () => pause.over(),
    hold,
    stop: options.stop,
  });
}

/** Others have had time to add what we are about to. */
const LONG_PAUSE_MS = 5_000;

const LOST: Localized = { tr: "bir yanıt alınamadı.", en: "an answer was lost." };

/** Sends a row; a refusal that must be looked up first is looked up before anything else is sent. */
async function sendOne(passes: Passes, row: LookedRow, road: Road): Promise<void> {
  const { options, breaker, sampler, trust } = passes;
  if (await holdGivenUp(passes, row)) return;
  const sent = await sendRow({ ...options, trust, road, looked: row }, row.record);
  if (sent.isTurnedBack === true) return;
  await waitForLimit(passes, sent, road);
  const settled = await settleDoubt(options, sent);
  breaker.note(settled);
  if (isLostRow(settled) && (await sampler.read()).verdict === "blind")
    breaker.open(settled.words ?? LOST);
  options.onRow?.(settled);
  await sampler.note(settled);
}

async function waitForLimit(
  { options, pause, limit }: Passes,
  { row, state, claim, limit: limited, words = LOST }: SentRow,
  road: Road,
): Promise<void> {
  if (limited === undefined) {
    if (state === "done" || state === "rejected" || claim === "rejected") limit.passed();
    return;
  }
  const waitMs = limit.refused({ row, words, isPaused: pause.isOn, ...limited });
  pause.begin(waitMs);
  // Whoever waits for it is turned back rather than kept until the pause is over.
  road.place.leave();
  await pause.over();
  if (waitMs >= LONG_PAUSE_MS) options.look.adds?.expire();
}

/** Holds a row that is refused for too many calls while all others go through. */
async function holdGivenUp(
  { options, limit }: Passes,
  { record }: Pick<LookedRow, "record">,
): Promise<boolean> {
  const { row, code } = record;
  const words = limit.givenUp(row);
  if (words === undefined) return false;
  const { runId, journal, sheet, onRow } = options;
  const place = { sheet, row, column: "", cell: "", value: code ?? "" };
  const issue = toIssue("E_REFUSED_OFTEN", place, words);
  await journal.settle(
    { runId, row, from: "ready" },
    { to: "held", cause: "refused-often", issues: [issue], note: issue.message.en },
  );
  onRow?.(toHeldRow(record, issue.message));
  return true;
}

/** An update is read back at the end of the pass, with others; an add before anything else is sent. */
async function settleDoubt(options: Passes["options"], sent: SentRow): Promise<SentRow> {
  const { runId, stop } = options;
  const isOpen = sent.claim !== undefined && sent.action === "add";
  if (!isOpen || stop?.aborted === true) return sent;
  const key = { runId, row: sent.row };
  const state = await settleRefused({ ...options, mayWait: true, signal: stop }, key);
  return { ...sent, state };
}

/** Rows that are ready now, in the order of the sheet, fetched as they are needed. */
async function* readyRows(
  { journal, runId }: Passes["options"],
  addsOnly: boolean,
): AsyncGenerator<RowRecord> {
  const action = addsOnly ? "add" : undefined;
  let after = 0;
  for (;;) {
    const filter = { states: ["ready"], action, after, limit: BATCH_ROWS } as const;
    const rows = await journal.readRows(runId, filter);
    const last = rows.at(-1);
    if (last === undefined) return;
    yield* rows;
    after = last.row;
  }
}
