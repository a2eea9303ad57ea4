/** CSV files of shops, and what an import of them needs besides. */

import { goodRow } from "./product-sheet.ts";
import type { Row } from "./shopify-export.ts";

/** Flags for the fields that no shop has. */
export const MISSING_FLAGS: readonly string[] = Object.entries(goodRow(1))
  .filter(([header]) => /^(?:Alt|Model|Garanti|Teslimat)/u.test(header))
  .flatMap(([header, value]) => ["--set", `${header.slice(0, -2)}=${value}`]);

const quote = (text: string): string => `"${text.replaceAll('"', '""')}"`;

/** The rows as a CSV file with these headers. */
export function formatRows(headers: readonly string[], rows: readonly Row[]): string {
  const lines = rows.map((row) => headers.map((header) => quote(row[header] ?? "")).join(","));
  return `${[headers.join(","), ...lines].join("\n")}\n`;
}
