/** What the columns of a sheet are for: by their headers, their cells and what a person says. */

import {
  type CellValue,
  type ColumnCells,
  type ColumnMapping,
  type ColumnQuestion,
  createColumnSurvey,
  type FieldKey,
  mapColumns,
} from "@catalog/mapping";
import { type RowIssue } from "@catalog/runs";

import { productRows } from "../file/product-rows.ts";
import { type PlanSheet } from "../plan/plan-source.ts";

/** What a person says of a column: a field or `-`, as `--map` takes them, or that it is enough. */
export type ColumnAnswer =
  | { readonly kind: "map"; readonly to: string }
  | { readonly kind: "stop" };

/** Asks a person what a column is for. */
export type AskColumn = (question: ColumnQuestion) => Promise<ColumnAnswer>;

export interface SettleColumnsOptions {
  readonly sheet: PlanSheet;
  /** The first row below the header. */
  readonly below: readonly CellValue[] | undefined;
  /** Header to field, as a person has said before. */
  readonly columns: ReadonlyMap<string, string>;
  /** Headers of `columns` that no person may have decided. @default a person has decided all */
  readonly unconfirmed?: ReadonlySet<string>;
  /** Field to the text of rows whose own cell is empty or missing. */
  readonly constants?: ReadonlyMap<string, string>;
  /** @default nobody is asked */
  readonly ask?: AskColumn | undefined;
  /** Fields that will be sent; questions about others do not matter. @default every field is */
  readonly isSent?: (field: FieldKey) => boolean;
  readonly signal?: AbortSignal | undefined;
}

export interface SettledColumns {
  readonly mapping: ColumnMapping;
  /** What was said before, and the answers. */
  readonly columns: ReadonlyMap<string, string>;
  readonly unconfirmed: ReadonlySet<string>;
  /** Any of these and the file cannot be used. */
  readonly issues: readonly RowIssue[];
}

/**
 * Maps the columns of a sheet, with a look at the cells of those whose headers leave it open. Each
 * answer is as good as `--map`, and may settle other questions as well.
 */
export async function settleColumns(options: SettleColumnsOptions): Promise<SettledColumns> {
  const cells = await readCells(options);
  const columns = new Map(options.columns);
  const unconfirmed = new Set(options.unconfirmed);
  for (;;) {
    const mapping = mapSheet({ ...options, columns, unconfirmed }, cells);
    const { issues, question } = findOpen(mapping, options);
    // A file that cannot be used anyway is nothing to ask about.
    const isAskable = question !== undefined && issues.every(({ isAsked }) => isAsked);
    const answer = isAskable ? await options.ask?.(question) : undefined;
    if (question === undefined || answer?.kind !== "map") {
      return { mapping, columns, unconfirmed, issues: issues.map(({ issue }) => issue) };
    }
    columns.set(question.header, answer.to);
    unconfirmed.delete(question.header);
  }
}

interface OpenIssue {
  readonly issue: RowIssue;
  readonly isAsked: boolean;
}

function findOpen(
  { issues, warnings, questions }: ColumnMapping,
  { isSent = () => true }: SettleColumnsOptions,
): { readonly issues: readonly OpenIssue[]; readonly question: ColumnQuestion | undefined } {
  const asked = new Set(questions.map(({ issue }) => issue));
  const open = questions.filter(({ field }) => isSent(field));
  const mattering = new Set(open.map(({ issue }) => issue));
  // A column that was named and is not there would silently not be sent.
  const misnamed = warnings.filter(({ code }) => code === "W_MAP_HEADER");
  const left = [...issues, ...misnamed].filter(
    (issue) => !asked.has(issue) || mattering.has(issue),
  );
  return {
    issues: left.map((issue) => ({ issue, isAsked: asked.has(issue) })),
    question: open[0],
  };
}

function mapSheet(
  { sheet, below, columns, unconfirmed, constants }: SettleColumnsOptions,
  cells?: ReadonlyMap<number, ColumnCells>,
): ColumnMapping {
  const { row: headerRow, cells: header } = sheet.header;
  const said = { overrides: columns, unconfirmed, constants };
  return mapColumns({ sheet: sheet.sheet, headerRow, header, below, cells, ...said });
}

/** Reads as many rows as it takes; most columns are settled by the first hundred. */
async function readCells(options: SettleColumnsOptions): Promise<ReadonlyMap<number, ColumnCells>> {
  const { sheet, signal } = options;
  const mapping = mapSheet(options);
  const survey = createColumnSurvey(mapping.watched);
  if (survey.isSettled()) return survey.cells;
  for await (const row of productRows(sheet, mapping)) {
    signal?.throwIfAborted();
    survey.observe(row.cells);
    if (survey.isSettled()) break;
  }
  return survey.cells;
}
