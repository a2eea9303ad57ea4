/** Whether good rows may be sent although others of the run are bad: `--strict`, `--max-errors`. */

import { ToolkitError } from "@catalog/connection";
import { formatNumber, InputError } from "@catalog/i18n";
import { type Counts, type RunSettings } from "@catalog/runs";

/** Rows that a person has to look at. */
export function badRows({ invalid, duplicate, rejected, held, unknown }: Counts): number {
  return invalid + duplicate + rejected + held + unknown;
}

/**
 * A count of rows, or a share of `rows` where the text ends in `%`. Throws `InputError` for any
 * other text.
 */
export function parseMaxErrors(text: string | undefined, rows: number): number | undefined {
  if (text === undefined) return undefined;
  const match = /^(?<count>\d+(?:[.,]\d+)?)(?<share>%?)$/u.exec(text.trim());
  const count = Number(match?.groups?.["count"]?.replace(",", "."));
  if (match === null || Number.isNaN(count)) {
    throw new InputError({
      tr: `--max-errors "${text}" anlaşılamadı. Sayı ya da yüzde verin: 10 ya da 5%.`,
      en: `--max-errors "${text}" is not understood. Give a number or a percentage: 10 or 5%.`,
    });
  }
  return match.groups?.["share"] === "%" ? Math.floor((rows * count) / 100) : Math.floor(count);
}

/** A run's settings that limit its bad rows. */
type Limits = Pick<RunSettings, "strict" | "maxErrors">;

/** Why not even the good rows are sent: `E_LIMIT_STRICT`, `E_LIMIT_ERRORS`; nothing if they are. */
export function findLimitRefusal(
  counts: Counts,
  { strict, maxErrors }: Limits,
): ToolkitError | undefined {
  const bad = badRows(counts);
  const max = parseMaxErrors(maxErrors, counts.rows);
  const rows = { tr: formatNumber(bad, "tr"), en: countInEnglish(bad) };
  if (strict === true && bad > 0) return new ToolkitError("E_LIMIT_STRICT", rows);
  if (max === undefined || bad <= max) return undefined;
  return new ToolkitError("E_LIMIT_ERRORS", {
    tr: `${rows.tr} satır hatalı; --max-errors en çok ${formatNumber(max, "tr")} hataya izin veriyor`,
    en: `${rows.en}, and --max-errors allows ${formatNumber(max, "en")}`,
  });
}

const countInEnglish = (rows: number): string =>
  `${formatNumber(rows, "en")} bad ${rows === 1 ? "row" : "rows"}`;

/** Rows that may still be rejected until the limit is reached; `Infinity` is unlimited. */
export function countErrorsLeft(counts: Counts, { maxErrors }: Limits): number {
  const max = parseMaxErrors(maxErrors, counts.rows) ?? Infinity;
  return Math.max(0, max - badRows(counts));
}
