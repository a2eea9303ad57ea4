/**
 * The record of a refused row in a result file, by which a later import recognises it, and what has
 * to differ before the same row may be sent.
 */

import { createHash } from "node:crypto";

import type { Connection } from "@catalog/connection";
import type { Localized } from "@catalog/i18n";
import { type ColumnMapping, isOwnResultHeader, type SourceRow } from "@catalog/mapping";
import {
  type CandidateRow,
  type CellValue,
  guardOf,
  isBlocking,
  type RowIssue,
  type RowRecord,
  type RunRecord,
  type RunSettings,
} from "@catalog/runs";
import { type OutCell, toKeptValue } from "@catalog/sheets";

import { RESULT_TEXTS } from "./result-texts.ts";
import { columnIndexOf, columnOf } from "./sheet-cells.ts";

/** How a file is read this time. */
export interface CurrentReading {
  readonly mode: RunRecord["mode"];
  readonly decimal: "comma" | "point" | undefined;
  /** Columns were named, or values were given for all rows. */
  readonly hasColumns: boolean;
  readonly hasConstants: boolean;
  readonly checksImages: boolean;
  readonly allowed: RunSettings["allowed"];
  readonly allowsSuspectCodes: boolean;
  /** The rows were accepted before and are mapped as they were then. */
  readonly isRetry: boolean;
}

/** State of the row in the file that is imported now. */
interface CurrentRow {
  /**
   * Whether the column of the refused cell is mapped; `undefined` for an issue of the whole row.
   */
  readonly isColumnUsed: boolean | undefined;
  /** Neither its action nor its product id limits the row to an update. */
  readonly mayBeAdded: boolean;
}

interface RefusalCondition {
  /**
   * Whether a result file records it; `away` where the rows that it was compared with are not in
   * the file.
   */
  readonly isRecorded: boolean | "away";
  /**
   * Only a change of the cell counts; otherwise any change of the row does, as the cause may be
   * anywhere.
   */
  readonly isOfCell: boolean;
  /** Whether the unchanged row may be read anew. */
  readonly isOpen: (reading: CurrentReading, row: CurrentRow, code: string) => boolean;
}

const RECORDED = { isRecorded: true, isOfCell: false } as const;

/** Depends on other rows or on past events, which the file does not show again. */
const CONTEXT: RefusalCondition = { ...RECORDED, isOpen: () => false };

/** Depends on the row and on how it is mapped: a new mapping allows a new reading. */
const READING: RefusalCondition = {
  ...RECORDED,
  isOpen: ({ decimal, hasColumns, hasConstants }) =>
    decimal !== undefined || hasColumns || hasConstants,
};

/** Depends on the column's other numbers. */
const NOTATION: RefusalCondition = {
  isRecorded: true,
  isOfCell: true,
  isOpen: ({ decimal }) => decimal !== undefined,
};

/**
 * Depends on lists, rules and the store, which may have changed, unless the column is no longer
 * mapped.
 */
const LISTS: RefusalCondition = {
  isRecorded: true,
  isOfCell: true,
  isOpen: ({ hasConstants }, { isColumnUsed }) => isColumnUsed ?? hasConstants,
};

const IMAGES: RefusalCondition = { ...RECORDED, isOpen: ({ checksImages }) => checksImages };

/** Guards decide again where they can; see `heldBefore` of a candidate row. */
const GUARD: RefusalCondition = {
  ...RECORDED,
  isOpen({ allowed = [] }, _row, code) {
    const guard = guardOf({ code });
    return guard !== undefined && allowed.includes(guard);
  },
};

/** In an import of updates only, a code without a product must not become an add. */
const ONLY_UPDATE: RefusalCondition = {
  ...RECORDED,
  isOpen: ({ mode }, { mayBeAdded }) => mode === "update" || !mayBeAdded,
};

/** Depends on rows with the same code. */
const SAME_CODE: RefusalCondition = { isRecorded: "away", isOfCell: false, isOpen: () => false };

/** Depends on rows with a similar code, or with the same code and leading zeros. */
const SIMILAR_CODE: RefusalCondition = {
  isRecorded: "away",
  isOfCell: true,
  isOpen: ({ allowsSuspectCodes }) => allowsSuspectCodes,
};

/** The row itself shows the issue again, in any file and mapping. */
const SEEN_AGAIN: RefusalCondition = { isRecorded: false, isOfCell: false, isOpen: () => true };

const KINDS: readonly (readonly [RegExp, RefusalCondition])[] = [
  [/^E_(?:REQUIRED|ROW_UNCHANGED)$/u, SEEN_AGAIN],
  [/^E_(?:CHANGED|APPEARED|CODE_REMOTE_TWICE|ID_CODE_MISMATCH)$/u, SEEN_AGAIN],
  [/^E_REFUSED_(?:BEFORE|OFTEN|OPEN)$/u, SEEN_AGAIN],
  [/^E_CODE_DUPLICATE$/u, SAME_CODE],
  [/^E_CODE_SUSPECT$/u, SIMILAR_CODE],
  [/^E_PRODUCT_UNKNOWN$/u, ONLY_UPDATE],
  [/^E_(?:BRAND|CATEGORY|MODEL|OPTION|PROPERTY|TEMPLATE)_|^E_(?:VALUE_UNKNOWN|RULE_)/u, LISTS],
  [/^E_NUMBER_(?:AMBIGUOUS|MIXED)$/u, NOTATION],
  [/^E_IMG_|^E_IMAGE_FILE$/u, IMAGES],
  [/^E_GUARD_/u, GUARD],
  [/^E_(?:COLUMN_COUNT|PRODUCT_TWICE|ADD_OPEN|OUTCOME_UNKNOWN|FOUND_)/u, CONTEXT],
];

/** Codes that are not named here depend on the row and on how it is read. */
const refusalConditionOf = (code: string): RefusalCondition =>
  KINDS.find(([pattern]) => pattern.test(code))?.[1] ?? READING;

/** Issue code of a refused row that is imported again unchanged. */
export const UNCHANGED_CODE = "E_ROW_UNCHANGED";

/** One reason, and the digest of the cell or the whole row that has to change. */
export interface Refusal {
  readonly code: string;
  readonly scope: "row" | "cell";
  readonly digest: string;
}

interface RefusalRecord {
  /** Row and run in which the row was refused, such as `r-261121-0930-4f2a#7`. */
  readonly key: string;
  readonly refusals: readonly Refusal[];
}

/** A cell and its header, as a text that is the same in CSV files and workbooks. */
interface NamedText {
  readonly header: string;
  readonly text: string;
}

const HEADERS: ReadonlySet<string> = new Set(
  Object.values(RESULT_TEXTS).map(({ columns }) => columns.record),
);

/** Index of the record column; the last one, as the file may also hold one of an older file. */
export const findRecordColumn = (header: readonly CellValue[]): number =>
  header.findLastIndex((cell) => HEADERS.has(String(cell ?? "").trim()));

/** A row of a file below its headers. */
interface Table {
  readonly header: readonly CellValue[];
  readonly cells: readonly CellValue[];
  readonly traits?: NonNullable<SourceRow["traits"]> | undefined;
  /**
   * Decimal sign of the numbers in a file that stores only text. @default numbers are stored as
   * numbers
   */
  readonly decimal?: "comma" | "point";
  /** What {@link readOwnColumns} returns for the header. @default it is read again */
  readonly own?: readonly OwnColumn[] | undefined;
}

/** A column that is no result of an earlier run. */
interface OwnColumn {
  readonly index: number;
  readonly header: string;
}

/** The columns of a file that count for the digest of a row; read once for all of its rows. */
const readOwnColumns = (header: readonly CellValue[]): readonly OwnColumn[] =>
  header
    .map((cell, index) => ({ index, header: toPlainText(cell) }))
    .filter((column) => !isOwnResultHeader(column.header));

/** The non-empty cells of the row's own columns. */
const ownTexts = (table: Table): readonly NamedText[] =>
  (table.own ?? readOwnColumns(table.header))
    .map(({ index, header }) => ({ header, text: plainTextAt(table, index) }))
    .filter(({ text }) => text !== "");

const namedText = (table: Table, index: number): NamedText => ({
  header: toPlainText(table.header[index] ?? null),
  text: plainTextAt(table, index),
});

const plainTextAt = ({ cells, traits, decimal }: Table, index: number): string =>
  toPlainText(toKeptValue(cells[index] ?? null, traits?.[index]), decimal);

/** Texts in which writing and reading change nothing, which most are. */
const UNCHANGED = /^(?:[^\s'=\0\p{Cs}](?:[^\r\n\0\p{Cs}]*[^\s\0\p{Cs}])?)?$/u;

/** Characters that are compared; a workbook cell holds little more. */
const COMPARED_CHARS = 32_000;

/**
 * Removes differences that writing and reading cause: line ends, blanks at the ends, and Excel's
 * prefixes.
 */
function toPlainText(value: CellValue, decimal: Table["decimal"] = "point"): string {
  if (typeof value === "boolean") return value ? "TRUE" : "FALSE";
  const isComma = typeof value === "number" && decimal === "comma";
  const text = isComma ? String(value).replace(".", ",") : String(value ?? "");
  if (text.length <= COMPARED_CHARS && UNCHANGED.test(text)) return text;
  return text
    .slice(0, COMPARED_CHARS)
    .toWellFormed()
    .replaceAll("\0", "\ufffd")
    .replaceAll(/[\r\n]+/gu, "\n")
    .trim()
    .replace(/^'+/u, "")
    .replace(/^="(?<inner>.*)"$/su, "$<inner>");
}

const DIGEST_LENGTH = 12;

const digestCell = (text: NamedText): string => digestOf([text]);

/** Digest of all cells of a row, independent of the order of its columns. */
const digestRow = (table: Table): string =>
  digestOf(
    ownTexts(table).toSorted(
      (a, b) => compareTexts(a.header, b.header) || compareTexts(a.text, b.text),
    ),
  );

const compareTexts = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

function digestOf(texts: readonly NamedText[]): string {
  const all = JSON.stringify(texts.map(({ header, text }) => [header, text]));
  return createHash("sha256").update(all).digest("hex").slice(0, DIGEST_LENGTH);
}

/** The parts of an issue that are recorded. */
type IssuePlace = Pick<RowIssue, "code" | "cell">;

export interface RefusedRow {
  /** The run that refused the row, or the draft in which it was found to be wrong. */
  readonly runId: string;
  readonly record: Pick<RowRecord, "row" | "state"> & {
    readonly issues: readonly IssuePlace[];
  };
  /** The row as it stands in the file. */
  readonly table: Table;
  /** Column of the file that an issue is about; `undefined` for an issue of the whole row. */
  readonly columnOf: (issue: IssuePlace) => number | undefined;
  /** The rows with the same or a similar code were refused as well and are in the file. */
  readonly areTwinsThere: boolean;
  /** Record that the row had in the imported file. */
  readonly earlier: RefusalRecord | undefined;
}

/**
 * States that are recorded: what was given up was not approved either. A row that the marketplace
 * rejected is sent again for it to decide.
 */
const RECORDED_STATES: ReadonlySet<string> = new Set<RowRecord["state"]>([
  "invalid",
  "duplicate",
  "held",
  "cancelled",
]);

/** Text of the record cell; `null` for a row that may be read anew. */
export function formatRecord(row: RefusedRow): string | null {
  const { record, earlier } = row;
  if (!RECORDED_STATES.has(record.state)) return null;
  const issues = record.issues.filter(isBlocking);
  const isUnchanged = issues.some(({ code }) => code === UNCHANGED_CODE);
  const kept = isUnchanged ? (earlier?.refusals ?? []) : [];
  let known: string | undefined;
  const ofRow = (): string => (known ??= digestRow(row.table));
  const added = issues.flatMap((issue) => toRefusal(row, issue, ofRow));
  const refusals = [...kept, ...added].map(({ code, scope, digest }) =>
    [code, scope === "row" ? "=" : ":", digest].join(""),
  );
  if (refusals.length === 0) return null;
  const key = kept.length > 0 && earlier ? earlier.key : `${row.runId}#${record.row}`;
  return [key, ...new Set(refusals)].join(" ");
}

function toRefusal(
  { table, columnOf: findColumn, areTwinsThere }: RefusedRow,
  issue: IssuePlace,
  digestOfRow: () => string,
): readonly Refusal[] {
  const { code } = issue;
  const { isRecorded, isOfCell } = refusalConditionOf(code);
  if (isRecorded === "away" ? areTwinsThere : !isRecorded) return [];
  const column = isOfCell ? findColumn(issue) : undefined;
  return column === undefined
    ? [{ code, scope: "row", digest: digestOfRow() }]
    : [{ code, scope: "cell", digest: digestCell(namedText(table, column)) }];
}

const RECORD = /^(?<key>\S+#\d+)(?<refusals>(?: E_[A-Z_]+[:=][0-9a-f]{12})+)$/u;

/** Parses a record; `undefined` for any other text. */
export function parseRecord(text: string): RefusalRecord | undefined {
  const { key, refusals = "" } = RECORD.exec(text.trim())?.groups ?? {};
  if (key === undefined) return undefined;
  return {
    key,
    refusals: refusals
      .trim()
      .split(" ")
      .map((each) => {
        const [code = "", digest = ""] = each.split(/[:=]/u);
        return { code, digest, scope: each.includes("=") ? "row" : "cell" };
      }),
  };
}

/** Finds the issues that still block an unchanged refused row which nothing else blocks. */
export type RefusalCheck = (row: SourceRow, candidate: RefusableRow) => RepeatedRefusals;

interface RepeatedRefusals {
  readonly refused: readonly RowIssue[];
  /** Issues of guards, which are checked first. */
  readonly held: readonly RowIssue[];
}

type RefusableRow = Pick<CandidateRow, "issues" | "action" | "productId">;

const NO_REFUSALS: RepeatedRefusals = { refused: [], held: [] };

/** Creates the check; it finds nothing in a sheet that is no result file. */
export function createRefusalCheck(
  {
    sheet,
    header: { cells: header },
  }: { readonly sheet: string; readonly header: Pick<SourceRow, "cells"> },
  { columns }: Pick<ColumnMapping, "columns">,
  reading: CurrentReading,
): RefusalCheck {
  const at = findRecordColumn(header);
  const mapped = columns.find(({ index }) => index === at);
  if (mapped === undefined || reading.isRetry) return () => NO_REFUSALS;
  const own = readOwnColumns(header);
  const used = new Set(
    columns.filter(({ target: { kind } }) => kind === "field" || kind === "property"),
  );
  const isOpen = (
    { cells, traits }: SourceRow,
    { code, scope, digest }: Refusal,
    mayBeAdded: boolean,
  ): boolean => {
    const table = { header, cells, traits, own };
    const same = columns.filter(
      ({ index }) => scope === "cell" && digestCell(namedText(table, index)) === digest,
    );
    const isChanged = scope === "cell" ? same.length === 0 : digestRow(table) !== digest;
    if (isChanged) return true;
    const isColumnUsed = scope === "cell" ? same.some((column) => used.has(column)) : undefined;
    return refusalConditionOf(code).isOpen(reading, { isColumnUsed, mayBeAdded }, code);
  };

  return (row, { issues, action, productId }) => {
    const record = parseRecord(String(row.cells[at] ?? ""));
    if (record === undefined) return NO_REFUSALS;
    const mayBeAdded = action !== "update" && productId === null;
    const found = new Set(issues.filter(isBlocking).map(({ code }) => code));
    const left = record.refusals.filter(
      (refusal) => !found.has(refusal.code) && !isOpen(row, refusal, mayBeAdded),
    );
    const { header: column, letter } = mapped;
    const shown = { sheet, row: row.row, column, cell: `${letter}${row.row}`, value: record.key };
    const codes = [...new Set(left.map(({ code }) => code))];
    const [guards, others] = [codes.filter(isGuard), codes.filter((code) => !isGuard(code))];
    return {
      refused: others.length === 0 ? [] : [toUnchanged(shown, others)],
      held: guards.map((code) =>
        Object.assign({}, shown, { code, message: HELD, suggestion: HELD_NEXT }),
      ),
    };
  };
}

const isGuard = (code: string): boolean => guardOf({ code }) !== undefined;

const HELD: Localized = {
  tr: "Bu satır daha önce bekletildi ve o zamandan beri değişmedi; onaylanmadığı için yine bekletildi.",
  en: "This row was held before and has not changed since; nobody has approved it, so it is held again.",
};

const HELD_NEXT: Localized = {
  tr: "Doğruysa bu gönderimde onaylayın; yanlışsa hücresini düzeltin.",
  en: "If it is right, approve it in this run; if not, correct its cell.",
};

const toUnchanged = (
  location: Omit<RowIssue, "code" | "message" | "suggestion">,
  codes: readonly string[],
): RowIssue => ({
  ...location,
  code: UNCHANGED_CODE,
  message: {
    tr: `Bu satır daha önce geri çevrildi (${codes.join(", ")}) ve o zamandan beri değişmedi.`,
    en: `This row was refused before (${codes.join(", ")}) and has not changed since.`,
  },
  suggestion: {
    tr: `Yanlış olan hücreyi düzeltin. Satır olduğu gibi doğruysa “${location.column}” hücresini boşaltın.`,
    en: `Correct the cell that is wrong. If the row is right as it is, empty its “${location.column}” cell.`,
  },
});

/** The cell of the record column; `null` for a row that was not refused. */
type RefusalRecordWriter = (
  record: RowRecord,
  written: Pick<Table, "cells" | "traits">,
) => Promise<OutCell>;

/** Format of the written file. */
interface WrittenFile extends Pick<Table, "header" | "decimal"> {
  /** Index in the input of each column; none has that of a column which was added. */
  readonly columns: readonly number[];
}

/** Reads the journal at most once, and only where several rows have the same code. */
export function createRefusalRecordWriter(
  { journal }: Pick<Connection, "journal">,
  run: RunRecord,
  { columns, ...file }: WrittenFile,
): RefusalRecordWriter {
  const at = findRecordColumn(run.file.header);
  const own = readOwnColumns(file.header);
  const readTwins = once(() => findTwins(journal, run.id));
  return async (record, written) => {
    const twins = record.issues.filter(({ code }) => TWIN_CODES.has(code));
    // A code stored as a number may have lost its leading zeros, and the codes that keep theirs
    // were sent.
    const isNumber = twins.some(
      ({ cell }) => typeof record.cells[columnIndexOf(cell) ?? -1] === "number",
    );
    const mayBeThere = twins.length > 0 && !isNumber;
    return formatRecord({
      runId: run.id,
      record,
      table: { ...file, ...written, own },
      columnOf: (issue) => columnOf(columns, issue),
      areTwinsThere: mayBeThere && (await readTwins()).areThere(record.row),
      earlier: at < 0 ? undefined : parseRecord(String(record.cells[at] ?? "")),
    });
  };
}

const TWIN_CODES: ReadonlySet<string> = new Set(["E_CODE_DUPLICATE", "E_CODE_SUSPECT"]);

interface SameRefusals {
  readonly areThere: (row: number) => boolean;
}

/**
 * Finds rows with the same code: contradicting rows are refused unless one is skipped or held; of
 * equal rows the first one is sent.
 */
async function findTwins(journal: Connection["journal"], runId: string): Promise<SameRefusals> {
  const states = await journal.countRows(runId);
  const mayBeAway = states.some(({ state }) => state === "skipped" || state === "held");
  const same = await journal.readDuplicates(runId);
  const doubled = new Set(same.flatMap(({ rows, identical }) => (identical ? rows : [])));
  return { areThere: (row) => !mayBeAway && !doubled.has(row) };
}

function once<Value>(read: () => Promise<Value>): () => Promise<Value> {
  let value: Promise<Value> | undefined;
  return () => (value ??= read());
}
