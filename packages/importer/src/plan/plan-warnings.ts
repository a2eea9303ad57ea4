import type { StoreMeters } from "@catalog/connection";
import type { ColumnMapping, RowMapper } from "@catalog/mapping";
import type { RunWarning } from "@catalog/runs";

import { toColumnWarnings } from "../columns/column-warnings.ts";
import { lastHeaderRow } from "../file/product-rows.ts";
import type { OpenedRun } from "./make-plan.ts";
import type { StoredRows } from "./rows/store-rows.ts";

/** Warnings of a plan about its file: unknown columns, rows that are left out. */
export const toPlanWarnings = (
  { omittedFields }: Pick<StoreMeters, "omittedFields">,
  opened: OpenedRun,
  { stored, mapper }: { readonly stored: StoredRows; readonly mapper: RowMapper },
): readonly RunWarning[] => [
  ...noticesOf(opened),
  ...toColumnWarnings(opened.mapping, mapper),
  ...stored.leftOut,
  ...omittedFields.warnings(),
];

const noticesOf = ({ sheet, mapping }: OpenedRun): readonly RunWarning[] =>
  (sheet.notices?.(lastHeaderRow(sheet, mapping)) ?? []).map(({ code, message }) => ({
    code,
    message,
  }));
