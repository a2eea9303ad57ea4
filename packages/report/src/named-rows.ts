/**
 * Rows and cells that a message names beside its own, as the workbook numbers them. Messages are
 * written for the imported file, whose rows stand elsewhere in a workbook.
 */

import type { Lang } from "@catalog/i18n";
import { columnLetter } from "@catalog/mapping";
import type { RowIssue, RowRecord, RunRecord } from "@catalog/runs";

import { columnIndexOf } from "./input-cells.ts";

/** Issues whose messages name other rows or cells of the file. */
const NAMING_CODES: ReadonlySet<string> = new Set([
  "E_CODE_DUPLICATE",
  "E_PRODUCT_TWICE",
  "E_NUMBER_MIXED",
  "E_IMG_TWICE",
  "W_IMG_TWICE",
  "W_IMG_ALIKE",
]);

export interface NamedRowsOptions {
  readonly run: Pick<RunRecord, "file">;
  /** Index in the input of each column of the workbook. */
  readonly columns: readonly number[];
  /** Reads the rows of the workbook in their order, by their numbers in the run. */
  readonly listRows: () => AsyncIterable<number>;
}

/** Names the rows of messages anew; the workbook's rows are listed once, where a message needs it. */
export function createNamedRows({
  run,
  columns,
  listRows,
}: NamedRowsOptions): <Row extends RowRecord>(row: Row) => Promise<Row> {
  let numbers: Promise<ReadonlyMap<number, number>> | undefined;
  return async (record) => {
    // A file of several sheets names the sheet of each row, which is plain enough.
    const isPlain = !record.issues.some(({ code }) => NAMING_CODES.has(code));
    if (isPlain || run.file.sheets !== undefined) return record;
    numbers ??= numberRows(listRows());
    const workbook = { columns, numbers: await numbers };
    const issues = record.issues.map((issue) => rename(issue, workbook));
    return { ...record, issues };
  };
}

async function numberRows(rows: AsyncIterable<number>): Promise<ReadonlyMap<number, number>> {
  const numbers = new Map<number, number>();
  // The header is the first row.
  for await (const row of rows) numbers.set(row, numbers.size + 2);
  return numbers;
}

interface Workbook {
  readonly columns: readonly number[];
  readonly numbers: ReadonlyMap<number, number>;
}

function rename(issue: RowIssue, workbook: Workbook): RowIssue {
  if (!NAMING_CODES.has(issue.code)) return issue;
  const { tr, en } = issue.message;
  return {
    ...issue,
    message: { tr: renameIn(tr, "tr", workbook), en: renameIn(en, "en", workbook) },
  };
}

/** A list of rows, a row or a cell. */
const NAMES =
  /\((?:satırlar:|rows) (?<list>[^()]*)\)|(?<=[ (])(?<trRow>\d+)\. satır|\brow (?<enRow>\d+)|(?<=[ (])(?<column>[A-Z]{1,3})(?<row>[1-9]\d*)(?=[ .,)])/gu;

/** Values of cells stand in quotes and stay as they are. */
const renameIn = (text: string, lang: Lang, workbook: Workbook): string =>
  text
    .split(/(“[^“”]*”)/u)
    .map((part) =>
      part.startsWith("“")
        ? part
        : part.replaceAll(NAMES, (...found) => renameOne(found, lang, workbook)),
    )
    .join("");

function renameOne(found: readonly unknown[], lang: Lang, { columns, numbers }: Workbook): string {
  const { list, trRow, enRow, column, row } = readGroups(found.at(-1));
  const whole = String(found[0]);
  if (list !== undefined) return renameList(list, lang, numbers);
  const number = numbers.get(Number(trRow ?? enRow ?? row));
  if (number === undefined) return inOriginal(whole, lang);
  if (column !== undefined) {
    const index = columns.indexOf(columnIndexOf(column) ?? -1);
    return index < 0 ? inOriginal(whole, lang) : `${columnLetter(index)}${number}`;
  }
  return trRow === undefined ? `row ${number}` : `${number}. satır`;
}

const readGroups = (groups: unknown): Readonly<Record<string, string | undefined>> =>
  typeof groups === "object" && groups !== null
    ? Object.fromEntries(
        Object.entries(groups).map(([name, text]) => [
          name,
          typeof text === "string" ? text : undefined,
        ]),
      )
    : {};

const inOriginal = (name: string, lang: Lang): string =>
  lang === "tr" ? `asıl dosyadaki ${name}` : `${name} of the original file`;

function renameList(list: string, lang: Lang, numbers: ReadonlyMap<number, number>): string {
  const named = list.split(", ");
  const [rows, rest] = named.at(-1) === "…" ? [named.slice(0, -1), ", …"] : [named, ""];
  const here = rows.flatMap((row) => numbers.get(Number(row)) ?? []).join(", ");
  const elsewhere = rows.filter((row) => !numbers.has(Number(row))).join(", ");
  const original =
    lang === "tr" ? `asıl dosyada: ${elsewhere}` : `in the original file: ${elsewhere}`;
  const words = lang === "tr" ? `satırlar: ${here}` : `rows ${here}`;
  const parts = [here === "" ? "" : words, elsewhere === "" ? "" : original];
  return `(${parts.filter((part) => part !== "").join("; ")}${rest})`;
}
