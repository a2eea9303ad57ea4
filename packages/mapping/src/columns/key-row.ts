import { cellText, type CellValue } from "../rows/source-row.ts";
import { RANK } from "./fields/field.ts";
import { findField } from "./fields/fields.ts";
import { NEVER_SENT } from "./fields/other-headers.ts";
import { type HeaderMatch, propertyName } from "./header-matcher.ts";

const READ_ONLY: ReadonlySet<string> = new Set(NEVER_SENT);

/** Finds the meaning of a machine key, compared letter for letter, since programs write it. */
export function matchKey(key: string): HeaderMatch | undefined {
  const field = findField(key);
  if (field !== undefined) {
    return { target: { kind: "field", field: field.key }, rank: RANK.header, isOwn: true };
  }
  const name = key.startsWith("property:") ? propertyName(key) : undefined;
  if (name !== undefined) return { target: { kind: "property", name }, rank: RANK.header };
  return READ_ONLY.has(key) ? { target: { kind: "never-sent" }, rank: RANK.header } : undefined;
}

/**
 * Reads the row of machine keys that template workbooks have below the header, by column;
 * `undefined` when the row is data. One cell that is no key makes it data.
 */
export function readKeyRow(
  below: readonly CellValue[] | undefined,
): ReadonlyMap<number, HeaderMatch> | undefined {
  const keys = new Map<number, HeaderMatch>();
  let hasField = false;
  for (const [index, value] of (below ?? []).entries()) {
    const text = cellText(value);
    if (text === "") continue;
    const match = matchKey(text);
    if (match === undefined) return undefined;
    hasField ||= match.target.kind === "field";
    keys.set(index, match);
  }
  return hasField ? keys : undefined;
}
