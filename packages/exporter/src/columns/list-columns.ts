/** The columns of each kind of export, for people who choose some of them. */

import type { Lang } from "@catalog/i18n";

import type { ExportKind } from "../kinds.ts";
import { withUnit } from "./amount-columns.ts";
import { toBareName } from "./choose-columns.ts";
import { COMMENT_COLUMNS, COMMENTED_PRODUCT_COLUMNS } from "./comment-columns.ts";
import { ORDER_COLUMNS } from "./order-columns.ts";
import type { OutColumn } from "./out-column.ts";
import { createProductColumns } from "./product-columns.ts";
import { FURTHER_PRODUCT_COLUMNS } from "./read-only-columns.ts";
import { PAYMENT_COLUMNS, QUESTION_COLUMNS } from "./record-columns.ts";

/** A column that can be chosen. */
export interface ExportColumn {
  /** What `columns` of an export takes. */
  readonly key: string;
  /** The header, without the marks behind it. */
  readonly label: string;
  /** Whether only an export of all that the listing has (template `full`) knows it. */
  readonly isFurther: boolean;
}

type Listed = Pick<OutColumn<never>, "key" | "header">;

/** Lists the columns in the order of the file, with prices in a known unit. */
export function listExportColumns(kind: ExportKind, lang: Lang): readonly ExportColumn[] {
  const toColumn =
    (isFurther: boolean) =>
    ({ key, header }: Listed): ExportColumn => ({
      key,
      label: toBareName(header[lang]),
      isFurther,
    });
  const further = kind === "products" ? FURTHER_PRODUCT_COLUMNS : [];
  return [...columnsOf(kind).map(toColumn(false)), ...further.map(toColumn(true))];
}

function columnsOf(kind: ExportKind): readonly Listed[] {
  const columns: Readonly<Record<ExportKind, () => readonly Listed[]>> = {
    products: () =>
      createProductColumns({
        priceUnit: "minor",
        templateLabel: () => undefined,
        onTooLong: () => undefined,
      }),
    comments: () => [...COMMENTED_PRODUCT_COLUMNS, ...COMMENT_COLUMNS],
    orders: () => withUnit(ORDER_COLUMNS, "major"),
    questions: () => QUESTION_COLUMNS,
    payments: () => withUnit(PAYMENT_COLUMNS, "major"),
  };
  return columns[kind]();
}
