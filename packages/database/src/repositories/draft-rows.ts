/** Drafts, their rows and the log of their edits, as they are stored: batches of edits can be undone and
 * done again. */

import type { Localized } from "@catalog/i18n";
import type { NamedPerson, CellValue, RowRecord, RunPeriod } from "@catalog/runs";

import { type Database, type Steps, together } from "../sql/database.ts";
import { fromJson, fromJsonList, readInBatches, toJson, toJsonList } from "../sql/queries.ts";
import type { DraftSchema } from "../sql/schema.ts";
import type { DraftBasis } from "./draft-basis.ts";

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
  readonly createdBy: NamedPerson | null;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
  /** The latest run that was planned from the draft, and the version of the draft then. */
  readonly run: { readonly id: string; readonly version: number } | null;
  /** The products that it was made of; `null` for a draft of a file. */
  readonly basis: DraftBasis | null;
  /** When its run is to be sent and taken back; `null` for at once and never. */
  readonly period: RunPeriod | null;
}

/** A new draft. */
export type NewDraft = Pick<DraftRecord, "id" | "name" | "path" | "sha256" | "bytes" | "createdBy">;

/** Parts of a draft that can be changed. */
export type DraftChange = Partial<
  Pick<
    DraftRecord,
    | "sha256"
    | "bytes"
    | "state"
    | "doneBatch"
    | "reading"
    | "columns"
    | "source"
    | "check"
    | "run"
    | "basis"
    | "period"
  >
>;

/**
 * `left`: the row is no product, such as a remark, and is not shown. `excluded`: a person has left
 * it out.
 */
type DraftRowStatus = "ok" | "warn" | "error" | "excluded" | "left";

/** A row as the file has it. */
interface DraftFileRow {
  readonly row: number;
  readonly cells: readonly CellValue[];
  readonly traits?: RowRecord["traits"];
  readonly formats?: Readonly<Record<number, string>> | undefined;
}

/** Cells of a person by column; an empty text empties the cell, a number stays a number cell. */
type RowEdits = Readonly<Record<number, string | number>>;

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
interface RowFindings {
  readonly row: number;
  readonly status: DraftRowStatus;
  readonly codeKey: string | null;
  readonly issues: readonly DraftIssue[];
  /** Keys of the names of the row that are open. */
  readonly names: readonly string[];
}

/** A stored row. */
interface DraftRow extends DraftFileRow {
  readonly status: DraftRowStatus;
  readonly codeKey: string | null;
  readonly alikeKey: string | null;
  /** What the row takes from other rows, as the caller keeps it; `null` for nothing. */
  readonly joined: unknown;
  readonly edits: RowEdits;
  readonly issues: readonly DraftIssue[];
}

/** What the rows are grouped by before they are checked. */
interface RowKeys {
  readonly row: number;
  readonly status: DraftRowStatus;
  readonly codeKey: string | null;
  readonly alikeKey: string | null;
  readonly joined: unknown;
}

/** A change of a row: texts of cells, or whether it is left out. */
interface RowChange {
  readonly row: number;
  readonly edits: RowEdits;
  readonly folded: string;
}

/** A line of the log of edits. `column` is -1 where a row was left out or taken in again. */
interface DraftEdit {
  readonly row: number;
  readonly column: number;
  /** The edit before and after; `null` where the file's own cell holds. */
  readonly before: string | number | null;
  readonly after: string | number | null;
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

/** The rows of drafts, as steps. */
export interface DraftRowTables {
  appendRows(
    draft: string,
    rows: readonly (DraftFileRow & { readonly folded: string })[],
  ): Steps<void>;
  /** Replaces the cells of rows by others of their file; edits stay. */
  replaceCells(
    draft: string,
    rows: readonly (DraftFileRow & { readonly folded: string })[],
  ): Steps<void>;
  /** Removes single rows with what was found of them. */
  removeRowsAt(draft: string, rows: readonly number[]): Steps<void>;
  /** Reads rows in the order of the sheet. */
  readRows(
    draft: string,
    filter: { readonly after: number; readonly limit: number },
  ): Steps<readonly DraftRow[]>;
  /** Reads the rows with these numbers, in the order of the sheet. */
  readRowsAt(draft: string, rows: readonly number[]): Steps<readonly DraftRow[]>;
  /** Stores edits, and whether a row is left out. */
  saveChanges(draft: string, rows: readonly RowChange[]): Steps<void>;
  saveKeys(draft: string, rows: readonly RowKeys[]): Steps<void>;
  /** `isRepeated`: the rows had findings, which are replaced. */
  saveFindings(
    draft: string,
    rows: readonly RowFindings[],
    options: { readonly isRepeated: boolean },
  ): Steps<void>;
  /** Forgets the kinds of issues and the open names of all rows, before all are checked anew. */
  clearFindings(draft: string): Steps<void>;
  removeRows(draft: string): Steps<void>;
}

const COLUMNS = [
  "row_no",
  "status",
  "code_key",
  "alike_key",
  "cells_json",
  "traits_json",
  "formats_json",
  "joined_json",
  "edits_json",
  "issues_json",
] as const;

type RowColumns = Pick<DraftSchema["draft_row"], (typeof COLUMNS)[number]>;

/** What tells the rows of all drafts apart. */
const KEY = ["draft", "row_no"] as const;

/** Creates the tables' reader and writer. */
export function createDraftRowTables(database: Database): DraftRowTables {
  return {
    ...createReads(database),
    ...createRowWrites(database),
    ...createFindingWrites(database),
  };
}

function createReads(database: Database): Pick<DraftRowTables, "readRows" | "readRowsAt"> {
  const { build } = database;
  const readAfter = database.prepareAll<
    { draft: string; after: number; limit: number },
    RowColumns
  >((arg) =>
    build
      .selectFrom("draft_row")
      .select(COLUMNS)
      .where("draft", "=", arg("draft"))
      .where("row_no", ">", arg("after"))
      .orderBy("row_no")
      .limit(arg("limit")),
  );
  return {
    *readRows(draft, { after, limit }) {
      return (yield* readAfter({ draft, after, limit })).map(toRow);
    },
    *readRowsAt(draft, rows) {
      const query = build.selectFrom("draft_row").select(COLUMNS).where("draft", "=", draft);
      const found = yield* readInBatches(rows, (batch) =>
        database.all(query.where("row_no", "in", batch)),
      );
      return found.toSorted((a, b) => a.row_no - b.row_no).map(toRow);
    },
  };
}

function createRowWrites(
  database: Database,
): Pick<
  DraftRowTables,
  "appendRows" | "replaceCells" | "removeRowsAt" | "saveChanges" | "removeRows"
> {
  const insert = database.prepareInsert("draft_row", [
    ...KEY,
    "status",
    "folded",
    "cells_json",
    "traits_json",
    "formats_json",
    "is_edited",
    "issues_json",
  ]);
  const replace = database.prepareUpdate("draft_row", KEY, [
    "folded",
    "cells_json",
    "traits_json",
    "formats_json",
  ]);
  const removals = ([...KINDS, "draft_row"] as const).map((table) =>
    database.prepareDelete(table, KEY),
  );
  const change = database.prepareUpdate("draft_row", KEY, ["folded", "edits_json", "is_edited"]);
  return {
    *appendRows(draft, rows) {
      yield* insert(
        rows.map((row) => ({
          ...toCells(draft, row),
          status: "ok",
          is_edited: 0,
          issues_json: "[]",
        })),
      );
    },
    *replaceCells(draft, rows) {
      for (const row of rows) yield* replace(toCells(draft, row));
    },
    *removeRowsAt(draft, rows) {
      for (const row of rows) for (const remove of removals) yield* remove({ draft, row_no: row });
    },
    *saveChanges(draft, rows) {
      yield* together(
        rows.map(({ row, folded, edits }) => {
          const isEdited = Object.keys(edits).length > 0;
          const edits_json = isEdited ? toJson(edits) : null;
          return change({ draft, row_no: row, folded, edits_json, is_edited: Number(isEdited) });
        }),
      );
    },
    *removeRows(draft) {
      for (const table of ["draft_name", "draft_issue", "draft_edit", "draft_row"] as const) {
        yield* database.run(database.build.deleteFrom(table).where("draft", "=", draft));
      }
    },
  };
}

const toCells = (
  draft: string,
  { row, cells, traits, formats, folded }: DraftFileRow & { readonly folded: string },
) => ({
  draft,
  row_no: row,
  folded,
  cells_json: toJsonList(cells),
  traits_json: traits === undefined ? null : toJson(traits),
  formats_json: formats === undefined ? null : toJson(formats),
});

function createFindingWrites(
  database: Database,
): Pick<DraftRowTables, "saveKeys" | "saveFindings" | "clearFindings"> {
  const keys = ["status", "code_key", "alike_key", "joined_json"] as const;
  const saveKey = database.prepareUpdate("draft_row", KEY, keys);
  const saveFound = database.prepareUpdate("draft_row", KEY, ["status", "issues_json"]);
  const addIssues = database.prepareInsert("draft_issue", [...KEY, "code", "severity"], "keep");
  const addNames = database.prepareInsert("draft_name", [...KEY, "name_key"], "keep");
  const removals = KINDS.map((table) => database.prepareDelete(table, KEY));
  return {
    *saveKeys(draft, rows) {
      for (const { row, status, codeKey: code_key, alikeKey: alike_key, joined } of rows) {
        const joined_json = joined === null || joined === undefined ? null : toJson(joined);
        yield* saveKey({ draft, row_no: row, status, code_key, alike_key, joined_json });
      }
    },
    *saveFindings(draft, rows, { isRepeated }) {
      for (const { row, status, issues } of rows) {
        yield* saveFound({ draft, row_no: row, status, issues_json: toJsonList(issues) });
        if (isRepeated) for (const remove of removals) yield* remove({ draft, row_no: row });
      }
      yield* addIssues(
        rows.flatMap(({ row, issues }) =>
          issues.map(({ code, severity }) => ({ draft, row_no: row, code, severity })),
        ),
      );
      yield* addNames(
        rows.flatMap(({ row, names }) =>
          names.map((name) => ({ draft, row_no: row, name_key: name })),
        ),
      );
    },
    *clearFindings(draft) {
      for (const table of KINDS) {
        yield* database.run(database.build.deleteFrom(table).where("draft", "=", draft));
      }
    },
  };
}

/** The kinds of issues and the open names of each row, in tables that are sorted by them. */
const KINDS = ["draft_issue", "draft_name"] as const;

function toRow(found: RowColumns): DraftRow {
  return {
    row: found.row_no,
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written by this file
    status: found.status as DraftRowStatus,
    codeKey: found.code_key,
    alikeKey: found.alike_key,
    cells: fromJsonList(found.cells_json),
    ...(found.traits_json !== null && { traits: fromJson(found.traits_json) }),
    ...(found.formats_json !== null && { formats: fromJson(found.formats_json) }),
    joined: found.joined_json === null ? null : fromJson<unknown>(found.joined_json),
    edits: found.edits_json === null ? {} : fromJson(found.edits_json),
    issues: fromJsonList(found.issues_json),
  };
}

/** Appends to the log and reads it, as steps. */
export interface DraftEdits {
  /** Appends the edits of a batch. */
  logEdits(
    draft: string,
    edits: readonly DraftEdit[],
    batch: { readonly batch: number; readonly by: string | null; readonly atMs: number },
  ): Steps<void>;
  /** Reads a batch in the order in which it was logged. */
  readBatch(draft: string, batch: number): Steps<readonly DraftEdit[]>;
  /** Reads the edits of one cell in all batches up to this one, in the order of the log. */
  readCellEdits(
    draft: string,
    cell: Pick<DraftEdit, "row" | "column">,
    lastBatch: number,
  ): Steps<readonly DraftEdit[]>;
  /** Number of the last batch; 0 where there is none. */
  lastBatch(draft: string): Steps<number>;
  /** Forgets the batches after this one. */
  dropBatchesAfter(draft: string, batch: number): Steps<void>;
}

function* readLast(database: Database, draft: string, column: "seq" | "batch"): Steps<number> {
  const edits = database.build.selectFrom("draft_edit").select(column);
  const found = yield* database.get(
    edits.where("draft", "=", draft).orderBy(column, "desc").limit(1),
  );
  return found?.[column] ?? 0;
}

/** Creates the log. */
export function createDraftEdits(database: Database): DraftEdits {
  const { build } = database;
  const insert = database.prepareInsert("draft_edit", [
    "draft",
    "seq",
    "batch",
    "row_no",
    "col",
    "before_json",
    "after_json",
    "by_user",
    "at_ms",
  ]);
  const editsOf = (draft: string) =>
    build
      .selectFrom("draft_edit")
      .select(["row_no", "col", "before_json", "after_json"])
      .where("draft", "=", draft)
      .orderBy("seq");
  return {
    *logEdits(draft, edits, { batch, by, atMs }) {
      const first = (yield* readLast(database, draft, "seq")) + 1;
      yield* insert(
        edits.map(({ row, column, before, after }, index) => ({
          draft,
          seq: first + index,
          batch,
          row_no: row,
          col: column,
          before_json: toJson(before),
          after_json: toJson(after),
          by_user: by,
          at_ms: atMs,
        })),
      );
    },
    *readBatch(draft, batch) {
      const edits = yield* database.all(editsOf(draft).where("batch", "=", batch));
      return edits.map(toEdit);
    },
    *readCellEdits(draft, { row, column }, lastBatch) {
      const ofCell = editsOf(draft).where("row_no", "=", row).where("col", "=", column);
      return (yield* database.all(ofCell.where("batch", "<=", lastBatch))).map(toEdit);
    },
    lastBatch: (draft) => readLast(database, draft, "batch"),
    *dropBatchesAfter(draft, batch) {
      yield* database.run(
        build.deleteFrom("draft_edit").where("draft", "=", draft).where("batch", ">", batch),
      );
    },
  };
}

const toEdit = (found: {
  readonly row_no: number;
  readonly col: number;
  readonly before_json: string;
  readonly after_json: string;
}): DraftEdit => ({
  row: found.row_no,
  column: found.col,
  before: fromJson<string | null>(found.before_json),
  after: fromJson<string | null>(found.after_json),
});
