/** Drafts and their rows as they are stored. */

import type { Localized } from "@catalog/i18n";
import type { CellTrait, CellValue } from "@catalog/runs";

/** State of a draft; see the page's own `DraftState`. */
export type StoredDraftState = "reading" | "columns" | "checking" | "ready";

/** What a person says about reading the file; a missing setting is decided by the file. */
interface DraftReading {
  /** One sheet, several, or `all`. */
  readonly sheet?: string | readonly string[] | undefined;
  readonly encoding?: string | undefined;
  readonly delimiter?: string | undefined;
  readonly headerRow?: number | undefined;
  readonly decimal?: "comma" | "point" | undefined;
}

/** What a person says about the columns. */
interface DraftColumns {
  /** Field by header. */
  readonly columns: Readonly<Record<string, string>>;
  /** Text for all rows by field. */
  readonly constants: Readonly<Record<string, string>>;
  /** Text for new products of this draft alone by field. @default none */
  readonly forNew?: Readonly<Record<string, string>> | undefined;
  /** Decimal sign by header, of columns whose numbers can be read in two ways. @default none */
  readonly decimals?: Readonly<Record<string, "comma" | "point">> | undefined;
  /** Indexes of columns that are not read, of several with one header. @default none */
  readonly leftOut?: readonly number[] | undefined;
  /** Columns that a person added after those of the file, in their order. @default none */
  readonly added?: readonly AddedDraftColumn[] | undefined;
}

/** A column that the file does not have; its cells are edits. */
interface AddedDraftColumn {
  readonly header: string;
  readonly field: string;
}

/** A draft without its rows. */
export interface DraftRecord {
  readonly id: string;
  /** Name of the file as its person knows it. */
  readonly name: string;
  /** Absolute path of the uploaded file. */
  readonly path: string;
  readonly sha256: string;
  readonly bytes: number;
  readonly state: StoredDraftState;
  /** Rises with each change. */
  readonly version: number;
  /** The last batch of edits that holds; later ones are undone. */
  readonly doneBatch: number;
  readonly reading: DraftReading;
  readonly columns: DraftColumns;
  /** The sheet whose rows are stored, as the caller keeps it; `null` where none are stored. */
  readonly source: unknown;
  /** What was decided when the rows were checked; `null` where they are not. */
  readonly check: unknown;
  readonly createdBy: string | null;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
  /** The latest run that was planned from the draft, and the version of the draft then. */
  readonly run: { readonly id: string; readonly version: number } | null;
}

/** A new draft. */
export type NewDraft = Pick<DraftRecord, "id" | "name" | "path" | "sha256" | "bytes" | "createdBy">;

/** Parts of a draft that can be changed. */
export type DraftChange = Partial<
  Pick<DraftRecord, "state" | "doneBatch" | "reading" | "columns" | "source" | "check" | "run">
>;

/**
 * `left`: the row is no product, such as a remark, and is not shown. `excluded`: a person has left
 * it out.
 */
export type DraftRowStatus = "ok" | "warn" | "error" | "excluded" | "left";

/** A row as the file has it. */
export interface DraftFileRow {
  readonly row: number;
  readonly cells: readonly CellValue[];
  readonly traits?: Readonly<Record<number, CellTrait>> | undefined;
  readonly formats?: Readonly<Record<number, string>> | undefined;
}

/** Texts of a person by column; an empty text empties the cell. */
type RowEdits = Readonly<Record<number, string>>;

/** Something that is wrong with a row of a draft. */
export interface DraftIssue {
  readonly code: string;
  readonly severity: "error" | "warning";
  /** Index of the column; `null` for the whole row. */
  readonly column: number | null;
  readonly message: Localized;
  readonly suggestion: Localized | null;
  /** Values that may stand in the cell instead. */
  readonly fixes: readonly DraftFix[];
}

/** A value that may stand in a cell instead; a word of the program stands in both languages. */
type DraftFix = string | Localized;

/** What a check has found of a row. */
export interface RowFindings {
  readonly row: number;
  readonly status: DraftRowStatus;
  readonly codeKey: string | null;
  readonly issues: readonly DraftIssue[];
  /** Keys of the names of the row that are open. */
  readonly names: readonly string[];
}

/** A stored row. */
export interface DraftRow extends DraftFileRow {
  readonly status: DraftRowStatus;
  readonly codeKey: string | null;
  readonly alikeKey: string | null;
  /** What the row takes from other rows, as the caller keeps it; `null` for nothing. */
  readonly joined: unknown;
  readonly edits: RowEdits;
  readonly issues: readonly DraftIssue[];
}

/** What the rows are grouped by before they are checked. */
export interface RowKeys {
  readonly row: number;
  readonly status: DraftRowStatus;
  readonly codeKey: string | null;
  readonly alikeKey: string | null;
  readonly joined: unknown;
}

/** A change of a row: texts of cells, or whether it is left out. */
export interface RowChange {
  readonly row: number;
  readonly edits: RowEdits;
  readonly folded: string;
}

/** A line of the log of edits. `column` is -1 where a row was left out or taken in again. */
export interface DraftEdit {
  readonly row: number;
  readonly column: number;
  /** Text of the edit before and after; `null` where the file's own cell holds. */
  readonly before: string | null;
  readonly after: string | null;
}

/** Which rows are listed; all parts hold together. */
export interface DraftRowFilter {
  readonly show?: "errors" | "warnings" | "edited" | "excluded" | undefined;
  /** Code of an issue. */
  readonly code?: string | undefined;
  /** Folded text. */
  readonly folded?: string | undefined;
}

/** Numbers of rows. */
export interface DraftRowCounts {
  readonly ok: number;
  readonly warn: number;
  readonly error: number;
  readonly excluded: number;
  readonly edited: number;
  /** Rows by issue, the most frequent first. */
  readonly kinds: readonly {
    readonly code: string;
    readonly severity: "error" | "warning";
    readonly rows: number;
  }[];
  /** Open names, each counted once. */
  readonly openNames: number;
}
