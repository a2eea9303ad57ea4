import {
  resolveColumns as resolve,
  type ResolveColumnsOptions as ResolveOptions,
  type ResolvedColumns,
} from "@catalog/mapping";

import { productRows } from "../file/product-rows.ts";
import type { PlanSheet } from "../plan/plan-source.ts";

export { type AskColumn, type ColumnAnswer } from "@catalog/mapping";

export interface ResolveColumnsOptions extends Omit<
  ResolveOptions,
  "sheet" | "header" | "products"
> {
  readonly sheet: PlanSheet;
}

/** Maps the columns of an opened sheet, and asks about those that only a person can decide. */
export const resolveColumns = ({
  sheet,
  ...given
}: ResolveColumnsOptions): Promise<ResolvedColumns> =>
  resolve({
    ...given,
    sheet: sheet.sheet,
    header: sheet.header,
    products: (mapping) => productRows(sheet, mapping),
  });
