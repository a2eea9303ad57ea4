/**
 * The documents of the interface for programs. They are versions of their own and not those of the
 * page: a key stays what it is for as long as `/v1` is served, whatever the page needs.
 */

import { LOOKUP_KINDS } from "@catalog/importer/lookup-kinds";
import { type Role, ROLES } from "@catalog/team";
import { z } from "zod";

import type {
  RunCounts,
  RunFile,
  RunRowView,
  RunState,
  RunSummaryView,
  RunView,
} from "../../api/runs.ts";
import { runId, scheduleId } from "../../api/session.ts";
import { EXPORT_KINDS, type ExportView } from "../../api/work.ts";

/** Every answer that is not 2xx, as `application/problem+json` (RFC 9457). */
export interface ProblemDocument {
  readonly type: "about:blank";
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  /** Stable code, such as `E_PLAN_STALE`. */
  readonly code: string;
}

const problem: z.ZodType<ProblemDocument> = z.object({
  type: z.literal("about:blank"),
  title: z.string().describe("Name of the HTTP status"),
  status: z.number().int(),
  detail: z.string().describe("A sentence for people, in the language that was asked for"),
  code: z.string().describe("Stable code, such as E_PLAN_STALE"),
});

const failure = z.object({ code: z.string(), message: z.string() });

/** What the key of the request may do. */
interface KeyDocument {
  readonly name: string;
  readonly person: string;
  readonly store: string;
  readonly role: Role;
}

const key: z.ZodType<KeyDocument> = z.object({
  name: z.string(),
  person: z.string().describe("In whose name the key acts"),
  store: z.string().describe("Name of the only store that the key is for"),
  role: z.enum(ROLES).describe("The lesser one of the key's role and the person's"),
});

const count = z.number().int().nonnegative();

type DocumentCounts = Omit<RunCounts, "restCancelled" | "excluded">;

const counts: z.ZodType<DocumentCounts> = z.object({
  rows: count,
  added: count,
  updated: count,
  unchanged: count,
  invalid: count,
  duplicate: count,
  held: count.describe("Rows that wait for a decision"),
  rejected: count,
  waiting: count.describe("Rows that are planned and not sent yet"),
  cancelled: count,
});

/** A run, from its plan to its report. */
export interface RunDocument extends Pick<
  RunSummaryView,
  "id" | "kind" | "name" | "by" | "approvedBy" | "createdAt" | "updatedAt" | "of"
> {
  /** `failed`: no plan was made, and the problem says why. */
  readonly state: RunState | "failed";
  readonly counts: DocumentCounts;
  /** What an approval names; `null` until the plan is made. */
  readonly planHash: string | null;
  readonly plan: Pick<
    RunView["plan"],
    "adds" | "updates" | "unchanged" | "held" | "invalid" | "duplicate" | "calls"
  >;
  readonly held: RunView["guards"];
  readonly reasons: RunView["reasons"];
  readonly notes: readonly string[];
  readonly warnings: readonly string[];
  readonly problem: { readonly code: string; readonly message: string } | null;
  readonly files: readonly RunFile[];
  readonly can: {
    readonly approve: boolean;
    readonly resume: boolean;
    readonly stop: boolean;
    readonly undo: boolean;
  };
  readonly links: {
    readonly self: string;
    readonly rows: string;
    readonly events: string;
    readonly approve: string;
    readonly comments: string;
    /** Where people see it. */
    readonly page: string;
  };
}

const RUN_STATES = [
  "planning",
  "planned",
  "queued",
  "sending",
  "stopped",
  "finished",
  "failed",
] as const;
const RUN_KINDS = ["import", "retry", "undo", "sync"] as const;

const grouped = { label: z.string(), rows: count };
const time = z.iso.datetime();

const run: z.ZodType<RunDocument> = z.object({
  id: runId,
  kind: z.enum(RUN_KINDS),
  name: z.string(),
  state: z.enum(RUN_STATES).describe("failed: no plan was made; the problem says why"),
  by: z.string().nullable().describe("Who made it"),
  approvedBy: z.string().nullable().describe("Who has approved it; null where nobody has yet"),
  createdAt: time,
  updatedAt: time,
  of: z.string().nullable().describe("The run that this one undoes or retries"),
  counts,
  planHash: z.string().nullable().describe("Names the plan that was seen, in its approval"),
  plan: z.object({
    adds: count,
    updates: count,
    unchanged: count,
    held: count,
    invalid: count,
    duplicate: count,
    calls: count.describe("Calls that sending needs at least"),
  }),
  held: z.array(z.object({ guard: z.string(), ...grouped })).describe("Held rows by their reason"),
  reasons: z.array(z.object({ code: z.string(), ...grouped })).describe("Rows by code"),
  notes: z.array(z.string()),
  warnings: z.array(z.string()),
  problem: failure.nullable(),
  files: z.array(z.object({ name: z.string(), label: z.string(), bytes: count })),
  can: z
    .object({
      approve: z.boolean(),
      resume: z.boolean(),
      stop: z.boolean(),
      undo: z.boolean(),
    })
    .describe("What the state of the run allows; the role of the key decides as well"),
  links: z.object({
    self: z.string(),
    rows: z.string(),
    events: z.string(),
    approve: z.string(),
    comments: z.string(),
    page: z.string().describe("Where people see it, and approve it"),
  }),
});

/** The newest first. */
interface RunsDocument {
  readonly runs: readonly Pick<
    RunDocument,
    "id" | "kind" | "name" | "state" | "by" | "createdAt" | "updatedAt" | "of" | "counts"
  >[];
  readonly next: string | null;
}

const NEXT = "What the next page is asked for with, as after; null at the end";

const runs: z.ZodType<RunsDocument> = z.object({
  runs: z.array(
    z.object({
      id: runId,
      kind: z.enum(RUN_KINDS),
      name: z.string(),
      state: z.enum(RUN_STATES),
      by: z.string().nullable(),
      createdAt: time,
      updatedAt: time,
      of: z.string().nullable(),
      counts,
    }),
  ),
  next: z.string().nullable().describe(NEXT),
});

type RowDocument = Pick<
  RunRowView,
  "row" | "code" | "title" | "state" | "action" | "changes" | "issues" | "productId"
> & { readonly isHeld: boolean };

interface RowsDocument {
  readonly rows: readonly RowDocument[];
  readonly total: number;
  readonly next: number | null;
}

const row: z.ZodType<RowDocument> = z.object({
  row: z.number().int().describe("As the file numbers it; rows of JSON count from 1"),
  code: z.string().nullable(),
  title: z.string().nullable(),
  state: z.string().describe("added, updated, unchanged, invalid, held, rejected, pending, …"),
  action: z.enum(["add", "update"]).nullable(),
  changes: z.array(
    z.object({
      field: z.string(),
      label: z.string(),
      before: z.string().nullable(),
      after: z.string(),
      percent: z.number().nullable().describe("Change of a price in percent"),
    }),
  ),
  issues: z.array(
    z.object({
      code: z.string(),
      message: z.string(),
      suggestion: z.string().nullable(),
      guard: z.string().nullable(),
    }),
  ),
  productId: z.string().nullable(),
  isHeld: z.boolean(),
});

const rows: z.ZodType<RowsDocument> = z.object({
  rows: z.array(row),
  total: count,
  next: z.number().int().nullable().describe(NEXT),
});

/** What is said of a run, such as why it should be approved. */
interface CommentDocument {
  readonly id: number;
  readonly row: number | null;
  readonly text: string;
  readonly at: string;
}

const comment: z.ZodType<CommentDocument> = z.object({
  id: z.number().int(),
  row: z.number().int().nullable(),
  text: z.string(),
  at: time,
});

/** How far a run is; every event of a run is one. */
interface ProgressDocument {
  readonly id: string;
  readonly state: RunState;
  readonly counts: DocumentCounts;
  readonly perMinute: number | null;
  readonly endsAt: string | null;
  readonly waiting: string | null;
  readonly problem: { readonly code: string; readonly message: string } | null;
}

const progress: z.ZodType<ProgressDocument> = z.object({
  id: runId,
  state: z.enum(["planning", "planned", "queued", "sending", "stopped", "finished"]),
  counts,
  perMinute: z.number().nullable(),
  endsAt: z.string().nullable(),
  waiting: z.string().nullable().describe("What it waits for, in words"),
  problem: failure.nullable(),
});

type ExportDocument = Omit<ExportView, "problem"> & {
  readonly problem: { readonly code: string; readonly message: string } | null;
};

const exported: z.ZodType<ExportDocument> = z.object({
  id: z.string(),
  kind: z.enum(EXPORT_KINDS),
  name: z.string(),
  text: z.string().describe("The kind and its filters in words"),
  createdAt: time,
  state: z.enum(["running", "done", "failed"]),
  bytes: count.nullable(),
  rows: count.nullable(),
  notes: z.array(z.string()),
  problem: failure.nullable(),
});

const exports: z.ZodType<{ readonly exports: readonly ExportDocument[] }> = z.object({
  exports: z.array(exported),
});

/** A feed that is synced at set times. */
export interface ScheduleDocument {
  readonly id: string;
  readonly feed: string;
  readonly cron: string;
  readonly timeZone: string;
  readonly times: string;
  readonly owner: string | null;
  readonly isOwnerGone: boolean;
  readonly state: "active" | "paused";
  readonly isShadow: boolean;
  readonly isRunning: boolean;
  readonly nextAt: string | null;
  readonly succeededAt: string | null;
  readonly isHealthy: boolean;
  readonly problem: { readonly code: string | null; readonly message: string } | null;
}

const schedule: z.ZodType<ScheduleDocument> = z.object({
  id: scheduleId,
  feed: z.string().describe("The address without its secret parts, or the name of a file"),
  cron: z.string(),
  timeZone: z.string(),
  times: z.string().describe("The times in words"),
  owner: z.string().nullable().describe("Who answers for it; null for one of the terminal"),
  isOwnerGone: z.boolean().describe("Whether that person may not approve any more"),
  state: z.enum(["active", "paused"]),
  isShadow: z.boolean().describe("Whether it sends nothing and shows what it would send"),
  isRunning: z.boolean(),
  nextAt: time.nullable(),
  succeededAt: time.nullable(),
  isHealthy: z.boolean(),
  problem: z.object({ code: z.string().nullable(), message: z.string() }).nullable(),
});

const schedules: z.ZodType<{ readonly schedules: readonly ScheduleDocument[] }> = z.object({
  schedules: z.array(schedule),
});

interface LookupsDocument {
  readonly results: readonly {
    readonly id: string;
    readonly name: string;
    readonly path?: string | undefined;
    readonly match: "exact" | "similar" | "listed";
  }[];
  readonly total: number;
}

const lookups: z.ZodType<LookupsDocument> = z.object({
  results: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      path: z.string().optional(),
      match: z.enum(["exact", "similar", "listed"]),
    }),
  ),
  total: count,
});

/** What webhooks are told of. */
export const WEBHOOK_EVENTS = [
  "plan.ready",
  "run.finished",
  "run.stopped",
  "export.finished",
] as const;
export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number];

export interface WebhookDocument {
  readonly id: string;
  /** Host of its address; the rest of the address is not shown. */
  readonly host: string;
  readonly events: readonly WebhookEvent[];
  readonly state: "active" | "failing" | "ended";
  readonly createdAt: string;
  readonly arrivedAt: string | null;
  readonly note: string | null;
}

const webhook: z.ZodType<WebhookDocument> = z.object({
  id: z.string(),
  host: z.string().describe("Host of the address; the rest is not shown again"),
  events: z.array(z.enum(WEBHOOK_EVENTS)),
  state: z.enum(["active", "failing", "ended"]).describe("ended: nothing more is sent to it"),
  createdAt: time,
  arrivedAt: time.nullable(),
  note: z.string().nullable().describe("Why messages do not arrive, or it was ended"),
});

const webhooks: z.ZodType<{ readonly webhooks: readonly WebhookDocument[] }> = z.object({
  webhooks: z.array(webhook),
});

interface NewWebhookDocument {
  readonly webhook: WebhookDocument;
  readonly secret: string;
}

const newWebhook: z.ZodType<NewWebhookDocument> = z.object({
  webhook,
  secret: z.string().describe("Signs its messages (Standard Webhooks); shown once"),
});

/** Reading and updating take these fields and no others; the name is that in the OpenAPI document. */
export interface Documents {
  readonly Problem: z.ZodType<ProblemDocument>;
  readonly Key: z.ZodType<KeyDocument>;
  readonly Run: z.ZodType<RunDocument>;
  readonly Runs: z.ZodType<RunsDocument>;
  readonly Rows: z.ZodType<RowsDocument>;
  readonly Comment: z.ZodType<CommentDocument>;
  readonly Progress: z.ZodType<ProgressDocument>;
  readonly Export: z.ZodType<ExportDocument>;
  readonly Exports: typeof exports;
  readonly Schedule: z.ZodType<ScheduleDocument>;
  readonly Schedules: typeof schedules;
  readonly Lookups: z.ZodType<LookupsDocument>;
  readonly Webhooks: typeof webhooks;
  readonly NewWebhook: z.ZodType<NewWebhookDocument>;
}

/** What answers hold, by the names of the OpenAPI document. */
export const DOCUMENTS: Documents = {
  Problem: problem,
  Key: key,
  Run: run,
  Runs: runs,
  Rows: rows,
  Comment: comment,
  Progress: progress,
  Export: exported,
  Exports: exports,
  Schedule: schedule,
  Schedules: schedules,
  Lookups: lookups,
  Webhooks: webhooks,
  NewWebhook: newWebhook,
};

/** A cell of a row of JSON; a number is a number, whatever sign text cells have. */
const cell = z.union([z.string().max(40_000), z.number(), z.boolean(), z.null()]);

/** Rows of one request. */
const MAX_ROWS = 20_000;

interface RowsBody {
  readonly rows: readonly Readonly<Record<string, string | number | boolean | null>>[];
}

/** Rows as JSON, in place of a file. */
export const rowsBody: z.ZodType<RowsBody> = z.object({
  rows: z
    .array(z.record(z.string().min(1).max(1_000), cell))
    .min(1)
    .max(MAX_ROWS)
    .describe("Each row maps headers, as a file has them, to cells"),
});

interface PlanQuery {
  readonly name?: string | undefined;
  readonly profile?: string | undefined;
  readonly mode: "upsert" | "add" | "update";
}

export const planQuery: z.ZodType<PlanQuery> = z.object({
  name: z.string().max(200).optional().describe("Name of the file; its ending helps to read it"),
  profile: z
    .string()
    .regex(/^[\p{L}\d][\p{L}\d ._-]{0,79}$/u)
    .optional()
    .describe("Column profile: used if it exists, otherwise saved once the plan is accepted"),
  mode: z.enum(["upsert", "add", "update"]).default("upsert"),
});

interface V1ApproveBody {
  readonly planHash: string;
  readonly release: readonly number[];
  readonly hold: readonly number[];
}

const numbers = z.array(z.number().int().positive()).max(200_000);

export const v1ApproveBody: z.ZodType<V1ApproveBody> = z.object({
  planHash: z.string().max(100).describe("Of the plan that was seen; another plan is refused"),
  release: numbers.default([]).describe("Held rows that may go"),
  hold: numbers.default([]).describe("Planned rows that must not go"),
});

interface V1ResumeBody {
  readonly planHash: string;
}

export const v1ResumeBody: z.ZodType<V1ResumeBody> = z.object({ planHash: z.string().max(100) });

interface V1UndoBody {
  readonly zeroStock: boolean;
}

export const v1UndoBody: z.ZodType<V1UndoBody> = z.object({
  zeroStock: z
    .boolean()
    .default(false)
    .describe("Sets the stock of added products to 0, as they cannot be deleted"),
});

interface V1CommentBody {
  readonly text: string;
  readonly row: number | null;
}

export const v1CommentBody: z.ZodType<V1CommentBody> = z.object({
  text: z.string().trim().min(1).max(2_000),
  row: z.number().int().positive().nullable().default(null),
});

interface RowsQuery {
  readonly show?: "add" | "update" | "unchanged" | "held" | "failed" | "done" | undefined;
  readonly code?: string | undefined;
  readonly text?: string | undefined;
  readonly after: number;
  readonly limit: number;
}

export const rowsQuery: z.ZodType<RowsQuery> = z.object({
  show: z.enum(["add", "update", "unchanged", "held", "failed", "done"]).optional(),
  code: z.string().max(80).optional().describe("Only rows with an issue of this code"),
  text: z.string().max(200).optional(),
  after: z.coerce.number().int().min(0).max(10_000_000).default(0),
  limit: z.coerce.number().int().min(1).max(500).default(100),
});

interface V1RunsQuery {
  readonly kind?: RunSummaryView["kind"] | undefined;
  readonly text?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly after?: string | undefined;
}

export const v1RunsQuery: z.ZodType<V1RunsQuery> = z.object({
  kind: z.enum(RUN_KINDS).optional(),
  text: z.string().max(200).optional().describe("Part of the name"),
  from: z.iso.date().optional().describe("First day, as it is in Turkey"),
  to: z.iso.date().optional().describe("Last day"),
  after: runId.optional(),
});

interface V1ExportBody {
  readonly kind: (typeof EXPORT_KINDS)[number];
  readonly format: "xlsx" | "csv" | "jsonl";
  readonly filters: Readonly<Record<string, string>>;
  readonly columns: readonly string[];
}

export const v1ExportBody: z.ZodType<V1ExportBody> = z.object({
  kind: z.enum(EXPORT_KINDS),
  format: z.enum(["xlsx", "csv", "jsonl"]).default("csv"),
  filters: z
    .record(z.string().max(40), z.string().max(500))
    .default({})
    .describe("By the flags of catalog export, such as status or start-date"),
  columns: z.array(z.string().max(100)).max(200).default([]).describe("None means all"),
});

interface LookupsQuery {
  readonly kind: (typeof LOOKUP_KINDS)[number];
  readonly text?: string | undefined;
  readonly category?: string | undefined;
  readonly brand?: string | undefined;
  readonly limit: number;
}

export const lookupsQuery: z.ZodType<LookupsQuery> = z.object({
  kind: z.enum(LOOKUP_KINDS),
  text: z.string().max(500).optional(),
  category: z.string().max(500).optional().describe("Name or id; brands, models, properties"),
  brand: z.string().max(500).optional().describe("Name or id; models"),
  limit: z.coerce.number().int().min(1).max(200).default(20),
});

interface NewScheduleV1Body {
  readonly feed: string;
  readonly cron: string;
  readonly timeZone: string;
  readonly isShadow: boolean;
  readonly maxAgeHours: number;
}

const times = {
  cron: z.string().trim().min(1).max(100),
  timeZone: z.string().min(1).max(60),
};

export const newScheduleV1Body: z.ZodType<NewScheduleV1Body> = z.object({
  feed: z
    .string()
    .max(4_000)
    .regex(/^https?:\/\//u)
    .describe("Address of the feed; files of the server's machine are set on the page"),
  cron: times.cron,
  timeZone: times.timeZone.default("Europe/Istanbul"),
  isShadow: z.boolean().default(false),
  maxAgeHours: z.number().int().min(0).max(10_000).default(0).describe("0: any age"),
});

interface ChangeScheduleBody {
  readonly cron?: string | undefined;
  readonly timeZone?: string | undefined;
  readonly state?: "active" | "paused" | undefined;
}

export const changeScheduleBody: z.ZodType<ChangeScheduleBody> = z.object({
  cron: times.cron.optional(),
  timeZone: times.timeZone.optional(),
  state: z.enum(["active", "paused"]).optional(),
});

interface NewWebhookBody {
  readonly url: string;
  readonly events: readonly WebhookEvent[];
}

export const newWebhookBody: z.ZodType<NewWebhookBody> = z.object({
  url: z.string().min(1).max(2_000).describe("https, on the public internet"),
  events: z
    .array(z.enum(WEBHOOK_EVENTS))
    .min(1)
    .default([...WEBHOOK_EVENTS]),
});
