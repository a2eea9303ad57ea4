/** The rows of drafts, and the log of their edits: batches that can be undone and done again. */

import type { Database, Steps } from "../sql/database.ts";
import { fromJson, fromJsonList, readInBatches, toJson, toJsonList } from "../sql/queries.ts";
import type {
  DraftEdit,
  DraftFileRow,
  DraftRow,
  DraftRowStatus,
  RowChange,
  RowFindings,
  RowKeys,
} from "./draft-records.ts";

/** The rows of drafts, as steps. */
export interface DraftRowTables {
  appendRows(
    draft: string,
    rows: readonly (DraftFileRow & { readonly folded: string })[],
  ): Steps<void>;
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

interface RowColumns {
  readonly row_no: number;
  readonly status: string;
  readonly code_key: string | null;
  readonly alike_key: string | null;
  readonly cells_json: string;
  readonly traits_json: string | null;
  readonly formats_json: string | null;
  readonly joined_json: string | null;
  readonly edits_json: string | null;
  readonly issues_json: string;
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
): Pick<DraftRowTables, "appendRows" | "saveChanges" | "removeRows"> {
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
  const change = database.prepareUpdate("draft_row", KEY, ["folded", "edits_json", "is_edited"]);
  return {
    *appendRows(draft, rows) {
      yield* insert(
        rows.map(({ row, cells, traits, formats, folded }) => ({
          draft,
          row_no: row,
          status: "ok",
          folded,
          cells_json: toJsonList(cells),
          traits_json: traits === undefined ? null : toJson(traits),
          formats_json: formats === undefined ? null : toJson(formats),
          is_edited: 0,
          issues_json: "[]",
        })),
      );
    },
    *saveChanges(draft, rows) {
      for (const { row, folded, edits } of rows) {
        const isEdited = Object.keys(edits).length > 0;
        const edits_json = isEdited ? toJson(edits) : null;
        yield* change({ draft, row_no: row, folded, edits_json, is_edited: Number(isEdited) });
      }
    },
    *removeRows(draft) {
      for (const table of ["draft_name", "draft_issue", "draft_edit", "draft_row"] as const) {
        yield* database.run(database.build.deleteFrom(table).where("draft", "=", draft));
      }
    },
  };
}

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
      const edits = yield* database.all(
        build
          .selectFrom("draft_edit")
          .select(["row_no", "col", "before_json", "after_json"])
          .where("draft", "=", draft)
          .where("batch", "=", batch)
          .orderBy("seq"),
      );
      return edits.map((found) => ({
        row: found.row_no,
        column: found.col,
        before: fromJson<string | null>(found.before_json),
        after: fromJson<string | null>(found.after_json),
      }));
    },
    lastBatch: (draft) => readLast(database, draft, "batch"),
    *dropBatchesAfter(draft, batch) {
      yield* database.run(
        build.deleteFrom("draft_edit").where("draft", "=", draft).where("batch", ">", batch),
      );
    },
  };
}
