/**
 * Maps headers to fields. Nothing is guessed: an unknown header only gets a suggestion, and two
 * columns for one field are an error unless one has a lower rank.
 */

import type { Issue } from "../issues/issue.ts";
import { cellText, type CellValue, columnLetter } from "../rows/source-row.ts";
import { chooseColumns } from "./choose-columns.ts";
import type { ColumnCells, Watch } from "./column-cells.ts";
import {
  restoreDoubts,
  keepStatedDiscount,
  readConstants,
  readOverrides,
} from "./column-overrides.ts";
import type { ColumnQuestion } from "./column-questions.ts";
import { resolveLoneCurrency } from "./currency-column.ts";
import { type FieldKey, RANK } from "./fields/field.ts";
import { FIELDS, getField } from "./fields/fields.ts";
import { isReservedHeader } from "./fields/other-headers.ts";
import { reportColumns } from "./fields/report-columns.ts";
import { resolveTradeHeaders } from "./fields/trade-headers.ts";
import { type ColumnTarget, createHeaderMatcher, type HeaderMatch } from "./header-matcher.ts";
import { createHeaderReport, type ReportHeader } from "./header-report.ts";
import { readKeyRow } from "./key-row.ts";
import { listWatched } from "./watched-columns.ts";

/** The header of one sheet, and a person's decisions about it. */
export interface MapColumnsOptions {
  /** Name of the sheet, for issues. */
  readonly sheet: string;
  /** As the spreadsheet program shows it, from 1. */
  readonly headerRow: number;
  readonly header: readonly CellValue[];
  /** The first row below the header, which may be the hidden row of machine keys. */
  readonly below?: readonly CellValue[] | undefined;
  /** Header to field key, `property:NAME`, or `-` to leave the column out. Beats everything. */
  readonly overrides?: ReadonlyMap<string, string> | undefined;
  /**
   * Headers of `overrides` that a person may not have decided: where such a header is in doubt, the
   * override is too.
   */
  readonly unconfirmed?: ReadonlySet<string> | undefined;
  /** Field key to the value of rows whose cell is empty or that have no such column. */
  readonly constants?: ReadonlyMap<string, string> | undefined;
  /**
   * Facts about the cells below the headers, by column. @default not examined; any column may hold
   * values
   */
  readonly cells?: ReadonlyMap<number, ColumnCells> | undefined;
}

/** One column of the file and what it is for. */
export interface Column {
  readonly index: number;
  readonly letter: string;
  /** As it stands in the file, trimmed. */
  readonly header: string;
  readonly target: ColumnTarget;
}

/** The targets of all columns of one sheet. */
export interface ColumnMapping {
  readonly columns: readonly Column[];
  /** Whether the row below the header holds machine keys instead of data. */
  readonly hasKeyRow: boolean;
  readonly constants: ReadonlyMap<FieldKey, string>;
  /** Issues that keep the file from being used. */
  readonly issues: readonly Issue[];
  /** The issues that an answer of a person resolves, in the order of the columns. */
  readonly questions: readonly ColumnQuestion[];
  /** Columns whose cells decide whether there is a question; see `createColumnScan`. */
  readonly watched: ReadonlyMap<number, Watch>;
  /** Columns that are not used, with the reason. */
  readonly warnings: readonly Issue[];
  /** Fields that a new product needs and that have neither a column nor a constant. */
  readonly missingRequired: readonly FieldKey[];
}

/** Decides what each column of a sheet is for. Never throws because of the file's content. */
export function mapColumns(options: MapColumnsOptions): ColumnMapping {
  const headers = options.header.map((value) => cellText(value));
  const { sheet, headerRow, cells } = options;
  const headerReport = createHeaderReport({ sheet, headerRow, headers });
  const { report, issues, warnings } = headerReport;

  const keys = readKeyRow(options.below);
  const chosen = readOverrides(options.overrides ?? new Map(), headers, report);
  const constants = readConstants(options.constants ?? new Map(), report);
  const unconfirmed = options.unconfirmed ?? new Set();
  const matches = matchHeaders(headers, { chosen, keys, unconfirmed });
  const isKeyed = (index: number): boolean => keys?.has(index) ?? false;
  const refused = refuseHeaders(headers, isKeyed, report);
  const { targets, beaten } = chooseColumns({ matches, refused, report });
  const byHand = new Set(
    [...chosen.keys()].filter((index) => !unconfirmed.has(headers[index] ?? "")),
  );
  const facts = { headers, matches, targets, beaten, chosen: byHand, cells, constants };
  const { targets: final, questions } = reportColumns(facts, headerReport);
  const columns = final.map((target, index) => ({
    index,
    letter: columnLetter(index),
    header: headers[index] ?? "",
    target,
  }));
  const given = givenFields(columns, constants);
  if (!given.has("product_code") && !given.has("product_id")) {
    report("E_COLUMN_MISSING", 0, { names: getField("product_code").header, value: "" });
  }
  return {
    columns,
    constants,
    issues,
    warnings,
    questions,
    watched: listWatched(facts),
    hasKeyRow: keys !== undefined,
    missingRequired: FIELDS.filter((field) => field.requiredForAdd && !given.has(field.key)).map(
      (field) => field.key,
    ),
  };
}

interface StatedColumns {
  readonly chosen: ReadonlyMap<number, HeaderMatch>;
  readonly keys: ReadonlyMap<number, HeaderMatch> | undefined;
  readonly unconfirmed: ReadonlySet<string>;
}

/** Matches each column: a person's decision beats the machine key, which beats the header. */
function matchHeaders(
  headers: readonly string[],
  { chosen, keys, unconfirmed }: StatedColumns,
): readonly HeaderMatch[] {
  const matcher = createHeaderMatcher();
  const matches = headers.map((header, index): HeaderMatch => {
    const read = isResultId(headers, index) ? RESULT_ID : matcher.match(header);
    const matched = chosen.get(index);
    if (matched === undefined) return keys?.get(index) ?? read;
    return unconfirmed.has(header)
      ? restoreDoubts(matched, read)
      : keepStatedDiscount(matched, read);
  });
  return resolveLoneCurrency(resolveTradeHeaders(matches, headers));
}

/**
 * Refuses headers that occur twice or that no column may have; machine keys distinguish equal
 * headers.
 */
function refuseHeaders(
  headers: readonly string[],
  hasKey: (index: number) => boolean,
  report: ReportHeader,
): ReadonlySet<number> {
  const firsts = new Map<string, number>();
  const refused = new Set<number>();
  for (const [index, header] of headers.entries()) {
    if (header === "") continue;
    const first = firsts.get(header);
    if (isReservedHeader(header)) {
      report("E_HEADER_NAME", index);
      refused.add(index);
    } else if (first !== undefined && !hasKey(index) && !isResultId(headers, index)) {
      const rest = { first: columnLetter(first), second: columnLetter(index) };
      report("E_HEADER_DUP", index, rest);
      refused.add(index);
    }
    if (first === undefined) firsts.set(header, index);
  }
  return refused;
}

/**
 * The second product id of a result file stands right after its result, where the input had an id
 * too.
 */
const RESULT_HEADERS: ReadonlySet<string> = new Set(["Sonuç", "Result"]);
const ID_HEADERS: ReadonlySet<string> = new Set(["Ürün ID", "Product ID"]);

const RESULT_ID: HeaderMatch = { target: { kind: "own-result" }, rank: RANK.header };

function isResultId(headers: readonly string[], index: number): boolean {
  const header = headers[index] ?? "";
  const follows = ID_HEADERS.has(header) && RESULT_HEADERS.has(headers[index - 1] ?? "");
  return follows && headers.indexOf(header) < index;
}

function givenFields(
  columns: readonly Column[],
  constants: ReadonlyMap<FieldKey, string>,
): ReadonlySet<FieldKey> {
  const given = new Set<FieldKey>(constants.keys());
  for (const { target } of columns) if (target.kind === "field") given.add(target.field);
  // Any one image is enough.
  if ([...given].some((key) => key.startsWith("image"))) given.add("image_1");
  return given;
}
