/** Reads a person's decisions about columns, which beat the headers of the file. */

import { distance } from "fastest-levenshtein";

import { LEAVE_OUT } from "./column-questions.ts";
import { type FieldKey, RANK } from "./fields/field.ts";
import { FIELDS, findField } from "./fields/fields.ts";
import { headerKey } from "./header-key.ts";
import type { HeaderMatch } from "./header-matcher.ts";
import type { ReportHeader } from "./header-report.ts";
import { matchKey } from "./key-row.ts";

/** Columns whose target was chosen by hand, by index. */
export function readOverrides(
  overrides: ReadonlyMap<string, string>,
  headers: readonly string[],
  report: ReportHeader,
): ReadonlyMap<number, HeaderMatch> {
  const chosen = new Map<number, HeaderMatch>();
  for (const [header, override] of overrides) {
    const exact = headers.indexOf(header);
    const key = headerKey(header);
    const index = exact >= 0 ? exact : headers.findIndex((other) => headerKey(other) === key);
    const match = readOverride(override);
    if (index < 0) report("W_MAP_HEADER", -1, { value: header });
    else if (match === undefined)
      report("E_MAP_FIELD", index, { field: override, names: closest(override) });
    else chosen.set(index, match);
  }
  return chosen;
}

/** Values that hold for all rows, by field. */
export function readConstants(
  constants: ReadonlyMap<string, string>,
  report: ReportHeader,
): ReadonlyMap<FieldKey, string> {
  const known = new Map<FieldKey, string>();
  for (const [key, value] of constants) {
    const field = findField(key);
    if (field === undefined) report("E_SET_FIELD", -1, { field: key, names: closest(key) });
    else known.set(field.key, value);
  }
  return known;
}

/**
 * Keeps the kind of discount that a header states when a person chooses the field of its column.
 */
export function keepStatedDiscount(matched: HeaderMatch, read: HeaderMatch): HeaderMatch {
  const { target } = matched;
  const stated = read.doubt?.target;
  if (target.kind !== "field" || target.field !== stated?.field) return matched;
  return { ...matched, target: stated };
}

/** Restores the doubt about a header where the remembered decision was not a person's. */
export function restoreDoubts(matched: HeaderMatch, read: HeaderMatch): HeaderMatch {
  const { target } = matched;
  if (target.kind !== "field") return matched;
  if (read.doubt !== undefined) return read;
  if (read.isVariant !== true) return { ...matched, isOwn: read.isOwn };
  const unknown = { kind: "unknown", suggestion: target.field } as const;
  return { target: unknown, rank: RANK.alias, doubt: { kind: "uncertain", target } };
}

function readOverride(override: string): HeaderMatch | undefined {
  if (override === LEAVE_OUT) return { target: { kind: "unused" }, rank: RANK.chosen };
  const match = matchKey(override);
  return match === undefined ? undefined : { ...match, rank: RANK.chosen, isOwn: true };
}

function closest(key: string): string {
  const keys = FIELDS.map((field) => field.key);
  return keys.reduce((best, other) => (distance(key, other) < distance(key, best) ? other : best));
}
