/** Rows that are no product themselves: parents, rows with an image only, and lost variants. */

import type { TextKey } from "../issues/codes.ts";
import { type Cell, locationOf, PLAIN_CELL } from "./layout.ts";
import type { RowWork } from "./row-work.ts";
import { cellText, type LostReason, type SourceRow } from "./source-row.ts";

/** Whether a row is sent, as far as its place among the rows of its product tells. */
export const isSentRow = ({ joined }: SourceRow): boolean =>
  joined === undefined || joined.role === "product" || joined.role === "variant";

const LOST: Readonly<Record<LostReason, TextKey>> = {
  missing: "E_VARIANT_PARENT",
  apart: "E_VARIANT_PARENT.apart",
  ambiguous: "E_VARIANT_PARENT.ambiguous",
  broken: "E_VARIANT_PARENT.broken",
  many: "E_VARIANT_PARENT.many",
};

/** Says why a row is not sent; returns its action, `undefined` for a row that is a product. */
export function reportRole(work: RowWork): "auto" | "skip" | undefined {
  const { source } = work;
  const { role, reason = "missing", parentRow } = source.joined ?? {};
  if (role === undefined || isSentRow(source)) return undefined;
  const cell = linkCell(work);
  if (role === "lost") {
    const parent = parentRow === undefined ? "" : work.layout.nameRow(parentRow);
    work.report({ text: LOST[reason], params: { parent } }, cell);
    return "auto";
  }
  work.warn({ text: role === "image" ? "W_IMAGE_ROW" : "W_PARENT_ROW" }, cell);
  return "skip";
}

function linkCell({ layout, row, source }: RowWork): Cell {
  const index = layout.variants?.link ?? 0;
  const column = layout.mapping.columns[index];
  const text = cellText(source.cells[index]);
  const place = column && locationOf(layout, column, row);
  const location = place ?? { sheet: layout.sheet, row, column: "", cell: "", value: "" };
  return {
    ...PLAIN_CELL,
    field: "",
    index,
    location: { ...location, value: text },
    value: text,
    text,
  };
}
