import type { StoreMeters } from "@catalog/connection";
import { type ColumnMapping, toColumnWarnings } from "@catalog/mapping";
import type { RunWarning } from "@catalog/runs";

import { lastHeaderRow } from "../file/product-rows.ts";
import type { PlanSource } from "./plan-source.ts";

/** The sheet of a plan, and its columns. */
interface MappedSheet extends Pick<PlanSource, "sheet"> {
  readonly mapping: ColumnMapping;
}

interface ReadRows {
  /** Warnings that name the rows that were left out. */
  readonly leftOut: readonly RunWarning[];
  readonly names: Parameters<typeof toColumnWarnings>[1];
}

/** Warnings of a plan about its file: unknown columns, rows that are left out. */
export const toPlanWarnings = (
  { omittedFields }: Pick<StoreMeters, "omittedFields">,
  opened: MappedSheet,
  { leftOut, names }: ReadRows,
): readonly RunWarning[] => [
  ...noticesOf(opened),
  ...toColumnWarnings(opened.mapping, names),
  ...leftOut,
  ...omittedFields.warnings(),
];

const noticesOf = ({ sheet, mapping }: MappedSheet): readonly RunWarning[] =>
  (sheet.notices?.(lastHeaderRow(sheet, mapping)) ?? []).map(({ code, message }) => ({
    code,
    message,
  }));
