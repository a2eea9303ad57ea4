/** Drafts: a file on its way to a plan, with the corrections of a person. */

import type { Localized } from "@catalog/i18n/localized";
import type {
  BulkExchange,
  DraftDetails,
  DraftEditResult,
  DraftFilter,
  DraftName,
  DraftNames,
  DraftNamesBelow,
  DraftRowView,
  DraftSummaryView,
} from "@catalog/importer/draft-views";
import { z } from "zod";

import {
  type PeriodBody,
  type PeriodTime,
  periodBody,
  type PlannedRunId,
  type UndoneView,
} from "./runs.ts";
import type { Problem } from "./session.ts";

/** What the importer says in both languages, in the language of the page. */
export type Shown<Value> = Value extends Localized
  ? string
  : Value extends readonly (infer Each)[]
    ? readonly Shown<Each>[]
    : Value extends object
      ? { readonly [Key in keyof Value]: Shown<Value[Key]> }
      : Value;

export interface DraftView extends Shown<
  Omit<DraftDetails, "sha256" | "createdAtMs" | "updatedAtMs" | "run" | "shownAtMs" | "period">
> {
  /** ISO times. */
  readonly createdAt: string;
  readonly updatedAt: string;
  /** Since when others may have changed the products that it was made of; `null` for a file. */
  readonly shownAt: string | null;
  readonly progress: DraftProgress | null;
  /** The latest run that was planned from the draft; `null` for none. */
  readonly run: {
    readonly id: string;
    readonly isCurrent: boolean;
    readonly mode: PlanMode;
  } | null;
  /** An earlier run of the same file; `null` for none. */
  readonly sentBefore: { readonly run: string; readonly at: string } | null;
  /** Why the last step failed, such as a plan that could not be made. */
  readonly problem: Problem | null;
  /** From when until when what the draft changes is to hold; `null` for from its sending on, for good. */
  readonly period: DraftPeriodView | null;
}

/** A wish: the plan carries it to its run, and a person approves it there. */
export interface DraftPeriodView {
  readonly timeZone: string;
  readonly start: PeriodTime | null;
  readonly end: PeriodTime | null;
  /** What the end takes back; `null` for all that the draft changes. */
  readonly fields: readonly string[] | null;
}

/**
 * Sets the period of a draft, or takes it away (`POST drafts/DRAFT/period`). It is no edit of cells: it
 * has no version, is not undone, and a plan that was made before is approved with times of its own.
 */
export interface DraftPeriodBody {
  readonly period: PeriodBody | null;
}

export const draftPeriodBody: z.ZodType<DraftPeriodBody> = z.object({
  period: periodBody.nullable(),
});

/** Which products a plan adds or changes; `upsert`: new ones are added, known ones are changed. */
export type PlanMode = "upsert" | "add" | "update";

export interface DraftProgress {
  readonly step: "read" | "check" | "plan";
  /** A sentence, such as "12.000 satır denetlendi". */
  readonly text: string;
  readonly done: number;
  readonly total: number | null;
}

export type ReadingView = DraftView["reading"];
export type ColumnsView = NonNullable<DraftView["columns"]>;
export type ColumnView = ColumnsView["columns"][number];
export type FieldView = ColumnsView["fields"][number];
export type DraftCounts = NonNullable<DraftView["counts"]>;
export type RowView = Shown<DraftRowView>;
export type IssueView = RowView["issues"][number];
export type EditResult = Shown<DraftEditResult>;
export type NameView = Shown<DraftName>;
export interface NameAnswer {
  readonly field: string;
  readonly value: string;
  readonly target: string;
  /** Whether later files use the answer too; otherwise the cells of this draft are changed. */
  readonly isRemembered: boolean;
  /** Whether `target` is another category for the rows of the name; in this draft alone. */
  readonly isCategory?: boolean | undefined;
}
export type NamesView = Shown<DraftNames>;

/** What a search of the marketplace for open names has come to. */
export interface SearchedNames {
  /** Searches that said something. */
  readonly made: number;
  /** Why nothing more was searched; `null` where nothing failed. */
  readonly failure: string | null;
}

export type NamesBelowView = DraftNamesBelow;
export type NameChoiceView = NameView["choices"][number];
export type RowSort = NonNullable<DraftFilter["sort"]>;
/** Which rows of the draft a view shows; all parts hold together. */
export type RowFilter = Omit<DraftFilter, "sort">;

/** A draft in the list. */
export interface DraftSummary extends Omit<
  DraftSummaryView,
  "createdAtMs" | "updatedAtMs" | "createdBy"
> {
  readonly updatedAt: string;
  /** Who has uploaded it; `null` where it is not known. */
  readonly by: { readonly name: string; readonly isAsker: boolean } | null;
  /** How its latest run has gone; `null` where none was approved. */
  readonly sent: SentSummary | null;
  /** What its plan would send; `null` where it has no plan that waits for its approval. */
  readonly planned: PlannedSummary | null;
}

export const readingBody: z.ZodType<ReadingBody> = z.object({
  version: z.number().int().nonnegative(),
  sheet: z
    .union([z.string().max(255), z.array(z.string().max(255)).min(1).max(1_000)])
    .nullable()
    .optional(),
  encoding: z.string().max(40).nullable().optional(),
  delimiter: z.string().max(3).nullable().optional(),
  headerRow: z.number().int().min(1).max(1_000).nullable().optional(),
  decimal: z.enum(["comma", "point"]).nullable().optional(),
});

/** A missing setting stays as it is; `null` lets the file decide. */
export interface ReadingBody {
  readonly version: number;
  /** A sheet, several, or `all` for those with the same headers. */
  readonly sheet?: string | readonly string[] | null | undefined;
  readonly encoding?: string | null | undefined;
  readonly delimiter?: string | null | undefined;
  readonly headerRow?: number | null | undefined;
  readonly decimal?: "comma" | "point" | null | undefined;
}

export const columnsBody: z.ZodType<ColumnsBody> = z.object({
  version: z.number().int().nonnegative(),
  columns: z.record(z.string().max(1_000), z.string().max(200)).optional(),
  constants: z.record(z.string().max(200), z.string().max(10_000)).optional(),
  defaults: z.record(z.string().max(200), z.string().max(10_000)).optional(),
  forNew: z.record(z.string().max(200), z.string().max(10_000)).optional(),
  decimals: z.record(z.string().max(1_000), z.enum(["comma", "point"])).optional(),
  leftOut: z.array(z.number().int().nonnegative().max(16_383)).max(1_000).optional(),
});

/**
 * Field by header (`-` leaves the column out), text by field, decimal sign by header, and indexes of
 * columns that are left out of several with one header; each replaces the earlier ones. `forNew`
 * holds for new products of this file alone, and replaces the earlier ones. `defaults` are saved for
 * the store and hold for new products of later files as well; an empty text removes one, the others
 * stay.
 */
export interface ColumnsBody {
  readonly version: number;
  readonly columns?: Readonly<Record<string, string>> | undefined;
  readonly constants?: Readonly<Record<string, string>> | undefined;
  readonly defaults?: Readonly<Record<string, string>> | undefined;
  readonly forNew?: Readonly<Record<string, string>> | undefined;
  readonly decimals?: Readonly<Record<string, "comma" | "point">> | undefined;
  readonly leftOut?: readonly number[] | undefined;
}

/** What became of an uploaded file: a draft, or the plan of a list of answers. */
export type UploadedView = DraftView | PlannedRunId;

/** Names of the workbooks of a draft, in the language of the page: its rows, and those with errors. */
export const DRAFT_FILES = {
  all: { tr: "taslak.xlsx", en: "draft.xlsx" },
  errors: { tr: "hatalar.xlsx", en: "errors.xlsx" },
} as const;

/** At most this many rows are read with one request. */
export const MAX_ROWS_READ = 500;
/** At most this many cells are changed with one request. */
export const MAX_CELLS_EDITED = 5_000;

export interface PlanBody {
  readonly version: number;
  /** @default that of the draft's latest run, or `upsert` */
  readonly mode?: PlanMode | undefined;
  /** Unit of the store's prices, where a person states it; it is stored. */
  readonly priceUnit?: "minor" | "major" | undefined;
}

export const planBody: z.ZodType<PlanBody> = z.object({
  version: z.number().int().nonnegative(),
  mode: z.enum(["upsert", "add", "update"]).optional(),
  priceUnit: z.enum(["minor", "major"]).optional(),
});

export type BulkPreviewView = Shown<BulkExchange["answered"]>;
export type BulkChange = BulkExchange["asked"]["change"];
export type BulkScope = BulkExchange["asked"]["scope"];

/** One change of many cells, and its rows; with `isPreview` nothing is changed. */
export interface BulkBody extends Readonly<BulkExchange["asked"]> {
  readonly version: number;
  readonly isPreview: boolean;
}

/** Rows that a bulk change may name. */
const MAX_BULK_ROWS = 100_000;

const columnIndex = z.number().int().nonnegative().max(16_383);
/** A text for cells, or to be found in them. */
const cellText = z.string().max(40_000);
const searchText = z.string().max(1_000);
/** A decimal with a point, exact to the last digit. */
const amount = z.string().regex(/^\d{1,10}(?:\.\d{1,2})?$/u);
const signedAmount = z.string().regex(/^-?\d{1,10}(?:\.\d{1,2})?$/u);
const percent = z
  .string()
  .regex(/^[1-9]\d?$/u)
  .or(z.string().regex(/^\d{1,2}\.\d{1,2}$/u));

const rounding = z.object({
  ending: z.string().regex(/^\d{2}$/u),
  direction: z.enum(["up", "down", "nearest"]),
});

const discountGiven = z.discriminatedUnion("as", [
  z.object({
    as: z.literal("percent"),
    value: percent,
    rounding: rounding.optional(),
  }),
  z.object({ as: z.literal("amount"), value: amount, rounding: rounding.optional() }),
  z.object({ as: z.literal("price"), value: amount }),
]);

const bulkChange: z.ZodType<BulkChange> = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("set"), column: columnIndex, value: cellText }),
  z.object({
    kind: z.literal("price"),
    of: z.enum(["list", "discounted"]),
    by: z.enum(["amount", "percent"]),
    value: signedAmount,
    rounding: rounding.optional(),
  }),
  z.object({
    kind: z.literal("stock"),
    how: z.enum(["set", "add", "take"]),
    pieces: z.number().int().nonnegative().max(1_000_000_000),
  }),
  z.object({ kind: z.literal("discount"), give: discountGiven.nullable() }),
  z.object({
    kind: z.literal("replace"),
    find: searchText.min(1),
    replace: searchText,
    columns: z.array(columnIndex).max(16_384).optional(),
    isWholeCell: z.boolean().optional(),
  }),
  z.object({
    kind: z.literal("affix"),
    column: columnIndex,
    before: searchText,
    after: searchText,
  }),
  z.object({ kind: z.literal("copy"), from: columnIndex, to: columnIndex }),
  z.object({ kind: z.literal("template"), column: columnIndex, template: searchText.min(1) }),
]);

export const bulkBody: z.ZodType<BulkBody> = z.object({
  version: z.number().int().nonnegative(),
  change: bulkChange,
  scope: z.object({
    filter: z
      .object({
        show: z.enum(["errors", "warnings", "edited", "excluded"]).optional(),
        code: z.string().max(100).optional(),
        text: searchText.optional(),
      })
      .optional(),
    rows: z.array(z.number().int().positive()).min(1).max(MAX_BULK_ROWS).optional(),
  }),
  isPreview: z.boolean(),
});

/** A name of the store that a cell may take. */
export interface LookupView {
  readonly value: string;
  readonly label: string;
}

/** Rows of a plan that can be sent, at once or after a decision. */
interface PlannedSummary {
  readonly ready: number;
  readonly held: number;
}

/** What became of the rows of a file that was sent. */
export interface SentSummary {
  /** `stopped` was paused or cut off, and can continue. */
  readonly state: "sending" | "stopped" | "finished";
  /** Rows that were not sent yet, or whose result is not known. */
  readonly waiting: number;
  /** Rows that wait for a decision. */
  readonly held: number;
  /** Rows that were wrong, or that the store refused. */
  readonly wrong: number;
  /** Rows that were given up. */
  readonly cancelled: number;
  /** How much of it another run has taken back; `null` where none has. */
  readonly undone: UndoneView | null;
}
