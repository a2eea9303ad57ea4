/**
 * What a result file remembers of a row that was refused, in a cell of its own: which row of which
 * run it was, why, and a digest of what was refused. A row that comes back as it went out is known
 * by it, though the other rows, the flags and the machine that it was refused with are not there.
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
import { judgeCode } from "./refusal-conditions.ts";

/** The code of the issue for a row that comes back unchanged. */
export const UNCHANGED_CODE = "E_ROW_UNCHANGED";

/** One reason, and the digest of the cell or of the whole row that has to change. */
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

/** A cell below its header, as a text in which both kinds of files say the same. */
export interface NamedText {
  readonly header: string;
  readonly text: string;
}

const HEADERS: ReadonlySet<string> = new Set(
  Object.values(RESULT_TEXTS).map(({ columns }) => columns.record),
);

/** Where a sheet has the record of its rows; the last one, for an older file may be inside. */
export const findRecordColumn = (header: readonly CellValue[]): number =>
  header.findLastIndex((cell) => HEADERS.has(String(cell ?? "").trim()));

/** A row of a file below its headers. */
export interface Table {
  readonly header: readonly CellValue[];
  readonly cells: readonly CellValue[];
  readonly traits?: Readonly<Record<number, CellTrait>> | undefined;
  /** How the numbers of a file are written that knows only text. @default they are numbers */
  readonly decimal?: "comma" | "point";
}

/** The cells of a row that are the seller's own and hold something. */
const ownTexts = (table: Table): readonly NamedText[] =>
  [...table.header.keys()]
    .map((index) => namedText(table, index))
    .filter(({ header, text }) => text !== "" && !isOwnResultHeader(header));

export const namedText = ({ header, cells, traits, decimal }: Table, index: number): NamedText => ({
  header: toPlainText(header[index] ?? null),
  text: toPlainText(toKeptValue(cells[index] ?? null, traits?.[index]), decimal),
});

/** A cell takes no more than this in a workbook. */
const COMPARED_CHARS = 32_000;

/** Leaves out what writing and reading may change: line ends, blanks at the ends, signs for Excel. */
function toPlainText(value: CellValue, decimal: Table["decimal"] = "point"): string {
  if (typeof value === "boolean") return value ? "TRUE" : "FALSE";
  const isComma = typeof value === "number" && decimal === "comma";
  const text = isComma ? String(value).replace(".", ",") : String(value ?? "");
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

/** Of one cell. */
export const digestCell = (text: NamedText): string => digestOf([text]);

/** Of all cells of a row. */
export const digestRow = (table: Table): string => digestOf(ownTexts(table));

function digestOf(texts: readonly NamedText[]): string {
  const all = JSON.stringify(texts.map(({ header, text }) => [header, text]));
  return createHash("sha256").update(all).digest("hex").slice(0, DIGEST_LENGTH);
}

export interface RefusedRow {
  readonly runId: string;
  readonly record: RowRecord;
  /** As the file has it. */
  readonly table: Table;
  /** The column of the file that an issue is about; none for what is said of the whole row. */
  readonly columnOf: (issue: RowIssue) => number | undefined;
  /** The rows that have its code, or one like it, were refused as well, and are in the file. */
  readonly areTwinsThere: boolean;
  /** What the row brought with it from an earlier file. */
  readonly earlier: RefusalRecord | undefined;
}

/** Rows that were sent and turned down are judged by the marketplace when they come again. */
const RECORDED: ReadonlySet<string> = new Set<RowRecord["state"]>(["invalid", "duplicate", "held"]);

/** The text of the cell; nothing for a row that may be read afresh. */
export function formatRecord(row: RefusedRow): string | null {
  const { record, earlier } = row;
  if (!RECORDED.has(record.state)) return null;
  const issues = record.issues.filter(isBlocking);
  const isUnchanged = issues.some(({ code }) => code === UNCHANGED_CODE);
  const kept = isUnchanged ? (earlier?.refusals ?? []) : [];
  const added = issues.flatMap((issue) => toRefusal(row, issue));
  const refusals = [...kept, ...added].map(({ code, scope, digest }) =>
    [code, scope === "row" ? "=" : ":", digest].join(""),
  );
  if (refusals.length === 0) return null;
  const key = kept.length > 0 && earlier ? earlier.key : `${row.runId}#${record.row}`;
  return [key, ...new Set(refusals)].join(" ");
}

function toRefusal(
  { table, columnOf, areTwinsThere }: RefusedRow,
  issue: RowIssue,
): readonly Refusal[] {
  const { code } = issue;
  const { isRecorded, isOfCell } = judgeCode(code);
  if (isRecorded === "away" ? areTwinsThere : !isRecorded) return [];
  const column = isOfCell ? columnOf(issue) : undefined;
  return column === undefined
    ? [{ code, scope: "row", digest: digestRow(table) }]
    : [{ code, scope: "cell", digest: digestCell(namedText(table, column)) }];
}

const RECORD = /^(?<key>\S+#\d+)(?<refusals>(?: E_[A-Z_]+[:=][0-9a-f]{12})+)$/u;

/** `undefined` for any other text. */
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
