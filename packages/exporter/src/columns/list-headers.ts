/** The headers of exports that people fill in and give back. */

import type { Localized } from "@catalog/i18n";

import { ORDER_COLUMNS, ORDER_PACKAGE_COLUMNS } from "./order-columns.ts";
import { QUESTION_COLUMNS } from "./record-columns.ts";
import { createTemplateColumns } from "./shipping-columns.ts";

/** A column as files have it. */
export interface ExportHeader {
  readonly key: string;
  readonly header: Localized;
  /** The key that it had before. */
  readonly formerKey?: string | undefined;
}

const NO_NAMES = { companies: new Map(), addresses: new Map(), cities: new Map() } as const;

/** Lists the columns of an export, whatever its rows are, each once. */
export function listHeaders(kind: "questions" | "orders" | "templates"): readonly ExportHeader[] {
  if (kind === "questions") return QUESTION_COLUMNS;
  if (kind === "templates") return createTemplateColumns(NO_NAMES);
  const columns = [...ORDER_PACKAGE_COLUMNS, ...ORDER_COLUMNS];
  return [...new Map(columns.map((column) => [column.key, column])).values()];
}
