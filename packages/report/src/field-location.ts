/** Finds the cell that a field of the API came from, for issues that are found after the plan. */

import { findField, columnLetter } from "@catalog/mapping";
import type { IssueLocation, RowRecord, RunRecord } from "@catalog/runs";

/**
 * Location of the field in its row, or of the row as a whole where the field has no cell of its
 * own.
 */
export function findFieldLocation(run: RunRecord, record: RowRecord, field: string): IssueLocation {
  const { sheet, header } = run.file;
  const { row, code, cells } = record;
  const index = findColumn(run, record, field);
  if (index === undefined) return { sheet, row, column: "", cell: "", value: code ?? "" };
  return {
    sheet,
    row,
    column: header[index] ?? "",
    cell: `${columnLetter(index)}${row}`,
    value: String(cells[index] ?? ""),
  };
}

function findColumn(run: RunRecord, { cells }: RowRecord, field: string): number | undefined {
  const fields = run.facts?.reading?.columns.columns ?? {};
  const filled = run.file.header
    .map((header, index) => ({ index, key: fields[header] ?? "" }))
    .filter(({ index, key }) => key !== "" && !isEmpty(cells[index]));
  const isOf = createIsOf(field, new Set(filled.map(({ key }) => key)));
  return filled.find(({ key }) => isOf(key))?.index;
}

const isEmpty = (cell: RowRecord["cells"][number] | undefined): boolean =>
  cell === null || cell === undefined || cell === "";

/**
 * Whether a column of this kind is the source of the field. Where a row has a list price, the price
 * column holds the sale price, and the list price is sent as the price.
 */
function createIsOf(field: string, given: ReadonlySet<string>): (key: string) => boolean {
  if (field === "properties") return (key) => key.startsWith("property:");
  const hasListPrice = given.has("list_price");
  if (hasListPrice && field === "price") return (key) => key === "list_price";
  if (hasListPrice && field === "discount_value") return (key) => key === "price";
  return (key) => findField(key)?.apiFields.some((one) => one === field) === true;
}
