/** Detects how a CSV file separates its cells and its records from its beginning. */

import { HEADER_SEARCH_ROWS } from "../header-row.ts";

/** Number of characters that `detectDialect` needs. */
export const SAMPLE_CHARS: number = 64 * 1024;

/** How a CSV file separates its cells and its records. */
export interface Dialect {
  readonly delimiter: string;
  readonly newline: "\n" | "\r";
  /** Whether the first line is Excel's `sep=;` and no record. */
  readonly hasSeparatorLine: boolean;
}

/** Names for delimiters that are hard to type. */
const DELIMITER_NAMES: ReadonlyMap<string, string> = new Map([
  ["tab", "\t"],
  ["\\t", "\t"],
]);

/** The delimiter that is meant; `undefined` if the text names none. */
export function parseDelimiter(wanted: string): string | undefined {
  const delimiter = DELIMITER_NAMES.get(wanted.toLowerCase()) ?? wanted;
  return /^[^"\r\n\ufeff]$/.test(delimiter) ? delimiter : undefined;
}

/** Ordered for ties: with decimal commas, `,` looks likely in a file that uses `;`. */
const DELIMITERS = [";", "\t", "|", ","] as const;
const SAMPLE_RECORDS = 50;
const SEPARATOR_LINE = /^sep=(.)\r?(?:\n|$)/i;

/**
 * Detects the dialect from the first records, counting outside quotes: the delimiter with which
 * most records fit the header wins, and `;` if none occurs. A `sep=` line overrides the
 * detection, and `wanted` overrides both. Records end at `\n` (the `\r` before it is left to the
 * reader), at `\r` only where the sample has no `\n`.
 */
export function detectDialect(sample: string, wanted?: string): Dialect {
  const separator = SEPARATOR_LINE.exec(sample);
  const newline = !sample.includes("\n") && sample.includes("\r") ? "\r" : "\n";
  return {
    delimiter: wanted ?? separator?.[1] ?? guessDelimiter(recordShapes(sample, newline)),
    newline,
    hasSeparatorLine: separator !== null,
  };
}

/** The delimiters of each record, outside quotes, as one string: `;;,` for `a;b;1,5`. */
function recordShapes(sample: string, newline: string): readonly string[] {
  const unquoted = sample.replaceAll(/"[^"]*(?:"|$)/g, "\u0001");
  const records = unquoted.split(newline, SAMPLE_RECORDS + 1);
  // The last record may be cut off by the end of the sample.
  const whole = records.length > 1 ? records.slice(0, -1) : records;
  return whole
    .filter((record) => record.trim() !== "")
    .map((record) => record.replaceAll(/[^;,\t|]/g, ""));
}

function guessDelimiter(shapes: readonly string[]): string {
  let best = { delimiter: ";", records: 0 };
  for (const delimiter of DELIMITERS) {
    const records = countFitting(shapes.map((shape) => shape.split(delimiter).length - 1));
    if (records > best.records) best = { delimiter, records };
  }
  return best.delimiter;
}

/**
 * Number of records that fit a header: the record with most delimiters among the first ones, since
 * every column has a header. Rows may be shorter, and may have one more empty cell at their end.
 */
function countFitting(counts: readonly number[]): number {
  const first = counts.slice(0, HEADER_SEARCH_ROWS);
  const header = Math.max(0, ...first.slice(0, 1), ...first.map((count) => count - 1));
  const from = Math.max(
    0,
    counts.findIndex((count) => count >= header),
  );
  return counts.slice(from).filter((count) => count > 0 && count <= header + 1).length;
}
