/** How a CSV file separates its cells and its records, by looking at its beginning. */

/** How much text `detectDialect` wants to see. */
export const SAMPLE_CHARS: number = 64 * 1024;

export interface Dialect {
  readonly delimiter: string;
  readonly newline: "\n" | "\r";
  /** The first line is Excel's `sep=;` and no record. */
  readonly hasSeparatorLine: boolean;
}

/** What people write for a delimiter that is hard to type. */
const DELIMITER_NAMES: ReadonlyMap<string, string> = new Map([
  ["tab", "\t"],
  ["\\t", "\t"],
]);

/** The one character that is meant, or undefined if none can be. */
export function parseDelimiter(wanted: string): string | undefined {
  const delimiter = DELIMITER_NAMES.get(wanted.toLowerCase()) ?? wanted;
  return /^[^"\r\n\ufeff]$/.test(delimiter) ? delimiter : undefined;
}

/** In the order that decides a tie: a decimal comma makes `,` look likely in a file that uses `;`. */
const DELIMITERS = [";", "\t", "|", ","] as const;
const SAMPLE_RECORDS = 50;
const SEPARATOR_LINE = /^sep=(.)\r?(?:\n|$)/i;

/**
 * Guesses from the first records, counting outside quotes: the delimiter that comes equally often in
 * the most records wins, and `;` if none comes at all. A `sep=` line decides over the guess, `wanted`
 * over both. Records end at `\n` (the `\r` before it is left to the reader), at `\r` only where the
 * sample has no `\n`.
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
  // What stands last may be cut off by the end of the sample.
  const whole = records.length > 1 ? records.slice(0, -1) : records;
  return whole
    .filter((record) => record.trim() !== "")
    .map((record) => record.replaceAll(/[^;,\t|]/g, ""));
}

function guessDelimiter(shapes: readonly string[]): string {
  let best = { delimiter: ";", records: 0 };
  for (const delimiter of DELIMITERS) {
    const records = mostAlike(shapes.map((shape) => shape.split(delimiter).length - 1));
    if (records > best.records) best = { delimiter, records };
  }
  return best.delimiter;
}

/** How many records share the commonest number of delimiters, none aside. */
function mostAlike(counts: readonly number[]): number {
  const tally = new Map<number, number>();
  for (const count of counts) {
    if (count > 0) tally.set(count, (tally.get(count) ?? 0) + 1);
  }
  return Math.max(0, ...tally.values());
}
