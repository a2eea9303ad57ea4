/** Maps the columns of a sheet by their headers, their cells and a person's answers. */

import type { FieldKey } from "../fields/fields.ts";
import type { Issue } from "../issues/issue.ts";
import { createStoreFold } from "../rows/store-fold.ts";
import type { CellValue } from "../source-row.ts";
import { type ColumnCells, createColumnScan } from "./column-cells.ts";
import type { ColumnMapping } from "./column-mapping.ts";
import type { ColumnQuestion } from "./column-questions.ts";
import { mapColumns } from "./map-columns.ts";
import type { KnownStores } from "./store-columns.ts";

/**
 * A person's answer about a column: a field or `-`, as `--map` takes them, or the end of all
 * questions.
 */
type ColumnAnswer = { readonly kind: "map"; readonly to: string } | { readonly kind: "stop" };

/** Asks a person for the field of a column. */
export type AskColumn = (question: ColumnQuestion) => Promise<ColumnAnswer>;

export interface ResolveColumnsOptions {
  /** Name of the sheet, for issues. */
  readonly sheet: string;
  /** The row of headers; its number as the spreadsheet program shows it. */
  readonly header: { readonly row: number; readonly cells: readonly CellValue[] };
  /** Reads the products below the headers; called where cells decide about columns. */
  readonly products: (
    mapping: ColumnMapping,
  ) => AsyncIterable<{ readonly cells: readonly CellValue[] }>;
  /** The first row below the header. */
  readonly below: readonly CellValue[] | undefined;
  /** Field by header, as a person has said before. */
  readonly columns: ReadonlyMap<string, string>;
  /** Headers of `columns` that a person may not have chosen. @default none */
  readonly unconfirmed?: ReadonlySet<string>;
  /** Field to the text for rows whose own cell is empty or missing. */
  readonly constants?: ReadonlyMap<string, string>;
  /** Field to the value of new products that have none. @default none */
  readonly defaults?: ReadonlyMap<string, string> | undefined;
  /** One of `PLATFORM_NAMES`. @default recognised by the headers */
  readonly platform?: string | undefined;
  /** Fields that the file is expected to give; see `mapColumns`. @default none */
  readonly expected?: readonly FieldKey[] | undefined;
  /** The stores that headers may name. @default none */
  readonly stores?: KnownStores | undefined;
  /** @default no question is asked */
  readonly ask?: AskColumn | undefined;
  /** Fields that are sent; questions about other fields are not asked. @default every field */
  readonly isSent?: (field: FieldKey) => boolean;
  readonly signal?: AbortSignal | undefined;
}

export interface ResolvedColumns {
  readonly mapping: ColumnMapping;
  /** Earlier mappings and the answers. */
  readonly columns: ReadonlyMap<string, string>;
  readonly unconfirmed: ReadonlySet<string>;
  /** The questions that are left open, each with its issue among `issues`. */
  readonly questions: readonly ColumnQuestion[];
  /** Issues that make the file unusable; empty for a usable one. */
  readonly issues: readonly Issue[];
}

/**
 * Maps the columns of a sheet, reading the cells of columns whose headers are ambiguous. An answer
 * counts like `--map` and may resolve other questions as well.
 */
export async function resolveColumns(options: ResolveColumnsOptions): Promise<ResolvedColumns> {
  const cells = await readCells(options);
  const columns = new Map(options.columns);
  const unconfirmed = new Set(options.unconfirmed);
  for (;;) {
    const mapping = mapSheet({ ...options, columns, unconfirmed }, cells);
    const { issues, questions } = findOpen(mapping, options);
    const [question] = questions;
    // An unusable file is refused without a question.
    const isAskable = question !== undefined && issues.every(({ isAsked }) => isAsked);
    const answer = isAskable ? await options.ask?.(question) : undefined;
    if (question === undefined || answer?.kind !== "map") {
      const left = issues.map(({ issue }) => issue);
      return { mapping, columns, unconfirmed, questions, issues: left };
    }
    columns.set(question.header, answer.to);
    unconfirmed.delete(question.header);
  }
}

interface OpenIssue {
  readonly issue: Issue;
  readonly isAsked: boolean;
}

function findOpen(
  { issues, warnings, questions }: ColumnMapping,
  { isSent = () => true }: ResolveColumnsOptions,
): { readonly issues: readonly OpenIssue[]; readonly questions: readonly ColumnQuestion[] } {
  const asked = new Set(questions.map(({ issue }) => issue));
  const open = questions.filter(({ field }) => isSent(field));
  const mattering = new Set(open.map(({ issue }) => issue));
  // A named column that does not exist is an error, as it would silently not be sent.
  const misnamed = warnings.filter(({ code }) => code === "W_MAP_HEADER");
  const left = [...issues, ...misnamed].filter(
    (issue) => !asked.has(issue) || mattering.has(issue),
  );
  return {
    issues: left.map((issue) => ({ issue, isAsked: asked.has(issue) })),
    questions: open,
  };
}

function mapSheet(
  {
    sheet,
    header,
    below,
    columns,
    unconfirmed,
    constants,
    defaults,
    platform,
    expected,
    stores,
  }: ResolveColumnsOptions,
  cells?: ReadonlyMap<number, ColumnCells>,
): ColumnMapping {
  const given = {
    overrides: columns,
    unconfirmed,
    constants,
    defaults,
    platform,
    expected,
    stores,
  };
  return mapColumns({ sheet, headerRow: header.row, header: header.cells, below, cells, ...given });
}

/** Reads rows until every column is decided; most columns need at most a hundred. */
async function readCells(
  options: ResolveColumnsOptions,
): Promise<ReadonlyMap<number, ColumnCells>> {
  const { products, signal } = options;
  const mapping = mapSheet(options);
  const scan = createColumnScan(mapping.watched);
  if (scan.isComplete()) return scan.cells;
  const { foldCells } = createStoreFold(mapping.columns);
  for await (const row of products(mapping)) {
    signal?.throwIfAborted();
    scan.observe(foldCells(row.cells));
    if (scan.isComplete()) break;
  }
  return scan.cells;
}
