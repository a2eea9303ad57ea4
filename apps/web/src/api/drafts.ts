/** Drafts: a file on its way to a plan, with the corrections of a person. */

import { z } from "zod";

import type { Problem } from "./ids.ts";
import type { UndoneView } from "./runs.ts";

/**
 * `reading`: the file cannot be read without an answer (sheet, encoding). `columns`: its columns
 * need an answer. `checking`: rows are stored and checked. `ready`: every row is checked.
 */
export type DraftState = "reading" | "columns" | "checking" | "ready";

export interface DraftView {
  readonly id: string;
  /** Name of the file as its person knows it; only ever shown as text. */
  readonly name: string;
  readonly bytes: number;
  readonly state: DraftState;
  /** Rises with each change; a request that changes the draft names the version that it saw. */
  readonly version: number;
  /** ISO times. */
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly reading: ReadingView;
  /** `null` until the file can be read. */
  readonly columns: ColumnsView | null;
  /** `null` until rows are checked. */
  readonly counts: DraftCounts | null;
  readonly progress: DraftProgress | null;
  readonly canUndo: boolean;
  readonly canRedo: boolean;
  /** Names that match nothing or several things, in all rows. */
  readonly openNames: number;
  /**
   * Whether it was known which rows are new to the store when they were checked. Only looked up where
   * the file lacks fields that a new product needs.
   */
  readonly isStoreKnown: boolean;
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
}

/** Which products a plan adds or changes; `upsert`: new ones are added, known ones are changed. */
export type PlanMode = "upsert" | "add" | "update";

export interface DraftProgress {
  readonly step: "read" | "check" | "plan";
  /** A sentence, such as "12.000 satır denetlendi". */
  readonly text: string;
  readonly done: number;
  readonly total: number | null;
}

/** A setting of the file: what is used, and whether it was guessed. */
export interface Setting<Value> {
  readonly value: Value;
  readonly isGuessed: boolean;
}

interface SheetChoice {
  readonly name: string;
  /** Number of filled rows; `null` where they were not counted. */
  readonly rows: number | null;
  /** Whether counting ended before the last row. */
  readonly hasMoreRows: boolean;
  /** Whether its headers are those of products; `null` where it was not looked at. */
  readonly hasProducts: boolean | null;
}

export interface ReadingView {
  readonly kind: "csv" | "xlsx" | "xls" | "ods";
  /** Sheets of a workbook with filled rows; empty for CSV. */
  readonly sheets: readonly SheetChoice[];
  /** Names of the sheets that are read; `null` where they must be chosen. */
  readonly sheet: Setting<readonly string[]> | null;
  /** CSV only. `null` where it must be chosen, or for workbooks. */
  readonly encoding: Setting<string> | null;
  /**
   * Encodings to choose from, each with words of the file as they read in it, where they differ. Empty
   * for workbooks, and for a file with the mark of UTF-8, such as pasted cells.
   */
  readonly encodings: readonly { readonly encoding: string; readonly sample: string }[];
  readonly delimiter: Setting<string> | null;
  readonly headerRow: Setting<number> | null;
  /** Decimal sign of texts; `null`: decided per column. */
  readonly decimal: "comma" | "point" | null;
  /** The first rows of the sheet as texts, those above the header included. */
  readonly preview: readonly { readonly row: number; readonly cells: readonly string[] }[];
  /** Why the file cannot be read yet. */
  readonly problem: Problem | null;
  /** Whether no setting can make it readable, as it is empty or no table. */
  readonly isUnusable: boolean;
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

export interface ColumnsView {
  readonly columns: readonly ColumnView[];
  /** Every field that a column can be, in groups. */
  readonly fields: readonly FieldView[];
  /** Fields that new products need and no column has. */
  readonly missing: readonly FieldView[];
  /** Texts for all rows whose own cell is empty or missing, by field. */
  readonly constants: Readonly<Record<string, string>>;
  /** By field, what new products take where their cell is empty: given here, or by the store. */
  readonly defaults: Readonly<Record<string, string>>;
  /** Those of them that were given for this file alone. */
  readonly forNew: Readonly<Record<string, string>>;
  /** Sentence about the recognised platform, or `null`. */
  readonly platform: string | null;
  /** Why the columns cannot be used yet; empty where they can. */
  readonly problems: readonly Problem[];
  /** Notes on how columns were understood, such as "hatırlandı". */
  readonly notes: readonly string[];
}

export interface FieldView {
  /** Key of `--map`, such as `price`. */
  readonly key: string;
  readonly label: string;
  readonly isRequired: boolean;
  /** Whether one text may hold for all rows. */
  readonly isForAll: boolean;
  /** Whether the store may keep a default for it, which only new products take. */
  readonly isForNew: boolean;
}

export interface ColumnView {
  /** Index in the cells of a row. */
  readonly index: number;
  /** Letter of the column in the file. */
  readonly letter: string;
  readonly header: string;
  /** Key of the field; `-` where a person left the column out; `null` where nothing is known. */
  readonly field: string | null;
  /** The field in words; the header of a property. */
  readonly label: string;
  /** Why: a sentence such as "Başlık birebir bu alanın adı". */
  readonly reason: string;
  readonly confidence: "sure" | "likely" | "open";
  /** Key of the field that the cells of an unknown header may be; `null` for none. */
  readonly guess: string | null;
  /** Whether a person chose the field for this draft. */
  readonly isChosen: boolean;
  /** Up to five different filled cells. */
  readonly samples: readonly string[];
  readonly problem: Problem | null;
  /** Numbers that can be read in two ways, where only a person can tell which; `null` for none. */
  readonly unclear: UnclearNumbersView | null;
}

/** The question how the numbers of a column are read. */
export interface UnclearNumbersView {
  readonly cells: number;
  /** The text of the first cell, and what it is with each decimal sign. */
  readonly example: string;
  readonly readings: Readonly<Record<"comma" | "point", string>>;
  /** What a person has answered for this draft. */
  readonly answer: "comma" | "point" | null;
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

export interface DraftCounts {
  readonly rows: number;
  /** Rows without an error; those with warnings are among them. */
  readonly sound: number;
  readonly warnings: number;
  readonly errors: number;
  readonly excluded: number;
  readonly edited: number;
  /** Rows by kind of issue, the most frequent first. */
  readonly kinds: readonly {
    readonly code: string;
    readonly severity: "error" | "warning";
    readonly label: string;
    readonly rows: number;
  }[];
}

/** Which rows of the draft a view shows; all parts hold together. */
export interface RowFilter {
  readonly show?: "errors" | "warnings" | "edited" | "excluded" | undefined;
  /** Code of an issue. */
  readonly code?: string | undefined;
  /** Text in any cell; case, accents and the Turkish i do not count. */
  readonly text?: string | undefined;
}

/** The rows by the cells of a column. */
export interface RowSort {
  readonly column: number;
  readonly isDescending: boolean;
}

export interface IssueView {
  readonly code: string;
  readonly severity: "error" | "warning";
  /** Index of the column; `null` for the whole row. */
  readonly column: number | null;
  readonly message: string;
  readonly suggestion: string | null;
  /** Values that a button may put into the cell; each is shown as it will be. */
  readonly fixes: readonly string[];
}

export interface RowView {
  /** Number of the row as the spreadsheet program shows it; its key. */
  readonly row: number;
  /** As people name the row, such as "12" or "Sayfa2 12". */
  readonly name: string;
  /** Texts of the cells, by column index. */
  readonly cells: readonly string[];
  /** Columns that a person has changed. */
  readonly edited: readonly number[];
  readonly isExcluded: boolean;
  /** What cells are read as because of a remembered answer; their texts stay as they are. */
  readonly readAs: readonly { readonly column: number; readonly text: string }[];
  /** The number cells in the notation of the page's language, as they are shown and typed. */
  readonly numbers: readonly {
    readonly column: number;
    readonly text: string;
    readonly typed: string;
  }[];
  readonly issues: readonly IssueView[];
}

/** Names of the workbooks of a draft, in the language of the page: its rows, and those with errors. */
export const DRAFT_FILES = {
  all: { tr: "taslak.xlsx", en: "draft.xlsx" },
  errors: { tr: "hatalar.xlsx", en: "errors.xlsx" },
} as const;

/** At most so many rows are read with one request. */
export const MAX_ROWS_READ = 500;
/** At most so many cells are changed with one request. */
export const MAX_CELLS_EDITED = 5_000;

const version = z.number().int().nonnegative();

export interface PlanBody {
  readonly version: number;
  /** @default that of the draft's latest run, or `upsert` */
  readonly mode?: PlanMode | undefined;
  /** Unit of the store's prices, where a person states it; it is stored. */
  readonly priceUnit?: "minor" | "major" | undefined;
}

export const planBody: z.ZodType<PlanBody> = z.object({
  version,
  mode: z.enum(["upsert", "add", "update"]).optional(),
  priceUnit: z.enum(["minor", "major"]).optional(),
});

export interface ReplacePreview {
  readonly cells: number;
  readonly rows: number;
  /** Whether there are more cells than one step may change. */
  readonly isTooMany: boolean;
  /** The first twenty. */
  readonly samples: readonly {
    readonly row: number;
    readonly column: number;
    readonly before: string;
    readonly after: string;
  }[];
}

/** The draft after a change, and every row whose cells or issues may be new. */
export interface EditResult {
  readonly version: number;
  readonly counts: DraftCounts;
  readonly canUndo: boolean;
  readonly canRedo: boolean;
  readonly openNames: number;
  /** At most 500; more rows may have changed where `isAll` is false, and the page reads anew. */
  readonly rows: readonly RowView[];
  readonly isAll: boolean;
  /** Whether the latest run is still that of the draft as it is; `null` for none. */
  readonly run: { readonly id: string; readonly isCurrent: boolean } | null;
}

/** A text that is no name of the store, once for all its rows. */
export interface NameView {
  readonly field: string;
  /** The field in words. */
  readonly label: string;
  readonly value: string;
  readonly rows: number;
  /** The first row that has the name. */
  readonly row: number;
  /** Index of its column; `null` where no column has the name. */
  readonly column: number | null;
  /** The product of the first row, as its cells name it. */
  readonly product: { readonly code: string | null; readonly title: string | null };
  readonly choices: readonly NameChoiceView[];
  /** The category of the first row; `null` for names that belong to none. */
  readonly category: NameCategoryView | null;
}

/** A name that an unknown one may mean. */
export interface NameChoiceView {
  /** Value to answer with. */
  readonly target: string;
  /** With the full path of a category, or the brand of a model. */
  readonly label: string;
  /** What speaks for the choice, or against it. */
  readonly hint?: string;
}

/** The category to which a brand, a model or a property belongs. */
interface NameCategoryView {
  readonly path: string;
  /** Index of its column; `null` where no column has it. */
  readonly column: number | null;
  /** Whether a person's answer made it the row's category. */
  readonly isAnswered: boolean;
  /** Other categories that the text of the file may mean. */
  readonly choices: readonly NameChoiceView[];
}

/** A name of the store that a cell may take. */
export interface LookupView {
  readonly value: string;
  readonly label: string;
}

export interface DraftSummary {
  readonly id: string;
  readonly name: string;
  readonly state: DraftState;
  readonly updatedAt: string;
  readonly rows: number | null;
  readonly errors: number | null;
  readonly run: string | null;
  /** Whether no setting can make its file readable. */
  readonly isUnusable: boolean;
  /** How its latest run has gone; `null` where none was approved. */
  readonly sent: SentSummary | null;
  /** What its plan would send; `null` where it has no plan that waits for its approval. */
  readonly planned: PlannedSummary | null;
}

/** Rows of a plan that can be sent, at once or after a decision. */
interface PlannedSummary {
  readonly ready: number;
  readonly held: number;
}

/** What became of the rows of a file that was sent. */
export interface SentSummary {
  /** `stopped` was paused or cut off, and can go on. */
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
