/** Values on their way to PostgreSQL and back, so that both databases give the same ones. */

import { types } from "pg";

import type { SqlValue } from "../sql/steps.ts";
import { toStoredText } from "../sql/stored-text.ts";

const INT8 = 20;
const NUMERIC = 1700;
const BOOLEAN = 16;

const parseInteger = (text: string): number => {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`${text} is no safe integer`);
  return value;
};

const parsers: ReadonlyMap<number, (text: string) => unknown> = new Map<
  number,
  (text: string) => unknown
>([
  [INT8, parseInteger],
  // Sums of integers.
  [NUMERIC, Number],
  // Conditions are 0 and 1 in SQLite.
  [BOOLEAN, (text) => (text === "t" ? 1 : 0)],
]);

/** Parsers of one pool; those of other users of the driver in this process stay as they are. */
export const valueTypes: Pick<typeof types, "getTypeParser"> = {
  getTypeParser: (...[type, format]: Parameters<typeof types.getTypeParser>) =>
    (format ?? "text") === "text"
      ? (parsers.get(type) ?? types.getTypeParser(type, format))
      : types.getTypeParser(type, format),
};

/** The value as PostgreSQL can store it. */
export const toStored = (value: SqlValue): SqlValue =>
  typeof value === "string" ? toStoredText(value) : value;
