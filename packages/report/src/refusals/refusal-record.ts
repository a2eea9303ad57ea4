/**
 * The record of a refused row, in a cell of a result file: the row and its run, the reasons, and a
 * digest of what was refused. An import recognizes an unchanged row by it, without the other rows,
 * the flags and the machine of the earlier import.
 */

import { createHash } from "node:crypto";

import { isOwnResultHeader } from "@catalog/mapping";
import {
  type CellTrait,
  type CellValue,
  isBlocking,
  type RowIssue,
  type RowRecord,
} from "@catalog/runs";
import { toKeptValue } from "@catalog/sheets";

import { RESULT_TEXTS } from "../result-texts.ts";
import { refusalConditionOf } from "./refusal-conditions.ts";

/** Issue code of a refused row that is imported again unchanged. */
export const UNCHANGED_CODE = "E_ROW_UNCHANGED";

/** One reason, and the digest of the cell or the whole row that has to change. */
export interface Refusal {
  readonly code: string;
  readonly scope: "row" | "cell";
  readonly digest: string;
}

export interface RefusalRecord {
  /** Row and run in which the row was refused, such as `r-261121-0930-4f2a#7`. */
  readonly key: string;
  readonly refusals: readonly Refusal[];
}

/** A cell and its header, as a text that is the same in CSV files and workbooks. */
export interface NamedText {
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
export interface Table {
  readonly header: readonly CellValue[];
  readonly cells: readonly CellValue[];
  readonly traits?: Readonly<Record<number, CellTrait>> | undefined;
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
export const readOwnColumns = (header: readonly CellValue[]): readonly OwnColumn[] =>
  header
    .map((cell, index) => ({ index, header: toPlainText(cell) }))
    .filter((column) => !isOwnResultHeader(column.header));

/** The non-empty cells of the row's own columns. */
const ownTexts = (table: Table): readonly NamedText[] =>
  (table.own ?? readOwnColumns(table.header))
    .map(({ index, header }) => ({ header, text: plainTextAt(table, index) }))
    .filter(({ text }) => text !== "");

export const namedText = (table: Table, index: number): NamedText => ({
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

/** Digest of one cell. */
export const digestCell = (text: NamedText): string => digestOf([text]);

/** Digest of all cells of a row, whatever the order of its columns is. */
export const digestRow = (table: Table): string =>
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
export type IssuePlace = Pick<RowIssue, "code" | "cell">;

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
const RECORDED: ReadonlySet<string> = new Set<RowRecord["state"]>([
  "invalid",
  "duplicate",
  "held",
  "cancelled",
]);

/** Text of the record cell; `null` for a row that may be read anew. */
export function formatRecord(row: RefusedRow): string | null {
  const { record, earlier } = row;
  if (!RECORDED.has(record.state)) return null;
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
  { table, columnOf, areTwinsThere }: RefusedRow,
  issue: IssuePlace,
  digestOfRow: () => string,
): readonly Refusal[] {
  const { code } = issue;
  const { isRecorded, isOfCell } = refusalConditionOf(code);
  if (isRecorded === "away" ? areTwinsThere : !isRecorded) return [];
  const column = isOfCell ? columnOf(issue) : undefined;
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
