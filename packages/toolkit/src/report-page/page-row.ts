/** A row as the page's script gets it: short, because there may be fifty thousand of them. */

import { FIELDS, findField } from "@catalog/mapping";
import {
  type CellValue,
  type CountClass,
  type FieldChange,
  type Payload,
  type RowRecord,
  toCountClass,
} from "@catalog/runs";

import { formatMinor } from "./money-text.ts";

/** Every class of rows, in the order of the report. */
export const CLASSES: readonly CountClass[] = [
  "added",
  "updated",
  "unchanged",
  "skipped",
  "invalid",
  "duplicate",
  "rejected",
  "held",
  "unknown",
  "cancelled",
  "pending",
];

/** An issue: code, cell, message and suggestion; empty where there is none. */
type PageIssue = readonly [code: string, cell: string, message: string, suggestion: string];

/** A field: its word, old value and new one; the old one is empty where nobody has seen it. */
type PageChange = readonly [field: string, before: string, after: string];

/** Row, code, number of the class, product id, issues, changes, and the cells for the search. */
export type PageRow = readonly [
  row: number,
  code: string,
  classIndex: number,
  productId: string,
  issues: readonly PageIssue[],
  changes: readonly PageChange[],
  cells: string,
];

/** What is searched and shown of a cell or a value; the result files have all of it. */
const MOST_CHARACTERS = 60;

export function toPageRow(record: RowRecord, lang: "tr" | "en"): PageRow {
  const { row, code, state, action, productId, issues, changes, cells } = record;
  return [
    row,
    code ?? "",
    CLASSES.indexOf(toCountClass(state, action)),
    productId ?? "",
    issues.map(({ code: name, cell, message, suggestion }) => [
      name,
      cell,
      message[lang],
      suggestion?.[lang] ?? "",
    ]),
    changes.map((change) => toPageChange(change, record, lang)),
    cells.filter(isFilled).map(cut).join("\n"),
  ];
}

const isFilled = (cell: CellValue): boolean => cell !== null && cell !== "";

function toPageChange(change: FieldChange, { payload }: RowRecord, lang: "tr" | "en"): PageChange {
  const { field, old, new: after } = change;
  const show = (value: unknown): string => {
    if (value === undefined) return "";
    if (typeof value === "number" && isMoney(field, payload)) return formatMinor(value, lang);
    return cut(typeof value === "string" ? value : JSON.stringify(value));
  };
  return [fieldWord(field, lang), show(old), show(after)];
}

/** A discount is money unless it is a rate; where its type is not sent, nobody can tell. */
function isMoney(field: string, payload: Payload | null): boolean {
  const type = payload?.discount_type;
  return field === "price" || (field === "discount_value" && (type === 1 || type === 3));
}

/** The header of the column that a field comes from. */
function fieldWord(name: string, lang: "tr" | "en"): string {
  const field =
    findField(name) ?? FIELDS.find(({ apiFields }) => apiFields.some((one) => one === name));
  return field?.header[lang] ?? name;
}

/** Cut between whole characters, and said to be. */
function cut(value: CellValue): string {
  const letters = Array.from(String(value));
  if (letters.length <= MOST_CHARACTERS) return letters.join("");
  return `${letters.slice(0, MOST_CHARACTERS).join("")}…`;
}
