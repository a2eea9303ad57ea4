/** The limits of bad rows in a run: `--strict` and `--max-errors`. */

import { CatalogError } from "@catalog/connection";
import { formatNumber, InputError } from "@catalog/i18n";
import type { Counts, RunSettings } from "@catalog/runs";

/** Counts the rows that need a person: invalid, duplicate, rejected, held and unknown ones. */
export function badRows({ invalid, duplicate, rejected, held, unknown }: Counts): number {
  return invalid + duplicate + rejected + held + unknown;
}

/**
 * Parses a number of rows, or a share of `rows` when the text ends in `%`; fractions of a row are
 * cut off. Throws `InputError` for any other text.
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

/** The settings of a run that limit its bad rows. */
type Limits = Pick<RunSettings, "strict" | "maxErrors">;

/**
 * Returns the error `E_LIMIT_STRICT` or `E_LIMIT_ERRORS` of a run with too many bad rows, of which
 * no row may be sent; `undefined` within the limits.
 */
export function findLimitRefusal(
  counts: Counts,
  { strict, maxErrors }: Limits,
): CatalogError | undefined {
  const bad = badRows(counts);
  const max = parseMaxErrors(maxErrors, counts.rows);
  const rows = { tr: formatNumber(bad, "tr"), en: countInEnglish(bad) };
  if (strict === true && bad > 0) return new CatalogError("E_LIMIT_STRICT", rows);
  if (max === undefined || bad <= max) return undefined;
  return new CatalogError("E_LIMIT_ERRORS", {
    tr: `${rows.tr} satır hatalı; --max-errors en çok ${formatNumber(max, "tr")} hataya izin veriyor`,
    en: `${rows.en}, and --max-errors allows ${formatNumber(max, "en")}`,
  });
}

const countInEnglish = (rows: number): string =>
  `${formatNumber(rows, "en")} bad ${rows === 1 ? "row" : "rows"}`;

/** Counts the rows that may still be rejected within `--max-errors`; `Infinity` without a limit. */
export function countErrorsLeft(counts: Counts, { maxErrors }: Limits): number {
  const max = parseMaxErrors(maxErrors, counts.rows) ?? Infinity;
  return Math.max(0, max - badRows(counts));
}
