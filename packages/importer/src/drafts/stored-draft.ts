/** Drafts and their rows, as they are stored. */

import type { StoreMemory } from "@catalog/connection";

export type DraftRepository = StoreMemory["drafts"];

/** What a transaction does with drafts, as steps; a step that is not yielded does nothing. */
export type DraftTables = Parameters<Parameters<DraftRepository["transact"]>[0]>[0];

/** A draft without its rows. */
export type DraftRecord = NonNullable<Awaited<ReturnType<DraftRepository["read"]>>>;

export type StoredDraftState = DraftRecord["state"];

/** What a person says about reading the file; a missing setting is decided by the file. */
export type DraftReading = DraftRecord["reading"];

/** What a person says about the columns. */
export type DraftColumns = DraftRecord["columns"];

/** A column that the file does not have; its cells are edits. */
export type AddedDraftColumn = NonNullable<DraftColumns["added"]>[number];

/** Parts of a draft that can be changed. */
export type DraftChange = Parameters<DraftRepository["update"]>[1];

export type DraftRow = Awaited<ReturnType<DraftRepository["readRows"]>>[number];

/** A row as the file has it. */
export type DraftFileRow = Omit<Parameters<DraftRepository["appendRows"]>[1][number], "folded">;

/** Texts of a person by column; an empty text empties the cell. */
export type RowEdits = DraftRow["edits"];

/** Something that is wrong with a row of a draft. */
export type DraftIssue = DraftRow["issues"][number];

/** A value that may stand in a cell instead; a word of the program stands in both languages. */
export type DraftFix = DraftIssue["fixes"][number];

/** What a check has found of a row. */
export type RowFindings = Parameters<DraftRepository["saveFindings"]>[1][number];

/** What the rows are grouped by before they are checked. */
export type RowKeys = Parameters<DraftRepository["saveKeys"]>[1][number];

/** A line of the log of edits. `column` is -1 where a row was left out or taken in again. */
export type DraftEdit = Awaited<ReturnType<DraftRepository["readBatch"]>>[number];

/** Which rows are listed; all parts hold together. */
export type DraftRowFilter = Parameters<DraftRepository["order"]>[1];

export type DraftRowCounts = Awaited<ReturnType<DraftRepository["counts"]>>;
