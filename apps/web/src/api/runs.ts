/** Runs: plan, sending and report. */

import { z } from "zod";

import { type Problem, runId } from "./session.ts";

export interface RunCounts {
  readonly rows: number;
  readonly added: number;
  readonly updated: number;
  readonly unchanged: number;
  readonly invalid: number;
  readonly duplicate: number;
  readonly held: number;
  readonly rejected: number;
  /** Rows that are planned and not sent yet. */
  readonly waiting: number;
  readonly cancelled: number;
  /** Those of the cancelled rows with which the rest of a sending was given up. */
  readonly restCancelled: number;
  /** Rows that a person has left out of the draft; they are not among `rows`. */
  readonly excluded: number;
}

/**
 * `planning`, `planned`: nothing was sent. `queued`: it is left to the workers, and none has begun.
 * `sending`: a process is at work. `stopped`: it has begun and no process is at work. `finished`:
 * every row has its result.
 */
export type RunState = "planning" | "planned" | "queued" | "sending" | "stopped" | "finished";

/** A run that is planned from another one; nothing is sent meanwhile. */
export type Preparation = "undo" | "retry";

/** What is happening to a run. */
export interface RunActivity {
  readonly state: RunState;
  readonly stateText: string;
  /** Whether it is `stopped` because a person has paused it. */
  readonly isPaused: boolean;
  /** Whether it is `sending` because a worker has taken it out of the queue. */
  readonly isByWorker: boolean;
  /** What is planned from the run now; `null` for nothing. */
  readonly preparing: Preparation | null;
}

/** Another run that has taken back what a run has sent, or a part of it. */
export interface UndoneView {
  /** Rows that are as they were before. */
  readonly restored: number;
  /** Rows that were sent. */
  readonly sent: number;
  /** Whether rows were left, or sent afterwards. */
  readonly isPartial: boolean;
}

export interface RunUndoneView extends UndoneView {
  readonly run: string;
}

/**
 * - `proposed`: the plan carries it, and nobody has approved it; nothing happens by itself.
 * - `scheduled`: it is approved, and the sending has not begun; its start may be ahead.
 * - `open`: the run is being sent or was sent, and its end is ahead.
 * - `late`: its start or its end has passed, and no process has begun it.
 * - `ending`: the run is being taken back; a failed attempt is made again.
 * - `ended`: all that the end is about is as it was before.
 * - `left`: the run was taken back, but for rows that others have changed, that are held or failed.
 * - `idle`: there was nothing to take back, as nothing was sent or a person had taken it back.
 * - `failed`: a person must decide how the taking back goes on.
 * - `started`: it had a start only, and the run was sent or is being sent.
 */
export type PeriodState =
  | "proposed"
  | "scheduled"
  | "open"
  | "late"
  | "ending"
  | "ended"
  | "left"
  | "idle"
  | "failed"
  | "started";

/** A time of a period. */
export interface PeriodTime {
  /** ISO time. */
  readonly at: string;
  /** The same on the clock of the period's time zone, as inputs take it: `2026-12-07T00:00`. */
  readonly local: string;
  /** The same in words, always with day of the week and hour: "7 Aralık 2026 Pazartesi 00.00". */
  readonly text: string;
}

/** When a run is sent by itself, and when it is taken back by itself. */
export interface RunPeriodView {
  /** Zone of the clock by which a person has given the times, such as `Europe/Istanbul`. */
  readonly timeZone: string;
  /** `null`: the run is sent at once, or by hand. */
  readonly start: PeriodTime | null;
  /** `null`: the run is not taken back by itself. */
  readonly end: PeriodTime | null;
  /** What the end takes back of what the run has changed; `null` for all of it. */
  readonly fields: readonly { readonly field: string; readonly label: string }[] | null;
  readonly state: PeriodState;
  /** The state in one sentence with its time, such as how late it is or what is left. */
  readonly stateText: string;
  /** Whether nothing needs a person: `late`, `left` and `failed` are not healthy. */
  readonly isHealthy: boolean;
  /** The run that takes this one back; `null` until it is planned. */
  readonly endRun: string | null;
  readonly can: {
    /** Moving the start, as long as nothing is sent. */
    readonly changeStart: boolean;
    /** Moving the end or taking it away, as long as the end has not begun. */
    readonly changeEnd: boolean;
  };
}

/** What a list of actions is: answers, decisions on packages, shipping codes, shipping templates. */
export type RunActions = "answers" | "packages" | "codes" | "templates";

export interface RunSummaryView {
  readonly id: string;
  /** What made the run, in words: a file, a sync, an undo. */
  readonly kind: "import" | "retry" | "undo" | "sync";
  readonly name: string;
  readonly state: RunState;
  readonly stateText: string;
  /** Who made it, such as "Sayfa · ayse"; `null` where it is not known. */
  readonly by: string | null;
  /** Who has approved it; `null` where nobody has, or it is not known. */
  readonly approvedBy: string | null;
  /** SHA-256 of the file in hex; `null` for a run that has none, such as an undo. */
  readonly fileSha256: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly counts: RunCounts;
  /** The run that has undone this one; `null` for none. */
  readonly undoneBy: RunUndoneView | null;
  /** The run that this one undoes or retries. */
  readonly of: string | null;
  /** The draft that the run was planned from. */
  readonly draft: string | null;
  /** Whether its rows were made of products of the store. */
  readonly isOfProducts: boolean;
  /** `null` for a run that is sent by hand and stays. */
  readonly period: RunPeriodView | null;
  /** What its rows do, where they are about no products; `null` for products. */
  readonly actions: RunActions | null;
}

export interface RunView extends RunSummaryView, RunActivity {
  /** Changes with every change of the plan; an approval names the one that was shown. */
  readonly planHash: string;
  readonly plan: {
    readonly adds: number;
    readonly updates: number;
    readonly unchanged: number;
    readonly held: number;
    /** Held rows whose stock is sent all the same. */
    readonly stock: number;
    readonly invalid: number;
    readonly duplicate: number;
    /** Calls that sending needs at least. */
    readonly calls: number;
    /** The time that they take here, in words; `null` where nothing is known of it. */
    readonly duration: string | null;
    readonly callsPerHour: number | null;
  };
  /** What a list of actions will do, and what it has done, in words; `null` for products. */
  readonly deeds: { readonly will: string; readonly done: string } | null;
  /** Held rows whose stock was sent. */
  readonly stockSent: number;
  /** Rows that going on would still send: without, and with, those held for the unit of prices. */
  readonly left: { readonly rows: number; readonly withUnit: number };
  /** Notes on how the file was read, and warnings, as sentences. */
  readonly notes: readonly string[];
  readonly warnings: readonly string[];
  /** What is known of the fields of this store that the API does not document. */
  readonly capabilities: readonly { readonly field: string; readonly text: string }[];
  /** Held rows by guard, or by another reason; every held row is in at least one group. */
  readonly guards: readonly {
    readonly guard: string;
    readonly label: string;
    readonly rows: number;
  }[];
  /** Updates by changed field. */
  readonly fields: readonly {
    readonly field: string;
    readonly label: string;
    readonly rows: number;
  }[];
  /** Rows by reason, where there is one. */
  readonly reasons: readonly {
    readonly code: string;
    readonly label: string;
    readonly rows: number;
  }[];
  /** Why a sync was given up before it had a plan, in words; `null` for any other run. */
  readonly refusal: string | null;
  /** A price of the store in both units, for the question which one it is; `null` for none. */
  readonly priceUnitExample: PriceUnitExample | null;
  /** What stands in the way of sending or going on; `null` for nothing. */
  readonly problem: Problem | null;
  readonly files: readonly RunFile[];
  readonly can: {
    readonly send: boolean;
    readonly resume: boolean;
    readonly stop: boolean;
    /** Taking it out of the queue of the workers. */
    readonly unqueue: boolean;
    readonly cancelRest: boolean;
    readonly undo: boolean;
    readonly retry: boolean;
    readonly release: boolean;
  };
}

/** A price as the store lists it, and as money in either unit. */
export interface PriceUnitExample {
  readonly code: string;
  readonly shown: string;
  readonly minor: string;
  readonly major: string;
}

export interface RunFile {
  /** One of a fixed list, such as `result.xlsx`. */
  readonly name: string;
  readonly label: string;
  readonly bytes: number;
}

/** Which runs the history shows. */
export interface RunsFilter {
  /** @default every kind */
  readonly kind?: RunSummaryView["kind"] | undefined;
  /** Part of the name. @default every name */
  readonly text?: string | undefined;
  /** First and last day on which runs were made, such as `2026-11-29`, as it is in Turkey. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

export interface RunList {
  /** The newest first. */
  readonly runs: readonly RunSummaryView[];
  /** What the next page is asked for with, as `after`; `null` at the end. */
  readonly next: string | null;
}

export interface RunsQuery extends RunsFilter {
  readonly after?: string | undefined;
}

export const runsQuery: z.ZodType<RunsQuery> = z.object({
  kind: z.enum(["import", "retry", "undo", "sync"]).optional(),
  text: z.string().max(200).optional(),
  from: z.iso.date().optional(),
  to: z.iso.date().optional(),
  after: runId.optional(),
});

/** Columns by which the rows of a run can be sorted; prices are those that the buyer pays. */
const RUN_ROW_COLUMNS = [
  "row",
  "code",
  "title",
  "state",
  "old",
  "new",
  "percent",
  "stock",
  "changes",
] as const;
export type RunRowColumn = (typeof RUN_ROW_COLUMNS)[number];

/** Which rows of a run a page shows; all parts hold together. */
export interface RunRowFilter {
  readonly show?: "add" | "update" | "unchanged" | "held" | "failed" | "done" | undefined;
  readonly guard?: string | undefined;
  readonly field?: string | undefined;
  readonly code?: string | undefined;
  readonly text?: string | undefined;
  /**
   * `send`: rows that would go now; `release`: held rows that may be let go now; `stock`: held rows whose
   * stock goes all the same.
   */
  readonly can?: "send" | "release" | "stock" | undefined;
}

/** `changes`: how much a row changes. Rows without a value come last. */
export interface RunRowSort {
  readonly column: RunRowColumn;
  readonly isDescending: boolean;
}

export interface RunRowView {
  readonly row: number;
  readonly name: string;
  readonly code: string | null;
  readonly title: string | null;
  readonly state: string;
  readonly stateText: string;
  /** Whether the row would be sent now, so that it can be unticked. */
  readonly canSend: boolean;
  /** Whether the row waits for a decision, so that it can be ticked. */
  readonly isHeld: boolean;
  readonly action: "add" | "update" | null;
  /** New values of an add; old and new values of an update. */
  readonly changes: readonly {
    readonly field: string;
    readonly label: string;
    readonly before: string | null;
    readonly after: string;
    /** Signed change in percent of a price; `null` where it has none. */
    readonly percent: number | null;
  }[];
  readonly issues: readonly {
    readonly code: string;
    readonly message: string;
    readonly suggestion: string | null;
    readonly guard: string | null;
  }[];
  readonly productId: string | null;
  readonly link: string | null;
  readonly image: string | null;
}

/**
 * The times of a period, by the clock of the time zone: `2026-12-01T09:00`; a day without an hour is
 * 00:00 of that day. Refused with a message for people: an end that is not after the start, a time that
 * has passed, an hour that the clock skips or shows twice.
 */
export interface PeriodBody {
  /** `null`: at once. */
  readonly start: string | null;
  /** `null`: never. */
  readonly end: string | null;
  /** @default `Europe/Istanbul` */
  readonly timeZone?: string | undefined;
  /**
   * What the end takes back, as `RunPeriodView.fields` names it: one of the price's or discount's
   * fields stands for all of them. @default all that the run has changed
   */
  readonly fields?: readonly string[] | undefined;
}

/** What the end of a discount takes back. */
export const DISCOUNT_PERIOD_FIELDS: readonly string[] = ["has_discount"];

/** A time on the clock, with or without an hour. */
const localTime = z.string().regex(/^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2})?$/u);

export const periodBody: z.ZodType<PeriodBody> = z.object({
  start: localTime.nullable(),
  end: localTime.nullable(),
  timeZone: z.string().min(1).max(60).optional(),
  fields: z.array(z.string().min(1).max(80)).min(1).max(50).optional(),
});

/**
 * Changes an approved period (`POST runs/RUN/period`): both times as they are to be from now on. An
 * end that is `null` is taken away; a start that is `null` leaves a run that is not sent yet to be
 * sent by hand. A time that stays as it is may have passed.
 */
export interface ChangePeriodBody extends PeriodBody {
  /** The period that was seen: `at` of its start and of its end. Another one is refused. */
  readonly seen: { readonly start: string | null; readonly end: string | null };
}

const seenTime = z.iso.datetime().nullable();

export const changePeriodBody: z.ZodType<ChangePeriodBody> = z.object({
  start: localTime.nullable(),
  end: localTime.nullable(),
  timeZone: z.string().min(1).max(60).optional(),
  fields: z.array(z.string().min(1).max(80)).min(1).max(50).optional(),
  seen: z.object({ start: seenTime, end: seenTime }),
});

/** The run that a person has seen and approved. */
interface Approval {
  readonly planHash: string;
}

/** Sending a plan: the plan that was seen, and what a person decided on held and waiting rows. */
export interface ApproveBody extends Approval {
  /** Held rows that may go. */
  readonly release: readonly number[];
  /** Planned rows that must not go. */
  readonly hold: readonly number[];
  /** Number of new products to send first, and look at. @default none */
  readonly canary?: number | undefined;
  /**
   * When it is sent and taken back; `null` for at once and never. A run that carries a period is
   * approved with one or with `null`, so that no page approves times that it does not show.
   */
  readonly period?: PeriodBody | null | undefined;
}

const rows = z.array(z.number().int().positive()).max(200_000);

const approval = { planHash: z.string().max(100) };

export const approveBody: z.ZodType<ApproveBody> = z.object({
  ...approval,
  release: rows,
  hold: rows,
  canary: z.number().int().min(1).max(1_000).optional(),
  period: periodBody.nullable().optional(),
});

/** A decision on held rows of a run that was sent. */
export interface ReleaseBody {
  readonly rows: readonly number[];
  readonly decision: "send" | "cancel";
}

export const releaseBody: z.ZodType<ReleaseBody> = z.object({
  rows: rows.min(1),
  decision: z.enum(["send", "cancel"]),
});

/** The whole state of a run that is worked on; every event is one. */
export interface RunProgress extends RunActivity {
  readonly id: string;
  readonly counts: RunCounts;
  readonly perMinute: number | null;
  /** Calls an hour that are allowed; `null` where no limit is known. */
  readonly callsPerHour: number | null;
  /** Calls of the last hour, of whatever run or command. */
  readonly callsLastHour: number;
  /** ISO time; `null` where it is not known. */
  readonly endsAt: string | null;
  /** Sentence about a wait, such as "14:00'te devam edecek"; `null` where nothing waits. */
  readonly waiting: string | null;
  /** How the last process on the run ended, where it failed. */
  readonly problem: Problem | null;
}

/** A row on which a decision could not be recorded; it stays as it was. */
export interface RefusedRow {
  readonly row: number;
  readonly message: string;
}

/** The run after a decision. */
export interface DecisionResult {
  readonly run: RunView;
  readonly refused: readonly RefusedRow[];
  /**
   * Whether a command was started that sends, or the run is left to its start; nothing is sent where
   * a decision was refused.
   */
  readonly isStarted: boolean;
}

/** Going on with a run: the run that was seen, and how many rows a person has agreed to send. */
export interface ResumeBody extends Approval {
  /** One of the numbers of {@link RunView.left}. */
  readonly rows: number;
  /** Unit of the store's prices, where a person knows it: rows that wait for it are compared. */
  readonly priceUnit?: "minor" | "major" | undefined;
}

export const resumeBody: z.ZodType<ResumeBody> = z.object({
  ...approval,
  rows: z.number().int().nonnegative(),
  priceUnit: z.enum(["minor", "major"]).optional(),
});

export interface UndoBody {
  /** Sets the stock of products that the run has added to 0, as they cannot be deleted. */
  readonly zeroStock: boolean;
  /** What is taken back, as {@link RunPeriodView.fields} names it. @default all that was changed */
  readonly fields?: readonly string[] | undefined;
}

export const undoBody: z.ZodType<UndoBody> = z.object({
  zeroStock: z.boolean(),
  fields: z
    .array(z.string().regex(/^[a-z]\w{0,79}$/u))
    .min(1)
    .max(50)
    .optional(),
});

/** The run that was planned by an undo or a retry; nothing of it was sent. */
export interface PlannedRunId {
  readonly run: string;
}

/** The filter and the sort of rows as they stand in an address. */
export const runOrderQuery: z.ZodType<{
  readonly filter: RunRowFilter;
  readonly sort: RunRowSort | undefined;
}> = z
  .object({
    show: z.enum(["add", "update", "unchanged", "held", "failed", "done"]).optional(),
    guard: z.string().max(40).optional(),
    field: z.string().max(80).optional(),
    code: z.string().max(80).optional(),
    text: z.string().max(200).optional(),
    can: z.enum(["send", "release", "stock"]).optional(),
    sort: z.enum(RUN_ROW_COLUMNS).optional(),
    direction: z.enum(["up", "down"]).default("up"),
  })
  .transform(({ sort, direction, ...filter }) => ({
    filter,
    sort: sort === undefined ? undefined : { column: sort, isDescending: direction === "down" },
  }));
