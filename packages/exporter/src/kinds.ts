/** The kinds and formats of exports; loading this file loads no exporter. */

/** What can be exported, in the order in which help shows it. */
export const EXPORT_KINDS = [
  "products",
  "comments",
  "orders",
  "questions",
  "payments",
  "search",
  "templates",
  "companies",
  "addresses",
  "cities",
  "shipping-prices",
] as const;

/** See {@link EXPORT_KINDS}. */
export type ExportKind = (typeof EXPORT_KINDS)[number];

/** Formats that exports can be written in. */
export const EXPORT_FORMATS = ["csv", "xlsx", "jsonl"] as const;

/** See {@link EXPORT_FORMATS}. */
export type ExportFormat = (typeof EXPORT_FORMATS)[number];
